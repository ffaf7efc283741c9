"""The checked citations of an answer as one HTML file, to be read without the program (pure).

The file holds the pages of the sources as images with the passages marked. It loads nothing, runs
nothing, and everything that a document or a person wrote stands in it as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from html import escape

from core.answering.exports.html import Figures, markdown_html, whole
from core.answering.exports.markdown import place, quoted, with_bold
from core.citations.uses import Use
from core.types import Answer, Check, Citation, Evidence


@dataclass(frozen=True, slots=True)
class Checked:
    """One mark of the answer, its source, and what was found."""

    use: Use
    citation: Citation
    check: Check | None
    evidence: Evidence | None = None


def review_html(
    question: str, answer: Answer, checked: Sequence[Checked], signed: str, zone: tzinfo = UTC
) -> str:
    """Return the review; `signed` says who checked and when. Its days are those of `zone`."""
    done = [one for one in checked if one.check and one.check.agrees is not None]
    agree = sum(bool(one.check and one.check.agrees) for one in done)
    summary = (
        f"{len(done)} of {len(checked)} {'citation' if len(checked) == 1 else 'citations'} "
        f"checked: {agree} {'agrees' if agree == 1 else 'agree'}, "
        f"{len(done) - agree} {'does' if len(done) - agree == 1 else 'do'} not."
    )
    anchors = {one.use.number: f"c{at}" for at, one in reversed(list(enumerate(checked, 1)))}
    figure = Figures()
    parts = [
        f'<h1 dir="auto">{escape(question)}</h1>',
        f'<p class="about">{escape(signed)}</p><p><strong>{summary}</strong></p>',
        markdown_html(with_bold(answer), anchors),
        *(_section(at, one, figure(one.evidence), zone) for at, one in enumerate(checked, 1)),
    ]
    return whole(question, parts)


def _section(at: int, one: Checked, figure: str, zone: tzinfo) -> str:
    note = one.check.note if one.check else ""
    parts = [
        f'<section id="c{at}"><h2>Citation {at}: {_verdict(one.check)}</h2>',
        f'<p dir="auto">{escape(one.use.sentence)} [{one.use.number}]</p>',
        f'<p dir="auto"><em>Note:</em> {escape(note)}</p>' if note else "",
        f'<p class="about">{escape(place(one.citation))}</p>',
        f'<blockquote dir="auto">{escape(quoted(one.citation, one.use.quote))}</blockquote>',
        figure,
    ]
    if credit := one.citation.credit(zone):
        parts.append(f'<p class="about">{escape(credit)}</p>')
    return "\n".join([*filter(None, parts), "</section>"])


def _verdict(check: Check | None) -> str:
    if check is None or check.agrees is None:
        return '<span class="open">not checked</span>'
    if check.agrees:
        return '<span class="good">agrees</span>'
    return '<span class="bad">does not agree</span>'
