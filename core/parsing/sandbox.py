"""Read files in a child process with limits, so that no file can crash the program.

The child gets its own folder, a bare environment (no keys), limits on memory, processor time
and the size of files, and no more wall-clock time than the settings allow; it is ended with
everything that it started. What it found comes back as data (`wire`), never as code.
"""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

from pydantic import SecretStr

from core import REPORTS_OFF
from core.config import Settings
from core.errors import (
    DamagedFile,
    DataDirectoryUnusable,
    Interrupted,
    NoReadableText,
    NotEnoughSpace,
    ParserDied,
    StorageError,
    TooComplex,
    TooLarge,
)
from core.parsing.language import detect_language
from core.parsing.places import SMALL_BYTES, SMALL_MEMORY_MB, Places
from core.parsing.wire import DISK_FULL, OUT_OF_MEMORY, own_file, read_result
from core.types import LoadedDocument

log = logging.getLogger(__name__)

Progress = Callable[[float], None]
Cancelled = Callable[[], bool]

_ROOT = Path(__file__).resolve().parent.parent.parent
_COMMAND = (sys.executable, "-P", "-s", "-X", "utf8", "-W", "ignore", "-m", "core.parsing.child")
_TICK = 0.1  # seconds between two looks at the clock and at `cancelled`
_LAST_SECONDS = 5.0  # for a child that closed its pipe to end by itself
_OCR_GRACE = 60.0  # seconds for the page that is being read when the time for OCR is over
_NO_ROOM = "The disk is full: what was read of the file could not be put aside."
_TOO_MUCH_MEMORY = "The file is too complex to read: it takes too much memory."
_TOO_COMPLEX = {signal.SIGXCPU}
_places = Places()


def load_in_child(
    path: Path,
    *,
    name: str,
    settings: Settings,
    url: str = "",
    who: str = "",
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
    scratch: Path | None = None,
    password: SecretStr | None = None,
) -> LoadedDocument:
    """Read a document in a child process within the limits of the settings, when a place is free.

    `url` is where a web page came from, if it is one; `who` the session that it is read for, as
    places are fair between them; `scratch` where the child's folder is made, by default the one
    of the settings; `password` opens a locked PDF.

    Raises subclasses of `IngestionError`: what the loader found wrong, `TooComplex` over a limit,
    `ParserDied` when the child ended by a signal, `Interrupted` when `cancelled` said so. Raises
    `NotEnoughSpace` where the disk is full.
    """
    scratch = scratch or settings.scratch_dir
    job = {
        "task": "load",
        "path": str(path.resolve()),
        "name": name,
        "url": url,
        "ocr": settings.ocr,
        "ocr_languages": settings.ocr_language_codes,
        "password": password.get_secret_value() if password else "",
    }
    small = path.is_file() and path.stat().st_size <= SMALL_BYTES
    loaded: LoadedDocument | None = None
    with _places.hold(who, small=small, cancelled=cancelled) as whole:
        if whole:
            loaded = _load_carefully(job, settings, progress, cancelled, scratch)
        else:
            memory = min(settings.parse_memory_mb, SMALL_MEMORY_MB)
            less = settings.model_copy(update={"parse_memory_mb": memory})
            with contextlib.suppress(_OutOfMemory, ParserDied):  # C libraries die of too little
                loaded = _load_carefully(job, less, progress, cancelled, scratch)
    if loaded is None:
        with _places.hold(who, small=False, cancelled=cancelled):
            loaded = _load_carefully(job, settings, progress, cancelled, scratch)
    return replace(loaded, language=detect_language(loaded.pages) or loaded.language)


class _OutOfMemory(TooComplex):
    """The child took more memory than it had; where it may have more, it is tried again."""

    @property
    def code(self) -> str:
        return TooComplex.__name__


def _load_carefully(
    job: dict[str, Any],
    settings: Settings,
    progress: Progress | None,
    cancelled: Cancelled | None,
    scratch: Path,
) -> LoadedDocument:
    try:
        return _load({**job, "careful": False}, settings, progress, cancelled, scratch)
    except ParserDied as death:
        if not is_pdf(Path(job["path"])):
            raise
        # pdfium is written in C++: what makes it fall may be nothing to a reader in Python.
        try:
            return _load({**job, "careful": True}, settings, progress, cancelled, scratch)
        except (DamagedFile, NoReadableText, ParserDied, TooComplex):
            raise death from None


def is_pdf(path: Path) -> bool:
    """Whether a file begins as a PDF does."""
    with path.open("rb") as stream:
        return b"%PDF-" in stream.read(1024)


def _load(
    job: dict[str, Any],
    settings: Settings,
    progress: Progress | None,
    cancelled: Cancelled | None,
    scratch: Path,
) -> LoadedDocument:
    with _folder(scratch) as folder:
        _run(job, folder, settings, progress, cancelled)
        return _result(folder)


def render_page(path: Path, page_ordinal: int, *, settings: Settings, scale: float = 2.0) -> bytes:
    """A page of a PDF as PNG, `scale` times 72 dots an inch, drawn in a child process.

    Raises `DamagedFile` when pdfium cannot draw it, else as `load_in_child`.
    """
    job = {
        "task": "render",
        "path": str(path.resolve()),
        "page": page_ordinal,
        "scale": scale,
    }
    with _folder(settings.scratch_dir) as folder:
        _run(job, folder, settings, None, None)
        try:
            with own_file(folder / "page.png") as image:
                return image.read()
        except FileNotFoundError:
            _result(folder)
            raise DamagedFile("The page cannot be drawn.") from None
        except OSError:
            raise ParserDied("The process that drew the page ended without a result.") from None


@contextlib.contextmanager
def _folder(scratch: Path) -> Iterator[Path]:
    """A folder for one child, gone at the end. Raises `NotEnoughSpace`."""
    try:
        scratch.mkdir(parents=True, exist_ok=True)
        made = tempfile.TemporaryDirectory(
            prefix="child-", dir=scratch.resolve(), ignore_cleanup_errors=True
        )
    except OSError as error:
        raise _storage_error(error) from None
    with made as name:
        yield Path(name)


def _made(path: Path) -> BinaryIO:
    try:
        return path.open("wb")
    except OSError as error:
        raise _storage_error(error) from None


def _storage_error(error: OSError) -> StorageError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return NotEnoughSpace(_NO_ROOM)
    return DataDirectoryUnusable("The folder for temporary files cannot be written.")


def _result(folder: Path) -> LoadedDocument:
    try:
        return read_result(folder)
    except (ValueError, KeyError, TypeError, OSError):
        raise ParserDied("The process that read the file ended without a result.") from None


def _run(
    job: dict[str, Any],
    folder: Path,
    settings: Settings,
    progress: Progress | None,
    cancelled: Cancelled | None,
) -> None:
    """Run a job to its end, whatever that is; raises what the end means."""
    if not Path(job["path"]).is_file():
        raise DamagedFile("The original file is not there any more.", "Add the file again.")
    limits = {
        "memory_mb": settings.parse_memory_mb,
        "cpu_seconds": settings.parse_cpu_seconds,
        "ocr_seconds": settings.ocr_seconds,
    }
    with _made(folder / "stderr") as stderr:
        process = subprocess.Popen(
            _COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=stderr,
            cwd=folder,
            env=_environment(folder),
            start_new_session=True,
        )
    deadline = time.monotonic() + settings.parse_seconds
    watch = _Watch(process, deadline, settings.ocr_seconds + _OCR_GRACE)
    try:
        watch.follow({**job, **limits, "folder": str(folder)}, progress, cancelled)
    finally:
        _end(process, patience=_LAST_SECONDS if watch.done else 0)
    _judge(process.returncode, watch, folder, settings)


def _environment(folder: Path) -> dict[str, str]:
    return {
        **REPORTS_OFF,
        "PATH": os.defpath,
        "PYTHONPATH": str(_ROOT),
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LC_ALL": "C.UTF-8",
        "OMP_NUM_THREADS": "2",
        "OPENBLAS_NUM_THREADS": "1",
        "MALLOC_ARENA_MAX": "2",
    }


@dataclass(slots=True)
class _Watch:
    """Follows a child until it ends, its time is over, or nobody wants it any more."""

    process: subprocess.Popen[bytes]
    deadline: float
    ocr_seconds: float  # that are added when the child says that it begins with OCR
    done: bool = False
    late: bool = False
    unwanted: bool = False

    def follow(
        self, job: dict[str, Any], progress: Progress | None, cancelled: Cancelled | None
    ) -> None:
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None  # noqa: PT018  # both are pipes
        with contextlib.suppress(BrokenPipeError):
            stdin.write(json.dumps(job).encode() + b"\n")
            stdin.flush()
        with selectors.DefaultSelector() as selector:
            selector.register(stdout, selectors.EVENT_READ)
            while not self._over(cancelled):
                if not selector.select(_TICK):
                    continue
                lines = os.read(stdout.fileno(), 65536)
                if not lines:
                    self.done = True
                    return
                self._hear(lines, progress)

    def _hear(self, lines: bytes, progress: Progress | None) -> None:
        words = lines.split()
        if b"ocr" in words:
            self.deadline += self.ocr_seconds
        if progress is not None and words:
            with contextlib.suppress(ValueError):  # no number, or cut between two reads
                progress(min(max(float(words[-1]), 0.0), 1.0))

    def _over(self, cancelled: Cancelled | None) -> bool:
        self.late = time.monotonic() > self.deadline
        self.unwanted = bool(cancelled and cancelled())
        return self.late or self.unwanted


def _end(process: subprocess.Popen[bytes], patience: float) -> None:
    """Wait for a child that is done, end one that is not, and all that it started."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=patience)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(BrokenPipeError):
            if pipe is not None:
                pipe.close()


def _judge(code: int, watch: _Watch, folder: Path, settings: Settings) -> None:
    if watch.unwanted:
        raise Interrupted("Reading was stopped.")
    if watch.late:
        raise TooComplex(
            f"The file is too complex to read: it took more than {settings.parse_seconds} seconds."
        )
    if code == 0:
        return
    if code == DISK_FULL:
        raise NotEnoughSpace(_NO_ROOM)
    if code == OUT_OF_MEMORY:
        raise _OutOfMemory(_TOO_MUCH_MEMORY)
    log.warning("child ended with %d: %s", code, _last_words(folder))
    if -code in _TOO_COMPLEX:
        raise TooComplex(
            "The file is too complex to read: it took more than "
            f"{settings.parse_cpu_seconds} seconds of processor time."
        )
    how = f"by signal {signal.Signals(-code).name}" if code < 0 else f"with code {code}"
    raise ParserDied(f"The process that read the file ended abruptly ({how}).")


def _last_words(folder: Path) -> str:
    try:
        with own_file(folder / "stderr") as stderr:
            stderr.seek(max(0, stderr.seek(0, os.SEEK_END) - 2000))
            text = stderr.read().decode("utf-8", "replace").strip()
    except (OSError, TooLarge):
        return "no message"
    return text.splitlines()[-1][:300] if text else "no message"
