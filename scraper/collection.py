"""What was collected, as files: one JSON that holds everything, one text to read."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from core.errors import DamagedFile
from core.parsing.html.web_page import WebPage, to_loaded
from core.types import LoadedDocument
from scraper.crawl_plan import Report

_WEB_PAGE: TypeAdapter[WebPage] = TypeAdapter(WebPage)


@dataclass(frozen=True, slots=True)
class Collected:
    """A page with the section that it stands in; `position` counts from 0 in reading order."""

    section: str
    position: int
    page: WebPage


@dataclass(frozen=True, slots=True)
class CollectReport:
    """What a run gave: pages by section, and (address, reason) of all that was left out."""

    run: Report
    sections: tuple[tuple[str, int], ...]
    left_out: tuple[tuple[str, str], ...]


def sections_of(pages: Iterable[Collected]) -> tuple[tuple[str, int], ...]:
    """The sections in their order, with the number of their pages."""
    return tuple(Counter(page.section for page in pages).items())


def state_folder(out: Path, kind: str, *starts: str) -> Path:
    """Where the state of a crawl from these addresses is kept, beside what it writes."""
    digest = hashlib.sha256("\n".join(starts).encode()).hexdigest()[:12]
    return out / f"{kind}-{digest}.crawl"


def write_json(pages: list[Collected], path: Path, *, source: str) -> None:
    """Write the pages with their metadata, replacing an earlier file as a whole."""
    entries = [
        {
            "section": page.section,
            "title": page.page.title,
            "text": page.page.markdown,
            "metadata": {"source": source, "url": page.page.url, "position": page.position},
            "page": _WEB_PAGE.dump_python(page.page, mode="json", exclude={"markdown"}),
        }
        for page in pages
    ]
    data = {"format": "footnote-pages-1", "source": source, "pages": entries}
    replace_file(path, json.dumps(data, ensure_ascii=False, indent=1))


def write_text(pages: list[Collected], path: Path) -> None:
    """Write the text of all pages in order, under the titles of their sections."""
    pieces: list[str] = []
    section = None
    for page in pages:
        if page.section != section:
            section = page.section
            pieces.append(f"{section}\n{'=' * len(section)}\n")
        pieces.append(f"{page.page.url}\n\n{page.page.markdown}\n")
    replace_file(path, "\n".join(pieces))


def replace_file(path: Path, text: str) -> None:
    """Put a whole new file in the place of the old one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(path.name + ".new")
    fresh.write_text(text, "utf-8", newline="\n")
    fresh.replace(path)


def read_json(path: Path) -> list[Collected]:
    """The inverse of `write_json`. Raises `DamagedFile`."""
    try:
        data = json.loads(path.read_text("utf-8"))
        return [_collected(entry) for entry in data["pages"]]
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        raise DamagedFile(f"{path.name} is not what this program writes, or cut off.") from None


def read_source(path: Path) -> str:
    """The `source` that `write_json` was given. Raises `DamagedFile`."""
    try:
        return str(json.loads(path.read_text("utf-8"))["source"])
    except (OSError, ValueError, KeyError, TypeError):
        raise DamagedFile(f"{path.name} is not what this program writes, or cut off.") from None


def _collected(entry: dict[str, Any]) -> Collected:
    page = _WEB_PAGE.validate_python({**entry["page"], "markdown": entry["text"]})
    return Collected(entry["section"], int(entry["metadata"]["position"]), page)


def loaded_pages(pages: Iterable[Collected]) -> Iterator[tuple[str, str, LoadedDocument]]:
    """(name, address, document) of each page, as the worker takes them in."""
    for page in pages:
        yield page.page.title, page.page.url, to_loaded(page.page)
