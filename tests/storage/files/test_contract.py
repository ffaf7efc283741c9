"""What every store of files does: the same tests over a folder and over an object store."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

import pytest

from core.storage.files.originals import file_store
from core.storage.files.port import FileStore
from tests.conftest import settings_in
from tests.storage.files.stored import ID, KEY, OTHER, SESSION, TREE, put

Opens = Callable[[str], FileStore]


@pytest.fixture(params=["folder", pytest.param("bucket", marks=[pytest.mark.grown])])
def opens(request: pytest.FixtureRequest, tmp_path: Path) -> Opens:
    """Opens the same store from the process of this name."""
    if request.param == "bucket":
        url = f"{request.getfixturevalue('bucket')}/some/where"
    else:
        url = f"file://{tmp_path / 'shared'}"
        (tmp_path / "shared").mkdir()
    return lambda name: file_store(settings_in(tmp_path / name, originals_url=url))


def test_what_one_process_stores_another_one_reads(opens: Opens) -> None:
    one, other = opens("one"), opens("other")
    one.check()
    put(one, KEY, b"whole")
    for store in (one, other):
        assert store.path(KEY).read_bytes() == b"whole"
        assert store.has(KEY)
        (file,) = store.files(f"{SESSION}/originals")
        assert (file.name, file.size) == (ID, 5)
        assert abs(file.modified - store.path(KEY).stat().st_mtime) < 60
        assert store.sessions() == {SESSION}
        assert store.size() == 5


def test_the_same_twice_is_stored_once(opens: Opens) -> None:
    one, other = opens("one"), opens("other")
    for store in (one, other, one):
        put(store, KEY, b"whole")
    assert [file.name for file in one.files(f"{SESSION}/originals")] == [ID]
    assert one.path(KEY).read_bytes() == other.path(KEY).read_bytes() == b"whole"


def test_what_is_not_there_is_not_found(opens: Opens) -> None:
    store = opens("one")
    with pytest.raises(FileNotFoundError):
        store.path(KEY)
    assert not store.has(KEY)
    assert store.files(f"{SESSION}/originals") == []
    assert store.sessions() == set()
    assert store.size() == 0
    assert not store.look(TREE).exists()
    store.remove(KEY)
    store.remove_tree(TREE)
    store.remove_session(SESSION)
    store.tidy()


def test_removed_at_one_it_is_gone_at_all(opens: Opens) -> None:
    one, other = opens("one"), opens("other")
    for key in (KEY, f"{SESSION}/originals/{'b' * 64}", f"{OTHER}/originals/{ID}"):
        put(one, key, b"x")
    other.remove(KEY)
    assert not one.has(KEY)
    assert [file.name for file in one.files(f"{SESSION}/originals")] == ["b" * 64]
    other.remove_session(SESSION)
    assert one.sessions() == other.sessions() == {OTHER}
    assert one.files(f"{SESSION}/originals") == []


def test_a_tree_is_gone_on_with_by_another_process(opens: Opens) -> None:
    one, other = opens("one"), opens("other")
    with one.work(TREE) as folder:
        (folder / "pages").mkdir(parents=True)
        (folder / "pages" / "a.html").write_text("a")
        (folder / "all.json").write_text("[1]")
    assert (other.look(TREE) / "pages" / "a.html").read_text() == "a"
    with other.work(TREE) as folder:
        (folder / "all.json").write_text("[1, 2]")
        (folder / "pages" / "a.html").unlink()
    assert (one.look(TREE) / "all.json").read_text() == "[1, 2]"
    assert not (one.look(TREE) / "pages" / "a.html").exists()
    assert one.files(f"{SESSION}/originals") == []
    one.remove_tree(TREE)
    assert not other.look(TREE).exists()


def test_what_a_tree_is_after_an_error_is_stored(opens: Opens) -> None:
    one, other = opens("one"), opens("other")
    with contextlib.suppress(RuntimeError), one.work(TREE) as folder:
        folder.mkdir(parents=True)
        (folder / "half.json").write_text("[")
        raise RuntimeError
    assert (other.look(TREE) / "half.json").exists()
