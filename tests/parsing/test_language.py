"""Languages by their code; nothing where it is not clear."""

from __future__ import annotations

import pytest

from core.parsing.language import detect_language, language_of
from core.types import Page


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The committee decided to postpone the meeting until the following week.", "en"),
        ("Der Ausschuss beschloss, die Sitzung auf die folgende Woche zu verschieben.", "de"),
        ("Le comité a décidé de reporter la réunion à la semaine suivante.", "fr"),
        ("Комитет решил отложить заседание до следующей недели из-за погоды.", "ru"),
        (
            "委员会决定将会议推迟到下个星期举行,因为天气不好,许多成员无法前来参加会议,所以请大家注意。",
            "zh",
        ),
        ("12 34 56", ""),
        ("ok", ""),
        ("", ""),
    ],
)
def test_languages(text: str, code: str) -> None:
    assert language_of(text) == code


def test_a_document_has_the_language_of_most_of_it() -> None:
    german = Page(0, "Der Ausschuss tagt in der folgenden Woche und berät über den Bericht. " * 5)
    english = Page(1, "The end is written in English, as ends sometimes are.")
    assert detect_language([german, german, german, english]) == "de"
    assert detect_language([Page(0, ""), Page(1, " ")]) == ""
