"""A question stands for its answer: hits on pairs are read as the pair and lead to its answer."""

from __future__ import annotations

from collections.abc import Sequence

from core.citations.answer_start import answer_start
from core.ingestion.chunking import chunk_document
from core.retrieval.question_pairs import LONGEST, with_answers
from core.types import (
    Chunk,
    Document,
    DocumentKind,
    DocumentState,
    Hit,
    Page,
    QueryPlan,
    SearchResult,
)
from scraper.qa_pairs import Pair, Post, to_loaded


class Library:
    """Pairs as a catalogue would give them."""

    def __init__(self, **answers: str) -> None:
        self.pages: dict[str, tuple[Page, ...]] = {}
        self.cut: dict[str, list[Chunk]] = {}
        for name, answer in answers.items():
            question = Post("1", f"I wonder about {name}.")
            loaded = to_loaded(Pair(f"How is {name} done?", question, Post("2", answer), ("t",)))
            self.pages[name] = loaded.pages
            self.cut[name] = chunk_document(loaded, name, size=1000, overlap=100)

    def page(self, session_id: str, document_id: str, page_ordinal: int) -> Page | None:
        return self.pages[document_id][page_ordinal]

    def chunks(self, session_id: str, document_id: str) -> list[Chunk]:
        return self.cut[document_id]

    def hit(self, name: str, ordinal: int, rank: int, source: str = "stack-exchange-1") -> Hit:
        kind, state = DocumentKind.WEB, DocumentState.READY
        document = Document(name, "s", name, name, kind, state, source=source)
        return Hit(self.cut[name][ordinal], document, fused=1 / rank, rank=rank)

    def read(self, *hits: Hit) -> Sequence[Hit]:
        plan = QueryPlan("q", "q", ("q",))
        return with_answers(SearchResult(plan, hits), self, "s").hits


def test_a_hit_on_the_title_or_the_question_leads_to_the_answer() -> None:
    library = Library(bread="Bake it for an hour.")
    for ordinal in (0, 1):
        (hit,) = library.read(library.hit("bread", ordinal, 1))
        assert hit.chunk.headings[-1] == "Answer"
        assert hit.context.startswith("# How is bread done?")
        assert hit.context.endswith("Bake it for an hour.")
        page = library.pages["bread"][0]
        assert page.text[hit.context_start : hit.context_end] == hit.context
        assert page.text[answer_start(hit) :].strip() == "Bake it for an hour."


def test_each_pair_stands_once_at_its_best_place() -> None:
    library = Library(bread="Bake it for an hour.", soup="Boil it.")
    hits = library.read(
        library.hit("soup", 2, 1), library.hit("bread", 0, 2), library.hit("soup", 0, 3),
        library.hit("bread", 2, 4),
    )  # fmt: skip
    assert [(hit.document.id, hit.rank) for hit in hits] == [("soup", 1), ("bread", 2)]
    assert hits[0].fused == 1.0


def test_other_documents_stay_as_they_are() -> None:
    library = Library(bread="Bake it for an hour.")
    hits = [library.hit("bread", ordinal, ordinal + 1, source="site-1") for ordinal in range(3)]
    assert library.read(*hits) == tuple(hits)
    assert answer_start(hits[0]) == 0


def test_a_long_answer_is_read_from_its_beginning_and_its_later_parts_stay() -> None:
    sentence = "Another sentence of a long answer stands here. "
    library = Library(bread=sentence * 200)
    last = len(library.cut["bread"]) - 1
    first, later = library.read(library.hit("bread", 0, 1), library.hit("bread", last, 2))
    assert first.context.startswith("## Answer")
    assert len(first.context) <= LONGEST
    assert later.chunk.ordinal == last
    (alone,) = library.read(library.hit("bread", last, 1))
    assert alone.context_start <= alone.chunk.start < alone.chunk.end <= alone.context_end
