"""The nodes of a safe tree (`markdown.py`), and what belongs on one line in it (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, TypeGuard

Node = str | dict[str, Any]

_LAST_WORD = re.compile(r"\S{0,24}[ \u00a0]?$")
_STOPS = re.compile(r"[.,;:!?)\]}”’»…]+")


def together(nodes: Sequence[Node]) -> list[Node]:
    """The nodes with every mark bound to the word before it and the stop behind it."""
    bound: list[Node] = []
    for node in nodes:
        last = bound[-1] if bound else None
        kept = last["c"] if isinstance(last, dict) and last["t"] == "keep" else None
        if isinstance(node, dict) and node["t"] == "cite":
            if kept is None:
                kept = [_cut_word(bound)] if isinstance(last, str) else []
                bound.append({"t": "keep", "c": kept})
            kept.append(node)
        elif isinstance(node, str) and kept is not None and (stop := _STOPS.match(node)):
            kept.append(stop[0])
            bound.append(node[stop.end() :])
        else:
            bound.append({**node, "c": together(node["c"])} if has_children(node) else node)
    return [node for node in bound if node != ""]


def _cut_word(bound: list[Node]) -> str:
    """Take the last word off the text that stands last."""
    text = str(bound.pop())
    match = _LAST_WORD.search(text)
    at = match.start() if match else len(text)
    bound.append(text[:at])
    return text[at:]


def has_children(node: Node) -> TypeGuard[dict[str, Any]]:
    """Return whether a node has others within it."""
    return isinstance(node, dict) and "c" in node


def words(nodes: Sequence[Node]) -> str:
    """The text of nodes without anything around it."""
    return "".join(_leaves(nodes))


def _leaves(nodes: Sequence[Node]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, str):
            yield node
        else:
            yield from _leaves(node.get("c", ()))
            yield node.get("text", "")
