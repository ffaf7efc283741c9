"""What a model is told of the conversation before it writes a query."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.planning.prompts import (
    Request,
    plain_request,
    rewrite_request,
    sections_request,
    several_request,
)
from core.types import Answer, Claim, Message, Support

SAID = "It was built in 1874. It cost 5 million."
ANSWER = Answer(
    "Q?",
    SAID,
    claims=(
        Claim(0, 21, (1,), Support.SUPPORTED),
        Claim(22, len(SAID), (1,), Support.UNSUPPORTED, "The number 5 is not in the source."),
    ),
)
HISTORY = [Message(1, "assistant", SAID, datetime(2026, 11, 24, tzinfo=UTC), ANSWER)]


@pytest.mark.parametrize(
    "request_",
    [
        rewrite_request("And who paid?", HISTORY, "b"),
        several_request("And who paid?", HISTORY, "b"),
        sections_request("And who paid?", HISTORY, "b", (), 3),
        plain_request("And who paid?", HISTORY, "b"),
    ],
)
def test_what_no_source_supported_is_told_as_unconfirmed(request_: Request) -> None:
    told = request_.messages[1].text
    assert f"Answer: {SAID} (not confirmed by a source)\n" in told
