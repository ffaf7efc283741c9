"""Parts of HTML files that stand alone: they load nothing and run nothing (pure).

What a document, a model or a person wrote stands in them as text.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Collection, Sequence
from html import escape

from core.answering.exports.blocks import PARSER, parsed
from core.citations.mark import MARK
from core.types import Evidence

_MARK = re.compile(MARK)
_AROUND = 600
"""Characters of a text that are shown before and after a passage."""
_STYLE = """
body { font: 16px/1.55 Georgia, serif; color: #14120e; background: #fff; max-width: 52rem; margin: 2.5rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 0.6rem; } h3 { font-size: 1rem; margin: 0; }
.said { white-space: pre-wrap; } .about { color: #5b5852; font-size: 0.9rem; }
section { border-top: 1px solid #ccc7bb; padding: 1.2rem 0; break-inside: avoid; } section h2, section h3 { font-size: 1.05rem; margin: 0; }
.good { color: #1d5f2c; } .bad { color: #9c2a16; } .open, .notice { color: #6b5200; }
blockquote { margin: 0.6rem 0; padding-inline-start: 1rem; border-inline-start: 3px solid #e4c32f; white-space: pre-wrap; }
table { border-collapse: collapse; } th, td { border: 1px solid #ccc7bb; padding: 0.2rem 0.6rem; text-align: start; }
pre { overflow-x: auto; background: #f6f4ee; padding: 0.6rem; } a { color: #6b5200; }
.page { position: relative; border: 1px solid #ccc7bb; margin: 0.8rem 0; }
.page svg { display: block; width: 100%; }
.around { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #ccc7bb; padding: 0.8rem 1rem; color: #5b5852; font-size: 0.95rem; }
.around mark { color: #14120e; } mark { background: #ffd84d; print-color-adjust: exact; }
.boxes { position: absolute; inset: 0; mix-blend-mode: multiply; opacity: 0.8; }
.page i { position: absolute; background: #ffd84d; print-color-adjust: exact; }
"""  # noqa: E501  # one rule of CSS on each line


def whole(title: str, parts: Collection[str]) -> str:
    """Return the file with these parts in its body; empty ones are left out."""
    head = (
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "img-src data:; style-src 'unsafe-inline'\">",
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
    )
    return "\n".join([*head, *filter(None, parts), "</body></html>"])


def markdown_html(text: str, anchors: dict[int, str]) -> str:
    """Return an answer's Markdown as HTML; each mark of `anchors` leads to that place of the file.

    >>> markdown_html("So **it** is [1] [2].", {1: "a1"})
    '<p dir="auto">So <strong>it</strong> is <a href="#a1">[1]</a> [2].</p>\\n'
    """

    def linked(found: re.Match[str]) -> str:
        anchor = anchors.get(int(found[1]))
        return f'<a href="#{anchor}">{found[0]}</a>' if anchor else found[0]

    tokens = parsed(text)
    for token in tokens:
        if token.nesting == 1:
            token.attrSet("dir", "auto")
        for child in token.children or ():
            if child.type in ("text", "text_special"):
                child.type, child.content = "html_inline", _MARK.sub(linked, escape(child.content))
    return str(PARSER.renderer.render(tokens, PARSER.options, {}))


class Figures:
    """The sources of one file as they look, each page's image in it once however often it is shown.

    Called with the evidence of a source, it returns the page with its passage marked, the text
    around the passage where there is no image, or why there is nothing to show.
    """

    def __init__(self) -> None:
        self._ids: dict[bytes, str] = {}

    def __call__(self, evidence: Evidence | None) -> str:
        if evidence is None:
            return ""
        if evidence.image:
            return self._page(evidence)
        if evidence.missing:
            return f'<p class="about">{escape(evidence.missing)}</p>'
        return _surroundings(evidence.page_text, evidence.spans)

    def _page(self, evidence: Evidence) -> str:
        boxes = "".join(
            f'<i style="left:{left:.2%};top:{top:.2%};width:{right - left:.2%};'
            f'height:{bottom - top:.2%}"></i>'
            for left, top, right, bottom in evidence.boxes
        )
        return (
            '<div class="page"><svg role="img" aria-label="The page" '
            f'viewBox="0 0 {evidence.width} {evidence.height}">{self._image(evidence)}</svg>'
            f'<div class="boxes">{boxes}</div></div>'
        )

    def _image(self, evidence: Evidence) -> str:
        if drawn := self._ids.get(evidence.image):
            return f'<use href="#{drawn}"/>'
        self._ids[evidence.image] = name = f"page-{len(self._ids) + 1}"
        data = base64.b64encode(evidence.image).decode()
        return (
            f'<image id="{name}" width="{evidence.width}" height="{evidence.height}" '
            f'href="data:image/png;base64,{data}"/>'
        )


def _surroundings(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The marked stretches of a text with whole words around them; nothing where none is."""
    if not spans:
        return ""
    first, last = min(start for start, _ in spans), max(end for _, end in spans)
    before, after = text[max(0, first - _AROUND) : first], text[last : last + _AROUND]
    if len(before) == _AROUND:
        before = "… " + re.sub(r"^\S*\s+", "", before)
    if len(after) == _AROUND:
        after = re.sub(r"\s+\S*$", "", after) + " …"
    parts, at = [escape(before)], first
    for start, end in sorted(spans):
        parts.append(f"{escape(text[at:start])}<mark>{escape(text[start:end])}</mark>")
        at = end
    return f'<p class="around" dir="auto">{"".join(parts)}{escape(after)}</p>'
