"""Models that the program builds from weights: kept in a folder, checked by hash, built once."""

from __future__ import annotations

import hashlib
import logging
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from filelock import FileLock, Timeout

from core.errors import ModelUnavailable
from core.models.onnx_build import BUILDER_VERSION

log = logging.getLogger(__name__)

_ROOT = Path(__file__).resolve().parents[2]
_BUILD_SECONDS = 120
_CURE = "Check free space and rights in MODELS_DIR, or set another model."


def built_model(weights_folder: Path, name: str, models_dir: Path) -> Path:
    """The ONNX model of these weights, built now if it is missing, damaged or out of date.

    `name` must tell these weights from all others. Only one process builds; others wait for it.
    Raises `ModelUnavailable`.
    """
    target = models_dir / f"{name}-{BUILDER_VERSION}.onnx"
    try:
        if _is_whole(target):
            return target
        models_dir.mkdir(parents=True, exist_ok=True)
        with FileLock(models_dir / f"{name}.lock", timeout=_BUILD_SECONDS):
            if not _is_whole(target):
                _build(weights_folder, target)
                _remove_others(models_dir, name, target)
    except (OSError, Timeout) as error:
        log.error("Building %s: %s", target.name, error)
        raise ModelUnavailable(f"{target.name} could not be built.", _CURE) from None
    return target


def _hash_file(model: Path) -> Path:
    return model.with_suffix(".sha256")


def _is_whole(model: Path) -> bool:
    """Whether the file is there and is the one that was built."""
    if not model.is_file() or not _hash_file(model).is_file():
        return False
    with model.open("rb") as stream:
        found = hashlib.file_digest(stream, "sha256").hexdigest()
    return found == _hash_file(model).read_text("ascii", "replace").strip()


def _build(weights_folder: Path, target: Path) -> None:
    """Build beside the target and move it there whole, its hash first."""
    log.info("Building %s", target.name)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="building-") as folder:
        made = Path(folder) / target.name
        command = [sys.executable, "-m", "core.models.onnx_build", str(weights_folder), str(made)]
        done = subprocess.run(
            command, cwd=_ROOT, capture_output=True, timeout=_BUILD_SECONDS, check=False
        )
        if done.returncode != 0:
            log.error("%s", done.stderr.decode("utf-8", "replace")[-2000:])
            raise ModelUnavailable(f"{target.name} could not be built.", _CURE)
        with made.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
            os.fsync(stream.fileno())
        written = Path(folder) / "hash"
        written.write_text(digest, "ascii")
        written.replace(_hash_file(target))
        made.replace(target)


def _remove_others(models_dir: Path, name: str, target: Path) -> None:
    """Delete models of the same weights by an older builder."""
    for path in models_dir.glob(f"{name}-*"):
        if path.stem != target.stem:
            path.unlink(missing_ok=True)
