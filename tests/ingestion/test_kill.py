"""Killed at random moments of an ingestion: nothing acknowledged is lost or half read.

`KILLS` in the environment says how often (10).
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from core.config import Settings
from core.service import Service
from core.types import DocumentState
from tests.conftest import ROOT, answer_of, settled_after_kills

pytestmark = pytest.mark.F01

PDFS, PAGES = 20, 4
KILLS = int(os.environ.get("KILLS", "10"))


def write_pdf(path: Path, number: int) -> None:
    """A PDF whose every page holds a code that no other page holds."""
    canvas = Canvas(str(path), pagesize=A4)
    for page in range(PAGES):
        canvas.drawString(72, 760, f"Report {number}, section {page}.")
        canvas.drawString(
            72, 740, f"The access code of room {number}-{page} is K{number:02}{page}."
        )
        for line in range(30):
            canvas.drawString(72, 700 - 18 * line, f"Line {line} of report {number} says little.")
        canvas.showPage()
    canvas.save()


@contextmanager
def feeder(folder: Path, settings: Settings) -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """The process to be killed, with the lines that it has printed so far."""
    arguments = [folder, settings.data_dir, settings.chroma_dir, settings.models_dir]
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.ingestion.feeder", *map(str, arguments)],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    lines: list[str] = []
    assert process.stdout
    stdout = process.stdout
    reader = threading.Thread(target=lambda: lines.extend(iter(stdout.readline, "")), daemon=True)
    reader.start()
    try:
        yield process, lines
    finally:
        process.kill()
        process.wait()
        reader.join()
        stdout.close()


@pytest.mark.long
def test_killed_again_and_again(tmp_path: Path, settings: Settings) -> None:
    folder = tmp_path / "pdfs"
    folder.mkdir()
    for number in range(PDFS):
        write_pdf(folder / f"report-{number:02}.pdf", number)
    chance, acknowledged = random.Random(1), set[str]()
    for _ in range(KILLS):
        with feeder(folder, settings) as (process, lines):
            end = time.monotonic() + 60
            while "open\n" not in lines and time.monotonic() < end:
                time.sleep(0.02)
            time.sleep(chance.uniform(0.0, 6.0))
            process.kill()
        acknowledged |= {line.split()[1] for line in lines if line.startswith("added")}
    assert acknowledged
    check_whole(settings, acknowledged)


def check_whole(settings: Settings, acknowledged: set[str]) -> None:
    """Every acknowledged document is there and gets ready, at the latest when it is retried; both
    indexes hold what the catalogue does."""
    service = Service(settings)
    try:
        assert service.wait_ready(120)
        owner = service.owners.for_token("somebody")
        (session,) = service.sessions.list(owner)
        documents = settled_after_kills(service, session, 300)
        assert acknowledged <= {document.name for document in documents}
        assert {document.state for document in documents} == {DocumentState.READY}
        truth = set(service.catalogue.content.chunk_ids(session.id))
        assert service.stores.vectors.ids(session.id) == truth
        assert service.stores.lexical.ids(session.id) == truth
        answer = answer_of(service, session, "What is the access code of room 0-1?")
        assert "K001" in answer.text
    finally:
        service.close()
