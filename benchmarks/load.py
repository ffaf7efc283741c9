"""Many sessions that ask at once, with documents coming in: errors, times, memory, files, threads.

`python -m benchmarks.load [--sessions 20,50,100,200] [--rounds 2] [--chunks 100] [--minutes 0]`
asks through the service that the pages use, in a process of its own, with the bundled model.
`--minutes` goes on for so long (a soak); `--big 100000` measures one session of so many chunks;
`--greedy` lets one session ask ten times as much as the others.

Our part of an answer is what is left when the wait in the queue is taken off; the wait is told
apart. What is in the sessions is made up; its vectors are computed once and used by all.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from core.config import Settings
from core.errors import AppError
from core.service import Service
from core.types import Answer, AskRequest, Chunk, Cut, DocumentKind, LoadedDocument, Page, Session

ROOT = Path(__file__).resolve().parent.parent
SUBJECTS = ("harbour", "library", "bakery", "museum", "railway", "garden", "school", "theatre")
QUESTIONS = [f"Who keeps the {subject} of Port Amber, and since when?" for subject in SUBJECTS]


@dataclass
class Seen:
    """What the askers saw."""

    whole: list[float] = field(default_factory=list)
    waited: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    leaks: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


def texts(count: int) -> list[str]:
    """Passages of about 400 characters."""
    return [
        f"The {SUBJECTS[n % len(SUBJECTS)]} of Port Amber, number {n}, is kept by Ida Holm the "
        f"{n}th since {1800 + n % 200}. "
        + "It stands near the water and is open to everybody. "
        * 6
        for n in range(count)
    ]


class Maker:
    """Makes sessions of the same passages; the vectors are computed once."""

    def __init__(self, service: Service, count: int) -> None:
        self.service, self.texts = service, texts(count)
        self.vectors = service.stores.embedder().embed(self.texts)

    def session(self, number: int) -> Session:
        """A session whose passages all say its number."""
        service, name = self.service, f"{number:064x}"
        session = service.sessions.create(service.owners.for_token(f"person {number}"), "Load")
        words = [f"{text} Mark Q{number}Q." for text in self.texts]
        pages = tuple(Page(n, text, n + 1) for n, text in enumerate(words))
        chunks = [
            Chunk(f"{name}:{n}", name, n, n, n + 1, 0, len(text), text)
            for n, text in enumerate(words)
        ]
        service.catalogue.documents.add(session.id, name, "made.txt", size=1)
        loaded = LoadedDocument(DocumentKind.TEXT, pages, language="en")
        service.catalogue.content.save(session.id, name, loaded, chunks)
        service.stores.vectors.add(session.id, [chunk.id for chunk in chunks], self.vectors)
        service.stores.lexical.add(session.id, chunks, ["made"] * len(chunks), language="en")
        model = service.stores.embedder()
        service.catalogue.cuts.set_collection(
            Cut(session.id), model.name, model.digest, model.dimension
        )
        service.catalogue.documents.mark_ready(session.id, name, seconds=0.0)
        return session


def ask(service: Service, session: Session, number: int, turn: int, seen: Seen) -> None:
    """One question, timed; every answer of another session is a leak."""
    began = time.monotonic()
    try:
        for event in service.ask(AskRequest(session, QUESTIONS[(number + turn) % len(QUESTIONS)])):
            if isinstance(event, Answer):
                whole, text = time.monotonic() - began, repr(event.citations)
                with seen.lock:
                    seen.whole.append(whole)
                    seen.waited.append(max(0.0, whole - event.seconds))
                    seen.leaks += any(m != str(number) for m in re.findall(r"Mark Q(\d+)Q", text))
    except AppError as error:
        with seen.lock:
            seen.errors.append(error.code)
    except Exception as error:  # whatever else comes is what is looked for here
        with seen.lock:
            seen.errors.append(repr(error))


def costs(folder: Path) -> dict[str, float]:
    """What the process takes."""
    status = Path("/proc/self/status").read_text("utf-8")
    found = {n: int(re.findall(rf"{n}:\s+(\d+)", status)[0]) for n in ("VmRSS", "VmHWM", "Threads")}
    disk = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {
        "memory MB": round(found["VmRSS"] / 1024),
        "peak MB": round(found["VmHWM"] / 1024),
        "threads": found["Threads"],
        "open files": len(os.listdir("/proc/self/fd")),
        "disk MB": round(disk / 1e6),
    }


def spread(seconds: Sequence[float]) -> dict[str, float]:
    """Median, 95th percentile and worst, in milliseconds."""
    if len(seconds) < 2:
        return {}
    cuts = statistics.quantiles(seconds, n=20)
    found = {"p50": cuts[9], "p95": cuts[18], "worst": max(seconds)}
    return {name: round(1000 * value, 1) for name, value in found.items()}


def asking(
    service: Service, sessions: Sequence[Session], rounds: int, end: float, *, greedy: bool = False
) -> tuple[Seen, Seen]:
    """All sessions at once, each its questions one after another; the greedy one apart."""
    seen, first = Seen(), Seen()

    def follow(number: int) -> None:
        mine = first if greedy and number == 0 else seen
        turn = 0
        while turn < rounds or time.monotonic() < end:
            ask(service, sessions[number], number, turn, mine)
            turn += 1

    numbers = [0] * 9 * greedy + list(range(len(sessions)))
    threads = [threading.Thread(target=follow, args=(number,)) for number in numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return seen, first


def ingesting(service: Service, session: Session, over: threading.Event) -> int:
    """Documents that come in until it is over; gives how many became ready."""
    number = 0
    while not over.is_set():
        text = f"Document {number}.\n\n" + "\n\n".join(texts(20))
        service.documents.add_file(session, f"more-{number}.txt", text.encode())
        number += 1
        waiting = [d for d in service.documents.list(session) if d.state not in ("ready", "failed")]
        over.wait(0.5 if len(waiting) < 3 else 2.0)
    return sum(d.state == "ready" for d in service.documents.list(session))


def measured(service: Service, given: argparse.Namespace, count: int, folder: Path) -> object:
    """One number of sessions."""
    maker = Maker(service, given.chunks)
    sessions = [maker.session(number) for number in range(count)]
    ask(service, sessions[0], 0, 0, Seen())  # what is loaded at the first use is loaded
    idle = Seen()
    for turn in range(20):
        ask(service, sessions[0], 0, turn, idle)
    over, read = threading.Event(), list[int]()
    other = service.sessions.create(service.owners.for_token("reader"), "Reading")
    reader = threading.Thread(target=lambda: read.append(ingesting(service, other, over)))
    reader.start()
    began = time.monotonic()
    end = began + 60 * given.minutes
    seen, greedy = asking(service, sessions, given.rounds, end, greedy=given.greedy)
    took = time.monotonic() - began
    after = costs(folder)
    over.set()
    reader.join()
    found = {
        "sessions": count,
        "chunks in each": given.chunks,
        "answers": len(seen.whole),
        "answers in a second": round(len(seen.whole) / took, 1),
        "errors": sorted(set(seen.errors)) or 0,
        "of other sessions": seen.leaks,
        "alone, ms": spread(idle.whole),
        "our part, ms": spread([w - q for w, q in zip(seen.whole, seen.waited, strict=True)]),
        "in the queue, ms": spread(seen.waited),
        "whole, ms": spread(seen.whole),
        "documents read meanwhile": read[0],
        **after,
    }
    if given.greedy:
        found["the greedy session, whole, ms"] = spread(greedy.whole)
        found["its errors"] = sorted(set(greedy.errors)) or 0
    for session in (*sessions, other):
        service.sessions.delete(session)
    return found


def big(service: Service, count: int, folder: Path) -> object:
    """One session of very many chunks: time to make it, to ask, and what it takes."""
    chance = np.random.default_rng(1)
    centres = chance.standard_normal((500, service.stores.embedder().dimension)).astype(np.float32)
    session = service.sessions.create(service.owners.for_token("big"), "Big")
    began, each = time.monotonic(), 2_000
    for start in range(0, count, each):
        name, words = f"{start:064x}", texts(each)
        pages = tuple(Page(n, f"{text} Place {start + n}.", n + 1) for n, text in enumerate(words))
        chunks = [
            Chunk(
                f"{name}:{p.ordinal}", name, p.ordinal, p.ordinal, p.number, 0, len(p.text), p.text
            )
            for p in pages
        ]
        vectors = centres[chance.integers(0, 500, each)]
        vectors = vectors + 0.5 * chance.standard_normal(vectors.shape).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        service.catalogue.documents.add(session.id, name, f"part-{start}.txt", size=1)
        loaded = LoadedDocument(DocumentKind.TEXT, pages, language="en")
        service.catalogue.content.save(session.id, name, loaded, chunks)
        service.stores.vectors.add(session.id, [chunk.id for chunk in chunks], vectors)
        service.stores.lexical.add(session.id, chunks, ["big"] * each, language="en")
        service.catalogue.documents.mark_ready(session.id, name, seconds=0.0)
    made = time.monotonic() - began
    seen = Seen()
    for turn in range(30):
        ask(service, session, 0, turn, seen)
    searches: list[float] = []
    for turn in range(30):
        before = time.monotonic()
        service.search(AskRequest(session, QUESTIONS[turn % len(QUESTIONS)]))
        searches.append(time.monotonic() - before)
    return {
        "chunks": count,
        "seconds to index": round(made, 1),
        "search, ms": spread(searches),
        "answer, ms": spread(seen.whole),
        "errors": seen.errors or 0,
        **costs(folder),
    }


def main() -> None:
    """Run it and print the figures as JSON, one object a line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sessions", default="20,50,100,200")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--chunks", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument(
        "--big", type=int, default=0, help="chunks in one session, and nothing else"
    )
    parser.add_argument("--greedy", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = Settings(
            data_dir=folder / "data", chroma_dir=folder / "chroma", min_free_mb=1,
            models_dir=ROOT / ".cache" / "models", reranker_model="",
        )  # fmt: skip
        service = Service(settings)
        assert service.wait_ready(300)
        if given.big:
            print(json.dumps(big(service, given.big, folder)), flush=True)
        for count in map(int, given.sessions.split(",") if not given.big else ()):
            print(json.dumps(measured(service, given, count, folder)), flush=True)
        service.close()


if __name__ == "__main__":
    main()
