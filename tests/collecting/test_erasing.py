"""What was collected of one document goes; what others share with it, and other sources, stay."""

from __future__ import annotations

from contextlib import AbstractContextManager, closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.collecting.erasing import erase_collected
from core.config import Settings
from core.ids import digest, new_id
from core.parsing.html.links import PageLinks
from core.parsing.html.web_page import WebPage
from core.storage.files.originals import Originals
from core.types import (
    CollectKind,
    CollectRequest,
    CollectRun,
    CollectState,
    Document,
    DocumentKind,
    DocumentState,
)
from scraper import collection, stack_overflow
from scraper.collection import Collected
from scraper.crawl_state import CrawlState, Visited
from scraper.pair_selection import Choice
from scraper.pdf_pages import pdf_file
from scraper.qa_pairs import to_loaded
from tests.collecting.test_dumps import POSTS

pytestmark = pytest.mark.E15

SESSION, SOURCE = new_id(), "a-source"
ROOT = "https://harbour.example"
SHARED, OWN = "1" * 64, "2" * 64
PAGES = {
    f"{ROOT}/page": "",
    f"{ROOT}/other": "",
    f"{ROOT}/shared.pdf": SHARED,
    f"{ROOT}/the-same.pdf": SHARED,
    f"{ROOT}/own.pdf": OWN,
}


@pytest.fixture
def originals(settings: Settings) -> Originals:
    return Originals(settings)


@pytest.fixture
def folder(originals: Originals) -> Path:
    """What a crawl of five pages has left: its state, two PDFs, and the pages in order."""
    folder = originals.files.local / SESSION / "collected" / SOURCE
    crawl = folder / "site-x.crawl"
    pages = [WebPage(url, url, f"The text of {url}.", file=name) for url, name in PAGES.items()]
    with closing(CrawlState(crawl)) as state:
        state.begin()
        for page in pages:
            state.done(page.url, "harbour.example", 0, Visited(page, PageLinks()))
    for name in (SHARED, OWN):
        pdf_file(crawl, name).parent.mkdir(exist_ok=True)
        pdf_file(crawl, name).write_bytes(b"%PDF-1.7")
    listed = [Collected("All", number, page) for number, page in enumerate(pages)]
    collection.write_json(listed, folder / "site.json", source=ROOT)
    collection.write_text(listed, folder / "site.txt")
    return folder


def document(url: str, source: str = SOURCE) -> Document:
    return Document(
        new_id(), SESSION, "a", "a", DocumentKind.WEB, DocumentState.READY, url=url, source=source
    )


def run_of(source: str, *files: str) -> CollectRun:
    request = CollectRequest(CollectKind.STACK_EXCHANGE, files=files)
    return CollectRun(new_id(), SESSION, source, request, CollectState.DONE, datetime.now(UTC))


def kept(folder: Path) -> set[str]:
    """The addresses of the pages that the crawl still has."""
    with closing(CrawlState(folder / "site-x.crawl")) as state:
        return {page.url for page in state.pages()}


@pytest.mark.parametrize("url", PAGES)
def test_a_page_goes_from_the_crawl_and_from_both_lists(
    originals: Originals, folder: Path, url: str
) -> None:
    erase_collected(originals, [document(url)], [])
    left = set(PAGES) - {url}
    assert kept(folder) == left
    assert {one.page.url for one in collection.read_json(folder / "site.json")} == left
    text = (folder / "site.txt").read_text("utf-8")
    assert {one for one in PAGES if f"The text of {one}." in text} == left
    assert collection.read_source(folder / "site.json") == ROOT


def test_a_pdf_goes_with_the_last_page_that_has_it(originals: Originals, folder: Path) -> None:
    def files() -> set[str]:
        return {path.name for path in (folder / "site-x.crawl" / "files").iterdir()}

    erase_collected(originals, [document(f"{ROOT}/own.pdf")], [])
    assert files() == {SHARED}
    erase_collected(originals, [document(f"{ROOT}/shared.pdf")], [])
    assert files() == {SHARED}, "another page has it too"
    erase_collected(originals, [document(f"{ROOT}/the-same.pdf")], [])
    assert files() == set()


def test_only_dumps_of_its_own_source_go(originals: Originals, folder: Path) -> None:
    uploads = originals.files.local / SESSION / "collected" / "uploads"
    uploads.mkdir()
    mine, users, others = ("3" * 64, "4" * 64, "5" * 64)
    for name in (mine, users, others):
        (uploads / name).write_bytes(b"a dump")
    own = run_of(SOURCE, f"upload:{mine}:Posts.xml")
    own = replace(own, request=replace(own.request, users=f"upload:{users}:Users.xml"))
    runs = [own, run_of("another", f"upload:{others}:Posts.xml")]
    erase_collected(originals, [document(f"{ROOT}/page")], runs)
    assert {path.name for path in uploads.iterdir()} == {others}


@pytest.mark.parametrize("known", ["by its text", "by its address"])
def test_a_pair_is_known_by_its_text_or_by_its_address(
    originals: Originals, tmp_path: Path, known: str
) -> None:
    """One of a table has no address; one that was edited in its dump has another text."""
    posts = tmp_path / "Posts.xml"
    posts.write_text(POSTS, "utf-8")
    out = originals.files.local / SESSION / "collected" / SOURCE / "pairs.json"
    stack_overflow.collect([posts], out, Choice(tag=""))
    pair, other = stack_overflow.read_json(out)
    head = stack_overflow.read_head(out)
    texts = [page.text for page in to_loaded(pair).pages]
    found = document("" if known == "by its text" else pair.question.url)
    if known == "by its text":
        found = replace(found, id=digest("collected", pair.question.url, *texts))
    erase_collected(originals, [found], [])
    assert list(stack_overflow.read_json(out)) == [other]
    assert stack_overflow.read_head(out) == head


def test_an_uploaded_document_takes_nothing_with_it(originals: Originals, folder: Path) -> None:
    erase_collected(originals, [document(f"{ROOT}/page", source="")], [run_of("")])
    assert kept(folder) == set(PAGES)
    assert len(collection.read_json(folder / "site.json")) == len(PAGES)


def test_of_many_a_source_is_opened_once(
    originals: Originals, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    collecting = Originals.collecting

    def noted(self: Originals, session_id: str, source: str) -> AbstractContextManager[Path]:
        opened.append(source)
        return collecting(self, session_id, source)

    monkeypatch.setattr(Originals, "collecting", noted)
    gone = [f"{ROOT}/page", f"{ROOT}/shared.pdf", f"{ROOT}/the-same.pdf"]
    others = [document(f"{ROOT}/page", "another"), document(f"{ROOT}/page", "")]
    erase_collected(originals, [*map(document, gone), *others], [])
    assert opened == [SOURCE, "another"]
    assert kept(folder) == set(PAGES) - set(gone)
    assert {one.page.url for one in collection.read_json(folder / "site.json")} == kept(folder)
    assert {path.name for path in (folder / "site-x.crawl" / "files").iterdir()} == {OWN}
