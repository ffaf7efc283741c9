"""A small folder of sets in the forms of the public ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

ARTICLES = ("Bridges.txt", "Rivers.txt", "Towers.txt", "Harbours.txt", "Castles.txt", "Mills.txt")

TOWNS = ("Arden", "Borum", "Celle")


def write_sets(data: Path) -> None:
    """Articles with three paragraphs and questions, unanswerable ones, and judged replies."""
    rows = []
    for article in ARTICLES:
        name = article.removesuffix(".txt").lower()
        for at, town in enumerate(TOWNS):
            paragraph = (
                f"The {name} of {town} were built in 1{at}04 by the sat family. They are old. "
                f"A storm of 16{at}2 broke one of the {name} of {town}, and the cat sat on the mat."
            )
            source = {"document": article, "quote": paragraph, "page": None, "anchor": None}
            rows.append(_row(f"When were the {name} of {town} built?", [f"1{at}04"], [source]))
            rows.append(_row(f"What broke the {name} of {town}?", ["A storm"], [source]))
    for article in ARTICLES:
        name = article.removesuffix(".txt").lower()
        for verb in ("sold", "bought", "painted", "burned"):
            rows += [_row(f"Who {verb} the {name} of {town}?", [], []) for town in TOWNS]
    _write(data / "golden" / "squad" / "golden.jsonl", rows)
    replies = [
        {"knowledge": f"The cat sat on mat {at}.", "response": f"A cat sat on mat {at}.",
         "message": "", "label": label}
        for at in range(30)
        for label in ("Fully attributable", "Not fully attributable", "Generic")
    ]  # fmt: skip
    _write(data / "qa" / "begin" / "dev.jsonl", replies)
    talk = data / "golden" / "talks" / "documents"
    talk.mkdir(parents=True)
    (talk / "Mills.txt").write_text("The mills.", "utf-8")


def _row(question: str, answers: list[str], sources: list[dict[str, object]]) -> dict[str, object]:
    return {"question": question, "answers": answers, "sources": sources}


def _write(path: Path, rows: Iterable[object]) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
