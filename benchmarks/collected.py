"""The quality of the search on what was collected, beside BM25 over the same text in the same run.

`--pages python_docs.json --golden golden.jsonl`: which page, and which anchor on it, answers a
question. `--posts Posts.xml`: the title of a question must find its accepted answer among all
answers of the dump, which are indexed without their questions. Everything goes through the
program's own chunking, stores and retriever with the settings that a new session has.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.bm25 import BM25
from core.cli.shell import failed, progress
from core.config import Settings, load_settings
from core.errors import AppError, InvalidRequest
from core.evaluation.golden.sets import even_sample, read_golden
from core.types import Chunk, DocumentState, QueryPlan, SearchOptions

if TYPE_CHECKING:
    from core.service import Service
    from core.types import LoadedDocument, Session

DEPTH = 100
_SEARCH = SearchOptions(
    top_k=DEPTH, fetch_k=DEPTH, candidates=DEPTH, diversify=False, rerank=False,
    join_neighbours=False,
)  # fmt: skip

Place = str
"""What is ranked: a page's address, or one with its anchor."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is searched and for what: documents by their address, and the wanted places."""

    documents: Mapping[Place, LoadedDocument]
    questions: Mapping[str, str]
    pages: Mapping[str, frozenset[Place]]
    anchors: Mapping[str, frozenset[Place]]


def of_pages(pages: Path, golden: Path, limit: int = 0) -> Task:
    """The task of a collected documentation and questions with pages and anchors in it."""
    from scraper.collection import loaded_pages, read_json

    collected = read_json(pages)
    documents = {url: loaded for _, url, loaded in loaded_pages(collected)}
    root = json.loads(pages.read_text("utf-8"))["source"].rpartition("/")[0]
    items = [item for item in read_golden(golden) if item.sources]
    items = even_sample(items, limit) if limit else items
    return Task(
        documents,
        {item.id: item.question for item in items},
        {item.id: frozenset(f"{root}/{s.document}" for s in item.sources) for item in items},
        {
            item.id: frozenset(f"{root}/{s.document}#{s.anchor}" for s in item.sources if s.anchor)
            for item in items
        },
    )


def of_posts(posts: Path) -> Task:
    """The task of a dump: titles, and the accepted answers among all answers."""
    from core.parsing.builder import split_parts
    from core.types import DocumentKind, LoadedDocument
    from scraper.dumps import Row, read_rows
    from scraper.qa_pairs import body_draft

    rows: list[Row] = []
    read_rows(posts, rows.append)
    answers = {row["id"]: row for row in rows if row.get("posttypeid") == "2"}
    documents = {
        f"http://dump/a/{own}": LoadedDocument(
            DocumentKind.WEB, split_parts(body_draft(row.get("body", ""))[0])
        )
        for own, row in answers.items()
    }
    asked = {
        row["id"]: row
        for row in rows
        if row.get("posttypeid") == "1" and row.get("acceptedanswerid", "") in answers
    }
    wanted = {own: frozenset((f"http://dump/a/{row['acceptedanswerid']}",))
              for own, row in asked.items()}  # fmt: skip
    return Task(documents, {own: row["title"] for own, row in asked.items()}, wanted, {})


# ------------------------------------------------------------------------------- the searching


@contextmanager
def indexed(task: Task, settings: Settings, work: Path | None) -> Iterator[tuple[Service, Session]]:
    """The documents in a program of its own; a folder `work` keeps its index for the next time."""
    from core.service import Service

    with tempfile.TemporaryDirectory(prefix="footnote-eval-") as folder:
        root = work or Path(folder)
        apart = settings.model_copy(
            update={
                "data_dir": root / "data",
                "chroma_dir": root / "chroma",
                "database_url": "",
                "max_files": max(settings.max_files, len(task.documents)),
            }
        )
        service = Service(apart, background=False)
        try:
            owner = service.owners.for_token("evaluation")
            session = next(iter(service.sessions.list(owner)), None) or service.sessions.create(
                owner
            )
            _index(service, session, task)
            yield service, session
        finally:
            service.close()


def _index(service: Service, session: Session, task: Task) -> None:
    for url, loaded in task.documents.items():
        service.documents.add_loaded(session, loaded, name=loaded.title or url, url=url)
    under_way = (DocumentState.READING, DocumentState.INDEXING)  # an ended run left them so
    service.catalogue.documents.change_states(under_way, DocumentState.WAITING)
    done = 0
    while (document := service.catalogue.documents.claim_next()) is not None:
        service.worker.ingester.ingest(document)
        done += 1
        progress(f"indexed {done}", last=False)


def places(chunk: Chunk, url: str) -> tuple[Place, Place]:
    """The page of a chunk, and its nearest anchor on it."""
    return url, f"{url}#{chunk.anchor or ''}"


Ranking = Callable[[str], Sequence[Chunk]]


def rankings(service: Service, session: Session) -> dict[str, Ranking]:
    """The searches that are compared, each giving chunks, best first."""
    start = service.sessions.search_options(session)
    retriever = service.retriever()
    chunks = [
        chunk
        for document in service.documents.list(session)
        for chunk in service.catalogue.content.chunks(session.id, document.id)
    ]
    titles = {document.id: document.title for document in service.documents.list(session)}
    baseline = BM25([_whole(chunk, titles[chunk.document_id]) for chunk in chunks])

    def searching(**changes: Any) -> Ranking:
        same: dict[str, Any] = {
            "fusion": start.fusion,
            "dense_weight": start.dense_weight,
            "mode": start.mode,
        }
        options = replace(_SEARCH, **(same | changes))

        def search(question: str) -> list[Chunk]:
            plan = QueryPlan(question, question, (question,))
            return [hit.chunk for hit in retriever.search(session.id, plan, options).hits]

        return search

    return {
        "BM25": lambda question: [chunks[number] for number in baseline.best(question, DEPTH)],
        "hybrid": searching(),
        "dense": searching(mode="dense"),
        "lexical": searching(mode="lexical"),
    }


def _whole(chunk: Chunk, title: str) -> str:
    """What BM25 sees of a chunk: the same words that the program indexes."""
    return " ".join((title, *chunk.headings, chunk.text))


# ------------------------------------------------------------------------------- the measuring


def measure(task: Task, service: Service, session: Session) -> dict[str, dict[str, float]]:
    """For each search the means over all questions."""
    urls = {document.id: document.url for document in service.documents.list(session)}
    found: dict[str, dict[str, float]] = {}
    for name, search in rankings(service, session).items():
        sums: dict[str, float] = {}
        began = time.monotonic()
        for own, question in task.questions.items():
            both = [places(chunk, urls[chunk.document_id]) for chunk in search(question)]
            pages = _distinct(page for page, _ in both)[:10]
            anchors = _distinct(anchor for _, anchor in both)[:10]
            values = {
                "page nDCG@10": ndcg(pages, task.pages[own]),
                "page MRR@10": reciprocal_rank(pages, task.pages[own]),
                "page recall@10": recall(pages, task.pages[own]),
            }
            if task.anchors:
                values["anchor recall@10"] = recall(anchors, task.anchors[own])
            for key, value in values.items():
                sums[key] = sums.get(key, 0.0) + value
        seconds = (time.monotonic() - began) / max(len(task.questions), 1)
        means = {key: value / len(task.questions) for key, value in sums.items()}
        found[name] = means | {"ms": seconds * 1000}
    return found


def ndcg(ranked: Sequence[Place], wanted: frozenset[Place]) -> float:
    """nDCG with a gain of 1 for each wanted place (Järvelin and Kekäläinen, 2002).

    >>> round(ndcg(["a", "b"], frozenset("b")), 3)
    0.631
    """
    gains = sum(1 / math.log2(at + 2) for at, place in enumerate(ranked) if place in wanted)
    ideal = sum(1 / math.log2(at + 2) for at in range(min(len(wanted), 10)))
    return gains / ideal if ideal else 0.0


def reciprocal_rank(ranked: Sequence[Place], wanted: frozenset[Place]) -> float:
    """1 / the rank of the first wanted place; 0 if there is none."""
    return next((1 / (at + 1) for at, place in enumerate(ranked) if place in wanted), 0.0)


def recall(ranked: Sequence[Place], wanted: frozenset[Place]) -> float:
    """The share of the wanted places that are among the ranked."""
    return len(wanted & set(ranked)) / len(wanted) if wanted else 0.0


def _distinct(ranked: Iterable[Place]) -> list[Place]:
    return list(dict.fromkeys(ranked))


# --------------------------------------------------------------------------------- the command


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return 0, or 2 with a message where that is not possible."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.collected")
    parser.add_argument("--pages", type=Path, help="what scraper.python_docs or scraper.site wrote")
    parser.add_argument("--golden", type=Path, help="questions with pages and anchors in it")
    parser.add_argument("--posts", type=Path, help="Posts.xml of a Stack Exchange dump, instead")
    parser.add_argument("--limit", type=int, default=0, help="so many questions, evenly chosen")
    parser.add_argument("--work", type=Path, help="keep the index here for the next time")
    parser.add_argument("--json", type=Path, help="write the measures to this file as well")
    chosen = parser.parse_args(arguments)
    began = time.monotonic()
    try:
        task = _task(chosen)
        with indexed(task, load_settings(), chosen.work) as (service, session):
            chunks = sum(document.chunks for document in service.documents.list(session))
            seconds = time.monotonic() - began
            found = measure(task, service, session)
    except AppError as error:
        return failed(error)
    there = set(task.documents)
    missing = sum(not wanted & there for wanted in task.pages.values())
    print(
        f"{len(task.documents)} documents, {chunks} chunks, indexed in {seconds:.0f} s;"
        f" {len(task.questions)} questions, {missing} of them lead to pages that were not collected"
    )
    print(table(found))
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    return 0


def _task(arguments: argparse.Namespace) -> Task:
    if arguments.posts:
        return of_posts(arguments.posts)
    if arguments.pages and arguments.golden:
        return of_pages(arguments.pages, arguments.golden, arguments.limit)
    raise InvalidRequest("Give --pages with --golden, or --posts.")


def table(found: Mapping[str, Mapping[str, float]]) -> str:
    """The measures as a table for a terminal."""
    names = list(next(iter(found.values())))
    head = f"{'':10}" + "".join(f"{name:>18}" for name in names)
    rows = [
        f"{search:10}" + "".join(f"{values[name]:18.4f}" for name in names)
        for search, values in found.items()
    ]
    return "\n".join([head, *rows])


if __name__ == "__main__":
    sys.exit(main())
