"""A question that fits two documents is told of; others are not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.retrieval.ambiguity import ambiguity
from core.types import Chunk, Document, DocumentState, Hit, QueryPlan

QUESTION = "how high is the opening fee?"


def hit(document: str, text: str, dense: float = 0.5, lexical: float = 8.0) -> Hit:
    chunk = Chunk(f"{document}:0", document, 0, 0, 1, 0, len(text), text)
    owner = Document(document, "s", document, document, None, DocumentState.READY)
    return Hit(chunk, owner, dense=dense, lexical=lexical)


TWO = [
    hit("Savings account", "The opening fee is high: 5 euros."),
    hit("Current account", "The opening fee is high as well: 9 euros.", 0.48, 7.6),
]


def plan(question: str = QUESTION) -> QueryPlan:
    return QueryPlan(question, question, (question,))


def test_two_ways() -> None:
    notice = ambiguity(plan(), TWO)
    assert notice is not None
    assert "“Savings account” and “Current account”" in notice.text
    assert notice.cure.endswith("“how high is the opening fee? (Savings account)”.")


@pytest.mark.parametrize(
    ("asked", "hits"),
    [
        (plan(), TWO[:1]),
        (plan(), [TWO[0], replace(TWO[1], dense=0.3)]),
        (plan(), [TWO[0], replace(TWO[1], lexical=4.0)]),
        (plan(), [TWO[0], replace(TWO[1], lexical=None)]),
        (plan(), [TWO[0], hit("Other", "The fee is high.")]),
        (plan("how high is the opening fee of the Savings account?"), TWO),
        (plan("how high is the opening fee in 2024?"), TWO),
        (plan("fee?"), TWO),
        (replace(plan(), follows=True), TWO),
    ],
)
def test_one_way(asked: QueryPlan, hits: list[Hit]) -> None:
    assert ambiguity(asked, hits) is None
