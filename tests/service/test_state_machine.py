"""Adding, changing, deleting, asking, restarting and crashing, against a plain dictionary."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from core import parsing
from core.service import Service
from core.storage.vectors.chroma import probe
from core.types import (
    AddOutcome,
    Answer,
    AskRequest,
    DocumentState,
    LoadedDocument,
    QueryOptions,
    SearchOptions,
    Session,
)
from tests.conftest import settings_in, settled
from tests.support.small_library import HashEmbedder, troubles

pytestmark = pytest.mark.F16

MODEL = HashEmbedder("model")
EXAMPLES = int(os.environ.get("EXAMPLES", "1000"))
NAMES = st.sampled_from(["a.txt", "b.txt", "c.txt"])
VERSIONS = st.integers(0, 5)


def in_this_process(path: Path, *, name: str, url: str, **_: Any) -> LoadedDocument:
    """Read a text without a process of its own: these files harm nobody."""
    return parsing.load(path, name=name, ocr=False, progress=lambda share: None)


def text(name: str, version: int) -> str:
    """What stands in a version of a file; no two are alike."""
    return f"The keeper of {name[0]}{version} is called Q{name[0]}{version}Q and lives by the sea."


@contextmanager
def frozen(folder: Path) -> Iterator[None]:
    """No database in the folder changes: a copy is of one moment, as what a kill leaves."""
    databases = [sqlite3.connect(path, timeout=30) for path in folder.rglob("*.db")]
    databases += [sqlite3.connect(path, timeout=30) for path in folder.rglob("*.sqlite3")]
    try:
        for database in databases:
            database.execute("BEGIN IMMEDIATE")
        time.sleep(0.02)  # a checkpoint that had begun before is over
        yield
    finally:
        for database in databases:
            database.close()


class Library(RuleBasedStateMachine):
    """The service beside a dictionary from names to versions."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="footnote-"))
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr("core.storage.stores.load_embedder", lambda _: MODEL)
        self.patch.setattr("core.ingestion.worker.load_in_child", in_this_process)
        # The files are whole here: what damage does to a process has its own test (F9).
        self.patch.setattr(probe, "_look", lambda *_: ([], True))
        self.model: dict[str, int] = {}
        self.off: set[str] = set()
        self.life = 0
        self.service = self.open()
        owner = self.service.owners.for_token("somebody")
        self.session: Session = self.service.sessions.create(owner, "Mine")

    def open(self) -> Service:
        service = Service(settings_in(self.folder / str(self.life)))
        assert service.wait_ready(60)
        return service

    @rule(name=NAMES, version=VERSIONS)
    def add(self, name: str, version: int) -> None:
        result = self.service.documents.add_file(self.session, name, text(name, version).encode())
        if self.model.get(name) == version:
            assert result.outcome is AddOutcome.DUPLICATE
        elif name in self.model:
            assert result.outcome is AddOutcome.CONFLICT
        else:
            assert result.outcome is AddOutcome.ACCEPTED
            self.model[name] = version
        settled(self.service, self.session)

    @rule(name=NAMES, version=VERSIONS)
    def replace(self, name: str, version: int) -> None:
        result = self.service.documents.add_file(
            self.session, name, text(name, version).encode(), "replace"
        )
        if self.model.get(name) == version:
            assert result.outcome is AddOutcome.DUPLICATE
            return
        assert result.outcome in (AddOutcome.ACCEPTED, AddOutcome.REPLACED)
        settled(self.service, self.session)
        self.model[name] = version
        self.off.discard(name)

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        (document,) = (d for d in self.service.documents.list(self.session) if d.name == name)
        self.service.documents.remove(self.session, document.id)
        del self.model[name]
        self.off.discard(name)

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def take_out_or_in(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        (document,) = (d for d in self.service.documents.list(self.session) if d.name == name)
        self.service.documents.set_searched(self.session, document.id, name in self.off)
        self.off ^= {name}

    @rule(name=NAMES, version=VERSIONS)
    def ask(self, name: str, version: int) -> None:
        question = f"Who is the keeper of {name[0]}{version}?"
        events = list(self.service.ask(AskRequest(self.session, question)))
        answers = [event for event in events if isinstance(event, Answer)]
        assert len(answers) == 1
        living = {text(n, v) for n, v in self.model.items() if n not in self.off}
        for citation in answers[0].citations:
            assert citation.passage in living
        hits = self.service.search(AskRequest(self.session, question)).hits
        assert {hit.chunk.text for hit in hits} <= living
        if self.model.get(name) == version and name not in self.off:
            assert text(name, version) in {hit.chunk.text for hit in hits}
            by_words = SearchOptions(mode="lexical")  # the model here knows no meanings
            first = self.service.search(
                AskRequest(self.session, question, options=QueryOptions(search=by_words))
            ).hits[0]
            assert first.chunk.text == text(name, version)

    @rule()
    def restart(self) -> None:
        self.service.close()
        self.service = self.open()

    @rule()
    def crash(self) -> None:
        """What a killed process leaves: the files as they are, nothing closed."""
        before = self.folder / str(self.life)
        self.life += 1
        with frozen(before):
            shutil.copytree(before, self.folder / str(self.life))
        self.service.close()
        shutil.rmtree(before)
        self.service = self.open()

    @invariant()
    def agrees(self) -> None:
        documents = self.service.documents.list(self.session)
        assert {d.name for d in documents} == set(self.model)
        assert all(d.state is DocumentState.READY for d in documents)
        assert {d.name for d in documents if not d.searched} == self.off
        assert troubles(self.service) == []

    def teardown(self) -> None:
        self.service.close()
        self.patch.undo()
        shutil.rmtree(self.folder)


def machine(examples: int, steps: int) -> Callable[[], None]:
    """A run of so many examples."""
    slow = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]
    how = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, derandomize=True,
        suppress_health_check=slow, database=None,
    )  # fmt: skip
    return lambda: run_state_machine_as_test(Library, settings=how)


def test_a_few_lives() -> None:
    machine(5, 10)()


@pytest.mark.long
@pytest.mark.timeout(14_400)
def test_many_lives() -> None:
    machine(EXAMPLES, 15)()
