"""Which request a line of the log belongs to, and how the log is written.

Every request has an id. It is in each line of the log that is written for the request, in the
response header `X-Request-Id`, and in the message that a person sees when something fails.
"""

from __future__ import annotations

import contextvars
import json
import logging
import secrets
import time
from collections.abc import Callable
from typing import Literal, TypeVar

T = TypeVar("T")

_current: contextvars.ContextVar[str] = contextvars.ContextVar("request", default="")


def current() -> str:
    """The id of the request that is being worked on, "" where there is none."""
    return _current.get()


def begin() -> str:
    """Give this context an id of its own."""
    number = secrets.token_hex(4)
    _current.set(number)
    return number


def carried(function: Callable[[], T]) -> Callable[[], T]:
    """The function as it is called in this context, whatever thread calls it."""
    context = contextvars.copy_context()
    return lambda: context.run(function)


def set_up_logging(level: str, form: Literal["text", "json"]) -> None:
    """Write the log of the process to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else Text())
    logging.basicConfig(level=level, handlers=[handler], force=True)


class Text(logging.Formatter):
    """A line for people: time, request, logger, message."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, with a traceback below it where there is one."""
        number = current()
        self._style._fmt = f"%(asctime)s {f'[{number}] ' if number else ''}%(name)s %(message)s"
        return super().format(record)


class JsonLines(logging.Formatter):
    """A JSON object a line, for programs that collect logs."""

    def format(self, record: logging.LogRecord) -> str:
        """The object; line breaks within stay escaped, so that nobody forges a line."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line = {
            "time": f"{moment}.{int(record.msecs):03d}Z",
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if number := current():
            line["request"] = number
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)
