"""HTML to Markdown, with every heading, anchor, table and listing located in the text.

All visible text is kept, listings stay the same to the character, and nothing is added inside a
sentence but the back-ticks of inline code, so that sentences can be quoted as they are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from core.parsing.builder import Draft, TextBuilder
from core.parsing.html.elements import (
    BLOCKS,
    HEADINGS,
    SECTIONS,
    cells,
    formula,
    is_layout,
    is_unseen,
    visible_text,
)
from core.types import ChunkKind, Heading

_CODE = frozenset(("code", "tt", "kbd", "samp"))
_PLAIN_LANGUAGES = {"default": "python", "python3": "python", "pycon": "pycon", "none": ""}


def to_markdown(root: Any, *, links: bool = False) -> Draft:
    """Convert an lxml element with its descendants; `links` keeps the addresses of links.

    Definitions that can be linked (`dt` with an id: functions, options, terms) become headings
    below those of their section.
    """
    writer = _Writer(links)
    writer.walk(root)
    return writer.builder.draft()


@dataclass(slots=True)
class _Writer:
    """Walks the tree without recursion, so that deep nesting is no problem."""

    links: bool
    builder: TextBuilder = field(default_factory=TextBuilder)
    lines: list[list[str]] = field(default_factory=lambda: [[]])
    lists: list[int] = field(default_factory=list)  # the next number of each list; 0: bullets
    bullet: str = ""
    tight: bool = False
    quotes: int = 0
    level: int = 0
    definitions: int = 0
    anchors: list[str] = field(default_factory=list)

    def walk(self, root: Any) -> None:
        from lxml import etree

        walk = etree.iterwalk(root, events=("start", "end"))
        for event, element in walk:
            if event == "end":
                self._end(element, is_root=element is root)
            elif not isinstance(element.tag, str) or self._whole(element):
                walk.skip_subtree()
            else:
                self._start(element)
        self._flush()

    def _whole(self, element: Any) -> bool:
        """Handle an element that is taken or skipped as a whole; False for all others."""
        tag = element.tag
        if is_unseen(element):
            return True
        if tag in HEADINGS:
            self.level = HEADINGS[tag]
            self._heading(element, self.level)
        elif tag == "dt" and element.get("id"):
            self._heading(element, self.level + max(1, self.definitions))
        elif tag == "pre":
            self._listing(element)
        elif tag == "table" and not is_layout(element, "ul", "ol"):
            self._table(element)
        elif tag in _CODE:
            self._write(_quoted(visible_text(element)))
        elif tag in ("img", "math"):
            self._write(formula(element))
        elif tag == "sup":
            self._write(_raised(visible_text(element), self.lines[-1]))
        else:
            return False
        return True

    def _start(self, element: Any) -> None:
        tag = element.tag
        if tag == "br":
            self.lines.append([])
        elif tag in BLOCKS:
            self._flush()
        if tag == "hr":
            self.builder.paragraph("---")
        if tag in ("ul", "ol"):
            self.tight = bool(self.lists)
            self.lists.append(_first_number(element) if tag == "ol" else 0)
        elif tag == "li":
            self._bullet()
        elif tag == "dl":
            self.definitions += 1
        elif tag == "blockquote":
            self.quotes += 1
        elif tag == "a" and self.links and element.get("href"):
            self._write("[")
        if tag in SECTIONS and element.get("id"):
            self.anchors.append(element.get("id"))
        self._write(element.text or "")

    def _end(self, element: Any, *, is_root: bool) -> None:
        tag = element.tag
        if isinstance(tag, str) and tag in BLOCKS:
            self._flush()
            if tag in ("ul", "ol") and self.lists:
                self.lists.pop()
                self.tight = False
            elif tag == "dl":
                self.definitions -= 1
            elif tag == "blockquote":
                self.quotes -= 1
            elif tag == "li":
                self.bullet, self.tight = "", True
            elif tag == "dt":
                self.tight = True
        elif tag == "a" and self.links and element.get("href") and not is_unseen(element):
            self._write(f"]({element.get('href')})")
        if not is_root:
            self._write(element.tail or "")

    def _write(self, text: str) -> None:
        self.lines[-1].append(text)

    def _bullet(self) -> None:
        number = self.lists[-1] if self.lists else 0
        self.bullet = f"{self._indent()}{number}. " if number else f"{self._indent()}- "
        if number:
            self.lists[-1] += 1

    def _indent(self) -> str:
        return "  " * max(0, len(self.lists) - 1)

    def _flush(self) -> None:
        lines = [" ".join("".join(line).split()) for line in self.lines]
        self.lines = [[]]
        if any(lines):
            text = "\n".join(lines).strip()
            if self.quotes:
                text = f"> {text}"  # the mark of the first line applies to its paragraph
            self.builder.paragraph(self.bullet + text, "\n" if self.tight else "\n\n")
            self.bullet, self.tight = "", False

    def _heading(self, element: Any, level: int) -> None:
        self._flush()
        title = " ".join(visible_text(element).removesuffix("[source]").strip(" ¶").split())
        if span := self.builder.paragraph(f"{'#' * min(level, 6)} {title}") if title else None:
            anchor = heading_anchor(element) or (self.anchors[-1] if self.anchors else None)
            self.builder.headings.append(Heading(span[0], level, title, anchor))
        self.anchors.clear()

    def _listing(self, element: Any) -> None:
        self._flush()
        text = listing_text(element)
        if text.strip():
            self.builder.block(fenced(text, _language(element)), ChunkKind.CODE)
            self.bullet = ""

    def _table(self, table: Any) -> None:
        self._flush()
        caption = table.find("caption")
        if caption is not None:
            self.builder.paragraph(visible_text(caption))
        rows = [_escaped(row) for row in map(cells, table.iter("tr")) if any(row)]
        if not rows:
            return
        width = max(map(len, rows))
        lines = ["| " + " | ".join(row + [""] * (width - len(row))) + " |" for row in rows]
        if len(lines) > 1:
            lines.insert(1, "|" + " --- |" * width)
        self.builder.block("\n".join(lines), ChunkKind.TABLE)


def listing_text(element: Any) -> str:
    """Return the exact text of a `pre`, without line numbers and buttons."""
    from lxml import etree

    pieces: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, inner in walk:
        if event == "end":
            pieces.append((inner.tail or "") if inner is not element else "")
        elif not isinstance(inner.tag, str) or (inner is not element and is_unseen(inner)):
            walk.skip_subtree()
        else:
            new_line = inner.tag == "br" or (inner.tag in BLOCKS and _in_line(pieces))
            pieces.append(("\n" if new_line else "") + (inner.text or ""))
    return "".join(pieces).strip("\n")


def _in_line(pieces: list[str]) -> bool:
    """Whether the last piece with text does not end its line."""
    last = next((piece for piece in reversed(pieces) if piece), "\n")
    return not last.endswith("\n")


def fenced(code: str, language: str = "") -> str:
    """Return a listing between fences that are longer than any in it.

    >>> print(fenced("x = 1", "python"))
    ```python
    x = 1
    ```
    """
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{code}\n{fence}"


def _language(element: Any) -> str:
    """Return the language named by the classes of a listing or its parents."""
    holders = [element, *element.iter("code"), *list(element.iterancestors("div"))[:2]]
    for holder in holders:
        for name in (holder.get("class") or "").split():
            found = re.fullmatch(r"(?:highlight|highlight-source|lang|language)-([\w+#]+)", name)
            if found:
                return _PLAIN_LANGUAGES.get(found[1], found[1])
    return ""


def heading_anchor(element: Any) -> str | None:
    """Return the anchor of a heading: its own, or that of the section that it opens."""
    for link in element.iter("a"):
        if "headerlink" in (link.get("class") or "") and (link.get("href") or "").startswith("#"):
            return str(link.get("href"))[1:]
    if element.get("id"):
        return str(element.get("id"))
    names = (inner.get("id") or inner.get("name") for inner in element.iter("a", "span"))
    return next(filter(None, names), None)


def _escaped(row: list[str]) -> list[str]:
    return [cell.replace("|", "\\|") for cell in row]


def _quoted(code: str) -> str:
    mark = "``" if "`" in code else "`"
    return f"{mark}{code}{mark}" if code else ""


def _raised(text: str, line: list[str]) -> str:
    """Return superscript text with a mark, so that exponents stay apart ("2^32", not "232")."""
    base = "".join(line)[-1:]
    exponent = re.fullmatch(r"[+-−]?[\w.]{1,6}", text) and (base.isalnum() or base in ")]`")
    return f"^{text}" if exponent and base else text


def _first_number(element: Any) -> int:
    start = element.get("start") or ""
    return int(start) if re.fullmatch("[0-9]{1,6}", start) else 1
