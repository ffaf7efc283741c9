"""Splitting into quotable pieces: nothing rewritten, nothing doubled, in any script."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.text.sentence_ends import MAX_SENTENCE
from core.text.sentences import SentenceKind, split_sentences


def texts(text: str) -> list[str]:
    return [piece.text for piece in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Who came. He left.", ["Dr. Who came.", "He left."]),
        ("Jo (born c. 1974) came. See p. 9. The plan is b. It is new.",
         ["Jo (born c. 1974) came.", "See p. 9.", "The plan is b.", "It is new."]),
        ("The U.S. Government said no. It went.", ["The U.S. Government said no.", "It went."]),
        ("It was J. K. Rowling, ca. 3.5 km off.", ["It was J. K. Rowling, ca. 3.5 km off."]),
        ("See Section No. 5 there. No. Never.", ["See Section No. 5 there.", "No.", "Never."]),
        ("It cost Ffr. 6.0 billion. Kr. 5 more.", ["It cost Ffr. 6.0 billion.", "Kr. 5 more."]),
        ("He worked at Acme Inc. The firm grew.", ["He worked at Acme Inc.", "The firm grew."]),
        ("“Stop!” he said. She did.", ["“Stop!” he said.", "She did."]),
        ("It ended.[3] Then it began.", ["It ended.[3]", "Then it began."]),
        ("It grew tall.:210 Then it fell down.:10, 12 All left the works.:3 times.",
         ["It grew tall.:210", "Then it fell down.:10, 12", "All left the works.:3 times."]),
        ("It grew.[2][5]: 210 Then it fell.[4]: 10, 12–14 All left.",
         ["It grew.[2][5]: 210", "Then it fell.[4]: 10, 12–14", "All left."]),
        ("Er starb am 7. Januar 1943. Danach nichts.",
         ["Er starb am 7. Januar 1943.", "Danach nichts."]),
        ("Im 19. Jahrhundert, z. B. hier, war Ludwig XIV. tot.",
         ["Im 19. Jahrhundert, z. B. hier, war Ludwig XIV. tot."]),
        ("Он родился в 1856 г. в Смиляне. Потом уехал.",
         ["Он родился в 1856 г. в Смиляне.", "Потом уехал."]),
        ("你好。这是第二句！真的吗？是", ["你好。", "这是第二句！", "真的吗？", "是"]),
        ("هل تعلم؟ نعم أعلم. ثم عاد.", ["هل تعلم؟", "نعم أعلم.", "ثم عاد."]),
        ('She said, "It is no test ... I have built it." He left... Then she came.',
         ['She said, "It is no test ... I have built it."', "He left...", "Then she came."]),
        ("It is 21% O\n2\n by volume. The rest is N\n2. All in H\n2O.",
         ["It is 21% O\n2\n by volume.", "The rest is N\n2.", "All in H\n2O."]),
        ("When asked about it, 35% of the\nstudents said that they had none; whereas 7.1%\n"
         "had four or more. Most had one.",
         ["When asked about it, 35% of the\nstudents said that they had none; whereas 7.1%\n"
          "had four or more.", "Most had one."]),
        ("It blocks. `get()` waits. Not so e.g. `put()`.",
         ["It blocks.", "`get()` waits.", "Not so e.g. `put()`."]),
        ("Une phrase. Mme. Curie vint en 1898. Fin.",
         ["Une phrase.", "Mme. Curie vint en 1898.", "Fin."]),
    ],
)  # fmt: skip
def test_prose(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_a_wrapped_paragraph_is_one_and_list_items_part() -> None:
    text = (
        "A paragraph that was wrapped by its\nprogram goes on over the line and\nthen ends.\n\n"
        "- first item\n- second item that\n  goes on\n1. numbered\n2. again"
    )
    assert texts(text) == [
        "A paragraph that was wrapped by its\nprogram goes on over the line and\nthen ends.",
        "first item",
        "second item that\n  goes on",
        "numbered",
        "again",
    ]


def test_a_line_end_that_was_set_on_purpose_parts() -> None:
    text = "Name: Ada Lovelace\nBorn: 10 December 1815 in London, the daughter of Byron\nJob: none"
    assert len(texts(text)) == 3


def test_rows_of_a_table_are_pieces() -> None:
    text = (
        "Years ended December 31\n(Millions) 2018 2017\n"
        "Purchases of property, plant and equipment (PP&E) (1,577) (1,373)\n"
        "Other net — 5\nThis note is prose that explains the table in a sentence.\n"
        "| Name | Value |\n|---|---|\n| a | 1 |"
    )
    rows = [p.text for p in split_sentences(text) if p.kind is SentenceKind.ROW]
    assert rows == [
        "(Millions) 2018 2017",
        "Purchases of property, plant and equipment (PP&E) (1,577) (1,373)",
        "| Name | Value |",
        "| a | 1 |",
    ]


def test_headings_are_told_from_prose() -> None:
    kinds = {p.text: p.kind for p in split_sentences("# The Title\n\nIntroduction\n\nIt rains.")}
    assert kinds == {
        "The Title": SentenceKind.HEADING,
        "Introduction": SentenceKind.HEADING,
        "It rains.": SentenceKind.PROSE,
    }


def test_a_title_keeps_the_page_to_which_dots_lead() -> None:
    text = (
        "1. Wind and rain ......... 12\n2. Foreword . . . . . 7\n\nHe waited... 3 days. It rained."
    )
    assert [p.text for p in split_sentences(text)] == [
        "Wind and rain ......... 12",
        "Foreword . . . . . 7",
        "He waited...",
        "3 days.",
        "It rained.",
    ]


def test_the_number_of_a_section_is_no_sentence() -> None:
    text = (
        "§ 1. Scope of it\n\nArticle IV. Rent\n\n3.2.5. Retiring\n\n"
        "3.2.6. Do this first. Then that."
    )
    assert [(p.text, p.kind) for p in split_sentences(text)] == [
        ("§ 1. Scope of it", SentenceKind.HEADING),
        ("Article IV. Rent", SentenceKind.HEADING),
        ("3.2.5. Retiring", SentenceKind.HEADING),
        ("3.2.6. Do this first.", SentenceKind.PROSE),
        ("Then that.", SentenceKind.PROSE),
    ]


def test_code_is_one_piece_with_its_indentation() -> None:
    text = "Do this:\n\n```python\n    x = 1\n\n    print(x)\n```\nThen go. Stop."
    pieces = split_sentences(text)
    assert [p.text for p in pieces if p.kind is SentenceKind.CODE] == ["    x = 1\n\n    print(x)"]
    assert [p.text for p in pieces if p.kind is SentenceKind.PROSE] == [
        "Do this:",
        "Then go.",
        "Stop.",
    ]
    whole = split_sentences("def f():\n    return 1. \n\nf()", code=True)
    assert [p.text for p in whole] == ["def f():\n    return 1. \n\nf()"]


def test_a_session_at_a_prompt_is_code() -> None:
    pieces = split_sentences("Try it:\n\n>>> f(2)\n4\n\nIt is four.")
    assert [(p.kind.value, p.text) for p in pieces] == [
        ("prose", "Try it:"),
        ("code", ">>> f(2)\n4"),
        ("prose", "It is four."),
    ]


ANY_TEXT = st.lists(
    st.sampled_from([*"aB1 .。!?\n\t-*#`>|$(){}[]:;é中مя\u00a0\r\"'", "\n\n", "```\n", "Dr."]),
    max_size=200,
).map("".join)


@settings(max_examples=300, derandomize=True, deadline=None)
@given(ANY_TEXT, st.booleans(), st.integers(0, 9))
def test_pieces_are_spans_in_order(text: str, code: bool, offset: int) -> None:
    end = offset
    for piece in split_sentences(text, code=code, offset=offset):
        assert text[piece.start - offset : piece.end - offset] == piece.text
        assert piece.text.strip()
        assert end <= piece.start < piece.end
        end = piece.end


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.lists(st.text("abcdeAB 12,.", min_size=1, max_size=60), max_size=12))
def test_no_word_is_lost(lines: list[str]) -> None:
    text = "\n".join(lines)
    kept = "".join(piece.text for piece in split_sentences(text))
    assert sorted("".join(kept.split())) == sorted("".join(text.split())) or "." in text


def test_giant_sentences_are_cut_and_time_stays_linear() -> None:
    began = time.thread_time()
    pieces = split_sentences("word " * 100_000)
    assert max(len(piece.text) for piece in pieces) <= MAX_SENTENCE
    split_sentences("1. a\n" * 20_000)
    split_sentences("```\n" * 10_001)
    split_sentences("a." * 50_000)
    assert time.thread_time() - began < 10


def test_two_cells_with_a_bar_between_them_are_a_row() -> None:
    pieces = split_sentences("Level | Value\nERROR | 40\n\nThe bar|line is no row of it.")
    assert [piece.kind.value for piece in pieces] == ["row", "row", "prose"]


@pytest.mark.parametrize(
    ("line", "is_row"),
    [
        ("fails to close within 18 months from September 15, 2022.", False),
        ("The sources of water as of December 31, 2020:", False),
        ("**Date:** Tuesday 14 May 2024, 18:30 – 20:10", False),
        ("Balance at December 31, 2020 5,000 6,000", True),
        ("Amber 19 25 (24)%", True),
    ],
)
def test_a_sentence_that_ends_in_a_date_is_no_row(line: str, is_row: bool) -> None:
    assert any(p.kind is SentenceKind.ROW for p in split_sentences(line)) == is_row


def test_a_sentence_is_not_cut_where_its_last_line_ends_in_a_date() -> None:
    text = (
        "We will be required to pay a fee if the transaction fails to receive clearance, or if it\n"
        "fails to close within 18 months from September 15, 2022."
    )
    assert texts(text) == [text]


def test_a_line_that_a_mended_word_made_long_does_not_hide_the_margin() -> None:
    lines = [
        "The problem of the harbour that is studied here",
        "is told as follows. Given a question that asks of",
        "boats, such as “Who first sailed to the old pier of",
        "Velmark?” or “Where was the bell of the guild cast?”",
        "the keeper is to answer it from a large set of logs, which nobody else has read. We take",
        "it that the answer stands in one of these, and that",
        "no log is wrong about its own days.",
    ]
    assert texts("\n".join(lines))[1].startswith("Given a question")
    assert "pier of\nVelmark?” or" in texts("\n".join(lines))[1]


def test_a_line_that_ends_in_a_small_word_goes_on() -> None:
    assert texts("We find that it does well, with\n3-5 points less.") == [
        "We find that it does well, with\n3-5 points less."
    ]


def test_a_line_that_begins_with_a_fraction_goes_on() -> None:
    text = (
        "The wing type comes in sizes up to\n¼ inch, the bellows type from No. 8 up to\n3/8 inch."
    )
    assert [piece.text for piece in split_sentences(text)] == [text]


def test_the_sign_of_a_quoted_line_is_left_out() -> None:
    text = "> Summary\n>\n> Weighing is an accurate way. It takes long.\n\n>>> print(1)\n1\n"
    pieces = split_sentences(text)
    assert [piece.text for piece in pieces] == [
        "Summary", "Weighing is an accurate way.", "It takes long.", ">>> print(1)\n1",
    ]  # fmt: skip
    assert pieces[0].kind is SentenceKind.HEADING
    assert all(text[piece.start : piece.end] == piece.text for piece in pieces)
    assert split_sentences("> 5 mg a day is too much.")[0].text.startswith("> 5")


def test_lines_of_a_form_and_of_a_receipt_are_pieces() -> None:
    text = (
        "Member Discount -$84.00\nSales Tax $66.23\nTOTAL $821.14\n\n"
        "Store Hours: Mo-Sa 9 to 6\nCashier: Emily Rodriguez\nRegister: POS-07\n"
    )
    assert texts(text) == text.split("\n")[:3] + text.split("\n")[4:7]
    assert [piece.kind for piece in split_sentences(text)][:3] == [SentenceKind.ROW] * 3


def test_an_area_code_is_no_number_of_an_item() -> None:
    assert texts("Call us:\n(415) 555-0199") == ["Call us:", "(415) 555-0199"]


def test_labels_with_a_figure_behind_each_stand_alone() -> None:
    lines = ["Lamps, wicks and oil for the harbour 1.783", "Rights of passengers 1.726"]
    assert texts("\n".join([*lines, "Lamps"])) == [*lines, "Lamps"]


@pytest.mark.parametrize(
    ("figures", "rows"),
    [([57, 42, 100], 3), ([4, 9, 12], 0), ([57, 42], 0), ([1990, 2010, 1980], 0)],
)
def test_labels_over_each_other_with_a_figure_are_rows_and_contents_are_not(
    figures: list[int], rows: int
) -> None:
    text = "\n".join(f"River lamp {figure}" for figure in figures)
    assert sum(p.kind is SentenceKind.ROW for p in split_sentences(text)) == rows


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("Baking time: about 15 minutes", False),
        ("Chapter 1: The lamp", True),
        ("16:05 Flight to Graz", False),
        ("BSc, University of Graz, 2014", False),
        ("Approved By: Ada Reed", False),
        ('"serial_number": "E78283",', False),
        ("Property, Plant and Equipment, Net", True),
        ("currency: EUR", False),
    ],
)
def test_lines_with_a_value_a_time_or_a_year_are_no_headings(line: str, heading: bool) -> None:
    [piece] = split_sentences(line)
    assert (piece.kind is SentenceKind.HEADING) is heading


def test_lines_of_an_itinerary_are_not_joined() -> None:
    lines = "08:15  Train ICE 123 from Graz to Linz\n11:40  Flight LH1166 to Lisbon, gate 1"
    assert texts(lines) == lines.split("\n")


def test_a_sign_in_brackets_ends_nothing() -> None:
    text = "Eine Henne legt etwa 300 (!) Eier im Jahr. Und du (?) Stück?"
    assert [piece.text for piece in split_sentences(text)] == [
        "Eine Henne legt etwa 300 (!) Eier im Jahr.",
        "Und du (?) Stück?",
    ]


@pytest.mark.parametrize(
    "sentence",
    [
        "Membranes (lit. 'skins'; Greek. ' membrana ', plural membranes) are of three kinds.",
        "It stood in a book (Tales of old. With morals), in 1697, by Ida Holm.",
        "She was Jo in Hooray! (1998), Ann in Boats (2004).",
    ],
)
def test_a_sentence_goes_on_behind_its_bracket(sentence: str) -> None:
    assert texts(f"{sentence} Next.") == [sentence, "Next."]


def test_brackets_that_hold_or_end_sentences() -> None:
    assert texts("He came (see page 3. It is long). She left.") == [
        "He came (see page 3.", "It is long).", "She left.",
    ]  # fmt: skip
    assert texts("He came! (See p. 3.) Then he left.") == [
        "He came!", "(See p. 3.)", "Then he left.",
    ]  # fmt: skip
    assert texts("He came. (1998), he left.") == ["He came.", "(1998), he left."]


def test_an_initial_opens_a_name_and_not_an_item() -> None:
    name = "J. R. Oakes was a poet."
    assert texts(f"# Poets\n\n{name} He wrote.") == ["Poets", name, "He wrote."]
    assert texts("G. Sankara Kurup, a poet, won.") == ["G. Sankara Kurup, a poet, won."]
    assert texts("A. Scope Of Work\nB. Terms Of Use") == ["Scope Of Work", "Terms Of Use"]
    assert texts("C. Apples\nD. Pears") == ["Apples", "Pears"]


def test_lines_of_small_print_are_wrapped_also_where_one_is_two_of_them() -> None:
    line = "Words of a report in small print that fill the whole width of the page and go on, so "
    wide = f"{line}{line[:70]}with"
    page = "\n".join(
        [
            f"{wide} a",
            f"{wide} b",
            f"{wide} {wide} c",
            f"{wide} d",
            f"{wide} Jo",
            "Reed of Graz. End.",
        ]
    )
    assert texts(page)[-2].endswith("Jo\nReed of Graz.")
    paragraphs = "\n".join([f"{wide} a.", f"{wide} b.", f"{wide} {wide} c.", f"{wide} d.", "Graz"])
    assert texts(paragraphs)[-1] == "Graz"


@pytest.mark.parametrize(
    ("line", "is_row"),
    [
        ("Utah 12 — —", True),
        ("Lamps lost at sea, net of oil(8) — — — (4)", True),
        ("problem Share 2.0% .0%", True),
        ("Utah — —", False),
        ("The bridge was closed in 2012 —", False),
        ("It was late - very late - -", False),
    ],
)
def test_a_row_may_have_cells_without_figures(line: str, is_row: bool) -> None:
    assert any(p.kind is SentenceKind.ROW for p in split_sentences(line)) == is_row
