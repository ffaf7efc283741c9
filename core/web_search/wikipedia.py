"""Read articles of Wikipedia through its API: the plain text, by title and language.

https://www.mediawiki.org/wiki/Extension:TextExtracts#API (`prop=extracts`, `explaintext`). The
text has no navigation, tables and references, and is much smaller than the page.
"""

from __future__ import annotations

import json
import re
from urllib.parse import unquote, urlencode

from core.config import Settings
from core.errors import InvalidUrl, NoReadableText
from core.parsing.builder import TextBuilder, split_parts
from core.types import DocumentKind, Heading, LoadedDocument
from core.urls import parse_url
from scraper.fetch import fetch

_HOST = re.compile(r"(?P<language>[a-z]{2,3}(?:-[a-z]+)*)(?:\.m)?\.wikipedia\.org")
_HEADING = re.compile(r"(={2,6})\s*(.+?)\s*\1")
_CREDIT = "Contributors of Wikipedia, CC BY-SA 4.0"


def article_of(url: str) -> tuple[str, str] | None:
    """Return language and title of the article at an address, None if it is not one.

    >>> article_of("https://de.m.wikipedia.org/wiki/Z%C3%BCrich#Lage")
    ('de', 'Zürich')
    """
    try:
        address = parse_url(url)
    except InvalidUrl:
        return None
    host = _HOST.fullmatch(address.host)
    path = address.target.partition("?")[0]
    title = unquote(path.removeprefix("/wiki/")).replace("_", " ").strip()
    if host is None or not path.startswith("/wiki/") or not title or "|" in title:
        return None
    return (host["language"], title) if not re.match(r"\w+:\S", title) else None


def read_article(url: str, settings: Settings, deadline: float) -> LoadedDocument:
    """Return the article at an address, with its headings.

    Raises a `FetchError`, and `NoReadableText` if the API has no such article.
    """
    language, title = article_of(url) or ("", "")
    asked = {
        "action": "query",
        "prop": "extracts",
        "explaintext": "1",
        "exsectionformat": "wiki",
        "redirects": "1",
        "titles": title,
        "format": "json",
        "formatversion": "2",
    }
    api = settings.wikipedia_url.replace("{language}", language)
    mark = "&" if "?" in api else "?"
    answer = fetch(f"{api}{mark}{urlencode(asked)}", _reaching(api, settings), deadline=deadline)
    try:
        page = json.loads(answer.body)["query"]["pages"][0]
        text, name = str(page["extract"]), str(page.get("title") or title)
    except (ValueError, KeyError, IndexError, TypeError):
        raise NoReadableText(f"Wikipedia's API has no article {title!r}.") from None
    return _loaded(name, language, text)


def _loaded(title: str, language: str, text: str) -> LoadedDocument:
    builder = TextBuilder()
    if span := builder.paragraph(f"# {title}"):
        builder.headings.append(Heading(span[0], 1, title))
    for block in re.split(r"\n\s*\n|\n(?===)|(?<===)\n", text):
        if heading := _HEADING.fullmatch(block.strip()):
            level, name = len(heading[1]), heading[2]
            if span := builder.paragraph(f"{'#' * level} {name}"):
                anchor = name.replace(" ", "_")
                builder.headings.append(Heading(span[0], level, name, anchor))
        elif block.strip():
            builder.paragraph(block)
    draft = builder.draft()
    if not draft.text.strip():
        raise NoReadableText("The article of Wikipedia is empty.")
    return LoadedDocument(
        DocumentKind.WEB, split_parts(draft), title=title, language=language, attribution=_CREDIT
    )


def _reaching(api: str, settings: Settings) -> Settings:
    """Return settings that allow the operator's own mirror, also in a private network."""
    address = parse_url(api)
    host = f"[{address.host}]" if ":" in address.host else address.host
    return settings.model_copy(update={"allowed_private_hosts": f"{host}:{address.port}"})
