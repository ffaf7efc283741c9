"""A conversation as one HTML file with images of the cited pages, to be read without the program.

It loads nothing and runs nothing: marks of citations lead to their sources in the file, and
addresses stand in it as text.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from html import escape

from core.answering.exports.html import Figures, markdown_html, whole
from core.answering.exports.markdown import place, quoted, with_bold
from core.answering.exports.port import Exported
from core.citations.mark import mark
from core.types import Answer, Citation, Evidence

MOST_IMAGES = 60
"""Page images in one file: each has some hundred kilobytes and is drawn for it."""

_LEFT_OUT = f"The image of the page is left out: a file shows at most {MOST_IMAGES}."


def write(exported: Exported) -> bytes:
    """Return the file."""
    title = exported.conversation.title
    begun = exported.conversation.created_at.astimezone(exported.zone)
    evidence, figure = _Images(exported.open_evidence), Figures()
    parts = [
        f'<h1 dir="auto">{escape(title)}</h1>',
        f'<p class="about">{begun:%d %B %Y}</p>',
    ]
    for at, message in enumerate(exported.messages):
        if message.role == "user":
            parts.append(f'<h2 dir="auto">{escape(message.text)}</h2>')
        elif message.answer is None:
            parts.append(f'<p class="said" dir="auto">{escape(message.text)}</p>')
        else:
            parts += _answer(message.answer, f"m{at}", evidence, figure, exported.zone)
    return whole(title, parts).encode("utf-8", "replace")


class _Images:
    """Opens citations until the file has all the images that it may have."""

    def __init__(self, open_evidence: Callable[[Citation], Evidence]) -> None:
        self._open = open_evidence
        self._images = 0

    def __call__(self, citation: Citation) -> Evidence:
        if self._images >= MOST_IMAGES:
            return Evidence(citation, "", missing=_LEFT_OUT)
        found = self._open(citation)
        self._images += bool(found.image)
        return found


def _answer(
    answer: Answer,
    name: str,
    evidence: Callable[[Citation], Evidence],
    figure: Figures,
    zone: tzinfo,
) -> list[str]:
    anchors = {citation.number: f"{name}-{citation.number}" for citation in answer.citations}
    parts = [markdown_html(with_bold(answer), anchors)]
    parts += [f'<p class="notice">{escape(notice.text)}</p>' for notice in answer.notices]
    parts += [
        _source(citation, anchors[citation.number], figure(evidence(citation)), zone)
        for citation in answer.citations
    ]
    return parts


def _source(citation: Citation, anchor: str, figure: str, zone: tzinfo) -> str:
    credit = citation.credit(zone)
    parts = (
        f'<section id="{anchor}">',
        f'<h3 dir="auto">{mark(citation.number)} {escape(place(citation))}</h3>',
        f'<blockquote dir="auto">{escape(quoted(citation, citation.quote))}</blockquote>',
        figure,
        f'<p class="about">{escape(credit)}</p>' if credit else "",
        "</section>",
    )
    return "\n".join(filter(None, parts))
