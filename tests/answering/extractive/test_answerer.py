"""Extractive answers: word for word, cited, readable, and a refusal where nothing answers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest
from markdown_it import MarkdownIt

from core.answering.extractive import answerer as answering
from core.answering.extractive.answerer import (
    NO_COUNT,
    SAID,
    SAID_AND_NOT_ASKED,
    SAME_TABLE,
    SURE_OF_AMOUNT,
    UNLIKELY,
    ExtractiveAnswerer,
    _after,
    _without_bars,
    quoted,
)
from core.answering.extractive.sentences.candidates import find_candidates
from core.answering.extractive.sentences.reading import SURE, Read
from core.citations.mark import plain_words
from core.text.markdown_quoting import collapse
from core.types import Answer, ChunkKind, Hit, Message, SearchResult, Step, Support, TextPiece
from tests.support.hits import embedder, found, hit

TESLA = (
    "Nikola Tesla was an inventor of Serbian descent. He was born in Smiljan in 1856. "
    "Tesla moved to New York in 1884 and worked for Edison. His hotel bills were often unpaid. "
    "Tesla died on 7 January 1943 in New York City. He loved pigeons."
)
OXYGEN = (
    "Oxygen is a chemical element with the symbol O. It was discovered by Carl Wilhelm Scheele in "
    "Uppsala in 1773. Oxygen makes up 21% of the air by volume."
)


def ask(question: str, hits: list[Hit]) -> Answer:
    events = list(ExtractiveAnswerer(embedder()).answer(question, found(question, hits)))
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert [event for event in events if isinstance(event, Answer)] == [answer]
    assert all(isinstance(event, Step | TextPiece) for event in events[:-1])
    pieces = "".join(event.text for event in events if isinstance(event, TextPiece))
    assert pieces == answer.text
    check(answer, hits)
    return answer


def check(answer: Answer, hits: list[Hit]) -> None:
    """What holds of every answer: quotes are the page's, numbers are in order, nothing is lost."""
    pages = {(h.chunk.document_id, h.chunk.page_ordinal): h for h in hits}
    assert [c.number for c in answer.citations] == list(range(1, len(answer.citations) + 1))
    for citation in answer.citations:
        page = pages[citation.document_id, citation.page_ordinal]
        for start, end in (*citation.spans, (citation.start, citation.end)):
            at = start - page.context_start
            assert page.context[at : at + end - start] in citation.quote
        assert citation.passage == page.context
    for claim in answer.claims:
        assert claim.support is Support.VERBATIM
        (number,) = claim.numbers
        said = plain_words(answer.text[claim.start : claim.end])
        assert said
        assert said in collapse(answer.citations[number - 1].quote)
    cited = {c.chunk_id for c in answer.citations}
    assert cited.isdisjoint(c.chunk_id for c in answer.unused)
    assert len(cited) + len(answer.unused) == len(hits)


def both() -> list[Hit]:
    return [
        hit(TESLA, label="tesla.pdf", document="d1", start=100),
        hit(OXYGEN, label="oxygen.txt", document="d2", ordinal=1, page=None, score=0.5),
    ]


@pytest.mark.parametrize(
    ("question", "contained", "label"),
    [
        ("When did Tesla die?", "7 January 1943", "tesla.pdf"),
        ("Where was Nikola Tesla born?", "Smiljan", "tesla.pdf"),
        ("Who discovered oxygen?", "Carl Wilhelm Scheele", "oxygen.txt"),
        ("How much of the air is oxygen?", "21%", "oxygen.txt"),
    ],
)
def test_questions_are_answered_from_the_right_document(
    question: str, contained: str, label: str
) -> None:
    answer = ask(question, both())
    assert answer.abstention is None
    assert contained in answer.text
    assert answer.citations[0].label == label
    assert 1 <= len(answer.claims) <= 3
    assert answer.confidence is not None
    assert answer.confidence > 0.5


def test_two_questions_in_one_get_a_sentence_each_and_one_number_for_one_passage() -> None:
    answer = ask("When was Tesla born and when did he move to New York?", both()[:1])
    said = [answer.text[c.start : c.end] for c in answer.claims]
    assert said == [
        "He was born in Smiljan in 1856.", "Tesla moved to New York in 1884 and worked for Edison.",
    ]  # fmt: skip
    (citation,) = answer.citations
    assert citation.start >= 100
    assert citation.spans == tuple(sorted(citation.spans))


def test_something_else_altogether_is_refused() -> None:
    answer = ask("Which wine goes with grilled octopus?", both())
    assert answer.abstention is not None
    assert answer.citations == ()
    assert answer.claims == ()
    assert [c.label for c in answer.unused] == ["tesla.pdf", "oxygen.txt"]
    assert "[1]" not in answer.text


def test_a_refusal_says_what_was_searched() -> None:
    result = SearchResult(found("x?", []).plan, ())
    events = list(ExtractiveAnswerer(embedder()).answer("x?", result, searched=(3, 1204)))
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.abstention is not None
    assert "3 documents (1,204 passages)" in answer.text
    assert answer.abstention.searched_chunks == 1204
    assert answer.confidence == 0.0


def test_markdown_in_a_source_is_shown_as_written() -> None:
    text = (
        "The price of the *new* engine_a is $5 [see 3], <b>not</b> `cheap` # at all. "
        "1. The engine has `no` brake\\."
    )
    answer = ask("What is the price of the new engine?", [hit(text)])
    claim = answer.claims[0]
    shown = MarkdownIt("commonmark").parse(answer.text[claim.start : claim.end])
    (inline,) = [token for token in shown if token.type == "inline"]
    assert {child.type for child in inline.children or ()} <= {"text", "softbreak"}
    assert inline.content
    words = "".join(child.content for child in inline.children or ())
    assert words == "The price of the *new* engine_a is $5 [see 3], <b>not</b> `cheap` # at all."


def test_code_is_quoted_whole_as_a_block() -> None:
    code = "def area_of_circle(radius):\n    # [1] is no mark here\n    return PI[0] * radius ** 2"
    piece = hit(code, label="geometry.py.md", page=None, headings=("area_of_circle",))
    piece = replace(piece, chunk=replace(piece.chunk, kind=ChunkKind.CODE))
    answer = ask("area_of_circle radius function", [piece])
    assert f"```\n{code}\n```\n[1]" in answer.text
    assert answer.citations[0].quote == code


def test_overlapping_passages_do_not_repeat_a_sentence() -> None:
    first = hit(TESLA, label="tesla.pdf", document="d1", start=0)
    second = replace(first, chunk=replace(first.chunk, id="d1:9", ordinal=9), context_start=0)
    events = ExtractiveAnswerer(embedder()).answer(
        "When did Tesla die?", found("When did Tesla die?", [first, second])
    )
    answer = list(events)[-1]
    assert isinstance(answer, Answer)
    said = [plain_words(answer.text[c.start : c.end]) for c in answer.claims]
    assert len(said) == len(set(said))
    assert len(answer.citations) == 1
    assert answer.unused == ()


def test_a_part_of_a_sentence_is_no_candidate_beside_the_whole() -> None:
    whole = "Tesla died on 7 January 1943 in his room of the hotel."
    part = hit("It rained. Tesla died on 7 January 1943 in his", label="a.pdf", document="d1")
    texts = [c.sentence.text for c in find_candidates([part, hit(whole, document="d2")])]
    assert texts == ["It rained.", whole]


FORM = (
    "Form 8-K\n\nNorthstar Lines, Inc.\n\n(Exact name of registrant)\n\n5 Pier Road\n\n"
    "Velmark\n\n(Address of principal offices) (Zip Code)\n\n+44 20 7946 0000\n\n"
    "(Telephone number, with area code)\n\nCheck the box below where a telephone is used."
)


def test_a_value_of_a_form_is_read_with_the_label_below_it() -> None:
    texts = [" ".join(c.sentence.text.split()) for c in find_candidates([hit(FORM)])]
    assert "+44 20 7946 0000 (Telephone number, with area code)" in texts
    assert "5 Pier Road Velmark (Address of principal offices) (Zip Code)" in texts
    answer = ask("What is the telephone number?", [hit(FORM)])
    first = answer.claims[0]
    said = plain_words(answer.text[first.start : first.end])
    assert said == "+44 20 7946 0000 (Telephone number, with area code)"


def test_brackets_below_a_sentence_are_no_label() -> None:
    text = "The ferry leaves at nine.\n\n(Not on Sundays)"
    assert text not in [c.sentence.text for c in find_candidates([hit(text)])]


def test_who_asks_on_is_not_told_the_same_again() -> None:
    hits = both()[:1]
    first = ask("When did Tesla move to New York?", hits)
    assert "moved to New York" in first.text
    message = Message(1, "assistant", first.text, datetime.now(UTC), first)

    def then(question: str, follows: bool) -> str:
        result = found(question, hits)
        result = replace(result, plan=replace(result.plan, follows=follows))
        asked = ExtractiveAnswerer(embedder()).answer(question, result, (message,))
        *_, answer = asked
        assert isinstance(answer, Answer)
        return answer.text

    assert then("Tesla in New York?", follows=False).startswith("Tesla moved to New York")
    assert then("Tesla in New York?", follows=True).startswith("Tesla died")
    assert then("when did Tesla move to New York?", follows=True).startswith("Tesla moved")


def test_words_are_set_off_in_what_answers_and_not_in_what_is_added() -> None:
    hits = both()[:1]

    def marked(question: str, scored: float | None) -> list[str]:
        result = found(question, hits)
        answering = ExtractiveAnswerer(embedder())
        plain = answering.score(question, result)
        moved = [c.sentence.text.startswith("Tesla moved") for c in plain.candidates]
        scores = np.array([9.0 if first else 8.9 for first in moved], np.float32)
        best = plain.candidates[moved.index(True)]
        reads = {best: Read(scored, (0, 5))} if scored else {}
        known = replace(plain, scores=scores, reads=reads)
        _, answer = quoted(question, question, result, known, (1, 1))
        return [answer.text[start:end] for start, end in answer.highlights]

    assert marked("what did Tesla do?", None) == []
    assert marked("what did Tesla do?", -4.0) == []
    assert marked("what did Tesla do?", 3.0) == ["Tesla"]
    assert marked("who is Smiljan", 3.0) == []
    assert marked("who is Tesla", 3.0) == ["an inventor of Serbian descent"]  # the name is known
    assert marked("What is said of Tesla in 1884 or 1943?", None) == []
    assert marked("who did Tesla work for in New York?", -4.0) == ["Tesla"]
    assert marked("who did Tesla work for in New York?", -6.0) == ["Edison"]


@pytest.mark.parametrize(
    ("question", "text", "read", "marked"),
    [
        (
            "Who repairs the pump?",
            "The pump is repaired by Holm Service in Graz.",
            "Graz",
            ["Holm Service"],
        ),
        (
            "Where was the report published?",
            "The report was published on 27 July 2017.",
            "27 July 2017",
            [],
        ),
    ],
)
def test_a_place_is_not_who_does_it_and_a_date_is_nowhere(
    question: str, text: str, read: str, marked: list[str]
) -> None:
    result = found(question, [hit(text)])
    scored = ExtractiveAnswerer(embedder()).score(question, result)
    (only,) = scored.candidates
    at = only.sentence.text.index(read)
    known = replace(scored, reads={only: Read(5.0, (at, at + len(read)))})
    _, answer = quoted(question, question, result, known, (1, 1))
    assert [answer.text[start:end] for start, end in answer.highlights] == marked


def test_follow_ups_are_answered_by_their_goal() -> None:
    result = found("And when did he die?", both())
    result = replace(result, plan=replace(result.plan, goal="When did Nikola Tesla die?"))
    answer = list(ExtractiveAnswerer(embedder()).answer("And when did he die?", result))[-1]
    assert isinstance(answer, Answer)
    assert answer.question == "And when did he die?"
    assert "1943" in answer.text


def test_a_heading_that_only_repeats_the_question_is_not_quoted() -> None:
    text = "### Oxygen in the air\nOf the air by volume, 21% is this gas. It was found in 1773."
    answer = ask("How much oxygen is in the air?", [hit(text, label="air.md", document="d1")])
    assert "21%" in answer.text
    assert "Oxygen in the air" not in answer.text


def test_a_heading_that_says_more_may_answer() -> None:
    text = "### Oxygen in the air: 21%\nThis gas was found in 1773 by Scheele, in Uppsala."
    answer = ask("How much oxygen is in the air?", [hit(text, label="air.md", document="d1")])
    assert "21%" in answer.text


def test_the_best_sentence_opens_and_nothing_pads_it() -> None:
    answer = ask("When did Tesla die?", both())
    (claim,) = answer.claims
    assert answer.text[claim.start : claim.end].startswith("Tesla died on 7 January 1943")


def test_the_words_that_answer_are_marked_in_the_text() -> None:
    answer = ask("When did Tesla die?", both())
    assert [answer.text[start:end] for start, end in answer.highlights] == ["7 January 1943"]


def test_who_tells_of_a_death_is_not_set_off_as_the_dead() -> None:
    text = "Mayor Ida Holm said that two guards were killed at the museum."
    assert ask("Who was killed at the museum?", [hit(text)]).highlights == ()
    told = ask("Who said guards were killed at the museum?", [hit(text)])
    assert [told.text[start:end] for start, end in told.highlights] == ["Mayor Ida Holm"]


def test_marked_words_are_found_behind_escapes() -> None:
    text = "The *price* of engine [a] is $5 for each buyer of the engine."
    answer = ask("How much is the price of the engine?", [hit(text)])
    ((start, end),) = answer.highlights
    assert answer.text[start - 1 : end] == "\\$5"


def test_a_refusal_marks_nothing() -> None:
    assert ask("Which wine goes with grilled octopus?", both()).highlights == ()


def test_the_cell_asked_for_is_marked_in_its_table() -> None:
    text = "The crews of Velmark\n\nYear | Ships | Sailors\n2010 | 12 | 34\n2011 | 13 | 35\n"
    answer = ask("How many sailors were in the Velmark crews in 2011?", [hit(text)])
    assert "| Year | Ships | Sailors |\n| --- | --- | --- |\n| 2011 | 13 | 35 [1] |" in answer.text
    assert [answer.text[start:end] for start, end in answer.highlights] == ["35"]


FORMULA = (
    "BM25 is a formula that ranks passages by the words that they share with the question. "
    "It needs no training, and MMR and RRF are used beside BM25."
)


@pytest.mark.parametrize("question", ["Who is the inventor of BM25?", "When was BM25 invented?"])
def test_a_person_or_a_date_that_no_passage_states_is_refused(question: str) -> None:
    answer = ask(question, [hit(FORMULA)])
    assert answer.abstention is not None
    assert ask("What is BM25?", [hit(FORMULA)]).abstention is None


def test_a_person_that_is_named_is_no_refusal() -> None:
    named = FORMULA + " The inventor of BM25 is Stephen Robertson."
    assert "Robertson" in ask("Who is the inventor of BM25?", [hit(named)]).text


@pytest.mark.parametrize(
    ("question", "refused"),
    [
        ("When did Ida Holm die?", True),
        ("Who built the theatre?", True),
        ("When did Ida Holm take over?", False),
        ("How old is Ida Holm?", True),
        ("How old is Jo Bell?", False),
    ],
)
def test_what_is_told_of_something_else_is_no_answer(question: str, refused: bool) -> None:
    text = "Ida Holm took over the theatre from Ada Reed on 1 March 2025. Jo Bell is 40 years old."
    if "Jo" not in question:
        text = text.partition(". ")[0] + "."
    answer = ask(question, [hit(text)])
    assert (answer.abstention is not None) is refused
    if "die" in question:
        assert "speaks of “die”" in answer.text


def test_a_count_that_the_reader_does_not_see_is_refused() -> None:
    question = "How many dogs has the tenant?"
    result = found(question, [hit("The tenant has 3 rooms. The tenant may not keep dogs.")])
    scored = ExtractiveAnswerer(embedder()).score(question, result)
    sure = replace(scored, scores=scored.scores + 5)

    def refused(score: float) -> bool:
        reads = {one: Read(score, (0, 3)) for one in scored.candidates}
        asked = quoted(question, question, result, replace(sure, reads=reads), (1, 1))
        return asked[1].abstention is not None

    assert refused(NO_COUNT - 0.1)
    assert not refused(NO_COUNT + 0.1)


def test_without_the_wanted_date_it_is_only_near() -> None:
    asked, result = "When does Tesla feed pigeons?", found("x", [hit(TESLA)])
    scored = ExtractiveAnswerer(embedder()).score(asked, result)
    scored = replace(scored, scores=scored.scores + 30 * (scored.scores == scored.scores.max()))
    _, near = quoted(asked, asked, result, scored, (1, 1))
    best = scored.candidates[int(scored.scores.argmax())].sentence.text
    assert near.direct is any(ch.isdigit() for ch in best)


def test_the_holder_of_an_office_that_no_passage_names_is_refused() -> None:
    text = "The city of Velmark has a theatre. Ada Reed managed the theatre of Velmark city."
    assert ask("Who is the mayor of Velmark?", [hit(text)]).abstention is not None
    text += " The mayor of Velmark is Ida Holm."
    assert "Ida Holm" in ask("Who is the mayor of Velmark?", [hit(text)]).text


def test_everyday_words_are_compared_with_those_of_documents() -> None:
    text = (
        "Ida Holm is the CFO of Velmark. Ada Reed joined Acme in May as chief financial officer. "
        "Acme was advised by the CFO Jim Poe of Basel."
    )
    answer = ask("who is the CFO of Acme", [hit(text)])
    assert answer.text.startswith("Ada Reed joined Acme")


def test_a_passage_right_behind_the_hits_is_read_too() -> None:
    asked = "Who is the mayor of Velmark?"
    first = hit("The city of Velmark has a theatre. The theatre has a clock.", document="d1")
    behind = hit("The mayor of Velmark is Ida Holm.", document="d2", label="mayors.md", ordinal=1)
    result = replace(found(asked, [first]), dropped=(behind,))
    (*_, answer) = ExtractiveAnswerer(embedder()).answer(asked, result)
    assert isinstance(answer, Answer)
    assert "Ida Holm" in answer.text
    assert answer.citations[0].label == "mayors.md"
    assert answer.search == result


STOCK = "The stock of Velmark Ferries is listed in Basel. Velmark Ferries has sold much stock."


def test_advice_is_given_only_where_a_document_gives_it() -> None:
    question = "should i buy the stock of Velmark Ferries?"
    assert ask(question, [hit(STOCK)]).abstention is not None
    given = STOCK + " Nobody should buy the stock of Velmark Ferries before May."
    assert ask(question, [hit(given)]).abstention is None


@pytest.mark.parametrize(
    ("question", "score", "refused"),
    [
        ("who runs the golden pike", SURE, False),
        ("who runs the golden pike", SURE - 0.1, True),
        ("who runs the silver pike", SURE, True),
    ],
)
def test_what_the_reader_is_sure_of_is_not_refused(
    question: str, score: float, refused: bool
) -> None:
    text = "The inn, the Golden Pike, stood there in 1588. It is run by Marta Weidlin."
    result = found(question, [hit(text)])
    scored = ExtractiveAnswerer(embedder()).score(question, result)
    run_by = next(c for c in scored.candidates if "Marta" in c.sentence.text)
    reads = {run_by: Read(score, (13, 26))}
    unlike = replace(scored, matrix=scored.matrix * 0, reads=reads)
    assert (quoted(question, question, result, unlike, (1, 1))[1].abstention is None) is not refused


SHOP = (
    "The warranty lasts two years. For repairs, call 0800 555 210, Monday to Friday. "
    "The machine weighs 4 kg. Keep the receipt."
)


def test_a_telephone_number_is_found_by_its_form() -> None:
    answer = ask("what's the phone number?", [hit(SHOP)])
    assert answer.abstention is None
    assert "0800 555 210" in answer.text
    assert ask("what's the phone number of Zebediah Quill?", [hit(SHOP)]).abstention is not None
    assert ask("what's the phone number?", [hit(TESLA)]).abstention is not None


def test_a_date_is_asked_of_the_sentence_that_was_just_quoted() -> None:
    text = (
        "The lease runs for two years, until 28 February 2027. The rent is 90 euros. "
        "The lease was signed by Jo Bell on 4 May 2020."
    )
    first = ask("how long is the lease?", [hit(text)])
    now = datetime(2026, 1, 1, tzinfo=UTC)
    history = [
        Message(0, "user", "how long is the lease?", now),
        Message(0, "assistant", first.text, now, first),
    ]
    result = found("when does it end (lease)", [hit(text)])
    result = replace(result, plan=replace(result.plan, question="when does it end", follows=True))
    *_, answer = ExtractiveAnswerer(embedder()).answer("when does it end", result, history)
    assert isinstance(answer, Answer)
    assert answer.text.startswith("The lease runs")


def test_a_place_is_asked_of_the_sentence_that_was_just_quoted() -> None:
    text = "The lamp fair on 4 May will be at the Old Mill. The lamp fair keeps its books in Graz."
    first = ask("when is the lamp fair", [hit(text)])
    assert first.text.startswith("The lamp fair on 4 May")
    now = datetime(2026, 1, 1, tzinfo=UTC)
    history = [
        Message(0, "user", "when is the lamp fair", now),
        Message(0, "assistant", first.text, now, first),
    ]
    scored = ExtractiveAnswerer(embedder()).score("where is it", found("where is it", [hit(text)]))
    after = _after(first.text, history[0].text, "where is it held", scored)
    said = first.text.removesuffix(" [1]")
    at = next(n for n, one in enumerate(scored.candidates) if one.sentence.text == said)
    assert after[at] == scored.scores[at]
    again = _after(first.text, history[0].text, "when is it held", scored)
    assert again[at] < scored.scores[at]


RECIPE = (
    "# Olive bread\n\n## Ingredients\n\n- 300 g flour\n- salt\n\n## Instructions\n\n"
    "- Stir the yeast into the water.\n- Bake the bread for 20 minutes.\n"
)


def test_lists_below_the_heading_that_is_asked_for_are_the_answer() -> None:
    page = hit(RECIPE, title="Olive bread", headings=("Olive bread",))
    answer = ask("what ingredients do i need", [page])
    assert answer.text == "Ingredients\n\n- 300 g flour\n- salt [1]"
    assert answer.direct
    steps = ask("how do i make olive bread", [page])
    assert "1. Stir the yeast into the water.\n2. Bake the bread" in steps.text


@pytest.mark.parametrize(
    ("asked", "refused"),
    [
        ("is it vegan?", True),
        ("is it baked?", False),
        ("what makes it vegan?", False),
        ("gibt es einen pool?", True),
    ],
)
def test_yes_or_no_of_what_no_passage_speaks_of_is_refused(asked: str, refused: bool) -> None:
    page = hit(
        "Olive bread is a soft bread with olives. Olive bread is baked for 20 minutes. Dazu gibt es"
        " Salz.",
        title="Olive bread",
    )
    result = found(f"{asked} (olive bread)", [page])
    plan = replace(result.plan, question=asked, follows=True)
    *_, answer = ExtractiveAnswerer(embedder()).answer(asked, replace(result, plan=plan))
    assert isinstance(answer, Answer)
    assert (answer.abstention is not None) is refused


@pytest.mark.parametrize(
    ("asked", "refused"),
    [
        ("where is he buried?", True),
        ("when did he marry?", True),
        ("when did he die?", False),
        ("where was he raised?", False),
        ("when did it begin?", False),
        ("who was his boss?", False),
    ],
)
def test_when_and_where_of_what_no_passage_speaks_of_is_refused(asked: str, refused: bool) -> None:
    page = hit(
        "Jo Reed was born in Bangor on 26 June 1968. Jo Reed grew up in Barmouth from 1970 on."
        " Jo Reed's death came in 1999 in Bangor. The manager of Jo Reed was Ann Bell.",
        title="Jo Reed",
    )
    result = found(f"{asked} (jo reed)", [page])
    plan = replace(result.plan, question=asked, follows=True)
    *_, answer = ExtractiveAnswerer(embedder()).answer(asked, replace(result, plan=plan))
    assert isinstance(answer, Answer)
    assert (answer.abstention is not None) is refused
    word = asked.strip("?").split()[-1]
    assert (f"speaks of “{word}”" in answer.text) is refused


def test_a_list_without_an_amount_is_no_price() -> None:
    listed = hit("The lamp oil needs these settings:\n\n- level: 2.5\n- name: lamp\n- oil: yes\n")
    assert ask("how much does the lamp oil cost", [listed]).abstention is not None


def test_how_dear_something_else_is_is_no_price() -> None:
    other = hit("Keeping more boats than agreed is mostly very expensive. A lamp is bright.")
    assert ask("how much does a lamp cost", [other]).abstention is not None
    same = hit("A lamp is mostly very expensive. A lamp is bright.")
    assert ask("how much does a lamp cost", [same]).abstention is None


def test_words_that_we_add_tell_nothing_against_a_passage() -> None:
    page = hit("A crash in the town killed a 15-year-old boy who was behind the wheel of a car.")
    assert ask("how old was the driver who died in the crash", [page]).abstention is None


def test_the_unit_of_a_row_may_stand_in_the_header() -> None:
    table = hit("Standing charge by region in p/day\n\nLinz 54.69 25.61\nGraz 55.22 25.60\n")
    answer = ask("how much is the standing charge in Linz", [table])
    assert answer.abstention is None
    assert "54.69" in answer.text


def test_another_row_of_the_table_that_was_quoted_is_asked_for_by_its_name() -> None:
    table = hit(
        "Criterion of the species in the report\n\nMink 2880 1038\nEagle 1920 1818\n\n"
        "The criterion for eagles is a thing of which much is said elsewhere."
    )
    first = ask("what is the criterion for mink", [table])
    assert "2880" in first.text
    now = datetime(2026, 1, 1, tzinfo=UTC)
    history = [
        Message(0, "user", "what is the criterion for mink", now),
        Message(0, "assistant", first.text, now, first),
    ]
    result = found("what is the criterion for eagles?", [table])
    result = replace(result, plan=replace(result.plan, question="and eagles", follows=True))
    *_, answer = ExtractiveAnswerer(embedder()).answer("and eagles", result, history)
    assert isinstance(answer, Answer)
    assert "1920" in answer.text.partition("[1]")[0]


def test_the_same_question_asked_again_gets_the_same_answer() -> None:
    page = hit("The quay is green. The quay is narrow. The quay ends here. The quay has a clock.")
    question, now = "Tell me of the quay.", datetime.now(UTC)
    *_, first = ExtractiveAnswerer(embedder()).answer(question, found(question, [page]))
    assert isinstance(first, Answer)
    history = [
        Message(0, "user", question, now),
        Message(1, "assistant", first.text, now, first),
    ]

    def again(typed: str) -> str:
        result = found(typed, [page])
        result = replace(result, plan=replace(result.plan, question=typed, follows=True))
        *_, answer = ExtractiveAnswerer(embedder()).answer(typed, result, history)
        assert isinstance(answer, Answer)
        return answer.text

    assert again("tell me of the quay") == first.text
    assert again("tell me more of the quay") != first.text


def test_what_counts_of_an_answer_that_is_asked_on_from() -> None:
    page = hit(
        "Criterion of the species in the report\n\nMink 2880 1038\nEagle 1920 1818\n"
        "Feeding activities 12 14\nHunting activities 13 15\n\n"
        "It fed 12 eagles in 2019, and in 2021 it fed 30 of them. Nobody fed a mink."
    )
    scored = ExtractiveAnswerer(embedder()).score("eagles", found("eagles", [page]))
    scored = replace(scored, scores=np.zeros(len(scored.candidates), np.float32))

    def counted(said: str, typed: str, words: str) -> float:
        texts = [candidate.sentence.text for candidate in scored.candidates]
        at = next(n for n, text in enumerate(texts) if words in text)
        return float(_after(said, "what was it for mink", typed, scored)[at])

    assert counted("Mink 2880 1038", "and eagles", "Eagle 1920") == SAME_TABLE
    assert counted("Mink 2880 1038", "and eagles of the species", "Eagle 1920") == SAME_TABLE
    assert counted("Mink 2880 1038", "and eagles in 2020", "Eagle 1920") == 0
    assert counted("Feeding activities 12 14", "and hunting", "Hunting") == SAME_TABLE
    assert counted("Mink 2880 1038", "and hunting", "Hunting") == 0
    drawn = _without_bars("| Of it | 2019 |\n|---|---|\n| Mink | 2880 | 1038 |")
    assert counted(drawn, "and eagles", "Eagle 1920") == SAME_TABLE
    assert counted("Mink 2880 1038", "and hares", "Eagle 1920") == 0
    assert counted("Nobody fed a mink.", "and eagles", "Eagle 1920") == 0
    fed = "It fed 12 eagles in 2019, and in 2021 it fed 30 of them."
    assert counted(fed, "and in 2021", "It fed") == 0
    assert counted(fed, "and in 2020", "It fed") == -SAID_AND_NOT_ASKED
    assert counted(fed, "and the eagles", "It fed") == -SAID


def test_what_was_just_quoted_counts_more_where_it_has_the_measure_asked_for_now() -> None:
    said = "Cook it in an oven at 200 °C for 20 minutes."
    scored = ExtractiveAnswerer(embedder()).score("cook", found("cook", [hit(said)]))
    scored = replace(scored, scores=np.zeros(len(scored.candidates), np.float32))

    def counted(typed: str) -> float:
        return float(_after(said, "how long do i cook it", typed, scored)[0])

    assert counted("at what temperature") == SAID_AND_NOT_ASKED
    assert counted("and how long") < 0
    assert counted("and the salt") < 0


@pytest.mark.parametrize(
    ("put_whole", "with_our_words", "refused"),
    [(0.9, 0.1, False), (0.1, 0.9, False), (0.1, 0.1, True)],
)
def test_the_question_is_believed_with_or_without_the_words_that_we_add(
    monkeypatch: pytest.MonkeyPatch, *, put_whole: float, with_our_words: float, refused: bool
) -> None:
    question, asked = "who runs it", "who runs it (chief director)"
    beliefs = {question: put_whole, asked: with_our_words}
    monkeypatch.setattr(answering, "_confidence", lambda one, *_: beliefs[one])
    result = found(question, [hit("It is run by the harbour of the town.")])
    scored = ExtractiveAnswerer(embedder()).score(asked, result)
    _, answer = quoted(question, asked, result, scored, (1, 1))
    assert (answer.abstention is not None) is refused
    assert answer.confidence == max(beliefs.values())


def test_an_amount_that_the_reader_is_sure_of_is_not_refused() -> None:
    page = hit("Penalties for those who refuse are raised to £10,000 for each of them, we hear.")
    question, result = "how much is the fine", found("how much is the fine", [page])
    plain = ExtractiveAnswerer(embedder()).score(question, result)
    for score, refused in ((SURE_OF_AMOUNT, False), (SURE_OF_AMOUNT - 0.1, True)):
        reads = {plain.candidates[0]: Read(score, (0, 5))}
        _, answer = quoted(question, question, result, replace(plain, reads=reads), (1, 1))
        assert (answer.abstention is not None) is refused


def test_what_no_word_and_no_reader_finds_is_refused_in_a_conversation() -> None:
    page = hit("Olive bread is a soft bread with olives.", title="Olive bread")
    result = found("how fast does it go to market (olive bread)", [page])
    plan = replace(result.plan, question="how fast does it go to market", follows=True)
    result = replace(result, plan=plan)
    plain = ExtractiveAnswerer(embedder()).score(plan.goal, result)
    for score, refused in ((UNLIKELY - 0.1, True), (UNLIKELY, False)):
        reads = {plain.candidates[0]: Read(score, (0, 5))}
        _, answer = quoted(plan.goal, plan.goal, result, replace(plain, reads=reads), (1, 1))
        assert (answer.abstention is not None) is refused


LEASE = (
    "# Mietvertrag\n\nDie Kaution beträgt drei Monatsmieten. Die Miete ist am dritten Werktag "
    "fällig.\n\n# Kündigung\n\nDie Kündigung muss zum Ablauf des übernächsten Monats erfolgen."
)


@pytest.mark.parametrize("question", ["wie hoch ist die Kaution", "wann ist die Miete fällig"])
def test_a_document_of_one_passage_is_answered_from(question: str) -> None:
    assert ask(question, [hit(LEASE)]).abstention is None
    assert ask("wer ist der Vermieter", [hit(LEASE)]).abstention is not None


def test_who_asks_for_a_number_that_no_list_has_gets_nothing_else() -> None:
    queue = "## Waiting list\n\n1. Jo Reed\n2. Ann Bell\n\nThe waiting list has 12 people."
    assert "Ann Bell" in ask("who is number 2 on the waiting list", [hit(queue)]).text
    assert ask("who is number 8 on the waiting list", [hit(queue)]).abstention is not None
    assert "12 people" in ask("how many are on the waiting list", [hit(queue)]).text


def test_a_number_in_the_heading_above_is_the_one_asked_for() -> None:
    act = "## Section 3 Duties of the miller\n\nThe miller must keep the wheel clean."
    assert "clean" in ask("what does section 3 say", [hit(act)]).text
    assert ask("what does section 9 say", [hit(act)]).abstention is not None


def test_the_label_of_a_line_may_be_what_somebody_did() -> None:
    minutes = "Datum: 14. März\n\nProtokoll: Jannis Thiele\n\nDer Verein hat 212 Mitglieder."
    assert "Jannis Thiele" in ask("wer hat das protokoll geschrieben", [hit(minutes)]).text
    assert ask("wer hat die satzung geschrieben", [hit(minutes)]).abstention is not None


def test_what_is_put_into_another_language_insists_as_it_was_typed() -> None:
    died = found("wann wurde tesla geboren", [hit("Tesla died on 7 January 1943.")])
    died = replace(died, plan=replace(died.plan, translated="when be tesla birth"))
    *_, answer = ExtractiveAnswerer(embedder()).answer("wann wurde tesla geboren", died)
    assert isinstance(answer, Answer)
    assert answer.abstention is not None


def test_another_row_is_asked_for_after_one_that_was_quoted() -> None:
    lamps = (
        "| Lampe | Preis | Gewicht |\n|---|---|---|\n| Amber | 9 € | 2 kg |\n"
        "| Basel | 8 € | 3 kg |\n| Linz | 7 € | 4 kg |\n"
    )
    question, last = "wie schwer ist die basel", ask("was kostet die amber", [hit(lamps)])
    assert "Amber" in last.text
    now = datetime.now(UTC)
    history = [
        Message(0, "user", "was kostet die amber", now),
        Message(0, "assistant", last.text, now, last),
    ]
    result = found(question, [hit(lamps)])
    result = replace(result, plan=replace(result.plan, follows=True))
    *_, answer = ExtractiveAnswerer(embedder()).answer(question, result, history)
    assert "3 kg" in answer.text
