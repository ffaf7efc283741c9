"""Measures of conversations, with values worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import InvalidRequest
from core.evaluation.golden.talks import Turn, conversations, read_talks
from core.evaluation.measures.talks import Reply, f1, first_is_right, holds_lines, measures


def turn(kind: str = "fact", *ideal: str, at: int = 1, answerable: bool = True) -> Turn:
    """A turn of one conversation."""
    return Turn("A", at, ("a.txt",), f"question {at}", kind, answerable, at > 1, ideal)


def test_f1_counts_the_words_of_answer_and_all_quotes() -> None:
    reply = Reply(
        turn("fact", "The tower opened in 1889."), "It opened in 1889", "It opened in 1889"
    )
    assert f1(reply) == pytest.approx(2 * 3 / (4 + 5))  # opened, in, 1889


def test_the_first_sentence_needs_six_tenths_of_a_quote() -> None:
    quote = "one two three four five"
    assert first_is_right(Reply(turn("fact", quote), "", "one two three"))
    assert not first_is_right(Reply(turn("fact", quote), "", "one two"))
    assert not first_is_right(Reply(turn("fact", quote), "", quote, refused=True))


def test_a_list_is_whole_with_every_line() -> None:
    lines = turn("list", "red apples and pears", "green plums")
    assert holds_lines(Reply(lines, "green plums, red apples and pears", ""))
    assert not holds_lines(Reply(lines, "red apples and pears", ""))


def test_refusals_count_where_nothing_is_to_be_found() -> None:
    replies = [
        Reply(turn("unanswerable", answerable=False), "nothing", "nothing", refused=True),
        Reply(turn("fact", "a b", at=2), "", "", refused=True),
    ]
    values = measures(replies)
    assert values["f1"] == 0.5
    assert (values["refused_right"], values["refused_wrong"]) == (1.0, 1.0)


def test_small_talk_is_judged_by_its_route_alone() -> None:
    hello = turn("smalltalk", answerable=False)
    values = measures([Reply(hello, "Hello!", "Hello!", route="smalltalk")])
    assert values["route"] == 1.0
    assert values["f1"] is None
    assert values["refused_right"] is None


def test_leaning_turns_that_are_found_and_false_alarms() -> None:
    replies = [
        Reply(turn("fact", "a", at=1), "a", "a", leaned=True),
        Reply(turn("fact", "a", at=2), "b", "b", leaned=True),
        Reply(turn("fact", "a", at=3), "c", "c"),
    ]
    values = measures(replies)
    assert (values["follow_found"], values["follow_false"]) == (0.5, 1.0)


def test_the_same_answer_twice_in_a_row_is_counted() -> None:
    replies = [Reply(turn("fact", "a", at=n), "same", "same") for n in (1, 2, 3)]
    assert measures(replies)["repeated"] == 2.0


def test_marked_words_against_those_that_answer() -> None:
    asked = Turn("A", 1, (), "when", "date", True, False, ("It was in 1889.",), "in 1889")
    assert measures([Reply(asked, "x", "x", marked="1889")])["span"] == pytest.approx(2 / 3)


def test_a_file_of_turns_is_read_and_grouped(tmp_path: Path) -> None:
    line = (
        '{"conversation": "A", "turn": %d, "library": ["a.txt"], "question": "q", "kind": "fact",'
        ' "answerable": true, "follows": false, "ideal": [{"quote": "x"}], "answer_span": null}\n'
    )
    path = tmp_path / "talks.jsonl"
    path.write_text(line % 2 + line % 1, "utf-8")
    assert [one.turn for one in conversations(read_talks(path))["A"]] == [1, 2]


@pytest.mark.parametrize("text", ["", "{}", "[1]", "no json"])
def test_a_file_that_holds_no_turns_is_said_to(tmp_path: Path, text: str) -> None:
    path = tmp_path / "talks.jsonl"
    path.write_text(text, "utf-8")
    with pytest.raises(InvalidRequest):
        read_talks(path)
