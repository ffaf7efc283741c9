"""The review of checked citations as a file that stands alone."""

from __future__ import annotations

from dataclasses import replace

from core.answering.exports.review import Checked, review_html
from core.citations.uses import uses
from core.types import Check, DocumentKind, Evidence
from tests.ui.app.fake_service import a_citation, canned_answer


def review(note: str = "") -> str:
    answer = canned_answer("q")
    by_number = {citation.number: citation for citation in answer.citations}
    checked = [
        Checked(use, by_number[use.number], Check(at, [True, False, None, None][at], note))
        for at, use in enumerate(uses(answer.text, answer.citations))
    ]
    picture = Evidence(checked[0].citation, "", b"png", 10, 10, ((0.1, 0.2, 0.5, 0.25),))
    checked[0] = replace(checked[0], evidence=picture)
    gone = Evidence(checked[1].citation, "", missing="This document was deleted.")
    checked[1] = replace(checked[1], evidence=gone)
    return review_html("What <i>is</i> it?", answer, checked, "Checked on a day")


def test_it_says_what_was_checked_and_shows_the_place() -> None:
    made = review()
    assert "2 of 4 citations checked: 1 agrees, 1 does not." in made
    assert made.count("not checked</span>") == 2
    assert 'style="left:10.00%;top:20.00%;width:40.00%;height:5.00%"' in made
    assert "data:image/png;base64,cG5n" in made
    assert "This document was deleted." in made


def test_what_others_wrote_stands_in_it_as_text() -> None:
    made = review(note="<script>alert(1)</script>")
    assert "<script" not in made
    assert "&lt;script&gt;" in made
    assert "<i>is</i>" not in made
    hostile = a_citation(1, DocumentKind.PDF, "<img src=x>", "<b>q</b>")
    answer = replace(canned_answer("q"), text="So [1].", citations=(hostile,))
    (use,) = uses(answer.text, answer.citations)
    made = review_html("q", answer, [Checked(use, hostile, None)], "<u>")
    assert not [tag for tag in ("<img", "<b>", "<u>") if tag in made]
