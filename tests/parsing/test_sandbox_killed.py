"""The reading process is killed; the document fails with a reason and the program goes on."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import ParserDied
from core.parsing import sandbox
from core.parsing.sandbox import load_in_child
from tests.parsing.files import pdf, written

pytestmark = pytest.mark.C23


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_a_reader_that_dies_is_a_failed_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    command = (sandbox._COMMAND[0], "-c", f"import os; os.kill(os.getpid(), {int(number)})")
    monkeypatch.setattr(sandbox, "_COMMAND", command)
    with pytest.raises(ParserDied, match=number.name) as caught:
        load_in_child(written(tmp_path / "a.txt", "text"), name="a.txt", settings=Settings())
    assert caught.value.cure
    monkeypatch.undo()
    assert load_in_child(
        written(tmp_path / "b.txt", "all is well"), name="b.txt", settings=Settings()
    ).pages


def test_where_pdfium_falls_python_reads_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import os, runpy, sys; import pypdfium2; "
        "pypdfium2.PdfDocument = lambda *a: os.kill(os.getpid(), 11); "
        "sys.argv = ['x']; runpy.run_module('core.parsing.child', run_name='__main__')"
    )
    monkeypatch.setattr(sandbox, "_COMMAND", (sandbox._COMMAND[0], "-P", "-c", code))
    source = pdf(tmp_path / "a.pdf", ["Read all the same."])
    loaded = load_in_child(source, name="a.pdf", settings=Settings(ocr=False))
    assert loaded.pages[0].text == "Read all the same."
    assert [notice.code for notice in loaded.notices] == ["pdf-text-only"]


def test_the_child_ends_when_the_program_does(tmp_path: Path) -> None:
    """Its standard input is the rope: when the program is gone, so is the child."""
    import subprocess

    from core.parsing.sandbox import _COMMAND, _environment

    process = subprocess.Popen(
        _COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=_environment(tmp_path)
    )
    fifo = tmp_path / "endless.txt"
    os.mkfifo(fifo)  # opening it for reading waits for a writer that never comes
    assert process.stdin is not None
    job = (
        f'{{"task": "load", "path": "{fifo}", "name": "a", "url": "", "ocr": false,'
        f' "ocr_languages": [], "careful": false, "password": "",'
        f' "folder": "{tmp_path}", "memory_mb": 1000, "cpu_seconds": 60, "ocr_seconds": 1}}\n'
    )
    process.stdin.write(job.encode())
    process.stdin.flush()
    time.sleep(0.5)
    assert process.poll() is None
    process.stdin.close()
    assert process.wait(5) != 0
    if process.stdout is not None:
        process.stdout.close()


def test_many_readers_at_once(tmp_path: Path) -> None:
    source = written(tmp_path / "a.txt", "some words to read")
    found: list[str] = []

    def read() -> None:
        loaded = load_in_child(source, name="a.txt", settings=Settings())
        found.append(loaded.pages[0].text)

    threads = [threading.Thread(target=read) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == ["some words to read"] * 6
