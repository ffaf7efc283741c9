"""All indexes deleted: `rebuild` gives the same answers with the same citations."""

from __future__ import annotations

import shutil

import pytest

from core.config import Settings
from core.maintenance.__main__ import main
from core.service import Service
from core.types import Answer
from tests.conftest import answer_of
from tests.support.small_library import QUESTIONS, fill, opened, the_session

pytestmark = pytest.mark.F10


def answers(service: Service) -> list[tuple[object, ...]]:
    """What is answered, with the places that are cited."""
    session = the_session(service)
    found: list[Answer] = [answer_of(service, session, q) for q in QUESTIONS.values()]
    return [
        (a.text, a.citations, [hit.chunk.id for hit in a.search.hits]) for a in found if a.search
    ]


def as_environment(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """The command reads its settings from the environment."""
    for name in ("data_dir", "chroma_dir", "models_dir", "min_free_mb", "reranker_model"):
        monkeypatch.setenv(name.upper(), str(getattr(settings, name)))


def test_the_same_answers(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with opened(settings) as service:
        fill(service)
        before = answers(service)
        assert all(citations for _, citations, _ in before)
    for folder in [settings.chroma_dir, *settings.sessions_dir.glob("*/lexical")]:
        shutil.rmtree(folder)
    as_environment(monkeypatch, settings)
    assert main(["check"]) == 1
    assert "3 passages without a vector" in capsys.readouterr().out
    assert main(["rebuild"]) == 0
    assert "made again: 3 passages" in capsys.readouterr().out
    assert main(["check"]) == 0
    with opened(settings) as service:
        assert answers(service) == before


def test_it_says_who_is_in_the_way(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    as_environment(monkeypatch, settings)
    with opened(settings):
        assert main(["check"]) == 2
    assert "in use by process" in capsys.readouterr().err
