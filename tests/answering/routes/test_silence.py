"""What an answer did not look into, and words that no document holds, are said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.routes.silence import (
    BEING_READ,
    rare_words,
    unknown_refusal,
    unknown_words,
    with_state,
)
from core.planning.follow_ups.completing import CARRIED_OVER
from core.types import Abstention, Document, DocumentKind, DocumentState, Notice
from tests.answering.routes.test_comparison import quoting


def document(
    label: str, state: DocumentState, searched: bool = True, language: str = "en"
) -> Document:
    return Document(
        label, "s", label, label, DocumentKind.TEXT, state, searched=searched, language=language
    )


READY = document("ready.txt", DocumentState.READY)
READING = document("reading.txt", DocumentState.READING)
FAILED = document("failed.txt", DocumentState.FAILED)
LEFT_OUT = document("left.txt", DocumentState.READY, searched=False)
UNTICKED = document("unticked.txt", DocumentState.READING, searched=False)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("how many people live in velmark?", ("velmark",)),
        ("who is the mayor of zorblax", ("zorblax",)),
        ("who is the ceo of siemens?", ("siemens",)),
        ("who is the head of the unit?", ()),
        ("what does hydroxychloroquine do to the heart?", ()),
        ("who pays for the costs of swiching?", ()),
        ("what is in dataframes of pandas?", ()),
        ("what happens when somebody gets fired?", ()),
        ("is there a rule of emailing reports?", ()),
        ("please summarise what the organisation did", ()),
        ("how many people live in Velmark?", ()),
        ("wie viele menschen leben in velmark?", ()),
    ],
)
def test_words_typed_small_that_can_only_be_names(question: str, words: tuple[str, ...]) -> None:
    assert rare_words(question) == words


def test_documents_that_were_not_searched_are_named() -> None:
    found = with_state(quoting("Tea is hot."), [READY, READING, FAILED, LEFT_OUT])
    assert [notice.code for notice in found.notices] == [BEING_READ]
    assert "reading.txt" in found.notices[0].text
    refused = replace(quoting(""), abstention=Abstention("nothing", 1, 1))
    said = with_state(refused, [READY, FAILED, LEFT_OUT])
    assert "failed.txt" in said.notices[0].text
    assert "left.txt" in said.notices[1].text


def test_what_is_left_out_is_not_waited_for_while_it_is_read() -> None:
    assert with_state(quoting("Tea is hot."), [READY, UNTICKED]).notices == ()
    refused = replace(quoting("No."), abstention=Abstention("nothing", 1, 1))
    said = with_state(refused, [READY, UNTICKED, replace(FAILED, searched=False)])
    assert [notice.code for notice in said.notices] == ["documents-not-read", "documents-left-out"]
    assert said.notices[1].text == "Left out of the search: unticked.txt."
    assert said.abstention == refused.abstention


def test_no_plain_refusal_while_documents_are_being_read() -> None:
    refused = replace(quoting("No."), abstention=Abstention("nothing", 1, 1))
    said = with_state(refused, [READY, READING])
    assert said.abstention is not None
    assert "still being read" in said.abstention.reason
    assert with_state(refused, [READY]) == refused


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("What did Holm say about the Zorblax?", ("Zorblax",)),
        ("How strong is the steel QX77-1?", ("QX77-1",)),
        ("What did Holm do in the 1980s and in Q3?", ()),
        ("Wer hat die Brücke gebaut?", ()),
        ("Zorblax what is it?", ()),
        ("How long did Holm wait b4 giving up?", ()),
        ("Why does Holm write \\u00fc and \\x1b?", ()),
        ("What does Holm say of the b4x?", ("b4x",)),
        ("Wer ist Ottokar Bründl?", ("Ottokar", "Bründl")),
        ("Wer ist Ottokar Holm?", ()),
        ("Wer hat den Verein gegründet?", ()),
    ],
)
def test_names_and_codes_that_no_document_holds(question: str, unknown: tuple[str, ...]) -> None:
    assert unknown_words(question, lambda word: word == "Holm") == unknown


def test_the_refusal_says_which_word() -> None:
    carried = Notice(CARRIED_OVER, "The question points back.")
    asked = replace(quoting("Tea is hot."), notices=(carried, Notice("spelling", "Read it so.")))
    answer = unknown_refusal(asked, ("Zorblax",), (3, 40))
    assert [notice.code for notice in answer.notices] == ["spelling"]
    assert answer.abstention is not None
    assert answer.abstention.reason == "No document has “Zorblax”."
    assert answer.abstention.searched_documents == 3
    assert answer.abstention.searched_chunks == 40
    assert (answer.citations, answer.claims) == ((), ())
    assert [one.quote for one in answer.unused] == ["Tea is hot."]
