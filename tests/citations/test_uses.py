"""One mark, one claim: which part of its citation a mark of the answer stands for."""

from __future__ import annotations

import pytest

from core.citations.locate import cite
from core.citations.uses import spans_of, uses
from core.types import Citation
from tests.support.hits import embedder, hit

PASSAGE = hit(
    "Gustave was an engineer. The tower was built in 1889. It is 330 metres high. Many visit it.",
    start=50,
)


def quotes(answer: str) -> list[str]:
    citations = cite(answer, (1,), (PASSAGE,), embedder())
    return [use.quote for use in uses(answer, citations)]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (
            "Its height is 330 metres [1]. An engineer, Gustave, made it [1].",
            ["It is 330 metres high.", "Gustave was an engineer."],
        ),
        (
            "Gustave was an engineer. [1] It is 330 metres high. [1]",
            ["Gustave was an engineer.", "It is 330 metres high."],
        ),
        (
            "The tower was built in 1889 [1] It is 330 metres high [1]",
            ["The tower was built in 1889.", "It is 330 metres high."],
        ),
        ("It is 330 metres high [1].", ["It is 330 metres high."]),
        ("- It is 330 metres high [1]\n- Many visit it [1]",
         ["It is 330 metres high.", "Many visit it."]),
        ("No mark at all.", []),
    ],
)  # fmt: skip
def test_each_mark_has_its_own_part(answer: str, expected: list[str]) -> None:
    assert quotes(answer) == expected


def test_a_use_says_what_the_answer_says_there() -> None:
    answer = "Its height is 330 metres [1]. Gustave was its engineer [1]."
    found = uses(answer, cite(answer, (1,), (PASSAGE,), embedder()))
    assert [use.sentence for use in found] == [
        "Its height is 330 metres.",
        "Gustave was its engineer.",
    ]


def test_spans_lead_to_the_quote() -> None:
    answer = "Its height is 330 metres [1]. Gustave was its engineer [1]."
    citations = cite(answer, (1,), (PASSAGE,), embedder())
    for use in uses(answer, citations):
        ((start, end),) = use.spans
        assert PASSAGE.context[start - 50 : end - 50] == use.quote


def test_words_that_share_nothing_have_the_whole_citation() -> None:
    citation = Citation(
        1, "d:0", "d", "d.md", None, 0, None, 0, 9, "One. Two.", spans=((0, 4), (5, 9))
    )
    (use,) = uses("Zebra [1].", [citation])
    assert use.spans == spans_of(citation)
    assert spans_of(Citation(1, "", "d", "", None, 0, None, 3, 9, "x")) == ((3, 9),)
