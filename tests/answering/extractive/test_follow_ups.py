"""Questions that lean on the last answer: what it quoted is not told again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
import pytest

from core.answering.extractive.answerer import ExtractiveAnswerer
from core.answering.extractive.follow_ups import (
    SAID,
    SAID_AND_NOT_ASKED,
    SAME_DOCUMENT,
    SAME_TABLE,
    asked_on,
    scores_after,
    without_bars,
)
from core.answering.extractive.scored import Scored
from core.answering.extractive.sentences.reading import Read
from core.types import Abstention, Answer, Message
from tests.support.hits import embedder, found, hit
from tests.support.quoting import ask, both

NOW = datetime(2026, 1, 1, tzinfo=UTC)
NOTHING = Abstention("nothing", 1, 1)


def conversation(question: str, said: str) -> list[Message]:
    return [
        Message(0, "user", question, NOW),
        Message(0, "assistant", said, NOW, Answer(question, said)),
    ]


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
    after = scores_after(first.text, history[0].text, "where is it held", scored)
    said = first.text.removesuffix(" [1]")
    at = next(n for n, one in enumerate(scored.candidates) if one.sentence.text == said)
    assert after[at] == scored.scores[at]
    again = scores_after(first.text, history[0].text, "when is it held", scored)
    assert again[at] < scored.scores[at]


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
        return float(scores_after(said, "what was it for mink", typed, scored)[at])

    assert counted("Mink 2880 1038", "and eagles", "Eagle 1920") == SAME_TABLE
    assert counted("Mink 2880 1038", "and eagles of the species", "Eagle 1920") == SAME_TABLE
    assert counted("Mink 2880 1038", "and eagles in 2020", "Eagle 1920") == 0
    assert counted("Feeding activities 12 14", "and hunting", "Hunting") == SAME_TABLE
    assert counted("Mink 2880 1038", "and hunting", "Hunting") == 0
    drawn = without_bars("| Of it | 2019 |\n|---|---|\n| Mink | 2880 | 1038 |")
    assert counted(drawn, "and eagles", "Eagle 1920") == SAME_TABLE
    assert counted("Mink 2880 1038", "and hares", "Eagle 1920") == 0
    assert counted("Nobody fed a mink.", "and eagles", "Eagle 1920") == 0
    fed = "It fed 12 eagles in 2019, and in 2021 it fed 30 of them."
    assert counted(fed, "and in 2021", "It fed") == 0
    assert counted(fed, "and in 2020", "It fed") == -SAID_AND_NOT_ASKED
    assert counted(fed, "and the eagles", "It fed") == -SAID
    assert counted(f"A hare came. {fed}", "and in 2020", "It fed") == -SAID  # was only added


def test_what_was_just_quoted_counts_more_where_it_has_the_measure_asked_for_now() -> None:
    said = "Cook it in an oven at 200 °C for 20 minutes."
    scored = ExtractiveAnswerer(embedder()).score("cook", found("cook", [hit(said)]))
    scored = replace(scored, scores=np.zeros(len(scored.candidates), np.float32))

    def counted(typed: str) -> float:
        return float(scores_after(said, "how long do i cook it", typed, scored)[0])

    assert counted("at what temperature") == SAID_AND_NOT_ASKED
    assert counted("and how long") < 0
    assert counted("and the salt") < 0


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


def test_what_was_paid_may_stand_in_what_was_just_quoted() -> None:
    text = (
        "Acme bought the mill in August 2017 for $13.7 million. Prices of the mill totaled $726 "
        "million. The mill is priced low."
    )
    first = ask("when did Acme buy the mill", [hit(text)])
    now = datetime.now(UTC)
    history = [
        Message(0, "user", "when did Acme buy the mill", now),
        Message(1, "assistant", first.text, now, first),
    ]
    result = found("what did they pay (acme mill)", [hit(text)])
    plan = replace(result.plan, question="what did they pay", follows=True)
    result = replace(result, plan=plan)
    *_, answer = ExtractiveAnswerer(embedder()).answer("what did they pay", result, history)
    assert isinstance(answer, Answer)
    assert answer.text.startswith("Acme bought the mill")


def read_as(page: str, typed: str, scores: dict[str, float]) -> Scored:
    """What is scored for a question, nothing of it, where a reader reads sentences so."""
    scored = ExtractiveAnswerer(embedder()).score(typed, found(typed, [hit(page)]))
    reads = {
        one: Read(score, (0, 1))
        for one in scored.candidates
        for opening, score in scores.items()
        if one.sentence.text.startswith(opening)
    }
    return replace(scored, scores=np.zeros(len(scored.candidates), np.float32), reads=reads)


def score_of(opening: str, scored: Scored) -> float:
    texts = [one.sentence.text for one in scored.candidates]
    return float(scored.scores[next(n for n, t in enumerate(texts) if t.startswith(opening))])


def test_what_was_quoted_yields_to_what_the_reader_reads_far_rather() -> None:
    first = "The terns of the lagoon are at risk from the mill."
    page = f"{first} The mill is no threat to the terns."
    history = [
        *conversation("which terns are there", first),
        Message(0, "user", "who owns it", NOW),
        Message(0, "assistant", "Nothing.", NOW, Answer("", "Nothing.", abstention=NOTHING)),
    ]  # what was refused between says nothing
    for read, lost in ((6.0, SAID_AND_NOT_ASKED), (2.5, SAID)):
        scored = read_as(page, "are they at risk", {"The terns": 2.0, "The mill": read})
        after = asked_on("are they at risk", history, scored)
        assert score_of("The terns", after) == -lost
        assert score_of("The mill", after) == 0


def test_what_came_of_what_was_quoted_is_told_right_behind_it() -> None:
    first = "Bell said that he would pay Reed well."
    page = f"{first} Reed did it. Bell only laughed at Reed."
    history = conversation("what did Bell say", first)
    for read, lost, added in ((-1.0, SAID_AND_NOT_ASKED, SAID), (0.5, SAID, 0.0)):
        reads = {"Bell said": read, "Reed did": -3.0, "Bell only": 0.6}
        scored = read_as(page, "and did he pay?", reads)
        after = asked_on("and did he pay?", history, scored)
        assert score_of("Bell said", after) == -lost
        assert score_of("Bell only", after) == added
        assert score_of("Reed did", after) == 0
    typed, reads = "who did he pay?", {"Bell said": -1.0, "Bell only": 0.6}
    assert score_of("Bell said", asked_on(typed, history, read_as(page, typed, reads))) == -SAID


def test_what_was_quoted_is_known_by_its_words_and_not_by_its_markdown() -> None:
    text = "A lamp costs $5 in Graz."
    scored = ExtractiveAnswerer(embedder()).score("lamp", found("lamp", [hit(text)]))
    scored = replace(scored, scores=np.zeros(len(scored.candidates), np.float32))
    said = "A lamp costs \\$5 in Graz."
    after = scores_after(said, "what does a lamp cost", "who makes it", scored)
    assert float(after[0]) == -SAID_AND_NOT_ASKED


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("what about the cinema", "The cinema will shut."),
        ("and the gallery", "It shows lamps."),
        ("and the library", "A pub has seats."),
        ("and in the cinema", "A pub has seats."),
    ],
)
def test_the_one_thing_that_was_typed_is_spoken_of(typed: str, words: str) -> None:
    page = hit("A pub has seats. The cinema will shut.\n\n## The gallery\n\nIt shows lamps.")
    first = ask("does a pub have seats", [page])
    assert first.text.startswith("A pub has seats.")
    now = datetime.now(UTC)
    history = [
        Message(0, "user", "does a pub have seats", now),
        Message(
            1, "assistant", "The quay is green.", now, replace(first, text="The quay is green.")
        ),
    ]
    scored = ExtractiveAnswerer(embedder()).score("pub seats", found("pub seats", [page]))
    worth = {"A pub has seats.": 1.0, "It shows lamps.": 0.5}
    lead = [worth.get(one.sentence.text, 0.0) for one in scored.candidates]
    scored = replace(scored, scores=np.array(lead, np.float32))
    after = asked_on(typed, history, scored)
    best = max(zip(after.scores.tolist(), after.candidates, strict=True), key=lambda one: one[0])[1]
    assert best.sentence.text == words


def test_another_year_may_be_another_column_of_the_row_that_was_just_quoted() -> None:
    text = "Share by year\n\nBlue 7.0 6.2\nRed 5.8 5.4\n\n2011 9.1 3.3\n\nGreen grew in 1997."
    scored = ExtractiveAnswerer(embedder()).score("share of blue", found("share", [hit(text)]))
    rows = [one.sentence.text for one in scored.candidates]
    for row, told in (("Blue 7.0 6.2", True), ("2011 9.1 3.3", False)):
        after = scores_after(f"{row} [1]", "share of blue in 1996", "and in 1997?", scored)
        at = rows.index(row)
        assert bool(after[at] == scored.scores[at]) is told


def test_it_is_told_of_in_the_document_that_was_cited_last() -> None:
    result = found("who built it", both())
    scored = ExtractiveAnswerer(embedder()).score("who built it", result)
    last = ask("When did Tesla move to New York?", both()[:1])
    history = [Message(0, "user", "when?", NOW), Message(0, "assistant", last.text, NOW, last)]
    for typed, more in (("who built it", SAME_DOCUMENT), ("who built Rome", 0.0)):
        after = asked_on(typed, history, scored)
        of_it = {
            scored.hits[one.hit].document.id: float(after.scores[at] - scored.scores[at])
            for at, one in enumerate(scored.candidates)
            if one.sentence.text not in last.text
        }
        assert of_it[last.citations[0].document_id] == pytest.approx(more, abs=1e-4)
        assert min(of_it.values()) == pytest.approx(0.0, abs=1e-4)
