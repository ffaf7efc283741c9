"""What is put before a text so that an embedding model knows query from passage (pure).

The model's own configuration says it where it can; some well-known models were published without.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_E5 = re.compile(r"(^|/)(multilingual-)?e5-(small|base|large)(-v2)?$", re.IGNORECASE)
"""Source: the model cards of intfloat/e5-* and intfloat/multilingual-e5-*."""
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
    known = Prompts("query: ", "passage: ") if _E5.search(name) else Prompts()
    has_query = bool(own.get("query"))
    has_document = any(own.get(key) for key in _DOCUMENT_NAMES)
    return Prompts(
        wanted.query or (None if has_query else known.query),
        wanted.document or (None if has_document else known.document),
    )
