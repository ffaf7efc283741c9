"""Questions by rule: what they ask for stands in their source."""

from __future__ import annotations

from core.evaluation.golden.by_rule import BLANK, by_rule, cloze, heading_question, sentences
from core.types import Chunk, ChunkKind

TEXT = (
    "# Life\n\nTesla was born in Smiljan in 1856 as a son of a priest. Short one.\n\n"
    "Later he moved to New York and worked for Edison."
)


def chunk(text: str = TEXT, ordinal: int = 0, **more: object) -> Chunk:
    return Chunk(f"d:{ordinal}", "d", ordinal, 0, 2, 0, len(text), text, **more)


def test_a_cloze_leaves_out_what_tells_most() -> None:
    item = cloze(chunk(), "tesla.pdf")
    assert item is not None
    assert item.answers == ("1856",)
    assert item.question == (f"Fill in: Tesla was born in Smiljan in {BLANK} as a son of a priest.")
    source = item.sources[0]
    assert (source.document, source.page) == ("tesla.pdf", 2)
    assert source.quote == "Tesla was born in Smiljan in 1856 as a son of a priest."
    assert (item.origin, item.tags) == ("rule: cloze", ("generated", "cloze"))
    assert item.context == TEXT


def test_headings_become_questions() -> None:
    item = heading_question(chunk(headings=("Tesla", "Early life")), "tesla.pdf")
    assert item is not None
    assert item.question == "What is said about “Early life” in “Tesla”?"
    assert item.answers == ("Tesla was born in Smiljan in 1856 as a son of a priest.",)
    assert heading_question(chunk(), "tesla.pdf") is None
    assert heading_question(chunk(headings=("1.2",)), "tesla.pdf") is None


def test_tables_code_and_crumbs_give_nothing() -> None:
    assert cloze(chunk(kind=ChunkKind.TABLE), "d") is None
    assert heading_question(chunk(kind=ChunkKind.CODE, headings=("Life",)), "d") is None
    assert cloze(chunk("too short"), "d") is None
    assert cloze(chunk("nothing here that has a name or number in it at all"), "d") is None


def test_as_many_as_wanted_in_turn() -> None:
    chunks = [(chunk(ordinal=at, headings=("Life",)), "d") for at in range(6)]
    items = by_rule(chunks, 4)
    assert [item.tags[1] for item in items] == ["cloze", "heading", "cloze", "heading"]
    assert len({item.id for item in items}) == 4
    assert sentences("One. Two!\nstill two. Three?") == ["One.", "Two! still two.", "Three?"]
