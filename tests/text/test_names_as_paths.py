"""Names that try to be paths are stored under our own id and shown without their path."""

from __future__ import annotations

import pytest

from core.text.names import clean_name, clean_title

pytestmark = pytest.mark.C01


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("../../x.pdf", "x.pdf"),
        ("..\\..\\x.pdf", "x.pdf"),
        ("C:\\folder\\x.pdf", "x.pdf"),
        ("/etc/x.pdf", "x.pdf"),
        ("..", "unnamed"),
        (".", "unnamed"),
        ("", "unnamed"),
        ("a\x00b\n.pdf", "ab.pdf"),
        ("NUL", "NUL"),
    ],
)
def test_only_the_last_part_is_shown(given: str, shown: str) -> None:
    assert clean_name(given) == shown


@pytest.mark.parametrize("title", ["Reports 2024/2025", "and/or", "C:\\Users", "a / b", "/etc"])
def test_a_title_is_no_path_and_stays_whole(title: str) -> None:
    assert clean_title(title) == title


def test_a_title_loses_what_is_not_seen() -> None:
    assert clean_title(" Q1\n2024/\u202e2025\x00 ") == "Q12024/2025"
    assert clean_title("\u200b . ") == "unnamed"


def test_a_long_name_keeps_its_ending() -> None:
    shown = clean_name("a" * 300 + ".pdf")
    assert len(shown) == 200
    assert shown.endswith(".pdf")
