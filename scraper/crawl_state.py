"""What a crawl knows, on disk: queue, pages and reasons. A page is there whole or not at all.

Each page that was visited is one transaction with the links that it added to the queue, so a
process that is killed at any moment goes on with the page that it was at. A run is a
*generation*: the next one asks for the same pages again, but only for what has changed.
"""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from core.parsing.html.links import PageLinks
from core.parsing.html.web_page import WebPage

_VERSION = "1"
_COUNTERS = ("visited", "requests", "bytes", "milliseconds", "unusable", "troubles")
_MOST_SKIPPED = 20_000  # rows; what is left out beyond them is counted, not listed
_WEB_PAGE: TypeAdapter[WebPage] = TypeAdapter(WebPage)
_LINKS: TypeAdapter[PageLinks] = TypeAdapter(PageLinks)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS pages (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    url TEXT NOT NULL UNIQUE,
    host TEXT NOT NULL,
    depth INTEGER NOT NULL,
    generation INTEGER NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT '',
    etag TEXT NOT NULL DEFAULT '',
    last_modified TEXT NOT NULL DEFAULT '',
    body_hash TEXT NOT NULL DEFAULT '',
    text_hash TEXT NOT NULL DEFAULT '',
    changed INTEGER NOT NULL DEFAULT 0,
    page BLOB,
    links BLOB
);
CREATE INDEX IF NOT EXISTS waiting ON pages (host, state, depth, position);
CREATE INDEX IF NOT EXISTS texts ON pages (text_hash);
"""


@dataclass(frozen=True, slots=True)
class Known:
    """A page of the queue with what an earlier visit learned of it."""

    url: str
    host: str
    depth: int
    etag: str = ""
    last_modified: str = ""
    body_hash: str = ""
    text_hash: str = ""
    has_page: bool = False


@dataclass(frozen=True, slots=True)
class Visited:
    """What a visit found: the page (None where it stays as it was) and marks for the next."""

    page: WebPage | None
    links: PageLinks
    etag: str = ""
    last_modified: str = ""
    body_hash: str = ""
    text_hash: str = ""


class CrawlState:
    """The state of one crawl in `folder`/crawl.db. Threads may share it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = threading.RLock()
        self._db = sqlite3.connect(
            folder / "crawl.db", check_same_thread=False, isolation_level=None, timeout=30
        )
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute("PRAGMA secure_delete=ON")
        self._db.executescript(_SCHEMA)
        self._db.execute("INSERT OR IGNORE INTO meta VALUES ('version', ?)", (_VERSION,))

    def close(self) -> None:
        with self._lock:
            self._db.close()

    # ------------------------------------------------------------------------ one run

    def begin(self, *, refresh: bool = False) -> bool:
        """Go on with a run that did not end, or begin the next; True when it goes on."""
        with self.transaction():
            going_on = self.number("running") == 1 and not refresh
            if not going_on:
                self.set_number("generation", self.generation + 1)
                self.set_number("running", 1)
                for name in _COUNTERS:
                    self.set_number(name, 0)
                self._db.execute("DELETE FROM meta WHERE name LIKE 'once:%'")
            return going_on

    def end(self) -> list[str]:
        """End a run whose queue is empty; pages that nothing leads to any more are removed.

        Gives their addresses. Where a page could not be read, what it leads to cannot be known:
        then nothing is removed.
        """
        with self.transaction():
            self.set_number("running", 0)
            if self.number("troubles"):
                return []
            old = "FROM pages WHERE generation < ?"
            rows = self._all(f"SELECT url {old} AND page IS NOT NULL", self.generation)
            self._db.execute(f"DELETE {old}", (self.generation,))
            return [url for (url,) in rows]

    @property
    def generation(self) -> int:
        return self.number("generation")

    def once(self, name: str) -> bool:
        """True the first time that a run asks under this name."""
        with self.transaction():
            done = self.number(f"once:{name}") == 1
            self.set_number(f"once:{name}", 1)
            return not done

    def number(self, name: str) -> int:
        """A counter of the run, 0 at first."""
        rows = self._all("SELECT value FROM meta WHERE name = ?", name)
        return int(rows[0][0]) if rows else 0

    def set_number(self, name: str, value: int) -> None:
        with self._lock:
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, str(value)))

    def add_to(self, **counters: int) -> None:
        """Add to counters of the run."""
        with self.transaction():
            for name, value in counters.items():
                self.set_number(name, self.number(name) + value)

    # ---------------------------------------------------------------------- the queue

    def enqueue(self, urls: Iterable[tuple[str, str]], depth: int) -> None:
        """Put (url, host) into the queue, but for those that this run has already met."""
        with self.transaction():
            self._db.executemany(
                "INSERT INTO pages (url, host, depth, generation, state)"
                " VALUES (?, ?, ?, ?, 'queued')"
                " ON CONFLICT (url) DO UPDATE SET depth = excluded.depth, state = 'queued',"
                " generation = excluded.generation, reason = ''"
                " WHERE pages.generation < excluded.generation",
                [(url, host, depth, self.generation) for url, host in urls],
            )

    def skip(self, urls: Iterable[tuple[str, str]]) -> None:
        """Note (url, reason) of links that are not followed, each once."""
        with self.transaction():
            if self.count("skipped") > _MOST_SKIPPED:
                return
            self._db.executemany(
                "INSERT INTO pages (url, host, depth, generation, state, reason)"
                " VALUES (?, '', 0, ?, 'skipped', ?)"
                " ON CONFLICT (url) DO UPDATE SET state = 'skipped', reason = excluded.reason,"
                " generation = excluded.generation WHERE pages.generation < excluded.generation",
                [(url, self.generation, reason) for url, reason in urls],
            )

    def next(self, host: str) -> Known | None:
        """The page of a host that is to be visited next: the nearest to the start."""
        rows = self._all(
            "SELECT url, host, depth, etag, last_modified, body_hash, text_hash, page IS NOT NULL"
            " FROM pages WHERE host = ? AND state = 'queued' ORDER BY depth, position LIMIT 1",
            host,
        )
        return Known(*rows[0]) if rows else None

    def hosts(self) -> list[str]:
        """The hosts that have pages in the queue."""
        rows = self._all("SELECT DISTINCT host FROM pages WHERE state = 'queued' ORDER BY position")
        return [host for (host,) in rows]

    def count(self, state: str) -> int:
        """How many pages of this run are queued, done, skipped or failed."""
        query = "SELECT COUNT(*) FROM pages WHERE state = ? AND generation = ?"
        return int(self._all(query, state, self.generation)[0][0])

    # ------------------------------------------------------------- what became of a page

    def known(self, url: str) -> str:
        """What this run has made of an address ("queued", "done", ...), "" when it is new."""
        query = "SELECT state FROM pages WHERE url = ? AND generation = ?"
        rows = self._all(query, url, self.generation)
        return str(rows[0][0]) if rows else ""

    def same_text(self, text_hash: str, url: str) -> str:
        """The address of another page of this run with the same text, "" when there is none."""
        rows = self._all(
            "SELECT url FROM pages WHERE text_hash = ? AND url <> ? AND generation = ?"
            " AND state = 'done' LIMIT 1",
            text_hash,
            url,
            self.generation,
        )
        return str(rows[0][0]) if rows else ""

    def done(self, url: str, host: str, depth: int, visited: Visited) -> None:
        """Keep a page; without a new text, what was kept of it stays."""
        with self.transaction():
            self.enqueue([(url, host)], depth)
            self._db.execute(
                "UPDATE pages SET state = 'done', reason = '', etag = ?, last_modified = ?,"
                " body_hash = ?, text_hash = ?, links = ? WHERE url = ?",
                (
                    visited.etag,
                    visited.last_modified,
                    visited.body_hash,
                    visited.text_hash,
                    zlib.compress(_LINKS.dump_json(visited.links)),
                    url,
                ),
            )
            if visited.page is not None:
                self._db.execute(
                    "UPDATE pages SET page = ?, changed = ? WHERE url = ?",
                    (zlib.compress(_WEB_PAGE.dump_json(visited.page)), self.generation, url),
                )

    def failed(self, url: str, reason: str, *, gone: bool) -> None:
        """A page that could not be read; what is kept of it goes only when the page is gone."""
        empty = ", page = NULL, links = NULL, etag = '', text_hash = ''" if gone else ""
        with self.transaction():
            self.add_to(troubles=0 if gone else 1)
            self._db.execute(
                f"UPDATE pages SET state = 'failed', reason = ?{empty}"  # noqa: S608  # constants only
                " WHERE url = ?",
                (reason, url),
            )

    def refused(self, url: str, reason: str) -> None:
        """A visited page that is not kept."""
        with self._lock:
            self._db.execute(
                "UPDATE pages SET state = 'skipped', reason = ?, page = NULL, links = NULL,"
                " etag = '', text_hash = '' WHERE url = ?",
                (reason, url),
            )

    def erase(self, *urls: str) -> None:
        """Forget what was read at these addresses, and leave no byte of it in the file."""
        with self._lock:
            self._db.executemany(
                "UPDATE pages SET page = NULL, links = NULL, etag = '', last_modified = '',"
                " body_hash = '', text_hash = '' WHERE url = ?",
                [(url,) for url in urls],
            )
            self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    # -------------------------------------------------------------------- what there is

    def pages(self, *, changed_only: bool = False) -> Iterator[WebPage]:
        """The pages that are kept, in the order in which they were met."""
        where = "page IS NOT NULL" + (" AND changed = ?" if changed_only else "")
        keys = self._all(
            f"SELECT position FROM pages WHERE {where} ORDER BY position",  # noqa: S608  # constants only
            *((self.generation,) if changed_only else ()),
        )
        for (position,) in keys:
            rows = self._all("SELECT page FROM pages WHERE position = ?", position)
            yield _WEB_PAGE.validate_json(zlib.decompress(rows[0][0]))

    def page(self, url: str) -> WebPage | None:
        """A page that is kept, by its address."""
        rows = self._all("SELECT page FROM pages WHERE url = ? AND page IS NOT NULL", url)
        return _WEB_PAGE.validate_json(zlib.decompress(rows[0][0])) if rows else None

    def links(self, url: str) -> PageLinks:
        """The links of a page that is kept."""
        rows = self._all("SELECT links FROM pages WHERE url = ? AND links IS NOT NULL", url)
        return _LINKS.validate_json(zlib.decompress(rows[0][0])) if rows else PageLinks()

    def left_out(self) -> list[tuple[str, str, str]]:
        """(url, "skipped" or "failed", reason) of this run, in the order of meeting."""
        return self._all(
            "SELECT url, state, reason FROM pages WHERE state IN ('skipped', 'failed')"
            " AND generation = ? ORDER BY position",
            self.generation,
        )

    def changes(self) -> tuple[int, int]:
        """How many pages this run found new or changed, and how many unchanged."""
        query = "SELECT COUNT(*) FROM pages WHERE state = 'done' AND generation = ? AND changed"
        changed = self._all(f"{query} = ?", self.generation, self.generation)[0][0]
        unchanged = self._all(f"{query} < ?", self.generation, self.generation)[0][0]
        return int(changed), int(unchanged)

    def _all(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._db.execute(query, values).fetchall()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All changes inside are made together or not at all; it may stand in a larger one."""
        with self._lock:
            if self._db.in_transaction:  # part of a larger one
                yield
                return
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
