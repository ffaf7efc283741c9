"""Best first, only as many as needed, and a sentence for each question in one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.answering.extractive.question.kinds import questions_of
from core.answering.extractive.sentences.candidates import find_candidates
from core.answering.extractive.sentences.choosing import choose
from core.answering.extractive.sentences.further import (
    BESIDE,
    BESIDE_BY_FORM,
    ELSEWHERE_MARGIN,
    LEAST_CHANCE,
    LONGEST_FURTHER,
    NEXT_MARGIN,
    READ_MARGIN,
    SURE_CHANCE,
    UNREAD,
)
from core.answering.extractive.sentences.opening.best import (
    MUCH_WORSE,
    NAME_MARGIN,
    PLACE_MARGIN,
    READ_ENOUGH,
    READ_WORSE,
    TYPE_MARGIN,
    VERB_MARGIN,
)
from core.answering.extractive.sentences.opening.findings import AIM_MARGIN
from core.answering.extractive.sentences.opening.showing import LIST_MARGIN
from core.answering.extractive.sentences.reading import SURE, Read
from tests.support.choosing import TEXT, chosen
from tests.support.hits import hit

BUILT, WORK, OPENED, BOATS = range(4)


def test_the_best_comes_first_whatever_its_place_on_the_page() -> None:
    said = chosen("Tell me of the bridge", [-9.0, 5.0, 4.0, -9.0])
    assert [text[:4] for text in said] == ["Work", "The "]


def test_what_is_clearly_worse_is_not_quoted() -> None:
    assert len(chosen("Tell me of boats", [0.0, 0.0, 0.0, 7.0])) == 1


def test_a_longer_sentence_needs_a_better_chance() -> None:
    few = "The quay is green. The quay has a clock. "
    many = few + "Boats pass under it at noon" + ", and at one" * 20 + "."
    short = few + "Boats pass under it at noon."
    behind = 9.0 + math.log(LEAST_CHANCE * BESIDE * 1.5)
    assert len(chosen("Tell me of the quay", [9.0, 0.0, behind], short)) == 2
    assert len(chosen("Tell me of the quay", [9.0, 0.0, behind], many)) == 1
    shortest = 9.0 + math.log(LEAST_CHANCE * BESIDE / 3)  # a few words may say nothing
    assert len(chosen("Tell me of the quay", [9.0, 0.0, shortest], short)) == 1


def test_what_says_yes_or_no_stands_alone() -> None:
    text = "The bridge is not safe. The rail of it is loose."
    behind = 9.0 + math.log(SURE_CHANCE / 2)
    assert len(chosen("Is it safe for boats?", [9.0, behind], text)) == 1
    assert len(chosen("Tell me of the boats", [9.0, behind], text)) == 2


def test_where_no_reader_says_which_is_best_more_is_quoted() -> None:
    behind = 9.0 + math.log(LEAST_CHANCE * (BESIDE + UNREAD) / 4)
    assert len(chosen("Tell me of the bridge", [0.0, 9.0, behind, 0.0])) == 1
    assert len(chosen("Tell me of the bridge", [0.0, 9.0, behind, 0.0], read=False)) == 2
    sure = "Who built the bridge?"
    assert len(chosen(sure, [9.0, 8.0, 0.0, 0.0], read=False)) == 1


def test_a_sentence_of_the_same_passage_needs_less_of_a_chance() -> None:
    hits = [hit("The quay is green. Boats pass."), hit("The quay is long.", document="d2")]
    candidates = find_candidates(hits)

    def said(question: str, beside: float, other: float) -> list[str]:
        scores = np.array([9.0, 9.0 + math.log(beside), 9.0 + math.log(other)], dtype=np.float32)
        reads = {one: Read(-NEXT_MARGIN - 0.1, (0, 1)) for one in candidates}
        reads[candidates[0]] = Read(0.0, (0, 1))
        found = choose(question, candidates, scores, hits, reads)
        return [one.sentence.text.split()[-1] for one in found[1:]]

    few = LEAST_CHANCE * (1 + BESIDE) / 4  # of half the usual words, as are these
    assert said("Tell me of the quay", few, few) == ["pass."]
    assert said("Tell me of the quay", few, 2 * few) == ["long.", "pass."]
    assert said("Is the quay green?", few, few) == []


def test_what_only_has_the_form_of_an_answer_may_be_another_s() -> None:
    text = "The quay was built in 1901. The works of it cost 40 pounds. It was rebuilt in 1950."
    behind = SURE_CHANCE * (1 + BESIDE_BY_FORM) / 2
    scores = [9.0, 0.0, 9.0 + math.log(behind / (1 - behind))]
    assert len(chosen("When was the quay built?", scores, text)) == 2
    priced = text.replace("was rebuilt in 1950", "cost 50 pounds more")
    scores = [0.0, 9.0, 9.0 + math.log(behind / (1 - behind))]
    assert len(chosen("How much did the works cost?", scores, priced)) == 1


def test_of_many_sentences_that_are_as_good_none_is_likely_to_be_the_answer() -> None:
    few = "The quay is green. The quay is narrow. The quay ends here. The quay has a clock."
    many = few + "".join(f" The quay has number {n}." for n in range(20, 80))
    assert len(chosen("Tell me of the quay", [9.0, 8.0, 8.0, 8.0], few)) > 1
    assert len(chosen("Tell me of the quay", [9.0] + [8.0] * 63, many)) == 1
    assert len(chosen("List all the quays", [9.0] + [8.0] * 63, many)) > 1


def test_asked_for_a_date_a_sentence_without_one_does_not_open() -> None:
    said = chosen("When did the Velmark bridge open?", [0.0, 9.0, 9.0 - TYPE_MARGIN / 2, 0.0])
    assert said[0].endswith("3 May 1874.")


def test_asked_for_a_person_a_sentence_without_a_name_does_not_open() -> None:
    said = chosen("Who built the Velmark bridge?", [9.0 - TYPE_MARGIN / 2, 9.0, 0.0, 0.0])
    assert said[0].endswith("Ada Reed.")


def test_what_the_reader_finds_in_the_best_is_not_passed_over_for_its_form() -> None:
    hits = [hit("Linz also holds a fair of boats. A fair was held by Ada Reed. Boats pass.")]
    candidates = find_candidates(hits)
    scores = np.array([9.0, 9.0 - TYPE_MARGIN / 2, 0.0], dtype=np.float32)

    def opens(best: float, other: float) -> str:
        reads = {candidates[0]: Read(best, (0, 4)), candidates[1]: Read(other, (19, 27))}
        return choose("Who holds a fair of boats?", candidates, scores, hits, reads)[
            0
        ].sentence.text

    assert opens(READ_ENOUGH, READ_ENOUGH - READ_WORSE - 0.1).startswith("Linz")
    assert opens(READ_ENOUGH, READ_ENOUGH - READ_WORSE).endswith("Reed.")
    assert opens(READ_ENOUGH - 0.1, -9.0).endswith("Reed.")
    assert opens(SURE, SURE - MUCH_WORSE - 0.1).startswith("Linz")
    assert opens(SURE, SURE - MUCH_WORSE).endswith("Reed.")
    assert opens(SURE + 9.0, SURE + 5.0).endswith("Reed.")


def test_what_defines_opens_whatever_is_read() -> None:
    hits = [hit("Linz also holds a fair. A fair is a market of boats. Boats pass.")]
    candidates = find_candidates(hits)
    reads = {candidates[0]: Read(SURE + 5, (0, 4)), candidates[1]: Read(-9.0, (0, 6))}
    scores = np.array([9.0, 8.0, 0.0], dtype=np.float32)
    best = choose("What is a fair?", candidates, scores, hits, reads)[0]
    assert best.sentence.text.startswith("A fair is")


def test_how_many_live_there_is_not_how_many_are_trained() -> None:
    text = "The guild of Velmark trains 900 people. Velmark has 4,120 inhabitants."
    for question, opens in (
        ("how many people live in Velmark", "Velmark"),
        ("how many people does it train in Velmark", "The"),
    ):
        assert chosen(question, [9.0, 8.0], text)[0].split()[0] == opens


def test_what_names_those_beside_the_one_asked_for_does_not_open() -> None:
    text = "Boats cross it by sail. Besides Sail, the Hook is a way across. Boats pass."
    scores = [9.0, 9.0 - NAME_MARGIN / 2, 0.0]
    assert chosen("which way do boats cross", scores, text)[0].startswith("Boats")
    said = chosen("which way do boats cross", scores, text.replace("Besides", "By"))
    assert said[0].startswith("By Sail")


def test_what_leads_to_nothing_opens_where_the_answer_is_read_in_it() -> None:
    hits = [hit("Rafts are old. We measure the width of a raft by a knotted rope:")]
    candidates = find_candidates(hits)
    scores = np.array([8.0, 9.0], dtype=np.float32)

    def opens(score: float) -> str:
        reads = {candidates[0]: Read(-3.0, (0, 4)), candidates[1]: Read(score, (35, 48))}
        quoted = choose("how is the width of a raft measured", candidates, scores, hits, reads)
        return quoted[0].sentence.text.split()[0]

    assert opens(SURE) == "We"
    assert opens(SURE - 0.1) == "Rafts"


def test_the_sentence_behind_follows_where_it_reads_as_well() -> None:
    text = "The road is a highway. It runs from Graz to Linz. Roads are long. Boats pass."
    hits = [hit(text)]
    candidates = find_candidates(hits)
    scores = np.array([9.0, 0.0, 0.0, 0.0], dtype=np.float32)

    def said(question: str, behind: float, other: float) -> list[str]:
        logits = [0.0, behind, other, -20.0]
        reads = {one: Read(at, (0, 1)) for one, at in zip(candidates, logits, strict=True)}
        found = choose(question, candidates, scores, hits, reads)
        return [one.sentence.text.split()[0] for one in found]

    far = -NEXT_MARGIN - 0.1
    assert said("where does the highway road start", 0.1 - NEXT_MARGIN, 5.0) == ["The", "It"]
    assert said("where does the highway road start", far, 5.0) == ["The"]
    assert said("what is the road", 0.0, 0.0) == ["The"]
    assert said("does the highway start with a road", 0.0, 0.0) == ["The"]


def test_who_holds_an_office_now_is_told_by_the_latest_year() -> None:
    text = (
        "In 2000, Jo Reed as CEO of Holm hired Ada Finn. Ada Finn became the CEO of Holm in 2014. "
        "Boats pass."
    )
    near, far = 9.0 - VERB_MARGIN + 0.1, 9.0 - VERB_MARGIN - 0.1
    assert chosen("who is the ceo of holm", [9.0, near, 0.0], text)[0].startswith("Ada")
    assert chosen("who is holms ceo", [9.0, near, 0.0], text)[0].startswith("Ada")
    assert chosen("who is the ceo of holm", [9.0, far, 0.0], text)[0].startswith("In 2000")
    assert chosen("who was the ceo of holm", [9.0, near, 0.0], text)[0].startswith("In 2000")


def test_what_is_not_done_is_told_by_a_not() -> None:
    text = "The panel writes reports on boats. The panel does not build boats. Boats pass."
    near = 9.0 - TYPE_MARGIN / 2
    assert "not" in chosen("What does the panel not do?", [9.0, near, 0.0], text)[0]
    assert "not" not in chosen("What does the panel do?", [9.0, near, 0.0], text)[0]
    less = text.replace("The panel does not build boats", "Those do not sail")
    assert "not" not in chosen("What does the panel not do?", [9.0, near, 0.0], less)[0]


def test_whom_she_is_opens_what_tells_who() -> None:
    text = "Ida Holm was a pilot. Boats pass. Ida Holm was young. She was the first in space."
    said = chosen("Who was the first in space?", [0.0, 0.0, 0.0, 9.0], text)
    assert said == ["Ida Holm was young.", "She was the first in space."]
    said = chosen("Who was the first in space?", [0.0, 0.0, 8.9, 9.0], text)
    assert said == ["Ida Holm was young.", "She was the first in space."]


def test_asked_which_one_a_sentence_with_a_name_opens() -> None:
    text = "The engine of the ferry is loud. The ferry runs on a Bolinder. The quay is green."
    near, far = 9.0 - NAME_MARGIN + 0.1, 9.0 - NAME_MARGIN - 0.1
    assert "Bolinder" in chosen("Which engine does the ferry have?", [9.0, near, 0.0], text)[0]
    assert "loud" in chosen("Which engine does the ferry have?", [9.0, far, 0.0], text)[0]
    assert "loud" in chosen("Which can be the engine of the ferry?", [9.0, near, 0.0], text)[0]
    assert "loud" in chosen("Which engine has the Bolinder?", [9.0, near, 0.0], text)[0]


def test_asked_what_something_is_the_sentence_that_says_so_opens() -> None:
    text = (
        "Three of five lenses are clean, so lens purity is 3 / 5 = 0.600. "
        "Lens purity is the share of lenses without a scratch."
    )
    near = 9.0 - TYPE_MARGIN / 2
    assert chosen("What is lens purity?", [9.0, near], text)[0].endswith("without a scratch.")
    assert chosen("How pure are five lenses?", [9.0, near], text)[0].startswith("Three of five")


def test_what_begins_with_some_of_them_says_not_what_it_is() -> None:
    text = "Those pilots are called masters. Pilots are sailors who know the port. Boats wait."
    assert "sailors" in chosen("What does a pilot do?", [9.0, 8.5, 0.0], text)[0]


def test_each_question_in_one_gets_its_sentence() -> None:
    said = chosen("Who built the Velmark bridge and when did it open?", [9.0, 8.0, 7.0, 0.0])
    assert [text.split()[-1] for text in said] == ["Reed.", "1874."]


def test_nothing_to_choose_from() -> None:
    assert choose("What?", [], np.zeros(0, dtype=np.float32), []) == []


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Who founded Telenet and when did it go public?", 2),
        ("What is bread and butter?", 1),
        ("Was ist die Epoche und wann beginnt sie?", 2),
        ("When was it and where?", 1),
        ("Wie hoch ist die Miete und ab wann steigt sie?", 2),
    ],
)
def test_questions_in_one(question: str, parts: int) -> None:
    assert len(questions_of(question)) == parts


def test_a_caption_behind_its_number_is_not_quoted() -> None:
    text = "Table 2. Limits on a single file and on a session. A file may have 200 MB."
    said = chosen("What limits are on a file?", [0.0, 9.0, 5.0], text)
    assert said[0] == "A file may have 200 MB."


def test_half_sentences_labels_and_long_ones_do_not_follow_the_best() -> None:
    long = "and so on " * LONGEST_FURTHER
    text = (
        "The Velmark bridge is green. The Velmark bridge in the fog and\n\n"
        f"The Velmark bridge has arches {long.strip()}. The Velmark bridge is narrow."
    )
    said = chosen("Tell me of the Velmark bridge", [9.0, 8.9, 8.8, 8.7], text)
    assert said == ["The Velmark bridge is green.", "The Velmark bridge is narrow."]


def test_a_definition_needs_nothing_more() -> None:
    text = "A quay is a wall where ships lie. The quay is old. The quay is long."
    assert chosen("What is a quay?", [9.0, 8.0, 7.9], text) == ["A quay is a wall where ships lie."]
    assert len(chosen("What is a quay like?", [9.0, 8.0, 7.9], text)) > 1


def test_a_title_in_the_words_of_the_question_is_no_answer_and_a_denial_is() -> None:
    text = "Lantern of the Velmark bridge. It has no lantern. The pier has lamps."
    assert chosen("lantern of the Velmark bridge", [9.0, 5.0, 0.0], text) == ["It has no lantern."]


@pytest.mark.parametrize(
    "wish", ["I want to read a table row by row.", "Hi, I'm trying to read a row of a table."]
)
def test_who_asks_the_same_does_not_answer(wish: str) -> None:
    question = "how do i read a table row by row"
    assert chosen(question, [9.0, 1.0], f"{wish} Open it and loop over it.")[0].startswith("Open")
    assert chosen("what do you want", [9.0, 1.0], f"{wish} Open it.")[0] == wish


def test_what_a_short_form_stands_for_opens() -> None:
    text = (
        "The LOR burns at dusk. We light the Lamp Oil Register (LOR) in June. "
        "The LOR is a book of lamps."
    )
    stands = chosen("what does LOR stand for?", [5.0, 4.0, 5.0], text)
    assert stands == ["We light the Lamp Oil Register (LOR) in June."]
    assert chosen("what is lor?", [5.0, 4.0, 4.5], text)[0] == "The LOR is a book of lamps."
    without = text.replace("The LOR is a book of lamps.", "Boats pass by.")
    assert chosen("what is lor?", [5.0, 4.0, 0.0], without)[0].startswith("We light")


def test_a_row_of_figures_is_quoted_where_its_label_is_asked_for() -> None:
    row = "Pennsylvania 663 70 733 22.5 % 673 77 750 21.6 %"
    text = f"Customers of each state (in thousands)\n{row}\n\nThe company serves customers."
    scores = [0.0, 9.0, 5.0]
    assert chosen("how many customers has Pennsylvania", scores, text)[0] == row
    assert row not in chosen("what is Pennsylvania", scores, text)
    assert row not in chosen("how many customers has Ohio", scores, text)


def test_below_the_row_that_is_asked_for_nothing_is_quoted() -> None:
    row = "Pennsylvania 663 70 733 22.5 % 673 77 750 21.6 %"
    text = f"Revenue by state\n{row}\n\nThe company serves customers in Pennsylvania."
    assert chosen("how many customers has Pennsylvania", [0.0, 9.0, 8.9], text) == [row]


def test_a_list_that_stands_in_one_sentence_needs_no_other() -> None:
    text = "The gates are North, South, and West. The gates are old. The gates are of oak."
    scores = [9.0, 8.5, 8.5]
    assert len(chosen("list all the gates", scores, text)) == 1
    clauses = "old, as who came by night was asked to say, and kept"
    assert len(chosen("list all the gates", scores, text.replace("West", clauses))) == 1
    without = text.replace("North, South, and West", clauses)
    assert len(chosen("list all the gates", scores, without)) > 1
    apart = text.replace("North, South, and West", "many")
    assert len(chosen("list all the gates", scores, apart)) == 3


def test_what_names_other_years_is_no_answer_for_the_year_asked() -> None:
    text = (
        "In 2019 the quay made a loss. The quay made 40 crowns in 2017. "
        "From 2015 to 2018 the quay made a gain."
    )
    said = chosen("what did the quay make in 2017?", [9.0, 8.5, 8.4], text)
    assert [one[:4] for one in said] == ["The ", "From"]
    after = chosen("what did the quay make after 2017?", [9.0, 8.5, 8.4], text)
    assert after[0].startswith("In 2019")
    german = chosen("was brachte der quay im Jahr 2017?", [9.0, 8.5, 8.4], text)
    assert german[0].startswith("The quay made 40")
    only = chosen("what did the quay make in 1950?", [9.0, 8.5, 8.4], text)
    assert only[0].startswith("In 2019")


def test_many_words_without_an_end_do_not_open_where_a_sentence_can() -> None:
    long = "lamps and " * (LONGEST_FURTHER // 2 + 1)
    text = f"The quay sells lamps.\n\nThe quay sells {long.strip()}\n\nBoats pass by."
    assert chosen("what does the quay sell", [8.0, 9.0, 0.0], text)[0] == "The quay sells lamps."
    ended = text.replace("lamps and\n\n", "lamps.\n\n")
    said = chosen("what does the quay sell", [8.0, 9.0, 0.0], ended)
    assert said[0].startswith("The quay sells lamps and")


def test_what_leads_in_is_no_answer_where_its_passage_ends() -> None:
    question = "outlook for the harbour"
    text = "The harbour expects fewer ships next year. The outlook for the harbour in 2024:"
    assert chosen(question, [1.0, 9.0], text)[0].startswith("The harbour expects")
    whole = text + "\n- Fewer ships\n- More boats"
    assert chosen(question, [1.0, 9.0, 0.0, 0.0], whole)[0].startswith("The outlook")


READER = (
    "The module reads and writes tables.\n\nlamps.read(file)\n\nReturn an object that reads rows."
)


def test_how_do_i_opens_with_what_stands_below_a_function() -> None:
    scores = [9.0, 0.0, 9.0 - TYPE_MARGIN / 2]
    assert chosen("how do i read a table", scores, READER)[0].startswith("Return")
    assert chosen("what reads a table", scores, READER)[0].startswith("The module")


def test_a_list_that_is_asked_for_opens() -> None:
    text = "Many boats come here. These boats may enter:\n\n- ferries\n- yachts\n"
    scores = [9.0, 9.0 - LIST_MARGIN / 2, 0.0, 0.0]
    assert chosen("list the boats", scores, text)[0].startswith("These")
    assert chosen("do boats come", scores, text)[0].startswith("Many")


def test_a_title_does_not_stand_behind_a_label() -> None:
    text = "Present: Ida Holm and Ada Reed of the meeting\n\n4. Next meeting"
    assert len(chosen("who was at the meeting", [9.0, 8.9], text)) == 1
    longer = text.replace("Next meeting", "Boats wait at the meeting point")
    assert len(chosen("who was at the meeting", [9.0, 8.9], longer)) == 2


def test_and_where_is_answered_by_a_sentence_that_says_both() -> None:
    text = "The next meeting is on 28 March 1974 in Basel. A meeting was held in Velmark."
    assert len(chosen("when is the next meeting and where?", [9.0, 8.9], text)) == 1
    apart = text.replace(" in Basel", "")
    assert len(chosen("when is the next meeting and where?", [9.0, 8.9], apart)) == 2


def test_what_reads_far_worse_than_the_best_is_not_added() -> None:
    hits = [hit(TEXT)]
    candidates = find_candidates(hits)
    scores = np.array([0.0, 9.0, 8.5, 0.0], dtype=np.float32)

    def said(worse: float) -> int:
        reads = {candidates[WORK]: Read(1.0, (0, 4)), candidates[OPENED]: Read(1.0 - worse, (0, 3))}
        return len(choose("Tell me of the bridge", candidates, scores, hits, reads))

    assert said(READ_MARGIN - 1) == 2
    assert said(READ_MARGIN + 1) == 1


def test_what_reads_worse_in_another_passage_is_added_where_an_answer_is_read_in_it() -> None:
    hits = [hit("Work on the bridge took long."), hit("The bridge opened late.", document="d2")]
    candidates = find_candidates(hits)
    scores = np.array([9.0, 8.5], dtype=np.float32)

    def said(other: float, worse: float) -> int:
        reads = {candidates[0]: Read(other + worse, (0, 4)), candidates[1]: Read(other, (0, 3))}
        return len(choose("Tell me of the bridge", candidates, scores, hits, reads))

    assert said(READ_ENOUGH - 1, ELSEWHERE_MARGIN - 1) == 2
    assert said(READ_ENOUGH - 1, ELSEWHERE_MARGIN + 1) == 1
    assert said(READ_ENOUGH + 1, ELSEWHERE_MARGIN + 1) == 2


def test_a_third_of_another_passage_follows_only_where_it_reads_better_than_the_first() -> None:
    hits = [
        hit("Work on the bridge took long. The bridge has a tower."),
        hit("The bridge opened late.", document="d2"),
    ]
    candidates = find_candidates(hits)
    scores = np.array([9.0, 8.9, 8.8], dtype=np.float32)

    def said(third: float) -> int:
        reads = {one: Read(0.0, (0, 4)) for one in candidates[:2]}
        reads[candidates[2]] = Read(third, (0, 3))
        return len(choose("Tell me of the bridge", candidates, scores, hits, reads))

    assert (said(-0.1), said(0.1)) == (2, 3)


def test_what_leans_on_a_sentence_follows_only_that_sentence() -> None:
    text = "The bridge is a wonder. Boats pass by. That's because the bridge has a wide arch."
    assert len(chosen("Tell me of the bridge", [9.0, 0.0, 8.9], text)) == 1
    behind = text.replace("Boats pass by. ", "")
    assert len(chosen("Tell me of the bridge", [9.0, 8.9], behind)) == 2


def test_what_says_it_is_the_oldest_opens_and_needs_no_other() -> None:
    text = "Old piers of Velmark stand by the quay. Much is said. The oldest is by the mill."
    said = chosen("where is the oldest pier in velmark", [9.0, 0.0, 9.0 - NAME_MARGIN + 0.5], text)
    assert said == ["The oldest is by the mill."]
    assert len(chosen("where are piers in velmark", [9.0, 0.0, 8.5], text)) == 2


def test_what_it_is_below_its_name_is_a_definition() -> None:
    hits = [hit("It is a wide arch of stone. Boats pass it.", headings=("The velmark",))]
    candidates = find_candidates(hits)
    beside = math.log((LEAST_CHANCE + SURE_CHANCE) / 2)
    scores = np.array([9.0, 9.0 + beside], dtype=np.float32)
    reads = {candidates[0]: Read(0.0, (0, 4)), candidates[1]: Read(-NEXT_MARGIN - 0.1, (0, 3))}
    found = [
        choose(f"what is a {it}", candidates, scores, hits, reads) for it in ("velmark", "key")
    ]
    assert [len(one) for one in found] == [1, 2]


def test_what_has_another_number_than_the_one_asked_for_is_not_added() -> None:
    text = "Pier 660: the pilots. Pier 670: the divers of the pier."
    assert chosen("what is pier 660", [9.0, 8.9], text) == ["Pier 660: the pilots."]
    assert len(chosen("what is a pier", [9.0, 8.9], text)) == 2


def test_a_word_before_the_question_is_no_question() -> None:
    assert questions_of("ok, and how much was it?") == ["how much was it?"]
    assert questions_of("danke und wann war das?") == ["wann war das?"]
    assert questions_of("great") == ["great"]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("ships of the quay 2014", "In 2014"),
        ("ships of the quay in 2014", "In 2014"),
        ("ships of the quay since 2014", "In 2010"),
        ("ships between 2010 and 2014", "In 2010"),
    ],
)
def test_a_year_at_the_end_is_the_year_asked_for(question: str, first: str) -> None:
    text = "In 2010 the quay had 12 ships. In 2014 the quay had 40 ships."
    assert chosen(question, [9.0, 8.5], text)[0].startswith(first)


STAFF = "Year | Ships | Crew of the quay\n2010 | 12 | 34\n2011 | 13 | 35\n\n"


def test_the_row_and_the_column_that_a_question_names_are_its_whole_answer() -> None:
    text = STAFF + "In 2011 the quay laid up 7 ships. The quay is green."
    rows = [0.0, 0.0, 5.0]
    assert chosen("how many ships in 2011?", [*rows, 9.0, 0.0], text) == ["2011 | 13 | 35"]
    assert chosen("what were the ships in 2011?", [*rows, 9.0, 0.0], text) == ["2011 | 13 | 35"]
    assert chosen("how many ships had they got in 2011?", [*rows, 9.0, 0.0], text) == [
        "2011 | 13 | 35"
    ]
    assert chosen("how many ships in 2012?", [*rows, 9.0, 0.0], text) != ["2011 | 13 | 35"]
    assert chosen("how many masts in 2011?", [*rows, 9.0, 0.0], text)[0].startswith("In 2011")
    far = chosen("how many ships did Linz have in 2011?", [*rows, 9.0, 0.0], text)
    assert far[0].startswith("In 2011"), "the table may be of another place"


def test_what_names_the_columns_is_no_answer() -> None:
    said = chosen("crew of the quay", [9.0, 0.0, 0.0, 5.0], STAFF + "The crew of the quay is old.")
    assert said[0].startswith("The crew")


def test_what_leads_into_the_list_asked_for_may_only_repeat_the_question() -> None:
    text = "Action items:\n- Tom: tell the customers\n- Li: fix the tests\n\nThe room is green."
    scores = [9.0, 0.0, 0.0, 5.0]
    assert chosen("list the action items", scores, text)[0] == "Action items:"
    assert chosen("what is an action item", scores, text)[0] != "Action items:"


MACHINE = (
    "# Descaling\n\nDescale it twice a year.\n\n1. Let it cool.\n2. Rinse it.\n\n"
    "# First use\n\nWash the tank before the first use.\n\n1. Fill the tank.\n2. Run it once.\n"
)


def test_how_opens_with_the_steps_and_needs_nothing_more() -> None:
    scores = [0.0, 9.0, 8.0, 7.0, 0.0, 8.9, 7.0, 6.0]
    assert chosen("how do i descale it", scores, MACHINE) == ["Descale it twice a year."]
    # Words of the talk, in brackets, do not outweigh those that were typed.
    first = chosen("how do i use it the first time (descale)", scores, MACHINE)
    assert first == ["Wash the tank before the first use."]


DUTIES = (
    "4.1. Leaving\n\nIf you leave, do these things:\n\n- Hand in the keys.\n- Say goodbye.\n\n"
    "4.2. Orphaning a lamp\n\nTell the keeper and the harbour which lamp it is."
    " A report of the lamp helps.\n\n"
    "4.3. Coming back\n\nWho comes back after leaving asks for the keys.\n"
)


def test_how_is_answered_below_the_heading_that_names_it() -> None:
    scores = [0.0, 1.0, 0.5, 0.5, 0.0, 2.9, 3.0, 0.0, 9.0]
    assert chosen("how do i leave", scores, DUTIES) == ["If you leave, do these things:"]
    orphan = chosen("how do i orphan a lamp", scores, DUTIES)
    assert orphan == [
        "Tell the keeper and the harbour which lamp it is.",
        "A report of the lamp helps.",
    ]
    assert chosen("what should i do when leaving", scores, DUTIES)[0].startswith("If you leave")
    assert chosen("when do i leave the lamp", scores, DUTIES)[0].startswith("Who comes back")


def test_a_heading_of_the_passage_is_no_answer_where_it_looks_like_prose() -> None:
    text = "5. Duties of keepers\n\nThey light the lamps."
    found = find_candidates([hit(text, headings=("5. Duties of keepers",))])
    assert [one.sentence.kind.value for one in found] == ["heading", "prose"]


def test_what_is_not_and_what_is_also_define_nothing() -> None:
    text = "A lamp is also blue. A lamp is a glass with a flame. A lamp is not good."
    assert "flame" in chosen("what is a lamp", [9.0, 8.9, 9.0], text)[0]


def test_steps_that_are_far_from_the_best_do_not_open() -> None:
    scores = [0.0, 9.0 - TYPE_MARGIN, 0.0, 0.0, 0.0, 9.1, 0.0, 0.0]
    question = "how do i descale it without a filter"
    assert chosen(question, scores, MACHINE)[0].startswith("Wash")


def test_how_long_wants_a_duration() -> None:
    text = "The lease was signed on 14 March. The lease runs for two years. There are 3 keys."
    assert chosen("how long is the lease?", [9.0, 8.0, 8.5], text)[0].endswith("two years.")
    assert chosen("when was the lease signed?", [9.0, 8.0, 8.5], text)[0].endswith("14 March.")


def test_of_two_dates_the_one_that_speaks_of_what_was_carried_over_opens() -> None:
    text = "It is returned within six weeks. The rent is due on the third day of each month."
    assert "rent" in chosen("when do i pay it? (rent)", [9.0, 8.5], text)[0]
    assert "returned" in chosen("when do i pay?", [9.0, 8.5], text)[0]


def test_a_telephone_number_is_one() -> None:
    text = "There are 3 shops. Write to Jo or call 0800 555 210. Open from 8 to 5."
    scores = [9.0, 0.0, 8.0]
    assert "0800" in chosen("what's the phone number?", scores, text)[0]
    assert "0800" not in chosen("how many shops?", scores, text)[0]


def test_how_often_is_not_answered_by_a_duration() -> None:
    text = "It is grown in 3 to 6 months. Water it every fourth day. It needs much water."
    assert "fourth" in chosen("how often do i water it?", [9.0, 6.0, 5.0], text)[0]
    without = text.replace(" every fourth day", "")
    assert chosen("how often do i water it?", [9.0, 6.0, 5.0], without)[0] == "Water it."


def test_of_two_durations_the_one_of_what_was_typed_opens() -> None:
    text = "Let the bread sit for 10 minutes. Bake in the oven for 20 minutes."
    assert "20" in chosen("how long do i bake it (bread)", [9.0, 7.0], text)[0]
    staff = "Some 20 left Velmark. We had about 9 employees."
    assert "9" in chosen("how many people work there? (velmark) (employees)", [9.0, 8.0], staff)[0]


def test_a_price_opens_and_how_dear_it_is_where_none_is_given() -> None:
    text = "A scan takes 10 minutes. Scans are expensive. A scan is 90 euros."
    question = "how much does a scan cost?"
    assert "90" in chosen(question, [9.0, 4.0, 5.0], text)[0]
    assert "expensive" in chosen(question, [9.0, 4.0], text[:46])[0]


def test_what_is_done_stands_before_what_it_leads_to() -> None:
    text = "Pat the beans dry with a towel. This will keep the beans from going soft. Eat them."
    scores = [3.0, 9.0, 0.0]
    assert chosen("how do i keep beans from going soft", scores, text)[:2] == [
        "Pat the beans dry with a towel.", "This will keep the beans from going soft.",
    ]  # fmt: skip
    assert chosen("do beans go soft", scores, text)[0].startswith("This will")


def test_the_row_that_is_called_what_is_asked_for_opens() -> None:
    text = (
        "|  | Amber | Velmark |\n| --- | --- | --- |\n| Fees | 2 euros | 3 euros |\n\nFees are due."
    )
    assert chosen("what are the fees", [0.0, 6.0, 9.0], text)[0].startswith("| Fees")
    assert chosen("what are fees", [0.0, 6.0, 9.0], text)[0] == "Fees are due."


def test_who_is_answered_by_the_name_that_a_form_holds() -> None:
    text = (
        "The contractor shall supply Ticket Machines.\n\nAddress of the contractor:\n"
        "Name: Reino Pty Ltd\nAddress: 15 Herbet Street\n"
    )
    said = chosen("who is the contractor", [9.0, 6.0, 0.0, 0.0], text)
    assert said[0] == "Address of the contractor:"


@pytest.mark.parametrize(
    ("question", "text", "first"),
    [
        (
            "what is mochi",
            "Mochi-other are the mochi with rights. Much is said. Mochi is a test of features.",
            "Mochi is",
        ),
        (
            "what is t-net",
            "While t-net is used here, care is due. T-shaped Neighbour Net (t-net) is a way to "
            "draw. A t-net is small.",
            "T-shaped",
        ),
        (
            "what is a wiki engine",
            "A wiki engine is small. More is said. A wiki engine, being a kind of program, is a "
            "program that runs a wiki.",
            "A wiki engine, being",
        ),
        (
            "what is Dezuka",
            "Dezuka is fun for all. Much is said. Dating all the way back to 1930, Dezuka is a "
            "shop in the town.",
            "Dating",
        ),
        (
            "what is a trace",
            "Where a trace is short, much holds. We call such a run of steps a trace. It is fast.",
            "We call",
        ),
        (
            "what does radon mean",
            "Radon is cheap to measure anywhere. Radon is a gas that is in all soil. It is heavy.",
            "Radon is a gas",
        ),
        (
            "Was bedeutet Dekantieren?",
            "Als bedeutend gilt das Dekantieren für viele Weine. Dekantieren ist das langsame "
            "Umgießen in eine Karaffe. Es geht schnell.",
            "Dekantieren ist",
        ),
        (
            "what is radon",
            "Radon is cheap to measure anywhere. Radon is a gas that is in all soil. It is heavy.",
            "Radon is a gas",
        ),
        (
            "are keys case sensitive",
            "This catches all errors of case and keys. By default keys are not case sensitive. No.",
            "By default",
        ),
    ],
)
def test_a_definition_and_what_decides_open(question: str, text: str, first: str) -> None:
    scores = [6.0, 5.0, 4.0]
    assert chosen(question, scores, text)[0].startswith(first)


def test_what_is_safe_as_it_stands_is_not_passed_over() -> None:
    text = "The jar module is not secure. Code is safe for a jar where it is checked."
    assert chosen("is jar safe", [6.0, 4.0], text)[0].startswith("The jar module")


@pytest.mark.parametrize("limits", ["However, ", "Only ", "But "])
def test_what_takes_back_half_of_yes_or_no_stands_behind_it(limits: str) -> None:
    text = f"The camp helped kids with maths. {limits}the older ones did well. It lies in Graz."
    scores = [9.0, -9.0, -9.0]
    assert len(chosen("did the camp help kids with maths", scores, text)) == 2
    assert len(chosen("what helped kids with maths", scores, text)) == 1
    plain = text.replace(limits, "Then ")
    assert len(chosen("did the camp help kids with maths", scores, plain)) == 1


def test_to_which_is_so_the_row_answers_that_has_it_in_a_cell() -> None:
    text = "Look at critical items first.\n\nItem | State\nSKU-4563 | CRITICAL\nSKU-2 | fine\n"
    [said, *_] = chosen("which item is critical", [9.0, 0.0, 4.0, 0.0], text)
    assert said == "SKU-4563 | CRITICAL"


def test_what_stands_below_the_opposite_is_no_answer() -> None:
    text = (
        "## What we liked:\n\nThe seats and the lamps, all of them.\n\n"
        "## What we did not like:\n\nThe tank, which is rather small.\n"
    )
    found = find_candidates([hit(text)])
    scores = np.array([5.0 if "seats" in c.sentence.text else 4.0 for c in found], np.float32)

    def first(question: str) -> str:
        return choose(question, found, scores, [hit(text)])[0].sentence.text

    assert first("what did you like").startswith("The seats")
    assert first("what did you not like").startswith("The tank")


def test_what_stands_below_the_very_question_opens() -> None:
    text = (
        "Dezuka is a place of joy for all.\n\n## What is Dezuka?\n\n"
        "They make cakes of fish in the town.\n"
    )
    found = find_candidates([hit(text)])
    scores = np.array([5.0 if "joy" in c.sentence.text else 4.0 for c in found], np.float32)
    said = choose("what is Dezuka", found, scores, [hit(text)])
    assert said[0].sentence.text.startswith("They make cakes")


def test_the_word_itself_is_defined_and_not_one_of_its_family() -> None:
    text = "The word pharmacy is a name of old. Pharmacists are people who mix what heals."
    said = chosen("what does a pharmacist do", [5.0, 4.0], text)
    assert said[0].startswith("Pharmacists")
    assert chosen("what is a pharmacy", [4.0, 5.0], text)[0].startswith("The word")


def test_the_age_is_that_of_the_one_who_is_asked_for() -> None:
    text = "Reed and his 22-year-old son came to help. Decades later, Reed, 75, has seen it all."
    said = chosen("how old is jo reed", [5.0, 4.0], text)
    assert "75" in said[0]
    assert "22" in chosen("how old is the son of jo reed", [5.0, 4.0], text)[0]


def test_who_one_is_stands_before_the_name_also_without_an_article() -> None:
    text = "The farm that Jo Reed likes is old. Whale whisperer Jo Reed was seven when he saw one."
    assert chosen("who is jo reed", [5.0, 4.0], text)[0].startswith("Whale")


def test_a_short_field_answers_only_where_its_name_is_asked_for() -> None:
    text = "Tags: tea\n\nPour it at 70 degrees."
    assert chosen("how hot is water for tea", [5.0, 1.0], text) == ["Pour it at 70 degrees."]
    assert chosen("which tags has it", [5.0, 1.0], text)[0] == "Tags: tea"


def test_which_of_a_kind_is_told_by_what_names_them() -> None:
    text = (
        "The shire is a region of ten counties. Its counties are these: Holm, Reed, and Bell. "
        "Boats pass by."
    )
    assert chosen("which counties are in it", [5.0, 3.0, -9.0], text)[0].startswith("Its counties")
    assert chosen("which region is it", [5.0, 3.0, -9.0], text)[0].startswith("The shire")


def test_which_of_a_kind_is_told_by_another_word_for_the_kind() -> None:
    text = (
        "Many birds pass the ponds of the shire. "
        "The avian species selected were the grey heron, the osprey (of the coast), two kinds of"
        " loon and a kingfisher. Boats pass by."
    )
    assert "kingfisher" in chosen("which birds did they look at", [9.0, 4.5, -9.0], text)[0]
    assert "Many" in chosen("which birds did they look at", [9.0, 3.0, -9.0], text)[0]
    assert "Many" in chosen("which boats did they look at", [9.0, 4.5, -9.0], text)[0]


def test_which_several_is_told_by_what_leads_into_a_list_of_them() -> None:
    text = "Pests are kept off by nets. It is prey to many pests, including:\n\n- Mites\n- Slugs\n"
    assert chosen("which pests attack it", [5.0, 1.5, 0.0, 0.0], text)[0].startswith("It is prey")
    other = text.replace("to many pests, including:", "when pests come at these hours:")
    assert chosen("which pests attack it", [5.0, 1.5, 0.0, 0.0], other)[0].startswith("Pests are")


def test_a_heading_about_something_of_it_is_not_its_name() -> None:
    def said(heading: str) -> str:
        text = f"A loan may end in liens.\n\n## {heading}\n\nAsk those who know first.\n"
        found = find_candidates([hit(text)])
        scores = np.array([4.0 + ("loan" in c.sentence.text) for c in found], np.float32)
        return choose("what are liens", found, scores, [hit(text)])[0].sentence.text

    assert said("Liens").startswith("Ask")
    assert said("When and how to do liens").startswith("A loan")


def test_who_asks_how_is_not_told_first_what_not_to_do() -> None:
    text = "Do not close a bug early. List the bug in the log to close it. Bugs are many."
    assert chosen("how do i close a bug", [5.0, 4.0, -9.0], text)[0].startswith("List")
    assert chosen("how do i not close a bug", [5.0, 4.0, -9.0], text)[0].startswith("Do not")


def test_a_row_of_the_whole_comes_before_that_of_a_part() -> None:
    text = (
        "Results | 2022 | 2023\nNet sales | 14,544 | 14,694\n\nOf the boxes more is told.\n\n"
        "Results | 2022 | 2023\nNet sales | 11,151 | 11,154\n"
    )
    found = find_candidates([hit(text, title="Acme")])
    scores = np.array([6.0 if "11,154" in c.sentence.text else 4.0 for c in found], np.float32)
    said = choose("what were acmes net sales in 2023", found, scores, [hit(text, title="Acme")])
    assert said[0].sentence.text == "Net sales | 14,544 | 14,694"


def test_what_stands_below_references_and_a_repeated_label_are_no_answer() -> None:
    text = (
        "The lamp scale (LS). A line on which light is noted. It is long.\n\n"
        "## References[edit]\n\nReed, A. Use of the scale of lamps in the town.\n"
    )
    found = find_candidates([hit(text)])

    def first(best: str) -> str:
        scores = [
            9.0 * (best in c.sentence.text) + (5.0 if "noted" in c.sentence.text else 0)
            for c in found
        ]
        said = choose("what is a lamp scale", found, np.array(scores, np.float32), [hit(text)])
        return said[0].sentence.text

    assert first("(LS)") == "A line on which light is noted."
    assert first("Use of") == "A line on which light is noted."


def test_what_only_leads_in_does_not_follow() -> None:
    text = "The lamp is lit at dusk. Of the lamp this holds:\n\nIt is red, and lit at dusk."
    said = chosen("tell me of the lamp", [5.0, 4.9, -9.0], text)
    assert said == ["The lamp is lit at dusk."]


def test_who_was_there_is_the_line_of_a_form_that_says_so() -> None:
    text = "Mrs Sanders asks Jo Falk to the meeting.\n\nPresent: Ann Bell, Tom Reed, and Ida Holm."
    question = "who was at the meeting (present participants attendees)"
    assert chosen(question, [5.0, 4.0], text)[0].startswith("Present")


def test_nothing_follows_a_price_that_was_asked_for() -> None:
    text = "Das Boot liegt bei 900 Euro. Das Boot hat viel Platz für uns alle."
    assert len(chosen("was kostet das boot", [5.0, 4.0], text)) == 1
    assert len(chosen("was ist mit dem boot", [5.0, 4.0], text)) == 2


def test_a_row_that_has_the_field_asked_for_is_enough() -> None:
    text = "Grey Geese: 2020 95 | 2021 110 | 2022 130\nWhite Geese: 2020 12 | 2021 15 | 2022 17\n"
    assert len(chosen("how many grey geese were seen in 2021?", [9.0, 8.5], text)) == 1


def test_what_a_function_does_is_no_repeat_of_the_question() -> None:
    text = (
        "# uuid.uuid1(node=None)\n\nMake a UUID from a host. It tells of the host.\n\n"
        "# uuid.uuid4()\n\nMake a random UUID. It tells of nothing.\n"
    )
    scores = [0.0, 5.0, 3.0, 0.0, 9.0, 2.0]
    assert chosen("how do i make a random uuid", scores, text)[0] == "Make a random UUID."


STUDY = (
    "The aim of this study was to see whether tea helps the old. "
    "Tea helped none of the old people who drank it. Tea is grown in many lands."
)


def test_what_was_found_opens_before_what_was_to_be_found_out() -> None:
    assert chosen("does tea help the old", [9.0, 6.0, -9.0], STUDY)[0].startswith("Tea helped")
    assert chosen("what was the aim of it", [9.0, 6.0, -9.0], STUDY)[0].startswith("The aim")
    far = 9.0 - AIM_MARGIN - 0.1
    assert chosen("does tea help the old", [9.0, far, -9.0], STUDY)[0].startswith("The aim")


def test_who_asks_where_gets_a_place() -> None:
    text = "Das Werk macht viel Licht. Das erste kam im Mai aus einer Mühle in Graz."
    near, far = 9.0 - PLACE_MARGIN + 0.1, 9.0 - PLACE_MARGIN - 0.1
    assert chosen("wo steht das werk", [9.0, near], text)[0].startswith("Das erste")
    assert chosen("wo steht das werk", [9.0, far], text)[0].startswith("Das Werk")
    assert chosen("was macht das werk", [9.0, near], text)[0].startswith("Das Werk")
    in_may = "The lamp plant makes light by night. It was first lit in May."
    assert chosen("where is it (lamp plant)", [9.0, near], in_may)[0].startswith("The lamp")
    in_graz = "The lamp plant makes light by night. It was first lit in Graz."
    assert chosen("where is it (lamp plant)", [9.0, near], in_graz)[0].startswith("It was")
    assert chosen("where is the lamp plant", [9.0, near], in_graz)[0].startswith("The lamp")


def test_without_a_definition_the_section_of_that_name_opens() -> None:
    text = (
        "## Residual lease\n\nA value is fixed for its end. Much care is needed.\n\n"
        "## Care\n\nWith a residual lease comes much care.\n"
    )
    heads = [-9.0, 6.0, -9.0, -9.0, 9.0]
    assert chosen("what is a residual lease", heads, text)[0].startswith("A value")


def test_tips_that_are_asked_for_are_quoted_with_what_leads_into_them() -> None:
    text = (
        "Lamps are bright. Mind the following with lamps:\n\n- the wick\n- the oil\n- the glass\n"
    )
    scores = [9.0, 9.0 - LIST_MARGIN + 0.1, 0.0, 0.0, 0.0]
    tips = chosen("what should i look for when buying lamps", scores, text)
    assert tips[0].startswith("Mind")
    assert chosen("are lamps bright", scores, text)[0].startswith("Lamps")


def test_results_open_before_the_background_of_an_abstract() -> None:
    text = "## Background:\n\nTea is said to help.\n\n## Results:\n\nTea helped nobody.\n"
    assert chosen("does tea help", [-9.0, 9.0, -9.0, 6.0], text)[0].startswith("Tea helped")
    history = text.replace("## Results:", "## Results of the war")
    assert chosen("does tea help", [-9.0, 9.0, -9.0, 6.0], history)[0].startswith("Tea is")


@pytest.mark.parametrize(
    ("question", "text", "first"),
    [
        (
            "how many people live in the town?",
            "The people of the town are 41.3 years old on average. The town has 12,400 people.",
            "The town has",
        ),
        (
            "when does the sale close?",
            "A fee is due if the sale does not close by 15 May 2021. It is to close in 2023.",
            "It is to close",
        ),
        (
            "when is a fee due if the sale does not close?",
            "A fee is due if the sale does not close by 15 May 2021. It is to close in 2023.",
            "A fee is due",
        ),
        (
            "who is Jo Reed?",
            "He was helped by Ann Bell and Tom Ash. Jo Reed of Ayr ran the mill for long.",
            "Jo Reed of Ayr",
        ),
        (
            "who is Jo Reed?",
            "Jo Reed's own mill is lit at night. The mill was sold, and the miller Jo Reed left.",
            "The mill was sold",
        ),
        (
            "who is Jo Reed?",
            "Still, Jo Reed makes good rope. It is old, said Jo Reed, a miller of the north.",
            "It is old",
        ),
        (
            "how many people live there 2014 (the town)",
            "The town had 11,900 people in 2010. The town had 12,400 people in 2014.",
            "The town had 12,400",
        ),
    ],
)
def test_a_count_a_date_that_holds_and_the_person_asked_for_open(
    question: str, text: str, first: str
) -> None:
    assert chosen(question, [9.0, 8.0], text)[0].startswith(first)


def test_what_is_put_in_behind_a_name_is_no_list() -> None:
    text = "The Expo, a fair of art and design, is held in May. In May there is the Book Fair."
    assert len(chosen("which fairs are there in may?", [9.0, 7.0], text)) == 2
    listed = "The fairs in May are art, books and design. In May there is the Book Fair."
    assert len(chosen("which fairs are there in may?", [9.0, 7.0], listed)) == 1


def test_a_heading_that_spells_a_short_form_out_says_what_it_stands_for() -> None:
    text = "## Lamp Oil Analysis (LOA)\n\nLOA is quick. LOA is cheap.\n"
    said = chosen("what does LOA stand for", [0.0, 3.0, 2.0], text)
    assert said == ["Lamp Oil Analysis (LOA)"]
    assert chosen("what is good", [9.0, 3.0, 2.0], text)[0] == "LOA is quick."


def test_nothing_follows_what_the_reader_surely_read() -> None:
    hits = [hit("The quay had 840 visitors. The quay has 27 people.")]
    candidates = find_candidates(hits)
    behind = SURE_CHANCE * BESIDE_BY_FORM
    scores = np.array([9.0, 9.0 + math.log(behind * 0.9 / (1 - behind))], dtype=np.float32)

    def said(score: float) -> int:
        reads = {candidates[0]: Read(score, (13, 16)), candidates[1]: Read(score - 1, (13, 15))}
        return len(choose("how many people came to the quay", candidates, scores, hits, reads))

    assert said(SURE) == 1
    assert said(SURE - 0.1) == 2


def test_how_long_is_not_how_long_before() -> None:
    text = "Book a tour three weeks in advance. A tour takes 75 minutes."
    assert chosen("how long is a tour", [9.0, 8.5], text)[0].startswith("A tour")
    assert chosen("how long before a tour do i book", [9.0, 0.0], text)[0].startswith("Book")


def test_what_begins_is_told_by_what_says_so() -> None:
    text = "The boat was launched in 1903. Repairs of the boat began in 2022."
    near = [9.0, 9.0 - VERB_MARGIN / 2]
    assert chosen("when did repairs of the boat begin", near, text)[0].startswith("Repairs")
    assert chosen("when was the boat launched", near, text)[0].startswith("The boat")
    far = [9.0, 9.0 - VERB_MARGIN - 1]
    assert chosen("when did repairs of the boat begin", far, text)[0].startswith("The boat")


def test_who_holds_an_office_is_told_by_what_says_so() -> None:
    text = "Zum Vorstand gehört der Kassenwart. Kassenwart ist Jo Bell."
    assert chosen("Wer ist der Kassenwart?", [9.0, 8.5], text)[0].startswith("Kassenwart ist")


def test_an_amount_of_money_counts_nothing_else() -> None:
    text = "The shed pays 30 euros. The shed has 12 boats."
    assert chosen("how many boats has the shed", [9.0, 7.0], text)[0].endswith("12 boats.")


def test_what_a_function_does_stands_below_its_name() -> None:
    text = "Lamps differ from lamps.dumps.\n\nlamps.dumps(lamp)\n\nWrite a lamp. It is slow."
    said = chosen("what does lamps.dumps do", [9.0, 0.0, 2.0, 8.9], text)
    assert said == ["Write a lamp."]
    assert chosen("what does lamps.dump do", [9.0, 0.0, 2.0, 8.9], text)[0].startswith("Lamps")


def test_behind_a_date_or_a_count_nothing_follows_without_one() -> None:
    text = "The fair began in 1911. The fair in Ayr is loud. The fair came when peace came."
    assert len(chosen("when did the fair begin?", [9.0, 8.9, 0.0], text)) == 1
    assert len(chosen("when did the fair begin?", [9.0, 0.0, 8.9], text)) == 2
    assert len(chosen("what of the fair in Ayr?", [9.0, 8.9, 0.0], text)) == 2


def test_what_was_passed_over_for_the_best_does_not_follow_it() -> None:
    text = "A fee is due if the sale does not close by 15 May 2021. It is to close in 2023."
    assert len(chosen("when does the sale close?", [9.0, 8.5], text)) == 1


FAQ = """Can I cancel my order?

Write to us within a day. We cancel what is not packed. What is packed can be sent back.

When do hens lay?

It cannot be said of all. Some of the hens lay from May on.
"""


def test_below_a_heading_that_asks_the_question_its_answer_begins() -> None:
    scores = [9.0, 5.0, 6.0, 5.0, 9.0, 6.0, 6.0]
    said = chosen("can i cancel my order", scores, FAQ, read=False)
    assert said[0] == "Write to us within a day."
    assert not any("hens" in text or "cannot" in text for text in said)


def test_of_what_stands_below_the_question_that_is_of_the_type_asked_for() -> None:
    scores = [0.0, 8.0, 8.0, 8.0, 9.0, 2.0, 1.0]
    assert chosen("when do hens lay", scores, FAQ) == ["Some of the hens lay from May on."]


def test_a_heading_that_asks_for_something_else_is_no_such() -> None:
    scores = [0.0, 1.0, 1.0, 8.0, 0.0, 1.0, 1.0]
    assert chosen("why do hens lay", scores, FAQ)[0].startswith("What is packed")


def test_what_leads_into_code_is_quoted_with_it_alone() -> None:
    text = "Install the bridge with pip:\n\n```\npip install bridge\n```\n\nThe bridge is of iron."
    said = chosen("how do i install the bridge", [9.0, -9.0, 8.9], text)
    assert said == ["Install the bridge with pip:", "pip install bridge"]
    more = chosen("how do i install the bridge", [9.0, -9.0, 8.9], text.replace("pip:", "pip."))
    assert len(more) == 3


def test_a_heading_need_not_say_what_its_document_is_called() -> None:
    hits = [
        hit(
            "## Running the tests\n\n```\npytest\n```\n\n## More\n\nAll of shelfmark.",
            title="shelfmark",
        )
    ]
    candidates = find_candidates(hits)
    scores = np.array([-9.0, 0.0, -9.0, 5.0], dtype=np.float32)
    found = choose("how do i run the tests of shelfmark", candidates, scores, hits)
    assert found[0].sentence.text == "pytest"


def test_what_came_on_top_is_not_how_many() -> None:
    text = "He earned two more caps in May. He won a total of 15 caps. He is tall."
    assert chosen("how many caps did he win", [9.0, 7.0, 0.0], text)[0].startswith("He won")
    assert chosen("how many more caps", [9.0, 7.0, 0.0], text)[0].startswith("He earned")
    assert chosen("how many hats", [9.0, 7.0, 0.0], text)[0].startswith("He earned")


def test_whether_something_may_be_used_is_said_by_what_may_be() -> None:
    text = "Our loaf has plain flour. But you may want to take bread flour. It is good."
    assert chosen("can i use bread flour", [9.0, 6.0, 0.0], text)[0].startswith("But you")


PRICES = """Model | Price | Grade
Fox | 189 € | 5,5
Hare | 300 € | 2,1

The fox is red. Every grade has a price.
"""


def test_one_row_may_answer_two_questions() -> None:
    hits = [hit(PRICES)]
    candidates = find_candidates(hits)
    scores = np.array([9.0 if "Fox |" in one.sentence.text else 4.0 for one in candidates])
    question = "what does the fox cost and what grade has it (price)"
    found = choose(question, candidates, scores.astype(np.float32), hits)
    assert [one.sentence.text for one in found] == ["Fox | 189 € | 5,5"]


GLOSSARY = """Words

Some words of the trade.

Lien: A claim on land for a debt. Pledge: A thing that is held for a debt.

Silent lien

Held back by nobody but noted in the book. A lien is often silent.
"""


def test_an_entry_of_a_glossary_says_what_it_is() -> None:
    texts = [one.sentence.text for one in find_candidates([hit(GLOSSARY)])]
    scores = [9.0 if text.startswith("A lien") else 3.0 for text in texts]
    assert chosen("what is a lien", scores, GLOSSARY)[0] == "Lien: A claim on land for a debt."
    assert chosen("what is a silent lien", scores, GLOSSARY)[0].startswith("Held back")


def test_a_journal_is_a_place() -> None:
    text = "In Dr. Reed's words it was late. It was published in the journal Current Biology."
    said = chosen("where was it published (study)", [6.0, 5.0], text)
    assert said[0].startswith("It was published")


def test_what_names_a_column_is_quoted_where_no_row_has_a_word_of_the_question() -> None:
    text = "Data sheet.\n\nKind | Strength | Stretch\nBars | 890 | 12\nRods | 780 | 14\n"
    assert chosen("whats the strength", [0.0, 9.0, 3.0, 2.0], text)[0].startswith("Kind")
    assert chosen("whats the strength of rods", [0.0, 9.0, 2.0, 3.0], text)[0].startswith("Rods")
    words = text.replace("890 | 12", "high | low").replace("780 | 14", "low | low")
    assert chosen("whats the strength", [0.0, 9.0, 3.0, 2.0], words)[0].startswith("Bars")


def test_without_a_reader_what_has_no_word_of_the_question_does_not_follow() -> None:
    text = "Sie zahlt jeden Monat etwas. Der Hund bellt sehr laut. Die Raten gelten als Pfand."
    said = chosen("erzähl von den Raten", [9.0, 8.9, 8.8], text, read=False)
    assert said == ["Sie zahlt jeden Monat etwas.", "Die Raten gelten als Pfand."]


def test_the_row_of_an_office_says_who_holds_it() -> None:
    text = "Frühere Wartin war Beate Kolb.\n\nAmt | Name | Ja\nWartin | Mira Lind | 46\n"
    assert chosen("wer ist wartin", [9.0, 1.0, 7.0], text) == ["Wartin | Mira Lind | 46"]


GROWING = (
    "# How to grow it\n\nIt is easy to grow from seed. Seeds are cut at one end. Put each in a pot."
    "\n\n# Steam\n\nThis is normal. When ice forms, vapour rises.\n\nIt is round.\n"
)


def test_what_is_told_in_prose_is_told_to_the_end() -> None:
    scores = [0.0, 9.0, 1.0, 1.0, 0.0, 1.0, 1.0, 2.0]
    assert chosen("how do i grow it", scores, GROWING) == [
        "It is easy to grow from seed.", "Seeds are cut at one end.", "Put each in a pot.",
    ]  # fmt: skip
    scores = [0.0, 1.0, 1.0, 9.0, 0.0, 1.0, 1.0, 2.0]
    assert chosen("how do i grow it", scores, GROWING)[0] == "It is easy to grow from seed."
    page = GROWING.replace("to grow it", "to grow kale")
    scores = [0.0, 9.0, 1.0, 1.0, 0.0, 1.0, 1.0, 2.0]
    assert len(chosen("how do i grow it (kale water)", scores, page)) == 3
    assert len(chosen("how do i grow it (beans water)", scores, page)) < 3
    scores = [0.0, 1.0, 1.0, 1.0, 0.0, 9.0, 1.0, 2.0]
    assert chosen("why does it steam", scores, GROWING) == [
        "This is normal.", "When ice forms, vapour rises.",
    ]  # fmt: skip
    scores = [0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 9.0, 2.0]
    assert chosen("why does it steam", scores, GROWING) == ["When ice forms, vapour rises."]


def test_the_field_of_a_record_needs_nothing_more() -> None:
    text = '"net": {"ip_address": "10.0.0.1"},\n"paper": {"tray": "second", "address": 2},\n'
    assert len(chosen("what is the ip address", [9.0, 8.9], text)) == 1
    assert chosen("the address of it", [8.0, 9.0], text)[0].startswith('"paper"')
    ships = f"{text}ship: Ada | length: 12 | home_port: Linz\n"
    assert chosen("the ip address of its port", [8.9, 8.0, 9.0], ships)[0].startswith('"net"')
    assert len(chosen("tell me of the printer", [9.0, 8.9], text)) == 2


def test_the_line_of_a_form_above_a_table_is_no_header() -> None:
    text = "Prepared by: Ada Reed\n| Lamp | Price |\n| --- | --- |\n| Oak | 12 |\n| Elm | 14 |\n"
    assert chosen("who prepared the list", [8.0, 7.0, 9.0, 7.0], text)[0].startswith("Prepared by")


def test_somebodys_question_is_no_answer_and_what_follows_it_is() -> None:
    text = "Ms Reed asked whether dogs may swim in the pool. They may not. Dogs like the pool."
    assert chosen("may dogs swim in the pool", [9.0, 1.0, 5.0], text)[0] == "They may not."
    assert chosen("may dogs swim in the pool", [5.0, 1.0, 9.0], text)[0] == "Dogs like the pool."


def test_yes_or_no_is_said_of_what_is_asked_for() -> None:
    text = "You will need to use the ferry. A ticket is needed on board. Boats are red."
    said = chosen("do i need a ticket", [9.0, 8.0, 1.0], text)
    assert said[0] == "A ticket is needed on board."
    assert chosen("do i need a ferry", [9.0, 8.0, 1.0], text)[0].startswith("You will need")


def test_a_heading_that_asks_when_says_where_the_time_stands() -> None:
    text = (
        "## Schnee räumen: Wann und wo?\n\nMan darf beim Schnee räumen warten.\n\n"
        "Die Wege sind von sieben Uhr morgens bis abends frei.\n"
    )
    scores = [0.0, 9.0, 9.0 - TYPE_MARGIN - 1]
    told = chosen("wann muss ich schnee räumen", scores, text, read=False)
    assert told[0].startswith("Die Wege")
    other = text.replace("Wann und wo?", "Wo?")
    told = chosen("wann muss ich schnee räumen", scores, other, read=False)
    assert told[0].startswith("Man darf")


def test_the_price_of_something_else_does_not_open() -> None:
    text = "A ferry costs £9 a year. Scans are expensive where there are any. Boats are red."
    said = chosen("how much does a scan cost", [8.0, 7.0, 9.0], text)
    assert said[0].startswith("Scans are")


def test_why_is_not_answered_by_saying_that_it_is_so_alone() -> None:
    text = (
        "The act removed the judge from the works. Others were concerned that he was lax. It ran."
    )
    scores = [9.0, -9.0, -9.0]
    assert len(chosen("why was the judge removed from the works", scores, text)) == 2
    assert len(chosen("who removed the judge from the works", scores, text)) == 1
    assert len(chosen("why does the judge work for the council", scores, text)) == 1
    because = text.replace("works.", "works because he was lax.")
    assert len(chosen("why was the judge removed from the works", scores, because)) == 1


def test_of_rows_the_one_whose_label_is_asked_for_opens() -> None:
    text = "Annual cost\nRed lamps - £933\nFerries - £1151\nGas - £1041\n"
    scores = [0.0, 9.0, 8.0, 7.0]
    assert chosen("whats the annual cost of gas", scores, text)[0] == "Gas - £1041"
    assert chosen("whats the annual cost of boats", scores, text)[0] == "Red lamps - £933"
    assert chosen("whats the cost of gas lamps", scores, text)[0] == "Red lamps - £933"
    far = [0.0, 9.0, 8.0, 9.0 - TYPE_MARGIN - 1]
    assert chosen("whats the annual cost of gas", far, text)[0] == "Red lamps - £933"


@pytest.mark.parametrize(
    ("question", "first"),
    [("when did Ada Moss die", "Moss died"), ("when was Ada Moss born", "Ada Moss")],
)
def test_what_tells_of_what_happened_opens_before_another_date(question: str, first: str) -> None:
    text = "Ada Moss was born in Bath in 1856. Moss died on 7 January 1943."
    near, far = VERB_MARGIN - 0.5, VERB_MARGIN + 0.5
    other = 0 if first == "Moss died" else 1
    scores = [5.0, 5.0]
    scores[other] = 5.0 + near
    assert chosen(question, scores, text)[0].startswith(first)
    scores[other] = 5.0 + far
    assert not chosen(question, scores, text)[0].startswith(first)
