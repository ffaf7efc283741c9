"""The reserve of disk space: deleting works on a full disk too."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from core.config import Settings
from core.errors import NotEnoughSpace, StorageError
from core.storage.files.reserve import SIZE, Reserve


@pytest.fixture
def reserve(tmp_path: Path) -> Reserve:
    """A reserve that has its space."""
    reserve = Reserve(Settings(data_dir=tmp_path))
    reserve.fill()
    return reserve


def full() -> None:
    """Work that the disk has no room for."""
    raise NotEnoughSpace("The disk is full.")


def test_the_space_is_really_taken(reserve: Reserve) -> None:
    taken = reserve.path.stat()
    assert taken.st_size == SIZE
    assert taken.st_blocks * 512 >= SIZE, "a file with holes gives nothing when it is removed"


def test_a_part_of_it_is_made_whole_again(reserve: Reserve) -> None:
    reserve.path.write_bytes(b"cut")
    reserve.fill()
    assert reserve.path.stat().st_size == SIZE


def test_a_disk_with_little_room_keeps_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=4 * SIZE - 1))
    reserve = Reserve(Settings(data_dir=tmp_path))
    reserve.fill()
    assert not reserve.path.exists()


def test_it_is_not_touched_while_there_is_room(reserve: Reserve) -> None:
    done: list[bool] = []
    reserve.spent_on(lambda: done.append(reserve.path.exists()), lambda: done.append(False))
    assert done == [True]


def test_on_a_full_disk_the_other_way_has_the_space(reserve: Reserve) -> None:
    done: list[bool] = []
    reserve.spent_on(full, lambda: done.append(reserve.path.exists()))
    assert done == [False]
    assert reserve.path.stat().st_size == SIZE, "it is there for the next time"


def test_where_that_was_not_enough_it_is_said(reserve: Reserve) -> None:
    with pytest.raises(NotEnoughSpace):
        reserve.spent_on(full, full)
    assert reserve.path.exists()


def test_another_fault_spends_nothing(reserve: Reserve) -> None:
    def damaged() -> None:
        raise StorageError("The catalogue's file is damaged.")

    with pytest.raises(StorageError, match="damaged"):
        reserve.spent_on(damaged, lambda: reserve.path.unlink())
    assert reserve.path.exists()
