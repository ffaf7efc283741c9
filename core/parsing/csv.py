"""CSV and TSV: each row becomes a line that is readable by itself, "column: value | ..."."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from core.errors import DamagedFile
from core.parsing.builder import PART_SIZE
from core.parsing.encodings import decode
from core.parsing.notices import hidden_notice, notices
from core.parsing.source import Source
from core.text.invisible import clean
from core.types import Block, ChunkKind, DocumentKind, LoadedDocument, Notice, Page

_DELIMITERS = ",;\t|"
_SAMPLE_ROWS = 200
_NUMBER = re.compile(r"[-+]?[\d.,\s%€$£]*\d[\d.,\s%€$£]*|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}")


def load(source: Source) -> LoadedDocument:
    """Read a table. Raises `TooLarge` and `DamagedFile`."""
    return load_csv(source.data())


def load_csv(data: bytes) -> LoadedDocument:
    """Read a table of any encoding and delimiter, in parts of whole rows."""
    decoded = decode(data)
    cleaned = clean(decoded.text)
    delimiter = sniff_delimiter(cleaned.text)
    try:
        pages = tuple(_parts(_lines(_rows(cleaned.text, delimiter))))
    except csv.Error:
        raise DamagedFile("The table's quotation marks do not match.") from None
    ragged = _ragged(cleaned.text, delimiter)
    return LoadedDocument(
        DocumentKind.CSV,
        pages,
        notices=notices(decoded.note, hidden_notice(cleaned.dropped), ragged),
    )


def sniff_delimiter(text: str) -> str:
    """Return the delimiter that splits the first rows into the most even number of fields.

    >>> sniff_delimiter("a;b\\n1,5;2\\n2,5;3\\n")
    ';'
    """
    return max(_DELIMITERS, key=lambda delimiter: _evenness(text, delimiter))


def _evenness(text: str, delimiter: str) -> tuple[float, int]:
    try:
        rows = list(itertools.islice(_rows(text, delimiter), _SAMPLE_ROWS))
    except csv.Error:
        return 0.0, 0
    fields, count = Counter(map(len, rows)).most_common(1)[0] if rows else (1, 0)
    return (count / len(rows) if fields > 1 else 0.0), fields


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    csv.field_size_limit(max(len(text), 131_072))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    for row in reader:
        fields = [" ".join(field.split()) for field in row]
        if any(fields):
            yield fields


def _lines(rows: Iterator[list[str]]) -> Iterator[str]:
    first = next(rows, None)
    second = next(rows, None)
    if first is None:
        return
    header = first if second is not None and _is_header(first) else []
    yield " | ".join(first)
    for row in itertools.chain([] if second is None else [second], rows):
        yield _line(header, row)


def _line(header: Sequence[str], row: Sequence[str]) -> str:
    if not header:
        return " | ".join(field for field in row if field)
    named = itertools.zip_longest(header, row, fillvalue="")
    return " | ".join(f"{name}: {field}" if name else field for name, field in named if field)


def _is_header(first: Sequence[str]) -> bool:
    """Whether a row is a header: distinct names of at most 80 characters, none a number."""
    names = [name for name in first if name]
    if len(names) < 2 or len(set(names)) < len(names) or any(map(_NUMBER.fullmatch, names)):
        return False
    return max(map(len, names)) <= 80


def _parts(lines: Iterator[str]) -> Iterator[Page]:
    taken: list[str] = []
    size = ordinal = 0
    for line in lines:
        for piece in _pieces(line):
            if taken and size + len(piece) + 1 > PART_SIZE:
                yield _page(ordinal, taken)
                taken, size, ordinal = [], 0, ordinal + 1
            taken.append(piece)
            size += len(piece) + 1
    if taken:
        yield _page(ordinal, taken)


def _pieces(line: str) -> Iterator[str]:
    return (line[start : start + PART_SIZE] for start in range(0, len(line), PART_SIZE))


def _page(ordinal: int, lines: Sequence[str]) -> Page:
    text = "\n".join(lines)
    return Page(ordinal, text, blocks=(Block(0, len(text), ChunkKind.TABLE),))


def _ragged(text: str, delimiter: str) -> Notice | None:
    widths = Counter(map(len, _rows(text, delimiter)))
    if len(widths) < 2:
        return None
    odd = widths.total() - max(widths.values())
    return Notice(
        "uneven-rows",
        f"{odd:,} of {widths.total():,} rows have another number of columns than the rest.",
        "Check that the table was saved completely.",
        "info",
    )
