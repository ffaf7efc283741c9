"""A deleted document is gone from answers, and citations of it in the history say so."""

from __future__ import annotations

import pytest

from core.service import Service
from core.types import AskRequest, Session
from tests.conftest import answer_of, settled

pytestmark = pytest.mark.F12

QUESTION = "What is the harbour fee of Port Amber?"


def test_gone_from_answers_and_named_in_history(service: Service, session: Session) -> None:
    service.documents.add_file(session, "fees.txt", b"The harbour fee of Port Amber is 12 crowns.")
    service.documents.add_file(session, "tolls.txt", b"The bridge toll of Oldham is 7 crowns.")
    settled(service, session)
    talk = service.conversations.create(session, QUESTION)
    list(service.ask(AskRequest(session, QUESTION, talk.id)))
    answer = service.conversations.messages(session, talk.id)[-1].answer
    assert answer
    citation = answer.citations[0]
    service.documents.remove(session, citation.document_id)
    assert "deleted" in service.documents.evidence(session, citation).missing
    assert "12 crowns" not in answer_of(service, session, QUESTION).text
    left = {document.id for document in service.documents.list(session)}
    assert {i.partition(":")[0] for i in service.stores.vectors.ids(session.id)} == left
    assert {i.partition(":")[0] for i in service.stores.lexical.ids(session.id)} == left
