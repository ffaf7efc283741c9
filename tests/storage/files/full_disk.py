"""A disk of a few megabytes, filled to the last byte, for a process in a namespace of its own.

`unshare --map-root-user --mount python -m tests.storage.files.full_disk FOLDER MEGABYTES` prints
what happened as JSON. The disk is gone with the process.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from core.errors import AppError, NotEnoughSpace
from core.service import Service
from core.types import AddOutcome, DocumentState, Session
from tests.conftest import answer_of, settings_in, settled
from tests.support.small_library import FACTS, QUESTIONS, HashEmbedder, fill, opened, troubles

MODEL = HashEmbedder("model", 384)
WORDS = [f"word{n}" for n in range(5000)]


def mount(folder: Path, megabytes: int, *options: str) -> None:
    """Make or resize the disk."""
    more = ",".join([f"size={megabytes}m", *options])
    subprocess.run(["mount", "-t", "tmpfs", "-o", more, "tmpfs", str(folder)], check=True)


def text(number: int) -> bytes:
    """About 100 KB that compress badly and are in no other document."""
    chance = random.Random(number)
    return f"Document {number}. {' '.join(chance.choices(WORDS, k=14_000))}".encode()


def fill_up(service: Service, session: Session) -> list[str]:
    """Add documents until the disk refuses three of them; gives what was said."""
    said: list[str] = []
    for number in range(2000):
        result = service.documents.add_file(session, f"big-{number}.txt", text(number))
        if result.outcome is AddOutcome.FAILED:
            said.append(f"{result.reason} {result.cure}")
        for document in settled(service, session, 120):
            if document.state is DocumentState.FAILED:
                said.append(f"{document.reason} {document.cure}")
        if len(said) > 3:
            return said
    raise AssertionError("the disk is never full")


def to_the_last_byte(folder: Path) -> None:
    """Leave nothing free."""
    with suppress(OSError), (folder / "ballast").open("wb", buffering=0) as ballast:
        while True:
            ballast.write(bytes(4096))


def facts_found(service: Service, session: Session) -> int:
    """How many of the facts are answered."""
    return sum(
        FACTS[name].split()[-1] in answer_of(service, session, question).text
        for name, question in QUESTIONS.items()
    )


def main(folder: Path, megabytes: int) -> dict[str, object]:
    """Fill the disk, look, delete, enlarge it, look again."""
    mount(folder, megabytes)
    settings = settings_in(folder, min_free_mb=0)
    seen: dict[str, object] = {}
    with opened(settings, MODEL) as service:
        session = fill(service)
        seen["said"] = fill_up(service, session)
        to_the_last_byte(folder)
        seen["found while full"] = facts_found(service, session)
        gone = next(d for d in service.documents.list(session) if d.name == "big-0.txt")
        seen["removed while full"] = tried(lambda: service.documents.remove(session, gone.id))
        other = service.sessions.list(session.owner_id)[0]
        seen["listed while full"] = other.id == session.id
    mount(folder, megabytes + 200, "remount")
    with opened(settings, MODEL) as service:
        for document in service.documents.list(session):
            if document.state is not DocumentState.READY:
                service.documents.retry(session, document.id)
        states = {str(document.state) for document in settled(service, session, 300)}
        seen["states with space"] = sorted(states)
        seen["found with space"] = facts_found(service, session)
        seen["troubles"] = [str(finding) for finding in troubles(service)]
        seen["still there"] = gone.id in {d.id for d in service.documents.list(session)}
        seen["session removed"] = tried(lambda: service.sessions.delete(session))
    return seen


def tried(work: object) -> str:
    """ "" where it worked, else what was said."""
    try:
        work()
    except NotEnoughSpace as error:
        return error.message
    except AppError as error:
        return f"{error.code}: {error.message}"
    return ""


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), int(sys.argv[2]))))
