"""A library written by an earlier version opens, with everything in it; a kill is survived.

`old/library-N.sql` is what version N of the catalogue wrote; a new version adds a file here.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import Connection

from core.config import Settings
from core.storage.catalogue import Catalogue
from core.storage.sql import database as catalogue_database
from core.storage.sql.schema import SCHEMA_VERSION, metadata
from core.types import AskRequest
from tests.support.small_library import QUESTIONS, HashEmbedder, opened, troubles

pytestmark = [pytest.mark.F17, pytest.mark.sqlite]

OLD = sorted((Path(__file__).parent / "old").glob("library-*.sql"))
MODEL = HashEmbedder("model")


@pytest.fixture(params=OLD, ids=lambda path: path.stem)
def old(request: pytest.FixtureRequest, settings: Settings) -> Settings:
    """A data directory as an earlier version left it; its indexes are lost."""
    settings.data_dir.mkdir(parents=True)
    database = sqlite3.connect(settings.data_dir / "library.db")
    database.executescript(request.param.read_text("utf-8"))
    database.close()
    return settings


def version(settings: Settings) -> int:
    """The version that the file has."""
    database = sqlite3.connect(settings.data_dir / "library.db")
    found = database.execute("SELECT version FROM schema_info").fetchone()[0]
    database.close()
    return int(found)


def test_everything_is_there(old: Settings) -> None:
    with opened(old, MODEL) as service:
        owner = service.owners.for_token("somebody")
        (session,) = service.sessions.list(owner)
        assert {d.name for d in service.documents.list(session)} == set(QUESTIONS)
        (talk,) = service.conversations.list(session)
        answer = service.conversations.messages(session, talk.id)[-1].answer
        assert answer is not None
        assert "Ida Holm" in answer.citations[0].quote
        assert service.documents.evidence(session, answer.citations[0]).page_text
        assert [key.name for key in service.keys.list(owner)] == ["old key"]
        service.upkeep.run("rebuild")  # the model here is another one
        for name, question in QUESTIONS.items():
            assert service.search(AskRequest(session, question)).hits[0].document.name == name
        assert {finding.trouble.name for finding in troubles(service)} == {"NO_ORIGINAL"}
    assert version(old) == SCHEMA_VERSION
    assert list(old.data_dir.glob("library.db.v*.backup"))


def test_the_schema_is_that_of_a_new_library(old: Settings, tmp_path: Path) -> None:
    Catalogue(old).close()
    Catalogue(Settings(data_dir=tmp_path / "new")).close()

    def columns(place: Path) -> dict[str, set[tuple[str, str]]]:
        database = sqlite3.connect(place)
        found = {
            table: {(row[1], row[2]) for row in database.execute(f"PRAGMA table_info({table})")}
            for table in metadata.tables
        }
        database.close()
        return found

    assert columns(old.data_dir / "library.db") == columns(tmp_path / "new" / "library.db")


def test_a_kill_in_the_middle_leaves_the_old_version(
    old: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = version(old)
    steps = dict(catalogue_database.MIGRATIONS)
    last = max(steps)

    def killed(connection: Connection) -> None:
        steps[last](connection)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setitem(catalogue_database.MIGRATIONS, last, killed)
        with pytest.raises(KeyboardInterrupt):
            Catalogue(old)
    assert version(old) == before
    catalogue = Catalogue(old)
    assert len(catalogue.sessions.ids()) == 1
    catalogue.close()
    assert version(old) == SCHEMA_VERSION
