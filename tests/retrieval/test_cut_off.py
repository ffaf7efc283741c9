"""The cut-off of a preset for embedding models with scales of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core.config import Settings
from core.errors import ModelUnavailable
from core.models.port import Embedder, Progress, Vectors
from core.retrieval.cut_off import FEWEST, MEASURED, CutOffs, carried_over
from core.retrieval.retriever import Retriever
from core.storage.lexical.tantivy.index import TantivyIndex
from core.storage.vectors.chroma.store import ChromaStore
from core.types import QueryPlan, SearchOptions, SearchResult
from core.types.steps import ByMethod
from tests.retrieval.library import Library

THINGS = "cat dog horse bread tea lamp river train violin garden winter letter".split()
TEXTS = [f"The {one} of the old {other} was sold." for one in THINGS for other in THINGS[:2]]
BY_MODEL = SearchOptions(mode="dense", min_similarity="by-model", rerank=False, diversify=False)


class Raised:
    """A model whose vectors all lean to one side, so that its least cosines are high."""

    def __init__(self, embedder: Embedder, weight: float = 2.0) -> None:
        self.name, self.digest, self.failing = "raised", f"raised-{weight:g}", False
        self.dimension = embedder.dimension + 1
        self.embedder, self.weight, self.queries = embedder, weight, 0

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        side = np.full((len(texts), 1), self.weight, np.float32)
        return np.hstack([self.embedder.embed(texts), side]) / np.sqrt(1 + self.weight**2)

    def embed_query(self, text: str) -> Vectors:
        self.queries += 1
        if self.failing:
            raise ModelUnavailable("The server is away.", "Start it.")
        return self.embed([text])[0]

    def cosine(self, of_other: float) -> float:
        """What a cosine of the other model is by this one."""
        return (of_other + self.weight**2) / (1 + self.weight**2)


@pytest.fixture
def raised(embedder: Embedder) -> Raised:
    return Raised(embedder)


@pytest.fixture
def leaning(settings: Settings, raised: Raised) -> Library:
    """Passages whose vectors are those of the raised model."""
    library = Library(ChromaStore(settings), TantivyIndex(settings), raised)
    library.add("things.txt", TEXTS)
    return library


def asked(library: Library, question: str, offs: CutOffs, options: SearchOptions) -> SearchResult:
    retriever: Retriever = replace(library.retriever(), cut_offs=offs)
    return retriever.search(library.session_id, QueryPlan(question, question, (question,)), options)


def least_of(result: SearchResult) -> float | None:
    detail = next(step.detail for step in result.steps if step.name == "dense")
    assert isinstance(detail, ByMethod)
    return detail.least


def test_the_bundled_model_has_what_was_measured_for_it(library: Library) -> None:
    library.add("things.txt", TEXTS)
    result = asked(library, "Who sold the violin?", CutOffs(), BY_MODEL)
    assert least_of(result) == MEASURED
    assert result.hits
    assert all(hit.dense is not None and hit.dense >= MEASURED for hit in result.hits)


def test_another_model_lets_the_same_through(
    library: Library, leaning: Library, raised: Raised
) -> None:
    library.add("things.txt", TEXTS)
    question, offs = "Who sold the violin?", CutOffs(lambda: raised.embedder)
    found = asked(leaning, question, offs, BY_MODEL)
    assert least_of(found) == pytest.approx(raised.cosine(MEASURED), abs=0.01)
    same = asked(library, question, offs, BY_MODEL)
    assert [hit.chunk.text for hit in found.hits] == [hit.chunk.text for hit in same.hits]
    as_number = asked(leaning, question, offs, replace(BY_MODEL, min_similarity=MEASURED, top_k=30))
    assert len(as_number.hits) > len(found.hits)  # a number means the model's own cosine


def test_it_is_measured_once_and_again_when_the_passages_have_doubled(
    leaning: Library, raised: Raised
) -> None:
    offs, question = CutOffs(lambda: raised.embedder), "Who sold the violin?"
    asked(leaning, question, offs, BY_MODEL)
    first = raised.queries
    asked(leaning, question, offs, BY_MODEL)
    assert raised.queries == first + 1  # the question alone
    leaning.add("more.txt", [text.replace("sold", "stolen") for text in TEXTS])
    asked(leaning, question, offs, BY_MODEL)
    assert raised.queries > first + 2


def test_among_few_passages_nothing_is_left_out(leaning: Library, raised: Raised) -> None:
    few = Library(leaning.vectors, leaning.lexical, raised)
    few.add("few.txt", TEXTS[: FEWEST - 1])
    result = asked(few, "Who sold the violin?", CutOffs(lambda: raised.embedder), BY_MODEL)
    assert least_of(result) is None
    assert len(result.hits) == FEWEST - 1


def test_a_model_that_is_away_leaves_the_search_by_words(leaning: Library, raised: Raised) -> None:
    raised.failing = True
    offs = CutOffs(lambda: raised.embedder)
    result = asked(leaning, "Who sold the violin?", offs, replace(BY_MODEL, mode="hybrid"))
    assert result.hits
    assert [notice.code for notice in result.notices] == ["dense-failed"]


def test_texts_that_are_all_alike_leave_nothing_out() -> None:
    alike = np.full(6, 0.4, np.float32)
    assert carried_over(MEASURED, alike, alike) == -1.0


def test_it_stays_a_cosine() -> None:
    few = np.array([0.0, 0.01], np.float32)
    assert carried_over(MEASURED, few, np.array([0.2, 0.9], np.float32)) == 1.0
