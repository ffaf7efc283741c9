"""Find the main text of a page and its metadata, by the kind of its markup."""

from __future__ import annotations

import re
import unicodedata
import warnings
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from core.parsing.builder import Draft
from core.parsing.html.elements import visible_text
from core.parsing.html.to_markdown import heading_anchor, to_markdown
from core.types import Heading

SHORT = 600
"""Characters; a longer text is an article, not a request for JavaScript or a cookie banner."""

_SPHINX_MAIN = (
    "//*[@role='main']//*[@itemprop='articleBody']",
    "//div[@role='main']",
    "//article[@role='main']",
    "//main//article",
    "//div[contains(concat(' ', @class, ' '), ' body ')]",
    "//main",
)
_SPHINX_MARKS = (
    "//meta[@name='generator'][contains(@content, 'Docutils') or contains(@content, 'Sphinx')]",
    "//*[@id='documentation_options']",
    "//script[contains(@src, '_static/documentation_options.js')]",
    "//link[contains(@href, '_static/pygments.css')]",
)
_QUESTION = "//*[@id='question']"
_POSTS = ".//*[contains(concat(' ', @class, ' '), ' s-prose ')]"
_FOOT = (
    "//footer | //div[contains(concat(' ', @class, ' '), ' footer ')] | //*[@role='contentinfo']"
)
_LITTLE_MORE = 1.5
_TAGS = {"item": "li", "row": "tr", "quote": "blockquote", "lb": "br", "graphic": "img"}


@dataclass(frozen=True, slots=True)
class Facts:
    """Metadata of a page, each "" if unknown; `published` is YYYY-MM-DD."""

    title: str = ""
    published: str = ""
    author: str = ""
    site: str = ""
    rights: str = ""


def main_text(root: Any, source: str, url: str) -> tuple[Draft, Facts]:
    """Return the main text, and what trafilatura found on a page of unknown markup."""
    if is_sphinx(root) and (main := sphinx_main(root)) is not None:
        return to_markdown(main), Facts(title=_first_heading(main), rights=rights(root))
    if root.xpath(_QUESTION) and (posts := root.xpath(_POSTS)):
        return _question_page(root, posts), Facts()
    return _article(root, source, url)


def _article(root: Any, source: str, url: str) -> tuple[Draft, Facts]:
    """Read a page of unknown markup by trafilatura, or whole if that finds nothing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # from the libraries that parse dates
        import trafilatura

        # NFC, as trafilatura's own output is. Where the markup is known, characters that NFC
        # would replace (the kelvin sign) stay as they are.
        found = trafilatura.bare_extraction(
            unicodedata.normalize("NFC", source),
            url=url,
            with_metadata=True,
            include_comments=False,
        )
    if found is None or found.body is None or _is_plea(found.body, root):
        return to_markdown(_whole(root)), Facts()
    draft = _unlumped(found.body, root) or to_markdown(_as_html(found.body))
    known = Facts(found.title or "", found.date or "", found.author or "", found.sitename or "")
    return replace(draft, headings=_with_anchors(draft.headings, root)), known


def _is_plea(body: Any, root: Any) -> bool:
    """Whether a text is empty, or only asks for JavaScript."""
    text = _plain("".join(body.itertext()))
    pleas = root.xpath("//noscript") if len(text) < SHORT else ()
    return not text or any(text in _plain("".join(plea.itertext())) for plea in pleas)


def _unlumped(body: Any, root: Any) -> Draft | None:
    """Read a short page whole if its headings and paragraphs were lost."""
    lump = "".join(body.itertext()) if len(body) == 1 else ""
    if not 0 < len(lump) < SHORT:
        return None
    whole = to_markdown(_whole(root))
    return whole if len(whole.text) < _LITTLE_MORE * len(lump) else None


def _whole(root: Any) -> Any:
    """Return all of a page, or what it marks as its main part."""
    for path in ("//main", "//*[@role='main']", "//article", "//body"):
        if len(found := root.xpath(path)) == 1:
            return found[0]
    return root


def _as_html(body: Any) -> Any:
    """Rename trafilatura's own elements to those of HTML, in place."""
    for element in body.iter():
        tag, rend = element.tag, element.get("rend") or ""
        if tag == "head":
            element.tag = rend if re.fullmatch("h[1-6]", rend) else "h2"
        elif tag == "list":
            element.tag = rend if rend in ("ul", "ol", "dl") else "ul"
        elif tag == "cell":
            element.tag = "th" if element.get("role") == "head" else "td"
        elif tag == "code":
            element.tag = "pre" if "\n" in "".join(element.itertext()) else "code"
        elif tag == "ref":
            element.tag = "a"
            element.set("href", element.get("target") or "")
        else:
            element.tag = _TAGS.get(tag, tag)
    return body


def _with_anchors(headings: tuple[Heading, ...], root: Any) -> tuple[Heading, ...]:
    """Give headings the anchors that they have in the page itself."""
    anchors: dict[str, list[str]] = {}
    for element in root.iter("h1", "h2", "h3", "h4", "h5", "h6"):
        if anchor := heading_anchor(element):
            anchors.setdefault(_plain(visible_text(element)), []).append(anchor)
    found = []
    for heading in headings:
        of_title = anchors.get(_plain(heading.title))
        found.append(replace(heading, anchor=of_title.pop(0)) if of_title else heading)
    return tuple(found)


def _plain(title: str) -> str:
    return re.sub(r"\W+", " ", title).strip().lower()


def _question_page(root: Any, posts: list[Any]) -> Draft:
    """Return a question with its answers in page order, each under a heading of its own."""
    from lxml.html import builder, fromstring

    whole = fromstring("<div></div>")
    whole.append(builder.H1(page_title(root)))
    for number, post in enumerate(posts):
        answer = next(iter(post.xpath("ancestor::*[starts-with(@id, 'answer-')]")), None)
        title = _answer_title(answer) if answer is not None else "Question" if not number else None
        if title:
            heading = builder.H2(title)
            if answer is not None:
                heading.set("id", answer.get("id").removeprefix("answer-"))
            whole.append(heading)
        whole.append(deepcopy(post))
    return to_markdown(whole, links=True)


def _answer_title(answer: Any) -> str:
    accepted = "accepted-answer" in (answer.get("class") or "")
    score = answer.get("data-score") or ""
    remarks = [remark for remark in ("accepted" if accepted else "", score and f"score {score}")]
    said = ", ".join(filter(None, remarks))
    return f"Answer ({said})" if said else "Answer"


def _first_heading(main: Any) -> str:
    found = next(main.iter("h1", "h2"), None)
    return visible_text(found).strip(" ¶") if found is not None else ""


def rights(root: Any) -> str:
    """Return what the footer of a page says about copyright and licence."""
    for foot in root.xpath(_FOOT):
        text = visible_text(foot)
        found = re.search(r"(©|\(c\)|Copyright)[^.;|]{4,120}", text, re.IGNORECASE)
        licence = re.search(r"[^.;|]{0,80}\blicen[sc]ed\b[^.;|]{0,80}(\d\.\d)?", text)
        if found or licence:
            return ". ".join(part[0].strip(" .") for part in (found, licence) if part)
    return ""


def is_sphinx(root: Any) -> bool:
    """Whether a page was made by Sphinx, whose markup marks its text."""
    return any(root.xpath(mark) for mark in _SPHINX_MARKS)


def sphinx_main(root: Any) -> Any | None:
    """Return the element that holds the text of a page made by Sphinx."""
    for path in _SPHINX_MAIN:
        if found := root.xpath(path):
            return found[0]
    return None


def page_title(root: Any) -> str:
    """Return the title of a page."""
    for path in ("//meta[@property='og:title']/@content", "//head/title/text()", "//h1//text()"):
        if found := " ".join(" ".join(root.xpath(path)[:9]).split()):
            return found
    return ""
