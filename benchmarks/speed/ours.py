"""The program's own side of each job, through the parts that serve the pages."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.speed.corpus import Corpus
from benchmarks.speed.measure import cpu_seconds, disk_bytes, peak_mb, spread, timed
from core.config import Settings, load_settings
from core.ids import digest
from core.models.embedding import load_embedder
from core.parsing.language import detect_language
from core.retrieval.retriever import Retriever
from core.storage.catalogue import Catalogue
from core.storage.lexical.tantivy.index import TantivyIndex
from core.storage.vectors.chroma.store import ChromaStore
from core.types import (
    Chunk,
    DocumentKind,
    DocumentState,
    LoadedDocument,
    Page,
    QueryPlan,
    SearchOptions,
)

_CHUNKS_A_PAGE = 3
_SETTLED = (DocumentState.READY, DocumentState.FAILED)


def settings_at(work: Path) -> Settings:
    """The program's defaults with all data below `work`; models stay where they were built."""
    return load_settings({"DATA_DIR": str(work / "data"), "CHROMA_DIR": str(work / "chroma")}, None)


def build(job: dict[str, Any]) -> dict[str, Any]:
    """Store a library whose vectors are there: catalogue, vectors, words, document by document."""
    corpus, work = Path(job["corpus"]), Path(job["work"])
    settings = settings_at(work)
    vectors = np.load(corpus / "vectors.npy", mmap_mode="r")
    began, used = time.perf_counter(), cpu_seconds()
    catalogue, store = Catalogue(settings), ChromaStore(settings)
    lexical = TantivyIndex(settings)
    session = catalogue.sessions.create(catalogue.owners.create("0" * 64), "Library").id
    at = 0
    for name, loaded, chunks in _documents(corpus):
        key = chunks[0].document_id
        catalogue.documents.add(session, key, name, size=sum(len(c.text) for c in chunks))
        catalogue.documents.claim_next()
        catalogue.content.save(session, key, loaded, chunks)
        store.add(session, [c.id for c in chunks], np.array(vectors[at : at + len(chunks)]))
        lexical.add(session, chunks, [name] * len(chunks), language=loaded.language)
        catalogue.documents.mark_ready(session, key, seconds=0.0)
        at += len(chunks)
    seconds = time.perf_counter() - began
    _close(catalogue, store, lexical)
    (work / "session").write_text(session)
    return {
        "seconds": seconds,
        "disk": _disk(work),
        "memory": peak_mb(),
        "cpu": cpu_seconds() - used,
    }


def _documents(folder: Path) -> Iterator[tuple[str, LoadedDocument, list[Chunk]]]:
    """Each document of a corpus with its chunks, as reading and cutting it would give them."""
    with (folder / "chunks.jsonl").open(encoding="utf-8") as lines:
        items = map(json.loads, lines)
        for name, group in groupby(items, key=lambda item: str(item["document"])):
            yield name, *_document(name, [str(item["text"]) for item in group])


def _document(name: str, texts: list[str]) -> tuple[LoadedDocument, list[Chunk]]:
    key = digest(name)
    pages: list[Page] = []
    chunks: list[Chunk] = []
    for start in range(0, len(texts), _CHUNKS_A_PAGE):
        part, ordinal = texts[start : start + _CHUNKS_A_PAGE], len(pages)
        pages.append(Page(ordinal, "\n\n".join(part), number=ordinal + 1))
        at = 0
        for text in part:
            number, end = len(chunks), at + len(text)
            chunks.append(
                Chunk(f"{key}:{number}", key, number, ordinal, ordinal + 1, at, end, text)
            )
            at = end + 2
    language = detect_language(pages)
    return LoadedDocument(DocumentKind.TEXT, tuple(pages), language=language), chunks


def _disk(work: Path) -> int:
    """Bytes of what is kept, less the file that holds space free for a full disk."""
    reserve = work / "data" / "reserve"
    held = reserve.stat().st_blocks * 512 if reserve.is_file() else 0
    return disk_bytes(work / "data") + disk_bytes(work / "chroma") - held


def search(job: dict[str, Any]) -> dict[str, Any]:
    """Search in a fresh process, in the way of the Search page: everything on, no reranker."""
    work, queries = Path(job["work"]), Corpus(Path(job["corpus"]), 0).queries()
    settings, session = settings_at(work), (work / "session").read_text()
    embedder = load_embedder(settings)
    embedder.embed_query("warm up")
    began = time.perf_counter()
    catalogue, store = Catalogue(settings), ChromaStore(settings)
    lexical = TantivyIndex(settings)
    retriever = Retriever(catalogue, store, lexical, embedder)

    def one(query: str) -> None:
        found = retriever.search(session, QueryPlan(query, query, (query,)), SearchOptions())
        assert found.hits, query

    one(queries[0])
    opened = time.perf_counter() - began
    used = cpu_seconds()
    seconds = [timed(partial(one, query)) for query in queries[1:]]
    used = cpu_seconds() - used
    plain = [timed(partial(one, query)) for query in queries[1:21]]
    others = list(catalogue.documents.ready(session))[1:]
    for document in others:
        catalogue.documents.set_searched(session, document, False)
    one(queries[0])
    within = [timed(partial(one, query)) for query in queries[1:21]]
    for document in others:
        catalogue.documents.set_searched(session, document, True)
    _close(catalogue, store, lexical)
    return {
        **spread(seconds),
        "open": opened,
        "memory": peak_mb(),
        "cpu": 1000 * used / len(seconds),
        "filter": spread(within)["p50"] / spread(plain)["p50"],
    }


def _close(catalogue: Catalogue, store: ChromaStore, lexical: TantivyIndex) -> None:
    lexical.close()
    store.close()
    catalogue.close()


def pdfs(job: dict[str, Any]) -> dict[str, Any]:
    """Add PDFs as a person does and wait until all can be searched."""
    from core.service import Service

    work = Path(job["work"])
    service = Service(settings_at(work))
    assert service.wait_ready(120), "not ready"
    session = service.sessions.create(service.owners.for_token(service.new_token()), "Reports")
    began, used = time.perf_counter(), cpu_seconds()
    for path in map(Path, job["files"]):
        service.documents.add_file(session, path.name, path)
    unsettled = True
    while unsettled:
        time.sleep(0.05)
        documents = service.documents.list(session)
        unsettled = any(d.state not in _SETTLED for d in documents)
    seconds = time.perf_counter() - began
    failed = [d.reason for d in documents if d.state is not DocumentState.READY]
    assert not failed, failed
    characters = sum(len(p.text) for d in documents for p in service.documents.pages(session, d.id))
    service.close()
    return {
        "seconds": seconds,
        "pages": sum(d.pages for d in documents),
        "chunks": sum(d.chunks for d in documents),
        "characters": characters,
        "originals": sum(d.size for d in documents),
        "disk": _disk(work),
        "memory": peak_mb(),
        "cpu": cpu_seconds() - used,
    }


def embed(job: dict[str, Any]) -> dict[str, Any]:
    """Embed passages all at once, and queries one by one; vectors go to a file."""
    passages = json.loads(Path(job["texts"]).read_text("utf-8"))
    embedder = load_embedder(load_settings({}, None))
    embedder.embed(passages[:8])
    began, used = time.perf_counter(), cpu_seconds()
    vectors = embedder.embed(passages)
    seconds, used = time.perf_counter() - began, cpu_seconds() - used
    np.save(job["vectors"], vectors)
    queries = [timed(partial(embedder.embed_query, query)) for query in job["queries"]]
    cpu = 1000 * used / len(passages)
    return {"rate": len(passages) / seconds, "cpu": cpu, "query": spread(queries)["p50"]}


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    tasks = {"build": build, "search": search, "pdfs": pdfs, "embed": embed}
    print(json.dumps(tasks[given["task"]](given)))
