"""The question before with the like part replaced: "and in 2014?" (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from core.planning.follow_ups.comparing import asked_of_one
from core.planning.follow_ups.content import WORD, content_of, words_of
from core.planning.follow_ups.ellipsis import MONTH, NUMBER, PHRASE, YEAR
from core.planning.follow_ups.pronouns import PERSON, PREPOSITION, THING
from core.planning.follow_ups.turns import (
    Turn,
    common_in_sources,
    content_words_of,
    names_of,
    written_small,
)
from core.planning.table_questions import extreme_in
from core.text.carried import CARRIED
from core.text.terms import content_keys, fold

_ARTICLE = re.compile(r"(?:the|a|an|der|die|das|den|dem|le|la|el) ", re.I)
_DETERMINED = re.compile(
    r"\b(?:the|an?|der|die|das|den|dem|le|la|el|welche[mnrs]?|which|what|wie ?viele?"
    r"|how (?:many|much)) $",
    re.I,
)
"""What takes no article behind it."""
_OBJECT = re.compile(r"\b(?:i|you|we|they|to) \w+ ((?:the|an?|my|your) \w+)", re.I)
_THE = re.compile(
    r"(?<!\bdo )(?<!\bdoes )(?<!\bdid )(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bcan )"
    r"(?<!\bwill )\b(?:the|my|your|our) ([^\W\d_]+(?: [^\W\d_]+)?)$",
    re.I,
)
"""What ends a question with the article that another thing has: "your eyes" for "the heart"."""
_OF_IT = re.compile(
    r"\W*(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have) "
    r"(?:it|they|this|that|these|those|he|she)\b",
    re.I,
)
"""What asks for yes or no of something named before: "is it toxic"."""
_WHICH = re.compile(
    r"\W*(?:(?:and|so|ok|und),? )*(?:which|what|welche[mnrs]?) \w+(?<!\bis)(?<!\bare)(?<!\bwas)\b",
    re.I,
)
"""One thing of a kind: "which country", and not "what is"."""
_LABEL = re.compile(r"\W*([^\W\d][^|\d]*?)[\s|]+[^\w\s]?\d")
"""What a row of a table is called, before its figures."""
_PRONOUN = re.compile(r"\w+ (?:it|them|this|that|these|those|him|her)", re.I)
"""A preposition and a pronoun alone: "for it"."""
_IS_THERE = re.compile(r"\b(?:(?:is|are|was|were) there|there (?:is|are|was|were))\b", re.I)
"""What is no place that was named before: "is there a pool"."""
_TIME = re.compile(
    rf"{YEAR.pattern}|{MONTH.pattern}|\b(?:total|all|general|the (?:past|end|beginning)|year"
    r"|century|past|present|future|summer|winter|spring|autumn|jahr|jahrhundert)\b",
    re.I,
)
_ALIKE = 0.6


def _other_extreme(base: str, part: str) -> str:
    """A question after the most of something, asked after the least: "and the lowest?"."""
    new, old = extreme_in(part), extreme_in(base)
    if new is None or old is None or content_of(f"{part[: new[0]]} {part[new[1] :]}"):
        return ""
    return f"{base[: old[0]]}{part[slice(*new)]}{base[old[1] :]}?"


def _one_of_them(base: str, part: str, turn: Turn) -> str:
    """What has the most of something, asked after one of the other rows: "what about Linz?"."""
    extreme, kind = extreme_in(base), _WHICH.match(base)
    if extreme is None or kind is None or kind.end() > extreme[0]:
        return ""
    if not _is_label(part, turn):
        return ""
    rest = f"{base[kind.end() : extreme[0]]}{base[extreme[1] :]}"
    return f"{part}: {' '.join(rest.split())}?"


def _is_label(part: str, turn: Turn) -> bool:
    """Whether a line of what was cited is called so, and has figures: "Linz | 21"."""
    asked = set(content_of(part))
    cited = turn.answer.citations if turn.answer else ()
    lines = (_LABEL.match(line) for one in cited for line in one.passage.splitlines())
    return bool(asked) and any(line and asked <= set(content_keys(line[1])) for line in lines)


def _other_cell(base: str, part: str, turn: Turn) -> str:
    """What was asked of one row of a table that was cited, asked of another: "and Linz?"."""
    new = set(content_of(part))
    cited = turn.answer.citations if turn.answer else ()
    for one in cited:
        rows = [line.split("|") for line in one.passage.splitlines() if line.count("|") > 1]
        named = [[set(content_keys(cell)) for cell in row] for row in rows[1:]]
        if not new or not any(new in row for row in named):
            continue
        words = (word for word in words_of(base) if content_of(word))
        old = next((word for word in words if any({*content_of(word)} in row for row in named)), "")
        if old and not old.isdigit():
            return f"{_with(base, old, part)}?"
    return ""


def replaced_in(turn: Turn, part: str) -> str:
    """The question of a turn with the part that is like `part` replaced by it."""
    base = turn.goal.rstrip(" ?!.")
    for pattern in (YEAR, MONTH, NUMBER):
        new, old = pattern.search(part), list(pattern.finditer(base))
        if new and old:
            return f"{base[: old[-1].start()]}{new.group()}{base[old[-1].end() :]}?"
    if other := _other_extreme(base, part) or asked_of_one(base, part):
        return other
    phrase = PHRASE.match(part)
    if phrase:
        old = list(
            re.finditer(rf"\b{phrase['preposition']}\s+[^()?]+?(?=\s+(?:{PREPOSITION})\b|\s*\(|$)",
                        base, re.I)
        )  # fmt: skip
        timed = YEAR.search(part) or MONTH.search(part)
        if not old or (timed and not _TIME.search(old[-1].group())):
            carried = CARRIED.search(base)
            end = carried.start() if carried else len(base)
            return (
                f"{base[:end]} {part}{base[end:]}?"  # "in 2010" takes no place away: "live in Graz"
            )
        behind = base[old[-1].end() :]
        if _PRONOUN.fullmatch(old[-1].group()):
            behind = CARRIED.sub("", behind)  # what stood for "it"
        return f"{base[: old[-1].start()]}{part}{behind}?"
    for one in words_of(part):
        for word in words_of(base):
            alike = SequenceMatcher(None, one.casefold(), word.casefold()).ratio() >= _ALIKE
            if alike and fold(one) != fold(word) and content_of(word) and len(one) > 4:
                return f"{_with(base, word, one)}?"
    of_it = _OF_IT.match(base) is not None
    plain = _IS_THERE.sub(" ", base)
    for word in plain.split():
        pronoun = fold(word.strip(".,")) in PERSON | THING
        if pronoun and (of_it or not _is_of_the_source(part, turn)):
            return f"{_with(base, word, part)}?"
    if one := _one_of_them(base, part, turn) or _other_cell(base, part, turn):
        return one
    if _ARTICLE.match(part) and _THE.match(part) and (last := _THE.search(base)):
        return f"{base[: last.start(1)]}{_ARTICLE.sub('', part, count=1)}?"
    names = names_of(turn) or (content_words_of(turn) if len(content_of(base)) == 1 else [])
    if _ARTICLE.match(part) and (object_ := _OBJECT.search(base)):
        return f"{base[: object_.start(1)]}{part}{base[object_.end(1) :]}?"
    if content_of(part) and set(content_of(part)) <= written_small(turn):  # "and profit?"
        names = [word for word in content_words_of(turn) if word not in names] or names
    elif content_of(part) and _is_of_the_source(part, turn):
        common = common_in_sources(turn)
        words = [word for word in content_words_of(turn) if not word.isdigit()]
        names = [word for word in words if common.issuperset(content_keys(word))] or names
    span = _span(base, names)
    if span is None:
        return f"{part} ({' '.join(content_words_of(turn))})"
    before = base[: span[0]]
    part = _ARTICLE.sub("", part, count=1) if _DETERMINED.search(before) else part
    return f"{before}{part}{base[span[1] :]}?"


def _is_of_the_source(part: str, turn: Turn) -> bool:
    """Whether a passage of the answer has what is asked now, which was typed as no name.

    After "how many employees did they have in 2010", "and revenue?" is another column.
    """
    return part.islower() and set(content_of(part)) <= common_in_sources(turn)


def _span(text: str, words: Sequence[str]) -> tuple[int, int] | None:
    """Where the first of `words` stands in a text, with those of them right behind it."""
    places = [(m.start(), m.end()) for m in WORD.finditer(text) if m.group() in words]
    if not places:
        return None
    start, end = places[0]
    for first, last in places[1:]:
        if text[end:first].strip():
            break
        end = last
    return start, end


def _with(text: str, word: str, new: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda found: new, text, count=1)
