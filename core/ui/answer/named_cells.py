"""Rows that are written as "name: value | name: value", as tables (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from core.ui.answer.markdown_nodes import Node, has_children, words

_BAR = " | "
_NAME = re.compile(r"\s*([^:|.!?\n]{1,40}): ")
_WIDEST = 4
"""Columns of a single row that stand side by side; more stand below one another."""

Cells = dict[str, list[Node]]


def as_tables(nodes: Sequence[Node]) -> list[Node]:
    """Return the blocks with a table for neighbouring paragraphs, or a list, of such rows.

    >>> as_tables([{"t": "p", "c": ["Boat: Wren | Berths: 4"]}])[0]["t"]
    'table'
    """
    found: list[Node] = []
    for is_row, run in groupby(nodes, _is_row):
        blocks = list(run)
        if is_row:
            found.append(_table([_named(block["c"]) for block in blocks if has_children(block)]))
        else:
            found += [_of_list(block) for block in blocks]
    return found


def _of_list(block: Node) -> Node:
    items = block["c"] if has_children(block) and block["t"] == "ul" else []
    rows = [_named(_unwrapped(item["c"])) for item in items if has_children(item)]
    return _table(rows) if rows and all(rows) else block


def _unwrapped(nodes: Sequence[Node]) -> Sequence[Node]:
    """What stands in the one paragraph of an item."""
    only = nodes[0] if len(nodes) == 1 else None
    return only["c"] if only and has_children(only) and only["t"] in ("tight", "p") else nodes


def _is_row(block: Node) -> bool:
    return has_children(block) and block["t"] == "p" and bool(_named(block["c"]))


def _named(nodes: Sequence[Node]) -> Cells:
    """The cells of a row by their names, {} of what is none; a bar in a value stays in it."""
    found: Cells = {}
    last: list[Node] = []
    for cell in _cells(nodes):
        name = _NAME.match(words(cell))
        if name and name[1] not in found:
            last = found[name[1]] = _without(cell, name.end())[0]
        elif found:
            last += [_BAR, *cell]
        else:
            return {}
    return found if len(found) > 1 else {}


def _cells(nodes: Iterable[Node]) -> list[list[Node]]:
    """The nodes between the bars, each within what was around it."""
    cells: list[list[Node]] = [[]]
    for node in nodes:
        parts: list[Node]
        if isinstance(node, str):
            parts = [*node.split(_BAR)]
        elif has_children(node):
            parts = [{**node, "c": inner} for inner in _cells(node["c"])]
        else:
            parts = [node]
        cells[-1].append(parts[0])
        cells += [[part] for part in parts[1:]]
    return [[node for node in cell if node != ""] for cell in cells]


def _without(nodes: Sequence[Node], count: int) -> tuple[list[Node], int]:
    """The nodes without so many characters at their start, and how many are left to take."""
    left: list[Node] = []
    for node in nodes:
        if isinstance(node, str):
            node, count = node[count:], max(0, count - len(node))
        elif has_children(node):
            inner, count = _without(node["c"], count)
            node = {**node, "c": inner}
        left.append(node)
    return [node for node in left if node != ""], count


def _table(rows: Sequence[Cells]) -> dict[str, Any]:
    names = list(dict.fromkeys(name for row in rows for name in row))
    if len(rows) == 1 and len(names) > _WIDEST:
        pairs = [_row([_cell("th", [name]), _cell("td", rows[0][name])]) for name in names]
        return {"t": "table", "c": [{"t": "tbody", "c": pairs}]}
    head = _row([_cell("th", [name]) for name in names])
    body = [_row([_cell("td", row.get(name, [])) for name in names]) for row in rows]
    return {"t": "table", "c": [{"t": "thead", "c": [head]}, {"t": "tbody", "c": body}]}


def _row(cells: list[Node]) -> Node:
    return {"t": "tr", "c": cells}


def _cell(kind: str, nodes: list[Node]) -> Node:
    return {"t": kind, "c": nodes}
