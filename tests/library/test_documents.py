"""The room of documents: their tags."""

from __future__ import annotations

import pytest

from core.errors import InvalidRequest
from core.service import Service
from core.types import AddOutcome, Session


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
