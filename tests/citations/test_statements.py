"""Which sentence a citation mark belongs to, and what counts as a statement."""

from __future__ import annotations

import pytest

from core.citations.statements import plain, statements


def found(answer: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(one.words, one.numbers) for one in statements(answer, {1, 2, 3})]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Tesla died in 1943 [1].", [("Tesla died in 1943 .", (1,))]),
        ("Tesla died in 1943. [1] Edison died in 1931. [2][3]",
         [("Tesla died in 1943.", (1,)), ("Edison died in 1931.", (2, 3))]),
        ("Tesla died in 1943.[1]\n\nEdison died in 1931.",
         [("Tesla died in 1943.", (1,)), ("Edison died in 1931.", ())]),
        ("[2] says Tesla died in 1943.", [("It says Tesla died in 1943.", (2,))]),
        ("- **Tesla** died in 1943 [1]\n- Edison *died* in 1931 [2]",
         [("Tesla died in 1943", (1,)), ("Edison died in 1931", (2,))]),
        ("He died in 1943 [1]. ![x](https://a.example/?q=1)", [("He died in 1943 .", (1,))]),
        ("He [died](https://a.example/7 'x') in 1943 [1].", [("He died in 1943 .", (1,))]),
        ("Tesla died in 1943 \\[1\\] indeed.", [("Tesla died in 1943 [1] indeed.", ())]),
        ("Tesla paid $5 [7] once more.", [("Tesla paid $5 [7] once more.", ())]),
    ],
)  # fmt: skip
def test_marks_belong_to_their_sentence(
    answer: str, expected: list[tuple[str, tuple[int, ...]]]
) -> None:
    assert found(answer) == expected


def test_framing_headings_and_questions_state_nothing() -> None:
    answer = "# Summary\n\nHere is what the documents say:\n\nDid Tesla die in 1943?\n\nCertainly!"
    assert found(answer) == []
    (cited,) = statements("So it is! [1]", {1})
    assert cited.framing


def test_code_is_one_statement_with_the_mark_below_it() -> None:
    (one,) = statements("```\nx = a[1]\n```\n[2]", {1, 2})
    assert (one.words, one.numbers, one.code) == ("x = a[1]", (2,), True)


def test_spans_lead_into_the_answer() -> None:
    answer = "Tesla died in 1943 [1]. Edison *died* in 1931 [2]."
    for one in statements(answer, {1, 2}):
        piece = answer[one.start : one.end]
        assert plain(piece.replace("[1]", "").replace("[2]", "")) == one.words.replace(" .", " .")


def test_a_short_answer_states_something_where_nothing_else_does() -> None:
    assert found("In 1943.") == [("In 1943.", ())]
    assert found("In 1943. Tesla died in New York.") == [("Tesla died in New York.", ())]


@pytest.mark.parametrize("label", ["Answer: ", "**Final answer:** ", "Note: ", "Antwort: "])
def test_what_leads_a_sentence_in_is_no_part_of_it(label: str) -> None:
    (one,) = statements(f"{label}Tesla died in 1943 [1].", {1})
    assert (one.words, one.start) == ("Tesla died in 1943 .", 0)
    assert found("The answer: Tesla died in 1943.")[0][0].startswith("The answer")


def test_the_number_of_an_item_with_nothing_but_a_mark_states_nothing() -> None:
    answer = "1. [1]\n2. [2]\n\nThe pump is blue [1]."
    assert [one.framing for one in statements(answer, {1, 2})] == [True, True, False]
