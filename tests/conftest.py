"""Fixtures that many tests share: a whole service in a folder of its own."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import hypothesis
import pytest

from core.config import Settings
from core.types import Answer, AskRequest, Document, DocumentState, Session

if TYPE_CHECKING:
    from core.service import Service
    from tests.api.server import Person, World

ROOT = Path(__file__).resolve().parents[1]
MODELS = ROOT / ".cache" / "models"  # built once for all tests of a checkout

FAULTS: dict[str, str] = json.loads((ROOT / "docs" / "faults.json").read_text("utf-8"))["faults"]

# How long one example takes says how busy the machine is, not whether the property holds.
hypothesis.settings.register_profile("footnote", deadline=None)
hypothesis.settings.load_profile("footnote")

ENDED_TWICE = "The program ended twice while it was working on this document."

FINISHED = {DocumentState.READY, DocumentState.FAILED, DocumentState.STOPPED}


def pytest_configure(config: pytest.Config) -> None:
    """Register a marker for each fault of the catalogue: `pytest -m D09`."""
    for code, name in FAULTS.items():
        config.addinivalue_line("markers", f"{code}: {name}")


def settings_in(folder: Path, **values: Any) -> Settings:
    """Settings with folders of their own within `folder`; the built models are shared."""
    own = {"data_dir": folder / "data", "chroma_dir": folder / "chroma", "models_dir": MODELS}
    return Settings(**{**own, "min_free_mb": 1, "reranker_model": "", **values})


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings with folders of their own."""
    return settings_in(tmp_path)


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    """A running service, closed at the end."""
    from core.service import Service  # brings every part: only for tests that need them all

    service = Service(settings)
    assert service.wait_ready(60)
    yield service
    service.close()


@pytest.fixture
def session(service: Service) -> Session:
    """A session of somebody."""
    return service.sessions.create(service.owners.for_token("somebody"), "Test")


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A running server that asks for keys, one for all tests that need one."""
    from tests.api.server import running

    limits = {"max_file_mb": 2, "max_upload_mb": 5, "max_upload_files": 25}
    with running(tmp_path_factory.mktemp("api"), require_api_key=True, **limits) as world:
        yield world


def person_named(name: str, scope: Literal["session", "module"] = "session") -> Any:
    """A fixture: somebody with two documents and a key to the server `world`."""

    @pytest.fixture(scope=scope)
    def somebody(world: World) -> Iterator[Person]:
        from tests.api.server import person

        with person(world, name) as found:
            yield found

    return somebody


ida = person_named("ida")
nils = person_named("nils")


def settled(service: Service, session: Session, seconds: float = 60) -> list[Document]:
    """Wait until every document of the session is ready, failed or stopped."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        documents = service.documents.list(session)
        if all(document.state in FINISHED for document in documents):
            return documents
        time.sleep(0.05)
    states = [(document.label, document.state) for document in service.documents.list(session)]
    raise AssertionError(f"not finished after {seconds} s: {states}")


def settled_after_kills(service: Service, session: Session, seconds: float = 60) -> list[Document]:
    """As `settled`, with Retry pressed for what was in work at two ends of the process.

    Such a document has failed and says so. It is retried once, as its cure says, and then nothing
    ends the process; what failed for any other reason is left as it is.
    """
    for document in settled(service, session, seconds):
        if document.state is DocumentState.FAILED and document.reason.startswith(ENDED_TWICE):
            service.documents.retry(session, document.id)
    return settled(service, session, seconds)


def eventually(true: Callable[[], bool], seconds: float = 20) -> bool:
    """Whether it comes true in this time. What was true once is not asked again."""
    end = time.monotonic() + seconds
    while not (came := true()) and time.monotonic() < end:
        time.sleep(0.05)
    return came


def answer_of(service: Service, session: Session, question: str) -> Answer:
    """Ask, and give the one answer at the end of the stream."""
    answers = [e for e in service.ask(AskRequest(session, question)) if isinstance(e, Answer)]
    assert len(answers) == 1
    return answers[0]
