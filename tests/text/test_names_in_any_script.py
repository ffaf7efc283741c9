"""Names in any script work; what is not seen in them is dropped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.names import clean_name

pytestmark = pytest.mark.C02


@pytest.mark.parametrize(
    ("given_name", "shown"),
    [
        ("测试.pdf", "测试.pdf"),
        ("re\u0301sume\u0301.pdf", "résumé.pdf"),
        ("exe.fdp\u202e.txt", "exe.fdp.txt"),
        ("😀.md", "😀.md"),
        ("lone\ud800.txt", "lone.txt"),
        ("tag\U000e0041.txt", "tag.txt"),
        ("zero\u200bwidth.txt", "zerowidth.txt"),
    ],
)
def test_shown_safely(given_name: str, shown: str) -> None:
    assert clean_name(given_name) == shown


@given(st.text())
def test_any_name_can_be_stored_and_shown(name: str) -> None:
    shown = clean_name(name)
    assert len(shown.encode("utf-8")) > 0
    assert len(shown) <= 200
    assert clean_name(shown) == shown
