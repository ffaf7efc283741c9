"""Questions that lean on the conversation, and how they read when they are put whole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.planning.follow_ups.completing import CARRIED_OVER, whole
from core.planning.follow_ups.leaning import leans, needs_question
from core.planning.routes import Route
from core.planning.rules import other_reading, plan_by_rule
from core.types import Notice, SearchResult
from tests.planning.follow_ups.conversations import RELEASE, talk


@pytest.mark.parametrize(
    ("asked", "quote", "question", "read"),
    [
        (
            "how many people live in Graz",
            "Graz has 300,000 people.",
            "and in Linz?",
            "how many people live in Linz?",
        ),
        (
            "who ran the ferry in 1990",
            "Holm ran the ferry.",
            "and in 2014?",
            "who ran the ferry in 2014?",
        ),
        (
            "list the feasts in june",
            "In June there is one.",
            "and in may?",
            "list the feasts in may?",
        ),
        ("what does bonny mean", 'They say "Bonny" there.', "and netty?", "what does netty mean?"),
        (
            "how many bluefish were seen",
            "Many were seen.",
            "and redfish?",
            "how many redfish were seen?",
        ),
        (
            "how many days off do i get",
            "You get 27 days off.",
            "and after 5 years",
            "how many days off do i get after 5 years?",
        ),
        (
            "what happens after the fire",
            "After the fire it rains.",
            "who pays for it",
            "who pays for it (after fire)",
        ),
        ("what if he is late?", "He pays.", "and his wife?", "what if his wife is late?"),
        (
            "what does northstar pay for lightlines",
            "Northstar buys Lightlines for a million.",
            "when will it close",
            "when will it close (northstar lightlines)",
        ),
    ],
)
def test_a_question_is_put_whole(asked: str, quote: str, question: str, read: str) -> None:
    reading = whole(question, talk((asked, quote)))
    assert reading is not None
    assert reading.goal == read


@pytest.mark.parametrize(
    ("asked", "question", "read"),
    [
        ("what were the net sales in 2023?", "and the year before?", "in 2022?"),
        ("what were the net sales in 2023?", "and last year?", "in 2022?"),
        ("what were the net sales in 2023?", "what was it a year later", "in 2024?"),
        ("what were the net sales?", "and the previous year?", "in 2020?"),
    ],
)
def test_the_year_before_is_that_before_the_year_asked_for(
    asked: str, question: str, read: str
) -> None:
    quote = "Net sales for fiscal 2021 were $14,694 million."
    reading = whole(question, talk((asked, quote), passage=RELEASE))
    assert reading is not None
    assert reading.goal == f"what were the net sales {read}"


def test_the_year_before_with_a_question_of_its_own() -> None:
    asked = ("what were the net sales in 2023?", "Net sales were $14,694 million.")
    reading = whole("and the year before, how much profit?", talk(asked, passage=RELEASE))
    assert reading is not None
    assert reading.goal == "and in 2022, how much profit? (net sales)"
    assert not leans("what happened the year before she left Graz?")


@pytest.mark.parametrize(
    ("asked", "question", "read"),
    [
        ("whats the net debt", "where do they make their stuff", "(Northstar)"),
        ("what is a tuple", "how do they differ from lists", "(tuple)"),
        ("which ferries sail", "when do they leave", "(ferries sail)"),
        ("whats the net debt", "how is it calculated?", "(net debt)"),
    ],
)
def test_they_are_nothing_that_is_one(asked: str, question: str, read: str) -> None:
    history = talk((asked, "It is $6,057 million."), passage=RELEASE, title="Northstar Results")
    reading = whole(question, history)
    assert reading is not None
    assert reading.goal == f"{question} {read}"


def test_they_are_whom_the_conversation_named_before() -> None:
    turns = ("where is Linz", "Linz lies on a river."), ("whats the net debt", "It is 6 million.")
    reading = whole("where do they make their stuff", talk(*turns, passage=RELEASE))
    assert reading is not None
    assert reading.carried == ("Linz",)


def test_nothing_is_taken_from_a_refused_turn() -> None:
    history = talk(("where is Graz", "Graz lies in Styria."), ("did they buy Zorblax", None))
    reading = whole("how many live there", history)
    assert reading is not None
    assert reading.carried == ("Graz",)
    assert whole("how many live there", talk(("did they buy Zorblax", None))) is None


def test_nothing_is_taken_from_a_question_on_all_documents() -> None:
    history = [
        replace(message, answer=replace(message.answer, route=Route.OVERVIEW))
        if message.answer
        else message
        for message in talk(("whats in these files", "Graz lies in Styria."))
    ]
    assert whole("how many people work there", history) is None


def test_the_topic_is_that_of_the_question_that_stood_alone() -> None:
    history = talk(("where is Graz", "Graz lies in Styria."), ("how old is it", "It is Old Norse."))
    reading = whole("who founded it", history)
    assert reading is not None
    assert reading.carried == ("Graz",)


def test_what_was_measured_is_carried_over_and_not_the_measure() -> None:
    reading = whole("when was it built", talk(("how tall was velmark tower", "Height 12 m")))
    assert reading is not None
    assert reading.carried == ("velmark", "tower")


@pytest.mark.parametrize(
    ("asked", "question", "carried"),
    [
        ("is it toxic", "can i eat it", ("Fig",)),
        ("how do i grow one", "what eats it", ("Fig",)),
        ("how does the pump work now", "who invented it", ("pump",)),
        ("and the thorns too?", "when should i cut it", ("thorns",)),
        ("how much sun does the tree need", "and if it gets less?", ("sun", "tree")),
        ("what happens to the tree", "why is it so?", ("tree",)),
        ("how many people came", "where did they sleep", ("people", "came")),
    ],
)
def test_a_topic_is_what_was_spoken_of(asked: str, question: str, carried: tuple[str, ...]) -> None:
    passage = "Each Fig is sweet. All people like a Fig."
    reading = whole(question, talk((asked, "It is."), passage=passage, title="Life of a Fig"))
    assert reading is not None
    assert reading.carried == carried


def test_who_is_asked_for_what_they_did_is_spoken_of_next() -> None:
    fires = ("why do manholes burn", "Salt melts the ice.")
    for asked, carried in (
        ("what did Acme do about it", ("Acme",)),
        ("what was there about it at Acme", ("manholes", "burn")),
        ("can i Acme it", ("manholes", "burn")),
    ):
        reading = whole("who is its boss", talk(fires, (asked, "Acme vents them.")))
        assert reading is not None
        assert reading.carried == carried


def test_they_are_the_several_that_were_spoken_of_before() -> None:
    history = talk(
        ("how many holes are there", "There are nine."), ("who is the boss", "It is Jo Reed."),
        title="Streets of Graz", passage="The streets of Graz.",
    )  # fmt: skip
    reading = whole("how do they form", history)
    assert reading is not None
    assert reading.carried == ("holes",)


def test_what_was_carried_over_is_no_topic_beside_a_name() -> None:
    asked = "what did Acme do about it"
    history = talk((asked, "Acme vents Velmark."), goal=f"{asked} (Velmark)")
    reading = whole("who is its boss", history)
    assert reading is not None
    assert reading.carried == ("Acme",)


def test_last_year_is_no_topic() -> None:
    history = talk(("how many holes did the city fill last year", "Last year, the city filled 9."))
    reading = whole("how do they form", history)
    assert reading is not None
    assert reading.carried == ("holes", "city", "fill")


def test_a_question_without_a_verb_asks_of_what_was_spoken_of() -> None:
    history = talk(("what is Zorblax", "Zorblax is a lens."), ("what focal length", "It is 9 cm."))
    reading = whole("does it fog up", history)
    assert reading is not None
    assert reading.carried == ("Zorblax",)


def test_what_a_source_writes_in_small_letters_too_is_no_name() -> None:
    quote = "Acme employs 1,200 people. People Officer Ada Reed leads the board that List is on."
    history = talk(("how many people work at acme?", quote))
    reading = whole("and velmark?", history)
    assert reading is not None
    assert reading.goal == "how many people work at velmark?"
    listed = talk(("list all the ships", "Teri List and Ida Holm sailed the ships."))
    reading = whole("how long are they?", listed)
    assert reading is not None
    assert "list" not in reading.carried


@pytest.mark.parametrize(
    ("asked", "quote", "question", "read"),
    [
        ("Kdo je bila Ana Mrak?", "Ana Mrak je bila kemičarka.",
         "Kdaj se je rodila?", "Kdaj se je rodila? (Ana Mrak)"),
        ("Kdo je bila Ana Mrak?", "Ana Mrak je bila kemičarka.",
         "Koliko otrok je imela?", "Koliko otrok je imela? (Ana Mrak)"),
        ("Kdo je bila Ana Mrak?", "Ana Mrak je bila kemičarka.",
         "Katero knjigo je napisala v Celju?", "Katero knjigo je napisala v Celju? (Ana Mrak)"),
        ("Kdo je bila Ana Mrak?", "Ana Mrak je bila kemičarka.",
         "Kje živi?", "Kje živi? (Ana Mrak)"),
        ("Kdo je bila Ana Mrak?", "Ana Mrak je bila kemičarka.",
         "Kdo jo je poučeval?", "Kdo jo je poučeval? (Ana Mrak)"),
        ("Kdo je zgradil svetilnik?", "Svetilnik je zgradil Jan Holm.",
         "Kdaj je umrl?", "Kdaj je umrl? (Jan Holm)"),
        ("Koliko prebivalcev ima Celje?", "Celje ima 37.000 prebivalcev.",
         "Kaj pa Maribor?", "Koliko prebivalcev ima Maribor?"),
        ("Kakšen je bil prihodek leta 2013?", "Leta 2013 je bil prihodek 5 milijonov.",
         "in leta 2014?", "Kakšen je bil prihodek leta 2014?"),
        ("Kakšen je bil prihodek podjetja Velmark?", "Velmark je imel 5 milijonov prihodka.",
         "in leta 2014?", "Kakšen je bil prihodek podjetja Velmark leta 2014?"),
    ],
)  # fmt: skip
def test_a_question_in_slovenian_is_put_whole(
    asked: str, quote: str, question: str, read: str
) -> None:
    assert leans(question)
    plan = plan_by_rule(question, talk((asked, quote)))
    assert plan.goal == read
    assert plan.follows


@pytest.mark.parametrize(
    "question",
    [
        "Kdaj se je rodila Ana Mrak?",
        "Koliko ljudi je umrlo?",
        "Kdo je zgradil svetilnik?",
        "Koliko stane vstopnica za muzej?",
        "Kateri pisatelj je umrl v Celju?",
        "Kdaj je bila ustanovljena univerza?",
    ],
)
def test_a_question_in_slovenian_that_names_its_subject(question: str) -> None:
    assert not leans(question)
    assert plan_by_rule(question, talk(("Kdo je bila Ana?", "Ana je bila."))).goal == question


def test_which_questions_are_read_both_ways() -> None:
    history = talk(("where is Graz", "Graz lies in Styria."))
    pronoun = other_reading(plan_by_rule("how old is it", history), history)
    assert pronoun is not None
    assert pronoun.goal == "how old is it"
    assert other_reading(plan_by_rule("and why?", history), history) is None
    short = plan_by_rule("list all the towers", history)
    other = other_reading(short, history)
    assert other is not None
    assert other.goal == "list all the towers (Graz)"
    new = plan_by_rule("and Linz?", history)
    alone = other_reading(new, history)
    assert alone is not None
    assert alone.goal == "and Linz?"
    assert other_reading(plan_by_rule("who founded Linz", history), history) is None


def test_an_ellipsis_that_says_only_when_or_where_has_no_other_reading() -> None:
    history = talk(("how many ferries ran in 2010", "In 2010 twelve ferries ran."))
    for typed in ("and in 2014?", "and 2014?", "in Graz?"):
        plan = plan_by_rule(typed, history)
        assert plan.goal != typed
        assert other_reading(plan, history) is None


def test_a_question_whose_pronoun_has_its_noun_is_not_completed() -> None:
    history = talk(("where is Graz", "Graz lies in Styria."))
    typed = "when did the tower open and what did it cost"
    assert other_reading(plan_by_rule(typed, history), history) is None


def test_a_bare_question_word_asks_on_about_what_was_asked_last() -> None:
    history = talk(
        ("how many people live in Velmark", "Velmark has 9 people."),
        ("when was it founded", "Velmark was founded by Ida Holm in 1207."),
    )
    reading = whole("and by whom?", history)
    assert reading is not None
    assert reading.carried[0] == "founded"


@pytest.mark.parametrize("question", ["how often?", "and how much more at most", "how many days"])
def test_a_question_that_names_nothing_asks_on_about_what_was_asked_last(question: str) -> None:
    history = talk(("can they raise the rent", "They may raise the rent."))
    reading = whole(question, history)
    assert reading is not None
    assert set(reading.carried) == {"raise", "rent"}
    assert other_reading(plan_by_rule(question, history), history) is None


def test_another_measure_takes_the_place_of_the_one_that_was_asked_for() -> None:
    history = talk(("wie lange muss der kuchen backen", "80 Minuten."))
    other, same = whole("bei wie viel grad", history), whole("und warum?", history)
    assert other is not None
    assert other.carried == ("kuchen", "backen")
    assert same is not None
    assert same.carried == ("lange", "kuchen", "backen")


def test_there_is_the_place_that_was_named_before() -> None:
    history = talk(
        ("how many people live in velmark", "Velmark has 300 people."),
        ("how much does it cost for kids", "Admission is 6 euros."),
    )
    read = whole("what can i see there", history)
    assert read is not None
    assert read.carried == ("velmark",)


def test_a_question_without_a_verb_and_a_name_leans() -> None:
    history = talk(("how do i make the focaccia", "Stir the yeast."))
    reading = whole("what temperature", history)
    assert leans("what temperature")
    assert reading is not None
    assert reading.goal == "what temperature (make focaccia)"
    assert not leans("what Python version")


@pytest.mark.parametrize("asked", ["at what temperature", "bei welcher temperatur"])
def test_at_what_asks_of_what_was_spoken_of(asked: str) -> None:
    reading = whole(asked, talk(("how do i bake the focaccia", "Stir it.")))
    assert reading is not None
    assert reading.goal == f"{asked} (bake focaccia)"


def test_the_year_before_begins_no_topic_and_is_not_searched_alone() -> None:
    turns = (("whats the dividend", "It is 9 cents."), ("and the year before", "It was 8 in 2022."))
    reading = whole("when will it be paid", talk(*turns))
    assert reading is not None
    assert "dividend" in reading.carried
    assert needs_question("and the year before")


def test_a_question_whose_words_were_mended_begins_a_topic_all_the_same() -> None:
    first = talk(("whats the tax", "It is low."), goal="what is the tax")
    mended = talk(("whats the dividend", "It is 9 cents."), goal="what is the dividend")
    reading = whole("when will it be paid", [*first, *mended])
    assert reading is not None
    assert reading.carried == ("dividend",)
    answer = mended[-1].answer
    assert answer is not None
    assert answer.search is not None
    plan = replace(answer.search.plan, notices=(Notice(CARRIED_OVER, "", "", "info"),))
    leaning = replace(answer, search=SearchResult(plan, ()))
    again = [mended[0], replace(mended[1], answer=leaning)]
    reading = whole("when will it be paid", [*first, *again])
    assert reading is not None
    assert reading.carried == ("tax",)


def test_a_bare_number_asks_for_another_of_the_same_list() -> None:
    asked = talk(("who is number 6 on the waiting list", "Bea Hill"))
    assert leans("number 3?")
    assert not leans("number 3 of the rules?")
    read = whole("and number 3?", asked)
    assert read is not None
    assert read.goal == "who is number 3 on the waiting list"
    read = whole("number 3?", talk(("what are the ways to measure oil", "Ten ways.")))
    assert read is not None
    assert read.goal == "number 3? (ways measure oil)"


def test_what_is_asked_of_the_subject_of_a_document_goes_on_with_its_name() -> None:
    box = "Reed Lamps is a maker of lamps."
    asked = talk(("what is reed", box), ("who is the ceo", "Run by Ann Bell."), title="Reed Lamps")
    read = whole("when was it founded?", asked)
    assert read is not None
    assert read.goal == "when was it founded? (reed ceo)"
    other = talk(("what is reed", box), ("who is the ceo", "Run by Ann Bell."), title="Boats")
    read = whole("when was it founded?", other)
    assert read is not None
    assert read.goal == "when was it founded? (ceo)"


def test_who_shows_up_names_something_and_show_me_does_not() -> None:
    turns = [
        ("where is the lamp fair", "It is in Graz."),
        ("what if he doesnt show up", "He pays."),
    ]
    reading = whole("and his lawyer?", talk(*turns))
    assert reading is not None
    assert reading.goal == "what if his lawyer doesnt show up?"
    asked = talk(turns[0], ("show me more", "It is big."))
    reading = whole("and the duck fair?", asked)
    assert reading is not None
    assert "show" not in reading.goal


def test_why_it_was_less_than_the_year_before_is_no_question_for_that_year() -> None:
    asked = talk(("how many terns left Velmark in 2022", "The terns left Velmark in May."))
    reading = whole("why less than the year before", asked)
    assert reading is not None
    assert reading.goal == "why less than in 2021 (Velmark)"


@pytest.mark.parametrize(
    ("asked", "question", "read"),
    [
        ("why do terns leave Velmark", "how many a year?", "(terns leave Velmark)"),
        ("why do terns leave Velmark", "why so many less than the year before",
         "(terns leave Velmark)"),
        ("can i feed terns bread", "and if a hen is ill, is there anything?", "(feed terns bread)"),
        ("who discovered terns first", "why are they called that?", "(terns first)"),
        ("how do i get rid of the terns", "are they gone then", "(terns)"),
    ],
)  # fmt: skip
def test_what_names_nothing_is_asked_of_what_was_spoken_of(
    asked: str, question: str, read: str
) -> None:
    assert leans(question)
    reading = whole(question, talk((asked, "The terns leave Velmark in May.")))
    assert reading is not None
    assert reading.goal == f"{question} {read}"


def test_an_ellipsis_is_one_of_the_question_that_was_just_refused() -> None:
    history = talk(("where is Graz", "Graz lies in Styria."), ("how many ducks in 2022", None))
    for question, read in (
        ("and in 2018?", "how many ducks in 2018?"),
        ("and Linz?", "where is Linz?"),
    ):
        reading = whole(question, history)
        assert reading is not None
        assert reading.goal == read
    assert whole("and in 2018?", history[2:]) is not None


def test_of_whom_a_person_was_told_is_searched_for_and_not_asked() -> None:
    reading = whole("how old is she?", talk(("who wed Jan of Linz", "Jan wed Ida Holm in Linz.")))
    assert reading is not None
    assert reading.goal == "how old is she? (Ida Holm)"
    assert reading.query == "how old is she? Ida Holm Jan Linz"


def test_what_something_is_to_be_is_asked_of_what_was_spoken_of() -> None:
    history = talk(("what is Velmark", "Velmark is a lens."))
    for question, read in (
        ("ok for small kids?", "is Velmark ok for small kids?"),
        ("and safe in the rain?", "is Velmark safe in the rain?"),
    ):
        assert leans(question)
        assert plan_by_rule(question, history).goal == read


def test_where_it_was_asked_of_at_first_it_stays_what_the_document_is_about() -> None:
    passage = "Velmark needs a disk. Velmark takes 2 GB on the disk."
    history = talk(("how much space does it need on my disk", "Velmark takes 2 GB on the disk."),
                   passage=passage, title="Velmark Handbook")  # fmt: skip
    reading = whole("does it run on a mac?", history)
    assert reading is not None
    assert reading.carried == ("Velmark",)


def test_the_verb_of_a_question_is_no_topic() -> None:
    for asked, carried in (
        ("which birds did the study look at", ("birds", "study")),
        ("which rents do they pay", ("rents",)),
        ("which birds did the study find in the marsh", ("birds", "study", "find", "marsh")),
    ):
        reading = whole("how rare are they", talk((asked, "There are many of them.")))
        assert reading is not None
        assert reading.carried == carried


def test_those_are_of_the_year_that_was_asked_about_last() -> None:
    history = talk(
        ("how many children are enrolled in 2021", "In 2021 there are 58."),
        ("and in 2014?", "In 2014 there were 55."),
    )
    last = history[-1].answer
    assert last is not None
    assert last.search is not None
    plan = replace(last.search.plan, goal="how many children are enrolled in 2014?")
    history[-1] = replace(history[-1], answer=replace(last, search=SearchResult(plan, ())))
    reading = whole("how many of those in private schools", history)
    assert reading is not None
    assert reading.carried == ("children", "enrolled", "2014")


def test_what_was_asked_of_a_thing_is_not_the_thing() -> None:
    history = talk(("what does a badge cost for the year", "A badge costs 30 euros."))
    reading = whole("and where do i get one", history)
    assert reading is not None
    assert reading.carried == ("badge",)
