"""`make run` says what to do where there is no Python that will do."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = {
    "none": (None, "was not found. Install Python 3.11 to 3.14"),
    "old": (
        'case "$*" in *version_info*) exit 1;; *) echo "Python 3.9.2";; esac',
        "3.9.2 is too old",
    ),
    "bare": ('case "$*" in *ensurepip*) exit 1;; esac', "has no venv. On Debian and Ubuntu"),
}


@pytest.mark.parametrize("kind", PYTHONS)
def test_a_python_that_will_not_do_gets_a_sentence_with_the_cure(kind: str, tmp_path: Path) -> None:
    script, sentence = PYTHONS[kind]
    shutil.copy(ROOT / "Makefile", tmp_path)
    shutil.copy(ROOT / "requirements.txt", tmp_path)
    if script:
        (tmp_path / "python").write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        (tmp_path / "python").chmod(0o755)
    command = ["make", "--no-print-directory", "-C", str(tmp_path), "run", "PYTHON=./python"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode != 0
    assert sentence in run.stdout
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize(
    ("name", "among"), [("GROWN", "tests/grown"), ("MILVUS", "tests/storage/test_milvus.py")]
)
def test_what_is_tested_over_a_server_is_there(name: str, among: str) -> None:
    joined = (ROOT / "Makefile").read_text("utf-8").replace("\\\n", " ")
    (line,) = [line for line in joined.splitlines() if line.startswith(f"{name} := ")]
    paths = line.removeprefix(f"{name} := ").split()
    assert among in paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
