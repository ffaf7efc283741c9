"""Resolve the documents that a golden set names to those of a session (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from core.evaluation.golden.sets import GoldenItem, GoldenSource
from core.types import Document


class Names:
    """The ids of documents by every name that a golden set may use."""

    def __init__(self, documents: Sequence[Document], aliases: Mapping[str, str] | None = None):
        self._ids = {key.casefold(): value for key, value in (aliases or {}).items()}
        for names in (_exact, _loose):
            for document in documents:
                for name in names(document):
                    if name:
                        self._ids.setdefault(name.casefold(), document.id)

    def id_of(self, name: str) -> str:
        """Return the id of the document of this name, "" if there is none.

        Names are, in this order: an alias, label, file name, address, id; title and name without
        extension; and all of these for the last part of a path.
        """
        for one in (name, PurePosixPath(name).name, PurePosixPath(name).stem):
            if found := self._ids.get(one.casefold()):
                return found
        return ""

    def resolved(self, item: GoldenItem) -> tuple[GoldenSource, ...]:
        """Return the item's sources with ids instead of names; unknown names match no document."""
        return tuple(
            replace(source, document=self.id_of(source.document) or f"?{source.document}")
            for source in item.sources
        )

    def unknown(self, items: Sequence[GoldenItem]) -> list[str]:
        """Return the names that no document of the session has."""
        named = dict.fromkeys(source.document for item in items for source in item.sources)
        return [name for name in named if not self.id_of(name)]


def _exact(document: Document) -> tuple[str, ...]:
    return (document.label, document.name, document.url, document.id)


def _loose(document: Document) -> tuple[str, ...]:
    return (document.title, PurePosixPath(document.name).stem)
