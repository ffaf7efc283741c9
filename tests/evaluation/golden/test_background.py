"""A golden set in the making: what was made is saved however it ends, and the end says why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from core.errors import ModelUnreachable
from core.evaluation.golden.background import Making, questions_of
from core.evaluation.golden.generating import Made, Writer
from core.evaluation.golden.sets import GoldenItem


def embed(texts: Sequence[str]) -> np.ndarray:
    """The same question has the same direction, any other one of its own."""
    known = sorted(set(texts))
    return np.eye(len(known), dtype=np.float32)[[known.index(text) for text in texts]]


class Saved:
    """Remembers every state that was saved."""

    def __init__(self) -> None:
        self.states: list[list[str]] = []

    def __call__(self, items: Sequence[GoldenItem]) -> None:
        self.states.append([item.question for item in items])


def question(number: int) -> Made:
    return Made(GoldenItem(str(number), f"Question {number}?"))


def failing(count: int, error: BaseException) -> Iterator[Made]:
    """So many questions, then the error."""
    yield from map(question, range(count))
    raise error


def test_all_are_saved_and_on_the_way_every_five() -> None:
    making, saved = Making(7), Saved()
    making.follow(map(question, range(7)), embed, saved)
    assert [len(state) for state in saved.states] == [5, 7]
    now = making.progress()
    assert (now.kept, now.done, now.problem, now.dropped) == (7, True, "", ())


@pytest.mark.parametrize("count", [3, 7])
def test_what_was_made_before_a_failure_is_saved(count: int) -> None:
    making, saved = Making(20), Saved()
    making.follow(failing(count, ModelUnreachable("Nobody answers.", "Start it.")), embed, saved)
    assert len(saved.states[-1]) == count
    now = making.progress()
    assert (now.kept, now.done, now.problem) == (count, True, "Nobody answers. Start it.")


def test_what_was_made_before_a_fault_is_saved_too() -> None:
    making, saved = Making(20), Saved()
    with pytest.raises(ZeroDivisionError):
        making.follow(failing(3, ZeroDivisionError()), embed, saved)
    assert len(saved.states[-1]) == 3
    assert making.progress().done


def test_rejected_and_repeated_questions_are_told_and_not_kept() -> None:
    making, saved = Making(5), Saved()
    made = [question(1), Made(None, "groundedness 1 of 5: Why?"), question(1), question(2)]
    making.follow(iter(made), embed, saved)
    assert saved.states == [["Question 1?", "Question 2?"]]
    assert making.progress().dropped == (
        "groundedness 1 of 5: Why?", "Asked already: Question 1?",
    )  # fmt: skip


def test_nothing_made_is_said_and_no_empty_set_is_saved() -> None:
    making, saved = Making(5), Saved()
    making.follow(iter([Made(None, "The question was empty.")]), embed, saved)
    assert saved.states == []
    assert making.progress().problem == "No question could be made of these documents."


def test_a_model_is_looked_for_with_the_first_question_only() -> None:
    looked: list[bool] = []

    def no_writer() -> Writer | None:
        looked.append(True)
        return None

    made = questions_of([], 5, no_writer)
    assert looked == []
    assert list(made) == []
    assert looked == [True]
