"""What "he" and "it" are in the sentence that opens an answer, by what stands before it (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.question.answer_types import Wanted, asks_count, wanted
from core.answering.extractive.question.kinds import asks_who_one_is
from core.answering.extractive.question.measures import COUNT
from core.answering.extractive.sentences.candidates import Candidate, is_sentence
from core.answering.extractive.sentences.opening.subject import BRACKETED
from core.text.terms import content_keys

LONGEST = 60
"""Words of a sentence that is quoted to name somebody or something."""
_WHEN = r"(?:(?:In|On|At|After|By|From|During|Since|As|Seit|Ab|Von|Bis)\b[^,.]{1,40},? (?:\w+ )?)?"
_HE = re.compile(
    _WHEN + r"(?:[Hh]e|[Ss]he|(?:[Hh]is|[Hh]er)(?! [a-z]+ [A-Z])|Er|Sie|Seine?|Ihre?)\s"
)
"""What has "he" for its subject: "In 1986, he starred in it", not "his wife Jo sang it"."""
_IT = re.compile(_WHEN + r"(?:[Ii]t|[Tt]hey|[Ii]ts|[Tt]heir|The (?:term|word|name)(?= also))\s")
_OF_WHOM = re.compile(
    r"\b(?:whom\b|we[nm]\b|who (?:did|does|do|will|would|can|should)\b"
    r"|who (?:is|are|was|were)\b.*\b(?:to|for|with|by|from|about|after)(?=\W*$))",
    re.I,
)
"""A question of which "who" is no subject: "who did he write it for", "who is it named after"."""
_ASKS = re.compile(
    r"\b(?:wh(?:at|ich|y|o|om|ose|en|ere)|whats|how|w(?:er|en|em|as|ie|o|arum|ann|elche\w?))\b"
    r"|^\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|must|list"
    r"|show|give|tell|name|explain|describe|ist|sind|war|hat|haben|kann|wird|nenne|zeige?)\b",
    re.I,
)
_WHAT_KIND = re.compile(
    r"\b(?:what|which|welche[mnrs]?) (?:(?:kind|type|sort)s? of )?(?P<noun>[^\W\d_]{3,})", re.I
)
_THESE = re.compile(r"\b(?:this|these|such|diese[mnrs]?) ([^\W\d_]{3,})", re.I)
_SUCH = re.compile(
    r"(?:Such|This|These|That|Those)(?: \w+){0,2} (?:is|are|was|were) (?:\w+ )?"
    r"(?:called|named|termed|known as|referred to as)\b"
)
"""What gives its name to what the sentence before it tells."""
_OF_THESE = re.compile(
    r"(?:(?:Of|Among) (?:the|these|those|them|all)\b[^,]{0,60},"
    r"|Von (?:den|diesen|ihnen)\b[^,]{0,40}?\b(?:sind|waren|haben|hatten|wurden)\b|Davon\b)"
)
_CAPITALISED = r"[^\W\d_a-zß-ÿ][\w'’.-]+"
_NAME = re.compile(rf"(?<!\w)(?<!the )(?<!The ){_CAPITALISED}(?: {_CAPITALISED})+")
_ONE_NAME = re.compile(rf"{_CAPITALISED}(?= (?:is|was|ist|war|\())")
_SUBJECT = re.compile(
    r"(?:\S+\s+){0,7}?\S+(?=\s+(?:is|are|was|were|has|have|had|ist|sind|war|waren)\b)"
)
_START_WORDS = 8


def named_before(
    question: str, best: Candidate, candidates: Sequence[Candidate]
) -> Candidate | None:
    """Return the sentence that names what the best one only calls "he" or "it", if it must be.

    "She was the first woman in space" says to nobody who she is. The nearest sentence before it
    tells, where only sentences about "her" stand between them. "It" needs one where a thing is
    described and not named ("power plant that blew up"), "Paige" the sentence that first names
    Jason Paige, and so do "these devices" where the
    question is for "what device".
    """
    asked, text = set(content_keys(question)), best.sentence.text
    if asks_count(question) and _is_share(text, asked):
        whole = next((one for one in candidates if _is_before(one, best)), None)
        return whole if whole and COUNT.search(whole.sentence.text) else None
    if wanted(question) is Wanted.DEFINITION and _SUCH.match(text):
        return next((one for one in candidates if _is_before(one, best)), None)
    described = not _ASKS.search(question) and wanted(question) is Wanted.OTHER
    of_person = (_asks_who(question) or described) and _HE.match(text) is not None
    unsaid = _asks_who(question) and not _has_full_name(text, asked)
    unsaid = unsaid and not asks_who_one_is(question)
    if unsaid and (name := _full_name(best, candidates)):
        return name
    of_these = _says_these(question, text)
    if not (of_person or of_these or (_IT.match(text) and (described or unsaid))):
        return None
    before = (
        one
        for one in candidates
        if one.hit == best.hit and one.sentence.end <= best.sentence.start and is_sentence(one)
    )
    for one in sorted(before, key=lambda one: one.sentence.start, reverse=True):
        said = one.sentence.text
        if _HE.match(said) or _IT.match(said):
            continue
        known = set(content_keys(_name_at_start(said) if of_person else _subject(said)))
        new = bool(known) and (of_these or not known <= asked)
        return one if new and len(said.split()) <= LONGEST else None
    return None


def _full_name(best: Candidate, candidates: Sequence[Candidate]) -> Candidate | None:
    """The sentence above that opens with the name of whom the best one calls by half of it."""
    above = (one for one in candidates if one.hit == best.hit and is_sentence(one))
    for one in above:
        words = _name_at_start(one.sentence.text).split()
        is_before = one.sentence.end <= best.sentence.start
        if len(words) > 1 and is_before and best.sentence.text.startswith(f"{words[-1]} "):
            return one if len(one.sentence.text.split()) <= LONGEST else None
    return None


def _is_share(text: str, asked: set[str]) -> bool:
    """Whether a sentence only parts what is counted: "Of the dead, 19 were students"."""
    found = _OF_THESE.match(text)
    return found is not None and asked.isdisjoint(content_keys(text[found.end() :]))


def _is_before(one: Candidate, other: Candidate) -> bool:
    return one.hit == other.hit and one.sentence.text == other.before and is_sentence(one)


def _asks_who(question: str) -> bool:
    """Whether somebody is asked for who does something: not "whom", nor "who did he meet"."""
    plain = BRACKETED.sub("", question)
    return wanted(question) is Wanted.PERSON and not _OF_WHOM.search(plain)


def _says_these(question: str, text: str) -> bool:
    kind = _WHAT_KIND.search(question)
    keys = content_keys(kind["noun"]) if kind else []
    return bool(keys) and any(content_keys(noun) == keys for noun in _THESE.findall(text))


def _has_full_name(text: str, asked: set[str]) -> bool:
    return any(asked.isdisjoint(content_keys(one)) for one in _NAME.findall(text))


def _subject(text: str) -> str:
    """What a sentence is about, by its first words: what stands before its verb."""
    found = _SUBJECT.match(text)
    return found.group() if found else _start(text)


def _start(text: str) -> str:
    return " ".join(text.split()[:_START_WORDS])


def _name_at_start(text: str) -> str:
    """The name that a sentence begins with, "" without one: "In 2007, Jo Reed"."""
    found = _NAME.search(_start(text)) or _ONE_NAME.match(_start(text))
    return found.group() if found else ""
