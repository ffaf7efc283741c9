"""Whether what would be quoted answers the question; else a refusal that says why."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from core.answering.extractive.doubts import (
    DOING,
    NO_COUNT,
    NOT_TOLD,
    UNLIKELY,
    best_read,
    lacks_maker,
    lacks_measure,
    said_around,
)
from core.answering.extractive.question.answer_types import (
    STRICT,
    Wanted,
    advises,
    asks_advice,
    asks_age,
    asks_count,
    asks_price,
    contact,
    countable,
    insists,
    names_what_is_asked,
    says_age,
    says_amount,
    says_price,
    states,
    wanted,
)
from core.answering.extractive.question.happenings import names_event, names_happening
from core.answering.extractive.question.kinds import asks_yes_or_no, questions_of
from core.answering.extractive.scored import Scored
from core.answering.extractive.sentences.abstention import THRESHOLD
from core.answering.extractive.sentences.candidates import is_sentence
from core.answering.extractive.sentences.opening.rows import is_row_asked_for
from core.answering.extractive.sentences.opening.telling import is_field
from core.answering.extractive.sentences.quotable import is_quotable
from core.answering.extractive.sentences.reading import ENGLISH, surely_read
from core.answering.extractive.structures.quotes import Quote
from core.citations.passages import citation_of, passage_key, passage_of, unused
from core.planning.follow_ups.completing import CARRIED_OVER
from core.planning.follow_ups.leaning import is_only_number
from core.planning.numbered_questions import number_asked
from core.planning.paraphrases import formal_words
from core.text.languages import language_of
from core.text.other_words import ReadAs, reading
from core.text.sentences import SentenceKind
from core.text.terms import content_keys, terms
from core.types import Abstention, Answer, Hit, QueryPlan, SearchResult

NOT_SEEN = 0.0
"""The same where no passage has a word that was typed of what was spoken of."""
READ_WEIGHT = 0.4
"""What the reader's best score counts beside a low confidence, both as logits."""
BELIEVED = -0.5
"""The sum of both from which on an answer is believed to be there, though the confidence is low."""
DOUBT_WEIGHT = 0.6
"""What the reader's best score counts where the confidence is high: it knows "the capital of
Finland" from "capital expenditure"."""
DOUBTED = -2.8
"""The sum of both below which no answer is there, though the confidence is high."""
NEAR = -4.0
"""A score of the reader below which the sentence that comes nearest is not shown with a refusal."""
SURE_OF_AMOUNT = 2.5
"""The same where how much is asked for and the sentence has an amount of money."""
_OF_CONTACTS = (
    "phone telephone mobile fax hotline number call contact email mail address website homepage web"
    " site url telefon telefonnummer nummer"
)
"""What only says that somebody is to be reached, and by what."""
_TOLD = frozenset({Wanted.TIME, Wanted.PLACE, Wanted.PERSON})
"""What is told of somebody or something in words of its own."""
_DATED = frozenset({Wanted.TIME, Wanted.PERSON})
"""What is told of what happened; where it did is told in many other words."""
_NAME_ASKED = re.compile(
    r"\bwhat(?:['’]?s| is| was| are| were) (?:(?:his|her|its|their|[\w-]+['’]s?) "
    r"(?:[\w'’]+ ){0,2}names?\b|(?P<of>the (?:\w+ )?names? of)\b)",
    re.I,
)
_CASE = re.compile(r"\b(?:if|when|wenn|falls)\b", re.I)
"""What asks of a case, which is told in words of its own, as a reason is."""
_FIGURE = re.compile(r"\d")


def words_unsaid(
    question: str, quotes: Sequence[Quote], result: SearchResult, scored: Scored
) -> tuple[str, ...]:
    """The words of a question without which nothing answers it, and which nothing found has."""
    read_as = reading(result.plan.also)
    return _unsaid(result, scored, read_as) or _untold(question, quotes, scored, read_as)


def holds_answer(question: str, asked: str, quotes: Sequence[Quote], scored: Scored) -> bool:
    """Whether quotes have what the question insists on: a person, a date, a count, advice."""
    if _is_unread(asked, quotes, scored) or (asks_advice(asked) and not _is_advice(quotes)):
        return False
    named = _NAME_ASKED.search(asked)  # "what is his wife's name": names stand everywhere
    if named and best_read(scored) < (NO_COUNT if named["of"] else NOT_SEEN):
        return False
    dated = wanted(question) in _DATED and insists(question)  # as it was typed: a question that
    insisting = insists(asked) or dated  # was put into another language has no grammar
    if lacks_measure(asked, quotes, scored) or lacks_maker(asked, quotes, scored):
        return False
    return not insisting or holds_wanted(asked, quotes)


def _unsaid(result: SearchResult, scored: Scored, read_as: ReadAs) -> tuple[str, ...]:
    """The words that were typed of what was spoken of, where no passage has any of them; else ().

    So it is for yes or no, for when, where and who, and where the reader finds nothing either.

    "Is it vegan?" is not answered by what else is said of the bread, nor "where is he buried?" by
    where he was born.
    """
    plan = result.plan
    question = _read(plan)
    if not plan.follows or not question:
        return ()
    around = set[str]().union(*(read_as(said_around(hit)) for hit in scored.hits))
    formal = set(content_keys(" ".join(formal_words(question))))
    named, told = names_happening(question)
    happened = named and wanted(question) in _TOLD and around.isdisjoint(told | formal)
    if happened and (told != named or not surely_read(scored.reads)):
        return _forms(question, named)  # of other verbs the reader may know other words
    best = best_read(scored)
    named, told = named - DOING, told - DOING
    reworded = wanted(question) is Wanted.REASON or _CASE.search(result.plan.goal) is not None
    seen = best >= NOT_SEEN or reworded
    if named and not (seen or is_only_number(question)) and around.isdisjoint(told | formal):
        return _forms(question, named)
    typed = set(content_keys(question)) - DOING
    unread = best < UNLIKELY
    if not ((unread or asks_yes_or_no(question)) and typed) or surely_read(scored.reads):
        return ()
    return _forms(question, typed) if around.isdisjoint(typed | formal) else ()


def _read(plan: QueryPlan) -> str:
    """The question as it was typed, in the language of the documents.

    "" where it was put into theirs together with what was carried over: the two cannot be told
    apart then.
    """
    if not plan.translated:
        return plan.question
    return plan.translated if plan.goal == " ".join(plan.question.split()) else ""


def _untold(
    question: str, quotes: Sequence[Quote], scored: Scored, read_as: ReadAs
) -> tuple[str, ...]:
    """The words of a question for what happened, where nothing around the quotes tells of it.

    "When did Jo die?" is not answered by when she took over. Where the reader is sure it is told in
    other words.
    """
    of_time = wanted(question) is Wanted.TIME and language_of(question) in ENGLISH
    if of_time and best_read(scored) < NOT_TOLD:
        around = set[str]().union(*(read_as(said_around(hit)) for hit in scored.hits))
        named, told = names_happening(question)
        if missing := named - around - (told if told != named and told & around else set()):
            return _forms(question, missing)
    event, told = names_event(question)
    if not event or wanted(question) not in _DATED or surely_read(scored.reads):
        return ()
    asked = set(content_keys(question))
    if wanted(question) is Wanted.PERSON and quotes and is_field(quotes[0].candidate, asked):
        return ()  # "Minutes: Jo Reed" says who wrote them
    around = set[str]().union(*(read_as(said_around(scored.hits[one.hit])) for one in quotes))
    return _forms(question, event) if around.isdisjoint(told) else ()


def _is_unread(asked: str, quotes: Sequence[Quote], scored: Scored) -> bool:
    """Whether a count, or who did it, is asked for, and the reader sees none in what is quoted."""
    made = wanted(asked) is Wanted.PERSON and insists(asked)
    if not (asks_count(asked) or made) or len(questions_of(asked)) > 1:
        return False
    if any(one.candidate not in scored.reads for one in quotes):
        return False
    read = [one.candidate for one in quotes if one.candidate.sentence.kind is SentenceKind.PROSE]
    return bool(read) and all(scored.reads[one].score < NO_COUNT for one in read)


def is_believed(question: str, belief: float, scored: Scored) -> bool:
    """Whether the passages are believed to answer: by the confidence, and by what was read.

    The confidence counts words and meaning, of which a question in other words than the text's has
    few; the reader knows such an answer, and that what shares the words is none. It knows English.
    """
    if not scored.reads or language_of(question) not in ENGLISH:
        return belief >= THRESHOLD
    logit = math.log(max(belief, 1e-6) / max(1 - belief, 1e-6))
    doubted = belief < THRESHOLD
    weight, least = (READ_WEIGHT, BELIEVED) if doubted else (DOUBT_WEIGHT, DOUBTED)
    return logit + weight * best_read(scored) >= least


def is_sure(question: str, result: SearchResult, scored: Scored) -> bool:
    """Whether the reader is sure of a sentence, and its passage has every word that was typed.

    "It is run by Jo Reed" shares few words with "who runs the Golden Pike". So does "call 0800 555"
    with "what is the phone number": what has the form asked for is as good.
    """
    sure = surely_read(scored.reads)
    read_as = reading(result.plan.also)
    asked = set(content_keys(result.plan.own or question))
    if shape := contact(result.plan.own or question):
        sure = next((one for one in scored.candidates if shape.search(one.sentence.text)), sure)
        asked -= set(content_keys(_OF_CONTACTS))
        return sure is not None and asked <= read_as(said_around(scored.hits[sure.hit]))
    if sure is None:
        return False
    if scored.reads[sure].score >= SURE_OF_AMOUNT and says_amount(question, sure.sentence.text):
        return True
    return bool(asked) and asked <= read_as(content_keys(passage_of(scored.hits[sure.hit])[0]))


def has_number(asked: str, quotes: Sequence[Quote]) -> bool:
    """Whether a quote has the number of which one is asked for: "number 9?"; True without one."""
    found = number_asked(asked)
    if found is None or found.placed:
        return True
    parts = (part.text for quote in quotes for part in quote.parts)
    around = (text for quote in quotes for text in (quote.candidate.under, quote.candidate.before))
    said = content_keys(" . ".join((*parts, *around)))
    return str(found.number) in said and not is_only_number(asked)


def _is_advice(quotes: Sequence[Quote]) -> bool:
    return any(advises(part.text) for quote in quotes for part in quote.parts)


def holds_wanted(asked: str, quotes: Sequence[Quote]) -> bool:
    """Whether a quote has what the question wants: a person, a date, a count; else anything.

    A list or a table that is quoted whole can be counted.
    """
    kind = wanted(asked)
    if (shape := contact(asked)) is not None:
        return any(shape.search(part.text) for quote in quotes for part in quote.parts)
    counted = kind in STRICT or asks_price(asked)
    priced = asks_price(asked)  # a list may be of anything
    forms = ("table",) if priced else ("list", "table")
    whole = (one for one in quotes if one.form in forms and not one.columns)
    if not counted or any(whole):
        return True
    keys = set(content_keys(asked))
    rows = (
        quote.candidate for quote in quotes if quote.candidate.sentence.kind is SentenceKind.ROW
    )
    if any(
        (asks_age(asked) or is_row_asked_for(asked, row, keys))
        and _FIGURE.search(row.sentence.text)
        for row in rows
    ):
        return True  # the unit stands in the header, or in the name of a field
    texts = [part.text for quote in quotes for part in quote.parts]
    around = [quote.candidate.under for quote in quotes]
    named = any(names_what_is_asked(asked, text) for text in (*texts, *around))
    return named and any(
        states(kind, countable(asked, text), keys) or says_price(asked, text) or says_age(text)
        for text in texts
    )


def _forms(question: str, keys: set[str]) -> tuple[str, ...]:
    """The words of a question with these keys, as they were typed."""
    return tuple(dict.fromkeys(term.form for term in terms(question) if term.key in keys))


def refusal(
    question: str,
    result: SearchResult,
    belief: float,
    searched: tuple[int, int],
    unsaid: Sequence[str] = (),
) -> Answer:
    """A refusal that says what was searched; the nearest passages are listed as unused.

    `unsaid` are words of the question that none of them has.
    """
    documents, chunks = searched
    where = f"{_count(documents, 'document')} ({_count(chunks, 'passage')})"
    reason = (
        "The passages that come nearest do not hold an answer to this question."
        if result.hits
        else "No passage has anything in common with this question."
    )
    searched_text = f"I searched {where} and found no answer to this question."
    if not documents:
        searched_text = (
            "There are no documents to search yet."
            if not result.hits
            else ("I searched the documents and found no answer to this question.")
        )
    if unsaid:
        reason = f"No passage that comes near speaks of {' or '.join(f'“{w}”' for w in unsaid)}."
        searched_text += f" {reason}"
    notices = (one for one in result.notices if not (unsaid and one.code == CARRIED_OVER))
    return Answer(
        question=question,
        text=searched_text,
        unused=unused(result.hits),
        abstention=Abstention(reason, documents, chunks, result.plan.queries),
        confidence=belief,
        search=result,
        notices=tuple(notices),
    )


def with_nearest(answer: Answer, scored: Scored, hits: Sequence[Hit]) -> Answer:
    """The refusal with the sentence that comes nearest first of its passages, for a look.

    None where the reader, which has to know the language, takes it for far off, or where it says
    nothing by itself.
    """
    if not scored.reads or answer.abstention is None:
        return answer
    best = scored.candidates[int(scored.scores.argmax())]
    if best not in scored.reads or scored.reads[best].score < NEAR:
        return answer
    if not is_quotable(best.sentence) or (
        best.sentence.kind is SentenceKind.PROSE and not is_sentence(best)
    ):
        return answer
    hit = scored.hits[best.hit]
    near = citation_of(1, hit, best.sentence.start, best.sentence.end)
    return replace(
        answer,
        unused=(near, *unused(hits, {passage_key(hit)}, 1)),
        abstention=replace(answer.abstention, is_near=True),
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
