"""The table of routes: which messages are searched, and which are answered in another way."""

from __future__ import annotations

import pytest

from core.planning.routes import FINDINGS, PARTS, Route, Routed, Smalltalk, route_of


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
        ("whats this", ()),
        ("what is all this about?", ()),
        ("what r these docs about", ()),
        ("whats in here", ()),
        ("what are all these", ()),
        ("so what is all this stuff", ()),
        ("whats all this stuff about", ()),
        ("what do we have here", ()),
        ("what is the document", ()),
        ("what is this paper", ()),
        ("what is the main idea", ()),
        ("give me the key points of the report", ()),
        ("in one sentence, what is this?", ()),
        ("tell me about this document", ()),
        ("what have i uploaded", ()),
        ("what kind of document is this", ()),
        ("how long is the document", ()),
        ("worum gehts", ()),
        ("quel est le sujet du document ?", ()),
        ("de quoi s'agit-il ?", ()),
        ("summarise the second document", ()),
        ("what is the other file about", ()),
        ("how many pages", ()),
        ("how many pages does it have?", ()),
        ("wie viele seiten hat das", ()),
        ("what are these files about", ()),
        ("Summarise", ()),
        ("ok, please give me an overview of the report", ()),
        ("Which documents do you have?", ()),
        ("What is this manual for?", ()),
        ("Fass das Dokument zusammen", ()),
        ("Worum geht es hier?", ()),
        ("summarize the whale article please", ("whale",)),
        ("Summarise the paper on attention", ("attention",)),
        ("whats the daily page one about", ("daily page",)),
    ],
)
def test_questions_about_whole_documents(question: str, subjects: tuple[str, ...]) -> None:
    routed = route_of(question)
    assert (routed.route, routed.subjects) == (Route.OVERVIEW, subjects)


@pytest.mark.parametrize(
    ("question", "aspect", "subjects"),
    [
        ("table of contents", PARTS, ()),
        ("what chapters are there", PARTS, ()),
        ("how is it structured", PARTS, ()),
        ("list the sections of the whale manual", PARTS, ("whale",)),
        ("what are the main findings", FINDINGS, ()),
        ("what is the conclusion of this study?", FINDINGS, ()),
        ("what did they find", FINDINGS, ()),
        ("what does the paper conclude", FINDINGS, ()),
        ("summarise this", "", ()),
    ],
)
def test_what_alone_of_a_document_is_asked_for(
    question: str, aspect: str, subjects: tuple[str, ...]
) -> None:
    assert route_of(question) == Routed(Route.OVERVIEW, subjects, aspect)


@pytest.mark.parametrize(
    "question",
    ["what is the key point of RRF", "what is the structure of benzene", "what are the parts",
     "how is the company organized", "what is a topic", "what is the result"],
)  # fmt: skip
def test_what_only_sounds_like_a_whole_document_is_searched_for(question: str) -> None:
    assert route_of(question).route is Route.SEARCH


@pytest.mark.parametrize(
    ("question", "subjects"),
    [
        ("who wrote it?", ()),
        ("ok and who are the authors", ()),
        ("author?", ()),
        ("who is the author of this paper", ()),
        ("Who wrote the attention paper?", ("attention",)),
        ("wer hat das geschrieben", ()),
        ("wer sind die Autoren?", ()),
        ("qui sont les auteurs ?", ()),
        ("qui a écrit ça ?", ()),
    ],
)
def test_questions_about_the_authors_of_documents(question: str, subjects: tuple[str, ...]) -> None:
    routed = route_of(question)
    assert (routed.route, routed.subjects) == (Route.AUTHORS, subjects)


@pytest.mark.parametrize(
    "question",
    [
        "who wrote Hamlet?",
        "who is the author of Faust",
        "who wrote the code for BM25?",
        "who made it?",
    ],
)
def test_authors_of_other_things_are_searched_for(question: str) -> None:
    routed = route_of(question)  # a document may be called so: only the library tells
    assert routed.route is Route.SEARCH or (routed.scope and not routed.subjects)


@pytest.mark.parametrize(
    ("question", "subjects", "aspect"),
    [
        ("Compare BM25 and dense retrieval", ("BM25", "dense retrieval"), ""),
        ("compare the price of tea and coffee", ("tea", "coffee"), "price"),
        ("What is the difference between a list and a tuple?", ("list", "tuple"), ""),
        ("diffrence between tea and coffee", ("tea", "coffee"), ""),
        ("dense vs lexical search", ("dense search", "lexical search"), ""),
        ("white-box vs black-box tests", ("white-box tests", "black-box tests"), ""),
        ("difference between zenit and zenit pro", ("zenit", "zenit pro"), ""),
        ("difference between cats and lap dogs", ("cats", "lap dogs"), ""),
        ("difference between a deep copy and a shallow one", ("deep copy", "shallow copy"), ""),
        ("How do cats differ from dogs?", ("cats", "dogs"), ""),
        ("apples vs. oranges", ("apples", "oranges"), ""),
        ("which one is better bm25 or embeddings", ("bm25", "embeddings"), ""),
        ("what's best, tea or coffee?", ("tea", "coffee"), ""),
        ("should i use a list or a tuple", ("list", "tuple"), ""),
        ("whose revenue is bigger Acme or bolt works", ("Acme", "bolt works"), "revenue"),
        ("Was ist besser, Tee oder Kaffee?", ("Tee", "Kaffee"), ""),
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
        ("how often is the word lighthouse mentioned?", "lighthouse", False),
        ('How often does the word "salt" occur in these documents?', "salt", False),
        ("how many times does salt appear in the documents", "salt", False),
        ("How many documents mention salt?", "salt", False),
        ("how many passages mention the harbour", "harbour", False),
        ("how many reports refer to climate change?", "climate change", False),
        ('how many files contain the word "error"', "error", False),
        ("in how many documents is salt mentioned", "salt", False),
        ("How many mentions of salt are there?", "salt", False),
        ("count the occurrences of salt", "salt", False),
        ("Where is the lighthouse mentioned?", "lighthouse", False),
        ("where is MMR discussed", "MMR", False),
        ("where does the word tariff appear?", "tariff", False),
        ("where do they mention salt", "salt", False),
        ("where does the report mention Ida Holm", "Ida Holm", False),
        ("list every mention of Ida Holm", "Ida Holm", False),
        ('List all occurrences of "due process"', "due process", False),
        ("please list every passage that mentions salt", "salt", False),
        ("List every passage about salt", "salt", False),
        ("show me all places where salt is mentioned", "salt", False),
        ("find all sentences that mention the treasurer", "treasurer", False),
        ("which documents mention salt", "salt", False),
        ("Which reports discuss inflation?", "inflation", False),
        ("Which of the documents never mention bread?", "bread", True),
        ("which documents do not mention bread", "bread", True),
        ("which papers don't mention BM25?", "BM25", True),
        ("which documents contain the word salt", "salt", False),
        ('which documents don\'t contain "salt"', "salt", True),
        ("in which documents is salt not mentioned", "salt", True),
        ("Wie oft wird Ida Holm erwähnt?", "Ida Holm", False),
        ("Wie oft kommt das Wort Salz vor?", "Salz", False),
        ("Wo wird der Leuchtturm erwähnt?", "Leuchtturm", False),
        ("Wo kommt der Leuchtturm in den Dokumenten vor?", "Leuchtturm", False),
        ("Welche Dokumente erwähnen Salz nie?", "Salz", True),
        ("In welchen Dokumenten wird Salz erwähnt?", "Salz", False),
        ("wie viele Dokumente erwähnen Salz", "Salz", False),
        ("Nenne alle Stellen, wo Salz erwähnt wird", "Salz", False),
    ],
)
def test_questions_about_the_wording(question: str, phrase: str, without: bool) -> None:
    routed = route_of(question)
    assert (routed.route, routed.subjects, routed.without) == (Route.LEDGER, (phrase,), without)


@pytest.mark.parametrize(
    ("question", "scope"),
    [
        ("how often is salt mentioned in the whale report?", "the whale report"),
        ("Where is salt mentioned in the handbook?", ""),
        ("where does my annual report mention salt", "my annual report"),
        ("How many times do they mention salt?", ""),
    ],
)
def test_a_ledger_of_one_document(question: str, scope: str) -> None:
    routed = route_of(question)
    assert (routed.route, routed.subjects, routed.scope) == (Route.LEDGER, ("salt",), scope)


@pytest.mark.parametrize(
    "question",
    [
        "how many employees does Adobe have?",
        "How many members are there?",
        "How often is the backup used?",
        "How many documents are needed for a visa?",
        "how many documents did the committee review?",
        "How many pages does the report have?",
        "how many times did he win the cup?",
        "How often does an eclipse occur?",
        "how many times was she named player of the year?",
        "How many times was the paper cited?",
        "Where do wild ducks occur?",
        "where does the river appear on the surface",
        "Where was the treaty discussed?",
        "where is the library located",
        "where is the config file named",
        "where is he mentioned",
        "how often is it mentioned?",
        "which documents do I need for a visa?",
        "What documents contain the rules?",
        "which reports are due in May?",
        "which chapters are about whales",
        "list all references",
        "list all places to visit",
        "show me all places with vegetarian food",
        "list every employee",
        "list all mentions",
        "find all documents",
        "What does the contract say about termination?",
        "does the report mention salt?",
        "How many studies contain errors?",
        "How many policies have expired?",
        "which book won the prize?",
        "Wie oft kommt der Bus?",
        "Wie oft kommt Asthma bei Kindern vor?",
        "Wo kommt Gold vor?",
        "Wo wird Asthma behandelt?",
        "how many times per day should it be taken",
        "how often are the filters changed",
        "how often is the budget discussed",
        "how many words does the essay have?",
        "which files does zipfile open",
        "what reports does the SEC require",
        "how many contracts mention",
        "list all passages",
    ],
)
def test_questions_that_only_look_like_one_about_the_wording(question: str) -> None:
    assert route_of(question).route is not Route.LEDGER


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
        "where is the library located",
        "What is the default?",
        "",
        "?",
    ],
)
def test_everything_else_is_searched(question: str) -> None:
    assert route_of(question).route is Route.SEARCH


@pytest.mark.parametrize(
    ("question", "route", "scope"),
    [
        ("summarize genghis khan", Route.OVERVIEW, "genghis khan"),
        ("give me a short summary of the tax law", Route.OVERVIEW, "the tax law"),
        ("outline the steps to install it", Route.OVERVIEW, "the steps to install it"),
        ("who wrote specrel?", Route.AUTHORS, "specrel"),
    ],
)
def test_what_may_be_the_name_of_a_document(question: str, route: Route, scope: str) -> None:
    assert route_of(question) == Routed(route, scope=scope)
