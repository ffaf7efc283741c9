"""The replies of a small model get the flags that a careful person would set."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from benchmarks.small_models import Small
from core.answering.extractive.answerer import ExtractiveAnswerer
from core.answering.generative.answerer import GenerativeAnswerer
from core.config import Settings
from core.types import Answer, Support
from tests.answering.generative.weak_writer import REPLIES, Written
from tests.support.hits import embedder, found, hit

MOST_FALSE = 1 / 15
"""False alarms of all flags."""
LINES = [pytest.param(one, id=f"{one.kind}: {one.reply[:30]}") for one in REPLIES]


def answered(written: Written, settings: Settings) -> Answer:
    """What the person gets of a reply."""
    model = Small(written.reply, random.Random(1))
    answerer = GenerativeAnswerer(model, embedder(), ExtractiveAnswerer(embedder()), settings)
    hits = [hit(text, document=f"d{n}", headings=()) for n, text in enumerate(written.passages)]
    *_, answer = answerer.answer(written.question, found(written.question, hits))
    assert isinstance(answer, Answer)
    return answer


def flags(answer: Answer) -> Iterator[str]:
    """The sentences that are said not to be supported, and the marks that are said to be wrong."""
    for claim in answer.claims:
        if claim.support is Support.UNSUPPORTED:
            yield answer.text[claim.start : claim.end]
        yield from (f"[{number}]" for number in claim.wrong)


def expected(written: Written) -> tuple[str, ...]:
    """How what is to be flagged begins."""
    return (*written.wrong, *(f"[{number}]" for number in written.marks))


@pytest.mark.parametrize("written", LINES)
def test_nothing_wrong_passes(written: Written, settings: Settings) -> None:
    answer = answered(written, settings)
    flagged = list(flags(answer))
    missed = [one for one in expected(written) if not any(f.startswith(one) for f in flagged)]
    assert missed == []
    assert (answer.abstention is not None) is written.refused
    if not written.refused:
        assert answer.text.strip() == (written.reads or answer.text.strip())


def test_few_flags_are_false_alarms(settings: Settings) -> None:
    raised, false = 0, []
    for written in REPLIES:
        for flag in flags(answered(written, settings)):
            raised += 1
            if not flag.startswith(expected(written)):
                false.append(flag)
    assert raised >= 15
    assert len(false) <= MOST_FALSE * raised, false
