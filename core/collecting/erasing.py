"""Taking what was collected of documents out of the files of their collecting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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


def erase_collected(
    originals: Originals, documents: Sequence[Document], runs: list[CollectRun]
) -> None:
    """Remove the text of documents from what their collecting has stored, and uploaded dumps whole.

    Documents and `runs` are those of one session; what was collected of a source is opened, and
    stored again, once for all of its documents. Collecting the same source again reads it again.
    Raises `OSError`, `StorageError` and `DamagedFile`.
    """
    for source in sorted({document.source for document in documents} - {""}):
        theirs = [document for document in documents if document.source == source]
        session_id = theirs[0].session_id
        with originals.collecting(session_id, source) as folder:
            _erase_in(folder, theirs)
        for run in runs:
            if run.source == source:
                for upload in uploaded_files(run.request):
                    originals.remove_upload(session_id, upload)


def _erase_in(folder: Path, documents: Sequence[Document]) -> None:
    urls = {document.url for document in documents}
    for state in sorted(folder.glob("*.crawl")):
        _erase_crawled(state, urls)
    for path in sorted(folder.glob("*.json")):
        if path.name == "pairs.json":
            _erase_pairs(path, {document.id for document in documents}, urls - {""})
        else:
            _erase_pages(path, urls)


def _erase_crawled(folder: Path, urls: set[str]) -> None:
    if not (folder / "crawl.db").is_file():
        return
    with closing(CrawlState(folder)) as state:
        files = {page.file for url in urls if (page := state.page(url)) is not None and page.file}
        state.erase(*urls)
        for file in files - {page.file for page in state.pages()}:
            pdf_file(folder, file).unlink(missing_ok=True)


def _erase_pairs(path: Path, ids: set[str], urls: set[str]) -> None:
    def others() -> Iterator[Pair]:
        for pair in stack_overflow.read_json(path):
            text = [page.text for page in to_loaded(pair).pages]
            is_one = digest("collected", pair.question.url, *text) in ids
            if not is_one and pair.question.url not in urls:
                yield pair

    stack_overflow.write_json(others(), path, stack_overflow.read_head(path))


def _erase_pages(path: Path, urls: set[str]) -> None:
    pages = collection.read_json(path)
    kept = [page for page in pages if page.page.url not in urls]
    if len(kept) < len(pages):
        collection.write_json(kept, path, source=collection.read_source(path))
        text = path.with_suffix(".txt")
        if text.is_file():
            collection.write_text(kept, text)
