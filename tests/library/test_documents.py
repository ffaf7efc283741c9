"""The room of documents: their tags, and what is done with many at once."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from pydantic import SecretStr

from core.errors import InvalidRequest, PasswordProtected
from core.service import Service
from core.types import AddOutcome, DocumentState, Session
from tests.conftest import settled
from tests.parsing.files import encrypted, pdf


def test_a_file_comes_with_tags_and_gets_more(service: Service, session: Session) -> None:
    documents = service.documents
    added = documents.add_file(session, "a.txt", b"A text.", tags=["contracts", " 2024 "])
    assert added.document
    assert added.document.tags == ("contracts", "2024")
    assert documents.tag(session, [added.document.id], ["read"], ["2024"]) == 1
    assert documents.get(session, added.document.id).tags == ("contracts", "read")


def test_the_same_bytes_in_two_folders_have_the_tags_of_both(
    service: Service, session: Session
) -> None:
    service.documents.add_file(session, "a.txt", b"A text.", tags=["one"])
    again = service.documents.add_file(session, "a.txt", b"A text.", tags=["two"])
    assert again.outcome is AddOutcome.DUPLICATE
    (document,) = service.documents.list(session)
    assert document.tags == ("one", "two")


@pytest.mark.parametrize("tag", ["", " \n", "\u200b", "x" * 61])
def test_a_tag_that_cannot_be_shown_is_refused(
    service: Service, session: Session, tag: str
) -> None:
    (added,) = [service.documents.add_file(session, "a.txt", b"A text.")]
    assert added.document
    with pytest.raises(InvalidRequest, match="tag"):
        service.documents.tag(session, [added.document.id], [tag])


def test_a_name_in_another_folder_is_another_document(service: Service, session: Session) -> None:
    add = service.documents.add_file
    add(session, "readme.txt", b"Of the first folder.", tags=["one"])
    other = add(session, "readme.txt", b"Of the second folder.", tags=["two"])
    assert other.outcome is AddOutcome.ACCEPTED
    assert other.document
    assert other.document.label == "readme.txt (2)"
    changed = add(session, "readme.txt", b"Of the first folder, again.", tags=["one"])
    assert changed.outcome is AddOutcome.CONFLICT
    assert add(session, "readme.txt", b"Of no folder.").outcome is AddOutcome.CONFLICT


def test_many_are_taken_out_of_the_search_and_tried_again(
    service: Service, session: Session
) -> None:
    ids = [
        added.document.id
        for name in ("a.txt", "b.txt", "c.txt")
        if (added := service.documents.add_file(session, name, name.encode())).document
    ]
    settled(service, session)
    assert service.documents.set_all_searched(session, [*ids[:2], "f" * 64], False) == 2
    assert [d.searched for d in service.documents.list(session)] == [False, False, True]
    failed = DocumentState.FAILED
    service.catalogue.documents.set_state(session.id, ids[0], failed, reason="It broke.")
    assert service.documents.retry_all(session, ids) == 1
    assert {d.state for d in settled(service, session)} == {DocumentState.READY}


def test_a_password_opens_a_pdf_and_is_kept_nowhere(
    service: Service, session: Session, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    plain = pdf(tmp_path / "plain.pdf", ["The lighthouse was built by Ida Holm."])
    locked = encrypted(plain, tmp_path / "locked.pdf", "s3same-0pen", "owner", "AES-256")
    added = service.documents.add_file(session, "locked.pdf", locked.read_bytes())
    assert added.document
    (document,) = settled(service, session)
    assert (document.state, document.cure) == (DocumentState.FAILED, PasswordProtected.cure_of_pdf)
    service.documents.unlock(session, document.id, SecretStr("wrong"))
    (document,) = settled(service, session)
    assert document.reason == "The password does not open the PDF."
    service.documents.unlock(session, document.id, SecretStr("s3same-0pen"))
    (document,) = settled(service, session)
    assert document.state is DocumentState.READY
    assert "Ida Holm" in service.documents.pages(session, document.id)[0].text
    assert service.worker.ingester.passwords.take(document).get_secret_value() == ""
    folder = service.settings.data_dir.parent
    written = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert b"s3same-0pen" not in written
    assert "s3same-0pen" not in caplog.text
