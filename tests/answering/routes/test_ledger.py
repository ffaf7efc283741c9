"""The ledger: every passage is read and counted, what it quotes stands there, and it can stop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from core.answering.routes.ledger import QUOTED, Ledger, ledger_answer, read_through
from core.errors import StorageError
from core.models.port import Vectors
from core.steps import Recorder, drain
from core.types import Answer, Chunk, Document, DocumentKind, DocumentState
from tests.support.hits import embedder

SALT = (
    "Salt keeps fish for many months. The harbour sold salted cod.",
    "The mayor opened the fair.",
    "The barrels were weighed at noon.",
)
BREAD = ("Bread needs flour and water.", "Bake the loaf for forty minutes.")


def library(**texts: Sequence[str]) -> tuple[dict[str, Document], list[Chunk]]:
    """Documents by id, each of one page, and their passages."""
    documents, chunks = {}, []
    for name, passages in texts.items():
        documents[name] = Document(
            name, "s", f"{name}.txt", f"{name}.txt", DocumentKind.TEXT, DocumentState.READY,
            chunks=len(passages), language="en",
        )  # fmt: skip
        at = 0
        for n, text in enumerate(passages):
            chunks.append(Chunk(f"{name}:{n}", name, n, 0, None, at, at + len(text), text))
            at += len(text) + 1
    return documents, chunks


def vectors_of(chunks: Iterable[Chunk]) -> dict[str, Vectors]:
    every = list(chunks)
    found = embedder().embed([chunk.text for chunk in every])
    return {chunk.id: vector for chunk, vector in zip(every, found, strict=True)}


def read(phrase: str, *, stop_after: int = 99, words_only: bool = False, **texts: Sequence[str]):
    """The ledger of these documents, a passage a batch."""
    documents, chunks = library(**texts)
    there = {} if words_only else vectors_of(chunks)
    batches = 0

    def similar(ids: Sequence[str]) -> dict[str, Vectors]:
        nonlocal batches
        batches += 1
        return {key: there[key] for key in ids if key in there}

    stage = read_through(
        phrase, documents, ([chunk] for chunk in chunks), embedder(), similar,
        lambda: batches >= stop_after,
    )  # fmt: skip
    recorder = Recorder()
    return drain(recorder.run(stage)), recorder.steps


def answered(ledger: Ledger, *, without: bool = False) -> Answer:
    return ledger_answer("asked", ledger, embedder(), without=without)


def test_every_passage_is_read_and_counted() -> None:
    ledger, steps = read("salt", salt=SALT, bread=BREAD)
    answer = answered(ledger)
    assert answer.route == "ledger"
    assert answer.complete
    assert answer.text.startswith(
        "“salt” is mentioned 2 times, in 1 passage of 1 of 2 documents. 5 of 5 passages read, "
        "1 match, "
    )
    assert steps[-1].detail.read == steps[-1].detail.total == 5
    assert "**salt.txt** (1 passage, 2 times)" in answer.text


def test_each_sentence_is_quoted_word_for_word_with_its_own_citation() -> None:
    answer = answered(read("salt", words_only=True, salt=SALT, bread=BREAD)[0])
    quotes = ["Salt keeps fish for many months.", "The harbour sold salted cod."]
    assert [citation.quote for citation in answer.citations] == quotes
    said = [answer.text[claim.start : claim.end] for claim in answer.claims]
    assert said == quotes
    assert [claim.numbers for claim in answer.claims] == [(1,), (2,)]


def test_a_german_document_is_read_in_german() -> None:
    texts = ["Das Haus steht am Hafen. Die Häuser sind alt.", "Im Haushalt fehlt Geld."]
    documents, chunks = library(hafen=texts)
    documents = {key: replace(one, language="de") for key, one in documents.items()}
    stage = read_through("Haus", documents, [chunks], embedder(), lambda _: {}, lambda: False)
    answer = answered(drain(stage))
    assert "mentioned 2 times, in 1 passage" in answer.text
    quotes = ["Das Haus steht am Hafen.", "Die Häuser sind alt."]
    assert [citation.quote for citation in answer.citations] == quotes


def test_a_passage_of_the_same_meaning_is_doubtful() -> None:
    warming = "The weather report follows. Global warming alters the weather everywhere."
    answer = answered(read("climate change", words=["The climate changes."], near=[warming])[0])
    assert "1 match, 1 doubtful." in answer.text
    assert "**Doubtful** (1 passage)" in answer.text
    assert answer.citations[-1].quote.startswith("Global warming")


def test_a_mention_in_the_overlap_of_two_passages_counts_once() -> None:
    text = "Ropes lie there. The harbour sold salted cod. Nets dry."
    at = text.index("The")
    documents, _ = library(harbour=["", ""])
    chunks = [
        Chunk("harbour:0", "harbour", 0, 0, None, 0, len(text) - 10, text[: len(text) - 10]),
        Chunk("harbour:1", "harbour", 1, 0, None, at, len(text), text[at:]),
    ]
    stage = read_through("salt", documents, [chunks], embedder(), lambda _: {}, lambda: False)
    answer = answered(drain(stage))
    assert "mentioned 1 time, in 2 passages" in answer.text
    assert [citation.quote for citation in answer.citations] == ["The harbour sold salted cod."]


def test_documents_that_never_mention_it() -> None:
    answer = answered(read("salt", salt=SALT, bread=BREAD, empty=())[0], without=True)
    assert answer.text.startswith("2 of 3 documents never mention “salt”. 5 of 5 passages read")
    assert "\n- bread.txt\n- empty.txt (no text)" in answer.text
    assert "- salt.txt" not in answer.text


def test_a_document_that_was_not_read_to_its_end_is_not_said_to_be_without() -> None:
    answer = answered(read("salt", stop_after=1, bread=BREAD)[0], without=True)
    assert "0 of 1 document never mention “salt”. 1 of 2 passages read" in answer.text
    assert "- bread.txt" not in answer.text


def test_a_reading_that_is_stopped_says_how_far_it_came() -> None:
    ledger, _ = read("salt", stop_after=2, salt=SALT, bread=BREAD)
    answer = answered(ledger)
    assert "2 of 5 passages read" in answer.text
    assert not answer.complete
    assert [notice.code for notice in answer.notices] == ["stopped"]


def test_nothing_is_made_up_where_nothing_matches() -> None:
    answer = answered(read("Zorblax", salt=SALT)[0])
    assert answer.text.startswith(
        "No passage mentions “Zorblax”. 3 of 3 passages read, 0 match, 0 doubtful."
    )
    assert answer.citations == ()


def test_more_than_is_quoted_is_said() -> None:
    many = [f"Barrel {n} held salt." for n in range(QUOTED + 5)]
    answer = answered(read("salt", words_only=True, salt=many)[0])
    assert f"(45 passages, 45 times; the first {QUOTED} sentences)" in answer.text
    assert len(answer.citations) == QUOTED


def test_a_long_sentence_is_cut_around_the_mention() -> None:
    text = "and ".join(f"barrel {n} " for n in range(200)) + "of salt " + "and more " * 100 + "."
    (citation,) = answered(read("salt", words_only=True, long=[text])[0]).citations
    assert "salt" in citation.quote
    assert len(citation.quote) <= 400
    assert citation.quote in text


def test_what_cannot_be_compared_by_meaning_is_said() -> None:
    answer = answered(read("salt", words_only=True, salt=SALT)[0])
    assert [notice.code for notice in answer.notices] == ["words-only"]
    assert "3 passages" in answer.notices[0].text


def test_an_index_that_fails_leaves_the_words() -> None:
    documents, chunks = library(salt=SALT)

    def failing(ids: Sequence[str]) -> dict[str, Vectors]:
        raise StorageError("The vectors are gone.")

    ledger = drain(read_through("salt", documents, [chunks], embedder(), failing, lambda: False))
    assert (ledger.read, ledger.matching, ledger.compared) == (3, 1, 0)


@pytest.mark.parametrize("name", ["a*b_c", "[x](http://example.org)"])
def test_names_of_documents_are_escaped(name: str) -> None:
    _, chunks = library(salt=SALT)
    one = Document("salt", "s", name, name, DocumentKind.TEXT, DocumentState.READY, chunks=3)
    stage = read_through("salt", {"salt": one}, [chunks], embedder(), lambda _: {}, lambda: False)
    assert f"**{name}**" not in answered(drain(stage)).text
