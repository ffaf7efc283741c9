"""Records of JSON, whole or a part of one, as "name: value | name: value" (pure)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.ui.answer.markdown_nodes import Node, has_children, words

_ESCAPED = {"n": " ", "t": " ", "r": " "}


def as_row(text: str) -> str:
    """Return a record as a row; "" of what is none.

    >>> as_row('"mill": "South", "place": {"town": "Graz"}, "grinds": ["oats", "rye"],')
    'mill: South | place › town: Graz | grinds: oats, rye'
    """
    return " ".join(_Flat().feed(text).split()) if _is_record(text) else ""


def record_nodes(nodes: Sequence[Node]) -> list[Node]:
    """Return the nodes of a record as those of a row, each text within what was around it.

    [] of what is no record.
    """
    return _flattened(nodes, _Flat()) if _is_record(words(nodes)) else []


def _flattened(nodes: Sequence[Node], flat: _Flat) -> list[Node]:
    return [
        flat.feed(node)
        if isinstance(node, str)
        else {**node, "c": _flattened(node["c"], flat)}
        if has_children(node)
        else node
        for node in nodes
    ]


def _is_record(text: str) -> bool:
    """Whether a text is an object, or members of one."""
    bare = text.strip().strip(",").strip()
    if '":' not in bare:
        return False
    for whole in (bare, f"{{{bare}}}"):
        try:
            return isinstance(json.loads(whole), dict)
        except ValueError:
            continue
    return False


class _Flat:
    """Rewrites JSON that comes in pieces, without its quotes and brackets."""

    def __init__(self) -> None:
        self._quoted = self._escaped = self._named = False
        self._open: list[tuple[str, str]] = []
        """The brackets that are open, each with the name of what is in it."""
        self._name = self._comma = ""

    def feed(self, text: str) -> str:
        return "".join(map(self._sign, text))

    def _sign(self, sign: str) -> str:
        if self._quoted:
            return self._in_string(sign)
        if sign.isspace():
            return ""
        if sign in "]}":
            self._open = self._open[:-1]
            return ""
        if sign == ",":
            path = "".join(f"{name} › " for _, name in self._open if name)
            self._comma = ", " if self._open and self._open[-1][0] == "[" else f" | {path}"
            self._name = ""
            return ""
        lead, self._comma = self._comma, ""
        if sign == ":":
            self._named = True
            return lead
        named = self._named
        if named:
            lead, self._named = " › " if sign == "{" else ": ", False
        if sign in "[{":
            self._open.append((sign, self._name if named and sign == "{" else ""))
            self._name = ""
            return lead
        self._quoted = sign == '"'
        return lead + ("" if self._quoted else sign)

    def _in_string(self, sign: str) -> str:
        if self._escaped:
            self._escaped = False
            return _ESCAPED.get(sign, sign)
        if sign == "\\":
            self._escaped = True
            return ""
        if sign == '"':
            self._quoted = False
            return ""
        self._name += sign
        return sign
