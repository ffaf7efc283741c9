"""Upkeep from a shell.

```
python -m core.maintenance check           # do files, catalogue and both indexes agree?
python -m core.maintenance rebuild         # make both indexes of every session again
python -m core.maintenance backup FOLDER   # copy catalogue and originals into a new folder
python -m core.maintenance restore BACKUP  # put a backup in place (--replace moves a library aside)
python -m core.maintenance vacuum          # leave nothing of what was deleted
python -m core.maintenance move --to URL   # copy the library into PostgreSQL; `--to disk`: back
```

All but `backup` need the program to be stopped. Ends with 0 when all is well, 1 when something
disagrees, 2 when the work could not be done.
"""

from __future__ import annotations

import argparse
import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from core.config import Settings, load_settings
from core.errors import AppError
from core.maintenance.backup import back_up_running, restore
from core.maintenance.move import move
from core.maintenance.tasks import Upkeep
from core.storage.files.lock import DataLock
from core.storage.stores import open_stores
from core.types import UpkeepTask

_LOOK_EVERY = 0.5


def main(arguments: list[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    given = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    try:
        return _run(given, load_settings())
    except AppError as error:
        print(f"{error.message}\n{error.cure}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    lines = (__doc__ or "").split("\n")
    parser = argparse.ArgumentParser(prog="python -m core.maintenance", description=lines[0])
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="compare files, catalogue and both indexes")
    check.add_argument("--mend", action="store_true", help="mend what can be mended")
    commands.add_parser("rebuild", help="make both indexes of every session again")
    backup = commands.add_parser("backup", help="copy catalogue and originals")
    backup.add_argument("folder", type=Path, help="where the backup's own folder is made")
    restore_ = commands.add_parser("restore", help="put a backup in place")
    restore_.add_argument("backup", type=Path, help="the folder that holds manifest.json")
    restore_.add_argument("--replace", action="store_true", help="move a library aside")
    commands.add_parser("vacuum", help="leave nothing of what was deleted")
    move_ = commands.add_parser("move", help="copy the library into PostgreSQL, or back")
    move_.add_argument(
        "--to",
        required=True,
        help="postgresql+psycopg://..., milvus://... (vectors and words alone), or disk; "
        "-: it is read from standard input, so that no list of processes shows its password",
    )
    move_.add_argument("--originals", help="s3://bucket, a shared folder, or disk")
    return parser


def _run(given: argparse.Namespace, settings: Settings) -> int:
    if given.command == "restore":
        with DataLock(settings):
            lines = restore(
                settings, given.backup, replace=given.replace, progress=_Progress("Files")
            )
        return _print(lines, True)
    if given.command == "backup":
        return _print(back_up_running(settings, given.folder, _Progress("Originals")), True)
    if given.command == "move":
        to = sys.stdin.readline().strip() if given.to == "-" else given.to
        return _print(*move(settings, to, given.originals, _Progress().show))
    task: UpkeepTask = "mend" if given.command == "check" and given.mend else given.command
    with closing(open_stores(settings)) as stores:
        upkeep = Upkeep(stores)
        with _watched(upkeep):
            state = upkeep.run(task)
    return _print(list(state.lines), state.clean)


def _print(lines: list[str], clean: bool) -> int:
    for line in lines:
        print(line)
    return 0 if clean else 1


class _Progress:
    """Progress as one line that is written over, where somebody looks; a few lines otherwise."""

    def __init__(self, what: str = "") -> None:
        self._what, self._shown = what, ""

    def __call__(self, done: int, total: int) -> None:
        self.show(self._what, done, total)

    def show(self, what: str, done: int, total: int) -> None:
        """Print how far it is, if that has changed."""
        tenths = 10 * done // max(1, total)
        text = f"{what}: {done} of {total}" if sys.stderr.isatty() else f"{what}: {tenths * 10} %"
        if what and total and text != self._shown:
            self._shown = text
            end = "\033[K\r" if sys.stderr.isatty() else "\n"
            print(text, end=end, file=sys.stderr, flush=True)


@contextmanager
def _watched(upkeep: Upkeep) -> Iterator[None]:
    """Show the progress of a task from a thread beside it."""
    over, progress = threading.Event(), _Progress()

    def watch() -> None:
        while not over.wait(_LOOK_EVERY):
            state = upkeep.state()
            progress.show(state.doing, state.done, state.total)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


if __name__ == "__main__":
    sys.exit(main())
