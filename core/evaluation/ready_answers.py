"""Score a CSV of ready answers: of another program, or of a model that was asked elsewhere (pure).

A row is a question with what was retrieved for it, the answer and the expected answer. Nothing is
asked or searched; the measures are those of a run, and one of meaning.
"""

from __future__ import annotations

import ast
import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.citations.mark import plain_words
from core.errors import InvalidRequest
from core.evaluation.measures.answer import token_f1
from core.evaluation.measures.grounding import hallucination_flags
from core.evaluation.runs.exporting import csv_table
from core.models.port import Vectors

COLUMNS = ("question", "retrieved_chunks", "llm_answer", "expected_answer")
MEASURES: dict[str, str] = {
    "cosine": "Cosine of answer and expected answer by the embedding model, -1 to 1.",
    "f1": "Words in common with the expected answer, F1, 0 to 1.",
    "novel": "Content words that are in no chunk, 0 to 1.",
    "flag_tokens": "Over half of the content words are in no chunk, 0 or 1.",
    "flag_names": "A name or number is in no chunk, 0 or 1.",
    "similarity": "TF-IDF cosine with the nearest chunk, 0 to 1.",
    "flag_tfidf": "No chunk is similar (TF-IDF cosine below 0.1), 0 or 1.",
}
"""What is measured, and what it means. The flags are those of a run: `hallucination_flags`."""

MOST_ROWS = 5_000
_MOST_BYTES = 50 << 20
_TEXT_KEYS = ("text", "page_content", "content", "chunk")
_FORM = f"Give a CSV in UTF-8 with the columns {', '.join(COLUMNS)}."


@dataclass(frozen=True, slots=True)
class ReadyAnswer:
    """One row of the file."""

    question: str
    chunks: tuple[str, ...]
    answer: str
    expected: str


@dataclass(frozen=True, slots=True)
class Scored:
    """An answer with its measures by name; None where there is nothing to compare with."""

    row: ReadyAnswer
    measures: Mapping[str, float | None]


def read_ready_answers(name: str, data: bytes) -> list[ReadyAnswer]:
    """Return the rows of a file. Raises `InvalidRequest` with what cannot be read.

    `retrieved_chunks` is a list, as JSON or as Python prints it, of texts or of objects with the
    text under "text", "page_content", "content" or "chunk"; anything else is one chunk.
    """
    if len(data) > _MOST_BYTES:
        raise InvalidRequest(f"{name} is larger than {_MOST_BYTES >> 20} MB.", "Split it.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidRequest(f"{name} is not in UTF-8.", "Save it as UTF-8.") from None
    rows = list(_rows(name, text))
    if not rows:
        raise InvalidRequest(f"{name} has no answers.", _FORM)
    if len(rows) > MOST_ROWS:
        raise InvalidRequest(f"{name} has more than {MOST_ROWS:,} rows.", "Split it.")
    return rows


def _rows(name: str, text: str) -> Iterator[ReadyAnswer]:
    # A cell with all retrieved chunks is easily longer than the 131,072 characters of the default.
    known = csv.field_size_limit(_MOST_BYTES)
    try:
        table = csv.DictReader(io.StringIO(text, newline=""))
        titles = [(title or "").strip().lower() for title in table.fieldnames or ()]
        lacking = [column for column in COLUMNS if column not in titles]
        if lacking:
            raise InvalidRequest(f"{name} has no column named {' or '.join(lacking)}.", _FORM)
        table.fieldnames = titles
        for row in table:
            cells = {column: (row[column] or "").strip() for column in COLUMNS}
            if any(cells.values()):
                yield ReadyAnswer(
                    cells["question"],
                    tuple(_chunks(cells["retrieved_chunks"])),
                    cells["llm_answer"],
                    cells["expected_answer"],
                )
    except csv.Error as error:
        raise InvalidRequest(f"{name} cannot be read as a CSV: {error}.", _FORM) from None
    finally:
        csv.field_size_limit(known)


def _chunks(cell: str) -> Iterator[str]:
    listed = _listed(cell) if cell.startswith("[") else None
    for one in [cell] if listed is None else listed:
        if isinstance(one, Mapping):
            one = next((one[key] for key in _TEXT_KEYS if key in one), "")
        if str(one).strip():
            yield str(one)


def _listed(cell: str) -> list[object] | None:
    """Return the list that a cell writes out, None if it is plain text after all."""
    for read in (json.loads, ast.literal_eval):
        try:
            found = read(cell)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        if isinstance(found, list):
            return found
    return None


def scored(rows: Sequence[ReadyAnswer], embed: Callable[[Sequence[str]], Vectors]) -> list[Scored]:
    """Return each row with its measures; marks such as [1] in an answer are not counted.

    `embed` gives a vector of length 1 for each text. A row without an expected answer has no
    cosine and no F1, one without chunks no flags, one without an answer neither cosine nor flags.
    """
    answers = [plain_words(row.answer) for row in rows]
    both = [at for at, row in enumerate(rows) if answers[at] and row.expected]
    cosines: dict[int, float] = {}
    if both:
        left = embed([answers[at] for at in both])
        right = embed([rows[at].expected for at in both])
        found = (left * right).sum(axis=1)
        cosines = {at: float(value) for at, value in zip(both, found, strict=True)}
    return [
        Scored(row, _measures(row, answers[at], cosines.get(at))) for at, row in enumerate(rows)
    ]


def _measures(row: ReadyAnswer, answer: str, cosine: float | None) -> dict[str, float | None]:
    flags = hallucination_flags(answer, row.chunks, row.question)
    return {
        "cosine": cosine,
        "f1": token_f1(answer, [row.expected]) if row.expected else None,
        "novel": flags.novel,
        "flag_tokens": flags.by_tokens,
        "flag_names": flags.by_names,
        "similarity": flags.similarity,
        "flag_tfidf": flags.by_tfidf,
    }


def averages(found: Sequence[Scored]) -> dict[str, float | None]:
    """Return the mean of each measure over the rows that have it, None where none has."""
    means: dict[str, float | None] = {}
    for name in MEASURES:
        values = [value for one in found if (value := one.measures[name]) is not None]
        means[name] = sum(values) / len(values) if values else None
    return means


def as_csv(found: Sequence[Scored]) -> str:
    """Return question, answer and expected answer with the measures, a row each."""
    rows = [
        {
            "question": one.row.question,
            "llm_answer": one.row.answer,
            "expected_answer": one.row.expected,
            "chunks": len(one.row.chunks),
            **one.measures,
        }
        for one in found
    ]
    return csv_table(rows, list(rows[0]) if rows else [])
