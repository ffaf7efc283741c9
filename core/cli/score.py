"""`eval_custom.py score FILE.csv`: measures of answers that were made elsewhere."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.cli import thresholds
from core.cli.shell import failed
from core.config import load_settings
from core.errors import AppError, InvalidRequest
from core.evaluation.ready_answers import COLUMNS, as_csv, averages, read_ready_answers, scored
from core.evaluation.runs.exporting import number
from core.models.embedding import load_embedder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One CSV, and where the scored rows go."""
    parser.add_argument("csv_file", type=Path, help=f"a CSV with {', '.join(COLUMNS)}")
    parser.add_argument("--out", type=Path, help="write each row with its measures to this CSV")
    thresholds.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print the averages; 0, 1 beyond a threshold, or 2."""
    try:
        rows = read_ready_answers(arguments.csv_file.name, arguments.csv_file.read_bytes())
        found = scored(rows, load_embedder(load_settings()).embed)
        if arguments.out:
            arguments.out.write_text(as_csv(found), "utf-8")
    except OSError as error:
        return failed(InvalidRequest(f"{error.filename}: {error.strerror}.", "Check the path."))
    except AppError as error:
        return failed(error)
    means = averages(found)
    print(f"{'Answers':14}{len(found):>8}")
    for name, value in means.items():
        print(f"{name:14}{number(value):>8}")
    return thresholds.status(means, arguments)
