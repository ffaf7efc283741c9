"""The child process: what it reads comes back whole, what it may not do ends it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from core import REPORTS_OFF
from core.config import Settings
from core.errors import (
    DamagedFile,
    EmptyFile,
    IngestionError,
    Interrupted,
    ParserDied,
    TooComplex,
    TooLarge,
    UnsupportedType,
)
from core.parsing import sandbox
from core.parsing.sandbox import load_in_child, render_page
from core.parsing.wire import LARGEST_RESULT, read_result, write_document, write_error
from core.types import (
    Block,
    ChunkKind,
    DocumentKind,
    Heading,
    LoadedDocument,
    Notice,
    Page,
)
from tests.parsing.files import pdf, read, written

ENGLISH = "It was the best of times, it was the worst of times, it was the age of wisdom."
SLEEPER = "import sys, time; sys.stdin.readline(); time.sleep(60)"


@pytest.fixture
def limits() -> Settings:
    return Settings(ocr=False)


def instead(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """Another program in place of the reader."""
    command = (sandbox._COMMAND[0], "-c", code)
    monkeypatch.setattr(sandbox, "_COMMAND", command)


def test_a_document_comes_back_as_it_was_read(tmp_path: Path, limits: Settings) -> None:
    source = pdf(tmp_path / "a.pdf", [ENGLISH], ["Second page."])
    told: list[float] = []
    loaded = load_in_child(source, name="a.pdf", settings=limits, progress=told.append)
    assert loaded == replace(read(source), language="en")
    assert told
    assert told[-1] == 1.0


def test_a_web_page_is_known_by_its_address(tmp_path: Path, limits: Settings) -> None:
    source = written(tmp_path / "page", f"<html><p>{ENGLISH}")
    loaded = load_in_child(source, name="page", settings=limits, url="https://example.org/")
    assert loaded.kind is DocumentKind.WEB


def test_everything_travels(tmp_path: Path) -> None:
    loaded = LoadedDocument(
        DocumentKind.PDF,
        (
            Page(
                0, "Zürich 中 👩", 1, (Heading(0, 2, "Z", "z"),), (), b"\x00\x01", 595.5, 842, True
            ),
            Page(1, "a | b", None, (), (Block(0, 5, ChunkKind.TABLE),)),
        ),
        title="T",
        language="de",
        notices=(Notice("code", "text", "cure", "info"),),
        pages_without_text=3,
        attribution="A. Bee, CC BY-SA 4.0",
    )
    write_document(tmp_path, loaded)
    assert read_result(tmp_path) == loaded


def test_errors_travel_by_name(tmp_path: Path) -> None:
    write_error(tmp_path, EmptyFile("nothing in it", "fill it"))
    with pytest.raises(EmptyFile, match="nothing in it") as caught:
        read_result(tmp_path)
    assert caught.value.cure == "fill it"


def test_a_child_cannot_name_an_error_of_another_part(tmp_path: Path) -> None:
    line = {"error": "KeyRefused", "message": "m", "cure": "c"}
    (tmp_path / "result.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(IngestionError) as caught:
        read_result(tmp_path)
    assert type(caught.value) is IngestionError


def test_a_cut_result_is_none(tmp_path: Path) -> None:
    write_document(tmp_path, LoadedDocument(DocumentKind.TEXT, (Page(0, "a"), Page(1, "b"))))
    result = tmp_path / "result.jsonl"
    result.write_text("".join(result.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(ValueError, match="missing"):
        read_result(tmp_path)


def test_what_the_loader_finds_wrong_is_raised_here(tmp_path: Path, limits: Settings) -> None:
    with pytest.raises(UnsupportedType):
        load_in_child(written(tmp_path / "a", b"\x89PNG" + b"\0" * 9), name="a", settings=limits)


def test_an_original_that_is_gone_is_said(tmp_path: Path, limits: Settings) -> None:
    with pytest.raises(DamagedFile, match="not there"):
        load_in_child(tmp_path / "gone.txt", name="gone.txt", settings=limits)


def test_a_child_that_takes_too_long_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead(monkeypatch, SLEEPER)
    began = time.monotonic()
    with pytest.raises(TooComplex, match="1 seconds"):
        load_in_child(written(tmp_path / "a", "x"), name="a", settings=Settings(parse_seconds=1))
    assert time.monotonic() - began < 30  # the child would take sixty


def test_a_child_that_nobody_wants_is_ended_at_once(
    tmp_path: Path, limits: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead(monkeypatch, SLEEPER)
    began = time.monotonic()
    with pytest.raises(Interrupted):
        load_in_child(
            written(tmp_path / "a", "x"), name="a", settings=limits, cancelled=lambda: True
        )
    assert time.monotonic() - began < 30


def test_children_of_the_child_end_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = tmp_path / "pid"
    code = (
        "import subprocess, sys, time; "
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']); "
        f"open({str(mark)!r}, 'w').write(str(p.pid)); time.sleep(60)"
    )
    instead(monkeypatch, code)
    with pytest.raises(TooComplex):
        load_in_child(written(tmp_path / "a", "x"), name="a", settings=Settings(parse_seconds=2))
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline and _alive(int(mark.read_text())):
        time.sleep(0.05)
    assert not _alive(int(mark.read_text()))


def _alive(pid: int) -> bool:
    try:
        return "State:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_a_child_that_ends_without_a_result_died(
    tmp_path: Path, limits: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    instead(monkeypatch, "pass")
    with pytest.raises(ParserDied, match="without a result"):
        load_in_child(written(tmp_path / "a", "x"), name="a", settings=limits)
    instead(monkeypatch, "raise SystemExit(7)")
    with pytest.raises(ParserDied, match="code 7"):
        load_in_child(written(tmp_path / "a", "x"), name="a", settings=limits)


def test_the_child_limits_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = tmp_path / "seen"
    report = (
        "import json, resource as r; from core.parsing import child; "
        "kinds = (r.RLIMIT_AS, r.RLIMIT_CPU, r.RLIMIT_FSIZE, r.RLIMIT_CORE); "
        f"out = open({str(seen)!r}, 'w'); "  # the child may not open it later
        "child._do = lambda *job: out.write("
        "json.dumps([r.getrlimit(kind)[0] for kind in kinds])); "
        "raise SystemExit(child.main())"
    )
    instead(monkeypatch, report)
    settings = Settings(parse_memory_mb=700, parse_cpu_seconds=77)
    with pytest.raises(ParserDied, match="without a result"):
        load_in_child(written(tmp_path / "a", "x"), name="a", settings=settings)
    assert json.loads(seen.read_text()) == [700 << 20, 77, LARGEST_RESULT, 0]


def test_a_child_that_takes_too_much_memory_is_too_complex(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take = (
        "from core.parsing import child; child._do = lambda *job: bytearray(800 << 20); "
        "raise SystemExit(child.main())"
    )
    instead(monkeypatch, take)
    with pytest.raises(TooComplex, match="memory"):
        load_in_child(
            written(tmp_path / "a", "x"), name="a", settings=Settings(parse_memory_mb=700)
        )


def test_a_result_that_is_too_large_is_not_written(
    tmp_path: Path, limits: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    grow = (
        "import os; from core.parsing import child; "
        "child._do = lambda job, folder, tell: "
        "(folder / 'result.jsonl').open('wb').truncate((1 << 30) + 1); "
        "raise SystemExit(child.main())"
    )
    instead(monkeypatch, grow)
    with pytest.raises(TooLarge):
        load_in_child(written(tmp_path / "a", "x"), name="a", settings=limits)


def test_the_child_sees_no_keys_and_is_told_not_to_report(
    tmp_path: Path, limits: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", "secret-of-the-house")
    seen = tmp_path / "seen"
    instead(monkeypatch, f"import os; open({str(seen)!r}, 'w').write(repr(dict(os.environ)))")
    with pytest.raises(ParserDied):
        load_in_child(written(tmp_path / "a", "x"), name="a", settings=limits)
    environment = ast.literal_eval(seen.read_text())
    assert "PYTHONPATH" in environment
    assert "secret-of-the-house" not in environment.values()
    assert environment.items() >= REPORTS_OFF.items()


def test_nothing_is_left_behind(
    tmp_path: Path, limits: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temp"))
    (tmp_path / "temp").mkdir()
    load_in_child(written(tmp_path / "a", ENGLISH), name="a", settings=limits)
    assert list((tmp_path / "temp").iterdir()) == []


def test_the_child_loads_nothing_before_it_knows_what_the_file_needs() -> None:
    command = [sys.executable, "-c", "import sys, core.parsing.child; print(*sys.modules)"]
    loaded = subprocess.run(command, capture_output=True, check=True, text=True).stdout.split()
    assert "core.parsing.child" in loaded
    heavy = {"PIL", "chromadb", "httpx", "langchain_core", "lxml", "numpy", "onnxruntime",
             "pypdfium2", "rapidocr", "sqlalchemy", "streamlit", "trafilatura"}  # fmt: skip
    assert heavy.isdisjoint(loaded)


def test_pages_are_drawn_in_a_child(tmp_path: Path, limits: Settings) -> None:
    source = pdf(tmp_path / "a.pdf", ["one"])
    assert render_page(source, 0, settings=limits, scale=1.0).startswith(b"\x89PNG")
    with pytest.raises(DamagedFile):
        render_page(source, 5, settings=limits)
    with pytest.raises(DamagedFile):
        render_page(written(tmp_path / "b.pdf", "no pdf"), 0, settings=limits)
