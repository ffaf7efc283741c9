"""Test collections in BEIR's layout: corpus.jsonl, queries.jsonl, qrels/SPLIT.tsv.

Source of the layout: Thakur et al., "BEIR: A Heterogeneous Benchmark for Zero-shot Evaluation of
Information Retrieval Models", NeurIPS 2021.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import InvalidRequest

_LAYOUT = "The folder needs corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv (BEIR's layout)."


@dataclass(frozen=True, slots=True)
class Text:
    """A document of the corpus."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents, judged queries, and for each query the grades of relevant documents."""

    documents: tuple[Text, ...]
    queries: dict[str, str]
    qrels: dict[str, dict[str, int]]


def read_collection(folder: Path, split: str | None = None) -> Collection:
    """Read a collection. Without `split`, it must have only one. Raises `InvalidRequest`."""
    documents = tuple(
        Text(str(row["_id"]), str(row.get("title") or ""), str(row["text"]))
        for row in _rows(folder / "corpus.jsonl")
    )
    texts = {str(row["_id"]): str(row["text"]) for row in _rows(folder / "queries.jsonl")}
    qrels = _qrels(_split_file(folder, split))
    unknown = next((query for query in qrels if query not in texts), None)
    if unknown is not None:
        raise InvalidRequest(f"Query {unknown} is judged, but not in queries.jsonl.", _LAYOUT)
    return Collection(documents, {query: texts[query] for query in qrels}, qrels)


def _split_file(folder: Path, split: str | None) -> Path:
    found = sorted((folder / "qrels").glob("*.tsv"))
    names = ", ".join(path.stem for path in found)
    if split is None and len(found) == 1:
        return found[0]
    wanted = next((path for path in found if path.stem == split), None)
    if wanted is None:
        said = f"no split {split}" if split else "more than one split, or none"
        raise InvalidRequest(f"{folder} has {said}.", f"There are: {names or 'none'}. {_LAYOUT}")
    return wanted


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _row(path, number, line)
    except (OSError, UnicodeDecodeError):
        raise InvalidRequest(f"{path} cannot be read.", _LAYOUT) from None


def _row(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError:
        row = None
    if not isinstance(row, dict) or "_id" not in row or "text" not in row:
        raise InvalidRequest(f"{path}, line {number}: no object with _id and text.", _LAYOUT)
    return row


def _qrels(path: Path) -> dict[str, dict[str, int]]:
    """Return grades by query and document; queries without a relevant document are left out."""
    qrels: dict[str, dict[str, int]] = {}
    try:
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row and not (row[0] == "query-id" and row[-1] == "score"):
                    query, document, grade = row
                    qrels.setdefault(query, {})[document] = int(grade)
    except (OSError, UnicodeDecodeError, ValueError):
        raise InvalidRequest(f"{path} is no table of query, document and grade.", _LAYOUT) from None
    return {query: grades for query, grades in qrels.items() if max(grades.values()) > 0}
