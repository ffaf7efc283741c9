"""Many threads on one PostgreSQL: what one writes at a time in SQLite comes out the same here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.config import Settings
from core.storage.catalogue import Catalogue
from core.types import CollectKind, CollectRequest, DocumentState
from tests.storage.made import cut, loaded, store

pytestmark = [pytest.mark.grown, pytest.mark.F28]

THREADS = 12


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    catalogue = Catalogue(Settings(data_dir=tmp_path))
    assert not catalogue.database.is_sqlite
    yield catalogue
    catalogue.close()


@pytest.fixture
def session_id(catalogue: Catalogue) -> str:
    return catalogue.sessions.create(catalogue.owners.create("a" * 64), "Mine").id


def at_once(work: Callable[[int], object], threads: int = THREADS) -> list[BaseException]:
    """Do the work in many threads that begin together; what they raised is returned."""
    raised: list[BaseException] = []
    together = threading.Barrier(threads)

    def run(number: int) -> None:
        together.wait()
        try:
            work(number)
        except BaseException as error:
            raised.append(error)

    running = [threading.Thread(target=run, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    return raised


def test_one_name_is_added_by_many_threads(catalogue: Catalogue, session_id: str) -> None:
    def add(number: int) -> None:
        for turn in range(5):
            catalogue.documents.add(session_id, f"d{number}-{turn}", "a.txt", size=1)

    assert at_once(add) == []
    labels = {document.label for document in catalogue.documents.list(session_id)}
    assert len(labels) == 5 * THREADS
    assert "a.txt" in labels


def test_one_document_is_added_by_many_threads(catalogue: Catalogue, session_id: str) -> None:
    added = []

    def add(number: int) -> None:
        added.append(catalogue.documents.add(session_id, "D", "a", size=1))

    assert at_once(add) == []
    assert len(set(added)) == 1
    assert len(added) == THREADS


def test_an_owner_is_made_once(catalogue: Catalogue) -> None:
    made = []
    assert at_once(lambda _: made.append(catalogue.owners.create("b" * 64))) == []
    assert len(set(made)) == 1


def test_passages_are_of_the_text_they_are_read_with(catalogue: Catalogue, session_id: str) -> None:
    """A document is written again and again, longer and shorter, while its passages are read."""
    versions = [loaded(*[f"{number} " * (60 + 300 * number)] * 4) for number in range(3)]
    store(catalogue, session_id, "D", ["first"])
    done = threading.Event()
    torn: list[str] = []
    ids = [f"D:{ordinal}" for ordinal in range(30)]

    def write() -> None:
        for turn in range(60):
            document = versions[turn % 3]
            catalogue.content.save(session_id, "D", document, cut("D", document, 90))
        done.set()

    def read(number: int) -> None:
        while not done.is_set():
            for chunk in catalogue.content.chunks_by_id(session_id, ids).values():
                if len(chunk.text) != chunk.end - chunk.start:
                    torn.append(chunk.text)
            for chunk in catalogue.content.chunks(session_id, "D"):
                if len(chunk.text) != chunk.end - chunk.start:
                    torn.append(chunk.text)

    writer = threading.Thread(target=write)
    writer.start()
    raised = at_once(read, 4)
    writer.join()
    assert (raised, torn) == ([], [])


def test_deletions_at_once(catalogue: Catalogue, session_id: str) -> None:
    """Documents and conversations with what hangs on them go from many threads, in any order."""
    conversations = [catalogue.conversations.create(session_id, str(n)) for n in range(THREADS)]
    for conversation in conversations:
        catalogue.conversations.add_message(session_id, conversation.id, "user", "What is D?")
    names = [f"d{number}" for number in range(4 * THREADS)]
    for before, name in zip([None, *names], names, strict=False):
        catalogue.documents.add(session_id, name, "a.txt", size=1, replaces=before)
        document = loaded("text")
        catalogue.content.save(session_id, name, document, cut(name, document))

    def delete(number: int) -> None:
        for name in names if number % 2 else reversed(names):
            catalogue.documents.remove(session_id, name)
        for conversation in conversations if number % 2 else reversed(conversations):
            catalogue.conversations.delete(session_id, conversation.id)

    assert at_once(delete) == []
    assert catalogue.documents.list(session_id) == []
    assert catalogue.conversations.list(session_id) == []


def test_tags_given_at_once_are_all_kept(catalogue: Catalogue, session_id: str) -> None:
    catalogue.documents.add(session_id, "D", "a.txt", size=1)
    tag = catalogue.documents.set_tags
    assert at_once(lambda number: tag(session_id, ["D"], [f"tag {number}"])) == []
    document = catalogue.documents.get(session_id, "D")
    assert document is not None
    assert set(document.tags) == {f"tag {number}" for number in range(THREADS)}


def test_an_address_has_one_owner(catalogue: Catalogue) -> None:
    owners = [catalogue.owners.create(f"{number:064}") for number in range(THREADS)]
    for turn in range(15):
        email = f"ida{turn}@example.org"
        assert at_once(lambda n, email=email: catalogue.owners.sign_in(owners[n], "", email)) == []
        people = [catalogue.owners.person(owner) for owner in owners]
        assert [person.email for person in people if person].count(email) == 1


def test_a_source_is_collected_once(catalogue: Catalogue, session_id: str) -> None:
    request = CollectRequest(CollectKind.SITE, ("https://example.org/",))
    runs = []

    def begin(number: int) -> None:
        for turn in range(5):
            runs.append(catalogue.collect_runs.add(session_id, f"site {turn}", request).id)

    assert at_once(begin) == []
    assert len(runs) == 5 * THREADS
    assert len(set(runs)) == 5


def test_each_waiting_document_is_claimed_once(catalogue: Catalogue, session_id: str) -> None:
    for number in range(5 * THREADS):
        catalogue.documents.add(session_id, f"d{number}", "a.txt", size=1)
    claimed: list[str] = []

    def claim(number: int) -> None:
        while (document := catalogue.documents.claim_next()) is not None:
            claimed.append(document.id)
            catalogue.documents.set_progress(session_id, document.id, 0.5)
            catalogue.documents.mark_ready(session_id, document.id, seconds=1.0)

    assert at_once(claim) == []
    assert sorted(claimed) == sorted(f"d{number}" for number in range(5 * THREADS))
    states = {document.state for document in catalogue.documents.list(session_id)}
    assert states == {DocumentState.READY}


def test_messages_come_in_at_once(catalogue: Catalogue, session_id: str) -> None:
    conversation = catalogue.conversations.create(session_id, "Mine")

    def say(number: int) -> None:
        for turn in range(5):
            text = f"{number} {turn}"
            catalogue.conversations.add_message(session_id, conversation.id, "user", text)
            catalogue.sessions.touch(session_id)

    assert at_once(say) == []
    found = catalogue.conversations.messages(session_id, conversation.id)
    assert len({message.text for message in found}) == 5 * THREADS
