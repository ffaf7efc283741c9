"""Pages that were read for answers: searched until they expire, kept where answers cite them."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.config import Settings
from core.storage.catalogue import Catalogue
from core.types import Answer, Citation, DocumentKind, DocumentState, LoadedDocument, Page
from tests.storage.made import cut

NOW = datetime.now(UTC)
LATER = NOW + timedelta(hours=1)


def read(catalogue: Catalogue, session_id: str, name: str, expires_at: datetime = LATER) -> None:
    """A page of the web, read and indexed."""
    loaded = LoadedDocument(
        DocumentKind.WEB, (Page(0, f"text of {name}"),), title=name, published="2026-05-01"
    )
    catalogue.web_pages.add(
        session_id, name, name, size=9, url=f"http://e.org/{name}", kind=DocumentKind.WEB,
        expires_at=expires_at,
    )  # fmt: skip
    catalogue.content.save(session_id, name, loaded, cut(name, loaded))
    catalogue.documents.mark_ready(session_id, name, seconds=0.1)


def cite(catalogue: Catalogue, session_id: str, document_id: str) -> None:
    citation = Citation(1, f"{document_id}:0", document_id, "x", None, 0, None, 0, 4, "text")
    talk = catalogue.conversations.create(session_id, "Talk")
    answer = Answer("?", "Text [1].", citations=(citation,))
    catalogue.conversations.add_message(session_id, talk.id, "assistant", answer.text, answer)


def test_a_read_page_is_searched_but_not_in_the_library(
    catalogue: Catalogue, session_id: str
) -> None:
    read(catalogue, session_id, "A")
    assert list(catalogue.documents.ready(session_id)) == ["A"]
    assert catalogue.documents.library(session_id) == []
    assert [document.id for document in catalogue.documents.list(session_id)] == ["A"]
    assert catalogue.documents.count(session_id) == 0
    assert catalogue.documents.claim_next() is None
    page = catalogue.web_pages.list(session_id)[0]
    assert (page.published, page.url, page.expires_at) == ("2026-05-01", "http://e.org/A", LATER)


def test_an_expired_page_is_not_searched(catalogue: Catalogue, session_id: str) -> None:
    read(catalogue, session_id, "A", NOW - timedelta(seconds=1))
    assert catalogue.documents.ready(session_id) == {}
    assert list(catalogue.documents.ready(session_id, searched_only=False)) == ["A"]


def test_reading_again_the_same_text_renews(catalogue: Catalogue, session_id: str) -> None:
    read(catalogue, session_id, "A", NOW - timedelta(seconds=1))
    again = catalogue.web_pages.add(
        session_id, "A", "A", size=9, url="", kind=DocumentKind.WEB, expires_at=LATER
    )
    assert again is None
    assert list(catalogue.documents.ready(session_id)) == ["A"]


def test_expired_pages_go_unless_an_answer_cites_them(
    catalogue: Catalogue, session_id: str
) -> None:
    past = NOW - timedelta(seconds=1)
    for name in ("cited", "unused"):
        read(catalogue, session_id, name, past)
    read(catalogue, session_id, "fresh")
    cite(catalogue, session_id, "cited")
    assert [d.id for d in catalogue.web_pages.forget(session_id, NOW, 10)] == ["unused"]
    assert catalogue.content.page(session_id, "cited", 0) is not None
    assert list(catalogue.documents.ready(session_id)) == ["fresh"]


def test_the_oldest_pages_go_beyond_the_most(catalogue: Catalogue, session_id: str) -> None:
    for name in ("a", "b", "c"):
        read(catalogue, session_id, name)
    assert [d.id for d in catalogue.web_pages.forget(session_id, NOW, 2)] == ["a"]


def test_a_kept_page_waits_to_be_read_whole(catalogue: Catalogue, session_id: str) -> None:
    read(catalogue, session_id, "A")
    catalogue.web_pages.keep(session_id, "A")
    kept = catalogue.documents.library(session_id)[0]
    assert (kept.id, kept.state, kept.expires_at) == ("A", DocumentState.WAITING, None)
    assert catalogue.web_pages.list(session_id) == []


@pytest.mark.sqlite
def test_a_catalogue_of_version_2_is_migrated(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    Catalogue(settings).close()
    file = sqlite3.connect(tmp_path / "data" / "library.db")
    for column in ("published", "expires_at"):
        file.execute(f"ALTER TABLE documents DROP COLUMN {column}")
    file.execute("UPDATE schema_info SET version = 2")
    file.commit()
    file.close()
    catalogue = Catalogue(settings)
    session_id = catalogue.sessions.create(catalogue.owners.create("b" * 64), "Mine").id
    read(catalogue, session_id, "A")
    assert list(catalogue.documents.ready(session_id)) == ["A"]
    catalogue.close()
