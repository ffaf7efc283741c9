"""Transfer a loaded document from the child process as JSON lines and a file of bytes.

Not as a pickle: a child that read a hostile file must not be able to hand over code.
"""

from __future__ import annotations

import errno
import io
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from core import errors
from core.errors import IngestionError, TooLarge
from core.types import Block, ChunkKind, DocumentKind, Heading, LoadedDocument, Notice, Page

_RESULT = "result.jsonl"
_BOXES = "boxes.bin"
LARGEST_RESULT = 256 << 20
"""The most bytes of each file of a result: what the child may write and its parent reads."""
DISK_FULL = 28
"""The exit status of a child without room for its result, and so for saying why."""
OUT_OF_MEMORY = 12
"""The exit status of a child that wanted more memory than it may take."""


def write_document(folder: Path, loaded: LoadedDocument) -> None:
    """Write a document into `folder`: one line on the whole, then one for each page."""
    with (
        (folder / _RESULT).open("w", encoding="utf-8") as lines,
        (folder / _BOXES).open("wb") as boxes,
    ):
        _line(lines, _whole(loaded))
        for page in loaded.pages:
            _line(lines, _page(page))
            boxes.write(page.boxes)


def write_error(folder: Path, error: IngestionError) -> None:
    """Write the error for which there is no document."""
    with (folder / _RESULT).open("w", encoding="utf-8") as lines:
        _line(lines, {"error": error.code, "message": error.message, "cure": error.cure})


def read_result(folder: Path) -> LoadedDocument:
    """Return the document that a child wrote, or raise the `IngestionError` that it wrote.

    Raises `ValueError`, `KeyError` or `OSError` if the result is incomplete.
    """
    with io.TextIOWrapper(own_file(folder / _RESULT), encoding="utf-8") as lines:
        whole = json.loads(next(lines, ""))
        if "error" in whole:
            raise _error(whole)
        with own_file(folder / _BOXES) as boxes:
            pages = tuple(_read_pages(lines, boxes))
    if len(pages) != whole["pages"]:
        raise ValueError("pages are missing")
    return LoadedDocument(
        kind=DocumentKind(whole["kind"]),
        pages=pages,
        title=str(whole["title"]),
        language=str(whole["language"]),
        notices=tuple(Notice(*notice) for notice in whole["notices"]),
        pages_without_text=int(whole["pages_without_text"]),
        attribution=str(whole["attribution"]),
        published=str(whole["published"]),
    )


def own_file(path: Path) -> IO[bytes]:
    """Open a file that a child wrote: a plain file of a bounded size, never a link or a pipe.

    Raises `OSError` for anything else and `TooLarge` for a larger one.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    found = os.fstat(handle)
    if stat.S_ISREG(found.st_mode) and found.st_nlink == 1 and found.st_size <= LARGEST_RESULT:
        return os.fdopen(handle, "rb")
    os.close(handle)
    if found.st_size > LARGEST_RESULT:
        raise TooLarge("The file holds more text than one document may have.")
    raise OSError(errno.EINVAL, "Not a plain file.")


def _whole(loaded: LoadedDocument) -> dict[str, Any]:
    return {
        "kind": loaded.kind,
        "pages": len(loaded.pages),
        "title": loaded.title,
        "language": loaded.language,
        "notices": [[n.code, n.text, n.cure, n.level] for n in loaded.notices],
        "pages_without_text": loaded.pages_without_text,
        "attribution": loaded.attribution,
        "published": loaded.published,
    }


def _page(page: Page) -> dict[str, Any]:
    return {
        "ordinal": page.ordinal,
        "text": page.text,
        "number": page.number,
        "headings": [[h.offset, h.level, h.title, h.anchor] for h in page.headings],
        "blocks": [[b.start, b.end, b.kind] for b in page.blocks],
        "boxes": len(page.boxes),
        "width": page.width,
        "height": page.height,
        "ocr": page.ocr,
    }


def _read_pages(lines: IO[str], boxes: IO[bytes]) -> Iterator[Page]:
    for line in lines:
        page = json.loads(line)
        yield Page(
            ordinal=int(page["ordinal"]),
            text=str(page["text"]),
            number=page["number"],
            headings=tuple(Heading(*heading) for heading in page["headings"]),
            blocks=tuple(Block(start, end, ChunkKind(kind)) for start, end, kind in page["blocks"]),
            boxes=boxes.read(int(page["boxes"])),
            width=float(page["width"]),
            height=float(page["height"]),
            ocr=bool(page["ocr"]),
        )


def _error(whole: dict[str, str]) -> IngestionError:
    kind = getattr(errors, whole["error"], IngestionError)
    if not (isinstance(kind, type) and issubclass(kind, IngestionError)):
        kind = IngestionError
    return kind(whole["message"], whole["cure"])


def _line(stream: IO[str], value: dict[str, Any]) -> None:
    json.dump(value, stream, ensure_ascii=False, separators=(",", ":"))
    stream.write("\n")
