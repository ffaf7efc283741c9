"""The process that reads pages: it answers, dies alone, and is there again for the next."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from core import REPORTS_OFF
from core.config import Settings
from core.errors import NoReadableText, ParserDied, TooComplex
from core.parsing.html.worker import Reader

PAGE = b"<html><head><title>T</title></head><body><h1>T</h1><p>A text.</p><a href='/b'>b</a></body>"


@pytest.fixture
def reader() -> Iterator[Reader]:
    reader = Reader(Settings(), seconds=20)
    yield reader
    reader.close()


def test_text_and_links(reader: Reader) -> None:
    read = reader.read(PAGE, "http://e.org/a", "text/html", "")
    assert read.text().markdown.startswith("# T\n\nA text.")
    assert read.links.every == ("http://e.org/b",)


def test_no_text_is_told_as_what_it_is(reader: Reader) -> None:
    read = reader.read(b"<html></html>", "http://e.org/", "text/html", "")
    with pytest.raises(NoReadableText):
        read.text()


def test_a_child_that_dies_is_replaced(reader: Reader) -> None:
    reader.read(PAGE, "http://e.org/a", "text/html", "")
    assert reader._process is not None
    os.kill(reader._process.pid, signal.SIGKILL)
    with pytest.raises(ParserDied):
        reader.read(PAGE, "http://e.org/a", "text/html", "")
    assert reader.read(PAGE, "http://e.org/a", "text/html", "").page is not None


def test_a_page_that_takes_too_long_is_given_up(reader: Reader) -> None:
    reader.read(PAGE, "http://e.org/a", "text/html", "")
    assert reader._process is not None
    os.kill(reader._process.pid, signal.SIGSTOP)
    reader._seconds = 0.3
    with pytest.raises(TooComplex):
        reader.read(PAGE, "http://e.org/a", "text/html", "")


def test_closing_does_not_wait_for_a_page(reader: Reader) -> None:
    reader.read(PAGE, "http://e.org/a", "text/html", "")
    assert reader._process is not None
    os.kill(reader._process.pid, signal.SIGSTOP)
    failures: list[Exception] = []

    def read() -> None:
        try:
            reader.read(PAGE, "http://e.org/a", "text/html", "")
        except ParserDied as error:
            failures.append(error)

    thread = threading.Thread(target=read)
    thread.start()
    time.sleep(0.1)
    began = time.monotonic()
    reader.close()
    thread.join(15)
    assert time.monotonic() - began < 15  # the page would take twenty
    assert len(failures) == 1


def test_the_child_limits_its_memory() -> None:
    code = (
        "import resource; from core.parsing.html import worker; worker.main(700); "
        "print(resource.getrlimit(resource.RLIMIT_AS)[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], stdin=subprocess.DEVNULL, capture_output=True, check=True
    )
    assert int(done.stderr) == 700 << 20  # what is printed must not stand between the answers


def test_the_child_is_told_not_to_report(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[dict[str, str]] = []
    start = subprocess.Popen

    def watched(*args: Any, **named: Any) -> subprocess.Popen[bytes]:
        told.append(named["env"])
        return start(*args, **named)

    monkeypatch.setattr(subprocess, "Popen", watched)
    reader = Reader(Settings(), seconds=60)
    reader.read(PAGE, "http://e.org/a", "text/html", "")
    reader.close()
    assert told
    assert all(environment.items() >= REPORTS_OFF.items() for environment in told)
