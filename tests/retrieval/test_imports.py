"""Hits on code have the imports that stand above them on their page."""

from __future__ import annotations

from core.answering.generative.context import passage_text
from core.ingestion.chunking import chunk_document
from core.retrieval.imports import with_imports
from core.types import (
    Block,
    ChunkKind,
    Document,
    DocumentKind,
    DocumentState,
    Hit,
    LoadedDocument,
    Page,
    QueryPlan,
    SearchResult,
)

FIRST = "import csv\nimport json\n\ndef first(path):\n    return json.load(open(path))"
SECOND = "def second(path):\n    return list(csv.reader(open(path), **options))"
LAST = "from settings import options\noptions.update(a=1)"
TEXT = f"Two ways.\n\n{FIRST}\n\nAnd the other:\n\n{SECOND}\n\nAt the end:\n\n{LAST}"
DOCUMENT = Document("d", "s", "d.md", "d.md", DocumentKind.MARKDOWN, DocumentState.READY)
PAGE = Page(
    0, TEXT,
    blocks=tuple(
        Block(TEXT.index(one), TEXT.index(one) + len(one), ChunkKind.CODE)
        for one in (LAST, SECOND, FIRST)
    ),
)  # fmt: skip


class Content:
    """The pages of the document."""

    def __init__(self, *pages: Page) -> None:
        self.pages = pages

    def page(self, session_id: str, document_id: str, page_ordinal: int) -> Page | None:
        return self.pages[page_ordinal] if page_ordinal < len(self.pages) else None


def found(content: Content) -> list[Hit]:
    loaded = LoadedDocument(DocumentKind.MARKDOWN, (PAGE,))
    chunks = chunk_document(loaded, "d", size=90, overlap=0, apart=True)
    hits = tuple(Hit(chunk, DOCUMENT) for chunk in chunks)
    plan = QueryPlan("q", "q", ("q",))
    return list(with_imports(SearchResult(plan, hits), content, "s").hits)


def test_a_listing_keeps_the_imports_that_it_uses_and_text_has_none() -> None:
    hits = {hit.chunk.text: hit for hit in found(Content(PAGE))}
    assert hits[SECOND].imports == ("import csv",)
    assert all(
        hit.imports == () for text, hit in hits.items() if text != SECOND and "json" not in text
    )
    # what a model reads begins with them; what is cited does not
    assert passage_text(hits[SECOND]) == f"import csv\n{SECOND}"
    assert hits[SECOND].chunk.text == SECOND


def test_imports_that_are_read_with_the_code_are_not_said_again() -> None:
    loaded = LoadedDocument(DocumentKind.MARKDOWN, (PAGE,))
    chunks = chunk_document(loaded, "d", size=1000, overlap=0, apart=True)
    plan = QueryPlan("q", "q", ("q",))
    hits = [Hit(c, DOCUMENT, context=TEXT, context_end=len(TEXT)) for c in chunks]
    assert all(
        hit.imports == ()
        for hit in with_imports(SearchResult(plan, tuple(hits)), Content(PAGE), "s").hits
    )


def test_a_page_that_is_gone_changes_nothing() -> None:
    assert all(hit.imports == () for hit in found(Content()))
