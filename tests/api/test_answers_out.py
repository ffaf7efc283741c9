"""An answer as the API sends it: what its check found, by citation."""

from __future__ import annotations

from core.api.answers import AnswerOut
from core.types import Answer, Citation, Claim, Support


def test_a_citation_whose_mark_is_wrong_is_not_supported() -> None:
    citations = tuple(
        Citation(n, f"d:{n}", "d", "d.txt", None, 0, None, 0, 3, "Yes") for n in (1, 2)
    )
    claim = Claim(0, 3, (1, 2), Support.SUPPORTED, "[2] does not say this.", 0.9, (2,))
    sent = AnswerOut.of(Answer("Q?", "Yes [1][2]", citations, claims=(claim,)), "/sessions/s")
    assert [one.support for one in sent.citations] == [Support.SUPPORTED, Support.UNSUPPORTED]
    assert sent.claims[0].wrong == [2]


def test_the_confidence_is_said_in_words() -> None:
    answer = Answer("Q?", "Yes", confidence=0.9, direct=True)
    assert AnswerOut.of(answer, "/sessions/s").certainty == "found directly"
