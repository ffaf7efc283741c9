"""A process that owns the data directory until it is ended.

`python -m tests.storage.files.holder FOLDER [child]`: with `child` it also forks one that
sleeps on.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.config import Settings
from core.storage.catalogue import Catalogue
from core.storage.files.lock import DataLock

ROOT = Path(__file__).resolve().parents[3]


@contextmanager
def holder(folder: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """The process, once it owns the directory; killed at the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.storage.files.holder", str(folder), *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    try:
        assert process.stdout.readline() == "mine\n"
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def main(folder: Path, *options: str) -> None:
    """Take the lock, and wait."""
    settings = Settings(data_dir=folder / "data", chroma_dir=folder / "chroma")
    with DataLock(settings):
        if "catalogue" in options:
            catalogue = Catalogue(settings)
            catalogue.sessions.create(catalogue.owners.create("a" * 64), "acknowledged")
        if "child" in options and os.fork() == 0:
            (folder / "child").write_text(str(os.getpid()))
            os.close(1)
            time.sleep(60)
            os._exit(0)
        print("mine", flush=True)
        time.sleep(60)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
