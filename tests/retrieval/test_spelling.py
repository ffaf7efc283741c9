"""A mistyped word is read as the documents' word like it; a word with another ending is none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.planning.spelling import likeness
from core.retrieval.spelling import in_words_of, nearest_word
from core.storage.lexical.analysis import forms_of_word
from core.types import Cut

TEXT = "Die Sitze fallen durch. Die stehenden zuerst. The lighthouse stands in the beginning."


@pytest.mark.parametrize(
    ("word", "stem", "read"),
    [
        ("lighthouze", "lighthous", "lighthouse"),
        ("lighthous", "lighthous", "lighthouse"),
        ("durchgefallen", "durchg", None),
        ("stehen", "stehe", None),
        ("beginners", "begin", None),
        ("beginnig", "begin", "beginning"),
        ("costumers", "costum", "customers"),  # the same letters, changed over
        ("customers", "custom", None),
    ],
)
def test_an_ending_is_no_mistake(word: str, stem: str, read: str | None) -> None:
    lexical = SimpleNamespace(like=lambda *_: (stem, 0.9), query=lambda *_: [("c", 1.0)])
    content = SimpleNamespace(chunks_by_id=lambda *_: {"c": SimpleNamespace(text=TEXT)})
    cut = cast(Cut, SimpleNamespace(index="i", session_id="s"))
    assert nearest_word(word, (), cut, cast(Any, lexical), cast(Any, content)) == read


@pytest.mark.parametrize(
    ("typed", "read"),
    [("kuendigungsfrist", "kündigungsfrist"), ("is the sitze free", "is the sitze free")],
)
def test_an_umlaut_is_read_without_small_words_that_tell_the_language(
    typed: str, read: str
) -> None:
    lexical = SimpleNamespace(like=lambda *_: ("", 0.0), query=lambda *_: [])
    content = SimpleNamespace(chunks_by_id=lambda *_: {})
    cut = cast(Cut, SimpleNamespace(index="i", session_id="s"))
    found = in_words_of((), typed, cut, cast(Any, lexical), cast(Any, content))
    assert found.question == read


@pytest.mark.parametrize(
    ("typed", "held", "read"),
    [
        ("where is he burried", "Burkhan was a burning town. He was buried there.", "buried"),
        ("which divident do they pay", "It is divided. A dividend is paid.", "dividend"),
        ("what are halluzinations", "A hallucination is a statement.", "hallucination"),
        ("is it allreday open", "It is already open.", "already"),
        ("what is the most comon one", "Each component is old.", None),
        ("who is the licensee", "It is licensed.", None),
        ("who is marten", "Saint Martin.", None),
    ],
)
def test_a_word_is_compared_whole(typed: str, held: str, read: str | None) -> None:
    stems = {word: forms_of_word(word, ["en"])[0] for word in held.lower().strip(".").split()}

    def like(_: str, word: str) -> tuple[str, float]:
        near = [(likeness(word, one), one) for one in stems.values() if one[:3] == word[:3]]
        ratio, best = max(near, default=(0.0, ""))
        return best, ratio

    def query(_: str, word: str, *__: object) -> list[tuple[str, float]]:
        return [("c", 1.0)] if forms_of_word(word, ["en"])[0] in stems.values() else []

    lexical = SimpleNamespace(like=like, query=query)
    content = SimpleNamespace(chunks_by_id=lambda *_: {"c": SimpleNamespace(text=held)})
    cut = cast(Cut, SimpleNamespace(index="i", session_id="s"))
    found = in_words_of((), typed, cut, cast(Any, lexical), cast(Any, content))
    assert [word for _, word in found.mended] == ([read] if read else [])


@pytest.mark.parametrize(
    ("typed", "held", "read"),
    [
        ("does fresh water hold more", "In freshwater there is more.", "freshwater"),
        ("does fresh water hold more", "Freshwater is fresh water.", None),
        ("is it open every day", "The everyday cost.", None),
        ("how do i turn it over", "The turnover.", None),
    ],
)
def test_two_words_that_the_documents_write_as_one(typed: str, held: str, read: str | None) -> None:
    words = held.lower().strip(".").split()

    def query(_: str, asked: str, *__: object) -> list[tuple[str, float]]:
        phrase = asked.strip('"').split()
        there = any(words[at : at + len(phrase)] == phrase for at in range(len(words)))
        return [("c", 1.0)] if there else []

    lexical = SimpleNamespace(like=lambda *_: ("", 0.0), query=query)
    content = SimpleNamespace(chunks_by_id=lambda *_: {"c": SimpleNamespace(text=held)})
    cut = cast(Cut, SimpleNamespace(index="i", session_id="s"))
    found = in_words_of((), typed, cut, cast(Any, lexical), cast(Any, content))
    assert [word for _, word in found.mended] == ([read] if read else [])
