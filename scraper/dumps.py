"""Rows of Stack Exchange dumps and exports, one after another, in memory that does not grow.

`Posts.xml` as published, plain, gzipped or inside a `.7z`; CSV, JSON and JSON lines as BigQuery
and the Data Explorer give them. Keys are lower-case without underscores ("parentid").
"""

from __future__ import annotations

import codecs
import csv
import gzip
import json
import re
import sys
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any
from xml.parsers import expat

from core.errors import DamagedFile, UnsupportedType

Row = Mapping[str, str]
OnRow = Callable[[Row], None]
OnProgress = Callable[[float], None]
"""Called with the share that is read, 0 to 1; may raise `Interrupted`."""

_PIECE = 1 << 20
_LONGEST_JSON = 64 << 20  # of one row
_OPENING = re.compile(r'\s*(?:\{\s*"(?:items|rows|data|pairs)"\s*:\s*)?\[')
_7Z = b"7z\xbc\xaf\x27\x1c"
_GZIP = b"\x1f\x8b"


def read_rows(path: Path, on_row: OnRow, on_progress: OnProgress = lambda share: None) -> int:
    """Hand every row of a file to `on_row`; gives how many there were.

    Raises `DamagedFile` for a file that is cut off or broken, `UnsupportedType` for one of
    another form, and what `on_row` and `on_progress` raise.
    """
    with path.open("rb") as file:
        start = file.read(4096)
        file.seek(0)
        if start.startswith(_7Z):
            return _rows_of_7z(file, path.stem, on_row, on_progress)
        if start.startswith(_GZIP):
            unpacked = gzip.GzipFile(fileobj=file)
            try:
                head = unpacked.read(4096)
                unpacked.seek(0)
                return _rows_of(unpacked, head, file, on_row, on_progress)
            except (EOFError, zlib.error, gzip.BadGzipFile):
                raise _damaged(path, "its packing is damaged or cut off") from None
        return _rows_of(file, start, file, on_row, on_progress)


def _rows_of(
    stream: Any, head: bytes, file: IO[bytes], on_row: OnRow, on_progress: OnProgress
) -> int:
    size = max(1, Path(file.name).stat().st_size)

    def report() -> None:
        on_progress(min(file.tell() / size, 1.0))

    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"<"):
        reader = PostsReader(on_row)
        while piece := stream.read(_PIECE):
            reader.feed(piece)
            report()
        return reader.close()
    lines = codecs.getreader("utf-8-sig")(stream)
    rows = _json_rows(lines) if text.startswith((b"{", b"[")) else _csv_rows(lines)
    count = 0
    for count, row in enumerate(rows, start=1):
        on_row(row)
        if count % 256 == 0:
            report()
    return count


class PostsReader:
    """Takes an XML dump in pieces and hands on its rows. No document type, so no entities."""

    def __init__(self, on_row: OnRow) -> None:
        self.rows = 0
        self._on_row = on_row
        self._parser = expat.ParserCreate()
        self._parser.StartElementHandler = self._element
        self._parser.StartDoctypeDeclHandler = self._refuse

    def feed(self, piece: bytes) -> None:
        """Read on. Raises `DamagedFile`."""
        self._parse(piece, False)

    def close(self) -> int:
        """The end of the file; gives how many rows there were."""
        self._parse(b"", True)
        return self.rows

    def _parse(self, piece: bytes, last: bool) -> None:
        try:
            self._parser.Parse(piece, last)
        except expat.ExpatError as error:
            where = f"line {error.lineno:,}" if error.lineno else "its end"
            raise DamagedFile(f"The dump is broken or cut off at {where}.") from None

    def _element(self, name: str, attributes: dict[str, str]) -> None:
        if name == "row":
            self.rows += 1
            self._on_row({key.lower(): value for key, value in attributes.items()})

    def _refuse(self, *_: object) -> None:
        raise DamagedFile("The dump declares a document type, which no dump does.")


def _rows_of_7z(file: IO[bytes], name: str, on_row: OnRow, on_progress: OnProgress) -> int:
    """`Posts.xml` of an archive, unpacked in passing: nothing of it is written to disk."""
    import lzma

    import py7zr
    from py7zr.exceptions import ArchiveError

    reader = PostsReader(on_row)
    wanted = "Users.xml" if name.lower().endswith("users") else "Posts.xml"
    try:
        with py7zr.SevenZipFile(file, "r") as archive:
            entry = next((e for e in archive.list() if Path(e.filename).name == wanted), None)
            if entry is None:
                raise UnsupportedType(f"There is no {wanted} in the archive.")
            factory = _factory(reader, max(1, entry.uncompressed), on_progress)
            archive.extract(targets=[entry.filename], factory=factory)
    except (ArchiveError, lzma.LZMAError, zlib.error, EOFError, OSError):
        raise DamagedFile("The archive is damaged or cut off.") from None
    return reader.close()


def _factory(reader: PostsReader, size: int, on_progress: OnProgress) -> Any:
    """What py7zr writes to: every piece goes straight to the reader."""
    from py7zr.io import Py7zIO, WriterFactory

    class Sink(Py7zIO):  # type: ignore[misc]  # py7zr has no types
        done = 0

        def write(self, s: bytes | bytearray) -> int:
            self.done += len(s)
            reader.feed(bytes(s))
            on_progress(min(self.done / size, 1.0))
            return len(s)

        def read(self, size: int | None = None) -> bytes:
            return b""

        def seek(self, offset: int, whence: int = 0) -> int:
            return 0

        def flush(self) -> None:
            return None

        def size(self) -> int:
            return self.done

    class Sinks(WriterFactory):  # type: ignore[misc]  # py7zr has no types
        def create(self, filename: str) -> Py7zIO:
            return Sink()

    return Sinks()


def _csv_rows(lines: Any) -> Iterator[Row]:
    csv.field_size_limit(min(sys.maxsize, _LONGEST_JSON))
    try:
        for row in csv.DictReader(lines):
            yield {_key(key): value or "" for key, value in row.items() if isinstance(key, str)}
    except (csv.Error, UnicodeDecodeError):
        raise DamagedFile("The table is no CSV in UTF-8, or it is broken.") from None


def _json_rows(stream: Any) -> Iterator[Row]:
    """Objects of an array, of JSON lines, or of the list inside a wrapping object."""
    decoder = json.JSONDecoder()
    text, more = stream.read(_PIECE), True
    opening = _OPENING.match(text)
    text = text[opening.end() :] if opening else text
    while True:
        text = text.lstrip(" \t\r\n,")
        if (opening and text.startswith("]")) or (not opening and not text and not more):
            return
        try:
            row, length = decoder.raw_decode(text)
            fields = (
                {_key(key): _text(value) for key, value in row.items()}
                if isinstance(row, dict)
                else None
            )
        except RecursionError:
            raise DamagedFile("The file is no dump: its rows are nested too deeply.") from None
        except json.JSONDecodeError:
            if not more or len(text) > _LONGEST_JSON:
                raise DamagedFile("The file is no JSON, or it is cut off.") from None
            piece = stream.read(_PIECE)
            text, more = text + piece, bool(piece)
            continue
        text = text[length:]
        if fields is not None:
            yield fields


def _key(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _text(value: object) -> str:
    if isinstance(value, list):
        return "|".join(str(part) for part in value)
    return "" if value is None else str(value)


def _damaged(path: Path, what: str) -> DamagedFile:
    return DamagedFile(f"{path.name} cannot be read: {what}.")
