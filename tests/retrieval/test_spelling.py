"""A mistyped word is read as the documents' word like it; a word with another ending is none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from core.retrieval.spelling import in_words_of, nearest_word
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
