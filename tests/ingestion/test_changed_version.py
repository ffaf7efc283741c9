"""A changed file of the same name asks first; replaced, nothing of the old one is left."""

from __future__ import annotations

import pytest

from core.service import Service
from core.types import AddOutcome, Session
from tests.conftest import answer_of, eventually, settled

pytestmark = pytest.mark.C05

OLD = b"The harbour fee of Port Amber is 12 crowns. It is paid at the north gate."
NEW = b"The harbour fee of Port Amber is 15 crowns. It is paid at the south gate."


def test_no_mix(service: Service, session: Session) -> None:
    service.documents.add_file(session, "fees.txt", OLD)
    settled(service, session)
    assert service.documents.add_file(session, "fees.txt", NEW).outcome is AddOutcome.CONFLICT
    assert "12 crowns" in answer_of(service, session, "What is the harbour fee?").text
    assert (
        service.documents.add_file(session, "fees.txt", NEW, "replace").outcome
        is AddOutcome.REPLACED
    )
    (document,) = settled(service, session)
    text = answer_of(service, session, "What is the harbour fee of Port Amber?").text
    assert "15 crowns" in text
    assert "12 crowns" not in text
    for index in (
        service.stores.vectors,
        service.stores.lexical,
    ):  # the old one leaves them a moment later
        assert eventually(lambda i=index: documents_in(i.ids(session.id)) == {document.id})


def documents_in(chunk_ids: set[str]) -> set[str]:
    """The documents that the chunks belong to."""
    return {chunk_id.partition(":")[0] for chunk_id in chunk_ids}
