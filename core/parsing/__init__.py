"""Read a file: its format is detected from its content and its loader is called.

Loaders run inside the child process of `core.parsing.sandbox`. The registry of formats is
`core.types.formats`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import cast

from core.errors import NoReadableText
from core.parsing.detect import detect
from core.parsing.source import Loader, Source, check_length
from core.types import DocumentKind, LoadedDocument, Notice


def load(
    path: Path,
    *,
    name: str,
    url: str = "",
    ocr: bool = False,
    progress: Callable[[float], None],
    begin_ocr: Callable[[], float] = lambda: math.inf,
    ocr_languages: tuple[str, ...] = (),
    careful: bool = False,
    password: str = "",
) -> LoadedDocument:
    """Read a document of any format.

    HTML that was fetched from `url` is read as a web page: its main text alone. An uploaded file
    is read whole. The other arguments are those of `Source`. Raises subclasses of `IngestionError`.
    """
    with path.open("rb") as stream:
        kind = detect(stream, name)
    if kind is DocumentKind.HTML and url:
        kind = DocumentKind.WEB
    begin = begin_ocr if ocr else None
    source = Source(path, progress, url, begin, ocr_languages, careful, password)
    loaded = _loader(kind).load(source)
    if not any(page.text.strip() for page in loaded.pages):
        raise _nothing(loaded)
    check_length(sum(len(page.text) for page in loaded.pages))
    mismatch = () if url else _mismatch(kind, name)
    return replace(loaded, notices=(*mismatch, *loaded.notices))


def _loader(kind: DocumentKind) -> Loader:
    """Import the loader of a format when it is needed, so that child processes start quickly."""
    return cast(Loader, import_module(f"core.parsing.{kind.spec.loader}"))


def _nothing(loaded: LoadedDocument) -> NoReadableText:
    if loaded.kind is DocumentKind.PDF:
        count = len(loaded.pages)
        return NoReadableText(
            f"No text was found on the {count:,} pages (scanned?)."
            if count > 1
            else "No text was found on the only page (scanned?)."
        )
    return NoReadableText("The file was read, but there is no text in it.", "")


def _mismatch(kind: DocumentKind, name: str) -> tuple[Notice, ...]:
    named = DocumentKind.of_name(name)
    if named is None or named is kind:
        return ()
    suffix = PurePosixPath(name.lower()).suffix
    text = f"The name ends in {suffix}, but the content is {kind.spec.label}: it was read as that."
    return (Notice("type-by-content", text, level="info"),)
