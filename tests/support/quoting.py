"""Quoted answers of the extractive answerer, and what holds of each of them."""

from __future__ import annotations

from core.answering.extractive.answerer import ExtractiveAnswerer
from core.citations.mark import plain_words
from core.text.markdown_quoting import collapse
from core.types import Answer, Hit, Step, Support, TextPiece
from tests.support.hits import embedder, found, hit

TESLA = (
    "Nikola Tesla was an inventor of Serbian descent. He was born in Smiljan in 1856. "
    "Tesla moved to New York in 1884 and worked for Edison. His hotel bills were often unpaid. "
    "Tesla died on 7 January 1943 in New York City. He loved pigeons."
)

OXYGEN = (
    "Oxygen is a chemical element with the symbol O. It was discovered by Carl Wilhelm Scheele in "
    "Uppsala in 1773. Oxygen makes up 21% of the air by volume."
)


def ask(question: str, hits: list[Hit]) -> Answer:
    events = list(ExtractiveAnswerer(embedder()).answer(question, found(question, hits)))
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert [event for event in events if isinstance(event, Answer)] == [answer]
    assert all(isinstance(event, Step | TextPiece) for event in events[:-1])
    pieces = "".join(event.text for event in events if isinstance(event, TextPiece))
    assert pieces == answer.text
    check(answer, hits)
    return answer


def check(answer: Answer, hits: list[Hit]) -> None:
    """What holds of every answer: quotes are the page's, numbers are in order, nothing is lost."""
    pages = {(h.chunk.document_id, h.chunk.page_ordinal): h for h in hits}
    assert [c.number for c in answer.citations] == list(range(1, len(answer.citations) + 1))
    for citation in answer.citations:
        page = pages[citation.document_id, citation.page_ordinal]
        for start, end in (*citation.spans, (citation.start, citation.end)):
            at = start - page.context_start
            assert page.context[at : at + end - start] in citation.quote
        assert citation.passage == page.context
    for claim in answer.claims:
        assert claim.support is Support.VERBATIM
        (number,) = claim.numbers
        said = plain_words(answer.text[claim.start : claim.end])
        assert said
        assert said in collapse(answer.citations[number - 1].quote)
    cited = {c.chunk_id for c in answer.citations}
    assert cited.isdisjoint(c.chunk_id for c in answer.unused)
    assert len(cited) + len(answer.unused) == len(hits)


def both() -> list[Hit]:
    return [
        hit(TESLA, label="tesla.pdf", document="d1", start=100),
        hit(OXYGEN, label="oxygen.txt", document="d2", ordinal=1, page=None, score=0.5),
    ]
