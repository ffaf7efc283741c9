"""Understanding the question without a model: what is wanted, and which queries look for it (pure).

Typed as it is, a question is its own query. One that leans on the conversation ("and why?", "how
much does it cost?") gets what the conversation is about: the content words of the question before
it, the names of the answer to that, or the title that it cites. The plan says so. A question that
has nothing to do with what was said begins a new topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from core.text.terms import content_keys, fold, terms
from core.types import Level, Message, Notice, QueryPlan

_POINTING = frozenset(
    fold(word)
    for word in (
        "it its he him his she her they them their this that these those one ones there here then "
        "same such both another other else er ihn ihm sein seine seinen seiner sie ihr ihre ihren "
        "dies diese dieser dieses davon dazu dort dabei il elle ils elles lui leur leurs cela "
        "celui celle ceux él ella ellos ellas su sus esto eso aquello allí lo esso essa isso "
        "questo questa quello quella loro он она оно они его её ее их это этот эта эти"
    ).split()
)
"""Words that point back to something named before."""

_EMPTY = frozenset(
    fold(word)
    for word in (
        "more else further example detail mean meant reason continue exactly again question okay "
        "ok yes thank thanks please know want need tell sure help information talk talking idea "
        "good thing anything something heard"
    ).split()
)
"""Words that ask on, but name nothing."""

_IMPERSONAL = re.compile(
    r"\b(?:is|was|does|did|will|would|can) it\b(?=.*\b(?:that|to|for)\b)"
    r"|\b(?:is|are|was|were|will|would|can|could) there\b"
    r"|\bthere (?:is|are|was|were)\b|\bthat(?= \w+ \w+ \w+)|\bil (?:y a|faut|est)\b|\bes gibt\b"
    r"|\bgibt es\b",
    re.I,
)
"""Where "it", "there" and "that" stand for nothing."""

_FEW = 4  # a question that points back and has more words of its own stands alone
_VAGUE = 2  # words without a name that may or may not begin a new topic
_MOST_CARRIED = 8
_NAMES = 4
"""Names that are carried over from the last answer."""
_REMEMBERED = 6  # messages that a new question is compared with
_PREVIOUS = 10  # chunks of the conversation that are looked at again
_BOTH = re.compile(
    r"\b(?:compar\w+|differ\w*|versus|vs\.?|both|respectively|in common|similarit\w+|unlike|"
    r"vergleich\w*|unterschied\w*|gemeinsam|sowohl|beide[nrs]?|différen\w+|diferenc\w+|"
    r"differenz\w+|сравн\w+|отлич\w+|разниц\w+)\b",
    re.I,
)
_PARTS = re.compile(
    r"\?\s+\S|;|\b(?:and|und|et|y|и)\s+"
    r"(?:who|what|when|where|which|why|how|w[aeio]\w+|qu\w+|кто|что|когда|где|как)\b",
    re.I,
)
_CHAIN = re.compile(
    r"\b(?:who|which|that|whose|where)\b.{3,80}\b(?:of|by|in|from|for)\b.{3,80}"
    r"\b(?:who|which|that|whose|where)\b",
    re.I,
)


def plan_by_rule(
    question: str, history: Sequence[Message] = (), level: Level = Level.AUTO
) -> QueryPlan:
    """The plan by rule for a question after the messages of `history`, oldest first.

    `Level.AS_TYPED` takes the message as it is; any other level completes one that leans on the
    conversation. The plan's own level is always `AS_TYPED`: no model was asked.
    """
    typed = " ".join(question.split())
    leans = bool(history) and refers_back(typed)
    follows = leans or continues_topic(typed, history)
    carried = _carried(typed, history) if leans and level is not Level.AS_TYPED else ()
    if not carried:
        return QueryPlan(question, typed, (typed,), follows=follows)
    words = " ".join(carried)
    notice = Notice(
        "words-carried-over",
        f"The question points back, so words of the conversation were added: {words}.",
        "Ask again with these words in the question if something else was meant.",
        "info",
    )
    return QueryPlan(
        question, f"{typed} ({words})", (f"{typed} {words}",), notices=(notice,),
        follows=True, previous_chunks=previous_chunks(history),
    )  # fmt: skip


def refers_back(question: str) -> bool:
    """Whether a question names next to nothing, or little and points to something named before."""
    own = _content(question)
    words = _IMPERSONAL.sub(" ", question).split()
    points = any(fold(word.strip(".,;:!?'\"")) in _POINTING for word in words)
    return not own or (points and len(own) <= _FEW)


def choose_level(question: str, by_rule: QueryPlan) -> tuple[Level, str]:
    """The effort that a question is worth, and why.

    Alone and simple, it is taken as typed; where it asks for things that hardly stand in one
    place, the search goes in depth; else several queries look for it.
    """
    if _BOTH.search(question) or _CHAIN.search(question):
        return Level.IN_DEPTH, "it asks for things that may stand in different places"
    if _PARTS.search(question):
        return Level.SEVERAL, "it has several parts"
    if by_rule.notices:
        return Level.SEVERAL, "it leans on the conversation"
    return Level.AS_TYPED, "it stands by itself"


def previous_chunks(history: Sequence[Message]) -> tuple[str, ...]:
    """The chunks that the last answer rests on, cited ones first."""
    for message in reversed(history):
        if message.answer is not None:
            cited = [citation.chunk_id for citation in message.answer.citations]
            hits = message.answer.search.hits if message.answer.search else ()
            found = dict.fromkeys([*cited, *(hit.chunk.id for hit in hits)])
            return tuple(found)[:_PREVIOUS]
    return ()


def continues_topic(question: str, history: Sequence[Message]) -> bool:
    """Whether a question names anything that was said lately, or too little to tell."""
    own = set(content_keys(question))
    said = " ".join(message.text for message in history[-_REMEMBERED:])
    vague = len(own) <= _VAGUE and not _named(question)
    return bool(history) and (vague or bool(own & set(content_keys(said))))


def _carried(question: str, history: Sequence[Message]) -> tuple[str, ...]:
    """Names of the last answer, then the content words of the nearest question that has some.

    Where the answer has no names, the title of what it cites first stands for them.
    """
    own = set(content_keys(question))
    asked: Mapping[str, str] = {}
    for message in reversed(history):
        if message.role == "user" and (asked := _less(_content(message.text), own)):
            break
    asked = dict(list(asked.items())[:_MOST_CARRIED])
    last = next((m for m in reversed(history) if m.role == "assistant"), None)
    if last is None or not asked:
        return tuple(asked.values())
    said = {term.key: term.form for term in terms(last.text) if term.kind == "name"}
    names = _less(said, own | asked.keys())
    if not names and last.answer and last.answer.citations:
        names = _less(_content(last.answer.citations[0].title), own | asked.keys())
    return (*list(names.values())[:_NAMES], *asked.values())


def _less(words: Mapping[str, str], own: Iterable[str]) -> dict[str, str]:
    without = set(own)
    return {key: form for key, form in words.items() if key not in without}


def _named(question: str) -> bool:
    return any(term.kind in ("name", "number") for term in terms(question))


def _content(text: str) -> dict[str, str]:
    """The words that name something, by their stem, in order."""
    words: dict[str, str] = {}
    for term in terms(text):
        if term.kind != "stop" and fold(term.form) not in _EMPTY:
            words.setdefault(term.key, term.form)
    return words
