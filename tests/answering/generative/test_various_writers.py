"""Replies of able and weak models to passages as files have them: how many flags are right."""

from __future__ import annotations

from core.config import Settings
from tests.answering.generative.test_weak_writer import answered, expected, flags
from tests.answering.generative.various_writers import REPLIES

LEAST_PRECISION, LEAST_RECALL = 0.68, 0.74
"""What docs/evaluation.md gives, rounded down."""


def test_flags(settings: Settings) -> None:
    false, caught, missed = [], 0, []
    for written in REPLIES:
        answer = answered(written, settings)
        assert (answer.abstention is not None) is written.refused, written.reply
        raised = list(flags(answer))
        wanted = expected(written)
        false += [flag for flag in raised if not flag.startswith(wanted or ("\0",))]
        for one in wanted:
            if any(flag.startswith(one) for flag in raised):
                caught += 1
            else:
                missed.append(one)
    assert caught / (caught + len(false)) >= LEAST_PRECISION, false
    assert caught / (caught + len(missed)) >= LEAST_RECALL, missed
