"""What Chroma leaves behind when a collection is deleted, removed.

After `delete_collection` the folder of its index stays, and so do its ids in free pages of the
database file. The database is opened in a child process: two copies of SQLite on one file in one
process break each other's locks.
"""

from __future__ import annotations

import logging
import re
import shutil
import subprocess
import sys
from pathlib import Path

log = logging.getLogger(__name__)

_FOLDER = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SECONDS = 120
_CLEAN = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], timeout=20, isolation_level=None)
print(*(row[0] for row in database.execute("SELECT id FROM segments")), sep="\\n")
database.execute("DELETE FROM max_seq_id WHERE segment_id NOT IN (SELECT id FROM segments)")
database.execute("VACUUM")
"""


def purge(chroma_dir: Path) -> None:
    """Remove index folders that belong to no collection, and rewrite the database without gaps.

    Call it with all writers held back. Where it fails the deletion itself stands; what is left
    over goes with the next one.
    """
    database = chroma_dir / "chroma.sqlite3"
    if not database.is_file():
        return
    command = [sys.executable, "-I", "-c", _CLEAN, str(database)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        log.warning("Cleaning the vector store took too long; it is done with the next deletion.")
        return
    if done.returncode != 0:
        log.warning("Cleaning the vector store: %s", done.stderr.strip()[-500:])
    living = set(done.stdout.split())
    if not living and done.returncode != 0:
        return  # nothing is known about which folders are in use
    for folder in chroma_dir.iterdir():
        if _FOLDER.fullmatch(folder.name) and folder.name not in living and folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)
