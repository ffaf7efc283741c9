"""What kind of answer a question wants, and whether nothing else can answer it."""

from __future__ import annotations

import pytest

from core.answering.extractive.question.answer_types import (
    Wanted,
    asked_keys,
    contact,
    holds,
    insists,
    names_what_is_asked,
    says_price,
    states,
    wanted,
)
from core.answering.extractive.question.happenings import names_event
from core.text.terms import content_keys, terms


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("When did Tesla die?", Wanted.TIME),
        ("when should i use a mean", Wanted.OTHER),
        ("when to use it", Wanted.OTHER),
        ("when should a form be sent", Wanted.TIME),
        ("who led the union when the wall was built", Wanted.PERSON),
        ("When the wall fell, what followed?", Wanted.OTHER),
        ("What is it called when rain freezes?", Wanted.DEFINITION),
        ("how many people came when it opened", Wanted.NUMBER),
        ("whos the mayor", Wanted.PERSON),
        ("whats a lens", Wanted.DEFINITION),
        ("what is the default timeout set to", Wanted.NUMBER),
        ("what is a set", Wanted.DEFINITION),
        ("wie groß ist der saal", Wanted.NUMBER),
        ("wie lang ist der saal", Wanted.NUMBER),
        ("What does the mayor do?", Wanted.DEFINITION),
    ],
)
def test_a_when_that_joins_a_clause_asks_for_no_time(question: str, kind: Wanted) -> None:
    assert wanted(question) is kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("who was ada lovelace", Wanted.DEFINITION),
        ("Who is Acme?", Wanted.DEFINITION),
        ("and whos karl marx?", Wanted.DEFINITION),
        ("Wer war Karl Marx?", Wanted.DEFINITION),
        ("who is acme", Wanted.PERSON),
        ("who is the mayor", Wanted.PERSON),
        ("who is vice president", Wanted.PERSON),
        ("who was first elected", Wanted.PERSON),
        ("who is chief executive", Wanted.PERSON),
        ("who was killed there", Wanted.PERSON),
    ],
)
def test_who_somebody_was_asks_what_he_was(question: str, kind: Wanted) -> None:
    assert wanted(question) is kind


@pytest.mark.parametrize(
    ("question", "only"),
    [
        ("Who is the inventor of BM25?", True),
        ("who wrote it", True),
        ("who is the ceo of Acme", True),
        ("who came up with the name", True),
        ("who thought up the plot", True),
        ("who came to the fair", False),
        ("In which year did it open?", True),
        ("When was the bridge built?", True),
        ("how many ships are there", True),
        ("how much is the fee for a mooring", True),
        ("Wie viele Schiffe gibt es?", True),
        ("how much money did she get", True),
        ("how much is a night there", True),
        ("was kostet das boot", True),
        ("what is the phone number (telephone call)", True),
        ("how much is the weight of the boat", False),
        ("Who may vote?", False),
        ("When should I use a tuple?", False),
        ("how much support is there", False),
        ("What is BM25?", False),
    ],
)
def test_which_questions_no_description_answers(question: str, only: bool) -> None:
    assert insists(question) is only


@pytest.mark.parametrize(
    ("kind", "text", "there"),
    [
        (Wanted.NUMBER, "It depends on the size and is due in May.", False),
        (Wanted.NUMBER, "There are over fifty of them.", True),
        (Wanted.PERSON, "The formula is by Karen Jones.", True),
        (Wanted.TIME, "It was built in the 16th century.", True),
        (Wanted.TIME, "It was built by hand.", False),
    ],
)
def test_what_a_text_holds(kind: Wanted, text: str, there: bool) -> None:
    asked = content_keys("In what century was it built?")
    assert holds(kind, text, terms(text), asked) is there


@pytest.mark.parametrize(
    ("kind", "text", "there"),
    [
        (Wanted.PERSON, "The formula TF-IDF is older than MMR.", False),
        (Wanted.PERSON, "The formula of Karen Jones is older.", True),
        (Wanted.NUMBER, "In 2019 it was sold to B2B brands.", False),
        (Wanted.NUMBER, "In 2019 it had 1,950 brands.", True),
        (Wanted.PERSON, "See http://www.example.org/Amber_in_Velmark for it.", False),
        (Wanted.PERSON, "A Velmark-led team wrote it.", False),
        (Wanted.TIME, "Es waren 101 Arbeitstage.", False),
        (Wanted.TIME, "The empire fell in 476.", True),
        (Wanted.TIME, "Written in AD 95 or later.", True),
    ],
)
def test_what_a_text_states(kind: Wanted, text: str, there: bool) -> None:
    assert states(kind, text, ()) is there


@pytest.mark.parametrize(
    ("question", "text", "there"),
    [
        ("how much is the filing fee", "The fee is set in section 330.", False),
        ("how much is the filing fee", "The fee is 310 dollars.", True),
        ("how much does entry cost", "Entry is free.", True),
        ("how much did it cost", "The whole amounted to about EUR 129 million.", True),
        ("how much did it cost", "It was CHF 4 873 in 2004.", True),
        ("how much did it cost", "The rate is 25.25 p/kWh.", True),
        ("how much did it cost", "Rs. 500 were paid.", True),
        ("was kostet das boot", "Der Listenpreis liegt bei 68.490,- Euro.", True),
        ("was kostet das boot", "Es hat 68 Plätze.", False),
        ("how much rain is there", "It rains on 330 days.", True),
        ("who is the mayor of Graz", "Jo Reed opened the theatre of Graz.", False),
        ("who is the mayor of Graz", "In Graz, Jo Reed was elected as mayor.", True),
        ("who is the director of the play", "Jo Reed acts in the play.", False),
        ("who is the director of the play", "The play was directed by Jo Reed.", True),
        ("who is the ceo of Acme", "Acme Pro is a solid platform.", False),
        ("who's the ceo", "Jo Reed is the managing director of Acme.", True),
        ("who is acme’s cfo", "Jo Reed, Chief Financial Officer, signed.", True),
        ("wer ist der geschäftsführer", "Die Platte gehört Acme Pro.", False),
        ("wer ist die Bürgermeisterin", "Ida Holm ist seit Mai Bürgermeisterin.", True),
        ("who opened the theatre", "Jo Reed came to Graz.", True),
        (
            "when was acme founded",
            "Acme was incorporated in 1929 to go on with what began then.",
            True,
        ),
        ("When was Acme founded?", "Founded | April 4, 1975", True),
        ("when was acme founded", "In 2002, she joined the Hall of Fame of Acme.", False),
        ("what year was acme founded", "The Form 8-K of Acme is of April 26, 2022.", False),
        ("when was ida holm born", "Ida Holm (3 May 1850 – 1921) built lighthouses.", True),
        ("when was ida holm born", "Ida Holm was born in May 1850.", True),
        ("when was ida holm born", "Ida Holm (1921) writes of the coast of 1850.", False),
        ("Wann wurde Acme gegründet?", "Acme kaufte 1998 die Werft.", False),
    ],
)
def test_a_price_is_money_and_an_office_or_a_beginning_is_named(
    question: str, text: str, there: bool
) -> None:
    assert names_what_is_asked(question, text) is there


@pytest.mark.parametrize(
    ("text", "person"),
    [
        ("Founded | April 4, 1975 in Albuquerque, New Mexico", False),
        ("The firm was founded in Velmark", False),
        ("Ida Holm founded the firm in Velmark", True),
        ("The firm was founded in Velmark by Ida Holm", True),
        ("The firm was founded for the Chief Executive Officer", False),
        ("Mr. Holm joined the firm", True),
    ],
)
def test_months_and_places_are_no_person(text: str, person: bool) -> None:
    assert states(Wanted.PERSON, text, {"found", "firm"}) is person


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("Hoses may be used before 9 am.", True),
        ("Open until 18:30.", True),
        ("It is due on the third working day of each month.", True),
        ("It is returned within six weeks of the end.", True),
        ("Sie ist am dritten Werktag fällig.", True),
        ("Sie wird sechs Monate nach dem Auszug gezahlt.", True),
        ("Es ist der nächste Schritt.", False),
        ("Guests may stay.", False),
        ("They march at dawn.", False),
        ("It opens in May.", True),
        ("There are 3 keys.", False),
    ],
)
def test_hours_and_days_that_come_again_are_times(text: str, there: bool) -> None:
    assert states(Wanted.TIME, text, ()) is there


def test_somebody_who_pays_is_a_person() -> None:
    assert states(Wanted.PERSON, "Small repairs are paid by the tenants.", ())


@pytest.mark.parametrize(
    ("question", "text", "there"),
    [
        ("what's the phone number?", "Call 0800 555 210.", True),
        ("does the landlord have a phone number", "Call 0800 555 210.", True),
        ("telefonnummer bitte", "Call 0800 555 210.", True),
        ("telephone number of Mr Falk", "Mr Falk, on +44 (0)20 7946-0000", True),
        ("what is the phone number", "There are 300 of them.", False),
        ("what is the phone number (telephone call)", "Call 0800 555 210.", True),
        ("what is the phone number", "They won the game, 106-103, at home.", False),
        ("what is the phone number", "From 12/20/24 - 12/31/24 it is shut.", False),
        ("what is the phone number", "It was 12 at $289.00 each.", False),
        ("what is the phone number", "It cost 1,250,000 euros in 2019.", False),
        ("what is the email address", "Write to jo@example.com.", True),
        ("what is the website?", "See www.example.org for more.", True),
        ("what is the website?", "See the shop.", False),
    ],
)
def test_the_form_of_a_number_or_an_address(question: str, text: str, there: bool) -> None:
    shape = contact(question)
    assert shape is not None
    assert (shape.search(text) is not None) is there
    assert names_what_is_asked(question, text) is there


@pytest.mark.parametrize(
    "question",
    [
        "what does the phone cost",
        "how many people came?",
        "the phone model",
        "How many redirects are followed when a web page is fetched?",
        "How many phones were sold?",
        "what is a URL?",
        "who designed the website?",
        "can i use my phone in the office?",
        "is email ok",
    ],
)
def test_what_asks_for_no_number_to_call(question: str) -> None:
    assert contact(question) is None


def test_words_that_only_ask_are_not_asked_for() -> None:
    assert asked_keys("how often does the ferry run?") == set(content_keys("ferry run"))
    assert asked_keys("how long is the long boat?") == set(content_keys("long boat"))


@pytest.mark.parametrize(
    ("text", "there"),
    [("The single-file form is short.", False), ("It has only a single lamp.", True)],
)
def test_single_counts_only_where_it_says_one(text: str, there: bool) -> None:
    assert states(Wanted.NUMBER, text, ()) is there


def test_wie_ist_asks_for_nobody() -> None:
    assert wanted("Wie ist die Nummer?") is not Wanted.PERSON
    assert wanted("Wie is dat?") is Wanted.PERSON


def test_the_german_article_is_no_event() -> None:
    assert names_event("Wer entscheidet über die Aufnahme?") == (set(), set())
    assert names_event("when did she die of it")[0] == {"die"}


def test_a_thing_with_a_code_is_nobody() -> None:
    assert not states(Wanted.PERSON, "The Zenith K40 is a machine.", ())
    assert states(Wanted.PERSON, "It was built by Ida Holm.", ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The vine is mostly pest and disease free.", False),
        ("The vine is free of pests.", False),
        ("The vine is free for members.", True),
        ("Vine | Free", True),
        ("A vine costs £5.", True),
    ],
)
def test_what_is_free_of_something_has_no_price(text: str, said: bool) -> None:
    for question in (
        "what is the price of a vine", "what does a vine cost", "does a vine cost anything",
    ):  # fmt: skip
        assert says_price(question, text) is said


def test_an_hour_may_be_a_word() -> None:
    assert states(Wanted.TIME, "Der Weg ist ab sieben Uhr frei.", ())
    assert states(Wanted.TIME, "It opens at two o'clock.", ())
    assert not states(Wanted.TIME, "Die Uhr ist rot.", ())


def test_a_number_to_call_may_be_asked_for_without_a_verb() -> None:
    for question in ("telefonnummer reparaturcafe", "phone number old mill"):
        assert contact(question) is not None
    assert contact("phone sales old mill") is None


def test_a_season_and_a_part_of_the_day_are_times() -> None:
    for text in ("It blooms in the early spring.", "Take it at night.", "Er blüht im Sommer."):
        assert states(Wanted.TIME, text, ())
    assert not states(Wanted.TIME, "The spring of the lock is red.", ())
