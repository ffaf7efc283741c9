"""Answers without a language model: the sentences that answer best, word for word."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from core.answering.certainty import is_direct
from core.answering.extractive.marking.writing import highlighted, marked, written
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
from core.answering.extractive.question.kinds import asks_for_list, asks_yes_or_no, questions_of
from core.answering.extractive.question.measures import measure
from core.answering.extractive.sentences import abstention, scoring
from core.answering.extractive.sentences.candidates import Candidate, find_candidates
from core.answering.extractive.sentences.choosing import choose
from core.answering.extractive.sentences.entries import further_entries, is_gloss
from core.answering.extractive.sentences.opening.rows import is_row_asked_for
from core.answering.extractive.sentences.opening.telling import is_field
from core.answering.extractive.sentences.reading import (
    Read,
    all_english,
    joined,
    read_candidates,
    surely_read,
)
from core.answering.extractive.spans import YEAR
from core.answering.extractive.structures.numbered import numbered_quotes
from core.answering.extractive.structures.quotes import Quote, whole_quotes
from core.answering.extractive.structures.sections import section_quotes
from core.answering.extractive.structures.superlatives import not_by_chance, superlative_quotes
from core.answering.extractive.structures.tables import label
from core.citations.mark import without_marks
from core.citations.passages import PassageKey, citation_of, passage_key, passage_of, unused
from core.models.port import Embedder
from core.models.reader import Reader
from core.planning.follow_ups.leaning import is_only_number, only_asks
from core.planning.follow_ups.pronouns import points_back
from core.planning.numbered_questions import number_asked
from core.planning.paraphrases import beside, formal_words
from core.text.imports import used_imports
from core.text.markdown_quoting import collapse, unescape
from core.text.other_words import ReadAs, reading
from core.text.sentences import SentenceKind
from core.text.terms import content_keys, terms
from core.types import (
    Abstention,
    Answer,
    Citation,
    Claim,
    Event,
    Hit,
    Message,
    SearchResult,
    Step,
    Support,
    TextPiece,
)
from core.verification.code_blocks import Listing, quoted_notices

MAX_EMBEDDED = 64
"""Sentences that are embedded; of more candidates, those that share the most with the question."""
FURTHER_READ = 5
"""Passages behind the hits that are read too: a row of a table is seldom among the first."""
MAX_COUNTED = 40
"""Passages beyond the hits in which terms are counted, to know which are rare."""
UNLIKELY = -8.0
"""A score of the reader that hardly any answer has."""
NO_COUNT = -4.0
"""The same where how many is asked for."""
SURE_OF_AMOUNT = 2.5
"""The same where how much is asked for and the sentence has an amount of money."""
SAID = 1.5
"""What a sentence loses that the answer before quoted, to a question that leans on it."""
SAID_AND_NOT_ASKED = 4.5
"""The same where it has no word that was typed now."""
SAME_TABLE = 8.0
"""What a row counts more that has what was typed now for its label, where the answer before quoted
another row of its table: "and eagles?"."""
_OF_CONTACTS = (
    "phone telephone mobile fax hotline number call contact email mail address website homepage web"
    " site url telefon telefonnummer nummer"
)
"""What only says that somebody is to be reached, and by what."""
_DOING = frozenset(
    content_keys(
        "make made do done use used get got go have need want gibt geben gab haben hat hatte machen"
        " macht gemacht tun gehen geht brauchen"
    )
)
"""What most sentences speak of."""
_TOLD = frozenset({Wanted.TIME, Wanted.PLACE, Wanted.PERSON})
"""What is told of somebody or something in words of its own."""
_DATED = frozenset({Wanted.TIME, Wanted.PERSON})
"""What is told of what happened; where it did is told in many other words."""
SURE_OF_FURTHER = 0.0
"""The score of the reader from which on words of a further sentence are set off."""
_FIGURE = re.compile(r"\d")
LONGEST_EMBEDDED = 400  # characters: what a short-sequence model reads of one sentence


@dataclass(frozen=True, slots=True)
class Scored:
    """The candidates of one search, with features and scores a row each.

    `hits` are the passages that were read: those found, and those right behind. `reads` has what
    the reader made of the best candidates; their scores hold it. Of a question that follows on,
    `typed` are its own words and `said` is what the last answer quoted.
    """

    hits: tuple[Hit, ...]
    candidates: list[Candidate]
    matrix: scoring.Matrix
    scores: np.ndarray[tuple[int], np.dtype[np.float32]]
    rarity: scoring.Rarity
    reads: Mapping[Candidate, Read] = field(default_factory=dict)
    typed: str = ""
    said: str = ""


class ExtractiveAnswerer:
    """Quotes the best sentence and only what more is needed, with citations, or refuses.

    Every sentence of `Answer.text` is `page_text[start:end]` of its citation's page, with white
    space collapsed and Markdown's special characters escaped; code is quoted as a fenced block.
    """

    name = "extractive"

    def __init__(self, embedder: Embedder, reader: Reader | None = None) -> None:
        self._embedder, self._reader = embedder, reader

    def answer(
        self,
        question: str,
        result: SearchResult,
        history: Sequence[Message] = (),
        *,
        searched: tuple[int, int] = (0, 0),
    ) -> Iterator[Event]:
        """Steps, pieces of text, then exactly one `Answer`.

        `searched` are the documents and chunks that were searched, for saying so in a refusal.
        """
        began = time.monotonic()
        plan = result.plan
        asked = beside(plan.asked or question, formal_words(plan.own or question))
        scored = self.score(asked, result)
        if plan.follows and (said := _quoted_last(history)):
            asked_last = _asked_last(history)
            if _words(asked_last) != _words(plan.question):  # the same asked again stays answered
                scored = replace(scored, scores=_after(said, asked_last, plan.question, scored))
            scored = replace(scored, typed=plan.question, said=unescape(said))
        yield Step("sentences", seconds=time.monotonic() - began, count=len(scored.candidates))
        pieces, answer = quoted(question, asked, result, scored, searched)
        yield from map(TextPiece, pieces)
        yield answer

    def score(self, question: str, result: SearchResult) -> Scored:
        """How well each sentence of the hits, and of those right behind, answers `question`."""
        hits = (*result.hits, *result.dropped[:FURTHER_READ])
        entries = further_entries(question, result.dropped[FURTHER_READ:])
        found = find_candidates((*hits, *entries))
        candidates = [one for one in found if one.hit < len(hits)]
        glosses = [one for one in found if one.hit >= len(hits) and is_gloss(one)]
        read_as = reading(result.plan.also)
        rarity = scoring.Rarity(
            [passage_of(hit)[0] for hit in result.hits]
            + [hit.chunk.text for hit in result.dropped[:MAX_COUNTED]]
        )
        candidates = scoring.shortlist(question, candidates, hits, rarity, MAX_EMBEDDED, read_as)
        hits, candidates = (*hits, *entries), [*candidates, *glosses]
        if not candidates:
            nothing = np.zeros((0, len(scoring.FEATURES)), dtype=np.float32)
            return Scored(hits, [], nothing, np.zeros(0, dtype=np.float32), rarity)
        asked = self._embedder.embed_query(question)
        alone = [collapse(c.sentence.text)[:LONGEST_EMBEDDED] for c in candidates]
        cosines = np.asarray(self._embedder.embed(alone) @ asked, dtype=np.float32)
        matrix = scoring.features(question, candidates, hits, cosines, rarity, read_as)
        scores = scoring.scores(matrix)
        english = all_english(candidates, scores, hits)
        if not english:
            scores = scoring.scores(matrix, english=False)
        if not english or self._reader is None or asks_for_list(question):
            return Scored(hits, candidates, matrix, scores, rarity)
        reads = read_candidates(self._reader, question, candidates, scores, hits)
        return Scored(hits, candidates, matrix, joined(candidates, scores, reads), rarity, reads)


def _quoted_last(history: Sequence[Message]) -> str:
    """The words of the last answer, "" where there is none."""
    answers = (message.answer for message in reversed(history) if message.answer)
    last = next(answers, None)
    return _without_bars(without_marks(last.text)) if last else ""


def _without_bars(text: str) -> str:
    """A text in which a row reads alike with bars between its cells and without."""
    return collapse(text.replace("|", " "))


def _words(text: str) -> list[str]:
    return [term.key for term in terms(text)]


def _asked_last(history: Sequence[Message]) -> str:
    return next((one.text for one in reversed(history) if one.role == "user"), "")


def _after(
    said: str, asked_last: str, typed: str, scored: Scored
) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """The scores where the last answer was `said`: who asks on wants something else.

    What was quoted, and has nothing of what was `typed` now, would answer the last question again;
    unless a date, an amount or a place is asked of the same thing ("when does it end?"), and it
    has one. What has the measure asked for now ("at what temperature?") counts more.
    """
    keys = set(content_keys(beside(typed, formal_words(typed))))
    kind = wanted(typed)
    has_form = kind in (Wanted.TIME, Wanted.NUMBER, Wanted.PLACE)
    another = has_form and (points_back(typed) or only_asks(typed)) and kind != wanted(asked_last)
    shape = measure(typed) if measure(typed) is not measure(asked_last) else None
    years = YEAR.findall(typed)  # one sentence may tell of several
    scores = scored.scores.copy()
    rows = [one for one in scored.candidates if one.sentence.kind is SentenceKind.ROW]
    shown = unescape(said)
    tables = {one.hit: one for one in rows if _without_bars(one.sentence.text) in shown}
    named = {one for one in rows if keys & set(content_keys(label(one.sentence.text)))}
    for at, candidate in enumerate(scored.candidates):
        if candidate.hit in tables and _is_other_row(candidate, tables[candidate.hit], keys):
            scores[at] += SAME_TABLE
        text = candidate.sentence.text
        if _without_bars(text) not in said:
            continue
        another_row = candidate in rows and named and candidate not in named
        if shape and shape.search(text) and not another_row:
            scores[at] += SAID_AND_NOT_ASKED
        elif not ((another and states(kind, text, keys)) or any(year in text for year in years)):
            covers = keys & set(content_keys(text))
            scores[at] -= SAID if covers or not keys else SAID_AND_NOT_ASKED
    return scores


def _is_other_row(row: Candidate, quoted: Candidate, typed: set[str]) -> bool:
    """Whether what was typed tells a row from the one that was quoted: "and financing"."""
    if row.sentence.kind is not SentenceKind.ROW:
        return False
    before, columns = label(quoted.sentence.text), " ".join(row.above)
    named = set(content_keys(label(row.sentence.text))) - set(content_keys(before))
    return bool(named) and named == typed - set(content_keys(columns)) | (named & typed)


def quoted(
    question: str, asked: str, result: SearchResult, scored: Scored, searched: tuple[int, int]
) -> tuple[list[str], Answer]:
    """The pieces of the answer's text and the answer: quotes, or a refusal where none answers.

    `asked` is the question put whole. Where only a person, a date or a count can answer it, and
    nothing that would be quoted has one, there is no answer.
    """
    read_as = reading(result.plan.also)
    own = result.plan.asked or question  # words of ours that documents lack tell nothing against it
    belief = max(_confidence(one, result.hits, scored, read_as) for one in {asked, own})
    quotes = listed = (
        numbered_quotes(own, scored.hits)
        or section_quotes(own, scored.hits)
        or superlative_quotes(own, scored.hits)
    )
    if not quotes and (belief >= abstention.THRESHOLD or _is_sure(question, result, scored)):
        chosen = choose(
            asked, scored.candidates, scored.scores, scored.hits, scored.reads,
            typed=scored.typed, said=scored.said,
        )  # fmt: skip
        quotes = whole_quotes(asked, not_by_chance(own, chosen), scored.hits)
    unsaid = () if listed else _unsaid(result, scored) or _untold(own, quotes, scored, read_as)
    if unsaid:
        quotes = []
    dated = wanted(question) in _DATED and insists(question)  # as it was typed: a question that
    insisting = insists(asked) or dated  # was put into another language has no grammar
    holds = not insisting or _holds_wanted(asked, quotes)
    if _is_unread(asked, quotes, scored) or not (listed or _has_number(own, quotes)):
        holds = False
    if not quotes or not holds or (asks_advice(asked) and not _advised(quotes)):
        answer = refusal(question, result, belief, searched, unsaid)
        return [answer.text], answer
    pieces, answer = compose(question, result, quotes, belief, scored)
    direct = is_direct(scoring.scores(scored.matrix).tolist()) and _holds_wanted(asked, quotes[:1])
    return pieces, replace(answer, direct=bool(listed) or direct)


def _unsaid(result: SearchResult, scored: Scored) -> tuple[str, ...]:
    """The words that were typed of what was spoken of, where no passage has any of them; else ().

    So it is for yes or no, for when, where and who, and where the reader finds nothing either.

    "Is it vegan?" is not answered by what else is said of the bread, nor "where is he buried?" by
    where he was born.
    """
    question = result.plan.question
    if not result.plan.follows:
        return ()
    read_as = reading(result.plan.also)
    around = set[str]().union(*(read_as(_said_around(hit)) for hit in scored.hits))
    formal = set(content_keys(" ".join(formal_words(question))))
    named, told = names_happening(question)
    if named and wanted(question) in _TOLD and around.isdisjoint(told | formal):
        return _forms(question, named)
    typed = set(content_keys(question)) - _DOING
    unread = bool(scored.reads) and max(read.score for read in scored.reads.values()) < UNLIKELY
    if not ((unread or asks_yes_or_no(question)) and typed) or surely_read(scored.reads):
        return ()
    return _forms(question, typed) if around.isdisjoint(typed | formal) else ()


def _is_unread(asked: str, quotes: Sequence[Quote], scored: Scored) -> bool:
    """Whether a count is asked for, and the reader sees none in any sentence that is quoted."""
    if not asks_count(asked) or len(questions_of(asked)) > 1:
        return False
    if any(one.candidate not in scored.reads for one in quotes):
        return False
    read = [one.candidate for one in quotes if one.candidate.sentence.kind is SentenceKind.PROSE]
    return bool(read) and all(scored.reads[one].score < NO_COUNT for one in read)


def _untold(
    question: str, quotes: Sequence[Quote], scored: Scored, read_as: ReadAs
) -> tuple[str, ...]:
    """The words of a question for what happened, where nothing around the quotes tells of it.

    "When did Jo die?" is not answered by when she took over. Where the reader is sure it is told in
    other words.
    """
    event, told = names_event(question)
    if not event or wanted(question) not in _DATED or surely_read(scored.reads):
        return ()
    asked = set(content_keys(question))
    if wanted(question) is Wanted.PERSON and quotes and is_field(quotes[0].candidate, asked):
        return ()  # "Minutes: Jo Reed" says who wrote them
    around = set[str]().union(*(read_as(_said_around(scored.hits[one.hit])) for one in quotes))
    return _forms(question, event) if around.isdisjoint(told) else ()


def _forms(question: str, keys: set[str]) -> tuple[str, ...]:
    """The words of a question with these keys, as they were typed."""
    return tuple(dict.fromkeys(term.form for term in terms(question) if term.key in keys))


def _is_sure(question: str, result: SearchResult, scored: Scored) -> bool:
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
        return sure is not None and asked <= read_as(_said_around(scored.hits[sure.hit]))
    if sure is None:
        return False
    if scored.reads[sure].score >= SURE_OF_AMOUNT and says_amount(question, sure.sentence.text):
        return True
    return bool(asked) and asked <= read_as(content_keys(passage_of(scored.hits[sure.hit])[0]))


def _has_number(asked: str, quotes: Sequence[Quote]) -> bool:
    """Whether a quote has the number of which one is asked for: "number 9?"; True without one."""
    found = number_asked(asked)
    if found is None or found.placed:
        return True
    parts = (part.text for quote in quotes for part in quote.parts)
    around = (text for quote in quotes for text in (quote.candidate.under, quote.candidate.before))
    said = content_keys(" . ".join((*parts, *around)))
    return str(found.number) in said and not is_only_number(asked)


def _said_around(hit: Hit) -> list[str]:
    """The keys of a passage, and of what it stands under."""
    named = (hit.document.title, hit.document.label, *hit.chunk.headings, passage_of(hit)[0])
    return content_keys(" . ".join(named))


def _advised(quotes: Sequence[Quote]) -> bool:
    return any(advises(part.text) for quote in quotes for part in quote.parts)


def _holds_wanted(asked: str, quotes: Sequence[Quote]) -> bool:
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


def _confidence(question: str, hits: Sequence[Hit], scored: Scored, read_as: ReadAs) -> float:
    if not scored.candidates:
        return 0.0
    return abstention.confidence(
        abstention.signals(
            question, hits, scored.candidates, scored.matrix, int(scored.scores.argmax()),
            scored.rarity, read_as,
        )
    )  # fmt: skip


def compose(
    question: str,
    result: SearchResult,
    quotes: Sequence[Quote],
    belief: float,
    scored: Scored,
) -> tuple[list[str], Answer]:
    """The pieces of the text, and the answer whose text is all of them joined."""
    numbers: dict[PassageKey, int] = {}
    cited: dict[int, list[Quote]] = {}
    pieces: list[str] = []
    claims: list[Claim] = []
    highlights: list[tuple[int, int]] = []
    at = 0
    before: Quote | None = None
    asked = result.plan.asked or question
    several = len(questions_of(asked)) > 1
    defines = wanted(asked) is Wanted.DEFINITION  # by the first; others are named behind it
    for quote in quotes:
        hit = scored.hits[quote.hit]
        number = numbers.setdefault(passage_key(hit), len(numbers) + 1)
        cited.setdefault(number, []).append(quote)
        gap = _gap(before, quote, scored.hits)
        text, spans = written(quote)
        start = at + len(gap)
        claims += [
            Claim(start + first, start + last, (number,), Support.VERBATIM, score=1.0)
            for first, last in spans
        ]
        read = scored.reads.get(quote.candidate)
        is_sure = read is not None and read.score >= SURE_OF_FURTHER
        # What follows the best only adds, and is seldom what was asked for.
        if not highlights and (before is None or several or (is_sure and not defines)):
            found = highlighted(asked, quote, text, spans, read)
            highlights += [(start + first, start + last) for first, last in found]
        pieces.append(gap + marked(text, quote, number))
        at += len(pieces[-1])
        before = quote
    citations = tuple(_cite(n, found, scored.hits[found[0].hit]) for n, found in cited.items())
    code = [quote for found in cited.values() for quote in found if quote.form == "code"]
    listings = [_listing(quote, scored.hits[quote.hit]) for quote in code]
    answer = Answer(
        question=question,
        text="".join(pieces),
        citations=citations,
        unused=unused(result.hits, numbers, len(citations)),
        claims=tuple(claims),
        highlights=tuple(highlights),
        confidence=belief,
        search=result,
        answerer=ExtractiveAnswerer.name,
        notices=(*result.notices, *quoted_notices(listings)),
    )
    return pieces, answer


def _listing(quote: Quote, hit: Hit) -> Listing:
    """A quoted listing with the imports that stand above it, in its passage or before that."""
    shown, (text, base) = quote.parts[0], passage_of(hit)
    imports = used_imports((*hit.imports, text[: shown.start - base]), shown.text)
    return Listing(shown.text, imports, whole=shown.text == quote.candidate.sentence.text)


def _gap(before: Quote | None, after: Quote, hits: Sequence[Hit]) -> str:
    """Sentences of one passage run on; another passage, a list, rows or code begin a paragraph."""
    if before is None:
        return ""
    same = passage_key(hits[before.hit]) == passage_key(hits[after.hit])
    return " " if same and before.form == after.form == "prose" else "\n\n"


def _cite(number: int, found: Sequence[Quote], hit: Hit) -> Citation:
    """The citation of one passage: its marked span reaches over all that is quoted from it."""
    spans = sorted({(part.start, part.end) for quote in found for part in quote.parts})
    start, end = spans[0][0], max(last for _, last in spans)
    return citation_of(number, hit, start, end, tuple(spans) if len(spans) > 1 else ())


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
    return Answer(
        question=question,
        text=searched_text,
        unused=unused(result.hits),
        abstention=Abstention(reason, documents, chunks, result.plan.queries),
        confidence=belief,
        search=result,
        answerer=ExtractiveAnswerer.name,
        notices=result.notices,
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
