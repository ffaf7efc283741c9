"""The quality of the search on a judged collection: the program's own stores and retriever.

A document of the collection is one chunk; it is embedded with its title, as a document of a
library is. Diversity, joining and reranking are off: they serve the reader, not the ranking.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from core.cli import thresholds
from core.cli.shell import failed, progress
from core.config import Settings, load_settings
from core.errors import AppError
from core.evaluation.beir import Collection, read_collection
from core.ids import new_id
from core.models.embedding import load_embedder
from core.models.embedding_text import embedding_text
from core.models.port import Embedder
from core.parsing.language import language_of
from core.retrieval.retriever import Retriever
from core.storage.lexical.port import LexicalIndex
from core.storage.lexical.registry import lexical_adapter
from core.storage.vectors.port import VectorStore
from core.storage.vectors.registry import vector_adapter
from core.types import Chunk, Document, DocumentState, QueryPlan, SearchOptions

Mode = Literal["hybrid", "dense", "lexical"]
Run = dict[str, list[str]]
"""For each query the ids of the documents found, best first."""

MODES: tuple[Mode, ...] = ("hybrid", "dense", "lexical")
DEPTH = 100
_MEASURES = {
    "ndcg@10": "ndcg_cut_10",
    "recall@10": "recall_10",
    "recall@50": "recall_50",
    "mrr@10": "recip_rank",
}


def evaluate(collection: Collection, settings: Settings) -> dict[str, dict[str, float]]:
    """The measures for each mode: `{"hybrid": {"ndcg@10": 0.7, ...}, "dense": ...}`.

    The collection is indexed in a folder that is removed afterwards. Raises `AppError`.
    """
    with indexed(collection, settings) as (retriever, session_id):
        runs = {mode: search_all(retriever, session_id, collection, mode) for mode in MODES}
    return {mode: measures(collection.qrels, run) for mode, run in runs.items()}


def search_all(
    retriever: Retriever,
    session_id: str,
    collection: Collection,
    mode: Mode,
    options: SearchOptions | None = None,
) -> Run:
    """The run of all queries in one mode. Documents of equal text share the place of their hit."""
    plain = SearchOptions(
        mode=mode, top_k=DEPTH, fetch_k=DEPTH, candidates=DEPTH,
        diversify=False, rerank=False, join_neighbours=False,
    )  # fmt: skip
    run: Run = {}
    for query, text in collection.queries.items():
        result = retriever.search(session_id, QueryPlan(text, text, (text,)), options or plain)
        places = [place for hit in result.hits for place in (hit.chunk.id, *hit.other_places)]
        numbers = [int(place.partition(":")[0]) for place in places]
        run[query] = [collection.documents[number].id for number in numbers]
    return run


def measures(qrels: Mapping[str, Mapping[str, int]], run: Run) -> dict[str, float]:
    """Means over the judged queries, by pytrec_eval; a query that found nothing counts 0.

    nDCG: Järvelin and Kekäläinen, "Cumulated Gain-Based Evaluation of IR Techniques", 2002.
    """
    import pytrec_eval

    judged = {query: dict(grades) for query, grades in qrels.items()}
    deep = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut_10", "recall_10,50"})
    found = deep.evaluate({query: _scored(ids) for query, ids in run.items()})
    short = pytrec_eval.RelevanceEvaluator(judged, {"recip_rank"})
    for query, values in short.evaluate({q: _scored(ids[:10]) for q, ids in run.items()}).items():
        found.setdefault(query, {}).update(values)
    return {
        name: sum(values.get(key, 0.0) for values in found.values()) / len(judged)
        for name, key in _MEASURES.items()
    }


def _scored(ids: Sequence[str]) -> dict[str, float]:
    """Scores that keep the order: pytrec_eval sorts by score, and equal ones by id."""
    scores: dict[str, float] = {}
    for rank, document in enumerate(ids):
        scores.setdefault(document, float(-rank))
    return scores


# ----------------------------------------------------------------------------- the collection


class _Library:
    """A collection as the retriever sees a catalogue: a document, a page, a chunk are one.

    It serves as both rooms that a search reads, `documents` and `content`.
    """

    def __init__(self, collection: Collection, session_id: str) -> None:
        texts = {str(number): text for number, text in enumerate(collection.documents)}
        self.titles = [text.title for text in collection.documents]
        self.by_id = {
            key: Document(
                key, session_id, text.id, text.id, None, DocumentState.READY,
                title=text.title, chunks=1,
            )
            for key, text in texts.items()
        }  # fmt: skip
        self.chunks = {
            f"{key}:0": Chunk(f"{key}:0", key, 0, 0, None, 0, len(text.text), text.text)
            for key, text in texts.items()
        }

    @property
    def documents(self) -> _Library:
        return self

    @property
    def content(self) -> _Library:
        return self

    def ready(self, session_id: str, searched_only: bool = True) -> dict[str, Document]:
        return self.by_id

    def chunks_by_id(self, session_id: str, ids: Sequence[str]) -> dict[str, Chunk]:
        return {key: self.chunks[key] for key in ids}

    def page_texts(
        self, session_id: str, places: Iterable[tuple[str, int]]
    ) -> dict[tuple[str, int], str]:
        return {key: self.chunks[f"{key[0]}:0"].text for key in places}


@contextmanager
def indexed(collection: Collection, settings: Settings) -> Iterator[tuple[Retriever, str]]:
    """The collection in stores of its own, ready to be searched."""
    embedder = load_embedder(settings)
    with tempfile.TemporaryDirectory(prefix="footnote-eval-") as folder:
        places = {"data_dir": Path(folder) / "data", "chroma_dir": Path(folder) / "chroma"}
        apart = settings.model_copy(update={**places, "database_url": ""})
        vectors, lexical, session_id = (
            vector_adapter(apart).open(apart, None),
            lexical_adapter(apart).open(apart, None),
            new_id(),
        )
        try:
            library = _Library(collection, session_id)
            _index(library, session_id, vectors, lexical, embedder)
            yield Retriever(library, vectors, lexical, embedder), session_id
        finally:
            lexical.close()
            vectors.close()


def _index(
    library: _Library,
    session_id: str,
    vectors: VectorStore,
    lexical: LexicalIndex,
    embedder: Embedder,
) -> None:
    chunks = list(library.chunks.values())
    texts = [embedding_text(c, title) for c, title in zip(chunks, library.titles, strict=True)]
    found = embedder.embed(texts, progress=_report)
    vectors.add(session_id, list(library.chunks), found)
    language = language_of(" ".join(chunk.text for chunk in chunks[:50]))
    lexical.add(session_id, chunks, library.titles, language)


def _report(done: int, total: int) -> None:
    progress(f"embedded {done} of {total}", last=done == total)


# --------------------------------------------------------------------------------- the command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eval_custom.py retrieval`."""
    parser.add_argument("--data", type=Path, required=True, help="a folder in BEIR's layout")
    parser.add_argument("--split", help="the table in qrels/ to judge by, if there are several")
    parser.add_argument("--json", type=Path, help="write the measures to this file as well")
    thresholds.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; 0, 1 below a threshold (of "hybrid" or "dense.ndcg@10"), or 2."""
    began = time.monotonic()
    try:
        collection = read_collection(arguments.data, arguments.split)
        found = evaluate(collection, load_settings())
    except AppError as error:
        return failed(error)
    counts = f"{len(collection.documents)} documents, {len(collection.queries)} queries"
    print(f"{arguments.data.name}: {counts}, {time.monotonic() - began:.0f} s")
    print(table(found))
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    named = {f"{mode}.{name}": v for mode, values in found.items() for name, v in values.items()}
    return thresholds.status({**found["hybrid"], **named}, arguments)


def table(found: Mapping[str, Mapping[str, float]]) -> str:
    """The measures as a table for a terminal."""
    head = f"{'':10}" + "".join(f"{name:>11}" for name in _MEASURES)
    rows = [
        f"{mode:10}" + "".join(f"{values[name]:11.4f}" for name in _MEASURES)
        for mode, values in found.items()
    ]
    return "\n".join([head, *rows])
