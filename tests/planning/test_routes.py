"""The table of routes: which messages are searched, and which are answered in another way."""

from __future__ import annotations

import pytest

from core.planning.routes import Route, Smalltalk, route_of


@pytest.mark.parametrize(
    ("message", "says"),
    [
        ("Hello!", Smalltalk.GREETING),
        ("hi there, how are you?", Smalltalk.GREETING),
        ("Guten Tag", Smalltalk.GREETING),
        ("thanks", Smalltalk.THANKS),
        ("ok thanks, bye", Smalltalk.THANKS),
        ("Vielen Dank!", Smalltalk.THANKS),
        ("ok", Smalltalk.NOD),
        ("Alles klar.", Smalltalk.NOD),
        ("goodbye", Smalltalk.FAREWELL),
        ("What can you do?", Smalltalk.ABILITIES),
        ("was kannst du?", Smalltalk.ABILITIES),
    ],
)
def test_messages_that_ask_nothing(message: str, says: Smalltalk) -> None:
    routed = route_of(message)
    assert (routed.route, routed.says) == (Route.SMALLTALK, says)


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("What is this about?", ()),
        ("what are these files about", ()),
        ("Summarise", ()),
        ("ok, please give me an overview of the report", ()),
        ("Which documents do you have?", ()),
        ("What is this manual for?", ()),
        ("Fass das Dokument zusammen", ()),
        ("Worum geht es hier?", ()),
        ("summarize the whale article please", ("whale",)),
        ("Summarise the paper on attention", ("attention",)),
    ],
)
def test_questions_about_whole_documents(question: str, subjects: tuple[str, ...]) -> None:
    routed = route_of(question)
    assert (routed.route, routed.subjects) == (Route.OVERVIEW, subjects)


@pytest.mark.parametrize(
    ("question", "subjects", "aspect"),
    [
        ("Compare BM25 and dense retrieval", ("BM25", "dense retrieval"), ""),
        ("compare the price of tea and coffee", ("tea", "coffee"), "price"),
        ("What is the difference between a list and a tuple?", ("list", "tuple"), ""),
        ("diffrence between tea and coffee", ("tea", "coffee"), ""),
        ("How do cats differ from dogs?", ("cats", "dogs"), ""),
        ("apples vs. oranges", ("apples", "oranges"), ""),
        ("Was ist der Unterschied zwischen Tee und Kaffee?", ("Tee", "Kaffee"), ""),
    ],
)
def test_comparisons(question: str, subjects: tuple[str, ...], aspect: str) -> None:
    routed = route_of(question)
    assert (routed.route, routed.subjects, routed.aspect) == (Route.COMPARISON, subjects, aspect)


def test_a_second_pair_after_a_comparison() -> None:
    assert route_of("and between tea and cocoa?", Route.COMPARISON).subjects == ("tea", "cocoa")
    assert route_of("and between tea and cocoa?").route is Route.SEARCH


@pytest.mark.parametrize(
    ("question", "phrase", "without"),
    [
        ("How many times is Ida Holm mentioned?", "Ida Holm", False),
        ("Where is the lighthouse mentioned?", "lighthouse", False),
        ("which documents mention salt", "salt", False),
        ("Which of the documents never mention bread?", "bread", True),
        ("List every passage that mentions salt", "salt", False),
        ("Wie oft wird Ida Holm erwähnt?", "Ida Holm", False),
        ("Wo kommt der Leuchtturm vor?", "Leuchtturm", False),
    ],
)
def test_questions_about_the_wording(question: str, phrase: str, without: bool) -> None:
    routed = route_of(question)
    assert (routed.route, routed.subjects, routed.without) == (Route.LEDGER, (phrase,), without)


@pytest.mark.parametrize(
    "question",
    [
        "hi, who is the treasurer?",
        "ok and what about Graz?",
        "thanks, and how long does it take?",
        "How many members are there?",
        "How often is the backup used?",
        "What does the contract say about termination?",
        "What is the report's conclusion about growth?",
        "which documents do I need for a visa?",
        "who wrote the book about whales?",
        "outline the steps to install it",
        "where is the library located",
        "What is the default?",
        "",
        "?",
    ],
)
def test_everything_else_is_searched(question: str) -> None:
    assert route_of(question).route is Route.SEARCH
