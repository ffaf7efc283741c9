"""Comparisons: one sentence that contrasts, or one of each side, word for word."""

from __future__ import annotations

from core.answering.routes.comparison import contrasts, side_by_side
from core.types import Abstention, Answer, Citation, Claim, DocumentKind, Support

TEA = "Tea is made of leaves."
COFFEE = "Coffee is made of beans."


def quoting(text: str) -> Answer:
    cited = Citation(1, "c", text, "x.txt", DocumentKind.TEXT, 0, None, 0, len(text), text)
    claim = Claim(0, len(text), (1,), Support.VERBATIM, score=1.0)
    return Answer("q", f"{text} [1]", (cited,), claims=(claim,))


def test_both_sides_stand_side_by_side() -> None:
    answer = side_by_side(quoting("It rains."), ("tea", "coffee"), (quoting(TEA), quoting(COFFEE)))
    assert answer.route == "comparison"
    assert [answer.text[c.start : c.end] for c in answer.claims] == [TEA, COFFEE]
    assert [c.number for c in answer.citations] == [1, 2]
    assert answer.text == f"**tea**\n\n{TEA} [1]\n\n**coffee**\n\n{COFFEE} [2]"
    assert [c.number for c in answer.unused] == [3]


def test_without_a_side_the_whole_answer_stays() -> None:
    whole = quoting("Tea and coffee are drinks.")
    refused = Answer("q", "", abstention=Abstention("nothing", 1, 1))
    for other in (refused, quoting(TEA), quoting("Milk is white.")):
        answer = side_by_side(whole, ("tea", "coffee"), (quoting(TEA), other))
        assert (answer.text, answer.route) == (whole.text, "comparison")


def test_a_sentence_that_contrasts() -> None:
    assert contrasts(quoting("Tea is made of leaves, while coffee is of beans."), ("tea", "coffee"))
    assert not contrasts(quoting("Tea and coffee are drinks."), ("tea", "coffee"))
    assert not contrasts(quoting("Tea is green, while milk is white."), ("tea", "coffee"))
