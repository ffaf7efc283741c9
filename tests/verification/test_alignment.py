"""What stands in the place of something else of the source's, told by the order of the words."""

from __future__ import annotations

import pytest

from core.verification.alignment import Exchange, exchanges, lay
from core.verification.quantities import read_terms

SOURCE = (
    "These services call at Durham, Darlington and York.",
    "A few trains go on to Aberdeen and Inverness.",
    "The mill was built by Anna Meyer in 1874.",
    "Karl Huber built the weir in 1902.",
    "The pump must not run dry in winter.",
    "Graz is the seat of the firm.",
    "Linz has a large harbour.",
    "Pumps need oil in winter.",
    "In summer the pump must run slowly.",
)


def surest(words: str) -> dict[str, Exchange]:
    everywhere = [lay(read_terms(sentence)) for sentence in SOURCE]
    found: dict[str, Exchange] = {}
    for one in exchanges(lay(read_terms(words)), everywhere, everywhere):
        if one.sure > 0.4 and (one.kind not in found or one.sure > found[one.kind].sure):
            found[one.kind] = one
    return found


@pytest.mark.parametrize(
    ("words", "kind", "ours", "theirs"),
    [
        ("These services call at Inverness, Darlington and York.", "name", "Inverness", "Durham"),
        ("The mill was built by Karl Huber in 1874.", "name", "Karl Huber", "Anna Meyer"),
        ("The mill was built by Anna Meyer in 1902.", "number", "1902", "1874"),
        ("The pump must run dry in winter.", "not", "", "not"),
        ("Linz is the seat of the firm.", "name", "Linz", "Graz"),
        ("Vienna is the seat of the firm.", "name", "Vienna", "Graz"),
        ("Anna Meyer built the weir in 1902.", "name", "Anna Meyer", "Karl Huber"),
        ("The mill was not built by Anna Meyer in 1874.", "not", "not", ""),
    ],
)
def test_what_was_put_in_anothers_place(words: str, kind: str, ours: str, theirs: str) -> None:
    one = surest(words)[kind]
    assert ours in " ".join(one.ours)
    assert theirs in " ".join(one.theirs)


@pytest.mark.parametrize(
    "words",
    [
        "These services call at Durham, Darlington and York.",
        "The mill was built in 1874 by Anna Meyer.",
        "They go on to Aberdeen and Inverness.",
        "In 1902 Karl Huber built the weir.",
        "In winter the pump must not run dry.",
        "The pump must not run dry.",
        "Bregenz is the seat of the firm.",
        "Mills need oil in winter.",
        "In 1902 the weir was built by Karl Huber.",
    ],
)
def test_what_stands_at_its_own_place(words: str) -> None:
    assert not {"name", "number", "not"} & surest(words).keys()
