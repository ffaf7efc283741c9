"""The review of checked citations as a file that stands alone."""

from __future__ import annotations

import re
from dataclasses import replace

from core.answering.exports.review import Checked, Reviewed, review_html
from core.citations.uses import uses
from core.types import Check, DocumentKind, Evidence
from tests.ui.app.fake_service import a_citation, canned_answer


def reviewed(question: str, note: str = "") -> Reviewed:
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
    text = f"{'before ' * 200}Here <b>it</b> stands.{' after' * 200}"
    span = (text.index("Here"), text.index(" after"))
    found = Evidence(checked[2].citation, text, spans=(span,))
    checked[2] = replace(checked[2], evidence=found)
    checked[3] = replace(checked[3], evidence=picture)
    return Reviewed(question, answer, checked)


def review(note: str = "") -> str:
    return review_html([reviewed("What <i>is</i> it?", note)], "Checked on a day")


def test_it_says_what_was_checked_and_shows_the_place() -> None:
    made = review()
    assert "2 of 4 citations checked: 1 agrees, 1 does not." in made
    assert made.count("not checked</span>") == 2
    assert 'style="left:10.00%;top:20.00%;width:40.00%;height:5.00%"' in made
    assert "data:image/png;base64,cG5n" in made
    assert "This document was deleted." in made


def test_one_citation_is_counted_in_the_singular() -> None:
    answer = replace(canned_answer("q"), text="So [1].")
    (use,) = uses(answer.text, answer.citations)
    one = Reviewed("q", answer, [Checked(use, answer.citations[0], Check(0, True))])
    made = review_html([one], "")
    assert "1 of 1 citation checked: 1 agrees, 0 do not." in made


def test_a_text_is_shown_around_the_marked_passage() -> None:
    around = review().partition('<p class="around" dir="auto">')[2].partition("</p>")[0]
    before, marked, after = around.replace("<mark>", "|").replace("</mark>", "|").split("|")
    assert marked == "Here &lt;b&gt;it&lt;/b&gt; stands."
    assert set(before.split()) == {"…", "before"}
    assert set(after.split()) == {"…", "after"}


def test_the_image_of_a_page_is_in_the_file_once() -> None:
    made = review()
    assert made.count('<div class="page">') == 2
    assert made.count("data:image/png") == 1


def test_the_answer_keeps_its_form_and_its_marks_lead_to_their_citations() -> None:
    made = review()
    assert "<li" in made.partition("<section")[0]
    assert '<a href="#c2">[2]</a>' in made
    assert '<section id="c2">' in made


def test_the_lines_of_a_pdf_are_no_lines_of_its_quote() -> None:
    assert "</blockquote>" in review()
    quotes = re.findall("<blockquote[^>]*>(.*?)</blockquote>", review(), re.S)
    assert "\n" in canned_answer("q").citations[0].quote
    assert not [quote for quote in quotes if "\n" in quote]


def test_what_others_wrote_stands_in_it_as_text() -> None:
    made = review(note="<script>alert(1)</script>")
    assert "<script" not in made
    assert "&lt;script&gt;" in made
    assert "<i>is</i>" not in made
    hostile = a_citation(1, DocumentKind.PDF, "<img src=x>", "<b>q</b>")
    answer = replace(canned_answer("q"), text="So [1].", citations=(hostile,))
    (use,) = uses(answer.text, answer.citations)
    made = review_html([Reviewed("q", answer, [Checked(use, hostile, None)])], "<u>")
    assert not [tag for tag in ("<img", "<b>", "<u>") if tag in made]


def test_several_answers_stand_in_one_file_after_a_list_of_their_questions() -> None:
    made = review_html([reviewed("What <i>is</i> it?"), reviewed("Why?")], "Checked on a day")
    assert "<h1>Review of 2 answers</h1>" in made
    assert "4 of 8 citations checked: 2 agree, 2 do not." in made
    entry = "What &lt;i&gt;is&lt;/i&gt; it?</a> (1 of 4 agree, 1 does not)</li>"
    assert f'<a href="#q1">{entry}' in made
    assert made.count("2 of 4 citations checked: 1 agrees, 1 does not.") == 2
    targets = re.findall(r' id="(\w+)"', made)
    assert len(targets) == len(set(targets))
    assert {link for link in re.findall(r'href="#(q\w+)"', made)} <= set(targets)
    assert '<a href="#q2c2">[2]</a>' in made.partition('id="q2"')[2]
    assert made.count("data:image/png") == 1
