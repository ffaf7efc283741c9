"""Golden sets, runs and results as typed values, over the rows of the catalogue."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from core.evaluation.golden.sets import GoldenItem, item_of, row_of
from core.evaluation.runs.results import (
    Found,
    GoldenSet,
    Judgement,
    Mark,
    Measures,
    Result,
    Run,
    RunSettings,
    RunState,
)
from core.storage.catalogue import Catalogue
from core.storage.sql.golden_sets import Row
from core.types import Answer, Document

ERASED = "This was erased with a document that was removed."


@dataclass(frozen=True, slots=True)
class _Detail:
    """The larger part of a result, which the table of a run does not need."""

    answer: Answer | None = None
    hits: tuple[Found, ...] = ()
    right: tuple[bool | None, ...] = ()
    judgement: Judgement | None = None


@cache
def _details() -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(_Detail)


class EvaluationStore:
    """Stores golden sets and runs. Raises `StorageError`, and `NotFound` for unknown ids."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    # ------------------------------------------------------------------------- golden sets

    def save_set(
        self, session_id: str, name: str, items: Sequence[GoldenItem], set_id: str | None = None
    ) -> GoldenSet:
        """Add a set, or replace the items of one."""
        lines = [dump_item(item) for item in items]
        made = self.catalogue.golden_sets.save(session_id, set_id, name, digest_of(lines), lines)
        return self.golden_set(session_id, made)

    def sets(self, session_id: str) -> list[GoldenSet]:
        """The sets of a session, newest first."""
        return [_set_of(row) for row in self.catalogue.golden_sets.list(session_id)]

    def golden_set(self, session_id: str, set_id: str) -> GoldenSet:
        """One set."""
        return _set_of(self.catalogue.golden_sets.get(session_id, set_id))

    def items(self, session_id: str, set_id: str) -> list[GoldenItem]:
        """The items of a set, in order."""
        return [load_item(text) for text in self.catalogue.golden_sets.items(session_id, set_id)]

    def erase(self, document: Document) -> None:
        """Erase a document: questions that name it, answers and hits with its text.

        Measures stay. A question is removed from its set; a run keeps its position without text.
        """
        session_id, names = document.session_id, {document.label, document.name}
        for row in self.sets(session_id):
            items = self.items(session_id, row.id)
            kept = [item for item in items if not _names(item, names)]
            if not kept and items:
                self.catalogue.golden_sets.delete(session_id, row.id)
            elif len(kept) < len(items):
                self.save_set(session_id, row.name, kept, row.id)
        for run in self.runs(session_id):
            for result in self.results(run.id, details=True):
                asks = _names(result.item, names)
                if asks or _holds(result, document):
                    item = GoldenItem(result.item.id, ERASED) if asks else result.item
                    bare = replace(
                        result, item=item, answer=None, hits=(), right=(), judgement=None,
                        error=ERASED,
                    )  # fmt: skip
                    self.catalogue.runs.erase_result(run.id, result.position, *_rows_of(bare))
            for position, item in self.pending(run.id, run.total):
                if _names(item, names):
                    line = dump_item(GoldenItem(item.id, ERASED))
                    self.catalogue.runs.erase_question(run.id, position, line)

    # -------------------------------------------------------------------------------- runs

    def add_run(
        self,
        session_id: str,
        name: str,
        golden: tuple[str, Sequence[GoldenItem]],
        settings: RunSettings,
        made_with: dict[str, str],
        notes: Sequence[str] = (),
        state: RunState = RunState.WAITING,
    ) -> Run:
        """Add a run of the items of a set, given with its name."""
        set_name, items = golden
        lines = [dump_item(item) for item in items]
        values = {
            "name": name,
            "set_name": set_name,
            "set_digest": digest_of(lines),
            "settings": json.dumps(asdict(settings)),
            "made_with": json.dumps(made_with),
            "notes": json.dumps(list(notes)),
            "state": str(state),
        }
        return self.run(session_id, self.catalogue.runs.add(session_id, values, lines))

    def runs(self, session_id: str) -> list[Run]:
        """The runs of a session, newest first."""
        return [_run_of(row) for row in self.catalogue.runs.list(session_id)]

    def run(self, session_id: str, run_id: str) -> Run:
        """One run."""
        return _run_of(self.catalogue.runs.get(session_id, run_id))

    def move(
        self,
        run_id: str,
        old: Iterable[RunState],
        new: RunState,
        reason: str = "",
        *,
        mine: bool = False,
    ) -> bool:
        """Change the state of a run that is in one of `old`; return whether it was.

        `mine`: only while this process has it.
        """
        states = [str(state) for state in old]
        return self.catalogue.runs.change(run_id, states, mine=mine, state=str(new), reason=reason)

    def finish(self, run_id: str, summary: Measures, notes: Sequence[str]) -> None:
        """Store the summary and end a run."""
        self.catalogue.runs.change(
            run_id,
            (str(RunState.RUNNING),),
            mine=True,
            state=str(RunState.DONE),
            summary=json.dumps(summary),
            notes=json.dumps(list(notes)),
            finished_at=datetime.now(UTC),
        )

    def summarise(self, run_id: str, summary: Measures) -> None:
        """Store the summary of the results so far."""
        self.catalogue.runs.change(run_id, summary=json.dumps(summary))

    def pending(self, run_id: str, count: int) -> list[tuple[int, GoldenItem]]:
        """Return the next questions of a run with their positions."""
        rows = self.catalogue.runs.pending(run_id, count)
        return [(row["position"], load_item(row["item"])) for row in rows]

    def save_result(self, run_id: str, result: Result) -> None:
        """Store the result of one question."""
        _, head, text = _rows_of(result)
        self.catalogue.runs.save_result(run_id, result.position, head, text)

    def results(self, run_id: str, *, details: bool = False) -> list[Result]:
        """Return the results so far, without answers, hits and judgements unless `details`."""
        return [_result_of(row) for row in self.catalogue.runs.results(run_id, details=details)]

    def result(self, run_id: str, position: int) -> Result | None:
        """Return one result with all details."""
        row = self.catalogue.runs.result(run_id, position)
        return None if row is None else _result_of(row)

    # ------------------------------------------------------------------- what people think

    def set_mark(self, run_id: str, mark: Mark) -> None:
        """Store one person's mark of one answer."""
        values = json.dumps(mark.values)
        self.catalogue.runs.set_mark(run_id, mark.position, mark.rater, values, mark.comment)

    def marks(self, run_id: str) -> list[Mark]:
        """Return all marks of a run."""
        return [
            Mark(row["position"], row["rater"], json.loads(row["marks"]), row["comment"])
            for row in self.catalogue.runs.marks(run_id)
        ]


def _rows_of(result: Result) -> tuple[str, str, str]:
    """Return the item, the measures and the rest of a result in stored form."""
    head = json.dumps({"measures": result.measures, "error": result.error})
    answer = result.answer and replace(result.answer, search=None, prompt="")
    detail = _Detail(answer, result.hits, result.right, result.judgement)
    plain = _details().dump_python(detail, mode="json")
    return dump_item(result.item), head, json.dumps(plain, separators=(",", ":"))


def _names(item: GoldenItem, names: set[str]) -> bool:
    return any(source.document in names for source in item.sources)


def _holds(result: Result, document: Document) -> bool:
    answer = result.answer
    cited = (*answer.citations, *answer.unused) if answer else ()
    return any(one.document_id == document.id for one in cited) or any(
        hit.label == document.label for hit in result.hits
    )


def dump_item(item: GoldenItem) -> str:
    """Return an item as JSON, which its digest is computed from."""
    return json.dumps(row_of(item), sort_keys=True)


def load_item(text: str) -> GoldenItem:
    """Return the item that `dump_item` wrote."""
    return item_of(json.loads(text), 0)


def digest_of(lines: Iterable[str]) -> str:
    """Return the SHA-256 (hex) of the lines of a set."""
    whole = hashlib.sha256()
    for line in lines:
        whole.update(line.encode() + b"\n")
    return whole.hexdigest()


def _set_of(row: Row) -> GoldenSet:
    return GoldenSet(**{field.name: row[field.name] for field in fields(GoldenSet)})


def _run_of(row: Row) -> Run:
    values = {field.name: row[field.name] for field in fields(Run)}
    known = {field.name for field in fields(RunSettings)}
    chosen = {key: value for key, value in json.loads(row["settings"]).items() if key in known}
    values |= {name: json.loads(row[name]) for name in ("made_with", "summary")}
    values |= {"settings": RunSettings(**chosen), "state": RunState(row["state"])}
    return Run(**{**values, "notes": tuple(json.loads(row["notes"]))})


def _result_of(row: Row) -> Result:
    head = json.loads(row["measures"])
    found = Result(
        row["position"], load_item(row["item"]), None, head["measures"], error=head["error"]
    )
    if not row.get("detail"):
        return found
    detail: _Detail = _details().validate_python(json.loads(row["detail"]))
    return replace(
        found,
        answer=detail.answer,
        hits=detail.hits,
        right=detail.right,
        judgement=detail.judgement,
    )
