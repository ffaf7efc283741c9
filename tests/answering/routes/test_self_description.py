"""What a document says of itself: the sentence that says what it is, not its boilerplate."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.routes.self_description import captions, columns, self_description
from core.types import Document, DocumentKind, DocumentState, Heading, Page


def document(label: str, title: str = "") -> Document:
    return Document("a" * 64, "s", label, label, DocumentKind.TEXT, DocumentState.READY, title)


@pytest.mark.parametrize(
    ("label", "text", "wanted"),
    [
        (
            "grey_whale.txt",
            "All rights reserved by the owner of this site. It was a cold day at the coast. "
            "The grey whale is a baleen whale that migrates between feeding grounds.",
            "The grey whale is a baleen whale that migrates between feeding grounds.",
        ),
        (
            "NORTHSTARLINES_2020.pdf",
            "The registrant is a large filer pursuant to the act. Northstar Lines, Inc. is a "
            "leading operator of ferries in the north.",
            "Northstar Lines, Inc. is a leading operator of ferries in the north.",
        ),
        (
            "x.pdf",
            "Rain fell on the town for the whole of that week. This handbook, issued every year, "
            "explains the duties of the harbour master.",
            "This handbook, issued every year, explains the duties of the harbour master.",
        ),
        (
            "funding.pdf",
            "The lamps of the town are an old thing in it. Rain fell on the pier all day long. "
            "The town must pay for pupils even where they choose to study what a town provides.",
            "The lamps of the town are an old thing in it.",
        ),
        (
            "x.pdf",
            "Talks go on between all who take part in them. The ferry to the island is paid for "
            "by the harbour fund. Dues of the harbour fund. Ferry and harbour fund. Ferry dues.",
            "The ferry to the island is paid for by the harbour fund.",
        ),
        (
            "x.pdf",
            "It is free of towels, as is the custom here. Guests of the sauna wear what they like.",
            "Guests of the sauna wear what they like.",
        ),
        (
            "lamp-oil.txt",
            "In addition, lamp oil burns in all of the lamps of the coast. "
            "Lamp oil burns in the lamps of the town.",
            "Lamp oil burns in the lamps of the town.",
        ),
        (
            "lamp-oil.txt",
            "Fortunately, lamp oil is a thing that all can pay for. "
            "Lamp oil is a liquid that burns.",
            "Lamp oil is a liquid that burns.",
        ),
        (
            "harbour-guide.pdf",
            "The aim of this guide is to provide an overview of what harbour staff do each day. "
            + "Rain fell on the pier and on the nets that lay there. " * 30
            + "The harbour bell is an alias for the horn of the ferry.",
            "The aim of this guide is to provide an overview of what harbour staff do each day.",
        ),
        (
            "Velmark guild.pdf",
            "Rain fell on the town for the whole of that week. " * 40
            + "The guild bell is an old horn of the ferry. The Velmark guild is a body of makers.",
            "The Velmark guild is a body of makers.",
        ),
        (
            "Grey Khan.txt",
            "Before Grey Khan died, he left the valley to his sons. "
            "Grey Khan had the people of the town come to the hall, where he said that he was the "
            "flail of the north.",
            "Before Grey Khan died, he left the valley to his sons.",
        ),
        (
            "date.html",
            "If date is a string, it is ignored. The date module supplies classes for days.",
            "The date module supplies classes for days.",
        ),
        (
            "whales-today.html",
            "Whales today. Jo Reed (born 3 May 1960) is a painter of ships and of the sea. "
            "For many of the years that followed she was seen at Whales Today.",
            "Jo Reed (born 3 May 1960) is a painter of ships and of the sea.",
        ),
        (
            "ferry logging.html",
            "This page contains the reference for all. This module defines the functions and "
            "classes of a system for the logging of ferries.",
            "This module defines the functions and classes of a system for the logging of ferries.",
        ),
        (  # an article may open with a day, and a photo's caption has no full stop
            "court-on-the-ferry.html",
            "The ferry of the year, as many of its guests saw it from the pier at Halden\n\n"
            "On Thursday, the court found that it can be sold. A ferry has many guests "
            "in the summer.",
            "On Thursday, the court found that it can be sold.",
        ),
        (
            "brain.html",
            "Many of the people of the town have asked what the brain is for. A new "
            "study investigates when the moment of the brain takes place.",
            "A new study investigates when the moment of the brain takes place.",
        ),
        (
            "3M 10-K.txt",
            "The Company's shares are sold to everyone who asks for some of them. 3M is a "
            "technology company with a presence in many businesses.",
            "3M is a technology company with a presence in many businesses.",
        ),
        (
            "0000764478.txt",
            "Lamps and candles are the oldest of lights for a town. We are a maker of lamps "
            "for all of the towns on the river.",
            "We are a maker of lamps for all of the towns on the river.",
        ),
        (
            "harbour.html",
            "Then the harbour is a port that was compared with others. "
            "The harbour is the home of a fleet of ferries.",
            "The harbour is the home of a fleet of ferries.",
        ),
        (
            "tides.html",
            "The moon is a body that moves the sea. In this blog post, we explore how it matters.",
            "In this blog post, we explore how it matters.",
        ),
        (
            "words-of-tides.md",
            "This glossary explains what is said of tides. "
            "The spring tide of words is the highest of tides.",
            "This glossary explains what is said of tides.",
        ),
        (
            "Tide Tables.pdf",
            "Tide tables are lists of high water. Four rules stand here, and the rest of this book "
            "shows how each is kept.",
            "Tide tables are lists of high water.",
        ),
        (
            "olive bread.html",
            "Follow our guide: olive bread is a soft bread of the south, and easy to make. "
            "Olive bread has olives in it, and much more oil than others.",
            "Olive bread has olives in it, and much more oil than others.",
        ),
        (
            "plumber.html",
            "A father lost his child to a leak of gas from a boiler on Monday. "
            "“You knew that gas is an evil that people do not see. So it is the worst of all.” "
            "So it is a danger to all who have a plumber in the house.",
            "A father lost his child to a leak of gas from a boiler on Monday.",
        ),
        (
            "0000-17.pdf",
            "As this report shows, we may lose guests. In this report, the terms “we” and “us”"
            " mean the Harbour Company. We are a leading provider of ferries and of boats.",
            "We are a leading provider of ferries and of boats.",
        ),
        (
            "snow avalanches.html",
            "The week was mild, and few slopes gave way. In 2011 the danger was a low one too. "
            "It had been quiet for a month or more in all the valleys that know avalanches.",
            "The week was mild, and few slopes gave way.",
        ),
        (
            "Grey Lamp.pdf",
            "The Grey Lamp mast company was a firm of the harbour. The Grey Lamp is a lamp.",
            "The Grey Lamp is a lamp.",
        ),
        (
            "Harbour results.pdf",
            "The harbour did well, said its head: “We had an excellent team in all of the year. "
            "The harbour had more guests than in any year before it.",
            "The harbour had more guests than in any year before it.",
        ),
        (
            "10-K.txt",
            "The SEC maintains a website that contains reports of issuers that file with it. "
            "Acme is a maker of lamps and of shades for the towns on the river.",
            "Acme is a maker of lamps and of shades for the towns on the river.",
        ),
        (
            "Graz.txt",
            "Man sieht dort viele Menschen am Fluss sitzen. Graz ist die zweitgrößte Stadt des "
            "Landes und liegt an der Mur.",
            "Graz ist die zweitgrößte Stadt des Landes und liegt an der Mur.",
        ),
    ],
)
def test_the_sentence_that_says_what_it_is(label: str, text: str, wanted: str) -> None:
    (told,) = self_description(document(label), [Page(0, text)], 1)
    assert told.sentence.text == wanted


def test_a_sentence_with_all_of_the_title_says_what_it_is() -> None:
    text = (
        "Rope on a reel is a thing that sails of a ship hang on. "
        "Here are the ten best ways to fold your sails on deck."
    )
    (told,) = self_description(
        document("p.html", "The Ten Best Ways to Fold Your Sails"), [Page(0, text)], 1
    )
    assert told.sentence.text == "Here are the ten best ways to fold your sails on deck."


def test_marks_of_footnotes_behind_the_full_stop_are_no_part_of_the_sentence() -> None:
    text = (
        "For the band of this name, see the list of other bands.\n\n"
        "Lamp oil is a liquid that burns, made by Jo Reed and her sons.[1][note 2]"
    )
    (told,) = self_description(document("lamp-oil.txt"), [Page(0, text)], 1)
    assert told.sentence.text.startswith("Lamp oil is a liquid")


def test_the_abstract_counts() -> None:
    text = "Some words stand here before it all.\n\nAbstract\n\nSalt keeps fish for many months."
    page = Page(0, text, headings=(Heading(text.index("Abstract"), 1, "Abstract"),))
    (told,) = self_description(document("p.pdf"), [page], 1)
    assert told.sentence.text == "Salt keeps fish for many months."


def test_a_section_on_the_scope_of_the_document_counts() -> None:
    text = "Some words stand here before it.\n\nScope of this guide\n\nSalt keeps fish a long time."
    page = Page(0, text, headings=(Heading(text.index("Scope"), 1, "Scope of this guide"),))
    (told,) = self_description(document("p.pdf"), [page], 1)
    assert told.sentence.text == "Salt keeps fish a long time."


@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("The lamps that were used in this report are few.",
         "The objective of this analysis was to find how many lamps burn in the harbour."),
        ("Every lamp matrix of the harbour is a bright one.",
         "In mathematics, a lamp is a square of lights that is equal to its own turned square, so "
         "that each light of it is the same as the light beside it:"),
    ],
)  # fmt: skip
def test_what_a_document_says_it_is_stands_before_its_first_sentences(
    before: str, says: str
) -> None:
    text = f"{before}\n\n{says}\n\nThe rest of it tells of other things in the harbour."
    found = self_description(document("7719.pdf"), [Page(0, text)], 1)
    assert [told.sentence.text for told in found] == [says]


def test_what_is_put_in_behind_a_name_is_no_part_of_it() -> None:
    text = "South Velmark, often called SoVel, is a geographic region that comprises ten towns."
    one, other = (
        self_description(document("South_Velmark.txt"), [Page(0, said)], 1)[0].worth
        for said in (text, text.replace(", often called SoVel,", " (SoVel)"))
    )
    assert one == pytest.approx(other, abs=0.1)


def test_the_rest_of_a_sentence_and_a_formula_say_nothing() -> None:
    text = (
        "The registrant hereby agrees to the notes of its former issuer, of which (a) 3.625%\n\n"
        "Guaranteed Notes are the ones that this report describes for its readers in full."
    )
    assert self_description(document("form.pdf"), [Page(0, text, number=1)], 1) == []
    caption = "Media caption The keeper told the paper on the quay that oil is a cost."
    assert self_description(document("form.pdf"), [Page(0, caption)], 1) == []
    formal = "This document, with its exhibit, contains the tags of the year that is reported."
    assert self_description(document("form.pdf"), [Page(0, formal)], 1) == []


def test_a_document_of_tables_is_told_by_a_caption() -> None:
    rows = "".join(f"Graz{n} 12 14\n" for n in range(6))
    notes = "The shares are shown for all of the towns that were asked about it."
    page = f"Table 1. Lamps by town and year\n{rows}\n{notes}\n\nTable 2. Shades by town\n{rows}"
    (told,) = captions([Page(0, page)], 1)
    assert told.sentence.text == "Table 1. Lamps by town and year"
    assert captions([Page(0, page[: page.index("Table 2")])], 1) == []
    assert captions([Page(0, f"Table 1. Lamps\n\nTable 2. Shades\n\n{notes} {notes}")], 1) == []


def test_a_table_is_told_by_its_columns() -> None:
    (told,) = columns([Page(0, "sku | name | price\nA-1 | Lamp | 39.90\n")])
    assert told.sentence.text == "sku | name | price"
    assert columns([Page(0, "Lamps are sold here.")]) == []
    (told,) = columns(
        [Page(0, "shop\n\nsku | name\nsku: A-1 | name: Lamp\nsku: B-2 | name: Oil\n")]
    )
    assert told.sentence.text == "sku: A-1 | name: Lamp"


def test_a_title_says_more_than_the_name_of_its_site() -> None:
    told = self_description(
        replace(document("a.html"), title="Ferries sold by the court of Halden | The Daily Page"),
        [
            Page(
                0,
                "The Daily Page is a paper of the coast. The court of Halden has allowed that the "
                "ferries are sold.",
            )
        ],
        1,
    )
    assert told[0].sentence.text == "The court of Halden has allowed that the ferries are sold."


def test_what_stands_late_seldom_says_what_it_is() -> None:
    text = (
        "A ferry line carries people over the water by a timetable. "
        + "The boats come in with the tide and leave with it again. " * 80
        + "\n\nThe Maine ferry line was a line of boats that Jo Reed had designed."
    )
    (told,) = self_description(document("ferry line.txt"), [Page(0, text)], 1)
    assert told.sentence.start == 0
