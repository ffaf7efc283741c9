"""What stands in the place of something else of the source's, told by the order of the words."""

from __future__ import annotations

import pytest

from core.verification.numbers.quantities import read_terms
from core.verification.words.alignment import Exchange, exchanges, lay

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
    everywhere = [lay(read_terms(sentence), sentence) for sentence in SOURCE]
    found: dict[str, Exchange] = {}
    for one in exchanges(lay(read_terms(words), words), everywhere, everywhere):
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
        "No, Graz is the seat of the firm.",
        "Not only pumps but also valves need oil in winter.",
        "Bregenz is the seat of the firm.",
        "Mills need oil in winter.",
        "In 1902 the weir was built by Karl Huber.",
        "Normally the pump must not run dry.",
    ],
)
def test_what_stands_at_its_own_place(words: str) -> None:
    assert not {"name", "number", "not"} & surest(words).keys()


def test_a_denial_that_stands_elsewhere_in_the_sentence_is_the_same_one() -> None:
    ours, theirs = (
        lay(read_terms(text), text)
        for text in (
            "Not many merchants in the US accept these cards, since the fee is higher.",
            "Some merchants in the US don't accept these cards since the fee is higher.",
        )
    )
    assert not [one for one in exchanges(ours, [theirs], [theirs]) if one.kind == "not"]
    text = "Merchants in the US accept these cards since the fee is higher."
    (found,) = exchanges(lay(read_terms(text), text), [theirs], [theirs])
    assert found.kind == "not"


def test_an_adverb_that_opens_a_sentence_is_no_name() -> None:
    words = ("Normally Anna Meyer writes.", "Karl Anna Meyer writes.")
    assert [lay(read_terms(one), one).kinds[0] for one in words] == ["word", "name"]


CHANGED_PLACES = (
    "Karl Huber advised Anna Meyer for ten years.",
    "Linz lies far below Graz and Wels.",
    "Sales rose by 12 percent in March and by 15 percent in May.",
    "Emma Wells married Otto Frank in Bern.",
    "Peru borders Chile.",
    "Wels cools water.",
    "The plan was given to Moses by Aaron.",
    "Graz, for example, is the seat of the guild.",
    "Linz and Wels have bridges.",
)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Anna Meyer advised Karl Huber for ten years.", "Anna Meyer … Karl Huber"),
        ("It is true that Anna Meyer advised Karl Huber.", "Anna Meyer … Karl Huber"),
        ("Water cools Wels.", "Water … Wels"),
        ("Graz lies far below Linz and Wels.", "Graz … Linz"),
        ("Sales rose by 15 percent in March and by 12 percent in May.", "15 … 12"),
        ("The plan was given to Aaron by Moses.", "Aaron … Moses"),
        ("Linz is the seat of the guild.", "Linz"),
    ],
)
def test_two_that_change_places_are_sure(words: str, said: str) -> None:
    everywhere = [lay(read_terms(sentence), sentence) for sentence in CHANGED_PLACES]
    found = exchanges(lay(read_terms(words), words), everywhere, everywhere)
    assert [" ".join(one.ours) for one in found if one.sure == 1.0] == [said]


@pytest.mark.parametrize(
    "words",
    [
        "Karl Huber advised Anna Meyer.",
        "Linz lies far below Wels and Graz.",  # joined by nothing but "and"
        "Anna Meyer was advised by Karl Huber for ten years.",
        "Otto Frank married Emma Wells in Bern.",
        "Chile borders Peru.",
        "Sales rose by 15 percent in May and by 12 percent in March.",
    ],
)
def test_the_same_in_another_order_is_not(words: str) -> None:
    everywhere = [lay(read_terms(sentence), sentence) for sentence in CHANGED_PLACES]
    found = exchanges(lay(read_terms(words), words), everywhere, everywhere)
    assert not [one for one in found if one.sure == 1.0]


def test_who_is_said_somewhere_in_this_order_did_not_change_places() -> None:
    sentences = (*CHANGED_PLACES, "Later Anna Meyer advised Karl Huber.")
    everywhere = [lay(read_terms(sentence), sentence) for sentence in sentences]
    words = "Anna Meyer advised Karl Huber."
    found = exchanges(lay(read_terms(words), words), everywhere, everywhere)
    assert not [one for one in found if one.sure == 1.0]
