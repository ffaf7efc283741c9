"""What a view of the page would make live: addresses that can be clicked or loaded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def nodes(view: Any) -> Iterator[dict[str, Any]]:
    """Every dict anywhere in a view."""
    if isinstance(view, dict):
        yield view
        for value in view.values():
            yield from nodes(value)
    elif isinstance(view, list | tuple):
        for value in view:
            yield from nodes(value)


def links(view: Any) -> set[str]:
    """The addresses of live links."""
    return {str(node["href"]) for node in nodes(view) if node.get("href")}


def images(view: Any) -> list[dict[str, Any]]:
    """Nodes that would load something by themselves."""
    return [node for node in nodes(view) if node.get("src") or node.get("srcset")]
