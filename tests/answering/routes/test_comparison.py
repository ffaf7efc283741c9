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


def test_what_only_leads_into_a_list_is_no_side() -> None:
    lead, item = "Tea and coffee differ:", "Tea is made of leaves."
    text = f"{lead} {item}"
    cited = Citation(1, "c", text, "x.txt", DocumentKind.TEXT, 0, None, 0, len(text), text)
    claims = tuple(
        Claim(text.index(part), text.index(part) + len(part), (1,), Support.VERBATIM, score=1.0)
        for part in (lead, item)
    )
    tea = Answer("q", f"{text} [1]", (cited,), claims=claims)
    answer = side_by_side(quoting("It rains."), ("tea", "coffee"), (tea, quoting(COFFEE)))
    assert [answer.text[c.start : c.end] for c in answer.claims] == [item, COFFEE]


def test_a_side_without_what_is_compared_leaves_the_whole_answer() -> None:
    whole, priced = quoting("Tea and coffee are drinks."), quoting("The price of tea is low.")
    sides = (priced, quoting(COFFEE))
    assert side_by_side(whole, ("tea", "coffee"), sides, "price").text == whole.text
    sides = (priced, quoting("The price of coffee is high."))
    assert "**coffee**" in side_by_side(whole, ("tea", "coffee"), sides, "price").text
