"""What a collecting has stored: the JSON in its folder, to be indexed and to be looked at."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.parsing.html.web_page import WebPage, attribution, to_loaded
from core.types import CollectKind, CollectRequest, LoadedDocument
from scraper import site, stack_overflow
from scraper.collection import read_json, state_folder
from scraper.qa_pairs import attribution as attribution_of_pair

Item = tuple[str, str, LoadedDocument | Path]
"""Name, address and content of a page or a pair; of a PDF its file."""


def item_of(request: CollectRequest, folder: Path, page: WebPage) -> Item:
    """A page as it goes into the session."""
    if page.file:
        docs = request.kind is CollectKind.PYTHON_DOCS
        crawl = state_folder(folder, "python_docs" if docs else "site", *request.urls)
        return page.title, page.url, crawl / "files" / page.file
    return page.title, page.url, to_loaded(page)


def items(request: CollectRequest, folder: Path) -> Iterator[Item]:
    """Everything that is stored, as it goes into the session, read page by page."""
    path = stored(request, folder)
    if not path.is_file():
        return
    if request.kind is CollectKind.STACK_EXCHANGE:
        yield from stack_overflow.loaded_pairs(stack_overflow.read_json(path))
    else:
        for one in read_json(path):
            yield item_of(request, folder, one.page)


def stored(request: CollectRequest, folder: Path) -> Path:
    """The JSON that a collecting writes; it may not be there yet."""
    if request.kind is CollectKind.STACK_EXCHANGE:
        return folder / "pairs.json"
    if request.kind is CollectKind.PYTHON_DOCS:
        return folder / "python_docs.json"
    if request.kind is CollectKind.DOCUMENTATION_FILE:
        return folder / "documentation.json"
    return site.result_file(folder, request.urls)


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page or a pair as it is stored; `about` names authors, tags and licence."""

    title: str
    section: str
    url: str
    about: str
    text: str


@functools.lru_cache(maxsize=2)
def browse(kind: CollectKind, path: Path, version: int) -> tuple[StoredPage, ...]:
    """Everything in a JSON. `version` is its time of change: a new one is read anew."""
    if kind is CollectKind.STACK_EXCHANGE:
        return tuple(
            StoredPage(
                pair.title,
                ", ".join(pair.tags),
                pair.question.url,
                attribution_of_pair(pair),
                f"{pair.question.text}\n\n{'-' * 20}\n\n{pair.answer.text}",
            )
            for pair in stack_overflow.read_json(path)
        )
    return tuple(
        StoredPage(
            one.page.title, one.section, one.page.url, attribution(one.page), one.page.markdown
        )
        for one in read_json(path)
    )
