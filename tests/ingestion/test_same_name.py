"""Two files of one name and other content are both kept and told apart in citations."""

from __future__ import annotations

import threading

import pytest

from core.service import Service
from core.types import AddOutcome, AddResult, DocumentState, Session
from tests.conftest import answer_of, eventually, settled

pytestmark = [pytest.mark.C03, pytest.mark.C29]


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


def test_of_many_replacements_at_once_one_stays(service: Service, session: Session) -> None:
    service.documents.add_file(session, "plan.txt", b"Plan: the first.")
    settled(service, session)
    begin, results = threading.Barrier(8), list[AddResult]()

    def replace(number: int) -> None:
        begin.wait(10)
        data = f"Plan: version {number} of it.".encode()
        results.append(service.documents.add_file(session, "plan.txt", data, "replace"))

    threads = [threading.Thread(target=replace, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {result.outcome for result in results} == {AddOutcome.REPLACED}
    (document,) = settled(service, session)
    assert document.state is DocumentState.READY
    ids = {f"{document.id}:0"}
    # What was replaced is not searched any more; its bytes go right after.
    assert eventually(lambda: service.stores.lexical.ids(session.id) == ids)
    assert eventually(lambda: service.stores.vectors.ids(session.id) == ids)
    assert eventually(lambda: service.stores.originals.ids(session.id) == {document.id})


def test_what_replaces_a_document_that_goes_replaces_what_that_would_have(
    service: Service, session: Session
) -> None:
    service.worker.stop()
    documents = service.catalogue.documents
    for number in range(3):
        before = str(number - 1) * 64 if number else None
        documents.add(session.id, str(number) * 64, "plan.txt", size=1, replaces=before)
    assert documents.replaced(session.id, "2" * 64) == ["1" * 64, "0" * 64]
    documents.remove(session.id, "1" * 64)
    assert documents.replaced(session.id, "2" * 64) == ["0" * 64]
