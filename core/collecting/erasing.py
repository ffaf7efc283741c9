"""Taking what was collected of one document out of the files of its collecting."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from core.collecting.dumps import uploaded_files
from core.ids import digest
from core.storage.files.originals import Originals
from core.types import CollectRun, Document
from scraper import collection, stack_overflow
from scraper.crawl_state import CrawlState
from scraper.pdf_pages import pdf_file
from scraper.qa_pairs import Pair, to_loaded


def erase_collected(originals: Originals, document: Document, runs: list[CollectRun]) -> None:
    """Remove the text of a document from what its collecting has stored, and uploaded dumps whole.

    `runs` are those of the session. Collecting the same source again reads it again. Raises
    `OSError`, `StorageError` and `DamagedFile`.
    """
    if not document.source:
        return
    with originals.collecting(document.session_id, document.source) as folder:
        _erase_in(folder, document)
    for run in runs:
        if run.source == document.source:
            for upload in uploaded_files(run.request):
                originals.remove_upload(document.session_id, upload)


def _erase_in(folder: Path, document: Document) -> None:
    for state in sorted(folder.glob("*.crawl")):
        _erase_crawled(state, document.url)
    for path in sorted(folder.glob("*.json")):
        if path.name == "pairs.json":
            _erase_pair(path, document)
        else:
            _erase_page(path, document.url)


def _erase_crawled(folder: Path, url: str) -> None:
    if not (folder / "crawl.db").is_file():
        return
    with closing(CrawlState(folder)) as state:
        page = state.page(url)
        state.erase(url)
        shared = page is not None and any(kept.file == page.file for kept in state.pages())
        if page is not None and page.file and not shared:
            pdf_file(folder, page.file).unlink(missing_ok=True)


def _erase_pair(path: Path, document: Document) -> None:
    def others() -> Iterator[Pair]:
        for pair in stack_overflow.read_json(path):
            text = [page.text for page in to_loaded(pair).pages]
            is_it = digest("collected", pair.question.url, *text) == document.id
            if not is_it and not (document.url and pair.question.url == document.url):
                yield pair

    stack_overflow.write_json(others(), path, stack_overflow.read_head(path))


def _erase_page(path: Path, url: str) -> None:
    pages = collection.read_json(path)
    kept = [page for page in pages if page.page.url != url]
    if len(kept) < len(pages):
        collection.write_json(kept, path, source=collection.read_source(path))
        text = path.with_suffix(".txt")
        if text.is_file():
            collection.write_text(kept, text)
