"""Conversations asked turn by turn: what each is asked with, and how the background ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pytest

from core.errors import InvalidRequest, ModelUnreachable
from core.evaluation.golden.talks import Turn
from core.evaluation.measures.talks import Reply
from core.evaluation.runs.talks import Talking, ask_talk, merit, with_library
from core.types import AskRequest, Event, Session, Step
from tests.evaluation.made import answer, refusal


def turn(conversation: str, at: int, *library: str) -> Turn:
    return Turn(
        conversation, at, library or ("a.txt",), f"question {at}", "fact", True, at > 1, ("yes",)
    )


class Asked:
    """Answers everything alike and remembers what was asked."""

    def __init__(self) -> None:
        self.requests: list[AskRequest] = []

    def ask(self, request: AskRequest) -> Iterator[Event]:
        self.requests.append(request)
        yield Step("dense", seconds=0.1)
        yield answer(f"It says so, {len(self.requests)}. [1]")


def replies(turns: Sequence[Turn], failing_at: int = 0) -> Iterator[Reply]:
    for at, one in enumerate(turns, 1):
        if at == failing_at:
            raise ModelUnreachable("Nobody answers.", "Start it.")
        yield Reply(one, "yes", "yes")


def test_a_turn_is_asked_with_all_that_was_said_before() -> None:
    asker, now = Asked(), datetime.now(UTC)
    session = Session("s", "somebody", "", now, now)
    found = list(ask_talk(asker, session, [turn("A", 1), turn("A", 2), turn("A", 3)]))
    assert [reply.text for reply in found] == [f"It says so, {at}." for at in (1, 2, 3)]
    history = asker.requests[2].history
    assert [message.text for message in history[::2]] == ["question 1", "question 2"]
    assert [message.role for message in history] == ["user", "assistant"] * 2
    assert history[3].answer is not None  # the sources of the last answer, for a pronoun
    assert all(request.conversation_id is None for request in asker.requests)


def test_conversations_about_other_documents_are_left_out() -> None:
    talks, missing = with_library(
        [turn("A", 1, "a.txt"), turn("B", 1, "A.txt", "b.txt")], ["A.TXT"]
    )
    assert [talk[0].conversation for talk in talks] == ["A"]
    assert missing == ("b.txt",)


def test_a_file_without_a_single_library_is_refused_with_what_is_missing() -> None:
    with pytest.raises(InvalidRequest, match=r"does not have a\.txt"):
        Talking.of("mine.jsonl", [turn("A", 1)], ["other.txt"])


def test_a_failure_ends_it_with_what_was_asked_until_then() -> None:
    talking = Talking("mine.jsonl", [[turn("A", 1), turn("A", 2)]])
    talking.follow(lambda turns: replies(turns, failing_at=2))
    now = talking.progress()
    assert (len(now.replies), now.total, now.done) == (1, 2, True)
    assert now.problem == "Nobody answers. Start it."


def test_stopped_it_keeps_whole_answers_only() -> None:
    talking = Talking("mine.jsonl", [[turn("A", 1), turn("A", 2)], [turn("B", 1)]])

    def stopped_within_the_second(turns: Sequence[Turn]) -> Iterator[Reply]:
        for reply in replies(turns):
            if reply.turn.turn == 2:
                talking.stop()
            yield reply

    talking.follow(stopped_within_the_second)
    assert [reply.turn.turn for reply in talking.progress().replies] == [1]
    assert talking.progress().done


def test_a_right_answer_is_worth_more_than_a_refusal() -> None:
    asked = turn("A", 1)
    assert merit(Reply(asked, "yes", "yes")) > merit(Reply(asked, "no", "no")) >= 0
    nothing = Turn("A", 2, ("a.txt",), "question", "unanswerable", False, False, ())
    assert merit(Reply(nothing, refusal().text, "", refused=True)) == 2
