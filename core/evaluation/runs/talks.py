"""Golden conversations, asked turn by turn and measured as a whole."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from core.citations.mark import plain_words
from core.errors import AppError, InvalidRequest
from core.evaluation.golden.talks import Turn, conversations
from core.evaluation.measures import talks as measured
from core.evaluation.measures.talks import Reply
from core.evaluation.runs.ask import Asks
from core.types import Answer, AskRequest, Message, ModelChoice, QueryOptions, Session

log = logging.getLogger(__name__)

_NAMED = 5


def ask_talk(
    asker: Asks,
    session: Session,
    turns: Iterable[Turn],
    *,
    options: QueryOptions | None = None,
    model: ModelChoice | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Reply]:
    """Ask the turns of one conversation, each after all before it; nothing of it is stored.

    Raises `AppError` where a question cannot be answered.
    """
    history: list[Message] = []
    for turn in turns:
        request = AskRequest(
            session, turn.question, history=tuple(history), options=options or QueryOptions(),
            model=model, cancelled=cancelled,
        )  # fmt: skip
        answer = next(event for event in asker.ask(request) if isinstance(event, Answer))
        now, at = datetime.now(UTC), len(history)
        history.append(Message(at + 1, "user", turn.question, now))
        history.append(Message(at + 2, "assistant", answer.text, now, answer))
        yield reply_of(turn, answer)


def reply_of(turn: Turn, answer: Answer) -> Reply:
    """Return what an answer says, as it is measured."""
    first = answer.claims[0] if answer.claims else None
    opening = answer.text[first.start : first.end] if first else answer.text.partition("\n")[0]
    plan = answer.search.plan if answer.search else None
    return Reply(
        turn,
        plain_words(answer.text),
        plain_words(opening),
        " ".join(plain_words(answer.text[start:end]) for start, end in answer.highlights),
        answer.abstention is not None,
        answer.route,
        plan is not None and plan.goal != " ".join(plan.question.split()),
    )


def merit(reply: Reply) -> float:
    """Return how well one turn was answered, 0 to 2: for sorting the worst to the top."""
    turn = reply.turn
    if turn.answerable and turn.ideal:
        return measured.f1(reply) + measured.first_is_right(reply)
    wanted = reply.route == "smalltalk" if turn.kind == "smalltalk" else reply.refused
    return 2.0 * wanted


def reply_row(reply: Reply) -> dict[str, object]:
    """Return a reply with its turn as plain values, for a file or a table."""
    row = asdict(reply)
    turn = row.pop("turn")
    kept = ("conversation", "turn", "kind", "question", "ideal", "answer_span", "follows")
    return {
        **{name: turn[name] for name in kept},
        **row,
        "f1": measured.f1(reply) if reply.turn.ideal else None,
    }


def as_json(replies: Sequence[Reply]) -> str:
    """Return the measures and every reply as one file."""
    rows = {"measures": measured.measures(replies), "turns": [reply_row(one) for one in replies]}
    return json.dumps(rows, ensure_ascii=False, indent=1)


def with_library(
    turns: Sequence[Turn], labels: Iterable[str]
) -> tuple[list[list[Turn]], tuple[str, ...]]:
    """Return the conversations whose files are all among `labels`, and the files that are not."""
    there = {label.casefold() for label in labels}
    talks = list(conversations(turns).values())
    named = dict.fromkeys(name for talk in talks for turn in talk for name in turn.library)
    missing = tuple(name for name in named if name.casefold() not in there)
    return [t for t in talks if all(set(turn.library).isdisjoint(missing) for turn in t)], missing


@dataclass(frozen=True, slots=True)
class TalksProgress:
    """How far the conversations of a file are asked, and how they are answered until now."""

    name: str
    total: int
    replies: tuple[Reply, ...]
    left_out: tuple[str, ...]
    done: bool
    problem: str = ""


@dataclass
class Talking:
    """The conversations of one file, asked in the background. `stop()` keeps what is there."""

    name: str
    talks: Sequence[Sequence[Turn]]
    left_out: tuple[str, ...] = ()
    """Files that are not in the session: conversations that name one are not asked."""
    _replies: list[Reply] = field(default_factory=list)
    _problem: str = ""
    _stop: threading.Event = field(default_factory=threading.Event)
    _done: threading.Event = field(default_factory=threading.Event)

    @classmethod
    def of(cls, name: str, turns: Sequence[Turn], labels: Iterable[str]) -> Talking:
        """Return those that can be asked. Raises `InvalidRequest` where none can."""
        talks, missing = with_library(turns, labels)
        if not talks:
            named = ", ".join(missing[:_NAMED])
            raise InvalidRequest(
                f"No conversation of {name} can be asked: this session does not have {named}.",
                "Add these documents first.",
            )
        return cls(name, talks, missing)

    def progress(self) -> TalksProgress:
        """Return a picture of this moment."""
        total, replies = sum(map(len, self.talks)), tuple(self._replies)
        done = self._done.is_set()
        return TalksProgress(self.name, total, replies, self.left_out, done, self._problem)

    def speaks_of(self, label: str) -> bool:
        """Return whether a conversation was asked over the document with this label."""
        named = {name.casefold() for talk in self.talks for turn in talk for name in turn.library}
        return label.casefold() in named

    def stop(self) -> None:
        """End after the current question."""
        self._stop.set()

    @property
    def stopping(self) -> bool:
        """Whether it was asked to end."""
        return self._stop.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait until it is done, at most so long."""
        return self._done.wait(seconds)

    def follow(self, ask: Callable[[Sequence[Turn]], Iterator[Reply]]) -> None:
        """Ask everything, on the thread that calls; a failure becomes the problem."""
        try:
            for talk in self.talks:
                for reply in ask(talk):
                    if self.stopping:  # an answer that was cut short is none
                        return
                    self._replies.append(reply)
        except AppError as error:
            log.info("Asking conversations failed: %s", error.code)
            self._problem = f"{error.message} {error.cure}".strip()
        finally:
            self._done.set()

    def broke(self, error: Exception) -> None:
        """Note a fault that was not foreseen; what was asked is kept."""
        self._problem = f"It ended in a way that was not foreseen ({type(error).__name__})."
