"""The environment of a run: the program, the computer, the library, the models."""

from __future__ import annotations

import hashlib
import os
import platform
import resource
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from core import __version__
from core.config import Settings
from core.types import Document, DocumentState

_ROOT = Path(__file__).resolve().parents[3]


def made_with(
    settings: Settings, documents: Sequence[Document], chosen: Mapping[str, object]
) -> dict[str, str]:
    """Return the facts of a run that decide whether another one is comparable.

    `chosen` is what the session prefers, its own models among it.
    """
    ready = [d for d in documents if d.state is DocumentState.READY and d.searched]
    digest = hashlib.sha256("".join(sorted(d.id for d in ready)).encode()).hexdigest()
    chunks = sum(document.chunks for document in ready)
    return {
        "Library": f"{len(ready)} documents, {chunks} passages, {digest[:12]}",
        "Embedding": str(chosen.get("embedding_model") or settings.embedding_model),
        "Reranker": str(chosen.get("reranker_model") or settings.reranker_model or "none"),
        "Version": program_version(),
        "Machine": machine(),
    }


@cache
def program_version() -> str:
    """Return the version, and the commit if the program runs from a checkout."""
    commit = _commit()
    return f"{__version__} ({commit[:10]})" if commit else __version__


def _commit() -> str:
    """Return the checked-out commit, read without running git."""
    try:
        head = (_ROOT / ".git" / "HEAD").read_text("ascii").strip()
        if not head.startswith("ref: "):
            return head
        return (_ROOT / ".git" / head.removeprefix("ref: ")).read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


@cache
def machine() -> str:
    """Return system, processor and number of cores, without host and user names."""
    cores = os.cpu_count() or 1
    system = f"{platform.system()} {platform.machine()}"
    return f"{system}, {cores} cores, Python {platform.python_version()}"


def peak_memory() -> float:
    """Return the most memory in MB that this process held, and any child that read a document."""
    unit = 1024**2 if sys.platform == "darwin" else 1024  # macOS counts bytes, Linux KB
    held = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(resource.getrusage(who).ru_maxrss for who in held) / unit
