"""Every file of an index halved, emptied, removed or scrambled: noticed at the start, mended.

Each time a process of its own opens the library: damage can end the process that meets it.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import IndexDamaged, StorageError
from core.types import AskRequest, QueryOptions, SearchOptions
from tests.conftest import settings_in, settled
from tests.maintenance.reader import read
from tests.support.small_library import (
    QUESTIONS,
    HashEmbedder,
    all_found,
    dense,
    fill,
    opened,
    the_session,
    troubles,
)

pytestmark = pytest.mark.F09

MODEL = HashEmbedder("model")


def halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def remove(path: Path) -> None:
    path.unlink()


def scramble(path: Path) -> None:
    data = bytearray(path.read_bytes())
    chance = random.Random(1)
    for _ in range(max(1, len(data) // 50)):
        data[chance.randrange(len(data))] ^= 0xFF
    path.write_bytes(data)


HARM: list[Callable[[Path], None]] = [halve, empty, remove, scramble]
VECTORS = ["data_level0.bin", "header.bin", "index_metadata.pickle", "length.bin", "link_lists.bin"]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """A library of some hundred passages, closed properly."""
    folder = tmp_path_factory.mktemp("whole")
    settings = settings_in(folder)
    with opened(settings) as service:
        assert all_found(service, fill(service, 30))
    yield settings
    shutil.rmtree(folder)


@pytest.fixture
def copy(library: Settings, tmp_path: Path) -> Settings:
    """A copy of it to be damaged."""
    places = {"data_dir": tmp_path / "data", "chroma_dir": tmp_path / "chroma"}
    for name, place in places.items():
        shutil.copytree(getattr(library, name), place)
    return library.model_copy(update=places)


def mended(settings: Settings) -> None:
    """Whoever opens the library next finds everything, and so does whoever comes after."""
    for _ in range(2):
        done = read(settings)
        assert done.returncode == 0, done.stdout + done.stderr[-3000:]


@pytest.mark.long
@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm.__name__)
@pytest.mark.parametrize("name", VECTORS)
def test_a_file_of_the_vector_index(
    copy: Settings, name: str, harm: Callable[[Path], None]
) -> None:
    for path in copy.chroma_dir.glob(f"*-*/{name}"):
        harm(path)
    mended(copy)


@pytest.mark.long
def test_the_folder_of_the_vector_index(copy: Settings) -> None:
    for path in copy.chroma_dir.glob("*-*"):
        shutil.rmtree(path)
    mended(copy)


@pytest.mark.long
@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm.__name__)
def test_the_database_of_the_vector_store(copy: Settings, harm: Callable[[Path], None]) -> None:
    harm(copy.chroma_dir / "chroma.sqlite3")
    mended(copy)


@pytest.mark.long
@pytest.mark.parametrize("harm", HARM, ids=lambda harm: harm.__name__)
@pytest.mark.parametrize("ending", ["json", "store", "term", "idx", "pos", "fieldnorm"])
def test_a_file_of_the_lexical_index(
    copy: Settings, ending: str, harm: Callable[[Path], None]
) -> None:
    for path in copy.sessions_dir.glob(f"*/lexical/*{ending}"):
        harm(path)
    mended(copy)


def test_never_fewer_hits_in_silence(settings: Settings) -> None:
    """While vectors are made again, a search says that it went by words."""
    with opened(settings, MODEL) as service:
        fill(service)
    for folder in settings.chroma_dir.glob("*-*"):
        shutil.rmtree(folder)
    said: list[str] = []

    def look() -> None:  # in the middle of the work
        session = the_session(service)
        with pytest.raises(IndexDamaged):
            dense(service, session, QUESTIONS["bread.txt"])
        result = service.search(AskRequest(session, QUESTIONS["bread.txt"]))
        said.extend(notice.code for notice in result.notices)
        assert result.hits[0].document.name == "bread.txt"

    MODEL.before = look
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("core.storage.stores.load_embedder", lambda _: MODEL)
            from core.service import Service

            service = Service(settings, background=False)
            service.warm_up()
    finally:
        MODEL.before = lambda: None
    assert "dense-failed" in said
    assert all_found(service, the_session(service))
    assert troubles(service) == []
    service.close()


def test_a_document_that_meets_a_damaged_index_comes_in_all_the_same(settings: Settings) -> None:
    """As after a kill while an index was removed: the damage is mended, then it is its turn."""
    with opened(settings, MODEL) as service:
        session = fill(service)
        service.stores.lexical.close()
        for path in settings.sessions_dir.glob("*/lexical/*.term"):
            path.unlink()
        service.documents.add_file(session, "late.txt", b"The ferry to Port Amber leaves at nine.")
        settled(service, session)
        assert {document.state for document in service.documents.list(session)} == {"ready"}
        assert all_found(service, session)
        words = SearchOptions(mode="lexical")
        assert (
            service.search(AskRequest(session, "ferry", options=QueryOptions(search=words)))
            .hits[0]
            .document.name
            == "late.txt"
        )
        assert troubles(service) == []


def test_a_damaged_catalogue_is_said_at_the_start(settings: Settings) -> None:
    """The truth itself cannot be made again: a backup is asked for, and nothing is touched."""
    with opened(settings, MODEL) as service:
        fill(service)
    place = settings.data_dir / "library.db"
    whole = place.read_bytes()
    place.write_bytes(b"\0" * 4096 + whole[4096:])
    with pytest.raises(StorageError, match="damaged") as caught, opened(settings, MODEL):
        pass
    assert "backup" in caught.value.cure
    place.write_bytes(whole)
    with opened(settings, MODEL) as service:
        assert all_found(service, the_session(service))
