"""Methods of rooms are called again where another transaction was in the way."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from core.errors import NotFound, StorageError
from core.storage.catalogue import Catalogue
from core.storage.sql.room import Overtaken, Room

pytestmark = pytest.mark.F28


class Busy(Room):
    """Meets another transaction so often, and raises the rest."""

    def __init__(self, *raised: Exception) -> None:
        self.raised = iter(raised)
        self.database = SimpleNamespace(joined=None)
        self.calls = 0

    def write(self, value: str, *, twice: bool = False) -> str:
        """What each transaction does."""
        self._count()
        return 2 * value if twice else value

    def values(self) -> Iterator[int]:
        """A generator: transactions of its own."""
        self._count()
        yield 1

    def _count(self) -> None:
        self.calls += 1
        if (error := next(self.raised, None)) is not None:
            raise error


def test_it_is_done_again_until_nothing_is_in_the_way() -> None:
    busy = Busy(Overtaken("Busy.", 9.0), Overtaken("Busy.", 9.0))
    assert busy.write("a", twice=True) == "aa"
    assert busy.calls == 3
    assert Busy.write.__doc__ == "What each transaction does."


def test_what_stays_in_the_way_becomes_an_error_for_people() -> None:
    busy = Busy(Overtaken("Busy.", 9.0), Overtaken("Busy.", -1.0))  # its time is over
    with pytest.raises(StorageError, match="Busy") as caught:
        busy.write("a")
    assert type(caught.value) is StorageError
    assert caught.value.cure == "Try again in a moment."
    assert busy.calls == 2


def test_other_errors_are_raised_at_once() -> None:
    busy = Busy(NotFound("Gone."), Overtaken("Busy.", 9.0))
    with pytest.raises(NotFound):
        busy.write("a")
    assert busy.calls == 1


def test_a_generator_is_left_alone() -> None:
    busy = Busy(Overtaken("Busy.", 9.0))
    with pytest.raises(Overtaken):
        next(busy.values())


def test_every_room_of_the_catalogue_is_one(catalogue: Catalogue) -> None:
    rooms = {name: part for name, part in vars(catalogue).items() if name != "database"}
    assert len(rooms) > 10
    assert [name for name, part in rooms.items() if not isinstance(part, Room)] == []
