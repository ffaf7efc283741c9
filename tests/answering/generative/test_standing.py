"""What an answer is worth as a whole: an answer, unsupported, or a refusal in other words."""

from __future__ import annotations

import pytest

from core.answering.generative.prompts import NOT_FOUND
from core.answering.generative.standing import Standing, standing
from core.types import STATES_NOTHING, Claim, Support
from tests.standins.ollama import OllamaStandin
from tests.standins.scripts import Reply
from tests.support.asking import ask

LACKS = "The sources do not mention the price."
ASKS = "The question asks for the price now."


def stands(*claims: tuple[str, Support], not_found: bool = False) -> Standing:
    text, made = "", []
    for words, support in claims:
        reason = STATES_NOTHING if words in (LACKS, ASKS) else ""
        made.append(Claim(len(text), len(text) + len(words), (), support, reason))
        text += words + " "
    return standing(text, made, says_not_found=not_found)


@pytest.mark.parametrize(
    ("claims", "not_found", "expected"),
    [
        ([("It is 5.", Support.SUPPORTED), ("It is 6.", Support.UNSUPPORTED)], False,
         Standing.ANSWER),
        ([("It is 5.", Support.MATCHED)], True, Standing.ANSWER),
        ([("It is 6.", Support.UNSUPPORTED)], False, Standing.UNSUPPORTED),
        ([("It is 6.", Support.UNSUPPORTED)], True, Standing.REFUSAL),
        ([(LACKS, Support.UNCHECKED)], False, Standing.REFUSAL),
        ([(ASKS, Support.UNCHECKED)], False, Standing.UNSUPPORTED),
        ([(LACKS, Support.UNCHECKED), ("It is 6.", Support.UNSUPPORTED)], False,
         Standing.UNSUPPORTED),
        ([("x = 1", Support.UNCHECKED)], False, Standing.ANSWER),
        ([], False, Standing.UNSUPPORTED),
    ],
)  # fmt: skip
def test_standings(claims: list[tuple[str, Support]], not_found: bool, expected: Standing) -> None:
    assert stands(*claims, not_found=not_found) is expected


def test_an_answer_that_its_sources_do_not_support_says_so() -> None:
    with OllamaStandin() as standin:
        told = ask(standin, Reply(text="Penguins painted the ceiling purple [Source 1]."))
        assert "No sentence of this answer is supported by the sources that it names" in told.told
        told = ask(standin, Reply(text="The tower was built in 1889 [Source 1]."))
        assert "unsourced" not in told.told


@pytest.mark.parametrize(
    "said",
    [
        "The sources do not mention the price of the tower.",
        "I'm sorry, but the provided sources do not contain information about the price.",
        "As an AI language model, I cannot provide personal information.",
        "I'm sorry, but I can't assist with that.",
        "I don't know.",
        "Unknown.",
        "The answer is not in the provided sources.",
        f"I looked everywhere for you, but it is {NOT_FOUND}.",
    ],
)
def test_what_only_says_that_it_is_not_there_is_a_refusal(said: str) -> None:
    with OllamaStandin() as standin:
        told = ask(standin, Reply(text=said))
    assert told.answer.abstention
    assert told.shown == "", "what was on the screen is taken back"


def test_a_short_answer_without_a_mark_is_compared_and_not_said_to_be_from_memory() -> None:
    with OllamaStandin() as standin:
        (claim,) = ask(standin, Reply(text="In 1889.")).answer.claims
        assert claim.support is Support.MATCHED
        told = ask(standin, Reply(text="1889"))
        assert "nothing of it could be compared" in told.told
        assert "memory" not in told.told
