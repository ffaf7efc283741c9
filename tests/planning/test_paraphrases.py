"""Everyday questions come with the words that documents use, and with none of their own."""

from __future__ import annotations

import pytest

from core.planning.paraphrases import beside, formal_words, formally
from core.text.terms import content_keys


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("how many people live there", "population"),
        ("how much profit did Velmark make", "net income"),
        ("when did Velmark acquire the island", "bought purchased ceded annexed"),
        ("what is the revenue of Acme", "sales"),
        ("when is revenue recognized", ""),
        ("how do i unpack a crate", "extract archive"),
        ("why are there empty lines in it", "newline extra"),
        ("how do i write them into a file", "filename"),
        ("how do i see what is inside the crate", "contents list"),
        ("what is inside the crate", ""),
        ("the heating is broken, what now", "repair damage fault"),
        ("the lift doesn't work", "repair damage fault"),
        ("who do i call then", "report contact telephone"),
        ("do i get the deposit back", "returned refunded"),
        ("is smoking ok?", "permitted allowed enough"),
        ("ok, what is broken ground", "repair damage fault"),
        ("how does the call work", ""),
        ("How many people work at Acme?", "employees employed"),
        ("how many employees work there", ""),
        ("who runs acme", "chief director president leader"),
        ("who makes the platters", "manufacturer maker"),
        ("who found it", "discovered"),
        ("what if it doesnt exist?", "missing absent nonexistent"),
        ("why does it exist", ""),
        ("when should i use a wick", "suits suitable"),
        ("when was it used", ""),
        ("what is it made of", "constructed consists material"),
        ("list all the CEOs", "chief executive officer"),
        ("what does a ticket cost", "price amount"),
        ("wann macht ihr zu?", "schließen schließt geschlossen"),
        ("was habt ihr zu essen", ""),
        ("ist das teuer", "Kosten Preis kostengünstig"),
        ("How much did Acme pay for Velmark?", "price amount bought acquired"),
        ("how tall is the tower", "height"),
        ("when was acme founded", "established incorporated"),
        ("what does he do now", "works worked since currently"),
        ("what do i do with the lid", ""),
        ("who founded acme", ""),
        ("Wie viele Menschen leben in Graz?", "Einwohner Bevölkerung"),
        ("What is the CFO?", "chief financial officer"),
        ("unzip a folder", "directory extract archive"),
        ("is the fee mandatory", "required"),
        ("how can I delete a file", "remove"),
        ("how do I get rid of a row", "remove"),
        ("how do I turn a word into a number", "convert parse"),
        ("how do I turn into the street", ""),
        ("which birds live there", "avian"),
        ("did they win?", "victory beat defeated verdict favor"),
        ("how much of the air is oxygen", "atmosphere"),
        ("can they remember it", "recall memory"),
        ("is it really gone?", "deleted removed"),
        ("is the train gone", ""),
        ("when did she get the job", "elected appointed position"),
        ("does my stuff get sent anywhere", "data documents"),
        ("who are the biggest customers", "largest accounted"),
        ("what messes up their grades", "academic performance"),
        ("what is oceanography", ""),
        ("How many ships are there?", ""),
        ("wie lange läuft der Vertrag", "Laufzeit Dauer"),
        ("wie weit kommt er", "Reichweite Entfernung"),
        ("wie weit ist es", "Entfernung"),
        ("wann krieg ich die Kaution zurück", "zurückgezahlt erstattet"),
    ],
)
def test_words_of_documents(question: str, words: str) -> None:
    assert formal_words(question) == tuple(words.split())


def test_who_came_up_with_it_asks_for_no_guest() -> None:
    assert formal_words("who came up with the name") == ()
    assert "present" in formal_words("who was at the meeting")


def test_they_stand_behind_the_question() -> None:
    asked = "how old is he"
    assert beside(asked, formal_words(asked)) == "how old is he (age born founded)"
    assert beside("What is a lens?", ()) == "What is a lens?"


@pytest.mark.parametrize(
    ("question", "held", "read"),
    [
        ("what if someone gets fired", "It is terminated.", "what if someone gets terminated"),
        ("what if someone gets fired", "It is baked.", "what if someone gets fired"),
        ("how do i get a new lamp", "Lamps are ordered.", "order lamp"),
        ("what if i am ill", "Sick leave", "what if i am sick"),
    ],
)
def test_everyday_words_are_put_as_documents_that_have_them(
    question: str, held: str, read: str
) -> None:
    assert formally(question, content_keys(held)) == read
