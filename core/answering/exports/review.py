"""The checked citations of answers as one HTML file, to be read without the program (pure).

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


@dataclass(frozen=True, slots=True)
class Reviewed:
    """An answer with all of its marks."""

    question: str
    answer: Answer
    checked: Sequence[Checked]


def review_html(reviewed: Sequence[Reviewed], signed: str, zone: tzinfo = UTC) -> str:
    """Return the review; `signed` says who checked and when. Its days are those of `zone`.

    Several answers stand one below the other, after a list of their questions.
    """
    figure = Figures()
    about = f'<p class="about">{escape(signed)}</p>'
    if len(reviewed) == 1:
        (one,) = reviewed
        head = [f'<h1 dir="auto">{escape(one.question)}</h1>', about]
        return whole(one.question, [*head, *_answer(one, "", 2, figure, zone)])
    title = f"Review of {len(reviewed)} answers"
    parts = [f"<h1>{title}</h1>", about, _summary([x for one in reviewed for x in one.checked])]
    parts += ["<ol>", *(_entry(at, one) for at, one in enumerate(reviewed, 1)), "</ol>"]
    for at, one in enumerate(reviewed, 1):
        parts.append(f'<h2 id="q{at}" dir="auto">{at}. {escape(one.question)}</h2>')
        parts += _answer(one, f"q{at}", 3, figure, zone)
    return whole(title, parts)


def _entry(at: int, one: Reviewed) -> str:
    done, agree = _counts(one.checked)
    words = f"{agree} of {len(one.checked)} agree" + (
        f", {done - agree} {'does' if done - agree == 1 else 'do'} not" if agree < done else ""
    )
    return f'<li dir="auto"><a href="#q{at}">{escape(one.question)}</a> ({words})</li>'


def _answer(one: Reviewed, prefix: str, level: int, figure: Figures, zone: tzinfo) -> list[str]:
    """How much of an answer is checked, the answer, and a section with a heading for each mark."""
    anchors = {mark.use.number: at for at, mark in reversed(list(enumerate(one.checked, 1)))}
    return [
        _summary(one.checked),
        markdown_html(
            with_bold(one.answer), {number: f"{prefix}c{at}" for number, at in anchors.items()}
        ),
        *(
            _section(f"{prefix}c{at}", f"h{level}", at, mark, figure(mark.evidence), zone)
            for at, mark in enumerate(one.checked, 1)
        ),
    ]


def _counts(checked: Sequence[Checked]) -> tuple[int, int]:
    """How many marks are checked, and how many of these agree."""
    found = [one.check.agrees for one in checked if one.check and one.check.agrees is not None]
    return len(found), sum(found)


def _summary(checked: Sequence[Checked]) -> str:
    done, agree = _counts(checked)
    return (
        f"<p><strong>{done} of {len(checked)} {'citation' if len(checked) == 1 else 'citations'} "
        f"checked: {agree} {'agrees' if agree == 1 else 'agree'}, "
        f"{done - agree} {'does' if done - agree == 1 else 'do'} not.</strong></p>"
    )


def _section(anchor: str, heading: str, at: int, one: Checked, figure: str, zone: tzinfo) -> str:
    note = one.check.note if one.check else ""
    parts = [
        f'<section id="{anchor}"><{heading}>Citation {at}: {_verdict(one.check)}</{heading}>',
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
