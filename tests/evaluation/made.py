"""Answers and results made for the tests of the evaluation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.evaluation.golden.sets import GoldenItem
from core.evaluation.runs.results import Result
from core.types import (
    Abstention,
    Answer,
    Chunk,
    Citation,
    Claim,
    Document,
    DocumentKind,
    DocumentState,
    Hit,
    QueryPlan,
    SearchResult,
    Step,
    Support,
)

TEXT = "Tesla was born in Smiljan in 1856. He moved to New York in 1884. He loved pigeons."


def hit(document: str = "d1", page: int | None = 1, text: str = TEXT, dense: float = 0.6) -> Hit:
    chunk = Chunk(f"{document}:0", document, 0, 0, page, 0, len(text), text)
    return Hit(chunk, made_document(document), dense=dense, fused=0.5, rank=1, context=text)


def made_document(key: str = "d1") -> Document:
    state = DocumentState.READY
    return Document(key, "s", f"{key}.pdf", f"{key}.pdf", DocumentKind.PDF, state)


def citation(
    number: int = 1, document: str = "d1", page: int | None = 1, quote: str = ""
) -> Citation:
    return Citation(
        number, f"{document}:0", document, f"{document}.pdf", DocumentKind.PDF, 0, page, 0, 10,
        quote or "He moved to New York in 1884.",
    )  # fmt: skip


def answer(
    text: str = "He moved to New York in 1884. [1]",
    citations: tuple[Citation, ...] | None = None,
    hits: tuple[Hit, ...] | None = None,
    **more: Any,
) -> Answer:
    hits = (hit(),) if hits is None else hits
    claims = (Claim(0, len(text), (1,), Support.VERBATIM),)
    steps = (Step("dense", "", 0.2, 3), Step("lexical", "", 0.1, 3))
    search = SearchResult(QueryPlan("?", "?", ("?",)), hits, steps=steps)
    values: dict[str, Any] = {"claims": claims, "search": search, "seconds": 0.5}
    values |= {"confidence": 0.8, **more}
    return Answer("?", text, (citation(),) if citations is None else citations, **values)


def refusal(confidence: float = 0.1) -> Answer:
    found = answer("The sources do not say.", (), confidence=confidence, claims=())
    return replace(found, abstention=Abstention("Nothing fits.", 1, 3))


def result(
    position: int = 0,
    *,
    tags: tuple[str, ...] = (),
    answerable: bool = True,
    error: str = "",
    **measures: float | None,
) -> Result:
    item = GoldenItem(str(position), f"Question {position}?", ("yes",), answerable, tags=tags)
    return Result(position, item, None, dict(measures), error=error)


def golden(folder: Path) -> Path:
    """Two documents below `folder`, and three questions on them, one of which has no answer."""
    documents = folder / "documents"
    (documents / "b").mkdir(parents=True)
    (documents / "tesla.txt").write_text(
        "Nikola Tesla was born in Smiljan in 1856. He moved to New York in 1884.\n\n"
        "Tesla died on 7 January 1943. He loved pigeons above all.",
        "utf-8",
    )
    (documents / "b" / "oxygen.txt").write_text(
        "Oxygen was discovered by Carl Wilhelm Scheele in Uppsala in 1773.", "utf-8"
    )
    rows = [
        ("When did Nikola Tesla die?", ["7 January 1943"], "tesla.txt"),
        ("Who discovered oxygen?", ["Scheele"], "b/oxygen.txt"),
        ("Which wine goes with grilled octopus?", [], None),
    ]
    path = folder / "golden.jsonl"
    lines = [
        {
            "id": str(at), "question": question, "answers": answers, "answerable": bool(answers),
            "sources": [{"document": document, "page": None}] if document else [],
        }
        for at, (question, answers, document) in enumerate(rows)
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    return path
