"""Whether what would be quoted is of something else than what is asked for (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.question.answer_types import (
    MADE,
    OF_MONEY,
    Wanted,
    asked_keys,
    asks_price,
    wanted,
)
from core.answering.extractive.question.happenings import names_happening
from core.answering.extractive.question.measures import AGE, DURATION, FREQUENCY, SIZE, measure
from core.answering.extractive.scored import Scored
from core.answering.extractive.sentences.opening.subject import BRACKETED
from core.answering.extractive.sentences.reading import ENGLISH, SURE
from core.answering.extractive.structures.quotes import Quote
from core.citations.passages import passage_of
from core.planning.paraphrases import formal_words
from core.text.languages import language_of
from core.text.other_words import MARK, ReadAs
from core.text.terms import content_keys, terms
from core.types import Hit

NOT_TOLD = -2.0
"""A score of the reader below which a date or a count is not of what happened, where no passage has
a word of the question for that: "when did Graz join the league?"."""
NO_COUNT = -4.0
"""The same where how many is asked for, or a name of the question is not told of."""
UNLIKELY = -8.0
"""A score of the reader that hardly any answer has."""
MEASURED = 3.0
"""A score of the reader from which on how long something was may be said without a number: "for
life"."""
NAMES_KNOWN = 0.8
"""The confidence from which on names of a question may be missing around what answers it."""
KNOWN = 0.9
"""The same of what several are asked for of: "the symptoms of measles"."""
DOING = frozenset(
    content_keys(
        "make made do done use used get got go have need want gibt geben gab haben hat hatte machen"
        " macht gemacht tun gehen geht brauchen think thinks thought like likes want wants feel"
        " believe denken denkt glauben glaubt meinen meint wollen ok okay today somewhere kind"
        " kinds diff difference differ against without big another"
    )
)
"""What most sentences speak of, or only asks."""
_LEAST_READ = {Wanted.TIME: NOT_TOLD, Wanted.NUMBER: NOT_TOLD, Wanted.OTHER: -6.5}
"""The scores of the reader below which a word of the question has to stand around what opens, by
what is asked for: a date and a count are read surely. A reason, a name and a meaning are told in
words of their own, so there it is `UNLIKELY`."""
_ASKS = re.compile(
    r"\W*(?:(?:and|so|ok|but|then)\W+)*(?:wh\w+|how|is|are|was|were|do|does|did|can|could|has|have"
    r"|had|will|would|should|(?:in|at|for|from|to|on|by) (?:wh\w+|how))\b",
    re.I,
)
"""What begins a question that is written out."""
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_WHO_MADE = re.compile(rf"\bwho (?:\w+ )?(?P<made>{MADE}\w*)", re.I)
_FOUND = frozenset(content_keys("found"))
"""What is said of who found something, and of who founds a company."""
_SEVERAL = re.compile(
    r"\bwhat (?:are|were) the (?!\d|two\b|three\b|four\b|five\b|six\b)(?:[a-z]+ ){0,2}?"
    r"(?P<noun>[a-z]+s) (?:of|for|from|in|on|to|with)\b",
    re.I,
)
"""Several things of a kind that belong to something: "what are the symptoms of it"."""


def tells_of_others(
    question: str,
    belief: float,
    quotes: Sequence[Quote],
    scored: Scored,
    read_as: ReadAs = set,
    *,
    translated: bool = False,
) -> bool:
    """Whether a word of the question stands nowhere around what opens, and it is in doubt.

    "What storm hit Graz?" is not answered by a storm elsewhere, nor "when was the act abolished?"
    by when it was passed, nor what something costs by the price of quite another thing. "US" and
    "EU" have other names.
    """
    best = best_read(scored)
    if not quotes or language_of(question) not in ENGLISH:
        return False
    if best >= SURE:
        return not scored.reads and belief < KNOWN and _lacks_kind(question, quotes, scored)
    around = read_as(said_around(scored.hits[quotes[0].candidate.hit]))
    named = {one.key for one in terms(question) if one.kind == "name" and not one.form.isupper()}
    if belief < NAMES_KNOWN and best < NO_COUNT and not named <= around:
        return True
    if translated:
        return False  # it has words of ours
    typed = BRACKETED.sub("", question)
    asked = asked_keys(typed) & names_happening(typed)[0] - DOING - OF_MONEY
    said = {one.removeprefix(MARK) for one in around}
    if asks_price(typed) and asked:
        return said.isdisjoint(asked)
    if best >= _LEAST_READ.get(wanted(question), UNLIKELY) or not _ASKS.match(question):
        return False
    return not asked <= said and said.isdisjoint(content_keys(" ".join(formal_words(typed))))


def _lacks_kind(question: str, quotes: Sequence[Quote], scored: Scored) -> bool:
    """Whether several of a kind are asked for, and prose is quoted that stands by no word for it.

    The reader reads no such question.
    """
    named = _SEVERAL.search(question)
    if named is None or any(one.form != "prose" for one in quotes):
        return False
    around = set[str]().union(*(said_around(scored.hits[one.candidate.hit]) for one in quotes))
    return around.isdisjoint(content_keys(f"{named['noun']} {' '.join(formal_words(question))}"))


def lacks_maker(asked: str, quotes: Sequence[Quote], scored: Scored) -> bool:
    """Whether it is asked who made or found something, and no quote tells of that, or surely.

    "Who discovered the gas?" is not answered by whom it killed.
    """
    made = _WHO_MADE.search(asked)
    if made is None or best_read(scored) >= SURE:
        return False
    told = names_happening(made["made"])[1] - _FOUND | set(content_keys(made["made"]))
    texts = [part.text for quote in quotes for part in quote.parts]
    texts += [text for one in quotes for text in (one.candidate.before, one.candidate.under)]
    return told.isdisjoint(content_keys(" . ".join(texts)))


def lacks_measure(asked: str, quotes: Sequence[Quote], scored: Scored) -> bool:
    """Whether how long, far or fast is asked for, and nothing says it, nor is surely read to."""
    shape = measure(asked)
    prose = all(one.form == "prose" and one.candidate in scored.reads for one in quotes)
    if shape is None or shape in (AGE, FREQUENCY, SIZE) or not prose:
        return False
    texts = [part.text for quote in quotes for part in quote.parts]
    best = max((scored.reads[one.candidate].score for one in quotes), default=MEASURED)
    told = (shape, DURATION, _YEAR)  # how fast and how far are told by how long it takes too
    return best < MEASURED and not any(one.search(text) for one in told for text in texts)


def said_around(hit: Hit) -> list[str]:
    """The keys of a passage, and of what it stands under."""
    named = (hit.document.title, hit.document.label, *hit.chunk.headings, passage_of(hit)[0])
    return content_keys(" . ".join(named))


def best_read(scored: Scored) -> float:
    """The reader's best score, that of what it is sure of where it has read nothing."""
    return max((read.score for read in scored.reads.values()), default=SURE)
