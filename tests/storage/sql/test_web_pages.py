"""Pages that were read for answers: searched until they expire, kept where answers cite them."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

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
    catalogue.add_read_page(
        session_id, name, name, size=9, url=f"http://e.org/{name}", kind=DocumentKind.WEB,
        expires_at=expires_at,
    )  # fmt: skip
    catalogue.save_content(session_id, name, loaded, cut(name, loaded))
    catalogue.mark_ready(session_id, name, seconds=0.1)


def cite(catalogue: Catalogue, session_id: str, document_id: str) -> None:
    citation = Citation(1, f"{document_id}:0", document_id, "x", None, 0, None, 0, 4, "text")
    talk = catalogue.create_conversation(session_id, "Talk")
    answer = Answer("?", "Text [1].", citations=(citation,))
    catalogue.add_message(session_id, talk.id, "assistant", answer.text, answer)


def test_a_read_page_is_searched_but_not_in_the_library(
    catalogue: Catalogue, session_id: str
) -> None:
    read(catalogue, session_id, "A")
    assert list(catalogue.ready_documents(session_id)) == ["A"]
    assert catalogue.counts(session_id) == (1, 1)
    assert catalogue.library(session_id) == []
    assert [document.id for document in catalogue.documents(session_id)] == ["A"]
    assert catalogue.document_count(session_id) == 0
    assert catalogue.claim_next() is None
    page = catalogue.read_pages(session_id)[0]
    assert (page.published, page.url, page.expires_at) == ("2026-05-01", "http://e.org/A", LATER)


def test_an_expired_page_is_not_searched(catalogue: Catalogue, session_id: str) -> None:
    read(catalogue, session_id, "A", NOW - timedelta(seconds=1))
    assert catalogue.ready_documents(session_id) == {}
    assert list(catalogue.ready_documents(session_id, searched_only=False)) == ["A"]
    assert catalogue.counts(session_id) == (0, 0)


def test_reading_again_the_same_text_renews(catalogue: Catalogue, session_id: str) -> None:
    read(catalogue, session_id, "A", NOW - timedelta(seconds=1))
    again = catalogue.add_read_page(
        session_id, "A", "A", size=9, url="", kind=DocumentKind.WEB, expires_at=LATER
    )
    assert again is None
    assert list(catalogue.ready_documents(session_id)) == ["A"]


def test_expired_pages_go_unless_an_answer_cites_them(
    catalogue: Catalogue, session_id: str
) -> None:
    past = NOW - timedelta(seconds=1)
    for name in ("cited", "unused"):
        read(catalogue, session_id, name, past)
    read(catalogue, session_id, "fresh")
    cite(catalogue, session_id, "cited")
    assert [d.id for d in catalogue.forget_pages(session_id, NOW, 10)] == ["unused"]
    assert catalogue.page(session_id, "cited", 0) is not None
    assert list(catalogue.ready_documents(session_id)) == ["fresh"]


def test_the_oldest_pages_go_beyond_the_most(catalogue: Catalogue, session_id: str) -> None:
    for name in ("a", "b", "c"):
        read(catalogue, session_id, name)
    assert [d.id for d in catalogue.forget_pages(session_id, NOW, 2)] == ["a"]


def test_a_kept_page_waits_to_be_read_whole(catalogue: Catalogue, session_id: str) -> None:
    read(catalogue, session_id, "A")
    catalogue.keep_page(session_id, "A")
    kept = catalogue.library(session_id)[0]
    assert (kept.id, kept.state, kept.expires_at) == ("A", DocumentState.WAITING, None)
    assert catalogue.read_pages(session_id) == []


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
    session_id = catalogue.create_session(catalogue.create_owner("b" * 64), "Mine").id
    read(catalogue, session_id, "A")
    assert list(catalogue.ready_documents(session_id)) == ["A"]
    catalogue.close()
