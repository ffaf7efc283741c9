"""The test beds of the quality bench: judged collections and golden sets in one form.

A bed is chunks, queries, and for each query the units that are right: documents (BEIR's layout),
pages (financebench), linkable places (python-docs) or the chunks that hold the answer (squad).
"""

from __future__ import annotations

import hashlib
import pickle
import re
import tarfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from core.errors import AppError
from core.evaluation.beir import read_collection
from core.evaluation.golden.sets import GoldenItem, even_sample, read_golden
from core.ingestion.chunking import chunk_document
from core.parsing import load
from core.parsing.language import detect_language, language_of
from core.types import Chunk, Document, DocumentState, LoadedDocument

BEIR = ("scifact", "cran", "med", "adi", "cosqa")
GOLDEN = ("squad", "financebench", "python-docs")
LANGUAGES = tuple(f"xquad-{code}" for code in "ar de el en es ro ru tr zh".split())
MEASURES = {"financebench": "hit@5", "python-docs": "recall@10", "squad": "hit@1"}
_READER = "4"  # of the cache of loaded documents: another one where loading has changed
Unit = Callable[[Chunk], str]


@dataclass(frozen=True)
class Bed:
    """Something to search in, with what is right. `measure` is the one that the set is known by."""

    name: str
    measure: str
    documents: dict[str, Document]
    titles: dict[str, str]
    languages: dict[str, str]
    chunks: tuple[Chunk, ...]
    texts: dict[tuple[str, int], str]  # of pages
    queries: dict[str, str]
    qrels: dict[str, dict[str, int]]
    unit: Unit


@dataclass(frozen=True)
class Cut:
    """How documents are cut into chunks, in characters."""

    size: int = 1000
    overlap: int = 150


def read_bed(
    data: Path, name: str, cut: Cut, cache: Path, limit: int | None = None, every: int = 1
) -> Bed:
    """One of the sets below `data`. `limit` keeps so many of its queries, at even distances.

    With `every`, each n-th document of a golden set alone is kept, with the questions on these.
    """
    if name in BEIR:
        return _judged(data / "retrieval" / name, limit)
    return _golden(data, name, cut, cache, limit, every)


# -------------------------------------------------------------------- judged collections (BEIR)


def _judged(folder: Path, limit: int | None) -> Bed:
    """A document is one chunk, whole."""
    collection = read_collection(folder)
    language = language_of(" ".join(text.text for text in collection.documents[:50]))
    documents, chunks = {}, []
    for number, text in enumerate(collection.documents):
        key = str(number)
        documents[key] = _document(key, text.id, text.title, chunks=1)
        whole = Chunk(f"{key}:0", key, 0, 0, None, 0, len(text.text), text.text)
        chunks.append(whole)
    kept = even_sample(list(collection.queries), limit)
    return Bed(
        name=folder.name,
        measure="ndcg@10",
        documents=documents,
        titles={key: document.title for key, document in documents.items()},
        languages=dict.fromkeys(documents, language),
        chunks=tuple(chunks),
        texts={(chunk.document_id, 0): chunk.text for chunk in chunks},
        queries={query: collection.queries[query] for query in kept},
        qrels={query: collection.qrels[query] for query in kept},
        unit=lambda chunk: documents[chunk.document_id].label,
    )


# --------------------------------------------------------------------------------- golden sets


def _golden(data: Path, name: str, cut: Cut, cache: Path, limit: int | None, every: int) -> Bed:
    folder = data / "golden" / name
    loaded = dict(islice(loaded_documents(data, name, cache), 0, None, every))
    items = [item for item in read_golden(folder / "golden.jsonl") if item.answerable]
    if every > 1:
        items = [i for i in items if all(s.document in loaded for s in i.sources)]
    items = even_sample(items, limit)
    chunks = {
        path: chunk_document(document, path, size=cut.size, overlap=cut.overlap)
        for path, document in loaded.items()
    }
    flat = tuple(chunk for found in chunks.values() for chunk in found)
    unit: Unit = {"financebench": _page, "python-docs": _place}.get(name, _itself)
    return Bed(
        name=name,
        measure=MEASURES.get(name, "hit@1"),
        documents={
            path: replace(
                _document(path, path, document.title, chunks=len(chunks[path])),
                language=document.language,
            )
            for path, document in loaded.items()
        },
        titles={path: document.title or path for path, document in loaded.items()},
        languages={path: document.language for path, document in loaded.items()},
        chunks=flat,
        texts={(path, p.ordinal): p.text for path, doc in loaded.items() for p in doc.pages},
        queries={item.id: item.question for item in items},
        qrels={item.id: dict.fromkeys(_right(item, loaded, chunks, name), 1) for item in items},
        unit=unit,
    )


def _page(chunk: Chunk) -> str:
    return f"{chunk.document_id}#{chunk.page_number}"


def _place(chunk: Chunk) -> str:
    return f"{chunk.document_id}#{chunk.anchor or ''}"


def _itself(chunk: Chunk) -> str:
    return chunk.id


def _right(
    item: GoldenItem,
    loaded: dict[str, LoadedDocument],
    chunks: dict[str, list[Chunk]],
    name: str,
) -> Iterable[str]:
    for source in item.sources:
        if name == "financebench":
            yield f"{source.document}#{source.page}"
        elif name == "python-docs":
            yield f"{source.document}#{source.anchor or ''}"
        else:
            page = loaded[source.document].pages[0].text
            spans = list(_answer_spans(page, source.quote or "", item.answers))
            yield from (
                chunk.id
                for chunk in chunks[source.document]
                if any(chunk.start <= start and end <= chunk.end for start, end in spans)
            )


def _answer_spans(page: str, quote: str, answers: Sequence[str]) -> Iterable[tuple[int, int]]:
    """Where an answer stands within the passage that holds it."""
    words = quote.split()
    passage = re.search(r"\s+".join(map(re.escape, words)), page) if words else None
    if passage is None:
        return
    start = passage.start()
    for answer in answers:
        if wanted := answer.split():
            pattern = r"\s+".join(map(re.escape, wanted))
            for found in re.finditer(pattern, passage.group()):
                yield start + found.start(), start + found.end()


def loaded_documents(data: Path, name: str, cache: Path) -> Iterable[tuple[str, LoadedDocument]]:
    """The documents as the program reads them; kept in the cache, since PDFs take minutes."""
    root = data / "golden" / name / "documents"
    if name == "python-docs":
        root = cache / "python-docs" / "html"
        if not root.is_dir():
            with tarfile.open(data / "archives" / "python-docs-html.tar.xz") as archive:
                archive.extractall(root.parent, filter="data")
    for path in sorted(root.rglob("*.html" if name == "python-docs" else "*")):
        inner = path.relative_to(root).as_posix()
        if path.is_file() and not re.match(r"(genindex|py-modindex|search|contents)", inner):
            try:
                yield inner, _load(path, inner, cache)
            except AppError as error:
                print(f"{name}, {inner}: {error.message}")


def _load(path: Path, name: str, cache: Path) -> LoadedDocument:
    whole = hashlib.sha256(f"{_READER}:{name}:".encode() + path.read_bytes()).hexdigest()
    kept = cache / "loaded" / f"{whole}.pickle"
    if kept.is_file():
        found: LoadedDocument = pickle.loads(kept.read_bytes())  # our own file of the run before
        return found
    loaded = load(path, name=name, ocr=False, progress=lambda share: None)
    loaded = replace(loaded, language=detect_language(loaded.pages) or loaded.language)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pickle.dumps(loaded))
    return loaded


def _document(key: str, name: str, title: str, *, chunks: int) -> Document:
    return Document(
        key, "", name, name, None, DocumentState.READY, title=title, chunks=chunks
    )  # fmt: skip
