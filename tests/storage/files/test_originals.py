"""Originals are there whole or not at all."""

from __future__ import annotations

import hashlib
import io
import os
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import DocumentNotFound, EmptyFile, InvalidId, NotEnoughSpace, TooLarge
from core.ids import new_id
from core.storage.files.originals import Originals


@pytest.fixture
def originals(tmp_path: Path) -> Originals:
    return Originals(Settings(data_dir=tmp_path, max_file_mb=1, min_free_mb=0))


def test_a_file_is_kept_under_its_hash(originals: Originals) -> None:
    session, data = new_id(), b"some bytes" * 1000
    path, digest, size = originals.receive(session, io.BytesIO(data))
    assert (digest, size) == (hashlib.sha256(data).hexdigest(), len(data))
    originals.keep(session, digest, path)
    assert originals.path(session, digest).read_bytes() == data
    originals.remove(session, digest)
    with pytest.raises(DocumentNotFound):
        originals.path(session, digest)


def test_a_file_over_the_limit_leaves_nothing(originals: Originals) -> None:
    session = new_id()
    with pytest.raises(TooLarge, match="1 MB"):
        originals.receive(session, io.BytesIO(bytes(1_000_001)))
    assert list(originals.files.local.rglob("*.*")) == []


def test_an_empty_file_is_refused(originals: Originals) -> None:
    with pytest.raises(EmptyFile):
        originals.receive(new_id(), io.BytesIO(b""))


def test_what_an_interrupted_upload_left_is_swept(originals: Originals) -> None:
    session = new_id()
    path, _, _ = originals.receive(session, io.BytesIO(b"half"))
    assert path.exists()
    originals.sweep()
    assert not path.exists()


def test_in_a_shared_folder_only_what_was_left_long_ago_is_swept(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data", originals_url=f"file://{tmp_path / 'shared'}")
    originals, session = Originals(settings), new_id()
    young, _, _ = originals.receive(session, io.BytesIO(b"of another process"))
    old, _, _ = originals.receive(session, io.BytesIO(b"half"))
    assert young.is_relative_to(tmp_path / "shared" / "sessions")
    os.utime(old, (0, 0))
    scratch = originals.scratch(session)
    assert scratch.is_relative_to(tmp_path / "data")
    (scratch / "child-x").mkdir(parents=True)
    originals.sweep()
    assert young.exists()
    assert not old.exists()
    assert not scratch.exists()


def test_nothing_is_added_when_the_disk_is_nearly_full(tmp_path: Path) -> None:
    originals = Originals(Settings(data_dir=tmp_path, min_free_mb=10**9))
    with pytest.raises(NotEnoughSpace, match="MB needed"):
        originals.receive(new_id(), io.BytesIO(b"x"))


@pytest.mark.parametrize("bad", ["../x", "", "a/b", "A" * 64])
def test_no_foreign_name_becomes_a_path(originals: Originals, bad: str) -> None:
    with pytest.raises(InvalidId):
        originals.path(bad, "0" * 64)
    with pytest.raises(InvalidId):
        originals.path(new_id(), bad)
