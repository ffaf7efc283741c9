"""The main text of a web page as Markdown, with its metadata.

Pages whose markup is known (Sphinx, Stack Overflow and its sister sites) are read by that markup,
all others by trafilatura. Nothing is fetched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import BytesIO
from typing import Any
from urllib.parse import unquote, urljoin

from core.errors import EmptyFile, IngestionError, InvalidUrl, NoReadableText, UnsupportedType
from core.parsing.builder import Draft, split_parts
from core.parsing.detect import READABLE, detect
from core.parsing.html.elements import visible_text
from core.parsing.html.load import decode_html, parse_html
from core.parsing.html.main_text import SHORT, main_text, page_title
from core.parsing.notices import hidden_notice, notices
from core.parsing.source import Source
from core.types import Block, DocumentKind, Heading, LoadedDocument, Notice
from core.urls import canonical_url, parse_url

_HTML_TYPES = ("text/html", "application/xhtml+xml")
_TEXT_TYPES = ("text/plain", "text/markdown", "text/x-rst", "text/x-markdown")
_COOKIES = re.compile(r"(?i)\bcookies?\b|\bconsent\b")
_REFRESH = "//meta[translate(@http-equiv, 'REFSH', 'refsh') = 'refresh']"


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page as it is stored. Offsets of `headings` and `blocks` count characters of `markdown`.

    `url` is the page's own canonical address if that is on the same host.
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
    file: str = ""  # for a PDF found in a crawl: the SHA-256 under which it is stored


def load(source: Source) -> LoadedDocument:
    """Read the main text of a page that was fetched from `source.url`. Raises as `page`."""
    return to_loaded(page(source.data(), source.url))


def page(body: bytes, url: str, content_type: str = "", *, charset: str = "") -> WebPage:
    """Return the main text of a page that was fetched from `url`.

    Raises `NoReadableText` if there is none (an empty page, one that needs JavaScript, a cookie
    banner) and `UnsupportedType` if the bytes are not a page, whatever `content_type`
    says.
    """
    if _kind(body) is DocumentKind.TEXT and content_type not in ("", *_HTML_TYPES):
        if content_type not in _TEXT_TYPES:
            raise UnsupportedType(
                f"The address leads to data ({content_type}), not to a page.", READABLE
            )
        decoded = decode_html(body, charset)
        return WebPage(_last_part(url), url, decoded.text, notices=notices(decoded.note))
    decoded = decode_html(body, charset)
    root = parse_html(decoded.text)
    if root is None:
        raise _no_text(None)
    draft, found = main_text(root, decoded.text, url)
    text = draft.text.strip()
    if not text or (len(text) < SHORT and _COOKIES.search(text)):
        raise _no_text(root)
    return WebPage(
        title=_title(found.title, page_title(root)) or _last_part(url),
        url=own_url(root, url),
        markdown=draft.text,
        headings=draft.headings,
        blocks=draft.blocks,
        published=found.published,
        language=_language(root),
        author=found.author,
        site=found.site,
        rights=found.rights,
        notices=notices(decoded.note, hidden_notice(draft.hidden)),
    )


def to_loaded(webpage: WebPage) -> LoadedDocument:
    """Return the page as a document that can be ingested."""
    draft = Draft(webpage.markdown, webpage.headings, webpage.blocks)
    return LoadedDocument(
        DocumentKind.WEB,
        split_parts(draft),
        title=webpage.title,
        language=webpage.language,
        notices=webpage.notices,
        attribution=attribution(webpage),
        published=webpage.published,
    )


def attribution(webpage: WebPage) -> str:
    """Return author, site and date as far as the page names them.

    >>> attribution(WebPage("T", "http://e.org/", "x", author="A. Bee", published="2024-05-01"))
    'A. Bee, 2024-05-01'
    """
    address = parse_url(webpage.url)
    own = (address.host, address.host.removeprefix("www."), address.authority)
    site = webpage.site if webpage.site.lower() not in own else ""
    return ", ".join(filter(None, (webpage.author, site, webpage.published, webpage.rights)))


def own_url(root: Any, url: str) -> str:
    """Return the canonical address of a page if it is on the host that served it.

    So a page cannot claim to be from another site: a mirror is cited as the mirror.
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
        raise UnsupportedType(error.message, READABLE) from None
    if kind not in (DocumentKind.HTML, DocumentKind.TEXT):
        raise UnsupportedType(
            f"The address leads to a file ({kind.value.upper()}), not to a page.",
            "Download the file and add it on the Documents page.",
        )
    return kind


def _title(found: str, shown: str) -> str:
    """The title that was found, unless the page's own has no word of it: data for machines lies."""
    words = set(re.findall(r"\w+", shown.casefold()))
    return found if not words or words & set(re.findall(r"\w+", found.casefold())) else shown


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
