"""The end of an engine: none of its connections stays open."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.pool import ConnectionPoolEntry


def close_connections(engine: Engine) -> None:
    """Close the connections of an engine; those in use are closed as they are given back.

    `Engine.dispose` closes the others alone: a thread that outlives it would give its connection
    back to a pool that nobody closes.
    """
    event.listen(engine, "checkin", _close)
    engine.dispose()


def _close(connection: Any, entry: ConnectionPoolEntry) -> None:
    entry.invalidate()
