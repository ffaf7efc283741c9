"""Passages that say the same as a better one."""

from __future__ import annotations

import numpy as np

from core.retrieval.duplicates import repeats, without_edges

WORDS = [f"w{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(100)]
TEXT = " ".join(WORDS)


def test_repeats_need_equal_numbers() -> None:
    text = "In the year 2022 the sales of the company rose by a large part to new heights again."
    other = text.replace("2022", "2023")
    assert repeats([text, other, text.upper(), "Short.", "short", ""]) == [
        None, None, 0, None, 3, None,
    ]  # fmt: skip


def test_repeats_allow_a_small_difference() -> None:
    changed = [*WORDS[:50], "another", *WORDS[51:]]
    assert repeats([TEXT, " ".join(changed)]) == [None, 0]
    assert repeats([TEXT, " ".join([*WORDS[:60], *reversed(WORDS[60:])])]) == [None, None]


def test_a_part_of_a_better_passage_says_nothing_new_and_the_whole_of_a_part_does() -> None:
    part = " ".join(WORDS[20:60])
    assert repeats([TEXT, part]) == [None, 0]
    assert repeats([part, TEXT]) == [None, None]


def test_a_negation_is_a_difference() -> None:
    denied = " ".join([*WORDS[:50], "not", *WORDS[50:]])
    assert repeats([TEXT, denied]) == [None, None]
    assert repeats([denied, TEXT]) == [None, None]


def test_another_name_is_a_difference() -> None:
    first, second = (" ".join([*WORDS[:50], name, *WORDS[50:]]) for name in ("Delia", "Casamento"))
    assert repeats([first, second]) == [None, None]


def test_a_changed_word_beside_a_figure_is_no_difference() -> None:
    first, second = (" ".join([*WORDS[:50], word, "17", *WORDS[50:]]) for word in ("some", "about"))
    assert repeats([first, second]) == [None, 0]


def test_a_figure_that_the_later_one_lacks_is_a_difference() -> None:
    counted = " ".join([*WORDS[:50], "17", *WORDS[50:]])
    assert repeats([counted, TEXT]) == [None, None]
    assert repeats([f"17 {TEXT}", TEXT]) == [None, 0]  # beside it, not within


def test_other_headers_and_footers_are_no_difference() -> None:
    first, second = f"Draft, page 3\n{TEXT}", f"Final of 7 June, page 4\n{TEXT}"
    assert repeats([first, second]) == [None, None]
    assert repeats([first, second], bare=lambda at: TEXT) == [None, 0]


def test_passages_whose_vectors_are_far_apart_are_not_compared() -> None:
    near, far = np.array([[1, 0], [0.8, 0.6]], np.float32), np.eye(2, dtype=np.float32)
    assert repeats([TEXT, TEXT], near) == [None, 0]
    assert repeats([TEXT, TEXT], far) == [None, None]


def test_only_lines_that_run_along_the_pages_are_taken_away() -> None:
    page = "Report 2023\nCats purr.\nTotal 12\nPage 7"
    beside = ["Report 2023\nDogs bark.\nPage 6", "Report 2023\nShips sail.\nPage 8"]
    assert without_edges("Cats purr.\nTotal 12\nPage 7", page, beside) == "Cats purr.\nTotal 12"
    assert without_edges(page, page, []) == page
    assert without_edges("Cats purr.", "", beside) == "Cats purr."
