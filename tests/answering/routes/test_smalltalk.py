"""Fixed replies: friendly, in the language of the message, with something to ask next."""

from __future__ import annotations

import pytest

from core.answering.routes.smalltalk import reply
from core.planning.routes import Route, Smalltalk
from core.types import Document, DocumentKind, DocumentState

WHALES = Document(
    "a" * 64, "s", "whales.txt", "whales.txt", DocumentKind.TEXT, DocumentState.READY, "On *Whales*"
)


@pytest.mark.parametrize("says", list(Smalltalk))
def test_every_message_has_a_reply_that_is_no_refusal(says: Smalltalk) -> None:
    answer = reply("hello", says, [WHALES])
    assert answer.text
    assert answer.route == Route.SMALLTALK
    assert answer.abstention is None
    assert answer.search is None


def test_a_greeting_suggests_a_question() -> None:
    assert r"Summarise On \*Whales\*" in reply("hello", Smalltalk.GREETING, [WHALES]).text
    asked = reply("hello", Smalltalk.GREETING, [WHALES], ["What is a whale?"]).text
    assert "- What is a whale?" in asked
    assert "Summarise" not in asked
    assert "No document can be asked yet" in reply("hello", Smalltalk.GREETING, []).text


def test_the_language_of_the_message() -> None:
    assert reply("danke!", Smalltalk.THANKS, [WHALES]).text.startswith("Gern geschehen")
