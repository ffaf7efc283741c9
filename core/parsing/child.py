"""The process that reads one file: `python -m core.parsing.child`, started by `sandbox`.

It takes a job as one JSON line on standard input, limits itself, reads the file, writes the
result into its own folder and reports its progress on standard output, a line for each step.
It exits when standard input closes, since the program that started it is gone then.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import resource
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.errors import IngestionError, TooComplex, TooLarge
from core.parsing.confinement import confine
from core.parsing.wire import (
    DISK_FULL,
    LARGEST_RESULT,
    OUT_OF_MEMORY,
    write_document,
    write_error,
)

_OCR_MEMORY_MB = 2_500  # of address space for ONNX Runtime, of which it uses about a fifth
_OCR_THREADS = 2
_REPORT_EVERY = 0.1  # seconds
_TOO_MUCH_MEMORY = "The file is too complex to read: it takes too much memory."


def main() -> int:
    """Do the job on standard input; 0 when a result or an error was written, else why not."""
    job = json.loads(_first_line())
    folder = Path(job["folder"])
    report = _progress_pipe()
    limit_process(int(job["memory_mb"]), int(job["cpu_seconds"]))
    confine([Path(job["path"])], folder)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        _do(job, folder, report)
    except IngestionError as error:
        write_error(folder, error)
    except RecursionError:
        write_error(folder, TooComplex(_TOO_MUCH_MEMORY))
    except MemoryError:
        return OUT_OF_MEMORY
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            return DISK_FULL
        if error.errno != errno.EFBIG:
            raise
        write_error(folder, TooLarge("The file holds more text than one document may have."))
    return 0


def limit_process(memory_mb: int, cpu_seconds: int) -> None:
    """Limit memory (address space), processor time and the size of files; disable core dumps."""
    _limit(resource.RLIMIT_CORE, 0, 0)
    _limit(resource.RLIMIT_FSIZE, LARGEST_RESULT, LARGEST_RESULT)
    _limit(resource.RLIMIT_CPU, cpu_seconds, None)
    _limit(resource.RLIMIT_AS, memory_mb << 20, None)


def _limit(what: int, soft: int, hard: int | None) -> None:
    """Set both limits; None keeps the hard one, so that OCR can raise the soft one."""
    highest = resource.getrlimit(what)[1]
    hard = highest if hard is None else hard
    if highest != resource.RLIM_INFINITY:
        soft, hard = min(soft, highest), min(hard, highest)
    with contextlib.suppress(ValueError, OSError):  # a system without this limit
        resource.setrlimit(what, (soft, hard))


def _do(job: dict[str, Any], folder: Path, report: Callable[[str], None]) -> None:
    path = Path(job["path"])
    if job["task"] == "render":
        from core.parsing.pdf.load import render

        (folder / "page.png").write_bytes(render(path, int(job["page"]), float(job["scale"])))
        return
    from core.parsing import load

    last = 0.0

    def progress(share: float) -> None:
        nonlocal last
        if share >= 1.0 or time.monotonic() - last > _REPORT_EVERY:
            last = time.monotonic()
            report(f"{share:.4f}")

    def begin_ocr() -> float:
        seconds = int(job["ocr_seconds"])
        report("ocr")
        used = int(time.process_time())
        limit_process(int(job["memory_mb"]) + _OCR_MEMORY_MB, used + _OCR_THREADS * seconds + 60)
        return seconds

    loaded = load(
        path,
        name=job["name"],
        url=job["url"],
        ocr=job["ocr"],
        progress=progress,
        begin_ocr=begin_ocr,
        ocr_languages=tuple(job["ocr_languages"]),
        careful=job["careful"],
        password=job["password"],
    )
    write_document(folder, loaded)


def _progress_pipe() -> Callable[[str], None]:
    """Keep standard output for progress; whatever libraries print goes to standard error."""
    pipe = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)

    def report(line: str) -> None:
        pipe.write(line + "\n")

    return report


def _first_line() -> bytes:
    line = b""
    while not line.endswith(b"\n") and (byte := os.read(0, 1)):
        line += byte
    return line


def _end_with_parent() -> None:
    while os.read(0, 1):
        pass
    os._exit(3)


if __name__ == "__main__":
    # There is nothing to clean up, and shutting the interpreter down takes time.
    os._exit(main())
