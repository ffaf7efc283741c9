"""What the doctor and upkeep say of the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.types.documents import Notice

HealthState = Literal["ok", "off", "warning", "error"]


Verdict = tuple[HealthState, str, str]
"""Of one part: its state, the detail, the cure."""


@dataclass(frozen=True, slots=True)
class Health:
    """What the doctor found about one part: does it answer, and what mends it."""

    name: str
    state: HealthState
    detail: str
    cure: str = ""
    seconds: float = 0.0


UpkeepTask = Literal["start", "check", "mend", "rebuild", "backup", "vacuum"]


@dataclass(frozen=True, slots=True)
class UpkeepState:
    """Work on the stores that is being done, or was done last: a picture of one moment.

    `done` of `total` says how far it is (passages, files or sessions); `lines` is the result in
    words, `clean` whether nothing disagrees, `failure` what ended the work.
    """

    task: UpkeepTask | None = None
    running: bool = False
    doing: str = ""
    done: int = 0
    total: int = 0
    lines: tuple[str, ...] = ()
    clean: bool = True
    failure: Notice | None = None
