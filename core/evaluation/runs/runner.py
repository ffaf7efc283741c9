"""The thread that asks the questions of runs, one run after another."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial

from pydantic import SecretStr

from core.config import CHAT_PROVIDERS, Settings
from core.errors import AppError, ModelUnavailable, NotFound
from core.evaluation.golden.documents import Names
from core.evaluation.golden.sets import GoldenItem
from core.evaluation.measures.aggregate import summary
from core.evaluation.measures.bertscore import Encode
from core.evaluation.measures.family import Case
from core.evaluation.measures.json_replies import Questioner
from core.evaluation.measures.judge import judge, judge_sources
from core.evaluation.measures.registry import score
from core.evaluation.runs.ask import Asks, ask_item
from core.evaluation.runs.evidence import found_hits, right_citations
from core.evaluation.runs.results import Grade, Judgement, Result, Run, RunState
from core.evaluation.runs.store import EvaluationStore
from core.evaluation.runs.web_variants import asker_of
from core.llm.providers import make_chat_model
from core.models.token_states import TokenStates
from core.supervision import Unrecorded, Worker, isolated
from core.types import Answer, ModelChoice, Session

log = logging.getLogger(__name__)

FAILURES_IN_A_ROW = 5
"""A run stops after so many failures in a row: the cause is not a single question then."""
_AT_ONCE = 20  # questions read from the catalogue at once
_WAIT = 3600.0
_PAUSE = 2.0  # seconds between two tries to record what could not be recorded
_ACTIVE = (RunState.WAITING, RunState.RUNNING)
RESUMABLE = (RunState.STOPPED, RunState.INTERRUPTED, RunState.FAILED)
Keys = Mapping[str, SecretStr]
"""Keys by provider; they are never stored."""


@dataclass
class Runner:
    """Runs the questions; one for each process. `start()` begins to look for work."""

    settings: Settings
    store: EvaluationStore
    asker: Asks
    _keys: dict[str, Keys] = field(default_factory=dict)
    _aliases: dict[str, Mapping[str, str]] = field(default_factory=dict)
    _wake: threading.Event = field(default_factory=threading.Event)
    _stopping: threading.Event = field(default_factory=threading.Event)
    _stopped_runs: set[str] = field(default_factory=set)
    _unrecorded: Unrecorded = field(default_factory=Unrecorded)
    _thread: Worker | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, patience: float = 0.0) -> None:
        """Mark runs that an ended process left unfinished, so that they can be resumed."""
        active = [str(state) for state in _ACTIVE]
        self.store.catalogue.runs.leave(active, str(RunState.INTERRUPTED), patience)

    def stop(self) -> None:
        """Stop after the current question; the run can be resumed."""
        self._stopping.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(30)

    def enqueue(
        self, run: Run, keys: Keys | None = None, aliases: Mapping[str, str] | None = None
    ) -> None:
        """Queue a run behind those before it."""
        self._keys[run.id] = keys or {}
        self._aliases[run.id] = aliases or self._aliases.get(run.id, {})
        with self._lock:
            self._stopped_runs.discard(run.id)
            if self._thread is None or not self._thread.is_alive():
                self._thread = Worker("evaluation", self._work, self._stopping).start()
        self._wake.set()

    def halt(self, run: Run) -> None:
        """Stop a run at its current question."""
        # In this order: a run that ends without a state is marked as interrupted by the worker.
        self.store.move(run.id, _ACTIVE, RunState.STOPPED)
        self._stopped_runs.add(run.id)

    def resume(
        self, run: Run, keys: Keys | None = None, aliases: Mapping[str, str] | None = None
    ) -> bool:
        """Resume a run where it stopped; return whether that was possible."""
        if not self.store.move(run.id, RESUMABLE, RunState.WAITING):
            return False
        self.enqueue(run, keys, aliases)
        return True

    def _work(self) -> None:
        while not self._stopping.is_set():
            if not self._unrecorded.again():  # a run that cannot be changed would come up again
                self._stopping.wait(_PAUSE)
                continue
            found = self.store.catalogue.runs.next_waiting()
            if found is None:
                self._wake.wait(_WAIT)
                self._wake.clear()
                continue
            session_id, run_id = found
            isolated(
                f"evaluation, run {run_id}",
                partial(self._run, session_id, run_id),
                partial(self._broke, run_id),
            )

    def _run(self, session_id: str, run_id: str) -> None:
        try:
            self.run_through(self.store.run(session_id, run_id))
        except NotFound:
            log.info("A run was deleted while it was under way.")
        except AppError as error:
            log.warning("A run failed: %s", error.message)
            self._failed(run_id, f"{error.message} {error.cure}")
        # It was stopped, or the process ends: the run can be resumed.
        self._unrecorded.record(
            partial(self.store.move, run_id, (RunState.RUNNING,), RunState.INTERRUPTED, mine=True)
        )

    def _broke(self, run_id: str, error: Exception) -> None:
        what = type(error).__name__
        self._failed(run_id, f"It ended in a way that was not foreseen ({what}); see the log.")

    def _failed(self, run_id: str, reason: str) -> None:
        self._unrecorded.record(
            partial(self.store.move, run_id, _ACTIVE, RunState.FAILED, reason, mine=True)
        )

    @cached_property
    def token_states(self) -> TokenStates:
        """Return the model for BERTScore, loaded once. Raises `ModelUnavailable`."""
        return TokenStates()

    def run_through(self, run: Run) -> None:
        """Ask the remaining questions; the run is then done, stopped or failed."""
        store = self.store
        if not store.move(run.id, (RunState.WAITING,), RunState.RUNNING, mine=True):
            return
        asking = _Asking(self, run, self._keys.get(run.id, {}), self._aliases.get(run.id, {}))
        failed: dict[int, Result] = {}  # in a row, by position; stored once another succeeds
        while pending := store.pending(run.id, _AT_ONCE + len(failed)):
            waiting = [(position, item) for position, item in pending if position not in failed]
            if not waiting:
                break
            for position, item in waiting:
                # Asked of the catalogue too: another process may have halted it.
                if self._ends(run.id) or not store.catalogue.runs.is_in_work(run.id):
                    return
                result = asking.ask(position, item, lambda: self._ends(run.id))
                if self._ends(run.id):
                    return  # the interrupted question is asked again
                if result.error:
                    failed[position] = result
                    if len(failed) >= FAILURES_IN_A_ROW:
                        store.move(run.id, (RunState.RUNNING,), RunState.FAILED, result.error)
                        return  # and so are those that failed
                    continue
                for one in (*failed.values(), result):
                    store.save_result(run.id, one)
                failed.clear()
        for one in failed.values():
            store.save_result(run.id, one)
        store.finish(run.id, summary(store.results(run.id)), (*run.notes, *asking.notes))

    def _ends(self, run_id: str) -> bool:
        return self._stopping.is_set() or run_id in self._stopped_runs


class _Asking:
    """The questions of one run, asked and measured."""

    def __init__(self, runner: Runner, run: Run, keys: Keys, aliases: Mapping[str, str]) -> None:
        self.runner, self.run, self.keys = runner, run, keys
        self.settings, self.catalogue = runner.settings, runner.store.catalogue
        # The run exists, so its creator was authorised for the session.
        self.session = Session(run.session_id, "", "", run.created_at, run.created_at)
        self.names = Names(self.catalogue.documents.list(run.session_id), aliases)
        self.asker = asker_of(runner.asker, run.settings.way, runner.settings)
        self.notes: list[str] = []
        self.model = self._choice(run.settings.provider, run.settings.model)
        self.judge = self._choice(run.settings.judge_provider, run.settings.judge_model)
        self.encode = self._encoder() if run.settings.bertscore else None

    def ask(self, position: int, item: GoldenItem, cancelled: Callable[[], bool]) -> Result:
        """Ask, measure and judge; an `AppError` becomes the error of the result."""
        settings = self.run.settings
        try:
            answer = ask_item(
                self.asker, self.session, item, settings, self.model, self.settings, cancelled
            )  # fmt: skip
        except AppError as error:
            return Result(position, item, None, {}, error=f"{error.message} {error.cure}".strip())
        sources = self.names.resolved(item)
        judgement = self._judged(item, answer, cancelled)
        cited = {(one.document_id, one.page_ordinal) for one in answer.citations}
        pages = self.catalogue.content.page_texts(self.session.id, cited)
        case = Case(item, answer, sources, settings.k, self.encode, judgement, pages)
        hits = answer.search.hits if answer.search else ()
        return Result(
            position,
            item,
            answer,
            score(case),
            found_hits(hits, sources),
            right_citations(answer.citations, sources),
            judgement,
        )

    def _judged(
        self, item: GoldenItem, answer: Answer, cancelled: Callable[[], bool]
    ) -> Judgement | None:
        """Return the judge's opinion of an answer; refusals are not judged."""
        if self.judge is None or not item.answerable:
            return None
        model = make_chat_model(self.judge, self.settings)
        if answer.abstention is not None:
            grade: Grade | None = "not attempted" if item.answers else None
            return Judgement(grade, reasons={"grade": "It was refused."}, judge=model.name)
        hits = answer.search.hits if answer.search else ()
        passages = [hit.context or hit.chunk.text for hit in hits]
        questioner = Questioner(model, cancelled)
        found = judge(item, answer.text, passages, questioner)
        cited = {one.number: one.passage or one.quote for one in answer.citations}
        return judge_sources(found, item.question, answer.text, passages, cited, questioner)

    def _choice(self, provider: str, model: str) -> ModelChoice | None:
        key = self.keys.get(provider)
        return ModelChoice(provider, model, key) if provider in CHAT_PROVIDERS else None

    def _encoder(self) -> Encode | None:
        try:
            return self.runner.token_states
        except ModelUnavailable as error:
            self.notes.append(f"BERTScore was not measured. {error.message} {error.cure}")
            return None
