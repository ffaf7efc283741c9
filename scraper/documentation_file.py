"""A documentation that another crawler stored as one JSON file: sections with text and addresses.

Sections may be nested in any depth, by name or in lists, and an address may be relative to that of
the section around it:

```
{"Tutorial": {"introduction": {"text": "...", "metadata": {"url": "https://e.org/intro.html"}}}}
{"title": "Guide", "url": "https://e.org/guide/", "text": "...",
 "children": [{"title": "Set up", "url": "#setup", "text": "..."}]}
```

`python -m scraper.documentation_file FILE.json --out data_main` writes `documentation.json` (pages
with section, text, headings and source) and `documentation.txt`. Nothing is fetched.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import unquote, urldefrag, urljoin

from core.errors import AppError, DamagedFile, InvalidUrl, TooLarge, UnsupportedType
from core.parsing.builder import TextBuilder
from core.parsing.html.web_page import WebPage
from core.text.invisible import clean
from core.urls import canonical_url
from scraper.collection import Collected, sections_of, write_json, write_text

EXPECTED = (
    "Expected is JSON of sections, nested by name or in lists, each with its `text` and its `url`"
    ' (or `metadata.url`): {"Tutorial": {"Introduction": {"text": "...", "url": "https://..."}}}.'
)
"""The cure for a file that holds no documentation."""

_MOST_BYTES = 100_000_000
_TITLES = ("title", "heading", "name")
_TEXTS = ("text", "content")
_LISTS = frozenset(("children", "sections", "subsections", "pages", "items", "documents"))
_OTHERS = frozenset(("metadata", "links", "images", "media", "headings", "breadcrumbs", "toc"))
"""Keys below which nothing is a section: a link has a text and an address, too."""


@dataclass(frozen=True, slots=True)
class Documentation:
    """The pages of a file in their order, and (address or titles, reason) of what was left out."""

    pages: tuple[Collected, ...]
    left_out: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Section:
    """A section; `trail` are the titles from the top down to its own, `url` is "" if unknown."""

    trail: tuple[str, ...]
    url: str
    text: str
    source: str

    @property
    def anchor(self) -> str | None:
        """The place on its page that its address names."""
        return unquote(urldefrag(self.url).fragment) or None


def read(stream: BinaryIO) -> Documentation:
    """Read what another crawler wrote.

    Sections of one address become one page, each under its heading, with the titles above it.
    Raises `DamagedFile` for what is no JSON, `UnsupportedType` for JSON without a section that has
    a text and an address, and `TooLarge`.
    """
    data = stream.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise TooLarge(f"The file is larger than {_MOST_BYTES // 1_000_000} MB.")
    try:
        root = json.loads(data)
    except json.JSONDecodeError as error:
        raise DamagedFile(
            f"The file is no JSON, or it is cut off (line {error.lineno:,}).", EXPECTED
        ) from None
    except (ValueError, RecursionError):
        raise DamagedFile("The file is no JSON that can be read.", EXPECTED) from None
    found = _by_page(_sections(root))
    if not found.pages:
        raise UnsupportedType(
            "The file holds no section that has both a text and an address.", EXPECTED
        )
    return found


def write(path: Path, out: Path) -> Documentation:
    """Read a file and write its pages as JSON to `out` and as text beside it. Raises as `read`."""
    with path.open("rb") as stream:
        found = read(stream)
    write_json(list(found.pages), out, source=found.pages[0].page.url)
    write_text(list(found.pages), out.with_suffix(".txt"))
    return found


def _sections(root: Any) -> Iterator[_Section]:
    """Every section with a text, in the order of the file, without recursion."""
    waiting: list[tuple[tuple[str, ...], str, str, Any]] = [((), "", "", root)]
    while waiting:
        trail, name, above, value = waiting.pop()
        if isinstance(value, list):
            inner = (*trail, name) if name else trail
            waiting.extend((inner, "", above, one) for one in reversed(value))
        elif isinstance(value, dict):
            details = value.get("metadata")
            details = details if isinstance(details, dict) else {}
            title = " ".join((_first(value, *_TITLES) or _first(details, *_TITLES) or name).split())
            inner = (*trail, title) if title else trail
            url = _joined(above, _first(value, "url") or _first(details, "url"))
            if text := _first(value, *_TEXTS):
                source = _first(details, "source")
                yield _Section(inner, url, text, "" if "://" in source else source)
            waiting.extend(
                (inner, "" if key in _LISTS else _cleaned(key), url, below)
                for key, below in reversed(value.items())
                if key not in _OTHERS
            )


def _by_page(sections: Iterator[_Section]) -> Documentation:
    """The sections gathered by the address of their page."""
    pages: dict[str, dict[str, _Section]] = {}  # by address and text: some write a text twice
    left_out: list[tuple[str, str]] = []
    for section in sections:
        if not section.url:
            left_out.append((" > ".join(section.trail), "It has no address."))
            continue
        try:
            of_page = pages.setdefault(canonical_url(section.url), {})
        except InvalidUrl as error:
            left_out.append((section.url, error.message))
            continue
        of_page.setdefault(section.text, section)
    collected = (
        _collected(url, position, list(found.values()))
        for position, (url, found) in enumerate(pages.items())
    )
    return Documentation(tuple(collected), tuple(left_out))


def _collected(url: str, position: int, sections: Sequence[_Section]) -> Collected:
    first = sections[0]
    return Collected(first.trail[0] if first.trail else url, position, _page(url, sections))


def _page(url: str, sections: Sequence[_Section]) -> WebPage:
    builder = TextBuilder()
    above: tuple[str, ...] = ()
    for section in sections:
        same = 0
        while same < min(len(above), len(section.trail) - 1) and above[same] == section.trail[same]:
            same += 1
        for level, title in enumerate(section.trail[same:], start=same + 1):
            own = level == len(section.trail)
            builder.heading(level, title, section.anchor if own else None)
        builder.paragraph(section.text)
        above = section.trail
    draft, first = builder.draft(), sections[0]
    title = first.trail[-1] if first.trail else url
    source = next((section.source for section in sections if section.source), "")
    return WebPage(title, url, draft.text, draft.headings, draft.blocks, site=source)


def _first(values: Mapping[str, Any], *keys: str) -> str:
    """The first of the values that is a text with something in it, without what is invisible."""
    for key in keys:
        if isinstance(found := values.get(key), str) and (shown := _cleaned(found)):
            return shown
    return ""


def _cleaned(text: str) -> str:
    return clean(text).text.strip()


def _joined(above: str, url: str) -> str:
    """An address as its section means it: relative to the one above, or that one where it has none.

    >>> _joined("https://e.org/guide/", "#setup")
    'https://e.org/guide/#setup'
    """
    if not url:
        return urldefrag(above).url
    try:
        return urljoin(above, url)
    except ValueError:
        return url


def main(arguments: list[str] | None = None) -> int:
    """The command line; 0 when pages were found."""
    parser = argparse.ArgumentParser(
        prog="python -m scraper.documentation_file",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", type=Path, metavar="FILE.json")
    parser.add_argument("--out", type=Path, default=Path("data_main"), metavar="DIR")
    given = parser.parse_args(arguments)
    try:
        found = write(given.file, given.out / "documentation.json")
    except AppError as error:
        print(error.message, error.cure, sep="\n", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename or given.out}: {error.strerror}", file=sys.stderr)
        return 2
    print(f"{len(found.pages):,} pages written to {given.out / 'documentation.json'}.")
    for section, count in sections_of(found.pages):
        print(f"{count:6,}  {section}")
    for place, reason in found.left_out:
        print(f"left out: {place}: {reason}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
