"""Two files of one name and other content are both kept and told apart in citations."""

from __future__ import annotations

import pytest

from core.service import Service
from core.types import AddOutcome, Session
from tests.conftest import answer_of, settled

pytestmark = pytest.mark.C03


def test_both_are_kept_and_told_apart(service: Service, session: Session) -> None:
    first = service.documents.add_file(
        session, "q1.txt", b"The harbour fee of Port Amber is 12 crowns."
    )
    second = service.documents.add_file(
        session, "q1.txt", b"The bridge toll of Oldham is 7 crowns.", "keep"
    )
    assert (first.outcome, second.outcome) == (AddOutcome.ACCEPTED, AddOutcome.ACCEPTED)
    assert len({document.label for document in settled(service, session)}) == 2
    fee = answer_of(service, session, "What is the harbour fee of Port Amber?").citations[0]
    toll = answer_of(service, session, "What is the bridge toll of Oldham?").citations[0]
    assert fee.label != toll.label
    assert fee.document_id != toll.document_id
