"""Rows of tables in a text of a source, as tables (pure).

A row is "| a | b |", "a | b" beside others, or "name: a | name: b", as rows of a CSV file are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from core.types import DocumentKind

Piece = list[str]
"""A stretch of text, and how it is marked."""
Cell = list[Piece]

_TABLED = frozenset(DocumentKind) - {DocumentKind.PDF, DocumentKind.TEXT}
"""The formats in whose text a bar stands between cells."""
_RULE = re.compile(r"[\s|:=+-]*")
_NAME = re.compile(r"([^:|]{1,60}): ")


def has_tables(kind: DocumentKind | None) -> bool:
    """Return whether a bar in the text of such a document stands between cells."""
    return kind in _TABLED


def blocks(pieces: Sequence[Piece]) -> list[dict[str, Any]]:
    """Return a marked text as blocks: {"pieces"} of text, {"rows", "head"} of a table.

    `head` says whether the first row names the columns.

    >>> blocks([["Mills:\\n| Graz | ", ""], ["2", "mark"], [" |", ""]])[1]
    {'rows': [[[['Graz', '']], [['2', 'mark']]]], 'head': False}
    """
    found: list[dict[str, Any]] = []
    for is_row, run in groupby(_lines(pieces), _is_row):
        lines = list(run)
        if is_row and (len(lines) > 1 or _is_sure(lines[0])):
            found.append(_table(lines))
        elif found and "pieces" in found[-1]:
            found[-1]["pieces"] += _joined(lines)
        else:
            found.append({"pieces": _joined(lines)})
    return found


def quoted_rows(passage: str, quote: str) -> dict[str, Any] | None:
    """Return the rows that a quote consists of as a table, under the first of theirs; else None."""
    at = passage.find(quote)
    pieces = [[passage[:at], ""], [quote, "mark"], [passage[at + len(quote) :], ""]]
    marked = [block for block in blocks(pieces if at >= 0 else [[quote, "mark"]]) if _marks(block)]
    if len(marked) != 1 or "rows" not in marked[0]:
        return None
    rows = marked[0]["rows"]
    first = any(piece[1] for cell in rows[0] for piece in cell)
    head = None if first and not marked[0]["head"] else rows[0]
    rows = rows[1:] if head else rows
    shown = [row for row in rows if any(piece[1] for cell in row for piece in cell)]
    if not shown:
        return None
    bare = [[[[text, ""] for text, _ in cell] for cell in row] for row in shown]
    return {"rows": [*([head] if head else []), *bare], "head": bool(head)}


def _marks(block: dict[str, Any]) -> bool:
    cells = block.get("pieces") or [p for row in block["rows"] for cell in row for p in cell]
    return any(kind and text.strip() for text, kind in cells)


def _lines(pieces: Iterable[Piece]) -> list[list[Piece]]:
    lines: list[list[Piece]] = [[]]
    for text, kind in pieces:
        first, *others = text.split("\n")
        lines[-1].append([first, kind])
        lines += [[[other, kind]] for other in others]
    return lines


def _joined(lines: Sequence[list[Piece]]) -> list[Piece]:
    pieces = [piece for line in lines for piece in ([*line, ["\n", ""]])]
    return [piece for piece in pieces if piece[0]]


def _text(line: Iterable[Piece]) -> str:
    return "".join(text for text, _ in line)


def _is_row(line: Sequence[Piece]) -> bool:
    text = _text(line).strip()
    return (" | " in f" {text} " or text.startswith("|")) and text.strip("| ") != ""


def _is_sure(line: Sequence[Piece]) -> bool:
    """Whether a line that stands alone is a row."""
    text = _text(line).strip()
    return (text.startswith("|") and text.endswith("|")) or bool(_names([_cells(line)]))


def _cells(line: Sequence[Piece]) -> list[Cell]:
    """The cells between the bars, without the space around them; bars at both ends border none."""
    cells: list[Cell] = [[]]
    for text, kind in line:
        first, *others = re.split(r"(?<!\\)\|", text)
        cells[-1].append([first, kind])
        cells += [[[other, kind]] for other in others]
    text = _text(line).strip()
    if text.startswith("|") and text.endswith("|"):
        cells = cells[1:-1]
    return [_stripped(cell) for cell in cells]


def _stripped(cell: Cell) -> Cell:
    kept = [[text.replace("\\|", "|"), kind] for text, kind in cell if text]
    while kept and not (first := kept[0][0].lstrip()):
        kept.pop(0)
    if kept:
        kept[0][0] = first
    while kept and not (last := kept[-1][0].rstrip()):
        kept.pop()
    if kept:
        kept[-1][0] = last
    return kept


def _table(lines: Sequence[Sequence[Piece]]) -> dict[str, Any]:
    ruled = [n for n, line in enumerate(lines) if _RULE.fullmatch(_text(line))]
    rows = [_cells(line) for n, line in enumerate(lines) if n not in ruled]
    bare = rows[1:] if len(rows) > 1 and not _names(rows[:1]) else rows
    if names := _names(bare):
        rows = [[[[name, ""]] for name in names], *map(_unnamed, bare)]
    return {"rows": rows, "head": bool(names) or ruled[:1] == [1]}


def _names(rows: Sequence[Sequence[Cell]]) -> list[str]:
    """The names that the cells of all rows begin with; [] where they have none."""
    found = [[_NAME.match(_text(cell)) for cell in row] for row in rows]
    if not found or len(found[0]) < 2 or not all(match for row in found for match in row):
        return []
    names = [[match[1] for match in row if match] for row in found]
    return names[0] if all(one == names[0] for one in names) else []


def _unnamed(row: Sequence[Cell]) -> list[Cell]:
    cells = []
    for cell in row:
        match = _NAME.match(_text(cell))
        cut = match.end() if match else 0
        left: Cell = []
        for text, kind in cell:
            left.append([text[cut:], kind])
            cut = max(0, cut - len(text))
        cells.append([piece for piece in left if piece[0]])
    return cells
