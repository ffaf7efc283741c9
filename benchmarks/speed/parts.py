"""The parts of the bench. Each gives a table: what was measured, ours, the chain, the ratio."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import numpy as np

from benchmarks.speed.corpus import Vectors, make_corpus, real_passages
from benchmarks.speed.environment import ROOT, SIDES, run
from core.config import load_settings
from core.storage.vectors.chroma.store import ChromaStore
from core.types import SearchOptions

Figures = dict[str, dict[str, float]]
"""By side (`ours`, `chain`) and name."""

_SESSION = "00000000-0000-4000-8000-000000000000"
_EMBEDDED = 256
_ASKED = 50


def scale(data: Path, cache: Path, count: int, sides: tuple[str, ...] = SIDES) -> Figures:
    """Store and search a library of `count` chunks whose vectors are there already."""
    corpus = make_corpus(data, cache, count)
    found: Figures = {}
    for side in sides:
        with _work(cache) as work:
            k = SearchOptions().top_k
            job = {"corpus": str(corpus.folder), "work": str(work), "k": k}
            built = run(side, job | {"task": "build"}, cache)
            searched = run(side, job | {"task": "search"}, cache)
        found[side] = {
            "seconds to store": built["seconds"],
            "processor seconds to store": built["cpu"],
            "MB on disk": built["disk"] / 1e6,
            "peak MB while storing": built["memory"],
            "seconds from start to first search": searched["open"],
            "ms a search, p50": searched["p50"],
            "ms a search, p95": searched["p95"],
            "processor ms a search": searched["cpu"],
            "times as long within one document": searched["filter"],
            "peak MB while searching": searched["memory"],
        }
    return found


def pdfs(folder: Path, cache: Path, limit: int) -> Figures:
    """Add PDFs, from the file to the first search; `limit` of them at even distances."""
    files = sorted(str(path) for path in folder.rglob("*.pdf"))
    files = files[:: max(1, len(files) // limit)][:limit]
    settings = load_settings({}, None)
    cut = {"size": settings.chunk_size, "overlap": settings.chunk_overlap}
    found: Figures = {}
    for side in SIDES:
        with _work(cache) as work:
            done = run(side, {"task": "pdfs", "files": files, "work": str(work), **cut}, cache)
        found[side] = {
            "seconds": done["seconds"],
            "processor seconds": done["cpu"],
            "pages": done["pages"],
            "chunks": done["chunks"],
            "characters": done["characters"],
            "MB on disk, less the originals": (done["disk"] - done.get("originals", 0)) / 1e6,
            "peak MB": done["memory"],
        }
    return found


def embedding(data: Path, cache: Path) -> Figures:
    """Passages and queries a second, and how near the vectors of both sides are."""
    passages, _ = real_passages(data, cache)
    texts = passages[:: max(1, len(passages) // _EMBEDDED)][:_EMBEDDED]
    with _work(cache) as work:
        (work / "texts.json").write_text(json.dumps(texts), "utf-8")
        asked = [text[:80] for text in texts[:_ASKED]]
        job = {"task": "embed", "texts": str(work / "texts.json"), "queries": asked}
        found: Figures = {}
        for side in SIDES:
            done = run(side, job | {"vectors": str(work / f"{side}.npy")}, cache)
            found[side] = {
                "passages a second": done["rate"],
                "processor ms a passage": done["cpu"],
                "ms a query, p50": done["query"],
            }
        a, b = (np.load(work / f"{side}.npy") for side in SIDES)
    found["ours"]["mean cosine to the chain's"] = float((a * b).sum(axis=1).mean())
    return found


def recall(data: Path, cache: Path, count: int = 10_000) -> Figures:
    """recall@50 of the vector index against exact search: real vectors and random directions."""
    chance = np.random.default_rng(7)
    spread = chance.normal(size=(count, 384)).astype(np.float32)
    corpus = make_corpus(data, cache, count)
    passages = real_passages(data, cache)[1]
    sets = {
        f"{len(passages):,} passages": passages,
        f"library of {count:,} chunks": np.array(corpus.vectors()),
        f"{count:,} random directions": spread / np.linalg.norm(spread, axis=1, keepdims=True),
    }
    return {"ours": {name: _recall(vectors, cache) for name, vectors in sets.items()}}


def _recall(vectors: Vectors, cache: Path, k: int = 50) -> float:
    chance = np.random.default_rng(11)
    with _work(cache) as work:
        store = ChromaStore(load_settings({"CHROMA_DIR": str(work)}, None))
        store.add(_SESSION, [f"d:{n}" for n in range(len(vectors))], vectors)
        shares = []
        for row in chance.integers(0, len(vectors), 100).tolist():
            noise = chance.normal(0, 0.02, (vectors.shape[1],))
            query = np.asarray(vectors[row] + noise, np.float32)
            query /= np.linalg.norm(query)
            exact = set(np.argsort(-(vectors @ query))[:k].tolist())
            near = {int(key.partition(":")[2]) for key, _ in store.query(_SESSION, query, k)}
            shares.append(len(exact & near) / k)
        store.close()
    return float(np.mean(shares))


def startup(cache: Path) -> Figures:
    """Seconds from starting the program to its first page, to ready, and of its imports."""
    with _work(cache) as work, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        paths = {"DATA_DIR": work / "data", "CHROMA_DIR": work / "chroma", "PORT": port}
        environ = {name: str(value) for name, value in paths.items()} | {"HF_HUB_OFFLINE": "1"}
        began = time.perf_counter()
        process = subprocess.Popen(
            ["env", *(f"{k}={v}" for k, v in environ.items()), sys.executable, "serve.py"],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            url = f"http://127.0.0.1:{port}"
            page = _until(f"{url}/", began)
            ready = _until(f"{url}/api/ready", began)
        finally:
            process.terminate()
            process.wait(30)
    return {
        "ours": {
            "seconds to the first page": page,
            "seconds until ready to search": ready,
            "seconds to import the service": _import_seconds("core.service"),
            "seconds to import the API": _import_seconds("core.api"),
        }
    }


def _until(url: str, began: float) -> float:
    while time.perf_counter() - began < 180:
        try:
            if httpx.get(url, trust_env=False, timeout=30).status_code == 200:
                return time.perf_counter() - began
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise SystemExit(f"{url} does not answer")


def _import_seconds(module: str) -> float:
    command = [sys.executable, "-X", "importtime", "-c", f"import {module}"]
    lines = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stderr
    own = re.findall(r"import time:\s+(\d+) \|", lines)
    return sum(map(int, own)) / 1e6


@contextmanager
def _work(cache: Path) -> Iterator[Path]:
    """A folder on the disk of the cache, gone afterwards."""
    cache.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="work-", dir=cache))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
