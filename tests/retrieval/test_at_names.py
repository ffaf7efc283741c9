"""Names of documents after "@" in a question."""

from __future__ import annotations

import pytest

from core.retrieval.at_names import addressed
from core.types import Document, DocumentKind, DocumentState


def document(key: str, label: str, title: str = "") -> Document:
    kind, state = DocumentKind.PDF, DocumentState.READY
    return Document(key, "s", label, label, kind, state, title=title)


LIBRARY = [
    document("1", "Annual report 2024.pdf"),
    document("2", "report.pdf", "Kalman filters"),
    document("3", "notes/report.pdf"),
    document("4", "dataclasses.html"),
]


@pytest.mark.parametrize(
    ("typed", "asked", "named"),
    [
        ("What is the revenue?", "What is the revenue?", None),
        ("@report.pdf What is the revenue?", "What is the revenue?", "2"),
        ("@report.pdf, what is the revenue?", "what is the revenue?", "2"),
        ("@Annual report 2024.pdf what is new?", "what is new?", "1"),
        ("@annual what is new?", "what is new?", "1"),
        ("@kalman what is new?", "what is new?", "2"),
        ('@"annual report" what is new?', "what is new?", "1"),
        ("@repo what is new?", "what is new?", "123"),
        ("What does @kalman say of noise?", "What does this document say of noise?", "2"),
        ("What is said in @repo?", "What is said in these documents?", "123"),
        ("What is the revenue? @report.pdf", "What is the revenue?", "2"),
        ("@kalman and @annual what is new?", "what is new?", "12"),
        ("Do @kalman, @annual, and @report.pdf agree?", "Do these documents agree?", "12"),
        ("@kalman @annual what is new?", "what is new?", "12"),
        ("What do @kalman and @annual say?", "What do these documents say?", "12"),
        ("@kalman and @nobody, what is new?", "and @nobody, what is new?", "2"),
        ("Is @kalman older, or @annual?", "Is this document older, or this document?", "12"),
        ("@kalman", "What is this about?", "2"),
        ("mail ida@report.pdf what is new?", "mail ida@report.pdf what is new?", None),
        ("What does @nobody say?", "What does @nobody say?", None),
        ("What does @port say?", "What does @port say?", None),
        ("What is @ 3 pm?", "What is @ 3 pm?", None),
        ("What is @d?", "What is @d?", None),
    ],
)
def test_a_question_names_its_documents(typed: str, asked: str, named: str | None) -> None:
    question, ids = addressed(typed, LIBRARY)
    assert question == asked
    assert ids == (None if named is None else frozenset(named))
