"""The evaluation from a shell: `python eval_custom.py retrieval --data FOLDER`.

Each command is a module of core/evaluation with `add_arguments(parser)` and `run(arguments)`.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

COMMANDS = {
    "answers": ("core.evaluation.answers", "how well questions are answered, on a golden set"),
    "retrieval": ("core.evaluation.retrieval", "how well the search ranks, on a judged collection"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; gives the exit status."""
    parser = argparse.ArgumentParser(prog="eval_custom.py", description=__doc__.splitlines()[0])
    choices = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, (module, about) in COMMANDS.items():
        command = choices.add_parser(name, help=about, description=about)
        importlib.import_module(module).add_arguments(command)
    chosen = parser.parse_args(arguments)
    status: int = importlib.import_module(COMMANDS[chosen.command][0]).run(chosen)
    return status


if __name__ == "__main__":
    sys.exit(main())
