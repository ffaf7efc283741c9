"""A documentation in one file becomes documents: by Collect, and uploaded among documents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile

import pytest

from core.collecting import collector, erasing
from core.errors import InvalidRequest, StorageError
from core.maintenance.removal import Remover
from core.service import Service
from core.storage.files.originals import Originals
from core.types import (
    AddOutcome,
    CollectKind,
    CollectRequest,
    CollectRun,
    CollectState,
    Document,
    RefreshEvery,
    Session,
)
from scraper import documentation_file
from scraper.documentation_file import EXPECTED
from scraper.preview import FilePreview
from tests.collecting.runs import ended
from tests.conftest import answer_of, settled

DOCS = {
    "Library": {
        "os": {
            "text": "Miscellaneous operating system interfaces.",
            "metadata": {"source": "Python Documentation", "url": "https://e.org/3/os.html"},
            "os.system": {
                "text": "The function system executes the command in a subshell.",
                "metadata": {"url": "https://e.org/3/os.html#os.system"},
            },
        },
        "re": {
            "text": "Regular expressions match text.",
            "metadata": {"url": "https://e.org/3/re.html"},
        },
    }
}
DATA = json.dumps(DOCS).encode()


def asking(*files: str) -> CollectRequest:
    return CollectRequest(CollectKind.DOCUMENTATION_FILE, files=files)


def collected(service: Service, session: Session, data: bytes = DATA) -> CollectRun:
    name = service.collecting.keep_upload(session, "python_docs.json", BytesIO(data))
    return ended(service, session, service.collecting.start(session, asking(name)))


def test_sections_are_cited_at_their_own_addresses(service: Service, session: Session) -> None:
    run = collected(service, session)
    assert (run.state, run.progress.added) == (CollectState.DONE, 2)
    assert service.collecting.outcome(session, run.id).sections == (("Library", 2),)
    settled(service, session)
    citation = answer_of(service, session, "What executes the command in a subshell?").citations[0]
    assert (citation.url, citation.anchor) == ("https://e.org/3/os.html", "os.system")
    assert citation.headings == ("Library", "os", "os.system")
    assert citation.attribution == "Python Documentation"
    link = service.documents.evidence(session, citation).link
    assert link.startswith("https://e.org/3/os.html#os.system:~:text=")
    assert [page.title for page in service.collecting.browse(session, run.id)] == ["os", "re"]
    again = ended(service, session, service.collecting.again(session, run.id))
    assert (again.progress.same, again.progress.gone) == (2, 0)


def test_uploaded_among_documents_it_is_recognised(service: Service, session: Session) -> None:
    result = service.documents.add_file(session, "../python_docs.json", DATA)
    assert (result.name, result.outcome) == ("python_docs.json", AddOutcome.COLLECTED)
    assert "its pages are taken in one by one" in result.reason
    (run,) = service.collecting.runs(session)
    assert ended(service, session, run).state is CollectState.DONE
    assert [document.url for document in settled(service, session)] == [
        "https://e.org/3/os.html",
        "https://e.org/3/re.html",
    ]


def test_other_json_stays_a_document(service: Service, session: Session) -> None:
    text = b'{"name": "left-pad", "text": "No address."}'
    assert service.documents.add_file(session, "a.json", text).outcome is AddOutcome.ACCEPTED
    assert service.documents.add_file(session, "docs.txt", DATA).outcome is AddOutcome.ACCEPTED
    assert service.collecting.runs(session) == []
    assert [document.name for document in settled(service, session)] == ["a.json", "docs.txt"]
    assert service.stores.originals.uploads(session.id) == set(), "nothing is kept of it"


def test_of_one_that_cannot_be_begun_nothing_is_kept(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collector, "_MOST_UNFINISHED", 0)
    result = service.documents.add_file(session, "python_docs.json", DATA)
    assert (result.outcome, result.cure) == (AddOutcome.FAILED, "Wait for them, or stop some.")
    assert service.stores.originals.uploads(session.id) == set()


def test_one_over_the_limit_is_not_read(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documentation_file, "read", lambda _: pytest.fail("it is too large"))
    limit = service.settings.max_file_mb * 1_000_000
    with TemporaryFile() as stream:
        stream.truncate(limit + 1)
        result = service.documents.add_file(session, "python_docs.json", stream)
    assert result.outcome is AddOutcome.FAILED
    assert "larger than the limit" in result.reason


def test_a_look_before(service: Service, session: Session) -> None:
    name = service.collecting.keep_upload(session, "python_docs.json", BytesIO(DATA))
    look = service.collecting.preview(session, asking(name))
    assert isinstance(look, FilePreview)
    assert (look.pages, look.left_out, look.sections) == (2, 0, (("Library", 2),))
    assert look.text.startswith("Library\n\nos\n\nMiscellaneous")


def test_a_bad_file_says_what_was_expected(service: Service, session: Session) -> None:
    run = collected(service, session, b'{"A": {"text": "No address."}}')
    assert run.state is CollectState.FAILED
    assert run.reason == "The file holds no section that has both a text and an address."
    assert run.cure == EXPECTED


def test_a_file_of_the_operator_and_none(
    service: Service, session: Session, tmp_path: Path
) -> None:
    (tmp_path / "dumps").mkdir()
    (tmp_path / "dumps" / "python_docs.json").write_bytes(DATA)
    request = asking("python_docs.json")
    assert ended(service, session, service.collecting.start(session, request)).progress.added == 2
    with pytest.raises(InvalidRequest, match="No file was chosen"):
        service.collecting.start(session, asking())


def test_it_has_no_schedule(service: Service, session: Session) -> None:
    run = collected(service, session)
    with pytest.raises(InvalidRequest, match="A file cannot be refreshed"):
        service.collecting.schedule(session, run.id, RefreshEvery.DAY)


def test_removing_one_of_its_documents_erases_its_text(service: Service, session: Session) -> None:
    run = collected(service, session)
    first = settled(service, session)[0]
    service.documents.remove(session, first.id)
    assert [page.title for page in service.collecting.browse(session, run.id)] == ["re"]
    folder = service.stores.originals.files.local / session.id / "collected"
    left = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert b"subshell" not in left
    assert b"Regular expressions" in left


def test_removing_many_stores_what_is_left_once(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = collected(service, session)
    first, second = settled(service, session)
    erased: list[int] = []
    erase = erasing.erase_collected

    def noted(originals: Originals, documents: Sequence[Document], runs: list[CollectRun]) -> None:
        erased.append(len(documents))
        erase(originals, documents, runs)

    monkeypatch.setattr(collector, "erase_collected", noted)
    assert service.documents.remove_all(session, [first.id, "0" * 64, second.id]) == 2
    assert erased == [2]
    assert service.collecting.browse(session, run.id) == ()


def test_what_was_removed_is_erased_though_the_next_one_cannot_be(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = collected(service, session)
    first, second = settled(service, session)
    remove = Remover.document

    def refuses(self: Remover, session_id: str, document_id: str) -> None:
        if document_id == second.id:
            raise StorageError("It is locked.")
        remove(self, session_id, document_id)

    monkeypatch.setattr(Remover, "document", refuses)
    with pytest.raises(StorageError, match="locked"):
        service.documents.remove_all(session, [first.id, second.id])
    assert [page.title for page in service.collecting.browse(session, run.id)] == ["re"]
