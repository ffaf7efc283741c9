"""Conversations and answers as JSON: every citation with its document and place (pure).

A field more is a line in `_citation_data` (or `_answer_data`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, tzinfo
from typing import Any

from core.answering.exports.port import Exported
from core.text.inert import inert
from core.types import Answer, Citation, Conversation, Message


def write(exported: Exported) -> bytes:
    """Return the file."""
    return as_json(exported.conversation, exported.messages, exported.zone).encode(
        "utf-8", "replace"
    )


def as_json(conversation: Conversation, messages: Sequence[Message], zone: tzinfo = UTC) -> str:
    """The conversation as JSON: every message, an answer with its citations and notices."""
    return json.dumps(
        {
            "title": conversation.title,
            "created_at": conversation.created_at.isoformat(),
            "messages": [_message_data(message, zone) for message in messages],
        },
        ensure_ascii=False,
        indent=2,
    )


def _message_data(message: Message, zone: tzinfo) -> dict[str, Any]:
    data: dict[str, Any] = {
        "role": message.role,
        "text": inert(message.text) if message.answer else message.text,
        "created_at": message.created_at.isoformat(),
    }
    if message.answer:
        data |= {"shared": bool(message.shared), **_answer_data(message.answer, zone)}
    return data


def _answer_data(answer: Answer, zone: tzinfo) -> dict[str, Any]:
    return {
        "complete": answer.complete,
        "answerer": answer.answerer,
        "notices": [notice.text for notice in answer.notices],
        "citations": [_citation_data(citation, zone) for citation in answer.citations],
    }


def _citation_data(citation: Citation, zone: tzinfo) -> dict[str, Any]:
    return {
        "number": citation.number,
        "document": citation.label,
        "document_id": citation.document_id,
        "page": citation.page_number,
        "headings": list(citation.headings),
        "url": citation.url,
        "start": citation.start,
        "end": citation.end,
        "quote": citation.quote,
        "attribution": citation.attribution,
        "published": citation.published,
        "read_at": citation.read_on(zone),
        "also_in": list(citation.also_in),
    }
