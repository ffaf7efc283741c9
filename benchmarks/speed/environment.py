"""The two sides as processes of their own, so that each has its own packages and its own memory.

A job goes in as JSON on the command line; the last line of the output is the result as JSON. The
chain runs in a virtual environment that is made once and kept in the cache folder.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
REQUIREMENTS = HERE / "chain-requirements.txt"
SIDES = ("ours", "chain")
THREADS = 2


def chain_python(cache: Path) -> Path:
    """The Python of the chain's environment, which is made where it is missing or out of date."""
    folder = cache / "chain"
    python, made_of = folder / "bin" / "python", folder / "made-of.txt"
    wanted = REQUIREMENTS.read_text("utf-8")
    if not made_of.is_file() or made_of.read_text("utf-8") != wanted:
        print("making the chain's environment (some minutes)", file=sys.stderr, flush=True)
        venv.create(folder, with_pip=True, clear=True)
        install = [str(python), "-m", "pip", "install", "-q", "-r", str(REQUIREMENTS)]
        subprocess.run(install, check=True, stdout=subprocess.DEVNULL)
        made_of.write_text(wanted, "utf-8")
    return python


def run(side: str, job: dict[str, Any], cache: Path) -> dict[str, Any]:
    """Do a job on one side. Raises `SystemExit` with the last words of a process that failed."""
    if side == "ours":
        command = [sys.executable, "-m", "benchmarks.speed.ours"]
    else:
        command = [str(chain_python(cache)), "-P", str(HERE / "chain.py")]
    done = subprocess.run(
        [*command, json.dumps(job)],
        cwd=ROOT,
        env=_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise SystemExit(f"{side}: {job['task']} failed\n{done.stderr[-3000:]}")
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def _environment() -> dict[str, str]:
    """The environment less the program's own settings, with the same threads for both sides."""
    kept = {"PATH", "HOME", "LANG", "TMPDIR", "XDG_CACHE_HOME"}
    threads = {"OMP_NUM_THREADS": str(THREADS), "TOKENIZERS_PARALLELISM": "false"}
    offline = {"HF_HUB_OFFLINE": "1", "ANONYMIZED_TELEMETRY": "False", "PYTHONWARNINGS": "ignore"}
    return {k: v for k, v in os.environ.items() if k in kept} | threads | offline
