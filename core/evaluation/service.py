"""The evaluation as pages and commands use it. A `Session` proves authorisation."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from core.access.roles import guarded
from core.config import Settings
from core.errors import InvalidRequest
from core.evaluation import operations
from core.evaluation.golden.background import Making, Save, questions_of
from core.evaluation.golden.documents import Names
from core.evaluation.golden.formats import checked, read_golden_file
from core.evaluation.golden.generating import AUDIENCE, Source, Writer
from core.evaluation.golden.sets import GoldenItem, even_sample
from core.evaluation.golden.talks import Turn, talk_lines
from core.evaluation.golden.thumbs import Thumbs
from core.evaluation.measures.aggregate import summary
from core.evaluation.measures.json_replies import Questioner
from core.evaluation.measures.talks import Reply
from core.evaluation.operations import Operations
from core.evaluation.ready_answers import Scored, read_ready_answers, scored
from core.evaluation.runs.ask import Asks
from core.evaluation.runs.comparing import Comparison, compare
from core.evaluation.runs.environment import made_with, peak_memory
from core.evaluation.runs.presets import NEEDS_MODEL, NEEDS_WEB, Column
from core.evaluation.runs.results import (
    GoldenSet,
    Mark,
    Measures,
    Result,
    Run,
    RunSettings,
    RunState,
)
from core.evaluation.runs.runner import RESUMABLE, Keys, Runner
from core.evaluation.runs.store import EvaluationStore, digest_of, dump_item
from core.evaluation.runs.talks import Talking, ask_talk
from core.llm.providers import make_chat_model
from core.models.port import Vectors
from core.storage.stores import Stores
from core.supervision import in_background
from core.types import (
    ChunkKind,
    Document,
    DocumentState,
    ModelChoice,
    QueryOptions,
    SearchOptions,
    Session,
)

_SHOWN_UNKNOWN = 5
_EMBEDDED = 10  # passages that are embedded for the table of operations


@guarded("evaluations")
class Evaluations:
    """Golden sets, runs, comparisons and marks of sessions. Thread-safe; one for each process."""

    def __init__(self, stores: Stores, asker: Asks, *, background: bool = True) -> None:
        self.stores = stores
        self.settings, self.catalogue = stores.settings, stores.catalogue
        self.store = EvaluationStore(stores.catalogue)
        self.thumbs = Thumbs(stores.catalogue)
        self.runner = Runner(stores.settings, self.store, asker)
        if background:
            self.runner.start()
        self._asker = asker
        self._makings: dict[str, Making] = {}
        self._talkings: dict[str, Talking] = {}
        self._lock = threading.Lock()

    # ------------------------------------------------------------------------- golden sets

    def sets(self, session: Session) -> list[GoldenSet]:
        """Return the golden sets of a session, newest first."""
        return self.store.sets(session.id)

    def items(self, session: Session, set_id: str) -> list[GoldenItem]:
        """Return the questions of a set."""
        return self.store.items(session.id, set_id)

    def upload(self, session: Session, name: str, data: bytes) -> GoldenSet:
        """Store an uploaded golden set. Raises `InvalidRequest` with what cannot be read."""
        return self.store.save_set(session.id, name, read_golden_file(name, data))

    def save_set(
        self, session: Session, name: str, items: Sequence[GoldenItem], set_id: str | None = None
    ) -> GoldenSet:
        """Store a set that was written or edited in the page."""
        return self.store.save_set(session.id, name, checked(items, name), set_id)

    def delete_set(self, session: Session, set_id: str) -> None:
        """Delete a set; its runs stay."""
        self.catalogue.golden_sets.delete(session.id, set_id)

    def erase(self, document: Document) -> None:
        """Erase what golden sets and runs hold of a document that was removed."""
        talking = self._talkings.get(document.session_id)
        if talking is not None and talking.speaks_of(document.label):
            talking.stop()
            del self._talkings[document.session_id]
        self.store.erase(document)

    def unknown_documents(self, session: Session, items: Sequence[GoldenItem]) -> list[str]:
        """Return the documents that a set names and the session does not have."""
        return Names(self.catalogue.documents.library(session.id)).unknown(items)

    def generate(
        self,
        session: Session,
        name: str,
        wanted: int,
        model: ModelChoice | None = None,
        audience: str = "",
    ) -> Making:
        """Start generating a golden set from the session's passages; without a model, by rule.

        A session generates one set at a time: the one in progress is returned. Raises
        `InvalidRequest` if there are no passages.
        """
        with self._lock:
            running = self._makings.get(session.id)
            if running is not None and not running.progress().done:
                return running
            sources = self._sources(session)
            if not sources:
                raise InvalidRequest("There is nothing to ask about.", "Add documents first.")
            making = self._makings[session.id] = Making(wanted)
        made = questions_of(sources, wanted, lambda: self._writer(making, model, audience))
        saving = self._saving(session, name)
        in_background("golden-set", lambda: making.follow(made, self._embed, saving), making.broke)
        return making

    def making(self, session: Session) -> Making | None:
        """Return the set being generated in this session, or the last one that was."""
        return self._makings.get(session.id)

    def _writer(self, making: Making, model: ModelChoice | None, audience: str) -> Writer | None:
        if model is None or not model.provider:
            return None
        chat = make_chat_model(model, self.settings)
        return Writer(Questioner(chat, lambda: making.stopping), audience.strip() or AUDIENCE)

    def _saving(self, session: Session, name: str) -> Save:
        """Return a function that stores the questions made so far, always in the same set."""
        set_id: str | None = None

        def save(items: Sequence[GoldenItem]) -> None:
            nonlocal set_id
            set_id = self.save_set(session, name, items, set_id).id

        return save

    def _embed(self, texts: Sequence[str]) -> Vectors:
        return self.stores.embedder().embed(texts)

    def _sources(self, session: Session) -> list[Source]:
        ready = [d for d in self.catalogue.documents.library(session.id) if _is_searched(d)]
        return [
            (chunk, document.label)
            for document in ready
            for chunk in self.catalogue.content.chunks(session.id, document.id)
            if chunk.kind is ChunkKind.TEXT
        ]

    # -------------------------------------------------------------------------------- runs

    def runs(self, session: Session) -> list[Run]:
        """Return the runs of a session, newest first."""
        return self.store.runs(session.id)

    def run(self, session: Session, run_id: str) -> Run:
        """Return one run."""
        return self.store.run(session.id, run_id)

    def add_run(
        self,
        session: Session,
        name: str,
        golden: tuple[str, Sequence[GoldenItem]],
        settings: RunSettings,
        aliases: Mapping[str, str] | None = None,
    ) -> Run:
        """Add a run of these questions that waits until `begin` is called."""
        documents = self.catalogue.documents.library(session.id)
        _check(settings, self.settings, documents)
        unknown = Names(documents, aliases).unknown(golden[1])
        notes = []
        if unknown:
            shown = ", ".join(unknown[:_SHOWN_UNKNOWN])
            notes.append(f"Named, but not in this session ({len(unknown)}): {shown}.")
        chosen = self.catalogue.sessions.preferences(session.id)
        facts = made_with(self.settings, documents, chosen)
        return self.store.add_run(session.id, name, golden, settings, facts, notes)

    def start_run(
        self,
        session: Session,
        set_id: str,
        settings: RunSettings,
        *,
        name: str = "",
        limit: int = 0,
        keys: Keys | None = None,
    ) -> Run:
        """Start a run of a set's questions, or of `limit` of them evenly spread."""
        golden = self.store.golden_set(session.id, set_id)
        items = even_sample(self.store.items(session.id, set_id), limit)
        run = self.add_run(session, name or golden.name, (golden.name, items), settings)
        self.runner.enqueue(run, keys)
        return run

    def start_matrix(
        self,
        session: Session,
        set_id: str,
        columns: Sequence[Column],
        settings: RunSettings,
        *,
        limit: int = 0,
        keys: Keys | None = None,
    ) -> list[Run]:
        """Start a run for each column, one after another."""
        every = [column.of(settings) for column in columns]
        documents = self.catalogue.documents.library(session.id)
        for one in every:
            _check(one, self.settings, documents)
        golden = self.store.golden_set(session.id, set_id)
        return [
            self.start_run(
                session, set_id, one, name=f"{golden.name} · {column.name}", limit=limit, keys=keys
            )
            for column, one in zip(columns, every, strict=True)
        ]

    def stop_run(self, session: Session, run_id: str) -> None:
        """Stop a run at its current question and store a summary of its results so far."""
        run = self.run(session, run_id)
        self.runner.halt(run)
        self.store.summarise(run.id, summary(self.store.results(run.id)))

    def resume_run(
        self,
        session: Session,
        run_id: str,
        keys: Keys | None = None,
        aliases: Mapping[str, str] | None = None,
    ) -> None:
        """Resume a run at the question where it stopped."""
        self.runner.resume(self.run(session, run_id), keys, aliases)

    def unfinished_run(
        self, session: Session, items: Sequence[GoldenItem], settings: RunSettings
    ) -> Run | None:
        """Return the newest run of these questions and settings that can be resumed."""
        digest = digest_of(map(dump_item, items))
        for run in self.runs(session):
            same = run.set_digest == digest and run.settings == settings
            if same and run.state in RESUMABLE:
                return run
        return None

    def delete_run(self, session: Session, run_id: str) -> None:
        """Delete a run with its answers and marks; stop it first if it is in progress."""
        self.runner.halt(self.run(session, run_id))
        self.catalogue.runs.delete(session.id, run_id)

    def results(self, session: Session, run_id: str) -> list[Result]:
        """Return every asked question of a run with its measures, without answers."""
        return self.store.results(self.run(session, run_id).id)

    def whole_results(self, session: Session, run_id: str) -> list[Result]:
        """Return every asked question with its answer and evidence, for exports."""
        return self.store.results(self.run(session, run_id).id, details=True)

    def result(self, session: Session, run_id: str, position: int) -> Result | None:
        """Return one question with its answer and evidence."""
        return self.store.result(self.run(session, run_id).id, position)

    def compare(self, session: Session, a: str, b: str) -> Comparison:
        """Compare two runs of a session."""
        return compare(self.results(session, a), self.results(session, b))

    # ----------------------------------------------------------------------- conversations

    def start_talks(
        self,
        session: Session,
        name: str,
        data: bytes,
        options: QueryOptions,
        model: ModelChoice | None = None,
    ) -> Talking:
        """Begin to ask the conversations of an uploaded file whose documents the session has.

        One file at a time in a session: what is under way is given. Raises `InvalidRequest` with
        what cannot be read, or where no conversation has all its documents here.
        """
        ready = [d for d in self.catalogue.documents.library(session.id) if _is_searched(d)]
        with self._lock:
            running = self._talkings.get(session.id)
            if running is not None and not running.progress().done:
                return running
            talking = Talking.of(name, talk_lines(name, data), [d.label for d in ready])
            self._talkings[session.id] = talking

        def ask(turns: Sequence[Turn]) -> Iterator[Reply]:
            return ask_talk(
                self._asker, session, turns, options=options, model=model,
                cancelled=lambda: talking.stopping,
            )  # fmt: skip

        in_background("talks", lambda: talking.follow(ask), talking.broke)
        return talking

    def talking(self, session: Session) -> Talking | None:
        """The conversations that are being asked in this session, or were last."""
        return self._talkings.get(session.id)

    # ----------------------------------------------------------------------- ready answers

    def score_answers(self, session: Session, name: str, data: bytes) -> list[Scored]:
        """Return the rows of a CSV of ready answers with their measures; nothing is stored.

        Raises `InvalidRequest` with what cannot be read.
        """
        return scored(read_ready_answers(name, data), self._embed)

    # -------------------------------------------------------------------------- operations

    def operations(self, session: Session, run_id: str = "") -> Operations:
        """Return how long the operations took in this session, and how good the answers are.

        Uploads and addresses are those of its documents, searches and answers those of a run;
        ten of its passages are embedded once more for the time that it takes.
        """
        tries = list(operations.reading_tries(self.catalogue.documents.library(session.id)))
        texts = [chunk.text for chunk, _ in even_sample(self._sources(session), _EMBEDDED)]
        tries += operations.embedding_tries(self._embed, texts)
        summed: Measures = {}
        marks: list[Mark] = []
        if run_id:
            results, marks = self.results(session, run_id), self.marks(session, run_id)
            tries += operations.asking_tries(results)
            summed = summary(results)
        return Operations(tries, operations.qualities(summed, marks), peak_memory())

    # ------------------------------------------------------------------------- human marks

    def set_mark(self, session: Session, run_id: str, mark: Mark) -> None:
        """Store one person's mark of one answer."""
        if not mark.rater.strip():
            raise InvalidRequest("Marks need the name of who gives them.", "Write your name.")
        self.store.set_mark(self.run(session, run_id).id, mark)

    def marks(self, session: Session, run_id: str) -> list[Mark]:
        """Return all marks of a run."""
        return self.store.marks(self.run(session, run_id).id)

    def close(self) -> None:
        """Stop after the current question."""
        for making in self._makings.values():
            making.stop()
        for talking in self._talkings.values():
            talking.stop()
        self.runner.stop()


def run_options(options: SearchOptions) -> dict[str, object]:
    """Return search settings in the form in which a run stores them."""
    return asdict(options)


def _check(run: RunSettings, settings: Settings, documents: Sequence[Document]) -> None:
    """Raise `InvalidRequest` for a run that could only fail."""
    needs_model = run.way == "plain" or run.level != "as typed"
    if needs_model and not run.provider:
        raise InvalidRequest("This run needs a language model.", NEEDS_MODEL)
    if run.way.startswith("web") and not settings.searxng_url:
        raise InvalidRequest("This run needs the live web.", NEEDS_WEB)
    if run.way == "documents" and not any(map(_is_searched, documents)):
        raise InvalidRequest("No document of this session is ready.", "Add documents first.")


def _is_searched(document: Document) -> bool:
    return document.state is DocumentState.READY and document.searched


__all__ = ["Evaluations", "RunState", "run_options"]
