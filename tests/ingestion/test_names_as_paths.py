"""Names that try to be paths are stored under our own id and shown without their path."""

from __future__ import annotations

import pytest

from core.ingestion.names import clean_name

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


def test_a_long_name_keeps_its_ending() -> None:
    shown = clean_name("a" * 300 + ".pdf")
    assert len(shown) == 200
    assert shown.endswith(".pdf")
