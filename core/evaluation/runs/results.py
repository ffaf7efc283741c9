"""The values of results and runs (frozen, pure)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from core.evaluation.golden.sets import GoldenItem
from core.types import Answer

Measures = dict[str, float | None]
Grade = Literal["correct", "incorrect", "not attempted"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """A model's judgement of an answer. None is "not graded", with the cause in `reasons`.

    The scores are scaled to 0 to 1: `citations` says whether the cited passages say what their
    sentences do, `retrieval` and `sources` whether the passages that were found, and those that are
    cited, hold what answers the question.
    """

    grade: Grade | None = None
    faithfulness: float | None = None
    relevance: float | None = None
    citations: float | None = None
    retrieval: float | None = None
    sources: float | None = None
    reasons: dict[str, str] = field(default_factory=dict)
    judge: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A shortened hit: its place, text and score, and whether the golden item names that place."""

    label: str
    place: str
    text: str
    score: float | None = None
    right: bool | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """One question with its answer, the evidence and its measures.

    `answer` is stored without its search and prompt; `right` says for each citation whether it
    leads to a named place. `error` is set instead if the question failed.
    """

    position: int
    item: GoldenItem
    answer: Answer | None
    measures: Measures
    hits: tuple[Found, ...] = ()
    right: tuple[bool | None, ...] = ()
    judgement: Judgement | None = None
    error: str = ""


class RunState(StrEnum):
    """The state of a run. Every state but `DONE` can be resumed."""

    WAITING = "waiting"
    RUNNING = "running"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"  # the process ended
    FAILED = "failed"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How the questions of a run are asked.

    `way` is one of `presets.WAYS`. `preset` names the settings of the search and the model's
    instructions; "session" means those of the session, which `options` then holds. With
    `provider` "" answers are quotes. `k` is the cut-off of the ranking measures. With a
    `judge_model` the answers are judged.
    """

    way: str = "documents"
    preset: str = "session"
    level: str = "as typed"
    options: dict[str, Any] = field(default_factory=dict)
    provider: str = ""
    model: str = ""
    judge_provider: str = ""
    judge_model: str = ""
    k: int = 5
    bertscore: bool = True


@dataclass(frozen=True, slots=True)
class Run:
    """A run as listed: its settings and its progress."""

    id: str
    session_id: str
    name: str
    set_name: str
    set_digest: str
    settings: RunSettings
    state: RunState
    total: int
    done: int
    created_at: datetime
    finished_at: datetime | None = None
    made_with: dict[str, str] = field(default_factory=dict)
    summary: Measures = field(default_factory=dict)
    reason: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldenSet:
    """A golden set as listed; `digest` is the SHA-256 of its lines."""

    id: str
    session_id: str
    name: str
    questions: int
    digest: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Mark:
    """One person's mark of one answer of a run: aspects of `ASPECTS`, each from 1 to 5."""

    position: int
    rater: str
    values: dict[str, int]
    comment: str = ""


MARKED = ("relevancy", "correctness", "completeness", "clarity", "usefulness", "conciseness")
"""What people mark of the answer itself."""
SOURCED = ("citation precision", "relevant retrieval", "free of hallucination", "source matching")
"""What people mark of an answer beside its sources."""
ASPECTS = (*MARKED, *SOURCED)
