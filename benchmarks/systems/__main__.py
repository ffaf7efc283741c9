"""All presets and the default over the same sets: retrieval, citations, answers, time, memory.

    python -m benchmarks.systems --data DIR [--sets ...] [--systems ...] [--questions N]

DIR holds `golden/NAME`, `qa/clapnq`, `stackexchange` and `archives`. No language model is asked:
answers are quotes, measured by code. Each system reads, indexes and answers in a process of its
own. What is done is kept in the work folder; a run that was ended goes on there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from benchmarks.systems.asked import Job, Outcome
from benchmarks.systems.sets import SETS, Size
from benchmarks.systems.table import markdown
from core.config import load_settings
from core.models.reranking import load_reranker
from core.retrieval.presets import PRESETS

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 1 where a system could not be measured."""
    given = _arguments(arguments)
    given.work.mkdir(parents=True, exist_ok=True)
    outcomes, failed = [], 0
    for name in given.sets:
        for preset in given.systems:
            job = Job(preset, name, str(given.data), str(given.work), _size(name, given))
            made = done(job)
            if made is None:
                failed += 1
                continue
            outcomes.append(made)
            print(f"{name}, {preset}: {made.indexing:.0f} s to index", file=sys.stderr, flush=True)
    if outcomes:
        report = markdown(outcomes, reranker=_reranker(), embedding=load_settings().embedding_model)
        print(report)
        if given.markdown:
            given.markdown.write_text(report + "\n", "utf-8")
    return int(failed > 0)


def done(job: Job) -> Outcome | None:
    """Return the outcome of a job, from the work folder or from a process; None if that failed."""
    text = json.dumps(asdict(job))
    kept = Path(job.work) / f"outcome-{hashlib.sha256(text.encode()).hexdigest()[:16]}.json"
    if not kept.is_file():
        command = [sys.executable, "-m", "benchmarks.systems.asked", text]
        process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if process.returncode != 0:
            print(f"{job.name}, {job.preset}: {process.stderr[-2000:]}", file=sys.stderr)
            return None
        kept.write_text(process.stdout.strip().splitlines()[-1], "utf-8")
    return Outcome(**json.loads(kept.read_text("utf-8")))


def _size(name: str, given: argparse.Namespace) -> Size:
    size = SETS[name].size
    wanted = {"documents": given.documents, "questions": given.questions}
    return replace(size, **{key: value for key, value in wanted.items() if value is not None})


def _reranker() -> str:
    """The reranker that was used; "none" where its weights are not there."""
    reranker = load_reranker(load_settings())
    return reranker.name if reranker is not None and reranker.state()[0] == "ok" else "none"


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.systems", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with all sets")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=list(SETS), metavar="SET")
    parser.add_argument(
        "--systems", nargs="+", choices=PRESETS, default=list(PRESETS), metavar="PRESET"
    )
    parser.add_argument("--documents", type=int, help="so many of each set; 0 is all")
    parser.add_argument("--questions", type=int, help="so many on these documents; 0 is all")
    parser.add_argument("--work", type=Path, default=Path(".cache/systems"), metavar="DIR")
    parser.add_argument("--markdown", type=Path, help="write the table to this file")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
