"""Reading the object in what a model wrote."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.llm import replies
from core.llm.replies import read_object

WORDS = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=20)
KEYS = st.text("abcdefghijklmnop_", min_size=1, max_size=8)
VALUES = st.recursive(
    WORDS | st.integers(-999, 999) | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(KEYS, VALUES, min_size=1, max_size=4)


@settings(derandomize=True, max_examples=300)
@given(OBJECTS)
def test_json_is_read_as_it_is(value: dict[str, Any]) -> None:
    assert read_object(json.dumps(value)) == value
    assert read_object(f"Sure!\n```json\n{json.dumps(value, indent=2)}\n```\nDone.") == value


@settings(derandomize=True, max_examples=300)
@given(OBJECTS, st.integers(0, 200))
def test_a_cut_object_never_invents(value: dict[str, Any], cut: int) -> None:
    whole = json.dumps(value)
    found = read_object(whole[: max(1, len(whole) - cut)])
    assert found is None or set(found) <= {key for key in _keys(value)}


@settings(derandomize=True, max_examples=500)
@given(st.text(max_size=200) | st.text("{}[]\"':,\\ntrue0 -", max_size=120))
def test_anything_is_an_object_or_none(text: str) -> None:
    found = read_object(text)
    assert found is None or isinstance(found, dict)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{'a': 'it\\'s', 'b': [1, 2,],}", {"a": "it's", "b": [1, 2]}),
        ('{"a": "say "hello" to him", "b": True}', {"a": 'say "hello" to him', "b": True}),
        ('{a: 1, "b": None} and {"c": 2}', {"a": 1, "b": None}),
        ('{"a": 1 // one\n, /* two */ "b": 2}', {"a": 1, "b": 2}),
        ("{“a”: “b”}", {"a": "b"}),
        ('{"a": ["x", "y', {"a": ["x", "y"]}),
        ('{"a": "line\nbreak"}', {"a": "line\nbreak"}),
        ('Not {this} but {"a": 007}', {"a": 7}),
        ('{"a": {"b": {"c": "d"', {"a": {"b": {"c": "d"}}}),
        ('{"a": "\\u00e9\\ud83d"}', {"a": "é\ud83d"}),
    ],
)
def test_what_models_write(text: str, value: dict[str, Any]) -> None:
    assert read_object(text) == value


@pytest.mark.parametrize("text", ["", "no object", "{}", "[1]", "{" * 5000, '{"a"' * 200])
def test_nothing_usable(text: str) -> None:
    assert read_object(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('Here: {"a": {"b": 1}} ok', {"a": {"b": 1}}),
        ('```json\n{"a": 1}\n``` {"b": 2}', {"a": 1}),
        ('{"a": 1,}', None),
        ('{"a": "cut', None),
        ("}{", None),
    ],
)
def test_without_repair_only_json_is_read(text: str, value: dict[str, Any] | None) -> None:
    assert read_object(text, repair=False) == value


@pytest.mark.parametrize("unit", ['{"a"', "{'", "[{", '{"q": ["a" "b" ', '{"a": "x\\'])
def test_repair_gets_a_bounded_piece(unit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []
    monkeypatch.setattr(replies, "repair_json", lambda text, **_: given.append(len(text)))
    assert read_object(unit * 5_000) is None
    assert 1 <= len(given) <= 2
    assert max(given) <= 4_000


def _keys(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [*value, *(key for inner in value.values() for key in _keys(inner))]
    if isinstance(value, list):
        return [key for inner in value for key in _keys(inner)]
    return []
