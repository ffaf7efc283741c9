"""The same documents in both: PostgreSQL finds and scores what Tantivy does."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from core.config import Settings
from core.ids import new_id
from core.storage.lexical.sparsevec.index import SparsevecIndex
from core.storage.lexical.tantivy.index import TantivyIndex
from core.storage.sql.database import Database
from core.types import Chunk

pytestmark = pytest.mark.grown

Pair = tuple[SparsevecIndex, TantivyIndex, str]
WORDS = "river lamp stone bridge engine paper signal tower copper glass".split()
PARTS = ["er", "ing", "s", "ed", "ly", "ful", "ness", "ation", ""]


def documents() -> Iterator[tuple[list[Chunk], str, str]]:
    """The chunks, title and language of 120 documents of 1 to 6 chunks in two languages."""
    chance = random.Random(3)
    for number in range(120):
        chunks = []
        for ordinal in range(chance.randint(1, 6)):
            count = chance.randint(5, 260)
            text = " ".join(_word(chance) for _ in range(count)) + " os.path.join 1,577.25"
            headings = (_word(chance), _word(chance))
            key = f"d{number}"
            chunks.append(
                Chunk(f"{key}:{ordinal}", key, ordinal, 0, 1, 0, len(text), text, headings=headings)
            )
        yield chunks, f"{_word(chance)} {_word(chance)}", chance.choice(["en", "de"])


@pytest.fixture
def pair(settings: Settings) -> Iterator[Pair]:
    """Both, with the documents."""
    database = Database(settings)
    ours, oracle, session = SparsevecIndex(database), TantivyIndex(settings), new_id()
    for chunks, title, language in documents():
        for index in (ours, oracle):
            index.add(session, chunks, [title] * len(chunks), language)
    yield ours, oracle, session
    oracle.close()
    database.close()


def _word(chance: random.Random) -> str:
    return chance.choice(WORDS)[: chance.randint(3, 6)] + chance.choice(PARTS)


QUERIES = [
    "river stones and bridges",
    "the engine of paper lamps",
    "towers",
    "coppering glassful signals os.path.join",
    "stoneness 1577.25 unknownword",
    "lampation bridgeing riverly enginer papered",
]


@pytest.mark.parametrize("query", QUERIES)
def test_the_same_chunks_with_the_same_scores(pair: Pair, query: str) -> None:
    ours, oracle, session = pair
    found, expected = ours.query(session, query, 50), oracle.query(session, query, 50)
    assert [score for _, score in found] == pytest.approx(
        [score for _, score in expected], rel=1e-3
    )
    assert len({i for i, _ in found[:10]} & {i for i, _ in expected[:10]}) >= 9


def test_the_same_after_documents_came_and_went(pair: Pair) -> None:
    """As if the deleted ones had never been: Tantivy counts them until its files are merged."""
    ours, oracle, session = pair
    ours.query(session, "river", 5)  # what it knows of the session is of this moment
    for index in (ours, oracle):
        for number in range(0, 120, 3):
            index.delete_document(session, f"d{number}")
    fresh = new_id()
    text = "river meadow stone"
    added = [Chunk("new:0", "new", 0, 0, 1, 0, len(text), text)]
    for number, (chunks, title, language) in enumerate(documents()):
        if number % 3:
            oracle.add(fresh, chunks, [title] * len(chunks), language)
    for index, name in ((ours, session), (oracle, fresh)):
        index.add(name, added, ["River"], "fr")
    found, expected = (
        ours.query(session, "river meadow stone", 20),
        oracle.query(fresh, "river meadow stone", 20),
    )
    assert found[0][0] == expected[0][0] == "new:0"
    assert [score for _, score in found] == pytest.approx(
        [score for _, score in expected], rel=1e-3
    )
    other = SparsevecIndex(ours.database)  # that has never seen the earlier ones
    assert other.query(session, "river meadow stone", 20) == found


def test_the_same_documents_when_few_are_allowed(pair: Pair) -> None:
    ours, oracle, session = pair
    allowed = {f"d{number}" for number in range(5, 15)}
    found = ours.query(session, "river bridge", 50, allowed)
    assert [i for i, _ in found] == [
        i for i, _ in oracle.query(session, "river bridge", 50, allowed)
    ]


def test_the_same_phrases(pair: Pair) -> None:
    ours, oracle, session = pair
    bodies = oracle.query(session, "river", 200)
    assert bodies
    for phrase in ('"river lamp"', '"stone bridge"', '"lampation"'):
        found = {i for i, _ in ours.query(session, phrase, 1_000)}
        assert found == {i for i, _ in oracle.query(session, phrase, 1_000)}
