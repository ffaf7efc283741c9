"""The entry of reference documentation that answers: a function, a parameter, a result."""

from __future__ import annotations

import pytest

from core.answering.extractive.sentences.candidates import Candidate, find_candidates
from core.answering.extractive.sentences.entries import (
    default_asked_for,
    entry_asked_for,
    further_entries,
)
from tests.support.hits import hit

PAGE = """\
bin.sortfileobj(fsrc, length)
Sort the lines of the file-like object fsrc. The length is a hint.

bin.sort(path, level=2, *, follow=True)
Sort the lines of the file path. If level is 0, nothing is moved.
Return the path that was sorted. If the file is empty, ValueError is raised.
If follow is true (the default), links are read.

bin.sorttree(root)
Sort the lines of each file in a directory and of its folders.

Kiln.temper(plate, level=2)
Heat the plate. The level is as above.

bin.DIGITS
The digits that a label may have.
"""


def order(text: str = PAGE) -> list[tuple[Candidate, float]]:
    """The candidates, those that come first as the best; all of them are near."""
    found = find_candidates([hit(text)])
    return [(one, 9.0 - 0.1 * at) for at, one in enumerate(found)]


def said(question: str, text: str = PAGE, **kept: str) -> list[str]:
    return [one.sentence.text for one in entry_asked_for(question, order(text), **kept)]


@pytest.mark.parametrize(
    "question", ["sort a file", "how do i sort a file", "which function sorts"]
)
def test_of_functions_that_do_it_the_plainest_is_taken(question: str) -> None:
    assert said(question) == ["Sort the lines of the file path."]


def first(question: str, *entries: str, **kept: str) -> str:
    return said(question, "\n\n".join(entries) + "\n", **kept)[0]


def test_the_first_words_of_a_description_count_more() -> None:
    draw = "bin.draw(seq)\nReturn a plate that is random in its hue."
    pick = "bin.pick(seq)\nReturn a random plate of a rack."
    assert first("random plate", draw, pick) == "Return a random plate of a rack."


def test_what_says_more_than_is_asked_counts_less() -> None:
    long = "bin.pick(seq)\nDraw a plate from a cup, a saucer, a bowl, a jar and a lid."
    assert first("draw a plate", long, "bin.take(seq)\nDraw a plate.") == "Draw a plate."


def test_no_object_is_asked_for_where_a_function_does_it() -> None:
    member, plain = "Rack.put(plate)\nStore a plate.", "bin.put(plate)\nStore a plate, glazed."
    assert first("store a plate", member, plain) == "Store a plate, glazed."
    assert first("store a plate in a rack", member, plain) == "Store a plate."


def test_what_was_carried_over_tells_functions_apart() -> None:
    wipe = "bin.wipe(path)\nRemove a file or a directory."
    copy = "bin.dub(path)\nCopy a file or a directory."
    found = first("copy a file for a directory?", wipe, copy, typed="and for a directory?")
    assert found == "Copy a file or a directory."


def test_what_was_just_quoted_is_not_quoted_again() -> None:
    quoted = "bin.sort(path)  \nSort the lines of the file path. [1]"
    assert "Sort the lines of the file path." not in said("sort a file", said=quoted)


def test_a_question_that_follows_on_wants_another_function_that_has_its_words() -> None:
    question, quoted = "sort a file for a directory?", "Sort the lines of the file path."
    found = said(question, typed="and for a directory?", said=quoted)
    assert found == ["Sort the lines of each file in a directory and of its folders."]


def test_what_half_of_the_words_name_is_no_answer() -> None:
    assert said("how do i sort the plates of a kiln") == []


def test_half_of_the_words_are_too_few_where_they_lack_what_it_is_done_into() -> None:
    log = "bin.log(level, msg)\nLogs a note on the bin."
    assert said("how do i log my crates", f"{log}\n") == ["Logs a note on the bin."]
    assert said("how do i log into a file", f"{log}\n") == []
    assert said("how do i log into a bin", f"{log}\n") == ["Logs a note on the bin."]


def test_prose_that_says_how_is_not_passed_over() -> None:
    text = "To sort a shelf, add it to the list.\n\n" + PAGE
    assert said("how do i sort a shelf of lines", text) == ["Sort the lines of the file path."]
    assert said("how do i sort a shelf", text) == []


@pytest.mark.parametrize(
    "question",
    ["what is sorted", "when are files sorted", "is a file sorted", "list the lines of the file"],
)
def test_other_questions_are_not_for_what_a_function_does(question: str) -> None:
    assert said(question) == []


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what does temper do", "Heat the plate."),
        ("what is bin.DIGITS", "The digits that a label may have."),
        ("what does bin.sort return", "Return the path that was sorted."),
        ("what does sort raise for an empty file", "If the file is empty, ValueError is raised."),
        ("what does temper return", "Heat the plate."),  # no sentence says that
    ],
)
def test_what_a_named_function_does_returns_and_raises(question: str, answer: str | None) -> None:
    assert said(question) == ([answer] if answer else [])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what does the level argument of bin.sort do", "If level is 0, nothing is moved."),
        ("what does level=0 do", "If level is 0, nothing is moved."),
        ("what does the level parameter of Kiln.temper do", "The level is as above."),
        ("default value of follow", "If follow is true (the default), links are read."),
        ("what does the width argument of bin.sort do", None),
    ],
)
def test_a_parameter(question: str, answer: str | None) -> None:
    assert said(question) == ([answer] if answer else [])


def test_an_example_is_a_listing_with_what_is_asked_for() -> None:
    text = "See below.\n\n```\nsort('a')\n```\n\nOr so.\n\n```\ntemper(plate)\n```\n"
    assert said("show me an example of temper", text) == ["temper(plate)"]
    assert said("example of glazing", text) == []


def test_a_qualifier_in_a_name_that_nobody_asked_for_counts_against_it() -> None:
    hot = "bin.HotPlate(hue)\nMake a plate of cold clay, and lids."
    plain = "bin.plateset(hue)\nMake a plate of any hue, and lids."
    assert first("make a plate", hot, plain) == "Make a plate of any hue, and lids."
    assert first("make a hot plate", hot, plain) == "Make a plate of cold clay, and lids."


def test_what_only_says_whether_is_for_who_asks_that() -> None:
    whether = "bin.isplate(path)\nReturn True if the path is a plate."
    value = "bin.find(path)\nReturn the plate at a path, or a shelf, a rack, a lid."
    assert first("get the plate of a path", whether, value).startswith("Return the plate")
    assert first("check if a path is a plate", whether, value).startswith("Return True")


def test_renaming_gives_no_name() -> None:
    move = "bin.rename(file)\nRename a file."
    assert said(
        "get the name of a file", f"{move}\n\nbin.call(file)\nReturn the name of a file.\n"
    ) == ["Return the name of a file."]


def test_an_attribute_is_not_how_something_is_done() -> None:
    text = "bin.HUES\nGlaze a plate, all hues.\n"
    assert said("how do i glaze a plate", text) == []
    assert said("how do i change the hues", text) == ["Glaze a plate, all hues."]


def test_functions_that_were_found_further_behind_are_read_too() -> None:
    found = [
        hit("bin.sort(path)\nSort the file.", headings=("bin", "bin.sort(path)")),
        hit("More of it.", headings=("bin", "bin.sort(path)")),
        hit("Basic use\nAll of it.", headings=("bin", "Basic use")),
    ]
    assert further_entries("sort a file", found) == found[:1]
    assert further_entries("when was it sorted", found) == []
    packs = hit("bin.pack(level=2)\nPack it.", headings=("bin", "bin.pack(level=2)"))
    assert further_entries("what is the default level", [*found, packs]) == [packs]


DEFAULTS = """\
bin.open(path, mode='rb', level=9)
Open the bin at a path. The mode may be that of a file.

class Bin(path, level=9, mtime=None)
Make a bin. The mtime argument is the time that is written, and None is the present.

bin.pack(data, level=9, mtime=None)
Pack the data, where level and mtime have the same meaning as in the Bin class above.

Bin.label
What stands on the bin. It defaults to 'bin'.
"""


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("default level of bin.pack", ["Pack the data, where level"]),
        ("default mode of bin.open", ["Open the bin at a path."]),
        (
            "what is the default label (open bin)",
            ["What stands on the bin.", "It defaults to 'bin'."],
        ),
        ("default label of a big bin", ["What stands on the bin.", "It defaults to 'bin'."]),
        ("mtime argument of bin.pack", ["Pack the data, where level", "The mtime argument is"]),
        ("mtime argument of Bin", ["The mtime argument is the time"]),
    ],
)
def test_a_default_and_what_means_the_same_as_elsewhere(question: str, wanted: list[str]) -> None:
    found = said(question, DEFAULTS)
    assert len(found) == len(wanted)
    assert all(text.startswith(begins) for text, begins in zip(found, wanted, strict=True))


def test_the_default_of_another_parameter_that_depends_on_it_is_not_its_own() -> None:
    text = "bin.dump(marks=None, indent=None)\nDump it. The default is ', ' if indent is None.\n"
    assert said("what is the default for indent", text) == ["Dump it."]
    assert said("what is the default for indent", f"{text}The indent is 2 by default.\n") == [
        "The indent is 2 by default."
    ]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("default level of bin.open", "9"),
        ("what is the default mode (of bins) in bin.open?", "'rb'"),
        ("default path of bin.open", None),
        ("what is the level?", None),
    ],
)
def test_the_default_in_a_signature(question: str, value: str | None) -> None:
    signature = "bin.open(path, mode='rb', level=9)"
    found = default_asked_for(question, signature)
    assert (signature[slice(*found)] if found else None) == value


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what are the arguments of bin.sort", "Sort the lines of the file path."),
        ("which parameters does sorttree take?", "Sort the lines of each file in a directory and of"
         " its folders."),
        ("what does temper take", "Heat the plate."),
        ("what does temper raise", None),
        ("what are the arguments of the two sides", None),
    ],
)  # fmt: skip
def test_parameters_and_what_no_sentence_says_are_told_by_the_entry(
    question: str, answer: str | None
) -> None:
    assert said(question) == ([answer] if answer else [])


def test_a_table_of_parameters_is_left_to_say_what_each_is() -> None:
    table = "| Argument | Meaning |\n|---|---|\n| path | A file. |\n"
    text = f"bin.sort(path, level=2)\nSort the lines.\n\n{table}"
    assert said("what are the arguments of sort", text) == []
    rows = "| Year | Lines |\n|---|---|\n| 2020 | 12 |\n"
    other = f"bin.sort(path, level=2)\nSort the lines.\n\n{rows}"
    assert said("what are the arguments of sort", other) == ["Sort the lines."]


def test_the_return_value_of_something_else_is_not_what_it_returns() -> None:
    text = "bin.sort(path, key)\nSort the lines.\nThe return value of key is compared.\n"
    assert said("what does bin.sort return", text) == ["Sort the lines."]
