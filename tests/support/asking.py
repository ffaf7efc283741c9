"""One question put to a model that a stand-in plays, with hits made by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from core.answering.factory import make_answerer
from core.types import Answer, Event, Hit, Message, SearchResult, Step, TextPiece
from tests.standins.providers import choice_for, settings_for
from tests.standins.scripts import Reply
from tests.standins.server import Standin
from tests.support.hits import embedder, found, hit

HITS = (
    hit("The tower was built in 1889. It is 330 metres high.", document="d1"),
    hit("The bridge was opened in 1932. It is painted every year.", document="d2", label="b.pdf"),
)
QUESTION = "When was the tower built?"
ANSWER = "The tower was built in 1889 [Source 1]."
GIVEN = "The tower was built in 1889 [1]."


@dataclass
class Asked:
    """What came of a question: the answer, and what was on the screen until then."""

    answer: Answer
    shown: str
    steps: list[Step] = field(default_factory=list)

    @property
    def told(self) -> str:
        """All notices with their cures."""
        return "\n".join(f"{n.code}: {n.text} {n.cure}" for n in self.answer.notices)


def events(
    standin: Standin,
    *replies: Reply,
    question: str = QUESTION,
    hits: Sequence[Hit] = HITS,
    history: Sequence[Message] = (),
    cancelled: Callable[[], bool] = lambda: False,
    result: SearchResult | None = None,
    **settings: object,
) -> Iterator[Event]:
    """The events of one question."""
    if replies:
        standin.queue(*replies)
    answerer = make_answerer(
        choice_for(standin), settings_for(standin, **settings), embedder(), cancelled
    )
    return answerer.answer(question, result or found(question, hits), history, searched=(2, 9))


def ask(standin: Standin, *replies: Reply, **named: object) -> Asked:
    """Ask and wait for the answer."""
    return gathered(events(standin, *replies, **named))


def gathered(stream: Iterator[Event]) -> Asked:
    """The one answer at the end of a stream, and what came before it."""
    shown, steps, answers = "", [], []
    for event in stream:
        match event:
            case Step():
                steps.append(event)
            case TextPiece(text=text, withdraws=withdraws):
                shown = text if withdraws else shown + text
            case Answer():
                answers.append(event)
    assert len(answers) == 1
    return Asked(answers[0], shown, steps)


def numbers_are_listed(answer: Answer) -> bool:
    """Whether the text (but for code) cites only what is listed, from 1 without a gap."""
    prose = re.sub(r"```.*?(?:```|\Z)|`[^`\n]*`", "", answer.text, flags=re.S)
    cited = {int(n) for n in re.findall(r"\[(\d+)\]", prose)}
    listed = [citation.number for citation in answer.citations]
    return listed == list(range(1, len(listed) + 1)) and cited == set(listed)
