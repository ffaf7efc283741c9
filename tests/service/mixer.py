"""A process to be killed that does everything at once: uploads, a crawl, questions, deletions,
rebuilding. What it has been told is done, it says; before it goes on it proves what it finds.

`python -m tests.service.mixer DATA_DIR CHROMA_DIR SEED SITE HOST EXPECTED_JSON`
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from pathlib import Path

import pytest

from core.config import Settings
from core.service import Service
from core.types import AddOutcome, AskRequest, CollectKind, CollectRequest, DocumentState, Session
from tests.conftest import answer_of, settled_after_kills
from tests.support.small_library import HashEmbedder, troubles

MODEL = HashEmbedder("model")


def say(*words: str) -> None:
    """One line, at once and in one piece: a kill must not leave half of a name."""
    sys.stdout.write(" ".join(words) + "\n")
    sys.stdout.flush()


def text(name: str) -> bytes:
    """A document of a few passages with a code of its own."""
    lines = "\n\n".join(
        f"Line {n} of {name} says little that matters to anybody." for n in range(40)
    )
    return f"The code of {name} is Z{name}Z.\n\n{lines}".encode()


def prove(service: Service, session: Session, expected: dict[str, list[str]]) -> None:
    """What was acknowledged is there, what was removed is not, and nothing disagrees."""
    documents = settled_after_kills(service, session, 240)
    there = {d.name: d.state for d in documents}
    lost = [name for name in expected["added"] if name not in there]
    back = [name for name in expected["removed"] if name in there]
    unready = [n for n, state in there.items() if state is not DocumentState.READY]
    assert not lost, f"lost {lost}"
    assert not back, f"came back {back}"
    assert not unready, f"not ready {unready}"
    wrong = troubles(service)
    assert not wrong, [str(finding) for finding in wrong]
    for name in expected["added"][-3:]:
        answer = answer_of(service, session, f"What is the code of {name}?")
        assert f"Z{name}Z" in answer.text, f"{name} is not found"
    cited = {c.document_id for c in answer_of(service, session, "What is the code?").citations}
    assert cited <= {d.id for d in documents}
    say("proved", str(len(documents)))


def work(service: Service, session: Session, chance: random.Random, site: str) -> None:
    """Everything, until the end."""
    names = [d.name for d in service.documents.list(session) if d.name.startswith("n")]

    def ask() -> None:
        while True:
            for event in service.ask(AskRequest(session, "What is the code of all?")):
                del event
            time.sleep(0.05)

    threading.Thread(target=ask, daemon=True).start()
    while True:
        what = chance.choices(["add", "remove", "rebuild", "crawl", "rest"], [8, 3, 1, 1, 2])[0]
        if what == "add":
            name = f"n{chance.randrange(10**9)}"
            say("adding", name)
            result = service.documents.add_file(session, name, text(name))
            assert result.outcome is AddOutcome.ACCEPTED, result
            say("added", name)
            names.append(name)
        elif what == "remove" and names:
            name = names.pop(chance.randrange(len(names)))
            (document,) = (d for d in service.documents.list(session) if d.name == name)
            say("removing", name)
            service.documents.remove(session, document.id)
            say("removed", name)
        elif what == "rebuild":
            service.upkeep.start("rebuild")
        elif what == "crawl":
            request = CollectRequest(CollectKind.SITE, urls=(f"{site}/0",), pages=6, sitemaps=False)
            service.collecting.start(session, request, refresh=True)
        time.sleep(chance.uniform(0, 0.2))


def main(data: str, chroma: str, seed: str, site: str, host: str, expected: str) -> None:
    """Open, prove, go on."""
    settings = Settings(
        data_dir=Path(data),
        chroma_dir=Path(chroma),
        min_free_mb=1,
        reranker_model="",
        allowed_private_hosts=host,
        collect_delay=0.01,
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.storage.stores.load_embedder", lambda _: MODEL)
        service = Service(settings)
        owner = service.owners.for_token("somebody")
        session = (service.sessions.list(owner) or [service.sessions.create(owner, "Killed")])[0]
        assert service.wait_ready(240)
        say("open")
        prove(service, session, json.loads(expected))
        work(service, session, random.Random(int(seed)), site)


if __name__ == "__main__":
    main(*sys.argv[1:])
