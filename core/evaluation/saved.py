"""`eval_custom.py compare` and `report`: runs that were saved as JSON, read back."""

from __future__ import annotations

import argparse
import json
from datetime import datetime
from pathlib import Path
from typing import Any

from core.errors import AppError, InvalidRequest
from core.evaluation import thresholds
from core.evaluation.aggregate import summary
from core.evaluation.comparing import compare
from core.evaluation.exporting import as_markdown, comparison_markdown
from core.evaluation.golden import item_of
from core.evaluation.results import Result, Run, RunSettings, RunState
from core.evaluation.shell import failed

Saved = tuple[Run, list[Result]]
_FORM = "Give the run.json that `eval_custom.py run --out FOLDER` or the page wrote."


def read_run(path: Path) -> Saved:
    """A run with the measures of its questions. Raises `InvalidRequest`."""
    try:
        data = json.loads(path.read_text("utf-8"))
        return run_of(data["run"]), [_result(row) for row in data["results"]]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise InvalidRequest(f"{path} is no saved run.", _FORM) from None


def run_of(row: dict[str, Any]) -> Run:
    """The run of an object that `exporting.as_json` wrote."""
    values = dict(row)
    values["settings"] = RunSettings(**values["settings"])
    values["state"] = RunState(values["state"])
    for name in ("created_at", "finished_at"):
        values[name] = values[name] and datetime.fromisoformat(values[name])
    return Run(**{**values, "notes": tuple(values["notes"])})


def _result(row: dict[str, Any]) -> Result:
    item = item_of(row["item"], row["position"])
    return Result(row["position"], item, None, row["measures"], error=row["error"])


class Compare:
    """`eval_custom.py compare A B`: b against a."""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """Two saved runs."""
        parser.add_argument("a", type=Path, help="the run.json to compare with")
        parser.add_argument("b", type=Path, help="the run.json that is new")
        thresholds.add_arguments(parser)

    @staticmethod
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


class Report:
    """`eval_custom.py report RUN`: the tables of a saved run."""

    @staticmethod
    def add_arguments(parser: argparse.ArgumentParser) -> None:
        """One saved run."""
        parser.add_argument("run_file", type=Path, help="the run.json")
        thresholds.add_arguments(parser)

    @staticmethod
    def run(arguments: argparse.Namespace) -> int:
        """Print the report."""
        try:
            saved, results = read_run(arguments.run_file)
        except AppError as error:
            return failed(error)
        print(as_markdown(saved, results))
        return thresholds.status(summary(results), arguments)
