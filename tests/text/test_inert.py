"""Images, links and markup that a model or a document wrote are dead wherever answers leave."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.text.inert import InertStream, inert

pytestmark = pytest.mark.E16

GENEROUS = (
    MarkdownIt("commonmark", {"html": True, "linkify": False}).enable(["table", "strikethrough"]),
    MarkdownIt("commonmark", {"html": True, "linkify": False}),
)
LIVE = {"link_open", "image", "html_inline", "html_block"}

SMUGGLED = [
    "![alt](https://evil.example/p.png)",
    "[click](https://evil.example)",
    "[click](<https://evil.example>)",
    "[a](/api/sessions 'title')",
    "<img src=https://evil.example/p.png>",
    "<https://evil.example>",
    "<someone@evil.example>",
    "text\n\n<div style='background:url(https://evil.example)'>",
    "[1]: https://evil.example\n\nIt is so [1].",
    "[two\nlines]: https://evil.example\n\nIt is ![two lines].",
    "![a][ref]\n\n[ref]: https://evil.example",
    "- a `\n- ![x](https://evil.example) `",
    "> ```\n![x](https://evil.example)",
    "- a\n\n  ```\n![x](https://evil.example)\n",
    "  ```\nx\n  ```\n  ![a](https://evil.example)",
    "| a | b |\n|---|---|\n| ` | ![x](https://evil.example) ` |",
    "``` a`b\n![x](https://evil.example)",
    "````\n```\n````\n![x](https://evil.example)",
    "~~~\ncode\n~~~ no end\n~~~\n![x](https://evil.example)",
    "`` ` ![x](https://evil.example)",
    "\\![x](https://evil.example)",
    "\\\\[x](https://evil.example)",
    "[![in](https://evil.example)](https://evil.example)",
    "<!-- hidden --> and <?php ?>",
]


def tokens(found: list[Token]) -> Iterator[Token]:
    for token in found:
        yield token
        yield from tokens(token.children or [])


def live(text: str) -> list[str]:
    """What a renderer would make live of a text."""
    return [t.type for parser in GENEROUS for t in tokens(parser.parse(text)) if t.type in LIVE]


def words(text: str) -> str:
    """What a person reads of it."""
    return "".join(t.content for t in tokens(GENEROUS[0].parse(text)) if not t.children)


@pytest.mark.parametrize("text", SMUGGLED)
def test_nothing_is_live(text: str) -> None:
    assert live(text), "a case that proves something"
    assert live(inert(text)) == []


def test_words_and_address_of_a_link_are_read_as_text() -> None:
    assert words(inert("See [here](https://evil.example/a?b=c).")) == (
        "See [here](https://evil.example/a?b=c)."
    )


@pytest.mark.parametrize("text", ["https://evil.example", "see www.evil.example now", "HTTP://a.b"])
def test_no_renderer_takes_an_address_in_the_text_for_a_link(text: str) -> None:
    assert "://" not in inert(text)
    assert "www." not in inert(text)
    assert words(inert(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "It was built in 1889 [1][2]. See **bold**, *slanted* and 3 < 4.",
        "| a | b |\n|---|---|\n| 1 | 2 |",
        "```python\nx[0](y) if a <b else '<c>'  # https://x.example\n```\nand `f[0](x)` too",
        "1. one\n2. two\n\n> said",
    ],
)
def test_an_answer_without_links_stays_as_it_is(text: str) -> None:
    assert inert(text) == text


@pytest.mark.parametrize(
    "text", ["[```\n```![a](b)```", "see ``` \n `a ``` ![a](b)`", "a `` b\nc ``![a](b)``"]
)
def test_code_may_begin_on_an_earlier_line(text: str) -> None:
    assert live(inert(text)) == []


def test_back_ticks_of_another_paragraph_are_not_open() -> None:
    text = "A ` alone.\n\nThen `f[0](x)`."
    assert inert(text) == text


PIECES = st.sampled_from([*"[]()!<>`~|\\-: \n\n1a", "```", "~~~", "https://e.x", "![a](b)", "  ",
                          "- ", "> ", "<b", "]:", "www.", "    "])  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join))
def test_no_mixture_of_signs_is_live(text: str) -> None:
    assert live(inert(text)) == []


@given(st.lists(PIECES, max_size=30))
def test_pieces_of_any_size_make_the_same_text(pieces: list[str]) -> None:
    stream = InertStream()
    given_out = "".join(stream.feed(piece) for piece in pieces) + stream.finish()
    whole = "".join(pieces)
    assert given_out == inert(whole)
    signs = list(given_out)
    for place in sorted(stream.inserted, reverse=True):
        after = place + sum(1 for other in stream.inserted if other < place)
        assert signs.pop(after) == "\\"
    assert "".join(signs) == whole, "only backslashes were put in, where it says"
