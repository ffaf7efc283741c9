"""A bed made searchable by the program's own retriever, and plain BM25 to hold it against."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np

from benchmarks.quality_measures import units
from benchmarks.quality_sets import Bed
from benchmarks.quality_vectors import CachedEmbedder, ExactVectors
from core.config import load_settings
from core.ids import new_id
from core.models.embedding_text import embedding_text
from core.retrieval.retriever import Retriever
from core.storage.lexical.tantivy.index import TantivyIndex
from core.storage.vectors.chroma.store import ChromaStore
from core.types import Chunk, Document, QueryPlan, SearchOptions, SearchResult

Run = dict[str, list[str]]
"""For each query the units found, best first."""

_READ = 4_000  # characters
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Passages:
    """A bed as the retriever sees the catalogue."""

    bed: Bed
    by_id: dict[str, Chunk]

    def ready(self, session_id: str, searched_only: bool = True) -> dict[str, Document]:
        """All documents of the bed."""
        return self.bed.documents

    def chunks_by_id(self, session_id: str, ids: Sequence[str]) -> dict[str, Chunk]:
        """Chunks by their ids."""
        return {key: self.by_id[key] for key in ids if key in self.by_id}

    def page_chunks(self, session_id: str, document_id: str, page_ordinal: int) -> list[Chunk]:
        """The chunks of a page, in order."""
        place = (document_id, page_ordinal)
        return [c for c in self.bed.chunks if (c.document_id, c.page_ordinal) == place]

    def page_texts(
        self, session_id: str, places: Iterable[tuple[str, int]]
    ) -> Mapping[tuple[str, int], str]:
        """Texts of pages."""
        return {key: self.bed.texts[key] for key in places if key in self.bed.texts}


@contextmanager
def searchable(
    bed: Bed, embedder: CachedEmbedder, text_of: Callable[[Chunk, str], str] = embedding_text
) -> Iterator[Retriever]:
    """The bed in indexes of its own: Tantivy as the program has it, vectors searched exactly.

    `text_of` gives what is embedded of a chunk and the title of its document.
    """
    texts = [text_of(chunk, bed.titles[chunk.document_id]) for chunk in bed.chunks]
    vectors = ExactVectors([chunk.id for chunk in bed.chunks], embedder.embed(texts))
    with tempfile.TemporaryDirectory(prefix="footnote-quality-") as folder:
        settings = load_settings({}, env_file=None).model_copy(update={"data_dir": Path(folder)})
        lexical = TantivyIndex(settings)
        _add(lexical, bed)
        try:
            passages = Passages(bed, {chunk.id: chunk for chunk in bed.chunks})
            catalogue = SimpleNamespace(documents=passages, content=passages)
            yield Retriever(catalogue, cast(ChromaStore, vectors), lexical, embedder)
        finally:
            lexical.close()


_SESSION = new_id()
"""The one session of every index made here."""


def _add(lexical: TantivyIndex, bed: Bed) -> None:
    by_language: dict[str, list[Chunk]] = {}
    for chunk in bed.chunks:
        by_language.setdefault(bed.languages[chunk.document_id], []).append(chunk)
    for language, chunks in by_language.items():
        titles = [bed.titles[chunk.document_id] for chunk in chunks]
        lexical.add(_SESSION, chunks, titles, language)


def search_all(retriever: Retriever, bed: Bed, options: SearchOptions) -> Run:
    """The hits of every query of the bed."""
    return {query: units(bed, chunks) for query, chunks in _hits(retriever, bed, options)}


def search_read(retriever: Retriever, bed: Bed, options: SearchOptions) -> tuple[Run, Run]:
    """The hits of every query, and those of them that 4,000 characters of reading hold.

    Long passages hold answers more easily than short ones; for as much text they may hold fewer.
    """
    found = dict(_hits(retriever, bed, options))
    read = {query: units(bed, _first(chunks)) for query, chunks in found.items()}
    return {query: units(bed, chunks) for query, chunks in found.items()}, read


def search_whole(
    retriever: Retriever, bed: Bed, options: SearchOptions
) -> Iterator[tuple[str, SearchResult]]:
    """Every query of the bed with all that the program's search gives."""
    for query, text in bed.queries.items():
        plan = QueryPlan(text, text, (text,))
        yield query, retriever.search(_SESSION, plan, options)


def _hits(
    retriever: Retriever, bed: Bed, options: SearchOptions
) -> Iterator[tuple[str, list[Chunk]]]:
    for query, result in search_whole(retriever, bed, options):
        yield query, [hit.chunk for hit in result.hits]


def _first(chunks: Sequence[Chunk]) -> list[Chunk]:
    ends = accumulate(len(chunk.text) for chunk in chunks)
    return [chunk for chunk, end in zip(chunks, ends, strict=True) if end <= _READ]


# ----------------------------------------------------------------------------------- plain BM25


def plain_bm25(bed: Bed, texts: Mapping[str, str], n: int = 10) -> Run:
    """What rank-bm25 finds among units given with their text: words in lower case, no stems."""
    from rank_bm25 import BM25Okapi

    names = list(texts)
    index = BM25Okapi([_words(text) for text in texts.values()])
    run: Run = {}
    for query, text in bed.queries.items():
        found = index.get_scores(_words(text))
        run[query] = [names[at] for at in np.argsort(-found, kind="stable")[:n]]
    return run


def unit_texts(bed: Bed) -> dict[str, str]:
    """The text of every unit of a bed whose units are places in documents: pages or sections."""
    texts: dict[str, list[str]] = {}
    for chunk in bed.chunks:
        texts.setdefault(bed.unit(chunk), []).append(chunk.text)
    return {unit: "\n".join(parts) for unit, parts in texts.items()}


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
