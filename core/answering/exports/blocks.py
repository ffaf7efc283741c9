"""The Markdown of an answer as tokens in which nothing is live (pure).

Links, images and HTML are off in the parser, so they stay the text that they are written as.
"""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.token import Token

PARSER = (
    MarkdownIt("commonmark", {"html": False, "linkify": False, "typographer": False})
    .enable(["table", "strikethrough"])
    .disable(["link", "image", "autolink", "reference", "html_block", "html_inline"])
    .disable("text_join")  # the brackets of "\[1\]", which is no mark, stay tokens of their own
)


def parsed(text: str) -> list[Token]:
    """The tokens of an answer's text.

    >>> [one.type for one in parsed("![x](http://e.org) <b>")[1].children or []]
    ['text']
    """
    return PARSER.parse(text)


def closing(text: str) -> str:
    r"""The line that ends code which a text leaves open, so that what follows is none; "" if none.

    >>> closing("See:\n~~~\ncode"), closing("See `this`.")
    ('\n~~~', '')
    """
    last = parsed(f"{text}\n\nend")[-1]
    return f"\n{last.markup}" if last.type == "fence" else ""
