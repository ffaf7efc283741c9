"""What is put before a text so that an embedding model knows query from passage (pure).

The model's own configuration names it; some well-known models were published without.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_E5 = re.compile(r"(^|/)(multilingual-)?e5-(small|base|large)(-v2)?$", re.IGNORECASE)
"""Source: the model cards of intfloat/e5-* and intfloat/multilingual-e5-*."""
_NOMIC = re.compile(r"(^|/)nomic-embed-text(?![^-:])", re.IGNORECASE)
"""Source: the model card of nomic-ai/nomic-embed-text-v1.5."""
_DOCUMENT_NAMES = ("document", "passage", "corpus")


@dataclass(frozen=True, slots=True)
class Prompts:
    """Texts put before a query and before a passage; None leaves it to the model."""

    query: str | None = None
    document: str | None = None


def prompts_for(name: str, own: Mapping[str, str], wanted: Prompts) -> Prompts:
    """The prompts to give: those wanted, else the model's own (None), else those it is known for.

    >>> prompts_for("intfloat/multilingual-e5-small", {}, Prompts())
    Prompts(query='query: ', document='passage: ')
    """
    known = Prompts()
    if _E5.search(name):
        known = Prompts("query: ", "passage: ")
    elif _NOMIC.search(name):
        known = Prompts("search_query: ", "search_document: ")
    has_query = bool(own.get("query"))
    has_document = any(own.get(key) for key in _DOCUMENT_NAMES)
    return Prompts(
        wanted.query or (None if has_query else known.query),
        wanted.document or (None if has_document else known.document),
    )


def own_prompts(config: Mapping[str, Any]) -> Prompts:
    """The prompts of a model's own configuration, empty where it has none.

    >>> own_prompts({"prompts": {"query": "query: ", "passage": "passage: "}})
    Prompts(query='query: ', document='passage: ')
    """
    own = config.get("prompts") or {}
    document = next((own[key] for key in _DOCUMENT_NAMES if own.get(key)), "")
    return Prompts(own.get("query") or "", document)


def digest_with(digest: str, prompts: Prompts) -> str:
    """The digest of an embedder: vectors made with another prompt must not be compared."""
    if not prompts.document:
        return digest
    return hashlib.sha256(f"{digest}:{prompts.document}".encode()).hexdigest()
