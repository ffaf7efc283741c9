"""Embedding models side by side on judged collections: how well, how fast, how large, how dear.

    python -m benchmarks.embedders --data DIR --models all-MiniLM-L6-v2 ollama/nomic-embed-text

DIR is that of `benchmarks.quality`. A model is named as in EMBEDDING_MODEL: the bundled one, a
folder, a name on the hub, or a provider's. One that cannot be had is said, and left out. Each is
searched alone (the dense side) and as the program searches (both sides); a star is a difference to
the first model with p < 0.05. Cost is that of MODEL_PRICES, by an estimate of the tokens read. A
second table has the cut-off of the preset python-docs as it is measured for each model and set.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.quality_measures import Scores, mean, p_value, scores
from benchmarks.quality_search import search_all, searchable
from benchmarks.quality_sets import BEIR, GOLDEN, LANGUAGES, Bed, Cut, read_bed
from benchmarks.quality_settings import SETTINGS
from benchmarks.quality_vectors import CachedEmbedder, Vectors
from core.config import Settings, load_settings
from core.errors import AppError
from core.models.embedding import load_embedder
from core.models.port import Embedder, Progress
from core.retrieval.retriever import Retriever
from core.text.token_estimate import estimate

SIDES = {"dense alone": "dense", "balanced": "both sides"}
_SURE = 0.05


class Timed:
    """An embedder that counts what it is asked: texts, seconds and tokens by estimate."""

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.digest = embedder.name, embedder.digest
        self.dimension = embedder.dimension
        self._embedder = embedder
        self.passages = self.queries = self.tokens = 0
        self.passage_seconds = self.query_seconds = 0.0

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """See `Embedder.embed`."""
        began = time.monotonic()
        vectors = self._embedder.embed(texts, progress=progress)
        self.passage_seconds += time.monotonic() - began
        self.passages += len(texts)
        self.tokens += sum(map(estimate, texts))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        began = time.monotonic()
        vector = self._embedder.embed_query(text)
        self.query_seconds += time.monotonic() - began
        self.queries += 1
        self.tokens += estimate(text)
        return vector


@dataclass(frozen=True)
class Kept:
    """The least likeness, and which shares of pairs of a query and a passage reach it."""

    least: float
    right: float
    others: float


@dataclass
class Row:
    """One model: the values of each set and side by query, and what it took; or why it is not."""

    model: str
    found: dict[tuple[str, str], Scores] = field(default_factory=dict)
    dimension: int = 0
    per_second: float = 0.0
    query_ms: float = 0.0
    dollars: float | None = None
    reason: str = ""
    kept: dict[str, Kept] = field(default_factory=dict)


def measure(model: str, beds: Mapping[str, Bed], settings: Settings) -> Row:
    """Embed and search every bed with one model. A model that cannot be had has a reason."""
    row = Row(model)
    options = {setting.name: setting.options for setting in SETTINGS}
    try:
        timed = Timed(load_embedder(settings.model_copy(update={"embedding_model": model})))
        row.dimension = timed.dimension
        for name, bed in beds.items():
            with tempfile.TemporaryDirectory(prefix="footnote-embedders-") as folder:
                embedder = CachedEmbedder(timed, Path(folder))
                with searchable(bed, embedder) as retriever:
                    for setting in SIDES:
                        run = search_all(retriever, bed, options[setting])
                        row.found[name, setting] = scores(bed, run)[bed.measure]
                    row.kept[name] = kept(retriever, bed)
    except AppError as error:
        return Row(model, reason=f"{error.message} {error.cure}".strip())
    row.per_second = timed.passages / max(timed.passage_seconds, 1e-9)
    row.query_ms = 1000 * timed.query_seconds / max(timed.queries, 1)
    price = settings.prices.get(model, settings.prices.get(model.partition("/")[2]))
    row.dollars = None if price is None else timed.tokens * price[0] / 1_000_000
    return row


def kept(retriever: Retriever, bed: Bed) -> Kept:
    """What the cut-off that is measured for the model leaves of a bed."""
    corpus = retriever.corpus("")
    least = corpus.cut_off_of(corpus)
    found = corpus.vectors_of([chunk.id for chunk in bed.chunks], {})
    passages = np.stack([found[chunk.id] for chunk in bed.chunks])
    queries = np.stack([corpus.embedder.embed_query(text) for text in bed.queries.values()])
    units = [bed.unit(chunk) for chunk in bed.chunks]
    right = np.array(
        [[bed.qrels.get(query, {}).get(unit, 0) > 0 for unit in units] for query in bed.queries]
    )
    over = queries @ passages.T >= least
    return Kept(least, float(over[right].mean()), float(over[~right].mean()))


def cut_offs(rows: Sequence[Row], beds: Mapping[str, Bed]) -> str:
    """One row a model, one column a set: cut-off; share of right pairs over it, and of others."""
    lines = [f"| {' | '.join(['cut-off; right, others over it', *beds])} |"]
    lines.append("|---" * (len(beds) + 1) + "|")
    for row in rows:
        if not row.reason:
            cells = [f"{k.least:.2f}; {k.right:.2f}, {k.others:.3f}" for k in row.kept.values()]
            lines.append(f"| {' | '.join([row.model, *cells])} |")
    return "\n".join(lines)


def markdown(rows: Sequence[Row], beds: Mapping[str, Bed]) -> str:
    """One row a model, two columns a set, then dimension, speed and cost; then what is missing."""
    head = [f"{n} ({bed.measure}), {side}" for n, bed in beds.items() for side in SIDES.values()]
    head = ["model", *head, "dimension", "passages a second", "ms a query", "$ in all"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    there = [row for row in rows if not row.reason]
    for row in there:
        cells = [_cell(row, there[0], (name, side)) for name in beds for side in SIDES]
        cost = "-" if row.dollars is None else f"{row.dollars:.4f}"
        cells += [str(row.dimension), f"{row.per_second:.0f}", f"{row.query_ms:.0f}", cost]
        lines.append(f"| {' | '.join([row.model, *cells])} |")
    missing = [f"- {row.model} was not measured. {row.reason}" for row in rows if row.reason]
    return "\n".join([*lines, *([""] if missing else []), *missing])


def _cell(row: Row, first: Row, column: tuple[str, str]) -> str:
    ours, baseline = row.found[column], first.found[column]
    sure = row is not first and p_value(ours, baseline) < _SURE
    return f"{mean(ours):.3f}{'*' if sure else ''}"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 1 where no model could be measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.embedders", description=__doc__)
    sets = (*BEIR, *GOLDEN, *LANGUAGES)
    parser.add_argument("--data", type=Path, required=True, help="the folder with all sets")
    parser.add_argument("--models", nargs="+", default=["all-MiniLM-L6-v2"], metavar="MODEL")
    parser.add_argument("--sets", nargs="+", choices=sets, default=["adi", "med"], metavar="SET")
    parser.add_argument("--cache", type=Path, default=Path(".cache/quality"), metavar="DIR")
    parser.add_argument("--limit", type=int, help="at most so many queries of each set")
    given = parser.parse_args(arguments)
    settings = load_settings()
    beds = {
        name: read_bed(given.data, name, Cut(), given.cache, given.limit) for name in given.sets
    }
    rows = [measure(model, beds, settings) for model in given.models]
    print(markdown(rows, beds), cut_offs(rows, beds), sep="\n\n")
    return int(all(row.reason for row in rows))


if __name__ == "__main__":
    sys.exit(main())
