"""Runs that were saved as JSON, read back."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from core.errors import InvalidRequest
from core.evaluation.golden.sets import item_of
from core.evaluation.runs.results import Result, Run, RunSettings, RunState

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
