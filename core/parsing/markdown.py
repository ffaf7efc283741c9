"""Markdown: the text as written, with its headings, tables and code blocks located."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from core.parsing.builder import Draft, split_parts
from core.parsing.encodings import decode
from core.parsing.notices import hidden_notice, notices
from core.parsing.source import Source
from core.text.invisible import clean
from core.types import Block, ChunkKind, DocumentKind, Heading, LoadedDocument
from core.types.documents import MOST_HEADING

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?\n)(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE_FIELD = re.compile(r"^title:[ \t]*(.+?)[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_EXPLICIT_ID = re.compile(r"[ \t]*\{#([\w.:-]+)[^}]*\}[ \t]*$")
_MARKUP = re.compile(r"[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}|!?\[([^\]]*)\]\([^)]*\)")
_KINDS = {
    "fence": ChunkKind.CODE,
    "code_block": ChunkKind.CODE,
    "table_open": ChunkKind.TABLE,
}


def load(source: Source) -> LoadedDocument:
    """Read a Markdown file. Raises `TooLarge`."""
    return load_markdown(source.data())


def load_markdown(data: bytes) -> LoadedDocument:
    """Read Markdown, in parts; comments, which readers do not see, are left out."""
    decoded = decode(data)
    cleaned = clean(decoded.text)
    text, commented = _without_comments(cleaned.text)
    draft = _draft(text)
    return LoadedDocument(
        DocumentKind.MARKDOWN,
        split_parts(draft),
        title=_title(draft),
        notices=notices(decoded.note, hidden_notice(cleaned.dropped + commented)),
    )


def _tokens(text: str) -> list[Token]:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table").disable("inline").parse(text)


def _without_comments(text: str) -> tuple[str, int]:
    """Return the text without its comments outside of code, and how many characters they had."""
    if "<!--" not in text:
        return text, 0
    code = [span for *span, kind in _spans(text, _tokens(text)) if kind is ChunkKind.CODE]
    found = [
        match
        for match in _COMMENT.finditer(text)
        if not any(start <= match.start() < end for start, end in code)
    ]
    for match in reversed(found):
        text = text[: match.start()] + text[match.end() :]
    return text, sum(len(match[0]) for match in found)


def _draft(text: str) -> Draft:
    front = _FRONT_MATTER.match(text)
    # Spaces keep the offsets while the front matter is hidden from the parser, which would
    # take its closing line for the underline of a heading.
    shown = re.sub(r"[^\n]", " ", front[0]) + text[front.end() :] if front else text
    tokens = _tokens(shown)
    blocks = tuple(Block(start, end, kind) for start, end, kind in _spans(shown, tokens))
    return Draft(text, tuple(_headings(shown, tokens)), blocks)


def _spans(text: str, tokens: list[Token]) -> Iterator[tuple[int, int, ChunkKind]]:
    lines = _line_offsets(text)
    for token in tokens:
        if token.map and (kind := _KINDS.get(token.type)):
            start, end = lines[token.map[0]], lines[token.map[1]]
            stretch = text[start:end]
            if stretch.strip():
                yield start, start + len(stretch.rstrip()), kind


def _headings(text: str, tokens: list[Token]) -> Iterator[Heading]:
    lines = _line_offsets(text)
    for token, inline in itertools.pairwise(tokens):
        if token.type == "heading_open" and token.map:
            if token.markup in ("-", "=") and len(inline.content) > MOST_HEADING:
                continue  # a paragraph above a rule; the syntax of setext headings is the same
            title, anchor = _plain(inline.content)
            if title:
                yield Heading(lines[token.map[0]], int(token.tag[1:]), title, anchor)


def _plain(content: str) -> tuple[str, str | None]:
    found = _EXPLICIT_ID.search(content)
    content = content[: found.start()] if found else content
    title = _MARKUP.sub(lambda match: match[1] or "", " ".join(content.split()))
    return title.strip(), found[1] if found else None


def _line_offsets(text: str) -> list[int]:
    offsets = [0]
    for line in text.split("\n"):
        offsets.append(offsets[-1] + len(line) + 1)
    offsets[-1] = len(text)
    return [*offsets, len(text)]


def _title(draft: Draft) -> str:
    front = _FRONT_MATTER.match(draft.text)
    field = _TITLE_FIELD.search(front[1]) if front else None
    if field:
        return field[1].strip("\"'")
    return next((heading.title for heading in draft.headings if heading.level == 1), "")
