"""A second query from what the first hits name."""

from __future__ import annotations

from core.retrieval.second_hop import names, next_query
from core.types import Chunk, Document, DocumentState, Hit


def hit(title: str, text: str) -> Hit:
    document = Document(title, "s", title, title, None, DocumentState.READY, title=title)
    return Hit(Chunk(f"{title}:0", title, 0, 0, 1, 0, len(text), text), document)


QUESTION = "In which state did Dick Humbert play?"


def test_the_name_that_the_question_does_not_have() -> None:
    hits = [hit("Dick Humbert", "Dick Humbert was an end. He played for the Philadelphia Eagles.")]
    assert next_query(QUESTION, hits) == "Philadelphia Eagles"


def test_a_name_that_is_another_documents_title_comes_first() -> None:
    text = "Dick Humbert met Karl Heinz Old at the Boston Yards."
    hits = [hit("Dick Humbert", text), *(hit(f"none {n}", "words") for n in range(3))]
    assert next_query(QUESTION, hits) == "Karl Heinz Old"
    assert next_query(QUESTION, [*hits, hit("Boston Yards", "Yards.")]) == "Boston Yards"


def test_known_queries_lead_on() -> None:
    hits = [hit("Dick Humbert", "He met Karl Old and the Philadelphia Eagles.")]
    first = next_query(QUESTION, hits)
    second = next_query(QUESTION, hits, [f"{QUESTION} {first}"])
    assert {first, second} == {"Karl Old", "Philadelphia Eagles"}


def test_nothing_to_lead_on() -> None:
    assert next_query(QUESTION, []) is None
    assert (
        next_query(QUESTION, [hit("Dick Humbert", "Dick Humbert played in may and June.")]) is None
    )


def test_names_in_a_text() -> None:
    text = "Bread rises. The Bank of England is old, and J. R. Holm, an American, saw it in March."
    assert names(text) == ["Bank of England", "J R Holm"]
