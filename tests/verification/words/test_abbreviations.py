"""Names in full and in short."""

from __future__ import annotations

import pytest

from core.verification.comparison import compare, read_passage
from core.verification.numbers.quantities import read_terms
from core.verification.words.abbreviations import spelled_otherwise
from core.verification.words.alignment import Laid, lay


def laid(text: str) -> Laid:
    return lay(read_terms(text), text)


@pytest.mark.parametrize(
    ("ours", "theirs", "found"),
    [
        ("Groups of Identity and Access Management exist.", "IAM has groups.", True),
        ("IAM has groups.", "Groups of Identity and Access Management exist.", True),
        ("Groups of Identity and Access Management exist.", "SEC has groups.", False),
        ("IAM has groups.", "Groups of identity and access management exist.", False),
        ("SEC has groups.", "Groups of Identity and Access Management exist.", False),
        ("Graz rents Alpha and Bexley.", "GAB rents.", False),
        ("The seat of Anna Meyer is Graz.", "AM is the seat.", False),
        ("It is named after Edwin Powell Hubble.", "It honours Edwin P. Hubble.", True),
        ("It is named after Edwin P. Hubble.", "It honours Edwin Powell Hubble.", True),
        ("It is named after Edwin Q. Hubble.", "It honours Edwin Powell Hubble.", False),
        ("It is named after Edwin Powell Hubble.", "It honours Edwin P. Jones.", False),
    ],
)
def test_an_abbreviation_has_the_initials_of_the_name(ours: str, theirs: str, found: bool) -> None:
    assert bool(spelled_otherwise(laid(ours), [laid(theirs)])) is found


@pytest.mark.parametrize(
    ("words", "source", "missing"),
    [
        ("It holds for citizens of the United States.", "Any citizen of the U.S. has it.", ()),
        ("Any citizen of the US has it.", "It holds for citizens of the United States.", ()),
        ("Any citizen of the USA has it.", "It holds for citizens of the U.S.", ()),
        ("Es gilt in den Vereinigten Staaten.", "It holds in the United States.", ()),
        ("Any citizen of the UK has it.", "Any citizen of the U.S. has it.", ("UK",)),
        ("Groups of Identity and Access Management exist.", "IAM groups exist.", ()),
        ("She met a Swedish chemist.", "She met a chemist from Sweden.", ()),
        ("She met a chemist from Norway.", "She met a Norwegian chemist.", ()),
        ("She met a Swedish chemist.", "She met a chemist from Norway.", ("Swedish",)),
    ],
)
def test_a_name_that_is_spelled_otherwise_is_not_missing(
    words: str, source: str, missing: tuple[str, ...]
) -> None:
    assert compare(words, [read_passage(1, source)]).missing_names == missing
