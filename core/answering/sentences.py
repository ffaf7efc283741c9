"""Cut a text into the pieces that can be quoted: sentences, list items, table rows, code (pure).

Nothing is rewritten: a piece is a span of the given text. A line end inside a wrapped paragraph
joins, one that the author set on purpose parts. Works for scripts with and without spaces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from core.answering.language import (
    ABBREVIATIONS,
    GERMAN_ORDINAL_AFTER,
    GERMAN_ORDINAL_BEFORE,
    MONTHS,
    NUMBERED_ABBREVIATIONS,
    SOFT_ABBREVIATIONS,
    STARTERS,
)

MAX_SENTENCE = 700
"""The longest piece of prose, in characters; longer ones are cut at a clause or a space."""


class SentenceKind(StrEnum):
    """What a piece is, which decides how it is quoted."""

    PROSE = "prose"
    HEADING = "heading"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A piece `text == source[start - offset:end - offset]` of the text that was split."""

    start: int
    end: int
    text: str
    kind: SentenceKind = SentenceKind.PROSE


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    body: int  # where the words begin, after a bullet or hashes
    kind: str  # "prose", "item", "heading", "row", "code", "rule", "blank"
    text: str


_FENCE = re.compile(
    r"^[ \t]{0,3}(`{3,}|~{3,})[^\n]*\n(.*?)(?:^[ \t]{0,3}\1[`~]*[ \t]*$|\Z)", re.M | re.S
)
_BULLET = re.compile(r"[ \t]*(?:[-*+•‣◦▪●○∙·–—➢➤✓■□][ \t\xa0]+|[•‣◦▪●○➢➤■□])")
_ORDINAL = re.compile(r"[ \t]*(?:\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\([ivx]{1,5}\))[ \t\xa0]+")
_HASHES = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+")
_RULE = re.compile(r"[ \t]*[|:+\-=_*~.\s]{3,}$")
_PROMPT = re.compile(r"[ \t]*(?:>>> |\.\.\. |\$ \S)")
_CODE_LINE = re.compile(r"(?: {4}|\t)\s*\S*.*[=(){}\[\];<>:]")
_NUMERIC = re.compile(
    r"[$€£¥]|[(\[+\-–—−~<>]*[$€£¥]?\d[\d.,/:]*[)\]]*[%*]?(?:[a-z]{1,3})?|[—–\-]+[%]?|n/?a"
)
_TERMINAL = ".!?…。！？｡．؟۔।॥።:;"
_CLOSERS = "\"'”’»›)]}」』）】》〉〕*_"

_BOUNDARY = re.compile(
    r"[。！？｡][」』）】》〉”’\"]*"
    r"|[.!?…؟۔।॥።]+[\"'”’»›)\]*_]*(?:\[[\w ,;:–-]{1,12}\])*(?=\s)"
)
_INITIAL = re.compile(r"(?:^|[\s(\"'“‘«.\-])[^\W\d_]$")
_DOTTED = re.compile(r"(?:^|[\s(])(?:[^\W\d_]\.){1,5}[^\W\d_]$")
_COUNTED = re.compile(r"(?:(\w+)\s+)?(?:\d{1,3}|[IVX]{1,5})$")
_LAST_WORD = re.compile(r"[\w.]+$")
_FIRST_WORD = re.compile(r"\w+")


def split_sentences(text: str, *, code: bool = False, offset: int = 0) -> list[Sentence]:
    """Cut `text` into pieces, in order, that do not overlap; bullets and hashes are left out.

    `code` says that the whole text is code. `offset` is added to the spans, for a text that is
    itself a stretch of a page.

    >>> [piece.text for piece in split_sentences("Dr. Who came. He left.")]
    ['Dr. Who came.', 'He left.']
    """
    pieces: list[Sentence] = []
    at = 0
    fences = list(_FENCE.finditer(text))
    code = code and not fences  # with fences, what stands outside them is no code
    for fence in fences:
        pieces += _split_open(text, at, fence.start(), code)
        pieces += _piece(text, fence.start(2), fence.end(2), SentenceKind.CODE)
        at = fence.end()
    pieces += _split_open(text, at, len(text), code)
    if not offset:
        return pieces
    return [Sentence(p.start + offset, p.end + offset, p.text, p.kind) for p in pieces]


def _piece(text: str, start: int, end: int, kind: SentenceKind) -> list[Sentence]:
    """The span without white space at its ends (code keeps its first indentation)."""
    while end > start and text[end - 1].isspace():
        end -= 1
    skip = "\r\n" if kind is SentenceKind.CODE else None
    while start < end and (text[start] in skip if skip else text[start].isspace()):
        start += 1
    return [Sentence(start, end, text[start:end], kind)] if start < end else []


def _split_open(text: str, start: int, end: int, code: bool) -> list[Sentence]:
    """Split a stretch that holds no fenced code."""
    if code:
        return _piece(text, start, end, SentenceKind.CODE)
    lines = list(_lines(text, start, end))
    width = _wrap_width(lines)
    pieces: list[Sentence] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.kind in ("blank", "rule"):
            continue
        last = line
        if line.kind == "code":
            while at < len(lines) and lines[at].kind in ("code", "blank"):
                last = lines[at] if lines[at].kind == "code" else last
                at += 1
            pieces += _piece(text, line.start, last.end, SentenceKind.CODE)
        elif line.kind == "row":
            pieces += _piece(text, line.body, line.end, SentenceKind.ROW)
        elif line.kind == "heading":
            pieces += _piece(text, line.body, line.end, SentenceKind.HEADING)
        else:
            while at < len(lines) and lines[at].kind == "prose" and _joins(last, lines[at], width):
                last = lines[at]
                at += 1
            pieces += _unit(text, line, last)
    return pieces


def _lines(text: str, start: int, end: int) -> Iterator[_Line]:
    before: _Line | None = None
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        line = _classify(text[start:stop].rstrip("\r"), start, before)
        yield line
        before = line
        start = stop + 1


def _classify(raw: str, start: int, before: _Line | None) -> _Line:
    """What one line is; a numbered item needs a line before it that had come to its end."""
    end = start + len(raw)
    bare = raw.strip()
    if not bare:
        return _Line(start, end, end, "blank", raw)
    if (hashes := _HASHES.match(raw)) and hashes.end() < len(raw):
        return _Line(start, end, start + hashes.end(), "heading", raw)
    if _RULE.fullmatch(raw):
        return _Line(start, end, end, "rule", raw)
    if _is_code(raw, before):
        return _Line(start, end, start, "code", raw)
    bullet = _BULLET.match(raw)
    if not bullet and (ordinal := _ORDINAL.match(raw)) and _may_open_item(before):
        bullet = ordinal
    if bullet and bullet.end() < len(raw):
        body = start + bullet.end()
        return _Line(start, end, body, "row" if _is_row(raw[bullet.end() :]) else "item", raw)
    return _Line(start, end, start, "row" if _is_row(bare) else "prose", raw)


def _is_code(raw: str, before: _Line | None) -> bool:
    """A prompt and what it printed, or indented lines that look like code or follow such."""
    if _PROMPT.match(raw):
        return True
    if before is not None and before.kind == "code":
        return raw.startswith(("    ", "\t")) or bool(_PROMPT.match(before.text))
    return bool(_CODE_LINE.match(raw)) and (before is None or before.kind == "blank")


def _may_open_item(before: _Line | None) -> bool:
    if before is None or before.kind != "prose":
        return True
    return before.text.rstrip().rstrip(_CLOSERS)[-1:] in _TERMINAL or len(before.text) < 40


def _is_row(line: str) -> bool:
    """Cells parted by bars or tabs, or a label with numbers in columns at its end."""
    if line.count("|") >= 2 or "\t" in line.strip():
        return True
    words = line.split()
    if len(words) < 2 or len(line) > 300:
        return False
    numeric = [bool(_NUMERIC.fullmatch(word)) for word in words]
    if not (numeric[-1] and any(ch.isdigit() for ch in words[-1] + words[-2])):
        return False
    tail = 0
    while tail < len(words) and numeric[-1 - tail]:
        tail += 1
    digits = sum(any(ch.isdigit() for ch in word) for word in words[-tail:])
    return digits >= 2 or (
        digits == 1
        and ("$" in words or line.lstrip().endswith("%"))
        and tail >= 1
        and len(words) <= 12
        and not line.rstrip().endswith(".")
    )


def _wrap_width(lines: list[_Line]) -> int:
    """The width at which the text was wrapped, or 0 where every line end was set on purpose."""
    lengths = sorted(len(line.text) for line in lines if line.kind in ("prose", "item"))
    if not lengths or lengths[-1] > 220:
        return 0
    width = lengths[int(0.95 * len(lengths))]
    full = sum(length > 0.85 * width for length in lengths)
    return width if full > 1 else 1_000  # one long line is no margin: only small letters join


def _joins(line: _Line, after: _Line, width: int) -> bool:
    """Whether the paragraph runs on: the next word would not have fitted on the line."""
    end, begin = line.text.rstrip(), after.text.lstrip()
    if end.rstrip(_CLOSERS)[-1:] not in _TERMINAL and (
        begin[:1].islower() or (begin[:1].isdigit() and len(end) > 90)
    ):
        return True  # a subscript set on its own line ("CO", "2") parts no sentence
    if not width:
        return False
    word = begin.split(None, 1)[0] if begin else ""
    room = len(word) + 1 if not _spaceless(begin[:1]) else 1
    return len(end) + room > 0.85 * width


def _spaceless(character: str) -> bool:
    """Whether the script is written without spaces (Chinese, Japanese, Thai, ...)."""
    return (
        "\u0e00" <= character <= "\u0eff"
        or "\u1000" <= character <= "\u109f"
        or (
            "\u2e80" <= character <= "\u9fff"
            or "\uf900" <= character <= "\ufaff"
            or "\uff00" <= character <= "\uffef"
            or "\U00020000" <= character <= "\U0003ffff"
        )
    )


def _unit(text: str, first: _Line, last: _Line) -> list[Sentence]:
    """The sentences of one paragraph or list item."""
    start, end = first.body, last.end
    spans = list(_sentence_spans(text, start, end))
    if len(spans) == 1 and first is last and first.kind == "prose" and _is_heading(first.text):
        return _piece(text, start, end, SentenceKind.HEADING)
    return [p for s, e in spans for p in _piece(text, s, e, SentenceKind.PROSE)]


def _is_heading(line: str) -> bool:
    bare = line.strip()
    return (
        bare.rstrip(_CLOSERS)[-1:] not in _TERMINAL
        and len(bare) < 90
        and len(bare.split()) <= 12
        and not (_spaceless(bare[0]) and len(bare) > 30)
    )


def _sentence_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for mark in _BOUNDARY.finditer(text, start, end):
        stop = mark.end()
        if stop >= end or _is_boundary(text, at, mark, end):
            yield from _cut_long(text, at, stop)
            at = stop
    yield from _cut_long(text, at, end)


def _is_boundary(text: str, start: int, mark: re.Match[str], end: int) -> bool:
    if mark.group()[0] in "。！？｡":
        return True
    follow = mark.end()
    while follow < end and text[follow].isspace():
        follow += 1
    if follow >= end:
        return True
    head = follow
    while head < end and not text[head].isalnum() and not text[head].isspace():
        head += 1
    if head < end and text[head].islower():
        return False
    if mark.group()[0] != "." or mark.group().startswith(".."):
        return True
    return not _is_abbreviation(
        text[max(start, mark.start() - 24) : mark.start()], text[follow : follow + 16]
    )


def _is_abbreviation(before: str, after: str) -> bool:
    """Whether the dot between the two ends an abbreviation, an initial or an ordinal number."""
    first = _FIRST_WORD.search(after)
    follower = first.group().casefold() if first else ""
    if _DOTTED.search(before):
        return follower not in STARTERS
    if counted := _COUNTED.search(before):
        if follower in MONTHS or follower in GERMAN_ORDINAL_AFTER:
            return True
        article = (counted.group(1) or "").casefold()
        return article in GERMAN_ORDINAL_BEFORE and follower not in STARTERS
    if _INITIAL.search(before):
        if before[-1:].islower():  # "z. B."
            return after[1:2] == "."
        return not (before[-1:] == "I" and follower in STARTERS)
    last = _LAST_WORD.search(before)
    word = last.group().casefold().replace(".", "") if last else ""
    if word in NUMBERED_ABBREVIATIONS:
        return follower[:1].isdigit()
    if word in SOFT_ABBREVIATIONS:
        return follower not in STARTERS
    return word in ABBREVIATIONS


def _cut_long(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The span, in parts of at most `MAX_SENTENCE` characters."""
    while end - start > MAX_SENTENCE:
        window = text[start : start + MAX_SENTENCE]
        cut = max(window.rfind(mark, MAX_SENTENCE // 2) for mark in (";", "；", "\n\n", ": "))
        if cut < 0:
            cut = max(window.rfind(mark, MAX_SENTENCE // 2) for mark in (" ", "\n", "，", "、"))
        cut = cut + 1 if cut > 0 else MAX_SENTENCE
        yield start, start + cut
        start += cut
    yield start, end
