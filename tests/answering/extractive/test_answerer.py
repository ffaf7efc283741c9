"""Extractive answers: word for word, cited, readable."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.extractive import answerer as answering
from core.answering.extractive.answerer import ExtractiveAnswerer, quoted
from core.answering.extractive.sentences.candidates import find_candidates
from core.citations.mark import plain_words
from core.planning.follow_ups.people import NOBODY_MEANT
from core.types import Answer, ChunkKind, Notice
from tests.support.hits import embedder, found, hit
from tests.support.quoting import TESLA, ask, both


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


def test_without_the_wanted_date_it_is_only_near() -> None:
    asked, result = "When does Tesla feed pigeons?", found("x", [hit(TESLA)])
    scored = ExtractiveAnswerer(embedder()).score(asked, result)
    scored = replace(scored, scores=scored.scores + 30 * (scored.scores == scored.scores.max()))
    _, near = quoted(asked, asked, result, scored, (1, 1))
    best = scored.candidates[int(scored.scores.argmax())].sentence.text
    assert near.direct is any(ch.isdigit() for ch in best)


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


def test_words_that_we_add_tell_nothing_against_a_passage() -> None:
    page = hit("A crash in the town killed a 15-year-old boy who was behind the wheel of a car.")
    assert ask("how old was the driver who died in the crash", [page]).abstention is None


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


def test_what_writes_a_short_form_out_is_found_behind_what_only_uses_it() -> None:
    asked = "what is a nmu"
    using = [hit("Before an NMU, think. After an NMU, wait.", document="d1")]
    others = [
        hit(f"Think before the NMU of {year}.", document=f"d{year}", ordinal=year)
        for year in range(9)
    ]
    told = hit(
        "Others may upload it. Such uploads are called Non-Maintainer Uploads (NMU).",
        document="told", label="uploads.md", ordinal=99,
    )  # fmt: skip
    result = replace(found(asked, using), dropped=(*others, told))
    (*_, answer) = ExtractiveAnswerer(embedder()).answer(asked, result)
    assert isinstance(answer, Answer)
    assert answer.text.startswith("Others may upload it. [1] Such uploads are called")


def test_a_row_called_just_what_is_asked_of_its_document_is_found_behind_its_prose() -> None:
    asked = "what was the revenue of lamp works in 2010?"
    prose = hit("Lamp Works books revenue of lamps in 2010 when they are lit.", document="d1")
    others = [
        hit(f"Revenue of lamps is booked in 2010 by rule {n}.", document="d1", ordinal=n)
        for n in range(5, 20)
    ]
    table = hit(
        "Figures of the firm\n2010 2009\nRents 12 14\nTotal sales 1,200 1,100\nCosts 90 80",
        document="d1", ordinal=99, label="lampworks.pdf",
    )  # fmt: skip
    result = replace(found(asked, [prose]), dropped=(*others, table))
    (*_, answer) = ExtractiveAnswerer(embedder()).answer(asked, result)
    assert isinstance(answer, Answer)
    assert "1,200" in answer.text[answer.claims[0].start : answer.claims[-1].end]
    assert "Rents" not in answer.text


def test_an_everyday_word_counts_as_the_word_of_documents_that_is_there() -> None:
    page = hit("Who is terminated hands back keys, badge and laptop on the last day.")
    assert ask("what about somebody who is fired", [page]).abstention is None
    assert ask("what about somebody who is married", [page]).abstention is not None


def test_what_is_asked_of_nobody_is_refused() -> None:
    result = found("When did Tesla die?", [hit(TESLA, label="tesla.pdf")])
    notice = Notice(NOBODY_MEANT, "Nobody.", "", "info")
    answers = []
    for notices in ((), (notice,)):
        asked = replace(result, plan=replace(result.plan, notices=notices))
        answers += list(ExtractiveAnswerer(embedder()).answer("When did Tesla die?", asked))[-1:]
    assert [bool(one.abstention) for one in answers if isinstance(one, Answer)] == [False, True]
