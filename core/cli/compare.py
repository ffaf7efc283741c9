"""`eval_custom.py compare A B`: two saved runs, b against a."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.cli import thresholds
from core.cli.saved import read_run
from core.cli.shell import failed
from core.errors import AppError
from core.evaluation.runs.comparing import compare
from core.evaluation.runs.exporting import comparison_markdown


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Two saved runs."""
    parser.add_argument("a", type=Path, help="the run.json to compare with")
    parser.add_argument("b", type=Path, help="the run.json that is new")
    thresholds.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the comparison; the thresholds are of the differences b - a."""
    try:
        (a, results_a), (b, results_b) = read_run(arguments.a), read_run(arguments.b)
    except AppError as error:
        return failed(error)
    found = compare(results_a, results_b)
    print(comparison_markdown(a, b, found))
    means = {name: one.mean for name, one in found.differences.items()}
    return thresholds.status(means, arguments)
