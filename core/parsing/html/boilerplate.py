"""What stands around the main text of a saved page: menus, teasers, comments, the foot."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterator
from typing import Any

from lxml import etree

from core.parsing.html.elements import BLOCKS, HEADINGS, is_unseen, visible_text
from core.parsing.html.main_text import is_sphinx, sphinx_main

_PROSE = 100
"""Characters of the shortest paragraph that counts as prose."""
_LINE = 20
"""Letters of the shortest line by which the main text is found: "Name" may stand anywhere."""
_MOST_OUTSIDE = 0.25
"""How much prose may stand around the main text: with more, the page has several main texts."""
_LEAST_FOUND = 0.6
"""The part of what trafilatura found that must be in the page as it is."""
_NEARLY_ALL = 0.97
_LOOKED_FOR = 50
"""Paragraphs by which the main text is found: it takes time for each."""
_LONGEST = 2_000_000
"""Characters; a longer file is no article, and would take trafilatura seconds."""
_EXTRA = re.compile(
    r"comment|kommentar|respond|disqus|related|teaser|sidebar|cookie|consent|gdpr|newsletter"
    r"|recommend|promo|outbrain|taboola|share-?(?:bar|bear|button)|social",
    re.I,
)

_BESIDE = frozenset(("aside", "footer"))
"""Elements that are not part of an article, by what HTML says of them."""


def boilerplate(root: Any, text: str) -> frozenset[Any]:
    """Return the elements around the main text of a page; none where that cannot be told.

    The main text is the smallest element that holds what trafilatura finds in `text`, with what
    stands between the title of the page and it, without what is called a teaser or the like there.
    A page with much prose elsewhere, as a list of articles has, is main text all over; comments,
    teasers and related articles do not count.
    """
    if is_sphinx(root) and (main := sphinx_main(root)) is not None:
        return frozenset(_around(main, root))
    found = _found(text)
    if (main := _main_element(root, found)) is None:
        return frozenset()
    around = frozenset(_around(main, root))
    outside = sum(_prose(element) for element in around if isinstance(element.tag, str))
    if outside >= _MOST_OUTSIDE * _prose(main, extras=True):
        return frozenset()
    return around.union(_within(main, found))


def _found(text: str) -> list[str]:
    """Return the words of the longer paragraphs that trafilatura finds."""
    if len(text) > _LONGEST:
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # from the libraries that parse dates
        import trafilatura

        found = trafilatura.bare_extraction(
            unicodedata.normalize("NFC", text), include_comments=False
        )
    if found is None or found.body is None:
        return []
    return [words for block in found.body if len(words := _words(block)) > _LINE]


def _main_element(root: Any, found: list[str]) -> Any | None:
    """Return the smallest element with nearly all of these paragraphs."""
    body = root.find("body")
    if body is None or not found:
        return None
    paragraphs = found[:: len(found) // _LOOKED_FOR + 1]
    in_body = _held(body, paragraphs)
    if in_body <= _LEAST_FOUND * sum(map(len, paragraphs)):
        return None
    main, inner = None, body
    while inner is not None:
        main = inner
        inner = next((e for e in main if _held(e, paragraphs) >= _NEARLY_ALL * in_body), None)
    return main


def _around(main: Any, root: Any) -> Iterator[Any]:
    """Yield what is outside of `main`, less what is between the page's title and it."""
    titles = _titles(root)
    wanted = bool(titles) and not any(heading in titles for heading in main.iter(*HEADINGS))
    element = main
    while (parent := element.getparent()) is not None and element.tag != "body":
        yield from element.itersiblings()
        for sibling in element.itersiblings(preceding=True):
            if not wanted:
                yield sibling
            elif any(heading in titles for heading in sibling.iter(*HEADINGS)):
                wanted = False
        element = parent


def _within(main: Any, found: list[str]) -> Iterator[Any]:
    """Yield what is called teasers or comments within `main`, and holds nothing that was found."""
    walk = etree.iterwalk(main, events=("start",))
    for _, element in walk:
        if not isinstance(element.tag, str) or element is main or not _is_extra(element):
            continue
        words = _words(element)
        kept = any(paragraph in words or words in paragraph for paragraph in found)
        if not kept and element.find(".//h1") is None:
            walk.skip_subtree()
            yield element


def _titles(root: Any) -> list[Any]:
    """Return the headings of the first level, else those whose words the page's title has."""
    title = _words(found) if (found := root.find("head/title")) is not None else ""
    return list(root.iter("h1")) or [
        heading for heading in root.iter(*HEADINGS) if (words := _words(heading)) and words in title
    ]


def _held(element: Any, paragraphs: list[str]) -> int:
    """Return how many characters of the paragraphs an element holds."""
    if not isinstance(element.tag, str):
        return 0
    words = _words(element)
    return sum(len(paragraph) for paragraph in paragraphs if paragraph in words)


def _prose(element: Any, *, extras: bool = False) -> int:
    """Return how many characters of prose an element shows, with `extras` those of comments too."""
    total = 0
    walk = etree.iterwalk(element, events=("start",))
    for _, inner in walk:
        if not isinstance(inner.tag, str) or is_unseen(inner) or (not extras and _is_extra(inner)):
            walk.skip_subtree()
        elif inner.tag in BLOCKS and not any(c.tag in BLOCKS for c in inner):
            words = visible_text(inner)
            links = sum(len(visible_text(link)) for link in inner.iter("a"))
            total += len(words) if len(words) - links >= _PROSE else 0
            walk.skip_subtree()
    return total


def _is_extra(element: Any) -> bool:
    """Whether an element is called comments, related articles or what else is no article."""
    return element.tag in _BESIDE or any(
        _EXTRA.search(element.get(name) or "") for name in ("id", "class")
    )


def _words(element: Any) -> str:
    text = unicodedata.normalize("NFC", "".join(element.itertext()))
    return re.sub(r"\W+", "", text).casefold()
