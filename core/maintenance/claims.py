"""What processes on one database claim: kept while they live, taken over when one has ended."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.errors import AppError
from core.storage.sql.database import Database
from core.supervision import Worker

log = logging.getLogger(__name__)

_LOOK_EVERY = 2.0  # seconds
PATIENCE = 8.0
"""Seconds without its lock after which a process has ended. All lose theirs when the server is
stopped, and take it again within some looks; what they had in work goes on then."""


@dataclass
class Claims:
    """A thread that looks after claims, where the database is shared. `end()` when done.

    `take_over` are called with the seconds of patience: each puts back one kind of work that the
    end of a process interrupted.
    """

    database: Database
    take_over: Sequence[Callable[[float], None]]
    ending: threading.Event

    def begin(self) -> None:
        """Look until `ending` is set; nothing happens where this process is the only one."""
        if self.database.is_shared:
            Worker("claims", self._work, self.ending).start()

    def _work(self) -> None:
        while not self.ending.wait(_LOOK_EVERY):
            try:
                self.database.keep_claim()
                for take_over in self.take_over:
                    take_over(PATIENCE)
            except AppError as error:  # the server is away, say: the next look tries again
                log.warning("What ended processes left cannot be looked at: %s", error.message)
