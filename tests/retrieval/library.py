"""A catalogue in memory, with stores that are real, for tests of the search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

from core.ids import digest, new_id
from core.models.port import Embedder
from core.models.reranking import Reranker
from core.retrieval.retriever import Retriever
from core.storage.lexical.port import LexicalIndex
from core.storage.vectors.port import VectorStore
from core.types import Chunk, Document, DocumentKind, DocumentState

SEPARATOR = "\n\n"


@dataclass
class Library:
    """One session's documents: texts of pages, a chunk for each paragraph."""

    vectors: VectorStore
    lexical: LexicalIndex
    embedder: Embedder
    session_id: str = field(default_factory=new_id)
    documents: dict[str, Document] = field(default_factory=dict)
    texts: dict[tuple[str, int], str] = field(default_factory=dict)
    chunks: list[Chunk] = field(default_factory=list)

    def add(self, name: str, *pages: Sequence[str], searched: bool = True) -> str:
        """Add a document; each page is a list of paragraphs. Gives its id."""
        document_id = digest(name)
        made: list[Chunk] = []
        for ordinal, paragraphs in enumerate(pages):
            self.texts[document_id, ordinal] = SEPARATOR.join(paragraphs)
            start = 0
            for text in paragraphs:
                number = len(made)
                made.append(
                    Chunk(
                        f"{document_id}:{number}", document_id, number, ordinal, ordinal + 1,
                        start, start + len(text), text,
                    )
                )  # fmt: skip
                start += len(text) + len(SEPARATOR)
        self.chunks += made
        self.documents[document_id] = Document(
            document_id, self.session_id, name, name, DocumentKind.TEXT, DocumentState.READY,
            chunks=len(made), searched=searched,
        )  # fmt: skip
        ids = [chunk.id for chunk in made]
        self.vectors.add(self.session_id, ids, self.embedder.embed([c.text for c in made]))
        self.lexical.add(self.session_id, made, [""] * len(made), "en")
        return document_id

    def set_state(self, document_id: str, state: DocumentState) -> None:
        """Put a document into another state."""
        self.documents[document_id] = replace(self.documents[document_id], state=state)

    def retriever(self, reranker: Reranker | None = None) -> Retriever:
        """The search over this library."""
        catalogue = SimpleNamespace(documents=self, content=self)
        return Retriever(catalogue, self.vectors, self.lexical, self.embedder, lambda _: reranker)

    # ------------------------------------------------- what the search asks of a catalogue

    def ready(self, session_id: str, searched_only: bool = True) -> dict[str, Document]:
        return {
            key: document
            for key, document in self.documents.items()
            if document.state is DocumentState.READY and (document.searched or not searched_only)
        }

    def chunks_by_id(self, session_id: str, ids: Sequence[str]) -> dict[str, Chunk]:
        return {chunk.id: chunk for chunk in self.chunks if chunk.id in set(ids)}

    def page_chunks(self, session_id: str, document_id: str, page_ordinal: int) -> list[Chunk]:
        place = (document_id, page_ordinal)
        return [c for c in self.chunks if (c.document_id, c.page_ordinal) == place]

    def page_texts(
        self, session_id: str, places: Iterable[tuple[str, int]]
    ) -> dict[tuple[str, int], str]:
        return {key: self.texts[key] for key in places if key in self.texts}
