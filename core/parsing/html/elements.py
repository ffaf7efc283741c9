"""The visible content of HTML elements: text, table cells and formulas."""

from __future__ import annotations

import re
from typing import Any

HEADINGS = {f"h{level}": level for level in range(1, 7)}
"""The heading elements with their levels."""
BLOCKS = frozenset(
    "address article aside blockquote body center dd details div dl dt fieldset figcaption figure"
    " footer form header hr html legend li main ol p section summary table tbody td tfoot th"
    " thead tr ul caption option".split()
)
"""Elements that begin and end on a line of their own."""
SECTIONS = frozenset(("section", "article", "div", "main"))
"""Elements whose ids anchor the headings in them."""

_SKIPPED = frozenset(
    "script style template noscript nav head iframe object embed canvas svg audio video select"
    " textarea button input datalist dialog applet frame map".split()
)
_UNSEEN_ROLES = frozenset(("navigation", "search", "menu", "menubar", "dialog", "alertdialog"))
_UNSEEN_CLASSES = frozenset(
    ("headerlink", "sphinxsidebar", "katex-html", "linenos", "mw-editsection", "mw-jump-link")
)
_HIDING = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d]*[1-9])"
    r"|opacity\s*:\s*0(?![.\d]*[1-9])",
    re.IGNORECASE,
)
_LONG_CELL = 1_500  # characters; tables with longer cells are page layout, not data


def is_unseen(element: Any) -> bool:
    """Whether an element is not content: scripts and controls, navigation, or hidden."""
    get = element.get
    if element.tag in _SKIPPED or get("role") in _UNSEEN_ROLES:
        return True
    return not _UNSEEN_CLASSES.isdisjoint((get("class") or "").split()) or is_hidden(element)


def is_hidden(element: Any) -> bool:
    """Whether the markup hides an element that would otherwise be visible."""
    if element.tag in _SKIPPED:
        return False
    hidden, style = element.get("hidden"), element.get("style")
    return (hidden is not None and hidden != "until-found") or bool(style and _HIDING.search(style))


def visible_text(element: Any, *, keep_space: bool = False) -> str:
    """Return the visible text of an element and its descendants, white space collapsed."""
    from lxml import etree

    pieces: list[str] = []
    walk = etree.iterwalk(element, events=("start", "end"))
    for event, inner in walk:
        if event == "end":
            pieces.append((inner.tail or "") if inner is not element else "")
        elif not isinstance(inner.tag, str) or (inner is not element and is_unseen(inner)):
            walk.skip_subtree()
        elif inner.tag in ("img", "math"):
            pieces.append(formula(inner))
            walk.skip_subtree()
        else:
            if inner.tag == "br" or (inner is not element and inner.tag in BLOCKS):
                pieces.append("; " if inner.tag == "li" and "".join(pieces[-3:]).strip() else "\n")
            pieces.append(inner.text or "")
    text = "".join(pieces)
    return text.strip("\n") if keep_space else " ".join(text.split()).replace(" ; ", "; ")


def cells(row: Any) -> list[str]:
    """Return the texts of the visible cells of a row."""
    seen = (cell for cell in row if cell.tag in ("td", "th") and not is_unseen(cell))
    return [visible_text(cell) for cell in seen]


def is_layout(table: Any, *holds: str) -> bool:
    """Whether a table only lays out a page: it holds tables, listings, headings or `holds`."""
    if table.get("role") == "presentation":
        return True
    if next(table.iterdescendants("table", "pre", *HEADINGS, *holds), None) is not None:
        return True
    return any(len("".join(cell.itertext())) > _LONG_CELL for cell in table.iter("td"))


def formula(element: Any) -> str:
    """Return the TeX of a formula, "" if it has none or is another picture."""
    if element.tag == "math":
        tex = element.get("alttext") or element.findtext(".//annotation")
        return f" {tex or ' '.join(''.join(element.itertext()).split())} "
    classes = element.get("class") or ""
    return f" {element.get('alt') or ''} " if "math" in classes or "tex" in classes else ""
