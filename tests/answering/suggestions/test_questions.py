"""Questions made by rule: readable ones, of definitions, facts, tables and headings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.suggestions.questions import LONGEST, Suggestion, answers, suggestions
from core.planning.routes import Route
from core.types import Abstention, Answer, Heading, Page
from tests.answering.routes.test_comparison import quoting


def made(text: str, *headings: str, language: str = "en") -> list[str]:
    found = tuple(Heading(0, 1, title) for title in headings)
    page = Page(0, text, headings=found)
    return [one.question for one in suggestions("d", language, [page])]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("A tuple is an immutable sequence of values.", "What is a tuple?"),
        ("The immune system is a network of processes.", "What is the immune system?"),
        (
            "Packet switching is a method of grouping data. All packet switching is fast.",
            "What is packet switching?",
        ),
        ("DECnet is a suite of network protocols.", "What is DECnet?"),
        ("Killer T cells are a group of T cells.", "What are Killer T cells?"),
        (
            "The lighthouse of Port Amber was built in stone in 1874.",
            "When was the lighthouse of Port Amber built?",
        ),
        ("The firm was founded on 4 April 1975 by two friends.", "When was the firm founded?"),
        ("Ida Holm (born 2 May 1968) is a former diver.", "When was Ida Holm born?"),
        ("The firm employs about 9,100 people and grows.", ""),
        ("The firm also has three boats here.", ""),
        ("The sale was approved on 4 April 1975 by two friends.", ""),
        (
            "The firm has three large boats in the harbour.",
            "How many large boats does the firm have?",
        ),
        ("At the end of 2019, we had 1,187 stores in all.", "How many stores are there?"),
        ("The lamp is located in the north of it.", "Where is the lamp located?"),
        ("The club is based in the north of it.", ""),
        ("The city's boats are based in the north.", ""),
        ("The city's hall has three large boats in the harbour.", ""),
        ("An answer has four claims here.", ""),
        ("The crossing takes about 40 minutes.", "How long does the crossing take?"),
        ("The ticket costs 12 EUR for one person.", "How much does the ticket cost?"),
        ("Ida Holm, Chief Executive Officer, spoke.", ""),
        ("Ida Holm is the president of Velmark.", "Who is the president of Velmark?"),
        (
            "The report must be filed with the court within 30 days.",
            "When must the report be filed?",
        ),
        ("The highest class is the compact class of cars.", ""),
        ("Claims must be handed in within 30 days.", "When must claims be handed in?"),
        ("Loans must be paid back by the end of May.", "When must loans be paid back?"),
        ("Trains are the first choice for short journeys.", ""),
        ("Ducklings are a favourite of all foxes there.", "What are ducklings?"),
        ("Killings are a band. We saw the band Killings here.", "What are Killings?"),
        ("The following papers are required:", "Which papers are required?"),
        ("The following papers are also required:", ""),
        ("It uses a Virtual Private Network (VPN) for that.", "What does VPN stand for?"),
        ("It uses a Virtual Private Network (ABC) for that.", ""),
    ],
)
def test_a_sentence_gives_a_question(text: str, question: str) -> None:
    assert made(text) == ([question] if question else [])


@pytest.mark.parametrize(
    "text",
    [
        "Pal Sverre Valheim Hagen is a Norwegian actor.",
        "It is a method of grouping data.",
        "This document is a draft of the plan.",
        "The largest of these is the one in Graz.",
        "Ida Holm is a name that many know.",
        "There are an odd number of barrels.",
        "The value that is returned is a list of names.",
        "Lindisfarne are a folk-rock group.",
        "reverse is a boolean value.",
        "Additional offices are located in Graz.",
        "The Internationalisation of Telecommunications Interoperability is a process.",
        "The " + "very long name of a thing and " * 3 + "part is a part.",
    ],
)
def test_a_sentence_that_gives_none(text: str) -> None:
    assert made(text) == []


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Der Leuchtturm ist ein hoher Turm am Hafen.", "Was ist der Leuchtturm?"),
        ("Es ist ein hoher Turm.", ""),
        ("Dennoch ist die Anzeige ein Bild.", ""),
        ("Am Vorderrad ist ein Reifen zu sehen.", ""),
        ("Lüften ist ein Anfang.", ""),
        ("Solarstrom ist eine Form von Strom. Man nutzt Solarstrom.", "Was ist Solarstrom?"),
        ("Ida Holm (* 2. Mai 1968) ist Taucherin.", "Wann wurde Ida Holm geboren?"),
        (
            "Die Brücke wurde 1932 von Kindern eingeweiht.",
            "Wann wurde die Brücke eingeweiht?",
        ),
        ("Der Turm steht in der Nähe des Hafens.", "Wo steht der Turm?"),
        ("Die Karte kostet 12 Euro.", "Wie viel kostet die Karte?"),
        ("Die Fahrt dauert rund 40 Minuten.", "Wie lange dauert die Fahrt?"),
        ("Der Rat besteht aus neun Frauen.", "Woraus besteht der Rat?"),
    ],
)
def test_a_german_sentence(text: str, question: str) -> None:
    assert made(text, language="de") == ([question] if question else [])


def test_a_german_heading_is_asked_for_as_it_is() -> None:
    assert made("Ein Text.", "2. Fristen der Kündigung", language="de") == [
        "Was steht zu „Fristen der Kündigung“?"
    ]
    assert made("Ein Text.", "Weitere Fragen", "Einleitung", language="de") == []


def test_a_title_keeps_its_names() -> None:
    text = "Store Development\n\nWe like the shops of Port Amber."
    assert made(text, "Store Development") == ["What is said about store development?"]
    assert made(text, "Shops Near Amber") == ["What is said about shops near Amber?"]
    call = "We had the conference call on Monday."
    assert made(call, "Conference Call") == ["What is said about the conference call?"]
    assert made(text, "Number of Employees") == ["How many employees are there?"]


def test_a_row_of_a_table() -> None:
    text = "| Name | Price |\n| --- | --- |\n| Green tea | 3 EUR |\n| Coffee | free |\n"
    assert made(text) == ["What is the price of Green tea?"]


def test_a_row_of_a_csv_file_is_asked_for_without_the_name_of_its_column() -> None:
    rows = "| Department | Budget (EUR) |\n| Department: Harbour | Budget (EUR): 93200 |"
    assert made(f"Budgets\n\n{rows}\n") == ["What is the budget of Harbour?"]


def test_what_was_done_is_no_thing_to_ask_for() -> None:
    rows = "| Printer | Installed | Toner |\n| Plotter | 2018 | 88 |\n| Laser | 2021 | 7 |"
    asked = ["What is the toner of Plotter?", "What is the toner of Laser?"]
    assert made(f"Printers\n\n{rows}\n") == asked


def test_each_row_is_asked_for_another_of_its_figures() -> None:
    rows = "| Tour | Length (km) | Price |\n| Cliff path | 11 | 25 |\n| Mill tour | 3 | 9 |"
    asked = ["What is the length of Cliff path?", "What is the price of Mill tour?"]
    assert made(f"Tours\n\n{rows}\n") == asked


@pytest.mark.parametrize(
    ("heading", "question"),
    [
        ("3.1 Opening hours", "What is said about opening hours?"),
        ("How to install it", "How do I install it?"),
        ("2. What can be pickled?", "What can be pickled?"),
        ("Introduction", ""),
        ("References", ""),
        ("zipfile.ZipFile.open(name)", ""),
        ("3", ""),
        ("OPENING HOURS", ""),
    ],
)
def test_a_heading_without_its_number(heading: str, question: str) -> None:
    assert made("Some text.", heading) == ([question] if question else [])


def test_a_question_is_short_and_comes_once() -> None:
    text = "A tuple is a sequence of values. A tuple is a list that does not change."
    assert made(text) == ["What is a tuple?"]
    assert LONGEST == 60


TUPLE = Suggestion("What is a tuple?", "d1", sentence="A tuple is a sequence of values.")


def answer(text: str, *, direct: bool = True) -> Answer:
    return replace(quoting(text), confidence=0.95, direct=direct)


def test_it_is_kept_where_the_answer_opens_with_its_sentence() -> None:
    there = answer(TUPLE.sentence)
    cited = there.citations[0]
    own = replace(TUPLE, document_id=cited.document_id)
    assert answers(there, own)
    computed = answer(TUPLE.sentence, direct=False)
    assert not answers(computed, own)
    assert answers(replace(computed, route=Route.TABLE), own)
    assert not answers(answer("A list is a sequence that can change."), own)
    assert not answers(replace(there, abstention=Abstention("none", 1, 1)), own)
    assert not answers(there, replace(own, document_id="other"))
    under = replace(own, sentence="", heading="Sequences")
    assert not answers(there, under)
    headed = replace(there, citations=(replace(cited, headings=("Types", "Sequences")),))
    assert answers(headed, under)
    assert not answers(replace(headed, direct=False), under)
    far = replace(answer("A list can change at any time."), citations=headed.citations)
    assert not answers(far, under)
    titled = replace(answer("Sequences of it"), citations=headed.citations)
    assert not answers(titled, under)  # a heading is no answer
