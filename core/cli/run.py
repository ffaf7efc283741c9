"""`eval_custom.py run`: a golden set asked of a folder of documents, saved, and reported."""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli import options, thresholds
from core.cli.library import filled, index_for, library
from core.cli.shell import failed, progress
from core.config import load_settings
from core.errors import AppError, InvalidRequest
from core.evaluation.golden.formats import read_golden_file
from core.evaluation.golden.sets import GoldenItem, even_sample
from core.evaluation.runs.exporting import (
    OUTPUT_FILE,
    SUMMARY_FILE,
    as_json,
    as_markdown,
    headline,
    output_csv,
    summary_csv,
)
from core.evaluation.runs.presets import MATRIX
from core.evaluation.runs.results import Run, RunSettings, RunState
from core.types import Session

if TYPE_CHECKING:
    from core.service import Service

JSON_KEYS = {
    "questions": "questions",
    "contains": "contains",
    "document_hit": "cited_document",
    "document_first": "cited_first",
    "page_hit": "cited_page",
    "verbatim": "verbatim",
    "abstained_right": "abstained_right",
    "abstained_wrong": "abstained_wrong",
    "abstention_auc": "abstention_auc",
    "sentences": "sentences",
    "seconds": "seconds",
}
"""The keys of `--json`, which scripts read, with the measures behind them."""
_POLL_SECONDS = 0.5
UNDER_WAY = (RunState.WAITING, RunState.RUNNING)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eval_custom.py run`."""
    parser.add_argument("--golden", type=Path, required=True, help="a .jsonl, .csv, or BEIR .zip")
    parser.add_argument("--documents", type=Path, help="the folder to answer from")
    parser.add_argument(
        "--library", type=Path, help="keep the read documents and the runs in this folder"
    )
    parser.add_argument("--limit", type=int, default=0, help="only so many, evenly spread")
    parser.add_argument("--tag", help="only questions with this tag")
    parser.add_argument("--name", default="", help="what the run is called")
    parser.add_argument("--out", type=Path, help="write CSV, JSON and Markdown to this folder")
    parser.add_argument("--json", type=Path, help="write what answers are judged by to this file")
    parser.add_argument(
        "--matrix", default="", metavar="A,B", help=f"columns, one run each: {', '.join(MATRIX)}"
    )
    options.add_arguments(parser)
    thresholds.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure, print, save; 0, 1 below a threshold, 2 where it is not possible."""
    try:
        items = items_of(arguments)
        columns = _columns(arguments)
        with library(load_settings(), arguments.library) as (service, session):
            index_for(service, session, [settings.preset for _, settings in columns])
            aliases = filled(service, session, arguments.documents)
            statuses = [
                _one(service, session, arguments, name, items, settings, aliases)
                for name, settings in columns
            ]
    except AppError as error:
        return failed(error)
    return max(statuses)


def items_of(arguments: argparse.Namespace) -> list[GoldenItem]:
    items = read_golden_file(arguments.golden.name, _bytes(arguments.golden))
    if arguments.tag:
        items = [item for item in items if arguments.tag in item.tags]
    if not items:
        raise InvalidRequest(f"No question has the tag {arguments.tag}.")
    return even_sample(items, arguments.limit)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        raise InvalidRequest(f"{path} cannot be read.", "Give the path of a golden set.") from None


def _columns(arguments: argparse.Namespace) -> list[tuple[str, RunSettings]]:
    settings = options.run_settings(arguments)
    name = arguments.name or arguments.golden.parent.name or arguments.golden.stem
    if not arguments.matrix:
        return [(name, settings)]
    if arguments.json:
        raise InvalidRequest(
            "One run is written as JSON, not a matrix of them.",
            "Leave --matrix out, or take --out FOLDER.",
        )
    wanted = [one.strip() for one in arguments.matrix.split(",") if one.strip()]
    unknown = [one for one in wanted if one not in MATRIX]
    if unknown:
        raise InvalidRequest(
            f"There is no column {unknown[0]}.", f"There are: {', '.join(MATRIX)}."
        )
    return [(f"{name} · {one}", MATRIX[one].of(settings)) for one in wanted]


def _one(
    service: Service,
    session: Session,
    arguments: argparse.Namespace,
    name: str,
    items: list[GoldenItem],
    settings: RunSettings,
    aliases: dict[str, str],
) -> int:
    evaluations = service.evaluations
    golden = (arguments.golden.name, items)
    made = evaluations.unfinished_run(session, golden[1], settings)
    if made is not None:
        print(f"Goes on after {made.done} of {made.total} questions.")
        evaluations.resume_run(session, made.id, aliases=aliases)
    else:
        made = evaluations.add_run(session, name, golden, settings, aliases)
        evaluations.runner.enqueue(made, aliases=aliases)
    done = followed(service, session, made)
    if done.state is not RunState.DONE:
        raise InvalidRequest(f"The run ended after {done.done} questions.", done.reason)
    print(f"{done.name}: {done.set_name}")
    print(headline(done.summary, settings.k))
    for note in done.notes:
        print(note)
    if arguments.json:
        found = {key: done.summary.get(name) for key, name in JSON_KEYS.items()}
        arguments.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    if arguments.out:
        several = bool(arguments.matrix)
        _write(service, session, done, arguments.out / done.id if several else arguments.out)
    return thresholds.status(done.summary, arguments)


def followed(service: Service, session: Session, made: Run) -> Run:
    """Wait for the end of a run; an interrupt stops it at its question."""
    try:
        while (now := service.evaluations.run(session, made.id)).state in UNDER_WAY:
            progress(f"asked {now.done} of {now.total}", last=False)
            time.sleep(_POLL_SECONDS)
    except KeyboardInterrupt:
        service.evaluations.stop_run(session, made.id)
        raise
    progress(f"asked {now.done} of {now.total}", last=True)
    return now


def _write(service: Service, session: Session, done: Run, folder: Path) -> None:
    results = service.evaluations.whole_results(session, done.id)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / OUTPUT_FILE).write_text(output_csv(results), "utf-8")
    (folder / SUMMARY_FILE).write_text(summary_csv(results), "utf-8")
    (folder / "run.json").write_text(as_json(done, results), "utf-8")
    (folder / "report.md").write_text(as_markdown(done, results), "utf-8")
    print(f"Written to {folder}.")
