"""The checked citations of an answer as one HTML file, to be read without the program (pure).

The file holds the pages of the sources as images with the passages marked. It loads nothing, runs
nothing, and everything that a document or a person wrote stands in it as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo
from html import escape

from core.answering.exports.html import figure, whole
from core.answering.exports.markdown import place
from core.citations.statements import plain
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
        f"{len(done)} of {len(checked)} citations checked: "
        f"{agree} {'agrees' if agree == 1 else 'agree'}, "
        f"{len(done) - agree} {'does' if len(done) - agree == 1 else 'do'} not."
    )
    parts = [
        f"<h1>{escape(question)}</h1>",
        f'<p class="about">{escape(signed)}</p><p><strong>{summary}</strong></p>',
        f'<p class="said" dir="auto">{escape(_read(answer.text))}</p>',
        *(_section(at, one, zone) for at, one in enumerate(checked, 1)),
    ]
    return whole(question, parts)


def _section(at: int, one: Checked, zone: tzinfo) -> str:
    note = one.check.note if one.check else ""
    parts = [
        f"<section><h2>Citation {at}: {_verdict(one.check)}</h2>",
        f'<p dir="auto">{escape(one.use.sentence)} [{one.use.number}]</p>',
        f"<p><em>Note:</em> {escape(note)}</p>" if note else "",
        f'<p class="about">{escape(place(one.citation))}</p>',
        f'<blockquote dir="auto">{escape(one.use.quote)}</blockquote>',
        figure(one.evidence),
    ]
    if credit := one.citation.credit(zone):
        parts.append(f'<p class="about">{escape(credit)}</p>')
    return "\n".join([*filter(None, parts), "</section>"])


def _read(text: str) -> str:
    """An answer as a person reads it: its lines without the signs of emphasis."""
    return "\n".join(plain(line) for line in text.splitlines())


def _verdict(check: Check | None) -> str:
    if check is None or check.agrees is None:
        return '<span class="open">not checked</span>'
    if check.agrees:
        return '<span class="good">agrees</span>'
    return '<span class="bad">does not agree</span>'
