"""`--fail-under measure=value`: an exit status that a pipeline can act on."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence

Limit = tuple[str, float]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The two options, each as often as wanted."""
    for option, words in (("--fail-under", "below"), ("--fail-over", "above")):
        parser.add_argument(
            option, action="append", default=[], type=limit, metavar="MEASURE=VALUE",
            help=f"exit with status 1 if this measure is {words} the value, or was not measured",
        )  # fmt: skip


def limit(text: str) -> Limit:
    """`contains=0.8` as a pair. Raises what argparse makes a message of."""
    name, mark, value = text.partition("=")
    try:
        return name.strip(), float(value) if mark and name.strip() else float("none")
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} is not of the form measure=value") from None


def broken(
    found: Mapping[str, float | int | None], under: Sequence[Limit], over: Sequence[Limit]
) -> list[str]:
    """What is not as it should be, in words; a measure that is missing is not."""
    lines = []
    for limits, sign in ((under, -1), (over, 1)):
        for name, value in limits:
            measured = found.get(name)
            if measured is None:
                lines.append(f"{name} was not measured.")
            elif (measured - value) * sign > 0:
                side = "below" if sign < 0 else "above"
                lines.append(f"{name} is {measured:.4f}, {side} {value}.")
    return lines


def status(found: Mapping[str, float | int | None], arguments: argparse.Namespace) -> int:
    """0, or 1 with what is broken on standard error."""
    lines = broken(found, arguments.fail_under, arguments.fail_over)
    for line in lines:
        print(line, file=sys.stderr)
    return 1 if lines else 0
