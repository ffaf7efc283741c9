"""A data directory that cannot be written: the start refuses with the path and the reason.

Tests may run as root, whom no permission stops, so the refusals are a path under a file and
errors that the system is made to give.
"""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import DataDirectoryUnusable, NotEnoughSpace
from core.storage.catalogue import Catalogue
from core.storage.files.lock import DataLock

pytestmark = pytest.mark.F08

STARTS = [DataLock, Catalogue]


@pytest.mark.parametrize("start", STARTS)
def test_a_path_under_a_file(tmp_path: Path, start: type[DataLock | Catalogue]) -> None:
    (tmp_path / "file").write_bytes(b"")
    folder = tmp_path / "file" / "data"
    with pytest.raises(DataDirectoryUnusable) as caught:
        start(Settings(data_dir=folder, chroma_dir=tmp_path / "chroma"))
    assert f"DATA_DIR ({folder})" in caught.value.message
    assert "not a directory" in caught.value.message
    assert "right to write" in caught.value.cure


@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.EROFS, DataDirectoryUnusable),
        (errno.EACCES, DataDirectoryUnusable),
        (errno.EDQUOT, NotEnoughSpace),
        (errno.ENOSPC, NotEnoughSpace),
    ],
)
def test_writing_is_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    start: type[DataLock | Catalogue],
    number: int,
    kind: type[Exception],
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(tempfile, "TemporaryFile", refused)
    with pytest.raises(kind, match="DATA_DIR"):
        start(Settings(data_dir=tmp_path / "data", chroma_dir=tmp_path / "chroma"))
    assert list((tmp_path / "data").iterdir()) == []


def test_a_catalogue_that_is_a_directory(tmp_path: Path) -> None:
    (tmp_path / "library.db").mkdir()
    with pytest.raises(DataDirectoryUnusable) as caught:
        Catalogue(Settings(data_dir=tmp_path))
    assert str(tmp_path) not in caught.value.message


def test_after_the_cure_it_starts(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.write_bytes(b"in the way")
    settings = Settings(data_dir=folder, chroma_dir=tmp_path / "chroma")
    with pytest.raises(DataDirectoryUnusable):
        DataLock(settings)
    folder.unlink()
    with DataLock(settings):
        Catalogue(settings).close()
