"""Questions that lean on the conversation, and how they read when they are put whole."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from core.planning.follow_ups import (
    CARRIED_OVER,
    ellipsis,
    leans,
    needs_question,
    points_back,
    whole,
)
from core.planning.routes import Route
from core.planning.rules import other_reading, plan_by_rule
from core.types import (
    Abstention,
    Answer,
    Citation,
    DocumentKind,
    Message,
    Notice,
    QueryPlan,
    SearchResult,
)

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def talk(
    *turns: tuple[str, str | None], goal: str = "", passage: str = "", title: str = ""
) -> list[Message]:
    """A history of questions, each with what its answer quotes; None is a refusal."""
    history: list[Message] = []
    for question, quote in turns:
        plan = QueryPlan(question, goal or question, (question,))
        answer = Answer(question, quote or "", search=SearchResult(plan, ()))
        if quote is None:
            answer = replace(answer, abstention=Abstention("nothing", 1, 1))
        else:
            cited = Citation(
                1, "c", "d", "x.txt", DocumentKind.TEXT, 0, None, 0, len(quote), quote,
                passage=passage, title=title,
            )  # fmt: skip
            answer = replace(answer, citations=(cited,))
        history.append(Message(0, "user", question, NOW))
        history.append(Message(0, "assistant", quote or "", NOW, answer))
    return history


@pytest.mark.parametrize(
    "question",
    [
        "What does RRF do and what is its constant?",
        "what is a whale and how is it different from a fish",
        "When was the tower built, and by whom was it paid?",
        "Is it true that whales sleep?",
        "How many ferries are there in the harbour?",
        "and which whales live in the north?",
        "What is the name of the harbour master of Graz?",
        "¿Cuál es la capital?",
        "which ferries sail at night? all of them",
        "Können Sie den Turm beschreiben?",
    ],
)
def test_a_question_that_stands_alone(question: str) -> None:
    assert not leans(question)


@pytest.mark.parametrize(
    "question",
    [
        "how long does that last?",
        "When will it close?",
        "what did they rename it to?",
        "who designed the building",
        "and in 2014?",
        "what about RRF?",
        "und 2010?",
        "nach wem ist sie benannt",
        "are small ones allowed too?",
        "how many did Graz have in May",
        "can i go and watch them?",
        "And why?",
        "what was sold the year before?",
    ],
)
def test_a_question_that_leans(question: str) -> None:
    assert leans(question)


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


RELEASE = (
    "The net debt of Northstar rose. Its revenue, net sales, cash flow and profit are shown below."
)


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


@pytest.mark.parametrize(
    ("asked", "question", "read"),
    [
        (
            "what is the revenue of Northstar",
            "and the profit?",
            "what is the profit of Northstar?",
        ),
        (
            "what is the revenue of Northstar",
            "and velmark?",
            "what is the revenue of velmark?",
        ),
        ("whats the net debt", "what about the cash flow?", "whats the cash flow?"),
    ],
)
def test_a_common_word_replaces_what_was_asked_and_a_name_of_whom(
    asked: str, question: str, read: str
) -> None:
    reading = whole(question, talk((asked, "Northstar made it."), passage=RELEASE))
    assert reading is not None
    assert reading.goal == read


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


def test_what_is_named_with_what_it_is_for_stands_alone() -> None:
    assert not leans("wer hat das verfahren fürs recycling entwickelt")
    assert leans("wer hat das verfahren entwickelt")


def test_the_topic_is_that_of_the_question_that_stood_alone() -> None:
    history = talk(("where is Graz", "Graz lies in Styria."), ("how old is it", "It is Old Norse."))
    reading = whole("who founded it", history)
    assert reading is not None
    assert reading.carried == ("Graz",)


def test_what_was_measured_is_carried_over_and_not_the_measure() -> None:
    reading = whole("when was it built", talk(("how tall was velmark tower", "Height 12 m")))
    assert reading is not None
    assert reading.carried == ("velmark", "tower")


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


def test_he_is_the_person_of_the_last_answer() -> None:
    history = talk(("who is the harbour master", "The post is held by Ida Holm since May."))
    reading = whole("where did she live before?", history)
    assert reading is not None
    assert reading.carried[:2] == ("Ida", "Holm")


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
         "Kdaj je umrl?", "Kdaj je umrl? (Jan Holm svetilnik)"),
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


def test_the_new_part_alone() -> None:
    assert ellipsis("ok, and what about whales?") == "whales"
    assert ellipsis("and when somebody leaves?") == "when somebody leaves"
    assert ellipsis("and when does it leave?") == ""
    assert ellipsis("what about it") == ""


def test_which_questions_are_read_both_ways() -> None:
    history = talk(("where is Graz", "Graz lies in Styria."))
    by_pronoun = plan_by_rule("how old is it", history)
    assert other_reading(by_pronoun, history) is None
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


def test_there_is_the_place_that_was_named_before() -> None:
    history = talk(
        ("how many people live in velmark", "Velmark has 300 people."),
        ("how much does it cost for kids", "Admission is 6 euros."),
    )
    read = whole("what can i see there", history)
    assert read is not None
    assert read.carried == ("velmark",)


def test_another_column_of_the_table_replaces_what_was_counted() -> None:
    history = talk(
        ("how many ships did they have in 2010", "2010 | 12 | 34"),
        passage="Year | Ships | Revenue\n2010 | 12 | 34\n\nThe ships of Graz sail to Graz.",
    )
    read, other = whole("and revenue?", history), whole("and linz?", history)
    assert read is not None
    assert read.goal == "how many revenue did they have in 2010?"
    assert other is not None
    assert other.goal == "how many ships did linz have in 2010?"
    for name in ("graz", "Revenue"):
        read = whole(f"and {name}?", history)
        assert read is not None
        assert read.goal == f"how many ships did {name} have in 2010?"


def test_a_question_without_a_verb_and_a_name_leans() -> None:
    history = talk(("how do i make the focaccia", "Stir the yeast."))
    reading = whole("what temperature", history)
    assert leans("what temperature")
    assert reading is not None
    assert reading.goal == "what temperature (make focaccia)"
    assert not leans("what Python version")


@pytest.mark.parametrize(
    ("asked", "quote", "carried"),
    [
        (
            "what happened to the plumber",
            "He said that Hartley had closed his business.",
            "Hartley",
        ),
        ("what happened to the plumber", "Hartley was seen by Jo Bell.", None),
        ("what happened to Hartley", "Hartley had closed his business in May.", "Hartley"),
        ("what happened to the plumber", "He played in the 1994–95 Hartley.", None),
        ("what happened to the plumber", "He came to a town by the Hartley.", None),
    ],
)
def test_he_is_the_one_name_that_an_answer_has(asked: str, quote: str, carried: str | None) -> None:
    reading = whole("how long was his sentence", talk((asked, quote)))
    assert reading is not None
    named = {"Hartley", "Jo", "Bell"} & set(reading.carried)
    assert named == ({carried} if carried else set())


def test_a_german_noun_is_nobody() -> None:
    quote = "Der Diener ist ein wortkarges Schaf, von dem man Unterwürfigkeit annehmen darf."
    history = talk(("für wen arbeitet alfred", quote))
    answer = history[1].answer
    assert answer is not None
    start = quote.index("Unter")
    history[1] = replace(history[1], answer=replace(answer, highlights=((start, start + 15),)))
    reading = whole("woher hat er sein geld", history)
    assert reading is not None
    assert "Unterwürfigkeit" not in reading.carried


def test_an_article_before_a_verb_is_a_pronoun() -> None:
    assert points_back("kann ich den vorher kündigen?")
    assert points_back("darf man die essen?")
    assert not points_back("kann ich den vertrag vorher kündigen?")


def test_she_is_whom_the_answer_to_who_sets_off() -> None:
    history = talk(("who died", "Graduate Zoe died within 30 minutes of a leak in Bath."))
    answer = history[1].answer
    assert answer is not None
    history[1] = replace(history[1], answer=replace(answer, highlights=((9, 12),)))
    reading = whole("how old was she", history)
    assert reading is not None
    assert reading.carried[0] == "Zoe"


@pytest.mark.parametrize("asked", ["at what temperature", "bei welcher temperatur"])
def test_at_what_asks_of_what_was_spoken_of(asked: str) -> None:
    reading = whole(asked, talk(("how do i bake the focaccia", "Stir it.")))
    assert reading is not None
    assert reading.goal == f"{asked} (bake focaccia)"


def test_an_article_at_the_end_is_a_pronoun() -> None:
    assert leans("was kostet der?")
    assert leans("und wo ist die")
    assert not leans("was kostet der Sitz?")


@pytest.mark.parametrize(
    ("question", "back"),
    [
        ("warum ist das gefährlich", True),
        ("wer hat das entschieden", True),
        ("wo ist das bad", False),
        ("wie hoch ist das gehalt", False),
    ],
)
def test_an_article_before_an_adjective_is_a_pronoun(question: str, back: bool) -> None:
    assert points_back(question) is back


def test_the_least_is_asked_for_in_place_of_the_most() -> None:
    asked = talk(("which town had the highest rent in 2019", "Linz had the highest rent."))
    assert whole("and the lowest", asked).goal == "which town had the lowest rent in 2019?"
    assert "lowest fee in 2019" not in whole("and the lowest fee", asked).goal
    other = talk(("what is the rent in Linz", "It is 9 euros."))
    assert whole("and the lowest", other).goal != "what is the lowest rent in Linz?"


def test_per_whom_is_added_to_what_was_asked() -> None:
    reading = whole("and per student", talk(("what did it cost in 2004", "It cost 9 euros.")))
    assert reading is not None
    assert reading.goal == "what did it cost in 2004 per student?"


@pytest.mark.parametrize(
    ("question", "back"),
    [
        ("How does the kiln K40 dry its tiles?", False),
        ("how do lichens get their water", False),
        ("What did Ida Holm do in her youth?", False),
        ("Wo hat der Verein seinen Sitz?", False),
        ("Wie viele Leute müssen anwesend sein?", False),
        ("Wer ist sein Chef?", True),
        ("what do critics say about its end", True),
        ("did the critics like its plot", True),
        ("what is the size of its tank", True),
        ("how does the company pay its staff", True),
    ],
)
def test_what_is_owned_may_have_its_owner_in_the_same_clause(question: str, back: bool) -> None:
    assert points_back(question) is back


def test_a_general_noun_before_another_is_not_one_named_before() -> None:
    assert not leans("does the museum get money from the state lottery")
    assert leans("how much does the company earn")


def test_since_when_names_nothing_that_it_could_mean() -> None:
    assert points_back("since when does it exist")
    assert not points_back("since when the shop was founded, does it exist")


def test_the_verb_is_not_what_another_thing_replaces() -> None:
    reading = whole("and the rice", talk(("how long do i roast the chicken", "Roast it long.")))
    assert reading is not None
    assert reading.goal == "how long do i roast the rice?"


def test_what_stands_for_a_preposition_and_a_question_is_whole() -> None:
    assert ellipsis("bei wieviel grad") == ""
    assert ellipsis("and in may?") == "in may"


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
