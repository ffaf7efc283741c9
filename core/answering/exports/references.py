"""The documents that a conversation cites, as entries for programs that keep references (pure)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, tzinfo

from core.text.markdown_quoting import collapse
from core.types import Citation, Message

_ADDRESS = re.compile(r"https?://\S+", re.I)
_DAY = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_NO_KEY = re.compile(r"[^a-z0-9]+")
_LONGEST_KEY = 40


@dataclass(frozen=True, slots=True)
class Reference:
    """A cited document. Days are YYYY-MM-DD or ""; `note` holds what no other field is for.

    Its author is in the note: documents and pages name theirs in one line with the licence.
    """

    key: str
    title: str
    url: str = ""
    published: str = ""
    read_on: str = ""
    note: str = ""


def references(messages: Iterable[Message], zone: tzinfo = UTC) -> list[Reference]:
    """Return an entry for each document that the answers cite, in the order of first use.

    The days on which pages were read are those of `zone`.
    """
    cited: dict[str, list[Citation]] = {}
    for message in messages:
        for citation in message.answer.citations if message.answer else ():
            cited.setdefault(citation.document_id, []).append(citation)
    found: list[Reference] = []
    for citations in cited.values():
        keys = {one.key for one in found}
        found.append(_reference(citations, keys, zone))
    return found


def day_parts(day: str) -> list[int]:
    """Return year, month and day of YYYY-MM-DD; empty where it is none."""
    match = _DAY.fullmatch(day)
    return [int(part) for part in match.groups()] if match else []


def _reference(citations: list[Citation], taken: set[str], zone: tzinfo) -> Reference:
    first = citations[0]
    read_on = first.read_on(zone)
    title = collapse(first.title) or collapse(first.label)
    is_address = _ADDRESS.fullmatch(first.url) is not None
    file = "" if is_address or first.label == title else f"File: {collapse(first.label)}."
    pages = sorted({one.page_number for one in citations if one.page_number is not None})
    listed = ", ".join(map(str, pages))
    cited = f"Cited: {'pages' if len(pages) > 1 else 'page'} {listed}." if pages else ""
    credit = f"{collapse(first.attribution)}." if first.attribution else ""
    return Reference(
        _key(first.label, taken),
        title,
        first.url if is_address else "",
        first.published if day_parts(first.published) else "",
        read_on if day_parts(read_on) else "",
        " ".join(filter(None, (file, cited, credit))),
    )


def _key(label: str, taken: set[str]) -> str:
    """A key that every program takes: of the name, with a number where it is not the first."""
    plain = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode().lower()
    stem = _NO_KEY.sub("-", plain).strip("-")[:_LONGEST_KEY].strip("-") or "source"
    numbered = (f"{stem}-{number}" for number in range(2, len(taken) + 3))
    return stem if stem not in taken else next(key for key in numbered if key not in taken)
