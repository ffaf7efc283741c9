"""Signatures: functions with their parameters, and the names in them."""

from __future__ import annotations

import pytest

from core.text.sentences import SentenceKind, split_sentences
from core.text.signatures import is_signature, name_of, name_parts, parameters_of

LONG = (
    "class bin.Sorter(f, fieldnames=None, restkey=None, restval=None, dialect='plain', *args, **kw)"
)


@pytest.mark.parametrize(
    "text",
    [
        "classmethod date.today()",
        "zipfile.ZipFile.extractall(path=None, members=None)",
        "def area(radius: float) -> float:",
        "time.time() → float",
        LONG,
    ],
)
def test_signatures(text: str) -> None:
    assert is_signature(text)


@pytest.mark.parametrize(
    "text", ["It sleeps (for long).", "PosixPath('docs/Makefile')", "print(myfile.read())"]
)
def test_others(text: str) -> None:
    assert not is_signature(text)


def test_names_and_parameters() -> None:
    assert name_of(LONG) == "bin.Sorter"
    assert name_of("exception bin.SortError") == "bin.SortError"
    assert name_of("Examples") == ""
    assert {"f", "dialect", "kw"} <= parameters_of(LONG)
    assert parameters_of("bin.draw([n[, seed]])") == {"n", "seed"}
    assert name_parts("DictReader.field_names") == ["dict", "reader", "field", "names"]


def test_a_long_signature_does_not_run_into_its_description() -> None:
    text = (
        f"{LONG}\nCreate an object that sorts. It is slow.\n\nbin.draw()\nbin.draw(n)\nDraw one.\n"
    )
    pieces = split_sentences(text)
    heading, prose = SentenceKind.HEADING, SentenceKind.PROSE
    assert [(one.kind, one.text) for one in pieces] == [
        (heading, LONG),
        (prose, "Create an object that sorts."),
        (prose, "It is slow."),
        (heading, "bin.draw()"),
        (heading, "bin.draw(n)"),
        (prose, "Draw one."),
    ]
