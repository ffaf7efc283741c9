"""The room of documents: their tags, and what is done with many at once."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from pydantic import SecretStr

from core.citations.page_images import PageImages
from core.errors import DocumentNotFound, InvalidRequest, PasswordProtected
from core.service import Service
from core.types import AddOutcome, DocumentState, Matches, Session
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


def test_words_are_found_on_all_pages_of_one_document(
    service: Service, session: Session, tmp_path: Path
) -> None:
    pages = [["Nothing here."], ["The harbour", "masters met."], ["A harbour master left."]]
    add = service.documents.add_file
    document = add(session, "a.pdf", pdf(tmp_path / "a.pdf", *pages)).document
    other = add(session, "b.txt", b"The harbour master of another document.").document
    assert document
    assert other
    settled(service, session)
    found = service.documents.find(session, document.id, "HARBOUR master")
    assert not found.more
    assert [match.page_ordinal for match in found.places] == [1, 2]
    texts = [page.text for page in service.documents.pages(session, document.id)]
    words = [texts[match.page_ordinal][match.start : match.end] for match in found.places]
    assert [" ".join(one.split()) for one in words] == ["harbour masters", "harbour master"]
    assert service.documents.find(session, document.id, "lighthouse") == Matches()

    spans = [(match.start, match.end) for match in found.places if match.page_ordinal == 1]
    evidence = service.documents.page_evidence(session, document.id, 1, spans)
    (boxes,) = evidence.found_boxes
    assert len(boxes) == 2  # a line each
    assert boxes[0][3] <= boxes[1][1] + 0.005
    assert (evidence.boxes, evidence.found) == ((), tuple(spans))


def test_only_pages_of_pdfs_are_drawn_ahead(
    service: Service, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add = service.documents.add_file
    book = add(session, "a.pdf", pdf(tmp_path / "a.pdf", ["One page."], ["Two."])).document
    text = add(session, "a.txt", b"One page.").document
    assert book
    assert text
    settled(service, session)
    asked: list[list[int]] = []
    monkeypatch.setattr(
        PageImages, "draw_ahead", lambda self, path, ordinals, who: asked.append(ordinals)
    )
    places = [(book.id, 1), (book.id, 2), (book.id, -1), (text.id, 0), ("f" * 64, 0)]
    service.documents.draw_ahead(session, places)
    assert asked == [[1]]


def test_only_the_first_matches_are_listed_and_the_rest_is_not_read(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = service.documents.add_file(session, "a.txt", b"word " * 12).document
    assert document
    settled(service, session)
    monkeypatch.setattr("core.library.documents.MOST_MATCHES", 12)
    assert service.documents.find(session, document.id, "word").more is False
    monkeypatch.setattr("core.library.documents.MOST_MATCHES", 11)
    found = service.documents.find(session, document.id, "word")
    assert (len(found.places), found.more) == (11, True)


def test_of_many_to_remove_what_is_not_there_is_passed_over(
    service: Service, session: Session
) -> None:
    document = service.documents.add_file(session, "a.txt", b"word").document
    kept = service.documents.add_file(session, "b.txt", b"other").document
    assert document
    assert kept
    other = service.sessions.create(session.owner_id)
    assert service.documents.remove_all(other, [document.id]) == 0
    assert service.documents.remove_all(session, [document.id, "0" * 64, document.id]) == 1
    assert [one.id for one in service.documents.list(session)] == [kept.id]


def test_no_document_of_another_session_is_searched(service: Service, session: Session) -> None:
    document = service.documents.add_file(session, "a.txt", b"word").document
    assert document
    other = service.sessions.create(session.owner_id)
    with pytest.raises(DocumentNotFound):
        service.documents.find(other, document.id, "word")
