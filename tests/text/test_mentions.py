"""Mentions of a phrase: its inflections, and what is doubtful because it may be another word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.mentions import Phrase, is_form_of, mentions, occurrences
from core.text.terms import terms


def found(phrase: str, text: str, language: str = "") -> list[tuple[str, bool]]:
    return [(text[m.start : m.end], m.doubtful) for m in mentions(Phrase(phrase), text, language)]


@pytest.mark.parametrize(
    ("one", "other", "language", "same"),
    [
        ("plan", "planned", "", True),
        ("plan", "plane", "", False),
        ("car", "cares", "", False),
        ("policy", "policies", "", True),
        ("analysis", "analyses", "", True),
        ("visit", "visited", "", True),
        ("organisation", "organizations", "", True),
        ("universe", "university", "", False),
        ("internet", "international", "", False),
        ("1,577", "1577", "", True),
        ("Leuchtturm", "Leuchttürme", "de", True),
        ("leuchten", "Leuchtturm", "de", False),
        ("Haus", "Häusern", "de", True),
        ("Bücher", "Buch", "de", True),
        ("Leber", "leben", "de", False),
    ],
)
def test_forms_of_a_word(one: str, other: str, language: str, same: bool) -> None:
    (first,), (second,) = terms(one), terms(other)
    assert is_form_of(first, second, language) is same


@pytest.mark.parametrize(
    ("phrase", "text", "wanted"),
    [
        ("salt", "Salts and salted fish; the saltier, the better.", ["Salts", "salted"]),
        ("Ida Holm", "Ida Holm came. Holm, Ida left.", ["Ida Holm", "Holm, Ida"]),
        ("harbour master", "The master of the harbour.", ["master of the harbour"]),
        ("salt or pepper", "Pepper, then salt.", ["Pepper", "salt"]),
        ("St Louis", "born in St. Louis", ["St. Louis"]),
        ("X-200", "the X-200 is new", ["X-200"]),
        ("not", "It is not so.", ["not"]),
        ("café", "two CAFÉS", ["CAFÉS"]),
        ("北京", "我在北京大学", ["北京"]),
    ],
)
def test_what_mentions_a_phrase(phrase: str, text: str, wanted: list[str]) -> None:
    assert [form for form, doubtful in found(phrase, text) if not doubtful] == wanted


@pytest.mark.parametrize(
    ("phrase", "text", "wanted"),
    [
        ("Ida Holm", "Ida wrote to Peter Holm.", "Ida wrote to Peter Holm"),
        ("internet", "An international fair.", "international"),
        ("sea salt", "Salt was taken out of the sea.", "Salt was taken out of the sea"),
    ],
)
def test_what_is_doubtful(phrase: str, text: str, wanted: str) -> None:
    assert found(phrase, text) == [(wanted, True)]


@pytest.mark.parametrize(
    ("phrase", "text", "wanted"),
    [
        ("Haus", "Die Häuser am Hafen, die Tür des Hauses.", ["Häuser", "Hauses"]),
        ("Kind", "Mit den Kindern kam ein kindischer Hund.", ["Kindern"]),
        ("Verträge", "Der Vertrag ging vor, gemäß dem Vertrage.", ["Vertrag", "Vertrage"]),
        ("offene Rechnung", "Es gab zwei offene Rechnungen.", ["offene Rechnungen"]),
        ("Straße", "Sie bauten Straßen.", ["Straßen"]),
    ],
)
def test_german_is_read_by_its_own_endings(phrase: str, text: str, wanted: list[str]) -> None:
    assert [form for form, doubtful in found(phrase, text, "de") if not doubtful] == wanted


def test_a_german_word_of_the_same_stem_alone_is_doubtful() -> None:
    assert found("Leber", "Sie leben dort.", "de") == [("leben", True)]


def test_a_phrase_does_not_reach_over_the_end_of_a_sentence() -> None:
    assert found("sea salt", "We saw the sea. Salt is white.") == []


@given(st.text(max_size=30), st.text(max_size=200))
def test_mentions_are_stretches_in_order_that_do_not_overlap(phrase: str, text: str) -> None:
    end = 0
    for mention in mentions(Phrase(phrase), text):
        assert end <= mention.start < mention.end <= len(text)
        end = mention.end


@given(st.text("abcdeé ßs-.,1٣", min_size=1, max_size=12))
def test_a_phrase_is_mentioned_by_itself(phrase: str) -> None:
    """The quick look before the reading loses nothing; the end of a sentence ends a phrase."""
    if terms(phrase) and ". " not in phrase:
        assert mentions(Phrase(phrase), phrase)


def where(words: str, text: str, language: str = "") -> list[str]:
    return [text[start:end] for start, end in occurrences(words, text, language)]


@pytest.mark.parametrize(
    ("words", "text", "language", "wanted"),
    [
        ("harbour master", "The harbour\nmasters met.", "", ["harbour\nmasters"]),
        ("harbour master", "the master of the harbour", "", []),
        ("CAFÉ", "One cafe, two Cafés.", "", ["cafe", "Cafés"]),
        ("the truth", "The truth is that truth.", "", ["The truth"]),
        ("will", "THE WILL: he will.", "", ["WILL", "will"]),
        ("Haus", "In Häusern wohnt man.", "de", ["Häusern"]),
        ("1577", "In 1,577 places, not 15.", "", ["1,577"]),
        ("fish fish", "fish fish fish fish", "", ["fish fish", "fish fish"]),
        ("internet", "It is international.", "", []),
        ("%", "5 % and 6%", "", ["%", "%"]),
        ("水", "地下水位", "", ["水"]),
        ("水位", "地下水位", "", ["水位"]),
        ("", "text", "", []),
        (" \n", "text", "", []),
    ],
)
def test_words_are_found_side_by_side_in_their_order(
    words: str, text: str, language: str, wanted: list[str]
) -> None:
    assert where(words, text, language) == wanted


FEW = st.sampled_from(("fish", "Fishes", "fisch", "%"))


@given(
    words=st.lists(FEW, max_size=3).map(" ".join) | st.text(max_size=12),
    text=st.lists(FEW, max_size=12).map(" ".join) | st.text(max_size=60),
)
def test_occurrences_are_spans_in_order(words: str, text: str) -> None:
    at = 0
    for start, end in occurrences(words, text):
        assert at <= start < end <= len(text)
        at = end


@given(before=st.text(max_size=20), word=st.from_regex(r"[a-z]{3,8}", fullmatch=True))
def test_a_word_is_found_behind_whatever_stands_before_it(before: str, word: str) -> None:
    assert word in [found.lower() for found in where(word, f"{before} {word} 1")]
