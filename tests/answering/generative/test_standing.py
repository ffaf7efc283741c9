"""What an answer is worth as a whole: an answer, unsupported, or a refusal in other words."""

from __future__ import annotations

import pytest

from core.answering.generative.standing import Standing, standing
from core.types import STATES_NOTHING, Claim, Support

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
