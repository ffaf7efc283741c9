"""The checked citations of an answer as one HTML file, to be read without the program (pure).

The file holds the pages of the sources as images with the passages marked. It loads nothing, runs
nothing, and everything that a document or a person wrote stands in it as text.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from core.answering.export import place
from core.citations.statements import plain
from core.citations.uses import Use
from core.types import Answer, Check, Citation, Evidence

_STYLE = """
body { font: 16px/1.55 Georgia, serif; color: #14120e; max-width: 52rem; margin: 2.5rem auto; padding: 0 1.2rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.05rem; margin: 0; }
.said { white-space: pre-wrap; } .about, dt { color: #5b5852; font-size: 0.9rem; }
section { border-top: 1px solid #ccc7bb; padding: 1.2rem 0; break-inside: avoid; }
.good { color: #1d5f2c; } .bad { color: #9c2a16; } .open { color: #6b5200; }
blockquote { margin: 0.6rem 0; padding-left: 1rem; border-left: 3px solid #e4c32f; white-space: pre-wrap; }
.page { position: relative; border: 1px solid #ccc7bb; margin: 0.8rem 0; }
.page img { display: block; width: 100%; }
.page i { position: absolute; background: #ffd84d; mix-blend-mode: multiply; opacity: 0.8; }
"""  # noqa: E501 - a rule of CSS a line


@dataclass(frozen=True, slots=True)
class Checked:
    """One mark of the answer, its source, and what was found."""

    use: Use
    citation: Citation
    check: Check | None
    evidence: Evidence | None = None


def review_html(question: str, answer: Answer, checked: Sequence[Checked], signed: str) -> str:
    """Return the review; `signed` says who checked and when."""
    done = [one for one in checked if one.check and one.check.agrees is not None]
    agree = sum(bool(one.check and one.check.agrees) for one in done)
    summary = (
        f"{len(done)} of {len(checked)} citations checked: {agree} agree, "
        f"{len(done) - agree} do not."
    )
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "img-src data:; style-src 'unsafe-inline'\">",
        f"<title>{escape(question)}</title><style>{_STYLE}</style></head><body>",
        f"<h1>{escape(question)}</h1>",
        f'<p class="about">{escape(signed)}</p><p><strong>{summary}</strong></p>',
        f'<p class="said" dir="auto">{escape(_read(answer.text))}</p>',
        *(_section(at, one) for at, one in enumerate(checked, 1)),
        "</body></html>",
    ]
    return "\n".join(parts)


def _section(at: int, one: Checked) -> str:
    note = one.check.note if one.check else ""
    parts = [
        f"<section><h2>Citation {at}: {_verdict(one.check)}</h2>",
        f'<p dir="auto">{escape(one.use.sentence)} [{one.use.number}]</p>',
        f"<p><em>Note:</em> {escape(note)}</p>" if note else "",
        f'<p class="about">{escape(place(one.citation))}</p>',
        f'<blockquote dir="auto">{escape(one.use.quote)}</blockquote>',
    ]
    evidence = one.evidence
    if evidence and evidence.image:
        boxes = "".join(
            f'<i style="left:{left:.2%};top:{top:.2%};width:{right - left:.2%};'
            f'height:{bottom - top:.2%}"></i>'
            for left, top, right, bottom in evidence.boxes
        )
        image = base64.b64encode(evidence.image).decode()
        parts.append(
            f'<div class="page"><img alt="The page" src="data:image/png;base64,{image}">'
            f"{boxes}</div>"
        )
    elif evidence and evidence.missing:
        parts.append(f'<p class="about">{escape(evidence.missing)}</p>')
    if one.citation.credit:
        parts.append(f'<p class="about">{escape(one.citation.credit)}</p>')
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
