"""Conversations as Markdown and JSON, with their sources."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from core.citations.mark import mark
from core.types import Answer, Citation, Conversation, Message


def as_markdown(conversation: Conversation, messages: Sequence[Message]) -> str:
    """The conversation as Markdown: questions as headings, answers, and a list of sources each."""
    parts = [f"# {_line(conversation.title)}\n"]
    for message in messages:
        if message.role == "user":
            parts.append(f"## {_line(message.text)}\n")
        elif message.answer is None:
            parts.append(f"{message.text}\n")
        else:
            parts.append(_answer_markdown(message.answer))
    return "\n".join(parts)


def as_json(conversation: Conversation, messages: Sequence[Message]) -> str:
    """The conversation as JSON: every message, an answer with its citations and notices."""
    return json.dumps(
        {
            "title": conversation.title,
            "created_at": conversation.created_at.isoformat(),
            "messages": [_message_data(message) for message in messages],
        },
        ensure_ascii=False,
        indent=2,
    )


def place(citation: Citation) -> str:
    """Where a citation leads, in words: file, page, heading, address."""
    parts = [citation.label]
    if citation.page_number is not None:
        parts.append(f"page {citation.page_number}")
    if citation.headings:
        parts.append(" › ".join(citation.headings))
    if citation.url and citation.url != citation.label:
        parts.append(citation.url)
    return ", ".join(parts)


def _answer_markdown(answer: Answer) -> str:
    lines = [f"{answer.text}\n"]
    lines += [f"> {_line(notice.text)}\n" for notice in answer.notices]
    if answer.citations:
        lines.append("**Sources**\n")
    for citation in answer.citations:
        credit = f" ({_line(citation.credit)})" if citation.credit else ""
        lines.append(
            f"- {mark(citation.number)} {_line(place(citation))}: “{_line(citation.quote)}”{credit}"
        )
    return "\n".join(lines) + "\n"


def _message_data(message: Message) -> dict[str, Any]:
    data: dict[str, Any] = {
        "role": message.role,
        "text": message.text,
        "created_at": message.created_at.isoformat(),
    }
    if answer := message.answer:
        data["complete"] = answer.complete
        data["answerer"] = answer.answerer
        data["notices"] = [notice.text for notice in answer.notices]
        data["citations"] = [
            {
                "number": c.number,
                "document": c.label,
                "document_id": c.document_id,
                "page": c.page_number,
                "headings": list(c.headings),
                "url": c.url,
                "start": c.start,
                "end": c.end,
                "quote": c.quote,
                "attribution": c.attribution,
                "published": c.published,
                "read_at": c.read_at,
                "also_in": list(c.also_in),
            }
            for c in answer.citations
        ]
    return data


def _line(text: str) -> str:
    return " ".join(text.split())
