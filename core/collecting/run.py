"""One run of collecting at work: pages into the session as they come, then all made to agree."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.collecting.sources import Callbacks, Gathered, gather
from core.collecting.stored_pages import Item, item_of, items
from core.errors import Interrupted, SessionNotFound
from core.ingestion.adding import Adder
from core.ingestion.worker import url_id
from core.maintenance.removal import Remover
from core.parsing.html.web_page import WebPage
from core.storage.stores import Stores
from core.types import (
    AddOutcome,
    AddResult,
    CollectOutcome,
    CollectProgress,
    CollectRun,
    CollectState,
)

_NOTED_EVERY = 0.5  # seconds between two notes in the catalogue
_MOST_LEFT_OUT = 20_000
_NOT_ENDED = (
    CollectState.RUNNING,
    CollectState.PAUSED,
    CollectState.WAITING,
    CollectState.STOPPED,
)


@dataclass
class RunInWork:
    """A run on its thread. `cancelled` ends it soon, `done` says that it has ended."""

    run: CollectRun
    stores: Stores
    adder: Adder
    remover: Remover
    closing: threading.Event
    cancelled: threading.Event = field(default_factory=threading.Event)
    done: threading.Event = field(default_factory=threading.Event)
    folder: Path = Path()
    _now: CollectProgress = field(default_factory=CollectProgress)
    _handed: set[str] = field(default_factory=set)
    _refused: list[tuple[str, str]] = field(default_factory=list)
    _noted: float = 0.0
    _whole: bool = False

    @property
    def place(self) -> str:
        """The name of what the run changes: one at a time is at work on it."""
        return f"{self.run.session_id}/{self.run.source}"

    def follow(self, files: Sequence[Path]) -> None:
        """Do the run to its end, or until it is cancelled. Raises what `gather` raises."""
        before = self.run.progress
        self._now = replace(CollectProgress(), added=before.added, changed=before.changed)
        originals, where = self.stores.originals, (self.run.session_id, self.run.source)
        with originals.collecting(*where) as self.folder:
            gathered = self._gather(files)
        if self.stores.catalogue.sessions.of_anybody(self.run.session_id) is None:
            originals.remove_collected(*where)
        if self._ended() or gathered is None:
            self._note(always=True)
        else:
            self._close(gathered)

    def _gather(self, files: Sequence[Path]) -> Gathered | None:
        """Read the source and hand its pages on; None where that was ended before."""
        callbacks = Callbacks(self._progress, self._page, self._ended)
        refresh = self.run.refresh and self.run.legs == 1
        try:
            gathered = gather(
                self.run.request,
                self.folder,
                files,
                self.stores.settings,
                callbacks,
                refresh=refresh,
            )
            if gathered.whole:  # paused or stopped at its last page: it is done
                self._whole = True
                self.cancelled.clear()
            self._keep(gathered.outcome)
            self._agree()
        except (Interrupted, SessionNotFound):
            self.cancelled.set()
            return None
        return gathered

    def _ended(self) -> bool:
        return self.cancelled.is_set() or self.closing.is_set()

    def _progress(self, found: CollectProgress) -> None:
        now = self._now
        self._now = replace(
            found, added=now.added, changed=now.changed, same=now.same, failed=now.failed
        )
        self._note()

    def _check_wanted(self) -> None:
        if self._ended():
            raise Interrupted("The run was stopped.")

    def _note(self, *, always: bool = False) -> None:
        if always or time.monotonic() - self._noted >= _NOTED_EVERY:
            self._noted = time.monotonic()
            mine = self.stores.catalogue.collect_runs.set_progress(self.run.id, self._now)
            if not mine and not self._whole:
                self.cancelled.set()  # another process on the same database paused or stopped it

    # --------------------------------------------------------------------- into the session

    def _page(self, page: WebPage) -> None:
        """A page that is new or has changed, as it comes."""
        if not self._ended():
            self._add(item_of(self.run.request, self.folder, page))
            self._handed.add(page.url)
            self._note()

    def _add(self, item: Item) -> AddResult:
        name, url, content = item
        session_id, source = self.run.session_id, self.run.source
        if isinstance(content, Path):
            result = self.adder.add_pdf(session_id, content, name=name, url=url, source=source)
        else:
            result = self.adder.add_loaded(session_id, content, name=name, url=url, source=source)
        now = self._now
        match result.outcome:
            case AddOutcome.ACCEPTED:
                self._now = replace(now, added=now.added + 1)
            case AddOutcome.REPLACED:
                self._now = replace(now, changed=now.changed + 1)
            case AddOutcome.DUPLICATE:
                self._now = replace(now, same=now.same + 1)
            case _:
                self._now = replace(now, failed=now.failed + 1)
                self._refused.append((url or name, f"{result.reason} {result.cure}".strip()))
        return result

    def _agree(self) -> None:
        """Make the session agree with what is stored: nothing missing, nothing of what is gone.

        Pages that an earlier process had read but not handed on are added here.
        """
        self._now = replace(self._now, step="Adding what is new", share=None, seconds_left=None)
        places: set[str] = set()
        ids: set[str] = set()
        total = 0
        for item in items(self.run.request, self.folder):
            self._check_wanted()
            total += 1
            places.add(item[1])
            if item[1] in self._handed:
                continue
            result = self._add(item)
            if result.document is not None:
                ids.add(result.document.id)
            self._note()
        self._check_wanted()
        gone = 0
        for document in self.stores.catalogue.documents.of_source(
            self.run.session_id, self.run.source
        ):
            kept = document.url in places if document.url else document.id in ids
            if not kept and total and document.id != url_id(document.url):
                self.remover.document(self.run.session_id, document.id)
                gone += 1
        now = self._now
        same = max(0, total - now.added - now.changed - now.failed)
        self._now = replace(now, found=total, gone=gone, same=same, queued=0, now="")

    def _close(self, gathered: Gathered) -> None:
        now, outcome = self._now, gathered.outcome
        state, reason, cure = CollectState.DONE, "", ""
        if gathered.stopped and not gathered.whole:
            state, reason = CollectState.STOPPED, gathered.stopped
            cure = "Start it again with a higher limit: it goes on from here."
        elif not now.found:
            state = CollectState.FAILED
            reason = outcome.left_out[0][1] if outcome.left_out else "Nothing was found."
            cure = "Look at the preview, and check the address or the choice."
        self._keep(outcome)
        self._now = replace(now, step="", share=1.0, seconds_left=None)
        self._note(always=True)
        self.stores.catalogue.collect_runs.move(
            self.run.id, _NOT_ENDED, state, reason=reason, cure=cure, mine=True
        )

    def _keep(self, outcome: CollectOutcome) -> None:
        left_out = (*self._refused, *outcome.left_out)[:_MOST_LEFT_OUT]
        self.stores.catalogue.collect_runs.set_outcome(
            self.run.id, replace(outcome, left_out=left_out)
        )
