"""The live web, measured: is the page found and cited, and how long does it take?

    python benchmarks/web.py found DATA --way documents|web|both [--questions 20]
    python benchmarks/web.py time  DATA [--pages 10] [--delay 0.3]
    python benchmarks/web.py near  DATA

`DATA` holds `golden/squad` and `archives/web-pages.tar.xz`. Everything is served on loopback by the
stand-in of SearXNG, which ranks by rare words that page and query share. "found" serves the
articles of the golden set as web pages among 200 saved pages of real sites; with `--way web`, each
question begins in a session of its own, so nothing is used again. "time" asks about real pages
alone and tells where the time goes; `--delay` is how long the search and each page take to answer.
"near" tells how often the passage with the answer is among those of its page that are indexed.
"""

from __future__ import annotations

import argparse
import functools
import os
import random
import statistics
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.config import Settings
from core.evaluation.golden.sets import GoldenItem, contains_answer, read_golden
from core.service import Service
from core.types import (
    Answer,
    AskRequest,
    Chunk,
    DocumentKind,
    LoadedDocument,
    Page,
    QueryOptions,
    Session,
    Step,
)
from core.web_search.chunks import nearest, web_chunks
from core.web_search.queries import keywords
from tests.standins.searxng import SearxngStandin, index
from tests.standins.small_web import Sent, SmallWeb, article

OTHERS = 200
SEED = 7
ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Outcome:
    """What one question gave."""

    reached: bool  # the right page is among what was read, or the right document in the library
    found: bool  # a passage of it is among the hits
    cited: bool
    cited_web: bool  # by a page of the web, not by a document of the library
    right: bool  # the answer's words hold a golden answer
    seconds: float
    steps: tuple[Step, ...]


def real_pages(data: Path, count: int, least: int = 20_000) -> dict[str, Sent]:
    """Saved pages of real sites, the same each time."""
    with tarfile.open(data / "archives" / "web-pages.tar.xz") as archive:
        members = [m for m in archive if m.name.endswith(".html") and m.size >= least]
        chosen = random.Random(SEED).sample(sorted(members, key=lambda m: m.name), count)
        chosen.sort(key=lambda m: m.offset)  # the archive can only be read forwards
        bodies = [archive.extractfile(member) for member in chosen]
        return {
            f"/real/{n}": Sent(body.read()) for n, body in enumerate(bodies) if body is not None
        }


def squad_pages(data: Path) -> dict[str, Sent]:
    """The articles of the golden set as web pages."""
    pages = {}
    for path in sorted((data / "golden" / "squad" / "documents").glob("*.txt")):
        paragraphs = [line for line in path.read_text("utf-8").split("\n") if line.strip()]
        pages[f"/squad/{path.stem}"] = article(path.stem.replace("_", " "), *paragraphs)
    return pages


@contextmanager
def serving(
    pages: dict[str, Sent], delay: float = 0.0, every: bool = False, **values: object
) -> Iterator[Service]:
    """A service that searches these pages; with `every`, each question finds them all."""
    slow = {path: replace(sent, seconds=delay) for path, sent in pages.items()}
    with (
        tempfile.TemporaryDirectory() as folder,
        SmallWeb(slow) as web,
        SearxngStandin(index(web)) as standin,
    ):
        standin.seconds = delay
        standin.always = [web.url + path for path in pages] if every else []
        settings = Settings(
            data_dir=Path(folder) / "data",
            chroma_dir=Path(folder) / "chroma",
            models_dir=ROOT / "data_main" / "models",
            reranker_model="",
            searxng_url=standin.url,
            allowed_private_hosts=web.host,
            web_per_host=20,  # on loopback every page has the same host
            web_seconds=60.0,  # a busy machine must not decide what is found
            **values,  # a caller's settings, which Settings checks
        )
        service = Service(settings)
        try:
            service.wait_ready(120)
            yield service
        finally:
            service.close()


def with_documents(service: Service, session: Session, data: Path) -> None:
    """The articles in the library of a session, ready."""
    for path in sorted((data / "golden" / "squad" / "documents").glob("*.txt")):
        service.documents.add_file(session, path.name, path)
    while any(d.state.value not in ("ready", "failed") for d in service.documents.list(session)):
        time.sleep(0.2)


def asked(service: Service, session: Session, item: GoldenItem, web: bool) -> Outcome:
    """Ask one question and look at what came."""
    began = time.monotonic()
    events = list(service.ask(AskRequest(session, item.question, options=QueryOptions(web=web))))
    seconds = time.monotonic() - began
    answer = events[-1]
    assert isinstance(answer, Answer)
    steps = tuple(event for event in events if isinstance(event, Step))
    name = Path(item.sources[0].document).stem
    here = {d.id for d in service.documents.list(session) if Path(d.label).stem == name}
    here |= {
        d.id for d in service.documents.read_pages(session) if d.url.endswith(f"/squad/{name}")
    }
    hits = answer.search.hits if answer.search else ()
    cited = [citation for citation in answer.citations if citation.document_id in here]
    return Outcome(
        reached=bool(here),
        found=any(hit.document.id in here for hit in hits),
        cited=bool(cited),
        cited_web=any(citation.url for citation in cited),
        right=contains_answer(answer.text, item.answers),
        seconds=seconds,
        steps=steps,
    )


def found(data: Path, way: str, questions: int, skip: int) -> None:
    """How often the right page is reached, found, cited."""
    items = [item for item in read_golden(data / "golden" / "squad" / "golden.jsonl")]
    answerable = [item for item in items if item.answerable and item.sources]
    chosen = random.Random(SEED).sample(answerable, questions)[skip:]
    pages = squad_pages(data) | real_pages(data, OTHERS)
    with serving(pages) as service:
        owner = service.owners.for_token("benchmark")
        shared = service.sessions.create(owner, "library")
        if way != "web":
            with_documents(service, shared, data)
        outcomes = []
        for item in chosen:
            session = service.sessions.create(owner, item.id) if way == "web" else shared
            outcomes.append(asked(service, session, item, web=way != "documents"))
            marks = " ".join(name for name in _MEASURES if getattr(outcomes[-1], name))
            print(
                f"  {outcomes[-1].seconds:5.1f} s  {item.question[:60]}  {marks}", file=sys.stderr
            )
    print(
        "| way | questions | reached | in the hits | cited | web cited | right words | s, median |"
    )
    print("|---|---|---|---|---|---|---|---|")
    counts = [sum(getattr(o, name) for o in outcomes) for name in _MEASURES]
    median = statistics.median(o.seconds for o in outcomes)
    print(f"| {way} | {len(chosen)} | {' | '.join(map(str, counts))} | {median:.1f} |")


_MEASURES = ("reached", "found", "cited", "cited_web", "right")


def timed(data: Path, pages: int, delay: float, questions: int) -> None:
    """Where the time goes, from question to answer, with pages of real size."""
    served = real_pages(data, pages)
    with serving(served, delay, every=True, web_pages=pages) as service:
        owner = service.owners.for_token("benchmark")
        rounds = []
        for number, question in enumerate(_QUESTIONS[:questions]):
            session = service.sessions.create(owner, f"round {number}")
            rounds.append(_one_round(service, session, question))
        size = sum(len(sent.body) for sent in served.values())
    print(f"{pages} pages, {size / 1e6:.1f} MB of HTML, {delay:g} s for each answer of a server\n")
    print("| part | s, median |\n|---|---|")
    for name in rounds[0]:
        print(f"| {name} | {statistics.median(r[name] for r in rounds):.2f} |")


_QUESTIONS = (
    "What do the people who were asked say about the news of the year?",
    "Which company made the new product and what does it cost?",
    "How do you prepare the food with a recipe at home?",
    "What did the government and the police say about the city?",
)


def _processor_seconds() -> float:
    """What this process and those that it started have used (Linux)."""
    total = time.process_time()
    for place in Path("/proc/self/task").glob("*/children"):
        for child in place.read_text().split():
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def _one_round(service: Service, session: Session, question: str) -> dict[str, float]:
    used, began = _processor_seconds(), time.monotonic()
    events = list(service.ask(AskRequest(session, question, options=QueryOptions(web=True))))
    total, used = time.monotonic() - began, _processor_seconds() - used
    steps = [event for event in events if isinstance(event, Step)]

    def spent(*names: str) -> float:
        return sum(step.seconds for step in steps if step.name in names)

    read = [step for step in steps if step.name == "web page" and step.count]
    passages = sum(step.count or 0 for step in read)
    return {
        "pages read": float(len(read)),
        "passages indexed": float(passages),
        "the search (SearXNG)": spent("web search"),
        "the slowest page (fetched and read)": max((s.seconds for s in read), default=0.0),
        "pages read and indexed, together": spent("web indexed"),
        "search in the session": spent("dense", "lexical", "fuse", "rerank", "diversify", "join"),
        "question to answer": total,
        "processor time of all of it": used,
    }


def near(data: Path, questions: int = 300) -> None:
    """How many of a page's passages have to be indexed: the nearest ones, for SQuAD's questions."""
    items = read_golden(data / "golden" / "squad" / "golden.jsonl")
    usable = [i for i in items if i.answerable and i.answers and i.sources and i.sources[0].quote]
    chosen = random.Random(SEED).sample(usable, questions)
    print("| passages of a page | with the answer's paragraph |\n|---|---|")
    for most in (5, 10, 15, 20, 30, 40, 60):
        print(f"| {most} | {sum(_is_near(data, item, most) for item in chosen)} of {questions} |")


def _is_near(data: Path, item: GoldenItem, most: int) -> bool:
    source = item.sources[0]
    quote = source.quote or ""
    kept = nearest(_passages(data, source.document), [keywords(item.question)], most)
    ends = (quote[:60], quote[-60:])
    texts = [chunk.text for chunk in kept if item.answers[0] in chunk.text]
    return any(end in text for text in texts for end in ends) or any(
        text[100:200] in quote or text[-200:-100] in quote for text in texts
    )


@functools.cache
def _passages(data: Path, name: str) -> tuple[Chunk, ...]:
    text = (data / "golden" / "squad" / "documents" / name).read_text("utf-8")
    return tuple(web_chunks(LoadedDocument(DocumentKind.WEB, (Page(0, text),)), "d"))


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one of the three."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("found", "time", "near"))
    parser.add_argument("data", type=Path)
    parser.add_argument("--way", choices=("documents", "web", "both"), default="web")
    parser.add_argument("--questions", type=int, default=20)
    parser.add_argument("--skip", type=int, default=0, help="questions to leave out, for parts")
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--delay", type=float, default=0.0)
    given = parser.parse_args(arguments)
    if given.what == "found":
        found(given.data, given.way, given.questions, given.skip)
    elif given.what == "near":
        near(given.data)
    else:
        timed(given.data, given.pages, given.delay, given.questions)


if __name__ == "__main__":
    main()
