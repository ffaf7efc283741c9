"""Data that only the account of the program may read, whatever umask it was started with."""

from __future__ import annotations

import contextlib
import os

from core.config import Settings


def keep_private(settings: Settings) -> None:
    """Let this process, and those that it starts, make files of 0600 and folders of 0700.

    The folders of data that an earlier version made are closed too; what is in them keeps its
    mode, as nobody else can reach it.
    """
    os.umask(0o077)
    for folder in (settings.data_dir, settings.chroma_dir):
        with contextlib.suppress(OSError):  # not there yet, or of another account: left as it is
            folder.chmod(0o700)
