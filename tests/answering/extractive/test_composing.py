"""Quotes as Markdown, with their citations and the words set off."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from markdown_it import MarkdownIt

from core.answering.extractive.answerer import ExtractiveAnswerer, quoted
from core.answering.extractive.sentences.reading import Read
from tests.support.hits import embedder, found, hit
from tests.support.quoting import ask, both


def test_two_questions_in_one_get_a_sentence_each_and_one_number_for_one_passage() -> None:
    answer = ask("When was Tesla born and when did he move to New York?", both()[:1])
    said = [answer.text[c.start : c.end] for c in answer.claims]
    assert said == [
        "He was born in Smiljan in 1856.", "Tesla moved to New York in 1884 and worked for Edison.",
    ]  # fmt: skip
    (citation,) = answer.citations
    assert citation.start >= 100
    assert citation.spans == tuple(sorted(citation.spans))


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


def test_the_cell_asked_for_is_marked_in_its_table() -> None:
    text = "The crews of Velmark\n\nYear | Ships | Sailors\n2010 | 12 | 34\n2011 | 13 | 35\n"
    answer = ask("How many sailors were in the Velmark crews in 2011?", [hit(text)])
    assert "| Year | Ships | Sailors |\n| --- | --- | --- |\n| 2011 | 13 | 35 [1] |" in answer.text
    assert [answer.text[start:end] for start, end in answer.highlights] == ["35"]


def test_the_field_that_is_asked_for_is_quoted_with_what_it_is_about() -> None:
    rows = (
        "name | ip | serial | room | bought\n"
        "name: Laser 402 | ip: 10.0.3.17 | serial: CNB2016F | room: 2.14 | bought: 2019-05-02\n"
        "name: Ink 7 | ip: 10.0.3.22 | serial: E782003991 | room: 3.02 | bought: 2021-11-15"
    )
    answer = ask("when was the laser 402 bought", [hit(rows)])
    assert answer.text == "name: Laser 402  \nbought: 2019-05-02 [1]"
    assert [answer.text[start:end] for start, end in answer.highlights] == ["2019-05-02"]


def test_short_settings_are_quoted() -> None:
    answer = ask("which currency", [hit("shop: Cafe Linde\ncurrency: EUR\nlanguage: de")])
    assert answer.text == "currency: EUR [1]"
    assert [answer.text[start:end] for start, end in answer.highlights] == ["EUR"]


def test_the_cell_below_a_column_that_is_called_otherwise_is_marked() -> None:
    table = "| Team | Apps | Gls |\n|---|---|---|\n| Norwich | 163 | 58 |\n| Derby | 40 | 7 |"
    answer = ask("how many goals for Derby", [hit(table)])
    assert [answer.text[start:end] for start, end in answer.highlights] == ["7"]


def test_the_label_that_is_bold_in_markdown_is_bold_and_its_value_is_marked() -> None:
    text = "**Chair:** Jo Reed\n\n**Next meeting:** Tuesday 9 July 2024, 18:30, same place.\n"
    answer = ask("when is the next meeting", [hit(text)])
    assert answer.text.startswith("**Next meeting:** Tuesday")
    assert [answer.text[a:b] for a, b in answer.highlights] == ["9 July 2024"]
    answer = ask("who was the chair", [hit(text)])
    assert answer.text.startswith("**Chair:** Jo Reed")
    assert [answer.text[a:b] for a, b in answer.highlights] == ["Jo Reed"]


def test_a_range_is_set_off_whole() -> None:
    answer = ask("How long does the vine bloom?", [hit("The vine blooms between 3 and 5 weeks.")])
    assert [answer.text[a:b] for a, b in answer.highlights] == ["between 3 and 5 weeks"]
