"""Whether a passage that stands in two versions of a document is found once, with both places.

    python -m benchmarks.repeated --data DIR [--reports 4] [--cache DIR]

The smallest reports of financebench are put into one library with a changed version of each, and
asked for their own sentences, with the program's default search. A hit is "again" if nearly all
of it (0.8 of its runs of three words) stands in better hits. A hit that was left out for saying
the same is "lost" if it holds a figure that the better hit does not: that must not happen.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from unittest.mock import patch

from benchmarks.quality_search import search_whole, searchable
from benchmarks.quality_sets import Bed, loaded_documents
from benchmarks.quality_vectors import CachedEmbedder
from core.config import load_settings
from core.ingestion.chunking import chunk_document
from core.models.embedding import load_embedder
from core.types import Chunk, Document, DocumentState, Hit, LoadedDocument, Page, SearchOptions

_AGAIN = 0.8
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_WORD = re.compile(r"\w+")
_NUMBER = re.compile(r"\d[\d.,]*")
_OWN_EDGE = re.compile(r"^(Final version|Draft) of .* 2023$|^Investor relations, page .*$", re.M)
_EVERY = 3  # chunk of a report is asked for
Change = Callable[[str, int, random.Random], str]
"""A page's text and ordinal, and chance: the text in the other version."""


def copied(text: str, page: int, chance: random.Random) -> str:
    """Word for word."""
    return text


def edges(text: str, page: int, chance: random.Random) -> str:
    """Another running header and footer."""
    return f"Final version of 12 June 2023\n{text}\nInvestor relations, page {page + 3} of 240"


def own_edges(text: str, page: int, chance: random.Random) -> str:
    """The header and footer of the first version."""
    return f"Draft of 3 May 2023\n{text}\nInvestor relations, page {page + 1} of 238"


def inserted(text: str, page: int, chance: random.Random) -> str:
    """Two sentences more at the beginning of each page, so that it is cut elsewhere."""
    return (
        "This section was reviewed by the committee before it was published. Its members thank all "
        f"who sent remarks on the earlier version, which were answered in full.\n\n{text}"
    )


def reworded(text: str, page: int, chance: random.Random) -> str:
    """One word of sixty is another."""
    return re.sub(
        r"\b[a-z]{5,}\b",
        lambda found: "accordingly" if chance.random() < 1 / 30 else found.group(),
        text,
    )


def refigured(text: str, page: int, chance: random.Random) -> str:
    """One figure of four is another: passages that differ in what matters."""
    return _NUMBER.sub(
        lambda found: (
            f"{found.group()[:-1]}{chance.randint(0, 9)}{chance.randint(1, 9)}"
            if chance.random() < 0.25
            else found.group()
        ),
        text,
    )


CHANGES: dict[str, tuple[Change, Change]] = {
    "copied": (copied, copied),
    "other header and footer": (own_edges, edges),
    "two sentences more on each page": (copied, inserted),
    "one word of sixty changed": (copied, reworded),
    "one figure of four changed": (copied, refigured),
}
"""By name how both versions are made."""


@dataclass(frozen=True)
class Figures:
    """Of one kind of change, a question: hits that are there again, what was left out and lost."""

    questions: int
    again: float
    left_out: float
    lost: float


def alike(texts: Sequence[str], vectors: object = None, bare: object = None) -> list[int | None]:
    """The plain rule to hold ours against: 0.9 of all runs in both (Jaccard), and all numbers."""
    seen: list[tuple[int, set[str], set[tuple[str, ...]]]] = []
    found: list[int | None] = []
    for position, text in enumerate(texts):
        words = _WORD.findall(text.lower())
        numbers = {word for word in words if any(map(str.isdigit, word))}
        runs = set(zip(words, words[1:], words[2:], strict=False)) or {tuple(words)}
        same = (
            first
            for first, own, other in seen
            if own == numbers and len(other & runs) >= 0.9 * len(other | runs)
        )
        found.append(next(same, None))
        if found[-1] is None:
            seen.append((position, numbers, runs))
    return found


def measure(bed: Bed, embedder: CachedEmbedder) -> Figures:
    """Search both versions of the reports."""
    again = left_out = lost = 0
    with searchable(bed, embedder) as retriever:
        for _, found in search_whole(retriever, bed, SearchOptions(rerank=False)):
            again += sum(_is_again(hit, found.hits[:at]) for at, hit in enumerate(found.hits))
            kept = {place: hit for hit in found.hits for place in hit.other_places}
            same = [hit for hit in found.dropped if hit.chunk.id in kept]
            left_out += len(same)
            lost += sum(_loses(hit, kept[hit.chunk.id]) for hit in same)
    asked = len(bed.queries)
    return Figures(asked, again / asked, left_out / asked, lost / asked)


def _is_again(hit: Hit, better: Sequence[Hit]) -> bool:
    runs = _runs(hit)
    known = set().union(*map(_runs, better))
    return len(runs & known) >= _AGAIN * len(runs)


def _runs(hit: Hit) -> set[tuple[str, ...]]:
    words = _WORD.findall(hit.chunk.text.lower())
    return set(zip(words, words[1:], words[2:], strict=False)) or {tuple(words)}


def _loses(hit: Hit, better: Hit) -> bool:
    """Whether a figure of the text is missing; those of the added headers do not count."""
    own, other = (_NUMBER.findall(_OWN_EDGE.sub("", h.chunk.text)) for h in (hit, better))
    return not set(own) <= set(other)


def _bed(reports: Mapping[str, LoadedDocument], first: Change, second: Change) -> Bed:
    """Both versions of all reports, and questions that are sentences of the first."""
    chance = random.Random(1)
    documents: dict[str, Document] = {}
    chunks: list[Chunk] = []
    texts: dict[tuple[str, int], str] = {}
    queries: dict[str, str] = {}
    for name, report in reports.items():
        for key, change in ((f"{name} 1", first), (f"{name} 2", second)):
            pages = [
                Page(page.ordinal, change(page.text, page.ordinal, chance), number=page.number)
                for page in report.pages
                if page.text.strip()
            ]
            found = chunk_document(replace(report, pages=tuple(pages)), key, size=1000, overlap=150)
            chunks += found
            texts |= {(key, page.ordinal): page.text for page in pages}
            state = DocumentState.READY
            documents[key] = Document(key, "", key, key, None, state, chunks=len(found))
            if change is first:
                queries |= {c.id: q for c in found[::_EVERY] if (q := _sentence(c.text))}
    return Bed(
        name="repeated",
        measure="hit@1",
        documents=documents,
        titles={key: key for key in documents},
        languages=dict.fromkeys(documents, "en"),
        chunks=tuple(chunks),
        texts=texts,
        queries=queries,
        qrels={query: {query: 1} for query in queries},
        unit=lambda chunk: chunk.id,
    )


def _sentence(text: str) -> str:
    """The longest sentence of 8 to 30 words, "" if there is none."""
    fitting = [s for s in _SENTENCE.split(text) if 8 <= len(_WORD.findall(s)) <= 30]
    return " ".join(max(fitting, key=len, default="").split())


def report(found: Mapping[str, tuple[Figures, Figures]]) -> str:
    """One row a kind of change: the plain rule, then the program's."""
    lines = [
        "| second version | questions | hits there again | left out as the same | of these, lost |",
        "|---|---|---|---|---|",
    ]
    for name, (plain, ours) in found.items():
        pairs = [
            f"{before:.2f}; {after:.2f}"
            for before, after in (
                (plain.again, ours.again),
                (plain.left_out, ours.left_out),
                (plain.lost, ours.lost),
            )
        ]
        lines.append(f"| {name} | {ours.questions} | {' | '.join(pairs)} |")
    said = "Figures are a question, of 7 hits: by the plain rule; by the program's."
    return "\n".join([*lines, "", said])


def main(arguments: list[str] | None = None) -> int:
    """The command line; 0 when everything was measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.repeated", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with all sets")
    parser.add_argument("--reports", type=int, default=4, help="so many, the smallest ones")
    parser.add_argument("--kinds", nargs="+", choices=CHANGES, default=tuple(CHANGES))
    parser.add_argument("--cache", type=Path, default=Path(".cache/quality"), metavar="DIR")
    given = parser.parse_args(arguments)
    embedder = CachedEmbedder(load_embedder(load_settings()), given.cache)
    every = dict(loaded_documents(given.data, "financebench", given.cache))
    least = sorted(every, key=lambda name: sum(len(page.text) for page in every[name].pages))
    reports = {name: every[name] for name in least[: given.reports]}
    found = {}
    for name in given.kinds:
        bed = _bed(reports, *CHANGES[name])
        with patch("core.retrieval.retriever.repeats", alike):
            plain = measure(bed, embedder)
        found[name] = plain, measure(bed, embedder)
    print(report(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
