"""Where documents mention a phrase: every passage read, counted, and quoted with its citation.

A passage matches where it has the words of the phrase in any inflection. It is doubtful where it
has them apart, or a word of the same stem, or where its meaning is as near to the phrase as that
of passages that match.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

import numpy as np

from core.answering.routes.names import shown_name
from core.answering.routes.quotes import Quotes
from core.errors import ModelError, StorageError
from core.models.port import Embedder, Vectors
from core.planning.routes import Route
from core.text.markdown_quoting import escape_markdown
from core.text.mentions import Mention, Phrase, mentions
from core.text.sentences import SentenceKind, split_sentences
from core.types import Answer, Chunk, Document, Hit, Notice, QueryPlan, SearchResult, Step
from core.types.steps import PassagesRead

QUOTED = 40
"""Sentences that an answer quotes; of more, it says how many."""
_DOUBTFUL = 5
_LISTED = 30
_LONGEST = 400
"""Characters of a quoted sentence; of a longer one, what stands around the mention."""
_KEPT = 4_000
"""Sentences kept while reading; after so many, the first of each document."""
_NEAR = 0.45
"""The least similarity (cosine) of a passage that is doubtful by its meaning."""
_ENOUGH = 3
"""Matching passages from which their own similarity says what is near."""
_STEPS = 10

Similar = Callable[[Sequence[str]], Mapping[str, Vectors]]
"""Given ids of chunks: their vectors, as far as there are any."""


@dataclass(frozen=True, slots=True)
class _Quote:
    chunk: Chunk
    start: int
    end: int


@dataclass(slots=True)
class _Tally:
    """What was found in one document."""

    document: Document
    read: int = 0
    matching: int = 0
    mentions: int = 0
    quotes: list[_Quote] = field(default_factory=list)
    doubtful: int = 0
    near: list[float] = field(default_factory=list)
    last: tuple[int, int] = (-1, -1)
    """The page and the end of the last mention: overlapping passages show one twice."""
    quoted: tuple[int, int] = (-1, -1)
    more: bool = False
    """Whether there are sentences that were not kept."""


@dataclass(slots=True)
class Ledger:
    """What a reading found. `compared` counts the passages that have a vector."""

    phrase: Phrase
    total: int
    tallies: dict[str, _Tally]
    read: int = 0
    compared: int = 0
    by_words: list[_Quote] = field(default_factory=list)
    """The first doubtful passages by their words."""
    nearest: list[tuple[float, str, Chunk]] = field(default_factory=list)
    """A heap of passages without the words, nearest in meaning."""
    _matched: list[float] = field(default_factory=list)
    _kept: int = 0

    @property
    def matching(self) -> int:
        """How many passages match."""
        return sum(tally.matching for tally in self.tallies.values())

    @property
    def near(self) -> float:
        """The similarity from which a passage without the words is doubtful."""
        enough = len(self._matched) >= _ENOUGH
        return max(_NEAR, median(self._matched)) if enough else _NEAR

    def doubtful_in(self, tally: _Tally) -> int:
        """How many passages of a document are doubtful."""
        return tally.doubtful + sum(one >= self.near for one in tally.near)

    def take(self, chunk: Chunk, similarity: float | None) -> None:
        """Read one passage; those of a document come in their order."""
        tally = self.tallies[chunk.document_id]
        tally.read += 1
        self.read += 1
        self.compared += similarity is not None
        found = mentions(self.phrase, chunk.text, tally.document.language)
        sure = [mention for mention in found if not mention.doubtful]
        if sure:
            self._match(tally, chunk, sure)
            if similarity is not None:
                self._matched.append(similarity)
        elif found:
            tally.doubtful += 1
            if len(self.by_words) < _DOUBTFUL:
                self.by_words += _sentences(chunk, found[:1])
        elif similarity is not None and similarity >= _NEAR:
            tally.near.append(similarity)
            heapq.heappush(self.nearest, (similarity, chunk.id, chunk))
            if len(self.nearest) > _DOUBTFUL:
                heapq.heappop(self.nearest)

    def _match(self, tally: _Tally, chunk: Chunk, sure: Sequence[Mention]) -> None:
        tally.matching += 1
        places = [(chunk.page_ordinal, chunk.start + mention.end) for mention in sure]
        new = [m for m, place in zip(sure, places, strict=True) if place > tally.last]
        tally.mentions += len(new)
        tally.last = max(tally.last, places[-1])
        full = bool(tally.quotes) and (len(tally.quotes) >= QUOTED or self._kept >= _KEPT)
        tally.more = tally.more or (bool(new) and full)
        for quote in () if full else _sentences(chunk, new):
            if (chunk.page_ordinal, quote.start) >= tally.quoted:
                tally.quotes.append(quote)
                tally.quoted = (chunk.page_ordinal, quote.end)
                self._kept += 1


def read_through(
    phrase: str,
    documents: Mapping[str, Document],
    batches: Iterable[Sequence[Chunk]],
    embedder: Embedder,
    vectors: Similar,
    cancelled: Callable[[], bool],
) -> Generator[Step, None, Ledger]:
    """Read the passages of these documents, batch after batch, until `cancelled`."""
    total = sum(document.chunks for document in documents.values())
    tallies = {key: _Tally(document) for key, document in documents.items()}
    ledger = Ledger(Phrase(phrase), total, tallies)
    asked = _vector(embedder, phrase)
    told = 0
    for batch in batches:
        if cancelled():
            break
        similar = _similarities(asked, vectors, [chunk.id for chunk in batch])
        for chunk in batch:
            if chunk.document_id in tallies:
                ledger.take(chunk, similar.get(chunk.id))
        if ledger.read - told >= total / _STEPS and ledger.read < total:
            told = ledger.read
            yield Step("reading", PassagesRead(told, total, ledger.matching))
    yield Step("reading", PassagesRead(ledger.read, total, ledger.matching), count=ledger.matching)
    return ledger


def ledger_answer(question: str, ledger: Ledger, embedder: Embedder, *, without: bool) -> Answer:
    """Return the ledger as an answer; `without` asks for the documents that never mention it."""
    quotes = Quotes()
    found = sorted(
        (tally for tally in ledger.tallies.values() if tally.matching), key=lambda t: -t.matching
    )
    quotes.say(_lead(ledger, found, without))
    if without:
        quotes.say(_never(ledger))
    elif found:
        _quote_all(quotes, found)
    _quote_doubtful(quotes, ledger, embedder)
    typed = " ".join(question.split())
    whole = ledger.read >= ledger.total
    return Answer(
        question,
        quotes.text,
        tuple(quotes.citations),
        claims=tuple(quotes.claims),
        search=SearchResult(QueryPlan(question, typed, (ledger.phrase.text,)), ()),
        notices=tuple(_notices(ledger, whole)),
        complete=whole,
        route=Route.LEDGER,
    )


# ------------------------------------------------------------------------------- by meaning


def _vector(embedder: Embedder, phrase: str) -> Vectors | None:
    try:
        return embedder.embed_query(phrase)
    except ModelError:
        return None


def _similarities(
    asked: Vectors | None, vectors: Similar, ids: Sequence[str]
) -> Mapping[str, float]:
    if asked is None:
        return {}
    try:
        there = vectors(ids)
    except StorageError:
        return {}
    return {key: float(vector @ asked) for key, vector in there.items()}


def _nearest_sentence(ledger: Ledger, chunk: Chunk, embedder: Embedder) -> _Quote | None:
    """The sentence of a passage that is nearest in meaning."""
    pieces = [p for p in split_sentences(chunk.text) if len(p.text.split()) > 2]
    if not pieces:
        return None
    try:
        asked = embedder.embed_query(ledger.phrase.text)
        scores = embedder.embed([piece.text for piece in pieces]) @ asked
    except ModelError:
        scores = np.zeros(len(pieces), np.float32)
    best = pieces[int(np.argmax(scores))]
    return _cut(chunk, best.start, best.end, Mention(best.start, best.start))


# --------------------------------------------------------------------------------- in words


def _sentences(chunk: Chunk, found: Sequence[Mention]) -> Iterator[_Quote]:
    """The sentences of a passage that hold the mentions, each once."""
    pieces = split_sentences(chunk.text)
    last = -1
    for mention in found:
        if mention.start < last:
            continue
        inside = (p for p in pieces if p.start <= mention.start < p.end)
        piece = next(inside, None)
        start, end = (piece.start, piece.end) if piece else (mention.start, mention.end)
        if piece is not None and piece.kind is SentenceKind.CODE:
            start = chunk.text.rfind("\n", start, mention.start) + 1 or start
            end = chunk.text.find("\n", mention.end, end)
            end = piece.end if end < 0 else end
        last = end
        yield _cut(chunk, start, max(end, mention.end), mention)


def _cut(chunk: Chunk, start: int, end: int, mention: Mention) -> _Quote:
    """The sentence as a quote; of a long one, whole words around the mention."""
    text = chunk.text
    if end - start > _LONGEST:
        first = max(start, min(mention.start - _LONGEST // 4, end - _LONGEST))
        last = min(end, max(first + _LONGEST, mention.end))
        if first > start:
            first = max(first, text.find(" ", first, mention.start) + 1)
        if last < end:
            cut = text.rfind(" ", mention.end, last)
            last = cut if cut > 0 else last
        start, end = first, last
    return _Quote(chunk, chunk.start + start, chunk.start + end)


def _lead(ledger: Ledger, found: Sequence[_Tally], without: bool) -> str:
    phrase = f"“{escape_markdown(ledger.phrase.text)}”"
    documents = len(ledger.tallies)
    times = sum(tally.mentions for tally in found)
    doubtful = sum(map(ledger.doubtful_in, ledger.tallies.values()))
    if without:
        never = sum(map(_is_without, ledger.tallies.values()))
        said = f"{never:,} of {_count(documents, 'document')} never mention{'s' * (never == 1)} "
        said += f"{phrase}."
    elif found:
        said = (
            f"{phrase} is mentioned {_count(times, 'time')}, in "
            f"{_count(ledger.matching, 'passage')} of {len(found):,} of "
            f"{_count(documents, 'document')}."
        )
    else:
        said = f"No passage mentions {phrase}."
    read = f"{ledger.read:,} of {_count(ledger.total, 'passage')} read"
    return f"{said} {read}, {ledger.matching:,} match, {doubtful:,} doubtful."


def _is_without(tally: _Tally) -> bool:
    """Whether a document was read to its end without a match."""
    return not tally.matching and tally.read >= tally.document.chunks


def _never(ledger: Ledger) -> str:
    lines = []
    for tally in filter(_is_without, ledger.tallies.values()):
        doubtful = ledger.doubtful_in(tally)
        notes = "no text" if not tally.document.chunks else ""
        notes = f"{_count(doubtful, 'doubtful passage')}" if doubtful else notes
        name = escape_markdown(shown_name(tally.document))
        lines.append(f"- {name}{f' ({notes})' if notes else ''}")
    more = len(lines) - _LISTED
    if more > 0:
        lines = [*lines[:_LISTED], f"- and {more:,} more"]
    return "\n\n" + "\n".join(lines) if lines else ""


def _quote_all(quotes: Quotes, found: Sequence[_Tally]) -> None:
    """Quote the sentences of each document, as many as the answer has room for."""
    each = max(1, QUOTED // len(found))
    for tally in found[:_LISTED]:
        passages, times = _count(tally.matching, "passage"), _count(tally.mentions, "time")
        shown = tally.quotes[:each]
        more = tally.more or len(tally.quotes) > each
        some = f"; the first {_count(len(shown), 'sentence')}" if more else ""
        name = escape_markdown(shown_name(tally.document))
        quotes.say(f"\n\n**{name}** ({passages}, {times}{some})\n")
        for quote in shown:
            quotes.say("\n- ")
            _say(quotes, tally.document, quote)
    if len(found) > _LISTED:
        quotes.say(f"\n\nand {len(found) - _LISTED:,} more documents.")


def _quote_doubtful(quotes: Quotes, ledger: Ledger, embedder: Embedder) -> None:
    near = sorted(ledger.nearest, key=lambda one: (-one[0], one[1]))
    by_meaning = (
        _nearest_sentence(ledger, chunk, embedder)
        for score, _, chunk in near
        if score >= ledger.near
    )
    every = [*ledger.by_words, *filter(None, by_meaning)]
    places = {(q.chunk.document_id, q.chunk.page_ordinal, q.start): q for q in reversed(every)}
    doubtful = list(reversed(places.values()))[:_DOUBTFUL]
    if not doubtful:
        return
    count = sum(map(ledger.doubtful_in, ledger.tallies.values()))
    some = f", of which {len(doubtful)} are quoted" if count > len(doubtful) else ""
    quotes.say(f"\n\n**Doubtful** ({_count(count, 'passage')}{some})\n")
    for quote in doubtful:
        quotes.say("\n- ")
        _say(quotes, ledger.tallies[quote.chunk.document_id].document, quote)


def _say(quotes: Quotes, document: Document, quote: _Quote) -> None:
    chunk = quote.chunk
    first, last = min(chunk.start, quote.start), max(chunk.end, quote.end)
    hit = Hit(chunk, document, context=chunk.text, context_start=first, context_end=last)
    quotes.quote(hit, quote.start, quote.end)


def _notices(ledger: Ledger, whole: bool) -> Iterator[Notice]:
    if not whole:
        text = f"The reading ended after {ledger.read:,} of {ledger.total:,} passages."
        yield Notice("stopped", text, "Ask again to read all of them.", "info")
    if ledger.compared < ledger.read:
        missing = ledger.read - ledger.compared
        text = f"{_count(missing, 'passage')} could be read by words only, not by meaning."
        yield Notice("words-only", text, "See Status for the state of the index.", "info")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
