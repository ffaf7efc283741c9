"""`eval_custom.py operations`: every operation again and again, in sessions made for it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli import options
from core.cli.library import index_for, ingest, library
from core.cli.run import followed, items_of
from core.cli.shell import failed
from core.config import load_settings
from core.errors import AppError, InvalidRequest
from core.evaluation import operations
from core.evaluation.golden.sets import GoldenItem
from core.evaluation.measures.aggregate import summary
from core.evaluation.operations import Try
from core.evaluation.runs.environment import machine, peak_memory
from core.evaluation.runs.results import Result, RunSettings, RunState

if TYPE_CHECKING:
    from core.service import Service


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What is added and asked, how often, and how answers are made and judged."""
    parser.add_argument("--golden", type=Path, required=True, help="a .jsonl, .csv, or BEIR .zip")
    parser.add_argument("--documents", type=Path, required=True, help="the folder to upload")
    parser.add_argument(
        "--address", action="append", default=[], metavar="URL", help="a web page to add as well"
    )
    parser.add_argument("--rounds", type=int, default=3, help="each in a session of its own")
    parser.add_argument("--limit", type=int, default=0, help="only so many questions a round")
    parser.add_argument("--tag", help="only questions with this tag")
    parser.add_argument("--out", type=Path, help="write both tables to this CSV")
    options.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; 0, or 2 where it is not possible."""
    tries: list[Try] = []
    results: list[Result] = []
    rounds = max(1, arguments.rounds)
    try:
        items, settings = items_of(arguments), options.run_settings(arguments)
        with library(load_settings()) as (service, _):
            for number in range(1, rounds + 1):
                found = _round(service, arguments, items, settings, f"round {number}")
                tries += found[0]
                results += found[1]
        table = operations.rows(tries)
        good = operations.qualities(summary(results), ())
        facts = f"{rounds} sessions, {peak_memory():.0f} MB of memory at most, {machine()}."
        if arguments.out:
            arguments.out.write_text(operations.as_csv(table, good), "utf-8")
    except AppError as error:
        return failed(error)
    except OSError as error:
        return failed(InvalidRequest(f"{error.filename}: {error.strerror}.", "Check the path."))
    print(operations.as_markdown(table, good, facts))
    return 0


def _round(
    service: Service,
    arguments: argparse.Namespace,
    items: Sequence[GoldenItem],
    settings: RunSettings,
    name: str,
) -> tuple[list[Try], list[Result]]:
    """Every operation in a new session."""
    evaluations = service.evaluations
    session = service.sessions.create(service.owners.local(), name)
    index_for(service, session, [settings.preset])
    for refused in service.documents.add_urls(session, arguments.address):
        if refused.document is None:
            raise InvalidRequest(refused.reason, refused.cure)
    aliases = ingest(service, session, arguments.documents)
    run = evaluations.add_run(session, name, (arguments.golden.name, items), settings, aliases)
    evaluations.runner.enqueue(run, aliases=aliases)
    done = followed(service, session, run)
    if done.state is not RunState.DONE:
        raise InvalidRequest(f"The run ended after {done.done} questions.", done.reason)
    return evaluations.operations(session, run.id).tries, evaluations.results(session, run.id)
