"""No library reports to its maker: every process that is started is told so before it imports one,
whatever the shell says."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from core import REPORTS_OFF
from core.parsing.html.worker import Reader
from core.service import Service
from tests.conftest import ROOT, settings_in, settled

pytestmark = pytest.mark.K04

REPORTERS = ("chromadb", "huggingface_hub", "langchain_core", "langsmith", "onnx", "onnxruntime",
             "opentelemetry", "rapidocr", "rapidocr_onnxruntime", "sentence_transformers",
             "tokenizers", "torch", "transformers")  # fmt: skip
SWITCHES = {
    "chromadb": ("ANONYMIZED_TELEMETRY", "False"),
    "huggingface_hub": ("HF_HUB_DISABLE_TELEMETRY", "1"),
    "langchain_core": ("LANGCHAIN_TRACING_V2", "false"),
    "langsmith": ("LANGSMITH_TRACING", "false"),
    "onnxruntime": ("ORT_DISABLE_TELEMETRY", "1"),
    "opentelemetry": ("OTEL_SDK_DISABLED", "true"),
    "streamlit": ("STREAMLIT_BROWSER_GATHER_USAGE_STATS", "false"),
}
_WATCH = """
import importlib, json, os, sys
class Watch:
    def find_spec(self, name, path=None, target=None):
        if name in REPORTERS:
            seen.append(name)
            wrong.update(k for k, v in OFF.items() if os.environ.get(k) != v)
seen, wrong, OFF, REPORTERS = [], set(), json.loads(sys.argv[1]), json.loads(sys.argv[2])
sys.meta_path.insert(0, Watch())
for name in ("core.service", "core.models.runtime", "chromadb", "onnxruntime"):
    importlib.import_module(name)
print(json.dumps([seen, sorted(wrong)]))
"""


@pytest.mark.parametrize("reporter", SWITCHES)
def test_every_known_reporter_is_switched_off(reporter: str) -> None:
    variable, value = SWITCHES[reporter]
    assert REPORTS_OFF.get(variable) == value
    assert os.environ.get(variable) == value


def test_reports_are_off_before_any_reporter_is_imported(tmp_path: Path) -> None:
    given = [json.dumps(REPORTS_OFF), json.dumps(REPORTERS)]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _WATCH, *given],
        capture_output=True, text=True, cwd=ROOT, timeout=100, check=False,
        env={"PATH": os.defpath, "HOME": str(tmp_path), "LANGSMITH_TRACING": "true"},
    )  # fmt: skip
    seen, wrong = json.loads(done.stdout.splitlines()[-1])
    assert {"onnxruntime", "chromadb"} <= set(seen)
    assert wrong == []


def entries() -> list[Path]:
    """Every script, and every module that can be started, of what is shipped."""
    found = [*ROOT.glob("*.py"), *ROOT.glob("pages/*.py")]
    for path in [*(ROOT / "core").rglob("*.py"), *(ROOT / "scraper").rglob("*.py")]:
        tree = ast.parse(path.read_text("utf-8"))
        tests = [ast.unparse(node.test) for node in tree.body if isinstance(node, ast.If)]
        if "__name__ == '__main__'" in tests:
            found.append(path)
    return sorted(found)


@pytest.mark.parametrize("entry", entries(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_entry_reaches_a_reporter_but_through_core(entry: Path) -> None:
    """What a module of `core` imports comes after `core/__init__.py`, where reports end."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert all(script.startswith("core.") for script in scripts.values())
    if entry.is_relative_to(ROOT / "core"):
        return
    for node in ast.walk(ast.parse(entry.read_text("utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not {name.partition(".")[0] for name in names} & set(REPORTERS)


STARTED: list[tuple[str, Mapping[str, str]]] = []
_watching: list[bool] = []


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if _watching and event == "subprocess.Popen":
        _, command, _, environment = arguments
        given = os.environ.copy() if environment is None else dict(environment)
        STARTED.append((" ".join(map(str, command)), given))


sys.addaudithook(_note)


@contextmanager
def watched() -> Iterator[list[tuple[str, Mapping[str, str]]]]:
    """The processes that are started within the block, each with its environment."""
    STARTED.clear()
    _watching.append(True)
    try:
        yield STARTED
    finally:
        _watching.clear()


def test_every_process_that_the_service_starts_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = settings_in(tmp_path)
    with watched() as started:
        for _ in range(2):  # the second start looks into the vector store by a process of its own
            service = Service(settings)
            try:
                assert service.wait_ready(60)
                session = service.sessions.create(service.owners.for_token("somebody"), "Test")
                service.documents.add_file(session, "a.md", b"# Lamp\n\nIt was built in 1874.")
                settled(service, session)
                reader = Reader(settings)
                reader.read(b"<p>A page about lamps.</p>", "http://a.example/", "text/html", "")
                reader.close()
                service.sessions.delete(session)
            finally:
                service.close()
            for path in (tmp_path / "chroma").glob("*.json"):
                path.unlink()
    commands = [command for command, _ in started]
    assert any("core.parsing.child" in command for command in commands), commands
    assert any("core.parsing.html.worker" in command for command in commands), commands
    for command, environment in started:
        lacking = {k: v for k, v in REPORTS_OFF.items() if environment.get(k) != v}
        assert not lacking, command


def test_the_settings_of_the_pages_say_so_too() -> None:
    pages = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert pages["browser"]["gatherUsageStats"] is False
