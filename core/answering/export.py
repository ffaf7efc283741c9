"""Conversations and answers as Markdown and JSON, with their sources; nothing in them is live.

A field more in every JSON export is a line in `_citation_data` (or `_answer_data`), a field more
in the Markdown and in what the page copies a part in `citation_markdown`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from core.citations.mark import mark
from core.text.inert import inert
from core.text.markdown_quoting import escape_markdown
from core.types import Answer, Citation, Conversation, Message

_ADDRESS = re.compile(r"https?://[^\s<>\[\]()`\\\"'*|]+", re.I)
"""An address that cannot be read as anything else in Markdown."""


def as_markdown(conversation: Conversation, messages: Sequence[Message]) -> str:
    """The conversation as Markdown: questions as headings, answers, and a list of sources each."""
    parts = [f"# {_plain(conversation.title)}\n"]
    for message in messages:
        if message.role == "user":
            parts.append(f"## {_plain(message.text)}\n")
        elif message.answer is None:
            parts.append(f"{inert(message.text)}\n")
        else:
            parts.append(answer_markdown(message.answer))
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


def answer_markdown(answer: Answer) -> str:
    """Return one answer as Markdown: its text, its notices, and the list of its sources.

    The words that answer are bold.
    """
    lines = [f"{inert(_with_bold(answer))}\n"]
    lines += [f"> {_plain(notice.text)}\n" for notice in answer.notices]
    if answer.citations:
        lines.append("**Sources**\n")
    lines += [citation_markdown(citation) for citation in answer.citations]
    return "\n".join(lines) + "\n"


def _with_bold(answer: Answer) -> str:
    text = answer.text
    for start, end in sorted(answer.highlights, reverse=True):
        text = f"{text[:start]}**{text[start:end]}**{text[end:]}"
    return text


def citation_markdown(citation: Citation) -> str:
    """Return one source as a line of Markdown: its number, its place, the quote, its author."""
    credit = f" ({_plain(citation.credit)})" if citation.credit else ""
    quote = _plain(citation.quote)
    return f"- {mark(citation.number)} {place_markdown(citation)}: “{quote}”{credit}"


def place_markdown(citation: Citation) -> str:
    """Where a citation leads, as Markdown: only the source's own address is a link."""
    bare = replace(citation, url="")
    if not citation.url or citation.url == citation.label:
        return _plain(place(bare))
    url = citation.url if _ADDRESS.fullmatch(citation.url) else _plain(citation.url)
    return f"{_plain(place(bare))}, {url}"


def _message_data(message: Message) -> dict[str, Any]:
    data: dict[str, Any] = {
        "role": message.role,
        "text": inert(message.text) if message.answer else message.text,
        "created_at": message.created_at.isoformat(),
    }
    return {**data, **_answer_data(message.answer)} if message.answer else data


def _answer_data(answer: Answer) -> dict[str, Any]:
    return {
        "complete": answer.complete,
        "answerer": answer.answerer,
        "notices": [notice.text for notice in answer.notices],
        "citations": [_citation_data(citation) for citation in answer.citations],
    }


def _citation_data(citation: Citation) -> dict[str, Any]:
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
        "read_at": citation.read_at,
        "also_in": list(citation.also_in),
    }


def _plain(text: str) -> str:
    """One line that is read as it was written: of a document, or of a person."""
    return inert(escape_markdown(text))
