"""Find where sentences of running text end, in any script; "Dr." ends none (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.text.word_lists import (
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

_PAGES = r"\d+(?:[–-]\d+)?"
_NOTE = rf"\[[\w ,;:–-]{{1,12}}\](?::\s?{_PAGES}(?:,\s?{_PAGES})*)?"
"""The number of a note, with the pages that some encyclopaedias set behind it: "[14]: 108"."""
_BARE_PAGES = rf"(?<=\w{{4}}[.!?]):{_PAGES}(?:,\s?{_PAGES})*(?=\s+[\"“‘'(]?[^\W\da-zß-ÿ])"
"""The same where the number of the note was lost, before another sentence: "the works.:33 He"."""
_BOUNDARY = re.compile(
    r"[。！？｡][」』）】》〉”’\"]*"
    rf"|[.!?…؟۔।॥።]+[\"'”’»›)\]*_]*(?:{_BARE_PAGES}|(?:{_NOTE})*)(?=\s)"
)
_CODE_OPENS = "`"
"""What a sentence may begin with before a small letter: "`get()` blocks."."""
_INITIAL = re.compile(r"(?:^|[\s(\"'“‘«.\-])[^\W\d_]$")
_DOTTED = re.compile(r"(?:^|[\s(])(?:[^\W\d_]\.){1,5}[^\W\d_]$")
_COUNTED = re.compile(r"(?:(\w+)\s+)?(?:\d{1,3}|[IVX]{1,5})$")
_LAST_WORD = re.compile(r"[\w.]+$")
_FIRST_WORD = re.compile(r"\w+")
_BRACKET = re.compile(r"\([^()]{1,60}\)")
_GOES_ON = re.compile(r"\s*(?:[,;:]|[a-zß-ÿ])")
"""What shows behind a bracket that the sentence around it is not at its end."""
_LONGEST_BRACKET = 240


def sentence_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Return the spans of the sentences of `text[start:end]`, each at most `MAX_SENTENCE` long."""
    at = start
    for mark in _BOUNDARY.finditer(text, start, end):
        stop = mark.end()
        if stop >= end or _is_boundary(text, at, mark, end):
            yield from _cut_long(text, at, stop)
            at = stop
    yield from _cut_long(text, at, end)


def _is_boundary(text: str, start: int, mark: re.Match[str], end: int) -> bool:
    """Whether the full stop `mark` ends a sentence of the text from `start` on."""
    if mark.group()[0] in "。！？｡":
        return True
    if text.endswith("(", start, mark.start()):
        return False  # "about 300 (!) a year"
    follow = mark.end()
    while follow < end and text[follow].isspace():
        follow += 1
    if follow >= end:
        return True
    head = follow
    while head < end and not text[head].isalnum() and not text[head].isspace():
        head += 1
    if head < end and text[head].islower() and text[follow] not in _CODE_OPENS:
        return False
    if (
        _is_left_out(text, start, mark)
        or _leads(text, mark, follow)
        or _is_bracketed(text, start, mark.start(), follow, end)
    ):
        return False
    if mark.group()[0] != "." or mark.group().startswith(".."):
        return True
    return not _is_abbreviation(
        text[max(start, mark.start() - 24) : mark.start()], text[follow : follow + 16]
    )


def _is_left_out(text: str, start: int, mark: re.Match[str]) -> bool:
    """Whether three dots between spaces leave words out of what somebody is quoted to say."""
    dots = mark.group() in ("...", "…") and text[mark.start() - 1 : mark.start()] == " "
    said = text[start : mark.start()]
    return dots and (said.count('"') % 2 == 1 or said.count("“") > said.count("”"))


def _leads(text: str, mark: re.Match[str], follow: int) -> bool:
    """Whether a full stop is one of those that lead from a title to its page: "Wind ..... 12"."""
    if text.startswith(" .", mark.end()):
        return True
    several = mark.group().startswith("....") or text.endswith(". ", 0, mark.start())
    return several and text[follow].isdigit()


def _is_bracketed(text: str, start: int, stop: int, follow: int, end: int) -> bool:
    """Whether a sentence goes on behind a bracket that is open here, or opens next.

    "(lit. 'a little', plural ...) are", "in Airplane! (1980), Jo Reed in".
    """
    if bracket := _BRACKET.match(text, follow, end):
        return text[stop] != "." and _GOES_ON.match(text, bracket.end(), end) is not None
    opened = text.rfind("(", start, stop)
    if opened <= start or text.find(")", opened, stop) >= 0:
        return False
    closed = text.find(")", stop, min(end, opened + _LONGEST_BRACKET))
    return closed >= 0 and _GOES_ON.match(text, closed + 1, end) is not None


def _is_abbreviation(before: str, after: str) -> bool:
    """Whether the dot between the two belongs to an abbreviation, initial or ordinal number."""
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
        if before[-1:].islower():  # "z. B.", "c. 1550"
            numbered = before[-1:] in NUMBERED_ABBREVIATIONS and follower[:1].isdigit()
            return numbered or after[1:2] == "."
        return not (before[-1:] == "I" and follower in STARTERS)
    last = _LAST_WORD.search(before)
    word = last.group().casefold().replace(".", "") if last else ""
    if word in NUMBERED_ABBREVIATIONS:
        return follower[:1].isdigit()
    if word in SOFT_ABBREVIATIONS:
        return follower not in STARTERS
    return word in ABBREVIATIONS


def _cut_long(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split a span into parts of at most `MAX_SENTENCE` characters."""
    while end - start > MAX_SENTENCE:
        window = text[start : start + MAX_SENTENCE]
        cut = max(window.rfind(mark, MAX_SENTENCE // 2) for mark in (";", "；", "\n\n", ": "))
        if cut < 0:
            cut = max(window.rfind(mark, MAX_SENTENCE // 2) for mark in (" ", "\n", "，", "、"))
        cut = cut + 1 if cut > 0 else MAX_SENTENCE
        yield start, start + cut
        start += cut
    yield start, end
