"""Citation marks: every spelling, every splitting, never a number outside the list."""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.citations.stream import CitationStream
from tests.support.hits import renumber


@dataclass(frozen=True)
class Source:
    """A source of which only the label matters."""

    label: str


SOURCES = [Source("a.pdf"), Source("b b.pdf"), Source("c.pdf"), Source("c.pdf (2)")]


@pytest.mark.parametrize(
    ("mark", "cited"),
    [
        ("[Source 2]", (2,)),
        ("[source 2]", (2,)),
        ("[2]", (2,)),
        ("[ 2 ]", (2,)),
        ("[1, 3]", (1, 3)),
        ("[1; 3]", (1, 3)),
        ("[3][1]", (3, 1)),
        ("[1-3]", (1, 2, 3)),
        ("[1–3]", (1, 2, 3)),
        ("[Source 1 to 3]", (1, 2, 3)),
        ("【1】", (1,)),
        ("【2†source】", (2,)),
        ("［3］", (3,)),
        ("(Source 2)", (2,)),
        ("(Sources 2 and 3)", (2, 3)),
        ("(Source 2, p. 4)", (2,)),
        ("[Source 2: whatever.pdf, page 9]", (2,)),
        ("[Source 1, Source 3]", (1, 3)),
        ("[Source 1; Source 3]", (1, 3)),
        ("[Sources 1 & 2]", (1, 2)),
        ("[Source #2]", (2,)),
        ("[source_2]", (2,)),
        ("[Doc 2]", (2,)),
        ("[^2]", (2,)),
        ("[[2]]", (2,)),
        ("\\[2\\]", (2,)),
        ("[**2**]", (2,)),
        ("[Quelle 2]", (2,)),
        ("[Fuente 1]", (1,)),
        ("[Fonte 1]", (1,)),
        ("[Источник 3]", (3,)),
        ("[Πηγή 3]", (3,)),
        ("[Kaynak 1]", (1,)),
        ("[المصدر 2]", (2,)),
        ("[来源1]", (1,)),
        ("[来源 1、2]", (1, 2)),
        ("[출처 1]", (1,)),
        ("[٢]", (2,)),
        ("[２]", (2,)),
        ("[Source: b b.pdf]", (2,)),
        ("[a.pdf]", (1,)),
        ("[c.pdf (2), p. 3]", (4,)),
        ("[2](http://example.com/a_(b))", (2,)),
        ('<source id="2">', (2,)),
        ("<cite>1, 2</cite>", (1, 2)),
        ("<sup>2</sup>", (2,)),
        ("Source 2", (2,)),
    ],
)
def test_spellings(mark: str, cited: tuple[int, ...]) -> None:
    result = renumber(f"It is so {mark}.", SOURCES)
    assert result.cited == cited
    marks = "".join(f"[{n}]" for n in range(1, len(cited) + 1))
    assert result.text == f"It is so {marks}."
    assert result.removed == 0


@pytest.mark.parametrize(
    "mark",
    [
        "[Source 99]", "[99]", "[0]", "[-1]", "[Source X]", "[Source]", "[source: x.pdf]", "【9】",
        "(Source 12)", "[9, 10]", "[99999999999999999999]", "[[[9]9]9]", "[9](http://evil.example)",
        "</source>", "<sources-1f2e>",
    ],
)  # fmt: skip
def test_marks_that_name_no_source_go_with_their_space(mark: str) -> None:
    assert renumber(f"It is so {mark}.", SOURCES) == renumber("It is so.", SOURCES).__class__(
        "It is so.", (), 1
    )


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("So it is [1", "So it is [1]"),
        ("So it is [Source 2.", "So it is [1]."),
        ("So it is [[2", "So it is [1]"),
        ("So it is [2, 3", "So it is [1][2]"),
        ("So it is [9", "So it is"),
        ("So it is [Source", "So it is"),
        ("So it is [", "So it is"),
        ("So it is [9][Source", "So it is"),
        ("So it is [\n", "So it is\n"),
        ("So it is [Source\n\nMore.", "So it is\n\nMore."),
        ("- a [Source 1\n- b [2.\n", "- a [1]\n- b [2].\n"),
        ("So {mark}. So {marks}. {not_found}", "So. So."),
        ("So it is [Source {n}].", "So it is."),
    ],
)
def test_a_mark_without_its_end_or_its_number_leaves_nothing_behind(said: str, shown: str) -> None:
    for size in (1, 7, 1_000):
        stream = CitationStream(SOURCES)
        pieces = [said[at : at + size] for at in range(0, len(said), size)]
        assert ("".join(map(stream.feed, pieces)) + stream.finish()).rstrip(" ") == shown


@pytest.mark.parametrize(
    "text",
    [
        "in [0, 1", "[sic", "x = [\n1", "x = [1,\n2", "a [x = 1", "{market}", "{marking",
        "one (1) two (2)", "[sic] and [x] and - [ ] to do", "in [0, 1] or [-1, 1]", "[1.5]",
        "[a1]",
        "(see section 3)", "(source code 3)", "(source 2019 report)", "Open Source 2",
        "Source 9 is", "Source 2 Engine",
        "a < b > c", "<b>x</b> &amp;", "\\(x\\) \\[x = 1\\]", "f(x)[", "1] 2)",
        "a\n\n\nb  \nc", "  indented", '<source src="x.mp3">', "🙂 [é] — „x“", "[link](http://a.b)",
    ],
)  # fmt: skip
def test_other_text_is_unchanged(text: str) -> None:
    assert renumber(text, SOURCES).text == text


@pytest.mark.parametrize(
    "code",
    [
        "`a[1]`", "``b[9]`c``", "```py\nx[1] = y[99]\n```", "~~~\n[1]\n~~~", "````\n```\n[7]\n````",
        "- item\n\n    ```\n    [9]\n    ```", "```\n[9]",
    ],
)  # fmt: skip
def test_code_is_left_alone(code: str) -> None:
    assert renumber(code, SOURCES).text == code
    if not code.endswith("[9]"):
        assert renumber(f"{code}\n\nso [2]", SOURCES).text == f"{code}\n\nso [1]"


def test_an_unpaired_back_tick_hides_no_mark() -> None:
    assert renumber("a ` b [9] c\nd ` e [9] f `g` [2]", SOURCES).text == (
        "a ` b c\nd ` e f `g` [1]"
    )


def test_numbers_are_those_of_first_use_and_repeats_become_one() -> None:
    result = renumber("B [2]. A [1][1] [1]. B again [Source 2]. All [1-3].", SOURCES)
    assert result.text == "B [1]. A [2]. B again [1]. All [2][1][3]."
    assert result.cited == (2, 1, 3)


def test_a_source_list_at_the_end_goes() -> None:
    text = "It is so [3].\n\n**Sources:**\n- [Source 3: c.pdf]\n- a.pdf, p. 3\n"
    assert renumber(text, SOURCES).text == "It is so [1].\n\n"
    kept = "It is so [3].\n\nSources:\nCoal and gas [1].\n"
    assert renumber(kept, SOURCES).text == "It is so [1].\n\nSources:\nCoal and gas [2].\n"


LISTS = [
    ("References:\n1. Clara Voss, Danish engineer\n2. A report of 1869", ""),
    ("## Bibliography\n- A report, which nobody gave", ""),
    ("**Sources**\n- Clara's Life, page 1\n- a.pdf\n", ""),
    ("Sources:\nClara's life\n", ""),
    ("Source: Clara's life, p. 3", ""),
    ("Source: Clara's life, p. 3 [1]", ""),
    ("Sources:\n- Coal\n- Gas", "Sources:\n- Coal\n- Gas"),
    ("References:\nHe has good ones.", "References:\nHe has good ones."),
    ("Source: Clara's lifelong friend", "Source: Clara's lifelong friend"),
]


@pytest.mark.parametrize(("listed", "left"), LISTS)
def test_a_list_of_sources_without_marks_goes(listed: str, left: str) -> None:
    said = f"It was so [1].\n\n{listed}"
    for size in (1, 7, 1_000):
        stream = CitationStream(SOURCES, ["Clara's life"])
        pieces = [said[at : at + size] for at in range(0, len(said), size)]
        assert "".join(map(stream.feed, pieces)) + stream.finish() == f"It was so [1].\n\n{left}"


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("It was so.\n\nSource: [1] [2]", "It was so.\n\n[1] [2]"),
        ("It was so [1].\n\nSources: [1], [1]\nMore.", "It was so [1].\n\n\nMore."),
        ("It was so [1].\n**Source:** [1]", "It was so [1].\n"),
        ("It was so [1].\nSource: the paper", "It was so [1].\nSource: the paper"),
        ("It was so [1].\n\n(Source: [1])", "It was so [1].\n\n"),
        ("It was so [1].\n\nQuelle: [1]\nMehr.", "It was so [1].\n\n\nMehr."),
        ("It was so [1].\n\nSources used: [1], [2]", "It was so [1].\n\n"),
        ("It was so [1].\n\nMain source: [1]", "It was so [1].\n\nMain source: [1]"),
        ("Sources say so [1].", "Sources say so [1]."),
    ],
)
def test_a_line_that_only_names_sources_goes(said: str, shown: str) -> None:
    for size in (1, 7, 1_000):
        stream = CitationStream.of(3)
        pieces = [said[at : at + size] for at in range(0, len(said), size)]
        assert "".join(map(stream.feed, pieces)) + stream.finish() == shown


def test_little_is_held_back() -> None:
    stream = CitationStream(SOURCES)
    assert stream.feed("A plain beginning, then") == "A plain beginning, then"
    assert stream.feed(" [a note that is none") == " [a note that is none"
    assert stream.feed(" [Sour") == ""
    assert stream.feed("ce 2] and") == " [1] and"
    assert stream.finish() == ""


PIECES = st.sampled_from(
    [
        "[", "]", "(", ")", "【", "】", "[1]", "[2", "3", "9", "0", " ", "  ", "\n",
        "\n\n", "`", "``",
        "```", "```py\n", "\n```\n", "~~~\n", "Source 1", "Source", "Sources:", "\nSources:\n",
        "- ",
        "1. ", "> ", "(Source 2)", "[Source 99]", "a.pdf", "[source: a.pdf]", ", ", "-", "–",
        "text",
        "word. ", "\\", "\\[", "\\]", '<source id="1">', "</source>", "<cite>", "</cite>", "[^1]",
        "http://x.y", "(http://x.y/z)", ":", "x" * 60, " " * 50, "Quelle 2", "Open ", "来源", "٣",
        "[" * 20, "]" * 20, "*", "#", "and ", "†", "١", "\u00a0", "\r",
    ]
)  # fmt: skip
TEXTS = st.lists(PIECES, max_size=25).map("".join)
CODE = re.compile(r"(?ms)^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)|(`+)(?!`).*?(?<!`)\2")


@settings(max_examples=600, derandomize=True, deadline=None)
@given(TEXTS, st.randoms(use_true_random=False))
def test_any_splitting_gives_the_same(text: str, chance: random.Random) -> None:
    whole = renumber(text, SOURCES)
    stream = CitationStream(SOURCES)
    written = ""
    at = 0
    while at < len(text):
        size = chance.choice((1, 1, 2, 3, 8, 30))
        written += stream.feed(text[at : at + size])
        at += size
    written += stream.finish()
    assert (written, stream.cited, stream.removed) == (whole.text, whole.cited, whole.removed)


@settings(max_examples=600, derandomize=True, deadline=None)
@given(TEXTS.filter(lambda text: "`" not in text and "~" not in text))
def test_no_number_outside_the_list(text: str) -> None:
    result = renumber(text, SOURCES)
    shown = {int(n) for n in re.findall(r"\[[ \t]*(\d+)[ \t]*\]", result.text)}
    assert shown <= set(range(1, len(result.cited) + 1))
    assert set(result.cited) <= set(range(1, len(SOURCES) + 1))


@settings(max_examples=300, derandomize=True, deadline=None)
@given(TEXTS)
def test_nothing_is_added_but_numbers(text: str) -> None:
    """What is left of the text is a part of it, in order."""
    rest = iter(text)
    left = re.sub(r"\[\d+\]", "", renumber(text, SOURCES).text)
    assert all(ch in rest for ch in re.sub(r"[\[\]\d]", "", left))


def test_time_is_linear() -> None:
    began = time.thread_time()
    for text in (
        "[Source 99]" * 10_000, "[1]" * 10_000, "[" * 5_000, "`" * 10_001 + "a", "` " * 10_000,
        "Source " * 10_000, "Sources:\n" * 5_000, "(" * 10_000, "<" * 10_000, "[1](h" * 2_000,
    ):  # fmt: skip
        renumber(text, SOURCES)
    assert time.thread_time() - began < 20
