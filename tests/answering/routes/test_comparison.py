"""Comparisons: one sentence that contrasts, or one of each side, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.routes.comparison import contrasts, side_by_side, sides_asked, told_of_both
from core.types import (
    Abstention,
    Answer,
    Chunk,
    Citation,
    Claim,
    Document,
    DocumentKind,
    DocumentState,
    Hit,
    QueryPlan,
    SearchResult,
    Support,
)

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


def test_what_is_said_once_of_both_sides_is_asked_of_each() -> None:
    assert sides_asked(("white box", "black box testing"), "") == (
        "What is white box testing?",
        "What is black box testing?",
    )
    assert sides_asked(("green tea", "black coffee"), "") == (
        "What is green tea?",
        "What is black coffee?",
    )
    assert sides_asked(("tea", "tea with milk"), "")[0] == "What is tea?"


def test_without_a_side_the_whole_answer_stays() -> None:
    whole = quoting("Tea and coffee are drinks.")
    refused = Answer("q", "", abstention=Abstention("nothing", 1, 1))
    for other in (refused, quoting(TEA), quoting("Milk is white.")):
        answer = side_by_side(whole, ("tea", "coffee"), (quoting(TEA), other))
        assert (answer.text, answer.route) == (whole.text, "comparison")


def test_a_sentence_that_contrasts() -> None:
    assert contrasts(quoting("Tea is made of leaves, while coffee is of beans."), ("tea", "coffee"))
    assert contrasts(quoting("Tea and coffee wake in different ways."), ("tea", "coffee"))
    assert not contrasts(quoting("Tea and coffee are drinks."), ("tea", "coffee"))
    assert not contrasts(quoting("Tea and coffee come in different sizes."), ("tea", "coffee"))
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


def test_what_a_function_does_unlike_another_contrasts() -> None:
    text = "Identical to copy() except that copy2() keeps the dates."
    assert contrasts(quoting(text), ("copy", "copy2"))
    assert not contrasts(quoting("copy2() and copy() keep the dates."), ("copy", "copy2"))
    signature = "shutil.copy2(src, dst)"
    whole = quoting(f"{signature} {text}")
    claims = (
        Claim(0, len(signature), (1,), Support.VERBATIM, score=1.0),
        Claim(
            len(signature) + 1, len(signature) + 1 + len(text), (1,), Support.VERBATIM, score=1.0
        ),
    )
    assert contrasts(replace(whole, claims=claims), ("copy", "copy2"))


@pytest.mark.parametrize(("hex_", "url"), [("a.hex(n)", "a.url(n)"), ("a.HEX", "a.URL")])
def test_the_side_of_a_function_is_what_it_does(hex_: str, url: str) -> None:
    def side(name: str, text: str) -> Answer:
        claims = (
            Claim(0, len(name), (1,), Support.VERBATIM, score=1.0),
            Claim(len(name) + 1, len(name) + 1 + len(text), (1,), Support.VERBATIM, score=1.0),
        )
        cited = quoting(f"{name} {text}").citations[0]
        spans = tuple((one.start, one.end) for one in claims)
        return Answer("q", f"{name} {text} [1]", (replace(cited, spans=spans),), claims=claims)

    sides = (side(hex_, "Return hexadecimal text."), side(url, "Return safe text."))
    answer = side_by_side(quoting("It rains."), ("hex", "url"), sides)
    assert [answer.text[c.start : c.end] for c in answer.claims] == [
        "Return hexadecimal text.",
        "Return safe text.",
    ]


def test_functions_are_told_apart_by_all_of_their_names() -> None:
    text = "Unlike that of pickle, the stream of dump() has no end."
    assert not contrasts(quoting(text), ("json.dump", "json.dumps"))
    both = "Unlike dump(), dumps() returns a string."
    assert contrasts(quoting(both), ("json.dump", "json.dumps"))


def found(*texts: str, aspect: str = "") -> str:
    """What of these passages sets tea and coffee against each other."""
    hits = tuple(
        Hit(
            Chunk(str(n), "d", n, n, None, 0, len(text), text),
            Document("d", "s", "x.txt", "x.txt", DocumentKind.TEXT, DocumentState.READY),
        )
        for n, text in enumerate(texts)
    )
    plan = QueryPlan("q", "q", ("q",))
    whole = replace(quoting("It rains."), search=SearchResult(plan, hits))
    answer = told_of_both(whole, ("tea", "green tea"), aspect)
    return "" if answer is None else answer.text


def test_the_sentence_that_contrasts_is_looked_for_in_what_was_found() -> None:
    told = "While tea is roasted, green tea is steamed."
    assert found(f"Rain fell. {told}") == f"{told} [1]"
    assert found("While green tea is steamed, coffee is roasted.") == ""
    alike = "Tea is the same leaves as green tea but roasted."
    assert found(alike, told) == f"{told} [1]"
    assert found("Advantages: unlike tea, green tea is mild.") == ""
    assert found(f"The sentence says too much: {'of this, ' * 45} {told}") == ""
    assert found(told, aspect="price") == ""


def test_a_side_whose_name_is_part_of_the_other_needs_a_sentence_of_its_own() -> None:
    green = quoting("Green tea is made of leaves.")
    assert not contrasts(quoting("While green tea is mild, milk is white."), ("tea", "green tea"))
    both = "Green tea is mild. Tea is roasted."
    cited = Citation(1, "c", both, "x.txt", DocumentKind.TEXT, 0, None, 0, len(both), both)
    claims = tuple(
        Claim(start, end, (1,), Support.VERBATIM, score=1.0) for start, end in ((0, 18), (19, 34))
    )
    tea = Answer("q", f"{both} [1]", (cited,), claims=claims)
    answer = side_by_side(quoting("It rains."), ("tea", "green tea"), (tea, green))
    assert "**tea**\n\nTea is roasted. [1]" in answer.text


def test_a_row_of_a_table_is_a_side_with_its_header() -> None:
    def priced(name: str, price: str, number: int) -> Answer:
        text = f"|  | Price |\n| --- | --- |\n| {name} | {price} [{number}] |"
        cited = Citation(number, "c", name, "x.txt", DocumentKind.TEXT, 0, None, 0, 4, name + price)
        at = text.index(price)
        claim = Claim(at, at + len(price), (number,), Support.VERBATIM, score=1.0)
        return Answer("q", f"{text}\n\nIt rains. [{number}]", (cited,), claims=(claim,))

    sides = (priced("Tea", "12", 1), priced("Coffee", "14", 1))
    answer = side_by_side(quoting("It rains."), ("tea", "coffee"), sides, "price")
    assert [answer.text[c.start : c.end] for c in answer.claims] == ["12", "14"]
    assert [c.number for c in answer.citations] == [1, 2]
    assert answer.text.endswith("**coffee**\n\n|  | Price |\n| --- | --- |\n| Coffee | 14 [2] |")
    assert (
        side_by_side(quoting("It rains."), ("tea", "coffee"), sides, "age").text == "It rains. [1]"
    )


def test_what_is_compared_may_be_called_otherwise_in_a_table() -> None:
    sides = (quoting("Revenue of Acme 12 14"), quoting("Net sales of Bolt 15 16"))
    answer = side_by_side(quoting("It rains."), ("Acme", "Bolt"), sides, "revenue")
    assert "**Bolt**\n\nNet sales of Bolt 15 16 [2]" in answer.text
