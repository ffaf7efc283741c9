"""How much of the wait for an answer is ours: from the model's first token to the first text, and
everything but the model.

    python -m benchmarks.first_token --corpus corpus.jsonl --chunks 5000 --questions queries.jsonl

A stand-in plays the model, so its own time is known to the millisecond. The corpus is in BEIR's
layout; what is built is kept in `--work` and used again.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from core.config import Settings
from core.service import Service
from core.types import Answer, AskRequest, DocumentState, ModelChoice, Session, TextPiece
from tests.standins.providers import KEY, STANDINS
from tests.standins.scripts import Reply
from tests.standins.server import Standin

TEXTS_A_FILE = 100


@dataclass(frozen=True)
class Timing:
    """One question, in seconds: ours before the request, first token to first text, all of ours."""

    before: float
    first: float
    ours: float


def main() -> None:
    """Build the session, ask through each stand-in, print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--chunks", type=int, default=5_000)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--work", type=Path, default=Path("/tmp/footnote-first-token"))
    arguments = parser.parse_args()
    questions = [line["text"] for line in _lines(arguments.questions)][: arguments.count]
    with_service(arguments.work, arguments.corpus, arguments.chunks, questions)


def with_service(work: Path, corpus: Path, chunks: int, questions: Sequence[str]) -> None:
    """Everything that needs the service of this process."""
    with (
        STANDINS["ollama"]() as ollama,
        STANDINS["openai"]() as openai,
        STANDINS["gemini"]() as gemini,
    ):
        settings = Settings(
            data_dir=work / "data", chroma_dir=work / "chroma",
            ollama_url=ollama.url, openai_url=openai.url, gemini_url=gemini.url,
        )  # fmt: skip
        service = Service(settings)
        try:
            service.wait_ready(600)
            session = filled(service, corpus, chunks)
            print(f"{sum(d.chunks for d in service.documents.list(session)):,} chunks")
            print(f"{'provider':10} {'questions':>9} {'first p50':>10} {'first max':>10} "
                  f"{'ours p50':>9} {'ours p95':>9} {'before p50':>10}")  # fmt: skip
            for standin in (ollama, openai, gemini):
                report(standin, [timed(service, session, standin, q) for q in questions])
        finally:
            service.close()


def filled(service: Service, corpus: Path, chunks: int) -> Session:
    """A session with about so many chunks of the corpus."""
    owner = service.owners.for_token("benchmark")
    for session in service.sessions.list(owner):
        if session.name == f"{corpus.parent.name} {chunks}":
            return session
    session = service.sessions.create(owner, f"{corpus.parent.name} {chunks}")
    texts = (f"{line.get('title', '')}\n\n{line['text']}" for line in _lines(corpus))
    for number in itertools.count():
        part = list(itertools.islice(texts, TEXTS_A_FILE))
        done = _settled(service, session)
        if not part or done >= chunks:
            return session
        service.documents.add_file(session, f"part {number}.txt", "\n\n".join(part).encode())
    raise AssertionError("the count never ends")


def _settled(service: Service, session: Session) -> int:
    busy = {DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING}
    while any(document.state in busy for document in service.documents.list(session)):
        time.sleep(0.2)
    return sum(document.chunks for document in service.documents.list(session))


def timed(service: Service, session: Session, standin: Standin, question: str) -> Timing:
    """Ask one question of a model that thinks for 0.2 s and writes three sentences."""
    standin.queue(Reply("quote", delay=0.2, gap=0.005))
    choice = ModelChoice(standin.provider, standin.models[0], SecretStr(KEY))
    began, first = time.monotonic(), 0.0
    for event in service.ask(AskRequest(session, question, model=choice)):
        if isinstance(event, TextPiece) and not first:
            first = time.monotonic()
        if isinstance(event, Answer):
            assert event.answerer != "extractive", event.notices
    ended = time.monotonic()
    request = standin.chats()[-1]
    while request.ended is None and request.gone is None and time.monotonic() < ended + 1:
        time.sleep(0.001)  # the client may know the end before the server has noted it
    assert request.first is not None
    model = (request.ended or request.gone or ended) - request.at
    return Timing(request.at - began, first - request.first, ended - began - model)


def report(standin: Standin, timings: Sequence[Timing]) -> None:
    """One line of the table; the first question loads the libraries and is left out."""
    timings = timings[1:]
    ours = sorted(timing.ours for timing in timings)
    print(
        f"{standin.provider:10} {len(timings):9} "
        f"{statistics.median(t.first for t in timings):9.3f}s "
        f"{max(t.first for t in timings):9.3f}s {statistics.median(ours):8.3f}s "
        f"{ours[int(0.95 * len(ours))]:8.3f}s "
        f"{statistics.median(t.before for t in timings):9.3f}s",
        flush=True,
    )


def _lines(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


if __name__ == "__main__":
    main()
