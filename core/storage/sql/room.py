"""Rooms of the catalogue: each public method is one transaction, done again where it was overtaken.

In SQLite one writer waits for another. PostgreSQL lets them work side by side, and refuses one of
two that got in each other's way; what was refused left nothing behind, so the method is called
again and sees what the other one did.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import wraps
from inspect import isfunction, isgeneratorfunction
from typing import Any, ParamSpec, TypeVar

from core.errors import StorageError

P = ParamSpec("P")
T = TypeVar("T")

_FIRST_PAUSE = 0.005
_LONGEST_PAUSE = 0.2
_chance = random.SystemRandom()  # of two that met, one shall come later


class Overtaken(StorageError):
    """Another transaction changed the same at the same moment; it never leaves a room.

    `seconds`: for how long the method is tried again.
    """

    def __init__(self, message: str, seconds: float) -> None:
        super().__init__(message, "Try again in a moment.")
        self.seconds = seconds


class Room:
    """The base of rooms. Arguments of public methods are read more than once: give collections."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for name, method in list(vars(cls).items()):
            if not name.startswith("_") and isfunction(method) and not isgeneratorfunction(method):
                setattr(cls, name, _repeated(method))


def _repeated(method: Callable[..., T]) -> Callable[..., T]:
    @wraps(method)
    def done(room: Any, *args: Any, **named: Any) -> T:
        if room.database.joined is not None:  # what it is part of is done again as a whole
            return method(room, *args, **named)
        return until_done(method, room, *args, **named)

    return done


def until_done(work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
    """Call `work` until it was not overtaken; raises `StorageError` where it stays so."""
    began, pause = time.monotonic(), _FIRST_PAUSE
    while True:
        try:
            return work(*args, **named)
        except Overtaken as error:
            if time.monotonic() - began > error.seconds:
                raise StorageError(error.message, error.cure) from error
        time.sleep(_chance.uniform(0, pause))
        pause = min(2 * pause, _LONGEST_PAUSE)
