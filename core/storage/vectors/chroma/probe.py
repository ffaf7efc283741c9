"""Whether the files of the vector store can be opened, found out by a process that may crash.

Chroma ends the process that opens a damaged index (a segmentation fault), so another one looks
first: at the ids of each collection, and whether sampled vectors find themselves.

`python -m core.storage.vectors.chroma.probe CHROMA_DIR` prints "try NAME" and then "ok NAME" or
"bad NAME" for each collection, and "done" at the end.
"""

from __future__ import annotations

import json
import logging
import re
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

_ROOT = Path(__file__).resolve().parents[4]
_FOLDER = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LEFT = "left.json"
_SECONDS = 600
_SAMPLE = 5
_ROUNDS = 50
_SEGMENTS = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], timeout=20)
query = ("SELECT segments.id FROM segments JOIN collections "
         "ON segments.collection = collections.id WHERE collections.name = ? AND scope = 'VECTOR'")
print(*(row[0] for row in database.execute(query, [sys.argv[2]])), sep="\\n")
"""


def examine(chroma_dir: Path) -> list[str] | None:
    """Before the store is opened: mend its files unless they are as they were left.

    Returns the names of the collections that lost something, None for all of them. From here on
    the store is in use: the first start after a crash finds no note, and looks closer.
    """
    damaged = [] if _as_left(chroma_dir) else mend(chroma_dir)
    (chroma_dir / _LEFT).unlink(missing_ok=True)
    return damaged


def _as_left(chroma_dir: Path) -> bool:
    """Whether the files are as `note_left` saw them when it was closed, or there are none."""
    try:
        noted = json.loads((chroma_dir / _LEFT).read_text("utf-8"))
    except (OSError, ValueError):
        return not (chroma_dir / "chroma.sqlite3").exists()
    return bool(noted == _files(chroma_dir))


def note_left(chroma_dir: Path) -> None:
    """Remember the files; for after the store was closed."""
    with suppress(OSError):  # a full disk, say: then the next start looks closer
        (chroma_dir / _LEFT).write_text(json.dumps(_files(chroma_dir)), "utf-8")


def _files(chroma_dir: Path) -> dict[str, list[int]]:
    found = [p for p in chroma_dir.glob("*/*") if _FOLDER.fullmatch(p.parent.name)]
    found += chroma_dir.glob("chroma.sqlite3*")
    kept = {p: p.stat() for p in found}
    return {
        str(path.relative_to(chroma_dir)): [stat.st_size, stat.st_mtime_ns]
        for path, stat in sorted(kept.items())
    }


def mend(chroma_dir: Path) -> list[str] | None:
    """Find damaged collections and remove the files that cannot be read; returns their names.

    Where the store cannot be opened even without these, all of it is removed: None.
    """
    if not (chroma_dir / "chroma.sqlite3").exists():
        remove_all(chroma_dir)
        return None
    damaged: list[str] = []
    for _ in range(_ROUNDS):
        lines, alive = _look(chroma_dir, damaged)
        damaged += [name for word, name in lines if word == "bad"]
        if alive:
            return damaged
        culprit = lines[-1][1] if lines and lines[-1][0] == "try" else ""
        if not culprit or culprit in damaged or not _remove_index(chroma_dir, culprit):
            break
        log.warning("The index %s of the vector store ends the process that opens it.", culprit)
        damaged.append(culprit)
    log.error("The vector store cannot be opened; it is made again from the catalogue.")
    remove_all(chroma_dir)
    return None


def remove_all(chroma_dir: Path) -> None:
    """Remove the whole store, and nothing else that may lie in its folder."""
    for path in chroma_dir.iterdir() if chroma_dir.is_dir() else ():
        if path.name.startswith("chroma.sqlite3"):
            path.unlink()
        elif _FOLDER.fullmatch(path.name) and path.is_dir():
            shutil.rmtree(path)


def _look(chroma_dir: Path, skipped: list[str]) -> tuple[list[tuple[str, str]], bool]:
    """What the other process said, and whether it came to its end."""
    command = [sys.executable, "-m", __name__, str(chroma_dir.resolve()), *skipped]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_SECONDS, check=False, cwd=_ROOT
        )
        said = done.stdout
        log.debug("Looking into the vector store: %s %s", done.returncode, done.stderr[-2000:])
    except subprocess.TimeoutExpired as late:
        said = late.stdout.decode() if isinstance(late.stdout, bytes) else late.stdout or ""
    lines = [line.partition(" ") for line in said.splitlines()]
    return [(word, name) for word, _, name in lines if word in ("try", "ok", "bad")], (
        bool(lines) and lines[-1][0] == "done"
    )


def _remove_index(chroma_dir: Path, name: str) -> bool:
    """Remove the files of one collection's index; whether there were any."""
    command = [sys.executable, "-I", "-c", _SEGMENTS, str(chroma_dir / "chroma.sqlite3"), name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    folders = [chroma_dir / line for line in done.stdout.split() if _FOLDER.fullmatch(line)]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    return bool(folders)


def main(chroma_dir: str, *skipped: str) -> None:
    """Look at every collection but those skipped."""
    from chromadb.errors import ChromaError

    from core.storage.vectors.chroma.client import connect

    client = connect(Path(chroma_dir))
    for collection in client.list_collections():
        if collection.name in skipped:
            continue
        print("try", collection.name, flush=True)
        try:
            whole = _finds_itself(collection)
        except ChromaError:
            whole = False
        print("ok" if whole else "bad", collection.name, flush=True)
    print("done", flush=True)


def _finds_itself(collection: object) -> bool:
    from chromadb.api.models.Collection import Collection

    assert isinstance(collection, Collection)
    ids = collection.get(include=[])["ids"]
    sample = ids[:: max(1, len(ids) // _SAMPLE)]
    if not sample:
        return True
    vectors = collection.get(ids=sample, include=["embeddings"])["embeddings"]
    if vectors is None or len(vectors) < len(sample):
        return False
    found = collection.query(query_embeddings=vectors, n_results=1, include=["distances"])
    return all(d and abs(d[0]) < 1e-3 for d in found["distances"] or [])


if __name__ == "__main__":
    main(*sys.argv[1:])
