"""What the page is told to draw."""

from __future__ import annotations

import base64
import json
from dataclasses import replace

import pytest

from core.planning.routes import Route
from core.types import (
    STATES_NOTHING,
    Answer,
    Claim,
    Document,
    DocumentKind,
    DocumentState,
    Evidence,
    Match,
    Matches,
    Notice,
    QueryPlan,
    SearchOptions,
    SearchResult,
    Support,
)
from core.ui.answer.evidence import evidence_view, marked_text
from core.ui.answer.views import (
    answer_view,
    claim_view,
    hits_view,
    live_view,
    searched_view,
    verdict_view,
)
from core.ui.documents.rows import overall_progress, row_view, summary
from core.ui.shell.document_search import Search
from core.ui.shell.formatting import count, format_score, format_seconds, format_size, one_line
from tests.ui.app.fake_service import (
    PAGE_TEXT,
    a_citation,
    a_document,
    canned_answer,
    canned_search,
)


def test_every_view_is_json() -> None:
    views = [
        answer_view(canned_answer("q")),
        answer_view(canned_answer("zebra")),
        live_view("q", "half of **an"),
        hits_view(canned_search("q", SearchOptions()), 0.1),
        row_view(a_document("d", "s", "a.pdf")),
    ]
    for view in views:
        assert json.loads(json.dumps(view)) == view


def test_a_refusal_shows_no_score_that_the_best_hit_has_anyway() -> None:
    for question, empty in (("zebra", True), ("q", False)):
        hits = answer_view(canned_answer(question))["searched"]["hits"]
        assert all((hit["fused"]["score"] == "") is empty for hit in hits)
        assert hits[0]["fused"]["rank"] == "#1"


def test_passages_of_a_refusal_are_shown_without_the_signs_of_markdown() -> None:
    rows = "### Rates\n\n| Year | Rate |\n|:---|---:|\n| 2024 | **3 %** |\n\nSee [the law](law.md)."
    near = a_citation(1, DocumentKind.MARKDOWN, "rates.md", rows, passage=f"# All\n{rows} | x")
    (shown,) = answer_view(replace(canned_answer("zebra"), unused=(near,)))["unused"]
    assert shown["quote"] == "Rates Year · Rate 2024 · 3 % See the law."
    assert shown["quote"] in shown["passage"]
    (shown,) = answer_view(
        replace(
            canned_answer("zebra"),
            unused=(a_citation(1, DocumentKind.TEXT, "a.py", "2 ** 3 or a || b #1 [x]"),),
        )
    )["unused"]
    assert shown["quote"] == "2 ** 3 or a || b #1 [x]"


def test_steps_are_named_in_words_that_a_person_knows() -> None:
    names = [
        step["name"] for step in searched_view(canned_search("q", SearchOptions()), 1)["steps"]
    ]
    assert "combined" in names
    assert not {"dense", "lexical", "fuse", "diversify", "join"} & set(names)


def test_only_sources_are_links() -> None:
    citation = a_citation(1, DocumentKind.WEB, "a", "q", url="https://example.org/a")
    text = "[in](https://example.org/a) [out](https://example.org/b)"
    nodes = json.dumps(answer_view(Answer("q", text, citations=(citation,)))["tree"])
    assert nodes.count('"link"') == 1
    assert "out (https://example.org/b)" in nodes


def test_who_wrote_a_passage_is_named_wherever_it_is_shown() -> None:
    credit = "A. Bee, CC BY-SA 4.0"
    citation = replace(a_citation(1, DocumentKind.WEB, "a", "q"), attribution=credit)
    answer = Answer("q", "t [1]", citations=(citation,))
    assert credit in answer_view(answer)["cited"][0]["attribution"]
    assert credit in answer_view(answer)["copy"]
    assert credit in evidence_view(Evidence(citation, "q"))["attribution"]


def test_the_footer_says_who_wrote_and_whether_it_is_whole() -> None:
    answer = Answer("q", "t", answerer="ollama/llama3", seconds=2.5, complete=False)
    assert answer_view(answer)["meta"] == (
        "Written by ollama/llama3, checked against the sources · incomplete · 2.5 s"
    )


def test_the_footer_of_a_reply_that_quotes_nothing_says_so_of_nothing() -> None:
    assert answer_view(Answer("thanks", "You are welcome.", seconds=0.01))["meta"] == "10 ms"
    quoted = replace(canned_answer("q"), answerer="extractive")
    assert answer_view(quoted)["meta"].startswith("Quoted word for word from the sources")


def test_what_is_computed_is_not_said_to_be_quoted() -> None:
    search = SearchResult(QueryPlan("q", "q", ("q",)), ())
    view = answer_view(Answer("q", "t", search=search, route=Route.TABLE, seconds=0.01))
    assert view["meta"] == "Computed from all rows of the table · 10 ms"
    assert view["searched"]["title"] == "How it searched · 10 ms"


def test_the_rows_of_a_table_stay_on_their_lines_and_those_of_a_text_do_not() -> None:
    passage = "Colour: red | Price: 3\nColour: blue | Price: 4"
    rows, line = passage.replace(" | ", " · "), " ".join(passage.split())
    for kind, shown in ((DocumentKind.CSV, rows), (DocumentKind.PDF, line)):
        citation = replace(a_citation(1, kind, "a", ""), quote=passage, passage=passage)
        view = answer_view(Answer("q", "t [1]", citations=(citation,)))
        assert [view["cited"][0]["quote"], view["cited"][0]["passage"]] == [shown, shown]
        assert view["uses"][0]["passage"] == shown


def test_how_sure_an_answer_is_comes_with_what_that_means() -> None:
    view = answer_view(replace(canned_answer("q"), answerer="extractive", direct=True))
    assert view["certainty"]["words"] == "Found directly"
    assert "%" in view["certainty"]["meaning"]
    assert answer_view(Answer("thanks", "You are welcome."))["certainty"] is None


def test_a_refusal_says_what_is_missing_and_what_to_do() -> None:
    refused = canned_answer("zebra")
    assert refused.abstention
    said = answer_view(refused)["abstention"]
    assert said["lead"] == "No passage names “zebra”."
    assert said["reason"].endswith("or add a document that tells of it.")
    assert not said["near"]
    near = answer_view(replace(refused, abstention=replace(refused.abstention, is_near=True)))
    assert near["abstention"]["near"]
    far = replace(refused.abstention, reason="The nearest passages do not hold an answer.")
    said = answer_view(replace(refused, abstention=far, asked_of=(1, 3)))["abstention"]
    assert said["lead"] == "No answer to this was found in your documents."
    assert said["reason"].endswith("or ask all 3 documents.")


def test_notices_come_with_their_cure() -> None:
    answer = Answer("q", "t", notices=(Notice("cut", "Cut.", "Use less.", "error"),))
    assert answer_view(answer)["notices"] == [
        {"text": "Cut.", "cure": "Use less.", "level": "error", "above": False}
    ]


def test_a_copy_keeps_the_sources() -> None:
    lines = answer_view(canned_answer("q"))["copy"].splitlines()
    assert lines[-3].startswith(
        "- [1] handbook.pdf, page 3, Storage › Keeping what was said: “A pas"
    )
    assert lines[-1].startswith("- [3] glossary.md, Glossary: “Reciprocal")


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("The number 5 is not in the source.", "not supported: the number 5 is not in the source"),
        ("RRF is not in the source", "not supported: RRF is not in the source"),
        ("", "not supported by its source"),
    ],
)
def test_the_reason_is_given_in_words(reason: str, words: str) -> None:
    assert claim_view(Claim(0, 1, (1,), Support.UNSUPPORTED, reason))["words"] == words


def test_what_is_written_so_far_shows_marks_that_open_nothing_yet() -> None:
    view = live_view("q", "So [1].")
    assert view["live"] is True
    assert view["cited"] == []
    assert '"cite"' in json.dumps(view["tree"])


def test_evidence_has_the_marked_text_and_the_image() -> None:
    citation = a_citation(1, DocumentKind.PDF, "a.pdf", "The catalogue is the truth")
    boxes = ((0.1, 0.2, 0.9, 0.25),)
    evidence = Evidence(citation, PAGE_TEXT, b"png", 100, 200, boxes, neighbours=(1, 3))
    view = evidence_view(evidence)
    assert view["text"] == []
    assert view["image"] == f"data:image/png;base64,{base64.b64encode(b'png').decode()}"
    assert view["boxes"] == [[0.1, 0.2, 0.9, 0.25]]
    assert (view["page"], view["previous"], view["next"]) == ("Page 3", True, True)
    assert evidence_view(replace(evidence, pages=28))["page"] == "Page 3 of 28"


def test_a_text_is_marked_where_the_claim_stands_and_faintly_where_others_do() -> None:
    citation = replace(a_citation(1, DocumentKind.MARKDOWN, "a.md", ""), end=16)
    citation = replace(citation, start=0, spans=((0, 4), (10, 16)))
    view = evidence_view(Evidence(citation, "One. Two. Three.", spans=((10, 16),)))
    assert view["text"] == [["One.", "other"], [" Two. ", ""], ["Three.", "mark"]]


def test_a_search_says_its_match_of_how_many_and_the_page() -> None:
    citation = a_citation(1, DocumentKind.PDF, "a.pdf", "The catalogue is the truth")
    places = (Match(0, 0, 4), Match(2, 5, 9), Match(2, 20, 24))
    box, other = (0.1, 0.2, 0.3, 0.25), (0.1, 0.4, 0.3, 0.45)
    evidence = Evidence(
        citation, PAGE_TEXT, b"png", pages=28, found=((5, 9), (20, 24)),
        found_boxes=((box,), (other,)),
    )  # fmt: skip
    assert evidence_view(evidence)["find"] is None
    found = evidence_view(evidence, Search("word", Matches(places), 1))["find"]
    assert found["said"] == "2 of 3, page 3"
    assert (found["words"], found["now"], found["boxes"]) == ("word", [list(box)], [list(other)])
    found = evidence_view(evidence, Search("word", Matches(places, more=True), 0))["find"]
    assert found["said"] == "1 of the first 3, page 1"
    assert (found["now"], found["boxes"]) == ([], [list(box), list(other)])
    nothing = evidence_view(evidence, Search("word", Matches()))["find"]
    assert nothing["said"] == "Not in this document"


def test_a_match_in_a_text_is_marked_within_the_citation_and_without() -> None:
    citation = replace(a_citation(1, DocumentKind.MARKDOWN, "a.md", ""), start=5, end=14)
    evidence = Evidence(
        citation, "One. Two. Three.", spans=((5, 14),), found=((10, 15), (0, 3)), pages=1
    )
    view = evidence_view(evidence, Search("x", Matches((Match(0, 10, 15), Match(0, 0, 3)))))
    assert view["text"] == [
        ["One", "found"], [". ", ""], ["Two. ", "mark"], ["Thre", "mark found now"],
        ["e", "found now"], [".", ""],
    ]  # fmt: skip
    assert view["find"]["said"] == "1 of 2"
    gone = Evidence(citation, "", missing="This document was deleted.")
    assert evidence_view(gone, Search("x", Matches((Match(0, 10, 15),))))["searchable"] is False


def test_a_long_text_is_cut_around_the_match_that_is_shown() -> None:
    pieces = marked_text("a" * 50_000, [(10, 20)], (), [(30, 40), (40_000, 40_005)], 1)
    assert [piece for piece, kind in pieces if kind] == ["a" * 5]
    assert pieces[0] == ["… ", ""]


def test_evidence_of_a_text_has_no_image_and_says_what_is_missing() -> None:
    citation = a_citation(1, DocumentKind.MARKDOWN, "a.md", "x")
    view = evidence_view(Evidence(citation, "", missing="This document was deleted."))
    assert (view["image"], view["paged"], view["page"]) == ("", False, "")
    assert view["missing"] == "This document was deleted."


@pytest.mark.parametrize(("start", "end"), [(0, 0), (5, 3), (10**9, 10**9 + 4), (0, 10**9)])
def test_surroundings_take_any_span(start: int, end: int) -> None:
    pieces = marked_text("some text", [(start, end)])
    assert "".join(piece for piece, _ in pieces).strip(" …") in ("some text", "")


def test_long_surroundings_are_cut() -> None:
    pieces = marked_text("a" * 20_000, [(10_000, 10_010)])
    assert [piece for piece, kind in pieces if kind] == ["a" * 10]
    assert (pieces[0][0], pieces[-1][0]) == ("… ", " …")
    assert sum(len(piece) for piece, _ in pieces) < 13_000


def test_the_verdict_counts_the_sentences() -> None:
    view = answer_view(canned_answer("q"))
    assert [part["words"] for part in view["verdict"]] == ["2 sentences to check"]
    claims = (Claim(0, 4, (1,), Support.VERBATIM), Claim(5, 9, (1,), Support.UNSUPPORTED, "No."))
    framing = Claim(10, 14, (1,), Support.UNCHECKED, STATES_NOTHING)
    view = answer_view(Answer("q", "One. Two. So:", claims=(*claims, framing)))
    assert [(part["words"], part["claims"]) for part in view["verdict"]] == [
        ("1 of 2 sentences supported", [0]),
        ("1 to check", [1]),
    ]


def test_what_changes_the_whole_answer_stands_above_it() -> None:
    notices = (Notice("model-failed:BadKey", "The key was refused."), Notice("cut", "Cut."))
    view = answer_view(Answer("q", "t", notices=notices))
    assert [notice["above"] for notice in view["notices"]] == [True, False]


def document(**fields: object) -> Document:
    made = a_document("d", "s", "a.pdf", size=12_300)
    return replace(made, **fields)


def test_a_row_tells_everything_known() -> None:
    view = row_view(
        document(state=DocumentState.READY, pages=1, chunks=1200, seconds=1.44, title="Report")
    )
    assert view["figures"] == [
        ["1", "page"],
        ["1,200", "passages"],
        ["12", "KB"],
        ["1.4", "s to read"],
    ]
    assert view["about"] == "Report"
    repeated = row_view(document(label="lease scan.pdf", title="lease scan"))
    assert repeated["about"] == "", "a title that only repeats the name"
    assert view["added"].startswith("20")
    assert (view["readable"], view["retry"], view["busy"]) == (True, False, False)


def test_a_row_in_work_has_progress() -> None:
    view = row_view(document(state=DocumentState.READING, progress=0.42))
    assert (view["words"], view["busy"], view["progress"]) == ("Reading 42%", True, 0.42)


def test_rows_are_counted() -> None:
    documents = [
        document(state=DocumentState.READY),
        document(label="b.pdf", state=DocumentState.FAILED),
        document(label="c.pdf", state=DocumentState.READING, progress=0.5, searched=False),
    ]
    assert summary(documents) == "3 documents: 1 reading, 1 ready, 1 failed, 1 not searched"
    assert overall_progress(documents) == pytest.approx(2.5 / 3)


def test_words() -> None:
    assert (format_seconds(0.0421), format_seconds(3.21), format_seconds(95)) == (
        "42 ms",
        "3.2 s",
        "1 min 35 s",
    )
    assert (format_size(900), format_size(12_300), format_size(4_560_000)) == (
        "900 B",
        "12 KB",
        "4.6 MB",
    )
    assert (count(1, "page"), count(1200, "page")) == ("1 page", "1,200 pages")
    assert (format_score(None), format_score(0.125)) == ("", "0.12")
    assert one_line("cut from\na  page ") == "cut from a page"


def test_a_wrong_mark_among_several_is_to_be_checked() -> None:
    claim = Claim(0, 9, (1, 2), Support.SUPPORTED, "[2] does not say this.", 0.9, (2,))
    assert claim_view(claim) == {
        "kind": "unsupported",
        "numbers": [1, 2],
        "words": "supported, but [2] does not say this",
    }
    assert verdict_view({0: claim}) == [
        {"words": "1 sentence to check", "claims": [0], "doubt": True}
    ]
