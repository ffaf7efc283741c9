"""Whatever way a document goes, no byte of its text stays under the folders of data.

Each route plants a word that stands nowhere else, sees that the stores hold it, deletes, and looks
through every file: SQLite's with their WAL and free pages, compressed streams, both indexes.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from tantivy import Index

from core.config import Settings
from core.errors import NotAllowed
from core.evaluation.runs.results import RunSettings
from core.service import Service
from core.types import (
    AskRequest,
    CollectKind,
    CollectRequest,
    Document,
    DocumentKind,
    LoadedDocument,
    Page,
    Role,
    Session,
)
from core.web_search.page_store import live_page
from tests.collecting.runs import collecting, ended, of_site, text_page
from tests.conftest import eventually, settled
from tests.scraper.site import Site, serving
from tests.scraper.test_stack_overflow import answer, dump, question

pytestmark = pytest.mark.E15

WORD = "qzxvmarker7f3a9c41"
TEXT = f"The code word of the harbour is {WORD}. It is known to the pilot alone."
ASKED = "What is the code word of the harbour?"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    pages = {
        "/docs/": text_page("Start", "The first page of the harbour.", "a.html"),
        "/docs/a.html": text_page("Pilots", TEXT),
        "/alone.html": text_page("Alone", TEXT),
    }
    with serving(pages) as site:
        yield site


@pytest.fixture
def settings(tmp_path: Path, site: Site) -> Settings:
    return collecting(tmp_path, site)


def holders(folder: Path) -> list[str]:
    """The files that hold the word: as it is, in UTF-16, or in a stream of zlib."""
    found: list[str] = []
    places = [Path(place) / name for place, _, names in os.walk(folder) for name in names]
    for path in places:
        with suppress(FileNotFoundError):  # an index that is put in the place of another
            data = path.read_bytes()
            forms = (WORD.encode(), WORD.encode("utf-16-le"))
            if any(form in data.lower() for form in forms) or _in_streams(data):
                found.append(str(path.relative_to(folder)))
    indexes = (path for path in folder.glob("data/sessions/*/lexical") if _in_index(path))
    return sorted([*found, *(str(path.relative_to(folder)) for path in indexes)])


def _in_index(folder: Path) -> bool:
    """Whether an index of words has it: its dictionaries keep no bytes in a row."""
    try:
        index = Index.open(str(folder))
        return any(
            term.startswith(WORD[:8])
            for term, _ in index.searcher().terms_with_prefix("body", WORD[:8])
        )
    except ValueError:  # it is put in its place at this moment
        return True


def _in_streams(data: bytes) -> bool:
    whole = memoryview(data)  # slices of it are no copies
    for head in (b"\x78\x9c", b"\x78\x01", b"\x78\xda"):
        at = data.find(head)
        while at >= 0:
            try:
                if WORD.encode() in zlib.decompressobj().decompress(whole[at : at + 200_000]):
                    return True
            except zlib.error:
                pass
            at = data.find(head, at + 1)
    return False


def the_document(service: Service, session: Session) -> Document:
    """The one document of the session whose text holds the word."""
    (found,) = [
        document
        for document in settled(service, session)
        if any(WORD in page.text for page in service.documents.pages(session, document.id))
    ]
    return found


def gone(tmp_path: Path) -> bool:
    """Whether no byte is left once the program had a moment without work."""
    return eventually(lambda: not holders(tmp_path), 30)


def uploaded(service: Service, session: Session, site: Site | None) -> None:
    name = f"{WORD}.txt"
    result = service.documents.add_file(session, name, TEXT.encode())
    service.documents.create_job(session, [result])


def fetched(service: Service, session: Session, site: Site) -> None:
    service.documents.add_urls(session, [f"{site.url}/alone.html"])


def crawled(service: Service, session: Session, site: Site) -> None:
    ended(service, session, service.collecting.start(session, of_site(site)))


def dumped(service: Service, session: Session, site: Site) -> None:
    posts = dump(
        question(1, AcceptedAnswerId="3", Title="What is the code word of the harbour, please?"),
        answer(3, 1, Body=f"<p>{TEXT}</p>"),
        question(5, AcceptedAnswerId="6", Title="How to sort an array of numbers in Java?"),
        answer(6, 5, Body="<p>Call sort of java.util.Arrays.</p>"),
    )
    name = service.collecting.keep_upload(session, "Posts.xml", BytesIO(posts.encode()))
    request = CollectRequest(CollectKind.STACK_EXCHANGE, tag="", site="stackoverflow.com")
    request = replace(request, files=(name,))
    ended(service, session, service.collecting.start(session, request))


def read_and_kept(service: Service, session: Session, site: Site) -> None:
    read(service, session)
    (page,) = service.documents.read_pages(session)
    service.documents.keep_page(session, page.id)


def read(service: Service, session: Session) -> None:
    loaded = LoadedDocument(DocumentKind.WEB, (Page(0, TEXT),), title="Pilots", language="en")
    service.live.add(session.id, [live_page("https://pilots.example/", loaded)])


Route = Callable[[Service, Session, Site], None]
ROUTES = [uploaded, fetched, crawled, dumped, read_and_kept]


def others(service: Service, session: Session) -> None:
    """Enough other documents that their words share a part of the index with the one to go."""
    for number in range(9):
        text = f"Note {number} speaks of the weather on day {number} and of nothing else."
        loaded = LoadedDocument(DocumentKind.TEXT, (Page(0, text),), language="en")
        name = f"note-{number}.txt"  # as collected: no process is started to read it
        service.documents.add_loaded(
            session, loaded, name=name, url=f"https://notes.example/{name}"
        )
    settled(service, session)


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.__name__)
def test_a_removed_document(
    service: Service, session: Session, site: Site, tmp_path: Path, route: Route
) -> None:
    route(service, session, site)
    settled(service, session)
    others(service, session)
    document = the_document(service, session)
    held = holders(tmp_path)
    assert any("library.db" in path for path in held)
    assert any("/lexical" in path for path in held)
    if document.source:
        assert any("/collected/" in path for path in held)
    service.documents.remove(session, document.id)
    assert gone(tmp_path), holders(tmp_path)
    rest = [d for d in settled(service, session) if d.name.startswith("note-")]
    assert len(rest) == 9
    hits = service.search(AskRequest(session, "weather on day 7")).hits
    assert hits[0].document.name == "note-7.txt", "the words of the others are found"


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.__name__)
def test_a_deleted_session(
    service: Service, session: Session, site: Site, tmp_path: Path, route: Route
) -> None:
    route(service, session, site)
    settled(service, session)
    talk = service.conversations.create(session, ASKED)
    list(service.ask(AskRequest(session, ASKED, talk.id)))
    assert holders(tmp_path)
    service.sessions.delete(session)
    assert gone(tmp_path), holders(tmp_path)


def test_a_replaced_document(service: Service, session: Session, tmp_path: Path) -> None:
    service.documents.add_file(session, "pilots.txt", TEXT.encode())
    settled(service, session)
    others(service, session)
    service.documents.add_file(session, "pilots.txt", b"There is no code word.", "replace")
    settled(service, session)
    assert gone(tmp_path), holders(tmp_path)


def test_a_page_that_expired(service: Service, session: Session, tmp_path: Path) -> None:
    read(service, session)
    assert holders(tmp_path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.types.Document.is_over", lambda document, now: True)
        service.live.forget_old(session.id)
    assert gone(tmp_path), holders(tmp_path)


@pytest.mark.parametrize("route", [crawled, dumped], ids=["crawled", "dumped"])
def test_a_forgotten_run_leaves_its_documents_alone(
    service: Service, session: Session, site: Site, tmp_path: Path, route: Route
) -> None:
    route(service, session, site)
    settled(service, session)
    (run,) = service.collecting.runs(session)
    service.collecting.forget(session, run.id)
    assert not any("/collected/" in path for path in holders(tmp_path))
    assert the_document(service, session)


def test_collecting_again_reads_it_again(service: Service, session: Session, site: Site) -> None:
    crawled(service, session, site)
    service.documents.remove(session, the_document(service, session).id)
    (run,) = service.collecting.runs(session)
    ended(service, session, service.collecting.again(session, run.id))
    assert the_document(service, session)


def test_answers_that_quote_it_stay_unless_they_are_to_go(
    service: Service, session: Session, tmp_path: Path
) -> None:
    first = service.documents.add_file(session, "pilots.txt", TEXT.encode())
    others(service, session)
    talk = service.conversations.create(session, ASKED)
    list(service.ask(AskRequest(session, ASKED, talk.id)))
    list(service.ask(AskRequest(session, "What does note 7 speak of?", talk.id)))
    assert first.document is not None
    service.documents.remove(session, first.document.id)
    kept = service.conversations.messages(session, talk.id)
    assert WORD in kept[1].text, "the person has not asked for more"
    again = service.documents.add_file(session, "pilots.txt", TEXT.encode())
    settled(service, session)
    assert again.document is not None
    service.documents.remove(session, again.document.id, answers_too=True)
    assert gone(tmp_path), holders(tmp_path)
    left = service.conversations.messages(session, talk.id)
    assert [message.role for message in left] == [message.role for message in kept]
    assert (left[0].text, left[2].text) == (kept[0].text, kept[2].text)
    assert "erased" in left[1].text
    assert left[1].answer is not None
    assert left[1].answer.citations == ()
    assert WORD.encode() not in service.conversations.export(session, talk.id, "json")


def test_only_an_admin_erases_what_others_asked(service: Service, session: Session) -> None:
    uploaded(service, session, None)
    document = the_document(service, session)
    editor = replace(session, role=Role.EDITOR)
    with pytest.raises(NotAllowed):
        service.documents.remove(editor, document.id, answers_too=True)
    assert service.documents.get(session, document.id), "nothing was removed"
    service.documents.remove(editor, document.id)


def test_what_an_evaluation_kept_goes_with_the_answers(
    service: Service, session: Session, tmp_path: Path
) -> None:
    document = service.documents.add_file(session, "pilots.txt", TEXT.encode()).document
    others(service, session)
    assert document is not None
    about = (
        f'{{"question": "{ASKED}", "answers": ["{WORD}"], "sources": '
        f'[{{"document": "pilots.txt", "quote": "{TEXT}"}}]}}'
    )
    other = '{"question": "What does note 3 speak of?", "answers": ["weather"], "sources": []}'
    golden = service.evaluations.upload(session, "set.jsonl", f"{about}\n{other}\n".encode())
    run = service.evaluations.start_run(session, golden.id, RunSettings(bertscore=False))
    assert eventually(lambda: service.evaluations.run(session, run.id).done == 2, 60)
    service.documents.remove(session, document.id, answers_too=True)
    assert gone(tmp_path), holders(tmp_path)
    assert [i.question for i in service.evaluations.items(session, golden.id)] == [
        "What does note 3 speak of?"
    ]
    results = service.evaluations.results(session, run.id)
    assert len(results) == 2
    assert all(result.measures for result in results), "the figures stay"
