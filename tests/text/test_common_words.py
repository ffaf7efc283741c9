"""Words of a text that a query has too."""

from __future__ import annotations

import pytest

from core.text.mentions import common_words


@pytest.mark.parametrize(
    ("query", "text", "language", "expected"),
    [
        ("planned harbours", "They plan a HARBOUR, no plane.", "en", ["plan", "HARBOUR"]),
        ("when was it 1,875", "It was so in 1875 and 1.875.", "en", ["1875", "1.875"]),
        ("to be", "To be or not to be", "en", ["To", "be", "to", "be"]),
        ("Haus", "Die H\u00e4user und das Haus.", "de", ["H\u00e4user", "Haus"]),
        (
            "\u6e2f\u53e3\u7ba1\u7406",
            "\u6e2f\u53e3\u7ba1\u7406\u3002",
            "zh",
            ["\u6e2f\u53e3\u7ba1\u7406"],
        ),
        ("%", "5 % of it", "en", []),
    ],
)
def test_they_are_found_in_any_form(
    query: str, text: str, language: str, expected: list[str]
) -> None:
    assert [text[start:end] for start, end in common_words(query, text, language)] == expected
