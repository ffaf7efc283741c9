"""Many sessions in a process of its own, with what that costs it.

`python -m tests.service.many FOLDER SESSIONS TOUCHED` makes them, opens the library again and asks
in some of them; `python -m tests.service.many FOLDER churn CYCLES` makes and deletes sessions.
Prints JSON: megabytes, open files and threads.
"""

from __future__ import annotations

import json
import os
import re
import resource
import sys
from pathlib import Path

from core.service import Service
from core.types import Cut, Session
from tests.conftest import settings_in
from tests.storage.made import cut, loaded
from tests.support.small_library import HashEmbedder, dense, opened

MODEL = HashEmbedder("model", 384)
FILES = 1024
"""The usual limit of open files."""


def costs(folder: Path) -> dict[str, float]:
    """What the process takes now."""
    status = Path("/proc/self/status").read_text()
    found = {n: int(re.search(rf"{n}:\s+(\d+)", status)[1]) for n in ("VmRSS", "Threads")}
    disk = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())
    return {
        "MB": found["VmRSS"] / 1024,
        "threads": found["Threads"],
        "files": len(os.listdir("/proc/self/fd")),
        "disk MB": disk / 1e6,
    }


def make(service: Service, number: int, passages: int = 20) -> Session:
    """A session with one document, put in place without being read from a file."""
    session = service.sessions.create(service.owners.for_token("somebody"), f"Session {number}")
    name = f"{number:064x}"
    document = loaded(
        *(f"Passage {n} of session {number}, code C{number}N{n}." for n in range(passages))
    )
    chunks = cut(name, document)
    service.catalogue.documents.add(session.id, name, "made.pdf", size=1)
    service.catalogue.content.save(session.id, name, document, chunks)
    service.stores.vectors.add(
        session.id, [c.id for c in chunks], MODEL.embed([c.text for c in chunks])
    )
    service.stores.lexical.add(session.id, chunks, ["made"] * len(chunks))
    service.catalogue.cuts.set_collection(
        Cut(session.id), MODEL.name, MODEL.digest, MODEL.dimension
    )
    service.catalogue.documents.mark_ready(session.id, name, seconds=0.1)
    return session


def many(folder: Path, sessions: int, touched: int) -> dict[str, object]:
    """Make them, come back, ask in some."""
    with opened(settings_in(folder), MODEL) as service:
        for number in range(sessions):
            make(service, number)
        made = costs(folder)
    with opened(settings_in(folder), MODEL, 900) as service:
        start = costs(folder)
        found = 0
        every = service.sessions.list(service.owners.for_token("somebody"))[
            :: max(1, sessions // touched)
        ]
        for session in every:
            number = int(session.name.split()[1])
            hits = dense(service, session, f"Passage 3 of session {number}, code C{number}N3.").hits
            found += hits[0].chunk.text.endswith(f"C{number}N3.")
        used = costs(folder)
    return {"made": made, "start": start, "used": used, "asked": len(every), "found": found}


def churn(folder: Path, cycles: int) -> dict[str, object]:
    """Make and delete sessions, and see what is left of it."""
    with opened(settings_in(folder), MODEL) as service:
        seen = []
        for number in range(cycles):
            session = make(service, number)
            dense(service, session, "Passage 3")
            service.sessions.delete(session)
            if number % max(1, cycles // 6) == 0:
                seen.append(costs(folder))
        service.catalogue.database.erase()
        seen.append(costs(folder))
    return {"seen": seen}


if __name__ == "__main__":
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (FILES, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    )
    place, first, second = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    result = churn(place, second) if first == "churn" else many(place, int(first), second)
    print(json.dumps(result))
