"""What is said about the sources or the question is no claim, unless a source says otherwise."""

from __future__ import annotations

import pytest

from core.verification.about_sources import holding, is_about_sources, lacks, without_opening


@pytest.mark.parametrize(
    "words",
    [
        "The sources do not mention the price of the pump.",
        "However, the provided documents don't specify the exact date.",
        "The date is not mentioned in the sources.",
        "No source says who won.",
        "There is no information about the price.",
        "I could not find the price in the sources.",
        "The provided context lacks a date.",
        "I'm sorry, but the sources do not contain information about the weather.",
        "Sorry, the text does not say this.",
        "I apologize, but the provided sources do not contain the price.",
        "I am afraid that the sources do not name a price.",
        "Based on the provided sources, there is no information about the weather.",
        "Es tut mir leid, aber die Quellen nennen keinen Preis.",
        "The question asks for a price.",
        "I apologize for any confusion.",
        "I apologize for the confusion in my previous response.",
        "Yes, you are correct.",
        "No, that's incorrect.",
        "Of course!",
        "Absolutely, I can help you with that.",
        "It is recommended to consult with a legal or financial professional.",
        "For more detailed information, contact the provider.",
        "You should consult a lawyer about the details of your case.",
        "It is recommended to consult with a tax advisor to understand the terms of the contract.",
        "Thank you for your question.",
        "As an AI, I don't know the answer.",
        "I am unable to help you with that.",
        "The answer is not in the provided sources.",
        "Not specified.",
        "Die Quellen nennen keinen Preis.",
        "Les sources ne disent rien du prix.",
        "Las fuentes no dicen el precio.",
        "The other source is not relevant.",
        "The other sources are irrelevant to the question.",
        "Source 2 is not directly relevant to your question.",
        "It is not relevant here.",
    ],
)
def test_about_the_sources(words: str) -> None:
    assert is_about_sources(words)


@pytest.mark.parametrize(
    "words",
    [
        "The pump does not need water.",
        "The study does not mention blood.",
        "The sources say that it costs 5 euros.",
        "There is no evidence that the vaccine harms.",
        "The price was not included.",
        "The sources do not name a price, but the pump is blue.",
        "We can see that sales grow.",
        "You are correct that the pump is blue.",
        "The pump is not relevant to safety.",
        "The other source is not relevant to minors under ten.",
        "Yes, the pump is correct.",
        "I apologize for the pump, which costs 5 euros.",
        "No, you would not lose all the traffic.",
        "Sure enough, sales grow.",
        "For more information, contact the experts of Acme.",
        "See the website for 5 euros off.",
        "It is not in the harbour.",
        "Unknown soldiers guard it.",
        "I don't know any bridge that is older.",
        "I cannot help but love it.",
        "Thanks to water the motor cools.",
        "You should consult a professional, since pumps explode in cold water.",
        "You can contact the experts because the pump leaks.",
        "Check valves protect the providers of water.",
        "I'm sorry, but the pump is blue.",
        "Sorry, the sources do not name a price, but the pump is blue.",
    ],
)
def test_about_the_matter(words: str) -> None:
    assert not is_about_sources(words)


@pytest.mark.parametrize(
    ("words", "source", "held"),
    [
        ("The sources do not mention the price of the pump.", "The price of the pump is 5 euros.",
         True),
        ("The sources do not mention the price of the pump.", "The pump is blue.", False),
        ("The sources do not say when the pump was sold.", "The pump was sold in 2019.", True),
        ("The sources do not say when the pump was sold.", "The pump was sold to Graz.", False),
        ("The sources do not say who sold the pump.", "The pump was sold.", False),
        ("The sources do not say how many pumps were sold.", "In 2019, 12 new pumps were sold.",
         True),
        ("The sources do not say how many pumps were sold.", "Pumps were sold in 2019 for $70.",
         False),
    ],
)  # fmt: skip
def test_a_source_that_says_otherwise(words: str, source: str, held: bool) -> None:
    missing = lacks(words)
    assert missing is not None
    assert (holding(missing, [source]) is not None) is held


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("According to the sources, it costs 5 euros.", "it costs 5 euros."),
        ("Based on the provided context, it is so.", "it is so."),
        ("The source says she left.", "she left."),
        ("It states that she left.", "she left."),
        ("However, according to the sources, it is so.", "it is so."),
        ("Yes, it costs 5 euros.", "it costs 5 euros."),
        ("No, it costs 5 euros.", "it costs 5 euros."),
        ("It is important to note that it costs 5 euros.", "it costs 5 euros."),
        ("In other words, it costs 5 euros.", "it costs 5 euros."),
        ("Similarly, it costs 5 euros.", "it costs 5 euros."),
        ("Similarly to Graz, it costs 5 euros.", "Similarly to Graz, it costs 5 euros."),
        ("No dogs, cats or birds.", "No dogs, cats or birds."),
        ("However it is done, it is so.", "However it is done, it is so."),
        ("It is so.", "It is so."),
        ("According to Graz, it is so.", "According to Graz, it is so."),
    ],
)
def test_what_joins_a_sentence_to_the_text_is_left_out(words: str, left: str) -> None:
    assert without_opening(words) == left
