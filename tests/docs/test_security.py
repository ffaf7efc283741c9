"""What docs/security.md says is held is held by a test: its codes are faults with tests."""

from __future__ import annotations

import re

from docs.handbook.faults import names, rows
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")


def codes() -> set[str]:
    """The faults that the page names; "A01 to A10" names all between."""
    found = set(re.findall(r"\b[A-K]\d\d\b", PAGE))
    for first, last in re.findall(r"\b([A-K]\d\d) to ([A-K]\d\d)\b", PAGE):
        found |= {f"{first[0]}{n:02}" for n in range(int(first[1:]), int(last[1:]) + 1)}
    return found


def test_every_promise_has_a_fault_with_a_test() -> None:
    tested = {code for row in rows() for code in row.codes}
    assert codes() <= set(names())
    assert codes() <= tested
    assert len(codes()) > 30


def test_the_files_that_it_names_are_there() -> None:
    for path in re.findall(r"`((?:core|scraper)/[\w./]+)`", PAGE):
        assert (ROOT / path).exists(), path
