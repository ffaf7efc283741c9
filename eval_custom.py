"""The evaluation from a shell: `python eval_custom.py run --golden FILE --documents FOLDER`.

Each command is a module of core/cli, with `add_arguments(parser)` and
`run(arguments)`. Exit status: 0, 1 where a measure is beyond `--fail-under` or `--fail-over`, 2
where a command cannot do its work.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence
from typing import Any

COMMANDS = {
    "retrieval": "how well the search ranks, on a judged collection",
    "generate": "make a golden set of a folder of documents",
    "run": "ask a golden set, with every measure, and save the run",
    "talks": "whole conversations, as people type them",
    "operations": "how long each operation takes, how often it succeeds, how good answers are",
    "score": "a CSV of ready answers: cosine, F1, hallucination flags",
    "compare": "two saved runs: intervals, a test, what changed",
    "report": "the tables of a saved run",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit status."""
    parser = argparse.ArgumentParser(prog="eval_custom.py", description=__doc__.splitlines()[0])
    choices = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, about in COMMANDS.items():
        command = choices.add_parser(name, help=about, description=about)
        _command(name).add_arguments(command)
    chosen = parser.parse_args(arguments)
    status: int = _command(chosen.command).run(chosen)
    return status


def _command(name: str) -> Any:
    return importlib.import_module(f"core.cli.{name}")


if __name__ == "__main__":
    sys.exit(main())
