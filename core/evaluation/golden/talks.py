"""Golden conversations: turns as people type them, with the shortest quotes that answer them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from core.errors import InvalidRequest

_FORM = "Give a file of JSON lines in UTF-8."


@dataclass(frozen=True, slots=True)
class Turn:
    """One question of a conversation, with its ideal answer.

    `library` names the files that are searched. `ideal` holds the quotes, best first;
    `answer_span` the few words in them that answer ("" if there are none); `follows` says whether
    the question depends on earlier turns; `kind` is what is asked for ("number", "list",
    "smalltalk", ...).
    """

    conversation: str
    turn: int
    library: tuple[str, ...]
    question: str
    kind: str
    answerable: bool
    follows: bool
    ideal: tuple[str, ...]
    answer_span: str = ""


def read_talks(path: Path) -> list[Turn]:
    """Read a file of one JSON object a line, in order.

    Raises `InvalidRequest` if the file cannot be read or a line is not such an object.
    """
    try:
        data = path.read_bytes()
    except OSError:
        raise InvalidRequest(f"{path.name} cannot be read.", _FORM) from None
    return talk_lines(path.name, data)


def talk_lines(name: str, data: bytes) -> list[Turn]:
    """Read the lines of an uploaded file; raises as `read_talks` does."""
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise InvalidRequest(f"{name} cannot be read.", _FORM) from None
    turns = [_turn(line, number) for number, line in enumerate(lines, 1) if line.strip()]
    if not turns:
        raise InvalidRequest(f"{name} holds no question.", _FORM)
    return turns


def conversations(turns: Iterable[Turn]) -> dict[str, list[Turn]]:
    """Group the turns by conversation, each in the order of its turns."""
    grouped: dict[str, list[Turn]] = {}
    for turn in turns:
        grouped.setdefault(turn.conversation, []).append(turn)
    return {name: sorted(found, key=lambda turn: turn.turn) for name, found in grouped.items()}


def _turn(line: str, number: int) -> Turn:
    try:
        row = json.loads(line)
        return Turn(
            str(row["conversation"]),
            int(row["turn"]),
            tuple(map(str, row["library"])),
            str(row["question"]),
            str(row["kind"]),
            bool(row["answerable"]),
            bool(row["follows"]),
            tuple(str(one["quote"]) for one in row["ideal"]),
            str(row.get("answer_span") or ""),
        )
    except (ValueError, KeyError, TypeError):
        raise InvalidRequest(
            f"Line {number} is not a turn of a conversation.",
            "Each line needs conversation, turn, library, question, kind, answerable, follows "
            "and ideal.",
        ) from None
