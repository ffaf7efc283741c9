"""The cited documents as CSL JSON, which Zotero, Pandoc and others read (pure).

Source: https://docs.citationstyles.org/en/stable/specification.html (appendix IV, variables).
"""

from __future__ import annotations

import json
from typing import Any

from core.answering.exports.port import Exported
from core.answering.exports.references import Reference, day_parts, references


def write(exported: Exported) -> bytes:
    """Return the file."""
    entries = [_entry(one) for one in references(exported.messages, exported.zone)]
    return json.dumps(entries, ensure_ascii=False, indent=2).encode("utf-8", "replace")


def _entry(one: Reference) -> dict[str, Any]:
    entry = {
        "id": one.key,
        "type": "webpage" if one.url else "document",
        "title": one.title,
        "URL": one.url,
        "issued": _date(one.published),
        "accessed": _date(one.read_on),
        "note": one.note,
    }
    return {name: value for name, value in entry.items() if value}


def _date(day: str) -> dict[str, Any] | None:
    return {"date-parts": [day_parts(day)]} if day else None
