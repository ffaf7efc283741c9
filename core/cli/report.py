"""`eval_custom.py report RUN`: the tables of a saved run."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.cli import thresholds
from core.cli.saved import read_run
from core.cli.shell import failed
from core.errors import AppError
from core.evaluation.measures.aggregate import summary
from core.evaluation.runs.exporting import as_markdown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One saved run."""
    parser.add_argument("run_file", type=Path, help="the run.json")
    thresholds.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the report."""
    try:
        saved, results = read_run(arguments.run_file)
    except AppError as error:
        return failed(error)
    print(as_markdown(saved, results))
    return thresholds.status(summary(results), arguments)
