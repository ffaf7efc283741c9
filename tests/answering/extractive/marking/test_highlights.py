"""The words that answer, and nothing where they are not clear."""

from __future__ import annotations

import pytest

from core.answering.extractive.marking.highlights import (
    is_replaced,
    mark_by_clause,
    mark_words,
    only_reports,
    widened,
    within_clause,
)
from core.answering.extractive.structures.tables import mark_cell, mark_record


@pytest.mark.parametrize(
    ("question", "sentence", "words"),
    [
        ("When did Tesla die?", "Tesla died on 7 January 1943 in New York.", "7 January 1943"),
        ("wie viel Geld bekam sie", "Für 14 Tage zahlte er ihr 3.201,38 Euro brutto.",
         "3.201,38 Euro"),
        ("wie lang sind die Köder", "Köder von 10 bis maximal 16 cm an 20 g.",
         "10 bis maximal 16 cm"),
        ("bei wie viel grad backen", "Ihn bei 175 °C für etwa 80 Minuten backen.", "175 °C"),
        ("how tall was he", "Height 6 ft 3 in (1.91 m)", "6 ft 3 in"),
        ("how much was Figma", "We bought Figma for approximately $20 billion in cash.",
         "approximately $20 billion"),
        ("how many lamps", "As figure 2 shows, 14 lamps are lit.", "14 lamps"),
        ("how many MSPs are there", "Of the 129 MSPs, 73 are elected directly.", "129 MSPs"),
        ("How long does it last?", "It lasts from a few days up to several months.",
         "from a few days up to several months"),
        ("how often do passwords change", "Passwords must change at least every 90 days.",
         "at least every 90 days"),
        ("who founded microsoft", "Microsoft was founded by Bill Gates and Paul Allen in 1975.",
         "Bill Gates and Paul Allen"),
        ("where was Tesla born?", "Tesla was born in Smiljan.", "Smiljan"),
        ("why did allen leave?", "Allen left in 1983 because of his health.",
         "because of his health"),
        ("what is oxygen", "Oxygen is a gas in the air, discovered in 1773.", "a gas in the air"),
        ("is pickle safe", "Be careful, the pickle module is not secure.",
         "the pickle module is not secure"),
        ("are babies born with antibodies", "It passes over, so babies have antibodies at birth.",
         "babies have antibodies at birth"),
        ("who came up with the name", "Davies is credited with that term.", "Davies"),
        ("what does lor stand for", "We light the Lamp Oil Register (LOR) in June.",
         "Lamp Oil Register"),
        ("who founded it", "It was founded by former ARPA IPTO director Larry Roberts.",
         "Larry Roberts"),
        ("who invented it", "Paul Baran developed it, in work funded by the Ministry of Defence.",
         "Paul Baran"),
        ("who founded it", "Telenet was founded by former director Larry Roberts in the USA.",
         "Larry Roberts"),
        ("which franchises earned most", "Our top two, Candy Crush and Call of Duty, led.",
         "Candy Crush and Call of Duty"),
        ("what are the two kinds of cells", "There are two: the killer cell and the helper cell.",
         "the killer cell and the helper cell"),
        ("which protocol version is the default", "Currently the default protocol is 4, as before.",
         "4"),
        ("how many people work there",
         "As of 2 May 2022 we employed 29,239 people, 51% in Linz and 49% in Graz.",
         "29,239 people"),
        ("how many people work there", "In 12 towns and 3 lands there are 240 people and 9 dogs.",
         "240 people"),
        ("what percentage works in Linz", "Of 29,239 people 51% work in Linz.", "51%"),
        ("what is code 660", "Code 660: the divers of the pier", "the divers of the pier"),
        ("where is Velmark", "Velmark is a town in the north of Amber, near the sea.",
         "a town in the north of Amber"),
        ("who was Ada Reed", "Ada Reed was a builder of bridges, like Tom Hale.",
         "a builder of bridges"),
        ("was it a success?", 'It was, as he said, "the dearest,"[4] and it became a success.[5]',
         "it became a success"),
        ("are you open on monday", "We are open from 9 am to 6 pm, and closed on Mondays.",
         "closed on Mondays"),
        ("who pays for repairs", "Small repairs are paid by the tenants.", "the tenants"),
        ("when can i water", "Hoses may be used before 9 am and after 6 pm only.",
         "before 9 am and after 6 pm"),
        ("when do you open", "Call us on Monday, 8:30 to 17:00.", "Monday, 8:30 to 17:00"),
        ("what is her email address", "Write to jo.bell@pier.example, please.",
         "jo.bell@pier.example"),
        ("what's the website", "See https://pier.example/a (in English).",
         "https://pier.example/a"),
        ("what is the phone number", "Write to Jo or call 0800 555 210, Monday to Friday.",
         "0800 555 210"),
        ("what does a half plot cost", "The fee stays at £45 a plot; half plots pay £25.", "£25"),
        ("is water included", "It includes water and waste collection.",
         "It includes water and waste collection"),
        ("what temperature", "Bake it at about 200°C /400F for 20 minutes.", "about 200°C /400F"),
        ("how often is it read", "The meter is read twice a year, in May.", "twice a year"),
        ("how old was she", "Zoe Anderson, 24, was overcome by gas.", "24"),
        ("why is it not liable", "It is not liable because it did not sell, lend, or give it.",
         "because it did not sell, lend, or give it"),
        ("do guests pay for meals", "Guests may have to pay for towels, meals and tours, too.",
         "Guests may have to pay for towels, meals and tours"),
        ("Wie hoch ist der Beitrag?", "Der Beitrag beträgt 180 Euro.", "180 Euro"),
        ("Wo hat der Verein seinen Sitz?", "Der Verein hat seinen Sitz in Linz.", "Linz"),
        ("when is it open", "The garden is open from April to October.", "April to October"),
        ("when is rent due", "The rent is due on the third working day.", "third working day"),
        ("wann ist sie offen", "Im Februar ist die Halle zu.", "Februar"),
        ("ab wann legen sie", "Das Ei kommt ab neun bis zehn Monaten.", "ab neun bis zehn Monaten"),
        ("Wann starb Tesla?", "Tesla starb am 7. Januar 1943.", "7. Januar 1943"),
    ],
)  # fmt: skip
def test_the_words_that_answer(question: str, sentence: str, words: str) -> None:
    span = mark_words(question, sentence)
    assert span is not None
    assert sentence[span[0] : span[1]] == words


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("When did Tesla die?", "Tesla loved pigeons."),
        ("When is it open?", "You may come at will."),
        ("When is it due?", "In 1901, 1902 and 1903 it was due on the third working day."),
        ("who founded microsoft", "microsoft sells software."),
        ("who was Ada Reed", "Ada Reed built it, and Tom Hale paid for it."),
        ("how much does it cost", "Download a free 14-day trial of the program."),
        ("who owns amber", "Amber, Inc. owns both of the boats, and more."),
        ("who was Ada Reed", "She came with Tom Hale."),
        ("are dogs allowed on Amber", "Boats go on the Amber where there is room."),
        ("which engine is better", "Ada Reed praised it, Tom Hale did not."),
        ("was it a success in the shops", "It was sold in Graz, and later in Linz."),
        ("which colour is best for boats", "The harbour is narrow at its northern end."),
        ("what is oxygen", "Uppsala was the home of Scheele."),
        (
            "what is glass",
            "Glass will grow in towns where the likely gain of harbours, shops and boats pass "
            "the known risk and where risks are small.",
        ),
        ("how many rules are there", "They are in the sense of the definition in § 1."),
    ],
)
def test_nothing_where_it_is_not_clear(question: str, sentence: str) -> None:
    assert mark_words(question, sentence) is None


def test_the_cell_of_the_column_that_is_asked_for() -> None:
    header, row = "Year | Revenue in million | Employees[191]", "2010 | 62,484 | 89,000"
    start, end = mark_cell("How many employees in 2010?", [header], row) or (0, 0)
    assert row[start:end] == "89,000"
    assert mark_cell("Who is the king?", [header], row) is None
    assert mark_cell("How many employees in 2010?", [header], "2010 | 62,484") is None


@pytest.mark.parametrize(
    ("question", "row", "words"),
    [
        ("how many geese in 2021?", "Geese: 2020 95 | 2021 110 | 2022 130", "2021 110"),
        ("how old is Ida?", "name: Ida | age: 30 | city: Graz", "30"),
        ("who is Ida?", "name: Ida | age: 30 | city: Graz", ""),
        ("how many geese?", "2020 95 | 2021 110", ""),
    ],
)
def test_the_cell_of_a_record(question: str, row: str, words: str) -> None:
    start, end = mark_record(question, row) or (0, 0)
    assert row[start:end] == words


@pytest.mark.parametrize(
    ("question", "sentence", "read", "words"),
    [
        ("when did it open", "It was opened on 21 January 1788.", "1788", "21 January 1788"),
        ("how much was it", "We paid approximately $1.24 billion.", "$1.24",
         "approximately $1.24 billion"),
        ("how many ships", "It has 17 ships.", "17", "17 ships"),
        ("what is the total", "Total: 5,675.71 €", ": 5,675.71 €", "5,675.71 €"),
        ("how often", "At least every 90 days.", "90 days", "At least every 90 days"),
        ("who designed it", "It was designed by Enric Miralles in May.", "Enric", "Enric Miralles"),
        ("who founded it", "Bill Gates and Paul Allen founded it.", "Bill Gates",
         "Bill Gates and Paul Allen"),
        ("who led it", "It was led by Ada Reed, Ph.D., of Graz.", "Ada Reed", "Ada Reed"),
        ("who is the adviser", "Their adviser, Ada Reed, Jo Bell, and Tom Hale came.",
         "Ada Reed, Jo Bell", "Ada Reed"),
        ("who are the advisers", "Their advisers, Ada Reed, Jo Bell, and Tom Hale came.",
         "Ada Reed", "Ada Reed, Jo Bell, and Tom Hale"),
        ("what did they sell", "Ada Reed and Tom Hale sold oil.[3]", "oil.[3]", "oil"),
        ("what did Ada do", "Ada Reed and Tom Hale sold oil.", "sold oil", "sold oil"),
    ],
)  # fmt: skip
def test_what_was_read_is_widened_to_the_whole_of_it(
    question: str, sentence: str, read: str, words: str
) -> None:
    at = sentence.index(read)
    start, end = widened(question, sentence, (at, at + len(read)))
    assert sentence[start:end] == words


@pytest.mark.parametrize(
    ("question", "row", "words"),
    [
        ("what does it cost with extras", "Price with extras | € 69.290,00", "€ 69.290,00"),
        ("who is the contact", "Order: | 12-56 | | Contact: | | Jo Reed |", "Jo Reed"),
        ("what is the order", "Order: | 12-56 | | Contact: | | Jo Reed |", "12-56"),
    ],
)
def test_the_value_behind_the_name_of_a_field_is_marked(
    question: str, row: str, words: str
) -> None:
    start, end = mark_record(question, row) or (0, 0)
    assert row[start:end] == words


def test_what_a_row_is_about_is_not_what_is_asked_of_it() -> None:
    header, row = "Code | Unit cost | Notes", "SKU-77 | $15.75 | "
    start, end = mark_cell("what is the unit cost of SKU-77", [header], row) or (0, 0)
    assert row[start:end] == "$15.75"
    assert mark_cell("the code SKU-77", [header], row) is None
    start, end = mark_cell("unit cost of SKU-77", [header], "SKU-77 | $15.75") or (0, 0)
    assert (start, end) == (9, 15), "cells at the end may be empty"


def test_of_a_label_and_its_value_the_value_is_marked() -> None:
    row = "Net income | US$73.4 billion"
    start, end = mark_record("what is the net income", row) or (0, 0)
    assert row[start:end] == "US$73.4 billion"
    assert mark_record("what is the revenue", row) is None


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("price of the desk", "499.00"),
        ("who supplies the desk", "Fenwick"),
        ("what do you know of the desk", None),
        ("price and stock of the desk", None),
    ],
)
def test_the_field_that_a_question_names_is_marked(question: str, value: str | None) -> None:
    row = "name: Desk Alto | price_eur: 499.00 | stock: 0 | supplier: Fenwick"
    span = mark_record(question, row)
    assert (span and row[span[0] : span[1]]) == value


@pytest.mark.parametrize(
    ("question", "sentence", "words"),
    [
        ("what does a half plot cost", "The fee stays at £45 a plot; half plots pay £25.", "£25"),
        ("what does a plot cost", "A plot costs £45, and £25 is the deposit.", "£45"),
        ("how long is the lease", "It begins on 1 May 2025 and runs for two years.", "two years"),
        (
            "when are you open",
            "The museum is open from Tuesday to Sunday, 9 am to 6 pm, not on 25 May.",
            "from Tuesday to Sunday, 9 am to 6 pm",
        ),
        (
            "when does the lease end",
            "The lease begins on 1 March 2025 and runs for two years, until 28 February 2027.",
            "28 February 2027",
        ),
        ("when did it start", "It ran from 3 May 2019 to 8 May 2020.", "3 May 2019"),
        ("when does it end", "Open from 12/20/2024 to 12/31/2024.", "12/31/2024"),
        (
            "how many night schools are there",
            "All 40 night schools of the town and eight others are paid.",
            "40 night schools",
        ),
        (
            "how many cases were there in 2011",
            "In 2011 we had 235 cases and 8 arrests. In 2010 we had 218 cases.",
            "235 cases",
        ),
        (
            "who won in Velmark",
            "Ida Holm, 27, won with 58% of the vote, defeating Jo Reed.",
            "Ida Holm",
        ),
        ("who led the shop", "Ida Holm won the vote, defeating Jo Reed.", None),
        ("who is the boss", "Ida Holm is here with Jo Reed, the boss.", None),
        ("who won the vote in Linz", "Linz won it by far from Jo Reed.", None),
        ("how many cases were there", "In 2011 it had 235 cases, in 2010 it had 218 cases.", None),
        ("when was it built", "It ran from 3 May 2019 to 8 May 2020.", None),
        ("what does it cost", "One is £45; the other is £25.", None),
        ("bei wie viel grad backen", "Ihn bei 175 °C für etwa 80 Minuten backen.", None),
        ("when does it end", "It runs for two years.", None),
        ("how many towns allow milk", "Tea (9 towns), milk (7 towns), salt (4 towns)", "7 towns"),
        ("how many towns allow soap", "Tea (9 towns), milk (7 towns), salt (4 towns)", None),
    ],
)
def test_the_clause_says_which_amount_it_is(
    question: str, sentence: str, words: str | None
) -> None:
    span = mark_by_clause(question, sentence)
    assert (sentence[slice(*span)] if span else None) == words


@pytest.mark.parametrize(
    ("question", "sentence", "read", "words"),
    [
        ("where was it printed", "It came out in the Velmark Post, and it was read by all.",
         "Velmark Post, and it was read", "Velmark Post"),
        ("when is it paid", "The record date is 7 May, the meeting is on 9 May, and 27 May is it.",
         "7 May, the meeting is on 9 May, and 27 May", ""),
        ("when is it paid and how much is it",
         "The record date is 7 May, the meeting is on 9 May, and 27 May is it.",
         "7 May, the meeting is on 9 May", ""),
        ("when is it paid", "The record date is 7 May, and it is paid on 27 May.",
         "7 May, and it is paid on 27 May", "27 May"),
        ("when is the fair", "The fair lasts from 7 May until 9 May.", "7 May until 9 May",
         "7 May until 9 May"),
        ("how much is prime", "Prime is a $119-a-year service that 100 million people have.",
         "$119-a-year service that 100 million", "$119"),
        ("what is prime", "Prime is a $119-a-year service for people.",
         "$119-a-year service", "$119-a-year service"),
        ("what did she sell", "She sold lamps, oil and rope in the north.", "lamps, oil and rope",
         "lamps, oil and rope"),
    ],
)  # fmt: skip
def test_what_was_read_goes_as_far_as_its_clause(
    question: str, sentence: str, read: str, words: str
) -> None:
    start = sentence.index(read)
    found = within_clause(question, sentence, (start, start + len(read)))
    assert (sentence[slice(*found)] if found else "") == words


@pytest.mark.parametrize(
    ("question", "sentence", "reports"),
    [
        ("who was killed", "Mayor Holm said that two guards were killed.", True),
        ("who was killed", "Mayor Holm, of Graz, said two guards were killed.", True),
        ("wer wurde getötet", "Bürgermeister Holm sagte, dass zwei Wachen getötet wurden.", True),
        ("who said that guards were killed", "Mayor Holm said that guards were killed.", False),
        ("who will resign", "Mayor Holm said that she will resign.", False),
        ("who was shocked", "Mayor Holm said: “I was shocked.”", False),
        ("who was killed", "Mayor Holm was killed.", False),
        ("when were they killed", "Mayor Holm said that they were killed in May.", False),
    ],
)
def test_who_only_tells_of_others_is_not_set_off(
    question: str, sentence: str, reports: bool
) -> None:
    start = sentence.index("Holm")
    assert only_reports(question, sentence, (start, start + 4)) is reports


@pytest.mark.parametrize(
    ("question", "sentence", "replaced"),
    [
        ("who is the ceo", "Ada Finn succeeded Reed as CEO.", True),
        ("who's the chair", "Ada Finn became the chair in place of Reed.", True),
        ("who is the ceo", "The CEO, Reed, succeeded Ada Finn.", False),
        ("who was the ceo", "Ada Finn succeeded Reed as CEO.", False),
        ("wer ist der chef", "Ada Finn folgte auf Reed.", True),
    ],
)
def test_who_was_replaced_is_not_who_it_is_now(
    question: str, sentence: str, replaced: bool
) -> None:
    start = sentence.index("Reed")
    assert is_replaced(question, sentence, (start, start + 4)) is replaced
