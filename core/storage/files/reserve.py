"""A reserve of disk space: deleting takes some, also when the disk is full.

A database writes what it deletes into its log first. So a file of a few megabytes is kept, and
given up while somebody deletes on a full disk.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress

from core.config import Settings
from core.errors import NotEnoughSpace

SIZE = 8_000_000


class Reserve:
    """The file of one data directory."""

    def __init__(self, settings: Settings) -> None:
        self.path = settings.data_dir / "reserve"

    def fill(self) -> None:
        """Take the space, where there is plenty; no error where there is not."""
        with suppress(OSError):
            if self.path.exists() and self.path.stat().st_size == SIZE:
                return
            if shutil.disk_usage(self.path.parent).free < 4 * SIZE:
                return
            with self.path.open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, SIZE)

    def release(self) -> None:
        """Give the space up."""
        with suppress(OSError):
            self.path.unlink()

    def spent_on(self, work: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """Do `work`; where the disk is full, give the reserve up and do `otherwise`.

        Raises `NotEnoughSpace` where that was not enough either.
        """
        try:
            work()
        except NotEnoughSpace:
            self.release()
            try:
                otherwise()
            finally:
                self.fill()
