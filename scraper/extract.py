"""What a reader came for on a web page: its main text as Markdown, with what is known of it.

Pages whose markup is known (Sphinx, Stack Overflow and its sisters) are read by that markup, all
others by trafilatura. Everything works on bytes that are already here: nothing is fetched.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from copy import deepcopy
from dataclasses import dataclass, replace
from io import BytesIO
from typing import Any
from urllib.parse import unquote, urljoin

from core.errors import EmptyFile, IngestionError, InvalidUrl, NoReadableText, UnsupportedType
from core.ingestion.loaders.detect import detect
from core.ingestion.loaders.html import decode_html, parse_html, visible_text
from core.ingestion.loaders.parts import Draft, split_parts
from core.ingestion.loaders.text import hidden_notice, notices
from core.types import Block, DocumentKind, Heading, LoadedDocument, Notice
from scraper.markdown import heading_anchor, to_markdown
from scraper.url_safety import canonical_url, parse_url

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
_COOKIES = re.compile(r"(?i)\bcookies?\b|\bconsent\b")
_FOOT = (
    "//footer | //div[contains(concat(' ', @class, ' '), ' footer ')] | //*[@role='contentinfo']"
)
_WALL = 600  # characters; a text that is longer is an article, no plea and no wall of cookies
_LITTLE_MORE = 1.5
_REFRESH = "//meta[translate(@http-equiv, 'REFSH', 'refsh') = 'refresh']"
_TAGS = {"item": "li", "row": "tr", "quote": "blockquote", "lb": "br", "graphic": "img"}


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page as it is kept. Offsets of `headings` and `blocks` count characters of `markdown`.

    `url` is where it lives: the page's own canonical address if that is on the same host.
    `published` is a date as YYYY-MM-DD, `language` ISO 639-1; both "" when unknown.
    """

    title: str
    url: str
    markdown: str
    headings: tuple[Heading, ...] = ()
    blocks: tuple[Block, ...] = ()
    published: str = ""
    language: str = ""
    author: str = ""
    site: str = ""
    rights: str = ""
    notices: tuple[Notice, ...] = ()


def page(body: bytes, url: str, content_type: str = "", *, charset: str = "") -> WebPage:
    """The main text of a page that was fetched from `url`.

    Raises `NoReadableText` when there is none (an empty page, one that needs JavaScript, a wall
    of cookies) and `UnsupportedType` when the bytes are no page at all, whatever `content_type`
    says.
    """
    if _kind(body) is DocumentKind.TEXT and content_type not in ("", "text/html"):
        decoded = decode_html(body, charset)
        return WebPage(_last_part(url), url, decoded.text, notices=notices(decoded.note))
    decoded = decode_html(body, charset)
    source = unicodedata.normalize("NFC", decoded.text)
    root = parse_html(source)
    if root is None:
        raise _no_text(None)
    draft, found = _main_text(root, source, url)
    text = draft.text.strip()
    if not text or (len(text) < _WALL and _COOKIES.search(text)):
        raise _no_text(root)
    return WebPage(
        title=found.get("title") or _title(root) or _last_part(url),
        url=own_url(root, url),
        markdown=draft.text,
        headings=draft.headings,
        blocks=draft.blocks,
        published=found.get("date") or "",
        language=_language(root),
        author=found.get("author") or "",
        site=found.get("site") or "",
        rights=found.get("rights") or "",
        notices=notices(decoded.note, hidden_notice(draft.hidden)),
    )


def to_loaded(webpage: WebPage) -> LoadedDocument:
    """The page as the worker takes it in."""
    draft = Draft(webpage.markdown, webpage.headings, webpage.blocks)
    return LoadedDocument(
        DocumentKind.WEB,
        split_parts(draft),
        title=webpage.title,
        language=webpage.language,
        notices=webpage.notices,
        attribution=attribution(webpage),
    )


def attribution(webpage: WebPage) -> str:
    """Who wrote it, where and when, as far as the page says.

    >>> attribution(WebPage("T", "http://e.org/", "x", author="A. Bee", published="2024-05-01"))
    'A. Bee, 2024-05-01'
    """
    host = parse_url(webpage.url).host
    site = webpage.site if webpage.site.lower() not in (host, host.removeprefix("www.")) else ""
    return ", ".join(filter(None, (webpage.author, site, webpage.published, webpage.rights)))


def is_sphinx(root: Any) -> bool:
    """Whether a page was made by Sphinx, whose markup says where its text is."""
    return any(root.xpath(mark) for mark in _SPHINX_MARKS)


def sphinx_main(root: Any) -> Any | None:
    """The element that holds the text of a page made by Sphinx."""
    for path in _SPHINX_MAIN:
        if found := root.xpath(path):
            return found[0]
    return None


def own_url(root: Any, url: str) -> str:
    """Where the page says that it lives, if that is on the host that it came from.

    A page cannot pass for another site's: a mirror is cited as the mirror.
    """
    here = canonical_url(url)
    for link in root.xpath("//head/link[@rel='canonical']/@href")[:1]:
        try:
            there = canonical_url(urljoin(url, str(link)))
        except (InvalidUrl, ValueError):
            return here
        if parse_url(there).authority == parse_url(here).authority:
            return there
    return here


def _kind(body: bytes) -> DocumentKind:
    try:
        kind = detect(BytesIO(body), "page.html")
    except EmptyFile:
        return DocumentKind.HTML
    except UnsupportedType:
        raise
    except IngestionError as error:
        raise UnsupportedType(error.message) from None
    if kind not in (DocumentKind.HTML, DocumentKind.TEXT):
        raise UnsupportedType(
            f"The address leads to a file ({kind.value.upper()}), not to a page.",
            "Download the file and add it on the Documents page.",
        )
    return kind


def _main_text(root: Any, source: str, url: str) -> tuple[Draft, dict[str, str]]:
    """The text that matters, and what trafilatura found out about a page of unknown markup."""
    if is_sphinx(root) and (main := sphinx_main(root)) is not None:
        return to_markdown(main), {"title": _first_heading(main), "rights": _rights(root)}
    if root.xpath(_QUESTION) and (posts := root.xpath(_POSTS)):
        return _question_page(root, posts), {}
    return _article(root, source, url)


def _article(root: Any, source: str, url: str) -> tuple[Draft, dict[str, str]]:
    """A page of unknown markup, read by trafilatura; where it finds nothing, read whole."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the libraries that read dates
        import trafilatura

        found = trafilatura.bare_extraction(
            source, url=url, with_metadata=True, include_comments=False
        )
    if found is None or found.body is None or _is_plea(found.body, root):
        return to_markdown(_whole(root)), {}
    draft = _unlumped(found.body, root) or to_markdown(_as_html(found.body))
    known = {
        "title": found.title or "",
        "date": found.date or "",
        "author": found.author or "",
        "site": found.sitename or "",
    }
    return replace(draft, headings=_with_anchors(draft.headings, root)), known


def _is_plea(body: Any, root: Any) -> bool:
    """Whether a text is empty, or only what the page says to those without JavaScript."""
    text = _plain("".join(body.itertext()))
    pleas = root.xpath("//noscript") if len(text) < _WALL else ()
    return not text or any(text in _plain("".join(plea.itertext())) for plea in pleas)


def _unlumped(body: Any, root: Any) -> Draft | None:
    """A short page that came out as one lump, its headings and paragraphs lost, read whole."""
    lump = "".join(body.itertext()) if len(body) == 1 else ""
    if not 0 < len(lump) < _WALL:
        return None
    whole = to_markdown(_whole(root))
    return whole if len(whole.text) < _LITTLE_MORE * len(lump) else None


def _whole(root: Any) -> Any:
    """All of a page, or what it calls its main part."""
    for path in ("//main", "//*[@role='main']", "//article", "//body"):
        if len(found := root.xpath(path)) == 1:
            return found[0]
    return root


def _as_html(body: Any) -> Any:
    """trafilatura's own element names as those of HTML, in place."""
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
    """The headings with the anchors that they have in the page itself."""
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
    """A question with its answers, in the order of the page, each under a heading of its own."""
    from lxml.html import builder, fromstring

    whole = fromstring("<div></div>")
    whole.append(builder.H1(_title(root)))
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


def _rights(root: Any) -> str:
    """What the foot of a page says of copyright and licence."""
    for foot in root.xpath(_FOOT):
        text = visible_text(foot)
        found = re.search(r"(©|\(c\)|Copyright)[^.;|]{4,120}", text, re.IGNORECASE)
        licence = re.search(r"[^.;|]{0,80}\blicen[sc]ed\b[^.;|]{0,80}(\d\.\d)?", text)
        if found or licence:
            return ". ".join(part[0].strip(" .") for part in (found, licence) if part)
    return ""


def _title(root: Any) -> str:
    for path in ("//meta[@property='og:title']/@content", "//head/title/text()", "//h1//text()"):
        if found := " ".join(" ".join(root.xpath(path)[:9]).split()):
            return found
    return ""


def _language(root: Any) -> str:
    found = re.match(r"[a-zA-Z]{2}(?![a-zA-Z])", root.get("lang") or "")
    return found[0].lower() if found else ""


def _last_part(url: str) -> str:
    address = parse_url(url)
    path = address.target.partition("?")[0].rstrip("/")
    return unquote(path.rpartition("/")[2]) or address.host


def _no_text(root: Any) -> NoReadableText:
    if root is not None and root.xpath(_REFRESH):
        return NoReadableText(
            "The page has no text: it only redirects to another address.",
            "Open it in a browser and add the address that it ends at.",
        )
    if root is not None and _COOKIES.search(visible_text(root)):
        return NoReadableText(
            "The page asks for cookies before it shows its text.",
            "Open it in a browser, save it and add the file.",
        )
    return NoReadableText(
        "There is no readable text found in this page; it may need JavaScript.",
        "Open it in a browser, save it and add the file.",
    )
