"""What every lexical index does: the same tests over each adapter."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from core.errors import InvalidId
from core.ids import new_id
from core.storage.lexical.port import LexicalIndex
from core.types import Chunk
from tests.storage.lexical.made import add, chunks_of, found


def test_finds_by_stem(index: LexicalIndex) -> None:
    session = new_id()
    add(index, session, "a", "He was running in the rain.", "She sleeps.")
    assert found(index, session, "runs") == ["a:0"]
    assert found(index, session, "nothing of this") == []


@pytest.mark.parametrize(
    ("language", "text", "query"),
    [
        ("de", "Die Häuser stehen am Fluss.", "Haus am Fluß"),
        ("fr", "Les chevaux mangeaient.", "manger"),
        ("ru", "Красивые книги лежат на столе.", "книга"),
        ("es", "Las canciones antiguas", "canción"),
        ("ar", "الكتب الجديدة", "كتب"),
        ("zh", "我们在北京大学学习。", "北京"),
        ("ja", "東京都に住んでいます", "東京"),
        ("th", "ภาษาไทยเป็นภาษาราชการ", "ภาษาไทย"),
        ("hi", "हिन्दी भारत की भाषा है", "हिन्दी"),
        ("pl", "Zażółć gęślą jaźń", "zazolc"),
        ("sl", "V knjižnicah posojajo knjige.", "knjižnica"),
        ("sl", "Grad stoji na hribu.", "V gradu"),
        ("sl", "O gradu ne vedo nič.", "grad"),
        ("cs", "Otevírací doba knihovny", "knihovnách"),
        ("", "The ﬁrst oﬃce", "first office"),
    ],
)
def test_languages(index: LexicalIndex, language: str, text: str, query: str) -> None:
    session = new_id()
    add(index, session, "a", text, language=language)
    add(index, session, "b", "Something else in English.", language="en")
    assert found(index, session, query)[:1] == ["a:0"]


def test_a_single_character_of_a_script_without_spaces(index: LexicalIndex) -> None:
    session = new_id()
    add(index, session, "a", "黒猫が寝ている", "犬", language="ja")
    assert found(index, session, "猫") == ["a:0"]
    assert found(index, session, "犬") == ["a:1"]


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Use os.path.join(a, b) here.", "os.path.join"),
        ("Start it with --no-cache please.", "--no-cache"),
        ("It rose to 1,577 million.", "1577"),
        ("It rose to 1577 million.", "1,577"),
        ("Written in C++ by many.", "c++"),
        ("see RFC-2616 for it", "rfc-2616"),
    ],
)
def test_identifiers_and_numbers_stand_whole(index: LexicalIndex, text: str, query: str) -> None:
    session = new_id()
    parts = "os path join path os no cache c rfc 2616 join 577 1 " * 2
    add(index, session, "a", parts, text, parts)
    assert found(index, session, query)[0] == "a:1"


def test_parts_of_identifiers_are_found_beside_their_whole(index: LexicalIndex) -> None:
    session = new_id()
    add(index, session, "a", "def writeBoolean(n): pass", "class HTTPServer", "An iPhone 12 rings.")
    assert found(index, session, "write a boolean") == ["a:0"]
    assert found(index, session, "writeboolean") == ["a:0"]
    assert found(index, session, "which server") == ["a:1"]
    assert found(index, session, "httpServer") == ["a:1"]
    assert found(index, session, '"iphone 12"') == ["a:2"]


def test_quotes_are_phrases(index: LexicalIndex) -> None:
    session = new_id()
    add(index, session, "a", "the raven by Poe", "Poe by raven the", "by the way")
    assert found(index, session, '"the raven"') == ["a:0"]
    assert found(index, session, "“by Poe” raven") == ["a:0"]
    assert found(index, session, '"raven the" "by poe"') == []
    assert set(found(index, session, 'Poe "unfinished')) == {"a:0", "a:1"}


def test_titles_and_headings_count(index: LexicalIndex) -> None:
    session = new_id()
    chunk = Chunk("a:0", "a", 0, 0, 1, 0, 5, "Text.", headings=("Installation", "On Debian"))
    index.add(session, [chunk], ["The handbook"], "en")
    assert found(index, session, "installing") == ["a:0"]
    assert found(index, session, "handbooks") == ["a:0"]


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        '"',
        '""',
        "a AND (",
        "body:x",
        "id:a",
        "*",
        "~3",
        "[a TO b]",
        "\\",
        "+-!",
        "\x00",
        "\ud800",
    ],
)
def test_no_query_is_an_error(index: LexicalIndex, query: str) -> None:
    session = new_id()
    add(index, session, "a", "alpha")
    assert found(index, session, query) == []


@hypothesis_settings(max_examples=60, derandomize=True, deadline=None)
@given(text=st.text(max_size=80), query=st.text(max_size=80))
def test_any_text_can_be_indexed_and_asked(text: str, query: str) -> None:
    index, session = _shared_index()
    index.add(session, chunks_of("h", [text]), [text], "ja")
    index.query(session, query, 3)
    index.query(session, f'"{query}"', 3)


def test_filter_by_document(index: LexicalIndex) -> None:
    session = new_id()
    for number in range(40):
        add(index, session, f"d{number}", "alpha " * (40 - number))
    ids = [f"d{n}:0" for n in (37, 38, 39)]
    hits = index.query(session, "alpha", 3, {"d37", "d38", "d39"})
    assert sorted(chunk_id for chunk_id, _ in hits) == ids
    scores = dict(index.query(session, "alpha", 40))
    assert all(score == pytest.approx(scores[chunk_id]) for chunk_id, score in hits)
    assert index.query(session, "alpha", 3, set()) == []


def test_how_much_of_a_word_is_within_documents(index: LexicalIndex) -> None:
    session = new_id()
    add(index, session, "a", "Amcor sells cups.", "Amcor grows.", "Strings.")
    add(index, session, "b", "A string.", "Amcor again, and more strings.")
    assert index.share_within(session, "amcor", ["a"]) == pytest.approx(2 / 3)
    assert index.share_within(session, "string", ["a"]) == pytest.approx(1 / 3)
    assert index.share_within(session, "unknown", ["a"]) == 1.0
    assert index.share_within(session, "...", ["a"]) == 1.0
    assert index.share_within(new_id(), "amcor", ["a"]) == 1.0


def test_deleting_a_document(index: LexicalIndex) -> None:
    session = new_id()
    add(index, session, "a", "alpha", "beta")
    add(index, session, "b", "alpha")
    index.delete_document(session, "a")
    index.delete_document(session, "unknown")
    assert index.ids(session) == {"b:0"}
    assert found(index, session, "alpha beta") == ["b:0"]


def test_deleting_a_session(index: LexicalIndex) -> None:
    session = new_id()
    add(index, session, "a", "alpha")
    index.delete_session(session)
    assert found(index, session, "alpha") == []
    index.delete_session(session)
    add(index, session, "a", "beta")
    assert found(index, session, "beta") == ["a:0"]


def test_sessions_do_not_see_each_other(index: LexicalIndex) -> None:
    mine, yours = new_id(), new_id()
    add(index, mine, "a", "alpha")
    add(index, yours, "b", "alpha")
    assert found(index, mine, "alpha") == ["a:0"]


@pytest.mark.parametrize("name", ["", "../x", "..", "A" * 36, "x" * 10_000])
def test_only_ids_reach_the_disk(index: LexicalIndex, name: str) -> None:
    with pytest.raises(InvalidId):
        index.query(name, "alpha", 1)


def test_reading_while_writing(index: LexicalIndex) -> None:
    session = new_id()
    add(index, session, "first", "alpha")
    problems: list[object] = []

    def read() -> None:
        for _ in range(100):
            if "first:0" not in found(index, session, "alpha", 100):
                problems.append("lost")

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(10):
        add(index, session, f"d{number}", "alpha beta")
    for reader in readers:
        reader.join()
    assert problems == []
    assert len(index.ids(session)) == 11


def test_ranks_like_bm25(index: LexicalIndex) -> None:
    """rank_bm25 with Tantivy's k1 and b puts the same documents near the top.

    Tantivy keeps lengths in steps, so that near ties may change places.
    """
    draw = random.Random(7)
    words = [f"{chr(97 + i % 26)}{chr(97 + i // 26)}zq" for i in range(300)]
    weights = [1 / (1 + i) for i in range(300)]
    texts = [" ".join(draw.choices(words, weights, k=draw.randint(20, 120))) for _ in range(400)]
    session = new_id()
    add(index, session, "d", *texts, language="xx")
    oracle = BM25Okapi([text.split() for text in texts], k1=1.2, b=0.75)
    shared = 0
    for _ in range(20):
        query = draw.sample(words[5:], 4)
        scores = oracle.get_scores(query)
        best = sorted(range(400), key=lambda i: -scores[i])[:10]
        hits = found(index, session, " ".join(query), 10)
        shared += len({f"d:{i}" for i in best} & set(hits))
        assert hits[0] in {f"d:{i}" for i in best[:3]}
    assert shared >= 0.9 * 200


_held: list[tuple[LexicalIndex, str]] = []


def _shared_index() -> tuple[LexicalIndex, str]:
    return _held[0]


@pytest.fixture(autouse=True)
def _share(index: LexicalIndex) -> Iterator[None]:
    _held.append((index, new_id()))
    yield
    _held.pop()


def test_words_that_may_be_mistyped_for_one_of_the_texts(index: LexicalIndex) -> None:
    session = new_id()
    assert index.like(session, "velmark") == ("", 0.0)
    add(index, session, "a", "The mayor of Velmark opened the switching yard.")
    assert index.like(session, "velmark") == ("velmark", 1.0)
    assert index.like(session, "Velmarc")[0] == "velmark"
    assert index.like(session, "swich") == ("switch", pytest.approx(10 / 11))
    assert index.like(session, "velodrome")[1] < 0.8
    assert index.like(session, "zorblax") == ("", 0.0)
