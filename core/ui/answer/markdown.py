"""Markdown of an answer as a tree of plain values in which markup cannot hide (pure).

A document, a web page or a model can write anything. So nothing of it is ever handed to a browser
as HTML or as Markdown: the text is parsed here, with HTML off, into nodes of a few known kinds
whose leaves are strings, and the page puts the strings in as text. Images are never loaded, and
no link is live but those to the sources themselves.

A node is a string, or a dict with `t` (its kind) and, where it has any, `c` (its children):

    p, quote, li, strong, em, s, thead, tr, th, td      c
    mark (the words that answer)                        c
    keep (what stays on one line: a mark with the word before it)                 c
    h (level), ul, ol (start), table (rows in c), claim (k: index of the claim)   c
    code (text, lang), span (text: code in a line), image (alt), cite (n), verdict (k), br, hr
    link (href, one of the sources')                    c
"""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.citations.mark import MARK
from core.ui.answer.markdown_nodes import Node, together, words
from core.ui.answer.named_cells import as_tables
from core.ui.shell.escaping import printable

_LONGEST = 200_000
"""Characters that are parsed; a longer text is shown as it is, in paragraphs."""

_OPEN, _CLOSE = 0xE000, 0xF000
_MARK_OPEN, _MARK_CLOSE = 0xF001, 0xF002
"""Private characters that carry the borders of claims through the parser: one code a claim."""
_CLAIMS = _CLOSE - _OPEN

_PRIVATE = re.compile(r"[\ue000-\uf8ff]")
_MARK = re.compile(rf"{MARK}|([\ue000-\uf8ff])")
_BLOCK_START = re.compile(r"[ \t]*(?:(?:#{1,6}|[-*+]|\d{1,9}[.)]|>)[ \t]+)*")
_KINDS = {
    "paragraph": "p", "blockquote": "quote", "list_item": "li", "strong": "strong", "em": "em",
    "s": "s", "thead": "thead", "tbody": "tbody", "tr": "tr", "th": "th", "td": "td",
    "bullet_list": "ul", "table": "table",
}  # fmt: skip

_PARSER = (
    MarkdownIt("commonmark", {"html": False, "linkify": False, "typographer": False})
    .enable(["table", "strikethrough"])
    .disable(["reference", "html_block", "html_inline"])  # "[1]: http://..." stays what it is
    .disable("text_join")  # the brackets of "\[1\]", which is no mark, stay tokens of their own
)


def tree(
    text: str,
    numbers: Collection[int] = (),
    sources: Collection[str] = (),
    claims: Mapping[int, tuple[int, int]] | None = None,
    highlights: Sequence[tuple[int, int]] = (),
) -> list[Node]:
    """Parse `text` into nodes.

    `[n]` becomes a citation where n is among `numbers` and stays text elsewhere; a link stays
    live where its address is among `sources`. `claims` maps an index to the span of `text` to
    wrap, in characters; spans must not overlap. `highlights` are the spans to set off, within one
    claim or outside of any.

    >>> tree("[1] says <b>so</b> [9].", {1})
    [{'t': 'p', 'c': [{'t': 'keep', 'c': [{'t': 'cite', 'n': 1}]}, ' says <b>so</b> [9].']}]
    """
    clean = _PRIVATE.sub("\ufffd", text)
    if len(clean) > _LONGEST:
        return [{"t": "p", "c": [part]} for part in clean.split("\n\n")]
    live = {_PARSER.normalizeLink(url) for url in sources}
    builder = _Builder(frozenset(numbers), live)
    builder.blocks(_PARSER.parse(_with_borders(clean, claims or {}, highlights)))
    return together(as_tables(builder.root))


def _with_borders(
    text: str, claims: Mapping[int, tuple[int, int]], highlights: Sequence[tuple[int, int]]
) -> str:
    """The text with a private character at each border of a span, where no syntax is broken."""
    borders: list[tuple[int, int, str]] = []
    for index, (start, end) in claims.items():
        start, end = _inside_block(text, _before_escape(text, start)), min(end, len(text))
        if index < _CLAIMS and start < end and "```" not in text[start:end]:
            borders += [(start, 1, chr(_OPEN + index)), (end, 0, chr(_CLOSE))]
    for start, end in highlights:
        start, end = _inside_block(text, _before_escape(text, start)), min(end, len(text))
        if start < end and "`" not in text[start:end] and "\n" not in text[start:end]:
            borders += [(start, 2, chr(_MARK_OPEN)), (end, -1, chr(_MARK_CLOSE))]
    parts, last = [], 0
    for offset, _, sign in sorted(borders):
        parts += [text[last:offset], sign]
        last = offset
    return "".join([*parts, text[last:]])


def _before_escape(text: str, start: int) -> int:
    r"""Move a border that stands between a backslash and the sign that it escapes before both.

    >>> _before_escape(r"Sales of \$5", 10)
    9
    """
    backslashes = start - len(text[:start].rstrip("\\"))
    escaped = backslashes % 2 and start < len(text) and text[start] in string.punctuation
    return start - 1 if escaped else start


def _inside_block(text: str, start: int) -> int:
    """Move a border that stands at the start of a line behind the marks of its block."""
    line = text.rfind("\n", 0, start) + 1
    if match := _BLOCK_START.match(text, line):
        return max(start, match.end())
    return start


def _texts(run: Iterable[Token]) -> Iterator[str]:
    """The words of neighbours as one, cut at brackets behind a backslash, which make no mark."""
    for _, tokens in groupby(run, lambda one: (one.type, one.content) == ("text_special", "[")):
        yield "".join(token.content for token in tokens)


class _Builder:
    """Walks the parser's flat tokens and builds the tree."""

    def __init__(self, numbers: frozenset[int], live: Collection[str]) -> None:
        self.root: list[Node] = []
        self._stack: list[list[Node]] = [self.root]
        self._numbers = numbers
        self._live = live
        self._claim: int | None = None
        self._marking = False

    def blocks(self, tokens: Sequence[Token]) -> None:
        for token in tokens:
            if token.type == "inline":
                self._inlines(token.children or [])
                self._signs(
                    chr(_MARK_CLOSE) + chr(_CLOSE)
                )  # a claim whose end was lost ends with its block
            elif token.type in ("fence", "code_block"):
                self._add({"t": "code", "text": _bare(token.content), "lang": token.info[:20]})
            elif token.type == "hr":
                self._add({"t": "hr"})
            else:
                self._open_or_close(token)

    def _inlines(self, tokens: Sequence[Token]) -> None:
        for is_text, run in groupby(tokens, lambda token: token.type in ("text", "text_special")):
            if is_text:
                for text in _texts(run):
                    self._text(text)
            else:
                self._others(run)

    def _others(self, tokens: Iterable[Token]) -> None:
        for token in tokens:
            match token.type:
                case "html_inline":
                    self._text(token.content)
                case "code_inline":
                    self._leaf({"t": "span", "text": _bare(token.content)})
                    self._signs(token.content)
                case "softbreak":
                    self._leaf(" ")
                case "hardbreak":
                    self._add({"t": "br"})
                case "image":
                    self._leaf({"t": "image", "alt": _bare(token.content)})
                    self._signs(token.content)
                case "link_open":
                    self._push({"t": "link", "href": str(token.attrGet("href") or ""), "c": []})
                case "link_close":
                    self._close_link()
                case _:
                    self._open_or_close(token)

    def _open_or_close(self, token: Token) -> None:
        name = token.type.rsplit("_", 1)[0]
        if token.nesting < 0:
            if len(self._stack) > 1:
                self._stack.pop()
        elif token.nesting > 0 and token.hidden:
            self._push({"t": "tight", "c": []})
        elif name == "heading":
            self._push({"t": "h", "level": int(token.tag[1:]), "c": []})
        elif name == "ordered_list":
            self._push({"t": "ol", "start": int(token.attrGet("start") or 1), "c": []})
        elif token.nesting > 0:
            self._push({"t": _KINDS.get(name, "p"), "c": []})
        elif token.content:
            self._text(token.content)

    def _close_link(self) -> None:
        """Keep a link to a source; of any other only the words, and the address as text."""
        self._stack.pop()
        node = self._stack[-1].pop()
        if not isinstance(node, dict):
            return
        if node["href"] in self._live:
            self._add(node)
            return
        for child in node["c"]:
            self._add(child)
        if words(node["c"]) != node["href"]:
            self._leaf(f" ({node['href']})")

    def _text(self, text: str) -> None:
        last = 0
        for match in _MARK.finditer(text):
            if match[1] and int(match[1]) not in self._numbers:
                continue
            before = text[last : match.start()]
            last = match.end()
            self._leaf(before)
            if match[1]:
                self._leaf({"t": "cite", "n": int(match[1])})
            else:
                self._signs(match[2])
        self._leaf(text[last:])

    def _signs(self, text: str) -> None:
        """Follow the borders of claims that stand in `text`."""
        for sign in _PRIVATE.findall(text):
            if ord(sign) in (_MARK_OPEN, _MARK_CLOSE):
                self._marking = ord(sign) == _MARK_OPEN
            elif ord(sign) < _CLOSE:
                self._claim = ord(sign) - _OPEN
            elif self._claim is not None:
                self._add({"t": "verdict", "k": self._claim})
                self._claim = None

    def _leaf(self, node: Node) -> None:
        node = printable(node) if isinstance(node, str) else node
        if node == "":
            return
        if self._marking:
            node = {"t": "mark", "c": [node]}
        if self._claim is None:
            self._add(node)
            return
        last = self._stack[-1][-1] if self._stack[-1] else None
        if isinstance(last, dict) and last["t"] == "claim" and last["k"] == self._claim:
            last["c"].append(node)
        else:
            self._add({"t": "claim", "k": self._claim, "c": [node]})

    def _push(self, node: dict[str, Any]) -> None:
        self._add(node)
        self._stack.append(node["c"])

    def _add(self, node: Node) -> None:
        here = self._stack[-1]
        if isinstance(node, str) and here and isinstance(here[-1], str):
            here[-1] += node
        else:
            here.append(node)


def _bare(text: str) -> str:
    return _PRIVATE.sub("", text)
