"""Conversations and answers as Markdown with their sources; nothing in it is live (pure).

A field more here and in what the page copies is a part in `citation_markdown`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, tzinfo

from core.answering.exports.blocks import closing
from core.answering.exports.port import Exported
from core.citations.mark import find_marks, mark
from core.text.inert import inert
from core.text.markdown_quoting import collapse, escape_markdown
from core.types import Answer, Citation, Conversation, DocumentKind, Message

_ADDRESS = re.compile(r"https?://[^\s<>\[\]()`\\\"'*|]+", re.I)
"""An address that cannot be read as anything else in Markdown."""


def write(exported: Exported) -> bytes:
    """Return the file."""
    return as_markdown(exported.conversation, exported.messages, exported.zone).encode(
        "utf-8", "replace"
    )


def as_markdown(conversation: Conversation, messages: Sequence[Message], zone: tzinfo = UTC) -> str:
    """The conversation as Markdown: questions as headings, answers, and a list of sources each."""
    parts = [f"# {_plain(conversation.title)}\n"]
    for message in messages:
        if message.role == "user":
            parts.append(f"## {_plain(message.text)}\n")
        elif message.answer is None:
            parts.append(f"{_alone(message.text)}\n")
        else:
            parts.append(answer_markdown(message.answer, zone))
    return "\n".join(parts)


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


def quoted(citation: Citation, quote: str) -> str:
    """Return a quote to be read: the lines of a PDF are those of its page, and become one."""
    return collapse(quote) if citation.kind is DocumentKind.PDF else quote


def answer_markdown(answer: Answer, zone: tzinfo = UTC) -> str:
    """Return one answer as Markdown: its text, its notices, and the list of its sources.

    The words that answer are bold, and the mark of a source with an address leads there.
    """
    lines = [f"{with_links(_alone(with_bold(answer)), answer.citations)}\n"]
    lines += [f"> {_plain(notice.text)}\n" for notice in answer.notices]
    if answer.citations:
        lines.append("**Sources**\n")
    lines += [citation_markdown(citation, zone) for citation in answer.citations]
    return "\n".join(lines) + "\n"


def with_bold(answer: Answer) -> str:
    """The text of an answer with the words that answer in bold."""
    text = answer.text
    for start, end in sorted(answer.highlights, reverse=True):
        text = f"{text[:start]}**{text[start:end]}**{text[end:]}"
    return text


def answer_with_links(answer: Answer) -> str:
    """The text of an answer, with the mark of each source that has an address as a link to it."""
    return with_links(_alone(answer.text), answer.citations)


def with_links(text: str, citations: Sequence[Citation]) -> str:
    """The text with the marks of sources that have an address as links to it.

    A mark stays readable as it is: "[1]" becomes "[[1]](https://example.org/)".
    """
    found = {one.number: to for one in citations if (to := _destination(one.url))}
    for each in reversed(list(find_marks(text, found))):
        if text[: each.start()].endswith("!"):  # it would be an image, which is loaded unasked
            continue
        link = f"[{each.group()}]({found[int(each.group(1))]})"
        text = f"{text[: each.start()]}{link}{text[each.end() :]}"
    return text


def citation_markdown(citation: Citation, zone: tzinfo = UTC) -> str:
    """Return one source as a line of Markdown: its number, its place, the quote, its author."""
    credit = citation.credit(zone)
    credited = f" ({_plain(credit)})" if credit else ""
    quote = _plain(citation.quote)
    return f"- {mark(citation.number)} {place_markdown(citation)}: “{quote}”{credited}"


def place_markdown(citation: Citation) -> str:
    """Where a citation leads, as Markdown: only the source's own address is a link."""
    bare = replace(citation, url="")
    if not citation.url or citation.url == citation.label:
        return _plain(place(bare))
    return f"{_plain(place(bare))}, {_destination(citation.url) or _plain(citation.url)}"


def _destination(url: str) -> str:
    """The address as Markdown can link it, "" where it could be read as anything else.

    >>> _destination("https://en.wikipedia.org/wiki/Velmark_(town)")
    'https://en.wikipedia.org/wiki/Velmark_%28town%29'
    """
    encoded = url.replace("(", "%28").replace(")", "%29")
    return encoded if _ADDRESS.fullmatch(encoded) else ""


def _alone(text: str) -> str:
    """What a model wrote, with nothing live in it and no code left open for what follows."""
    return inert(text) + closing(inert(text))


def _plain(text: str) -> str:
    """One line that is read as it was written: of a document, or of a person."""
    return inert(escape_markdown(text))
