"""The measure that a question asks for is told from others in a text."""

from __future__ import annotations

import pytest

from core.answering.extractive.question.measures import DURATION, FREQUENCY, measure


@pytest.mark.parametrize(
    ("question", "says", "says_not"),
    [
        ("how often should i water it", "Water it every fourth day.", "It grows in 3 to 6 months."),
        ("how often is it read", "Meters are read twice a year.", "Meters are read in two years."),
        ("how often?", "Inspect the plants regularly.", "Inspect the plants."),
        ("what temperature", "Cook at 200°C /400F for 20 minutes.", "Cook it 20 minutes."),
        ("how hot does it get", "It reaches 85 degrees.", "It takes 85 days."),
        ("bei wie viel grad", "Bei 175 °C backen.", "Etwa 80 Minuten backen."),
        ("how many degrees is that", "It is set to 60 °C.", "It is set to 60 Hz."),
        ("how heavy is it", "It weighs 12.5 kg.", "It costs 12.5 euros."),
        ("how fast does light travel", "At 299,792 km per second.", "It travels 8 minutes."),
        ("how old was she", "Zoe Reed, 24, was a graduate.", "Zoe Reed was a graduate in 1924."),
        ("how old is the tool", "It is some 50,000 years old.", "It is 50,000 m away."),
        ("how far is the pier", "The pier is 300 m away.", "The pier is 300 years old."),
        ("wie groß werden Geier", "Sie werden 2,90 Metern groß.", "Seit 100 Jahren fort."),
        ("wie groß ist der Tank", "Er hat bis zu 1.704 Litern.", "Er hat 12 Türen."),
        ("how big is the farm", "It has 12 hectares.", "It has 12 cows."),
        ("how much faster is it", "It is 1.5 times as fast.", "It has two motors."),
        ("how much better is it", "It is better by 9% to 19%.", "Of these two, it is better."),
        ("how long do i bake it", "Bake it for 20 minutes.", "Bake it at 200 °C."),
        ("wie oft reinigen", "Alle sechs Monate reinigen.", "Alle sechs Pumpen reinigen."),
        ("wie laut ist sie", "Sie hat 52 Dezibel.", "Sie hat 52 Kilowatt."),
        ("wie viel wiegt sie", "Sie wiegt 128 Kilogramm.", "Sie misst 128 Meter."),
        ("wie oft wird gelesen", "Gelesen wird jeden Monat.", "Gelesen wird in drei Monaten."),
    ],
)  # fmt: skip
def test_what_a_text_says_of_it(question: str, says: str, says_not: str) -> None:
    said = measure(question)
    assert said is not None
    assert said.search(says)
    assert not said.search(says_not)


def test_what_asks_for_none() -> None:
    assert measure("how many boats are there?") is None
    assert measure("when does it open?") is None


def test_a_range_is_one_stretch() -> None:
    said = measure("what temperature is best?")
    assert said is not None
    found = said.search("Warm days (70°-85° degrees Fahrenheit) are best.")
    assert found is not None
    assert found.group() == "70°-85° degrees Fahrenheit"


def test_a_time_that_comes_again_is_no_duration() -> None:
    assert FREQUENCY.search("once a week")
    assert not FREQUENCY.search("once it is dry")
    assert not DURATION.search("regularly")


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("wie hoch ist der Turm", True),
        ("wie hoch ist die Anzahlung", False),
        ("how high is the tower", True),
        ("how high is the fee", False),
    ],
)
def test_a_height_is_that_of_a_building(question: str, asks: bool) -> None:
    assert (measure(question) is not None) is asks


def test_how_long_is_also_until_when() -> None:
    shape = measure("how long is it valid")
    assert shape is not None
    assert shape.search("Valid until: 17 April 2026")
    assert not shape.search("Wait until they come.")
