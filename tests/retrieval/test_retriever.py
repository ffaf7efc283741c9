"""The search over real stores and the bundled model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest

from core.errors import IndexDamaged, ModelChanged, ModelUnavailable
from core.planning.rules import plan_by_rule
from core.retrieval.multi_query import QueryHits, search_queries, with_queries
from core.step_text import step_text
from core.steps import drain
from core.types import DocumentState, Hit, SearchOptions, SearchResult
from tests.retrieval.library import SEPARATOR, Library

PLAIN = SearchOptions(diversify=False, join_neighbours=False)

CATS = "Cats purr when they are content, and sleep for most of the day."
DOGS = "Dogs bark at strangers and like to be taken for long walks."
TAX = "The form GX-7741 must be handed in by the end of May."
SHIP = "The ship crossed the ocean in eleven days despite the storm."
BREAD = "Bread is baked from flour, water, salt and yeast."


@dataclass
class Reversing:
    """A reranker that likes short passages."""

    name: str = "reversing"

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        return [-float(len(passage)) for passage in passages]

    def state(self) -> tuple[str, str, str]:
        return "ok", self.name, ""


class Missing(Reversing):
    """A reranker without weights."""

    def score(self, query: str, passages: Sequence[str]) -> list[float]:
        raise ModelUnavailable("The weights of reversing are not on this machine.", "Fetch them.")


def search(library: Library, question: str, **changes: Any) -> SearchResult:
    options = replace(PLAIN, **changes)
    return library.retriever().search(library.session_id, plan_by_rule(question), options)


def texts(hits: Sequence[Hit]) -> list[str]:
    return [hit.chunk.text for hit in hits]


@pytest.fixture
def animals(library: Library) -> Library:
    """Two documents, one of two pages."""
    library.add("animals.txt", [CATS, DOGS], [SHIP])
    library.add("papers.txt", [TAX, BREAD])
    return library


def test_finds_by_meaning_and_by_word(animals: Library) -> None:
    assert texts(search(animals, "Which pets make noise at unknown people?").hits)[0] == DOGS
    assert texts(search(animals, "gx-7741").hits)[0] == TAX


def test_a_hit_keeps_all_its_scores(animals: Library) -> None:
    result = search(animals, "How long do cats sleep?")
    best = result.hits[0]
    assert best.chunk.text == CATS
    assert best.document.name == "animals.txt"
    assert (best.rank, best.dense_rank, best.lexical_rank, best.fused_rank) == (1, 1, 1, 1)
    assert best.dense is not None
    assert 0.3 < best.dense <= 1.0
    assert best.lexical is not None
    assert best.lexical > 0
    assert best.fused == pytest.approx(1.0)
    assert best.query == "How long do cats sleep?"
    assert [hit.rank for hit in result.hits] == [1, 2, 3, 4, 5]
    assert [step.name for step in result.steps] == ["dense", "lexical", "fuse"]
    assert all(step.seconds > 0 and step.count is not None for step in result.steps)


@pytest.mark.parametrize(("mode", "other"), [("dense", "lexical"), ("lexical", "dense")])
def test_one_side_alone(animals: Library, mode: str, other: str) -> None:
    result = search(animals, "How long do cats sleep?", mode=mode)
    assert result.hits[0].chunk.text == CATS
    assert all(getattr(hit, other) is None for hit in result.hits)
    assert all(hit.fused == getattr(hit, mode) for hit in result.hits)


def test_rrf(animals: Library) -> None:
    best = search(animals, "How long do cats sleep?", fusion="rrf").hits[0]
    assert best.fused == pytest.approx(2 / 61)


def test_only_ready_and_searched_documents(animals: Library) -> None:
    hidden = animals.add("hidden.txt", ["Cats sleep on the roof at night."], searched=False)
    unfinished = animals.add("unfinished.txt", ["Cats sleep in the barn at noon."])
    animals.set_state(unfinished, DocumentState.INDEXING)
    result = search(animals, "Where do cats sleep?")
    found = {hit.chunk.document_id for hit in (*result.hits, *result.dropped)}
    assert not found & {hidden, unfinished}
    assert result.hits[0].chunk.text == CATS


def test_an_empty_session(library: Library) -> None:
    result = search(library, "Anything?")
    assert result.hits == ()
    assert result.notices == ()


def test_what_was_dropped_says_why(animals: Library) -> None:
    result = search(animals, "How long do cats sleep?", top_k=1, fetch_k=3)
    assert len(result.hits) == 1
    assert [hit.dropped for hit in result.dropped] == [
        "beyond the first 1",
        "beyond the first 1",
        "beyond the first 3",
        "beyond the first 3",
    ]
    assert all(hit.rank is None for hit in result.dropped)


def test_diversity_prefers_what_says_something_else(library: Library) -> None:
    library.add("a.txt", ["The tower is 330 metres tall.", "The tower has a height of 330 metres."])
    library.add("b.txt", ["The tower is painted every seven years.", BREAD])
    question = "How tall is the tower in metres?"
    options = {"top_k": 2, "fetch_k": 3}
    plain = search(library, question, **options)
    diverse = search(library, question, diversify=True, mmr_lambda=0.3, **options)
    assert {hit.document.name for hit in plain.hits} == {"a.txt"}
    assert [hit.document.name for hit in diverse.hits] == ["a.txt", "b.txt"]
    assert diverse.dropped[0].dropped == "similar to a better hit"
    assert diverse.steps[-1].name == "diversify"


def test_no_vector_is_read_twice(animals: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    vectors = animals.vectors.vectors

    def counted(session_id: str, ids: Sequence[str]) -> Any:
        read.extend(ids)
        return vectors(session_id, ids)

    monkeypatch.setattr(animals.vectors, "vectors", counted)
    search(animals, "How long do cats sleep?", diversify=True, mmr_lambda=0.5, top_k=2)
    assert len(read) == len(set(read)) == 5


def test_the_same_text_in_two_documents_is_one_hit(animals: Library) -> None:
    animals.add("copy.txt", [CATS, SHIP])
    result = search(animals, "How long do cats sleep?", top_k=2)
    assert texts(result.hits).count(CATS) == 1
    copies = [hit for hit in result.dropped if hit.dropped == "says the same as a better hit"]
    assert result.hits[0].other_places == (copies[0].chunk.id,)
    (place,) = result.hits[0].also_in
    assert place.startswith(copies[0].document.label)


def test_neighbours_are_joined_for_reading(library: Library) -> None:
    library.add("a.txt", [BREAD, CATS, DOGS, SHIP], [TAX])
    result = search(library, "When do cats purr?", top_k=1, join_neighbours=True)
    hit = result.hits[0]
    assert hit.context == SEPARATOR.join([BREAD, CATS, DOGS])
    page = library.texts[hit.chunk.document_id, 0]
    assert page[hit.context_start : hit.context_end] == hit.context
    assert result.steps[-1].name == "join"


def test_several_queries_find_more(animals: Library) -> None:
    two = replace(plan_by_rule("both"), queries=("purring cats", "GX-7741"))
    result = animals.retriever().search(animals.session_id, two, replace(PLAIN, top_k=2))
    assert set(texts(result.hits)) == {CATS, TAX}
    assert {hit.query for hit in result.hits} == {"purring cats", "GX-7741"}


def test_the_reranker_has_its_share(animals: Library) -> None:
    options = replace(PLAIN, fetch_k=3)
    retriever = animals.retriever(Reversing())
    result = retriever.search(animals.session_id, plan_by_rule("How long do cats sleep?"), options)
    assert [hit.rerank is not None for hit in result.hits] == [True] * 3
    assert [hit.rerank_rank for hit in result.hits] == [1, 2, 3]
    assert "rerank" in [step.name for step in result.steps]
    without = retriever.search(
        animals.session_id, plan_by_rule("cats"), replace(options, rerank=False)
    )
    assert all(hit.rerank is None for hit in without.hits)


def test_the_reranker_orders_alone_where_a_system_says_so(animals: Library) -> None:
    options = replace(PLAIN, mode="dense", fetch_k=5, top_k=5, rerank_weight=1.0)
    retriever = animals.retriever(Reversing())
    hits = retriever.search(animals.session_id, plan_by_rule("How long do cats sleep?"), options)
    lengths = [len(text) for text in texts(hits.hits)]
    assert lengths == sorted(lengths)
    assert len(lengths) > 2


def test_plain_mmr_goes_by_cosine_and_knows_no_pages(animals: Library) -> None:
    question, k, weight = "How long do cats and dogs sleep?", 4, 0.5
    whole = {"mode": "dense", "rerank": False, "fetch_k": 30}
    pool = search(animals, question, top_k=30, diversify=False, **whole).hits
    result = search(
        animals, question, top_k=k, diversify=True, mmr="plain", mmr_lambda=weight, **whole
    )
    embedder = animals.retriever().embedder
    vectors = animals.retriever().vectors.vectors(
        animals.session_id, [hit.chunk.id for hit in pool]
    )
    query = embedder.embed_query(question)
    chosen: list[str] = []
    while len(chosen) < k:  # Carbonell and Goldstein's formula, as LangChain has it
        gains = {
            key: weight * float(vector @ query)
            - (1 - weight) * max((float(vector @ vectors[one]) for one in chosen), default=0.0)
            for key, vector in vectors.items()
            if key not in chosen
        }
        chosen.append(max(gains, key=lambda key: gains[key]))
    assert [hit.chunk.id for hit in result.hits] == chosen


def test_a_missing_reranker_is_a_step_not_a_notice(animals: Library) -> None:
    retriever = animals.retriever(Missing())
    result = retriever.search(animals.session_id, plan_by_rule("How long do cats sleep?"), PLAIN)
    assert result.hits[0].chunk.text == CATS
    assert result.notices == ()
    step = next(step for step in result.steps if step.name == "rerank")
    assert step_text(step).startswith("left out: ")


def test_one_side_failing_is_said(animals: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ModelChanged("The vectors are of another model.")

    monkeypatch.setattr(animals.vectors, "query", fail)
    monkeypatch.setattr(animals.vectors, "vectors", fail)
    result = search(animals, "How long do cats sleep?", diversify=True, top_k=1)
    assert result.hits[0].chunk.text == CATS
    assert [notice.code for notice in result.notices] == ["dense-failed"]
    assert result.notices[0].cure == ModelChanged.cure
    with pytest.raises(ModelChanged):
        search(animals, "cats", mode="dense")


def test_each_side_failing_at_times_is_said_in_one_notice(
    animals: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise IndexDamaged("Damaged.")

    plan = replace(plan_by_rule("How long do cats sleep?"), queries=("cats sleep", "dogs bark"))
    retriever = animals.retriever()
    found: list[QueryHits] = []
    for failing in ("lexical", "vectors"):
        with monkeypatch.context() as patched:
            patched.setattr(getattr(animals, failing), "query", fail)
            found += drain(search_queries(retriever, animals.session_id, plan, PLAIN))
    result = with_queries(SearchResult(plan, ()), found)
    assert [(one.code, one.text) for one in result.notices] == [
        (
            "search-in-part",
            "Damaged. A part of the search went by words alone, another by meaning alone.",
        )
    ]
    assert result.notices[0].cure == IndexDamaged.cure


def test_both_sides_failing_raises(animals: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise IndexDamaged("Damaged.")

    monkeypatch.setattr(animals.vectors, "query", fail)
    monkeypatch.setattr(animals.lexical, "query", fail)
    with pytest.raises(IndexDamaged):
        search(animals, "cats")


def test_a_search_can_be_repeated(animals: Library) -> None:
    first, second = (search(animals, "How long?", diversify=True, top_k=2) for _ in range(2))
    assert first.hits == second.hits
    assert first.dropped == second.dropped


def test_a_named_document_comes_first(library: Library) -> None:
    for year in range(2015, 2021):
        library.add(f"ACME_{year}.txt", ["Sales grew. Costs fell."], [f"Sales were {year}."])
    result = search(library, "How did sales do at Acme in 2018?", top_k=1)
    assert result.hits[0].document.name == "ACME_2018.txt"
    fuse = next(step for step in result.steps if step.name == "fuse")
    assert step_text(fuse) == "weighted, 0.6 by meaning; named: ACME_2018.txt"


def test_meaning_counts_less_in_a_language_that_the_model_does_not_know(library: Library) -> None:
    key = library.add("russian.txt", ["Кошки спят днём.", "Собаки лают ночью."])
    detail = {s.name: step_text(s) for s in search(library, "Когда спят кошки?").steps}
    assert detail["fuse"] == "weighted, 0.6 by meaning"
    library.documents[key] = replace(library.documents[key], language="ru")
    detail = {s.name: step_text(s) for s in search(library, "Когда спят кошки?").steps}
    assert detail["fuse"] == "weighted, 0.24 by meaning"
    detail = {s.name: step_text(s) for s in search(library, "кошки", by_language=False).steps}
    assert detail["fuse"] == "weighted, 0.6 by meaning"


def test_fused_scores_are_within_0_and_1(animals: Library) -> None:
    hits = search(animals, "How long do cats sleep?").hits
    assert hits[0].fused == 1.0
    assert all(hit.fused is not None and 0.0 <= hit.fused <= 1.0 for hit in hits)


def test_dense_candidates_below_the_least_similarity_are_left_out(animals: Library) -> None:
    hits = search(animals, "How long do cats sleep?", mode="dense", min_similarity=0.4).hits
    assert [hit.chunk.text for hit in hits] == [CATS]
