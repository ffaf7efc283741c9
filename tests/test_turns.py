"""People take turns, everybody is told the place in the queue, and nobody waits without hope."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from core.errors import Busy
from core.turns import Turns
from core.types import Step
from core.types.steps import Waiting
from tests.conftest import eventually


class Work:
    """Work that ends when it is told to, and notes who was worked on."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.order: list[str] = []
        self.go = threading.Event()
        self.threads: list[threading.Thread] = []
        self.steps: list[Step] = []

    def ask(self, who: str) -> None:
        """One question on a thread of its own, in the queue when this returns."""

        def made() -> Iterator[str]:
            self.order.append(who)
            self.go.wait(30)
            yield who

        def follow() -> None:
            for one in self.turns.through(who, made):
                if isinstance(one, Step):
                    self.steps.append(one)

        before = self.turns.waiting() + self.turns.working()
        thread = threading.Thread(target=follow)
        thread.start()
        self.threads.append(thread)
        assert eventually(lambda: self.turns.waiting() + self.turns.working() > before)

    def finish(self) -> None:
        self.go.set()
        for thread in self.threads:
            thread.join(30)


def test_one_greedy_person_does_not_keep_the_others_waiting() -> None:
    work = Work(Turns(1))
    for who in ("greedy",) * 6 + ("ida", "nils", "ida"):
        work.ask(who)
    work.finish()
    assert work.order == ["greedy", "greedy", "ida", "nils", "greedy", "ida"] + ["greedy"] * 3


def test_the_place_is_told_and_counts_down() -> None:
    turns = Turns(1)
    work = Work(turns)
    for who in ("a", "b", "c"):
        work.ask(who)
    assert eventually(lambda: {s.detail for s in work.steps} >= {Waiting(1), Waiting(2)})
    work.finish()
    assert turns.waiting() == turns.working() == 0


def test_at_most_so_many_at_once() -> None:
    turns = Turns(3)
    work = Work(turns)
    for number in range(10):
        work.ask(f"s{number}")
    assert turns.working() == 3
    assert turns.waiting() == 7
    work.finish()
    assert len(work.order) == 10


def test_who_cannot_even_wait_is_told_at_once() -> None:
    turns = Turns(1, most_waiting=4, most_each=2)
    work = Work(turns)
    for who in ("a", "b", "b"):
        work.ask(who)
    with pytest.raises(Busy, match="2 questions of yours are waiting"):
        next(turns.through("b", lambda: iter(())))
    for who in ("c", "d"):
        work.ask(who)
    with pytest.raises(Busy, match="4 questions are waiting already") as caught:
        next(turns.through("e", lambda: iter(())))
    assert "ask again" in caught.value.cure
    work.finish()


def test_who_leaves_gives_the_place_up() -> None:
    turns = Turns(1)
    work = Work(turns)
    work.ask("a")
    waiting = turns.through("b", lambda: iter(["never"]))
    assert next(waiting) == Step("waiting", Waiting(1), pytest.approx(0.5, abs=0.4))
    waiting.close()
    assert turns.waiting() == 0
    work.finish()
    assert turns.working() == 0


def test_a_failure_gives_the_turn_back() -> None:
    turns = Turns(1)

    def fails() -> Iterator[str]:
        raise ValueError("in the middle")
        yield ""

    with pytest.raises(ValueError, match="middle"):
        list(turns.through("a", fails))
    with turns.hold("a"):
        assert turns.working() == 1
    assert turns.working() == 0


@pytest.mark.J09
def test_long_work_of_one_person_leaves_places_to_the_others() -> None:
    turns = Turns(8, leaves_room=True)
    work = Work(turns)
    for who in ("a",) * 10 + ("b",) * 5 + ("c", "d"):
        work.ask(who)
    assert sorted(work.order) == ["a"] * 4 + ["b"] * 2 + ["c", "d"]
    work.finish()
    assert turns.working() == 0
    assert len(work.order) == 17
