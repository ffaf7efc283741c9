"""The sentences that a citation marks."""

from __future__ import annotations

import pytest

from core.citations.locate import cite
from core.types import Hit
from tests.support.hits import embedder, hit

PASSAGE = hit(
    "Gustave was an engineer. The tower was built in 1889. It is 330 metres high. Many visit it.",
    start=50,
)
OTHER = hit("The bridge was opened in 1932.", document="d2")


def quotes(text: str, cited: tuple[int, ...] = (1,), sources: tuple[Hit, ...] = (PASSAGE,)) -> list:
    return [citation.quote for citation in cite(text, cited, sources, embedder())]


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("It was built in 1889 [1].", "The tower was built in 1889."),
        ("It was built in 1889. [1] Then came others.", "The tower was built in 1889."),
        ("It was built in 1889.[1]", "The tower was built in 1889."),
        ("Its height is 330 metres [1].", "It is 330 metres high."),
        ("Es wurde 1889 gebaut [1].", "The tower was built in 1889."),
        ("Crowds of tourists come by [1].", "Many visit it."),
    ],
)
def test_the_sentence_that_says_it(text: str, quote: str) -> None:
    assert quotes(text) == [quote]


def test_two_statements_mark_two_sentences() -> None:
    text = "It is 330 metres high [1]. Gustave was its engineer [1]."
    (citation,) = cite(text, (1,), (PASSAGE,), embedder())
    marked = [PASSAGE.context[a - 50 : b - 50] for a, b in citation.spans]
    assert marked == ["Gustave was an engineer.", "It is 330 metres high."]
    assert citation.quote.startswith("Gustave")
    assert citation.quote.endswith("metres high.")
    assert (citation.start, citation.end) == (citation.spans[0][0], citation.spans[-1][1])


def test_numbers_lead_to_their_sources() -> None:
    text = "The bridge is of 1932 [1]. The tower is of 1889 [2]."
    citations = cite(text, (2, 1), (PASSAGE, OTHER), embedder())
    assert [(c.number, c.document_id) for c in citations] == [(1, "d2"), (2, "d1")]


def test_nothing_cited() -> None:
    assert cite("No marks at all.", (), (PASSAGE,), embedder()) == ()
