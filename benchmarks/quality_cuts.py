"""How documents are cut, and what of a chunk is embedded, side by side on golden sets.

    python -m benchmarks.quality_cuts --data DIR [--sets ...] [--cuts ...] [--thin 3] [--cache DIR]

Each way of cutting is searched with the program's default search (ten hits, no reranker). Questions
fall into two halves by their ids: the way is chosen on the first half and reported on the second.
A star marks a difference to the default with p < 0.05 over all questions (paired permutation test).
Besides the measure that each set is known by there is what a reader gets for as much text: whether
something right is among the hits that `--read` characters hold, alone and joined with neighbours.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from benchmarks.quality_measures import Scores, mean, p_value, scores
from benchmarks.quality_search import search_whole, searchable
from benchmarks.quality_sets import Bed, Cut, read_bed
from benchmarks.quality_vectors import CachedEmbedder
from core.config import load_settings
from core.models.embedding import load_embedder
from core.models.embedding_text import embedding_text
from core.types import Chunk, Hit, SearchOptions

SETS = {"financebench": "hit@5", "python-docs": "recall@10", "squad": "alone"}
"""What is measured, with the measure by which a way of cutting is chosen."""

ALONE, JOINED = "alone", "joined"
_SURE = 0.05
_OPTIONS = SearchOptions(top_k=10, rerank=False)


def bare_text(chunk: Chunk, title: str) -> str:
    """What is embedded without title and headings."""
    return chunk.text


def titled_text(chunk: Chunk, title: str) -> str:
    """What is embedded without headings."""
    return f"{title}\n\n{chunk.text}" if title else chunk.text


@dataclass(frozen=True)
class Way:
    """One way to cut documents and to embed the chunks."""

    cut: Cut
    text_of: Callable[[Chunk, str], str] = embedding_text


DEFAULT = "1000, 150"
WAYS = {
    DEFAULT: Way(Cut(1000, 150)),
    "500, 75": Way(Cut(500, 75)),
    "700, 100": Way(Cut(700, 100)),
    "1000, 0": Way(Cut(1000, 0)),
    "1500, 200": Way(Cut(1500, 200)),
    "1000, 150, title alone": Way(Cut(1000, 150), titled_text),
    "1000, 150, neither title nor headings": Way(Cut(1000, 150), bare_text),
}
"""By their names: size and overlap in characters."""

Table = dict[str, dict[str, dict[str, Scores]]]
"""By set, way and measure: one value a question."""


def measure(bed: Bed, way: Way, embedder: CachedEmbedder, read: int) -> dict[str, Scores]:
    """The measures of one way on one set; `read` is in characters."""
    with searchable(bed, embedder, way.text_of) as retriever:
        found = {query: res.hits for query, res in search_whole(retriever, bed, _OPTIONS)}
    by_id = {chunk.id: chunk for chunk in bed.chunks}
    values = scores(bed, {query: _units(bed, hits) for query, hits in found.items()})
    for name in (ALONE, JOINED):
        values[name] = {
            query: float(bool(bed.qrels[query].keys() & _read(bed, by_id, hits, read, name)))
            for query, hits in found.items()
        }
    return values


def _units(bed: Bed, hits: Sequence[Hit]) -> list[str]:
    units = [bed.unit(hit.chunk) for hit in hits]
    return [
        f"{unit} again at {at}" if unit in units[:at] else unit for at, unit in enumerate(units)
    ]


def _read(
    bed: Bed, by_id: Mapping[str, Chunk], hits: Sequence[Hit], room: int, name: str
) -> set[str]:
    """The units that stand whole in what is read."""
    joined = name == JOINED
    texts = [hit.context if joined else hit.chunk.text for hit in hits]
    ends = accumulate(len(text) for text in texts)
    units: set[str] = set()
    for hit, end in zip(hits, ends, strict=True):
        if end <= room:
            units |= {bed.unit(c) for c in (_within(hit, by_id) if joined else [hit.chunk])}
    return units


def _within(hit: Hit, by_id: Mapping[str, Chunk]) -> list[Chunk]:
    """The chunks that stand whole in a hit's context."""
    own = hit.chunk
    ids = [f"{own.document_id}:{own.ordinal + step}" for step in (-1, 0, 1)]
    near = [by_id[key] for key in ids if key in by_id]
    return [
        chunk
        for chunk in near
        if chunk.page_ordinal == own.page_ordinal
        and hit.context_start <= chunk.start
        and chunk.end <= hit.context_end
    ]


# ----------------------------------------------------------------------------------- the tables


def first_half(query: str) -> bool:
    """Whether a question is one of those that the way is chosen on."""
    return hashlib.sha256(query.encode()).digest()[0] % 2 == 0


def half_of(values: Scores, first: bool) -> Scores:
    """The questions of one half."""
    return {query: value for query, value in values.items() if first_half(query) == first}


def chosen(table: Table) -> dict[str, float]:
    """For each way the mean over the sets of its measure on the first half, to the default's."""
    found: dict[str, float] = {}
    for way in next(iter(table.values())):
        shares = []
        for name, ways in table.items():
            measured = SETS[name]
            base = mean(half_of(ways[DEFAULT][measured], True))
            shares.append(mean(half_of(ways[way][measured], True)) / base if base else 1.0)
        found[way] = sum(shares) / len(shares)
    return found


def report(table: Table, read: int) -> str:
    """One row a way: the choice on the first half, then each measure of the second and of all."""
    relative = chosen(table)
    best = max(relative, key=lambda way: relative[way])
    heads = ["size, overlap", "first half, to the default"]
    for name in table:
        if SETS[name] != ALONE:
            heads.append(f"{name} {SETS[name]}: second half; all")
        heads.append(f"{name} in {read:,} characters: second half; all; joined, all")
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for way, share in relative.items():
        cells = [f"**{way}**" if way == best else way, f"{share:.3f}"]
        for name, ways in table.items():
            base, ours = ways[DEFAULT], ways[way]
            if SETS[name] != ALONE:
                cells.append(_halves(ours, base, SETS[name]))
            cells.append(f"{_halves(ours, base, ALONE)}; {_all(ours, base, JOINED)}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _halves(ours: Mapping[str, Scores], base: Mapping[str, Scores], name: str) -> str:
    return f"{mean(half_of(ours[name], False)):.3f}; {_all(ours, base, name)}"


def _all(ours: Mapping[str, Scores], base: Mapping[str, Scores], name: str) -> str:
    star = "*" if p_value(ours[name], base[name]) < _SURE else ""
    return f"{mean(ours[name]):.3f}{star}"


def main(arguments: list[str] | None = None) -> int:
    """The command line; 0 when everything was measured."""
    given = _arguments(arguments)
    embedder = CachedEmbedder(load_embedder(load_settings()), given.cache)
    table: Table = {}
    for name in given.sets:
        every = given.thin if name == "python-docs" else 1
        for way in dict.fromkeys((DEFAULT, *given.cuts)):
            began, cut = time.monotonic(), WAYS[way].cut
            bed = read_bed(given.data, name, cut, given.cache, given.limit, every)
            table.setdefault(name, {})[way] = measure(bed, WAYS[way], embedder, given.read)
            counts = f"{len(bed.documents)} documents, {len(bed.chunks)} chunks"
            counts += f", {len(bed.queries)} questions"
            seconds = time.monotonic() - began
            print(f"{name}, {way}: {counts}, {seconds:.0f} s", file=sys.stderr, flush=True)
    print(report(table, given.read))
    if given.json:
        numbers = {
            name: {way: {key: mean(v) for key, v in found.items()} for way, found in ways.items()}
            for name, ways in table.items()
        }
        given.json.write_text(json.dumps(numbers, indent=1) + "\n", "utf-8")
    return 0


def _arguments(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality_cuts", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with all sets")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=tuple(SETS), metavar="SET")
    parser.add_argument("--cuts", nargs="+", choices=WAYS, default=tuple(WAYS), metavar="CUT")
    parser.add_argument(
        "--thin", type=int, default=3, help="take each n-th page of the Python docs"
    )
    parser.add_argument("--limit", type=int, default=1_000, help="at most so many questions a set")
    parser.add_argument("--read", type=int, default=4_000, help="characters that are read")
    parser.add_argument("--cache", type=Path, default=Path(".cache/quality"), metavar="DIR")
    parser.add_argument("--json", type=Path, help="write every measure to this file")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
