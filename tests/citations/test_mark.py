"""The citation mark: one constant for what is asked, one for what is written, one parser."""

from __future__ import annotations

import pytest

from core.answering.generative.prompts import JOIN, LEAF, PRESETS, Prompt
from core.citations.mark import asked_mark, find_marks, mark, plain_words, without_marks
from core.citations.mark_parser import has_mark, read_mark, unfinished_mark
from core.citations.stream import CitationStream
from core.text.markdown_quoting import escape_markdown


@pytest.mark.parametrize("number", [1, 7, 10, 99])
def test_the_parser_reads_what_is_asked_for_and_what_is_written(number: int) -> None:
    for form in (asked_mark(number), mark(number)):
        found = read_mark(form, 0, 100, final=True)
        assert found is not None
        assert (found.numbers, found.end) == ((number,), len(form))


@pytest.mark.parametrize("prompt", [*PRESETS.values(), LEAF, JOIN], ids=lambda prompt: prompt.name)
def test_every_prompt_asks_for_the_mark(prompt: Prompt) -> None:
    assert asked_mark(1) in prompt.system_text("b")
    assert asked_mark("n") in prompt.task_text("", "")
    assert "[Source" not in prompt.system + prompt.task, "the form is spelled in one place"


def test_what_is_asked_for_becomes_what_is_written() -> None:
    stream = CitationStream.of(3)
    assert stream.feed(f"So {asked_mark(3)}.") + stream.finish() == f"So {mark(1)}."
    assert stream.cited == (3,)


def test_a_quote_cannot_contain_a_mark() -> None:
    quote = escape_markdown(f"As {mark(1)} says, {asked_mark(2)}.")
    assert list(find_marks(quote)) == []
    assert [found.group(1) for found in find_marks(f"{quote} {mark(2)}")] == ["2"]
    assert plain_words(f"{quote} {mark(2)}") == f"As {mark(1)} says, {asked_mark(2)}."


def test_a_mark_behind_a_backslash_is_text() -> None:
    assert list(find_marks(f"As \\{mark(1)} says.")) == []
    assert without_marks(f"As \\{mark(1)} says {mark(2)}.") == f"As \\{mark(1)} says."


def test_marks_in_code_are_text() -> None:
    text = f"Use `a{mark(1)}`\n```\nb{mark(2)}\n```\nas said {mark(3)}."
    assert [found.group(1) for found in find_marks(text)] == ["3"]
    assert without_marks(text) == f"Use `a{mark(1)}`\n```\nb{mark(2)}\n```\nas said."


def test_only_the_given_numbers_count() -> None:
    text = f"One {mark(1)}. Two {mark(2)}."
    assert [found.group(1) for found in find_marks(text, {2})] == ["2"]
    assert without_marks(text, {2}) == f"One {mark(1)}. Two."


@pytest.mark.parametrize("half", [" [", " [Source", " [Source 1", " [1, 2", " 【1", " (Source 1"])
def test_half_a_mark_at_the_end_is_seen(half: str) -> None:
    assert unfinished_mark(f"So it is{half}") == len("So it is")


@pytest.mark.parametrize("text", ["", "So it is", "So it is [1].", "So it is [1]"])
def test_a_whole_mark_is_not_half_a_one(text: str) -> None:
    assert unfinished_mark(text) == len(text)


@pytest.mark.parametrize("text", [asked_mark(1), "as [source 12] says", "【3】"])
def test_any_mark_is_seen(text: str) -> None:
    assert has_mark(text)


@pytest.mark.parametrize("text", ["no [mark] here", "a (1)", ""])
def test_what_is_no_mark(text: str) -> None:
    assert not has_mark(text)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It was built in 1874 [1].", "It was built in 1874."),
        ("One [1][2]. Two [2].", "One. Two."),
        ("Nothing cited [3].", "Nothing cited [3]."),
        ("An escaped \\[1\\] stays [1].", "An escaped \\[1\\] stays."),
        ("`a[1]` and ``b`[1]`` [1]", "`a[1]` and ``b`[1]``"),
        ("```python\nx = a[1]\n```\n[1]", "```python\nx = a[1]\n```"),
        ("~~~\n[1]\n~~~~\nText [2].", "~~~\n[1]\n~~~~\nText."),
        ("```\nnever closed [1]", "```\nnever closed [1]"),
        ("[10] is not [1]", "[10] is not"),
        ("", ""),
    ],
)
def test_only_marks_go(text: str, left: str) -> None:
    assert without_marks(text, {1, 2}) == left


def test_without_citations_nothing_changes() -> None:
    assert without_marks(" a [1] ", set()) == " a [1] "
