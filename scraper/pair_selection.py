"""Which questions of a dump fit, and which answer each of them gets; remembered on disk."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.errors import Interrupted
from scraper.dumps import Row, read_rows
from scraper.qa_pairs import Pair, post, tags_of

_SCHEMA = """
CREATE TABLE questions (id INTEGER PRIMARY KEY, score INTEGER, accepted INTEGER);
CREATE TABLE answers (id INTEGER PRIMARY KEY, parent INTEGER, score INTEGER);
CREATE TABLE pairs (question INTEGER PRIMARY KEY, answer INTEGER, score INTEGER, accepted INT);
CREATE TABLE wanted (id INTEGER PRIMARY KEY, row TEXT);
CREATE TABLE exported (position INTEGER PRIMARY KEY, score INTEGER, question TEXT, answer TEXT);
CREATE TABLE users (id TEXT PRIMARY KEY, name TEXT);
CREATE INDEX parents ON answers (parent);
"""
_CHOOSE = """
INSERT INTO pairs SELECT question, answer, score, accepted FROM (
    SELECT q.id AS question, a.id AS answer, q.score AS score, a.id = q.accepted AS accepted,
        ROW_NUMBER() OVER (
            PARTITION BY q.id ORDER BY a.id = q.accepted DESC, a.score DESC, a.id
        ) AS place
    FROM questions q JOIN answers a ON a.parent = q.id
) WHERE place = 1 AND (accepted OR ?) ORDER BY score DESC, question LIMIT ?
"""
_IN_ORDER = """
SELECT asked, answered, accepted FROM (
    SELECT q.row AS asked, a.row AS answered, p.accepted AS accepted, p.score AS score,
        p.question AS place
    FROM pairs p JOIN wanted q ON q.id = p.question JOIN wanted a ON a.id = p.answer
    WHERE q.row IS NOT NULL AND a.row IS NOT NULL
    UNION ALL
    SELECT question, answer, json_extract(answer, '$.accepted'), score, position FROM exported
) ORDER BY score DESC, place LIMIT ?
"""
_QUESTION: Mapping[str, tuple[str, ...]] = {
    "id": ("questionid", "qid", "id"),
    "title": ("questiontitle", "qtitle", "title"),
    "body": ("questionbody", "qbody", "body", "question"),
    "score": ("questionscore", "qscore", "score"),
    "tags": ("questiontags", "qtags", "tags"),
    "creationdate": ("questioncreationdate", "questiondate", "qdate", "creationdate"),
    "ownerdisplayname": ("questionownerdisplayname", "questionauthor", "ownerdisplayname"),
    "owneruserid": ("questionowneruserid", "owneruserid"),
}
_ANSWER: Mapping[str, tuple[str, ...]] = {
    "id": ("answerid", "aid", "acceptedanswerid"),
    "body": ("answerbody", "abody", "acceptedanswerbody", "bestanswerbody", "answer"),
    "score": ("answerscore", "ascore"),
    "creationdate": ("answercreationdate", "answerdate", "adate"),
    "ownerdisplayname": ("answerownerdisplayname", "answerauthor"),
    "owneruserid": ("answerowneruserid",),
    "accepted": ("acceptedanswerbody", "acceptedanswerid"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """Which pairs are taken. An empty `tag` takes all, a `limit` of 0 has no end.

    `answers` "accepted" takes questions with an accepted answer alone; "best" takes the
    answer with the highest score where none was accepted. The pairs with the highest scores of
    their questions come first.
    """

    tag: str = "python"
    limit: int = 500
    min_score: int = 0
    answers: Literal["accepted", "best"] = "best"


@dataclass(frozen=True, slots=True)
class DumpReport:
    """What was found: rows of all kinds in the files, and how many pairs were taken."""

    rows: int
    questions: int
    answers: int
    matching: int
    pairs: int = 0
    code_blocks: int = 0


class Selection:
    """One run: `choose`, `take`, `name_authors`, then `pairs`."""

    def __init__(
        self,
        folder: Path,
        choice: Choice,
        on_progress: Callable[[str, float], None] | None,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self._choice = choice
        self._on_progress = on_progress
        self._cancelled = cancelled
        self._counts = {"questions": 0, "answers": 0, "matching": 0}
        self._db = sqlite3.connect(folder / "work.db")
        self._db.execute("PRAGMA journal_mode=OFF")
        self._db.execute("PRAGMA synchronous=OFF")
        self._db.executescript(_SCHEMA)

    def close(self) -> None:
        self._db.close()

    def choose(self, files: Sequence[Path]) -> DumpReport:
        """The first reading: which questions fit, and which answer each of them gets."""
        rows = sum(
            read_rows(path, self._look, self._progress_of("choosing", number, len(files)))
            for number, path in enumerate(files)
        )
        self._db.execute(_CHOOSE, (self._choice.answers == "best", self._choice.limit or -1))
        self._db.execute("INSERT INTO wanted SELECT question, NULL FROM pairs")
        self._db.execute("INSERT OR IGNORE INTO wanted SELECT answer, NULL FROM pairs")
        return DumpReport(rows=rows, **self._counts)

    def _look(self, row: Row) -> None:
        kind = row.get("posttypeid") or _kind_of(row)
        if kind == "1":
            self._counts["questions"] += 1
            if fits(row, self._choice):
                self._counts["matching"] += 1
                values = (_int(row, "id"), _int(row, "score"), _int(row, "acceptedanswerid"))
                self._db.execute("INSERT OR IGNORE INTO questions VALUES (?, ?, ?)", values)
        elif kind == "2":
            self._counts["answers"] += 1
            own, parent = _int(row, "id"), _int(row, "parentid")
            # A question that comes after its answer cannot be known yet.
            if parent > own or self._has("SELECT 1 FROM questions WHERE id = ?", parent):
                values = (own, parent, _int(row, "score"))
                self._db.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?)", values)
        elif kind == "pair":
            self._look_at_pair(_renamed(row, _QUESTION), _renamed(row, _ANSWER))

    def _look_at_pair(self, question: Row, answer: Row) -> None:
        self._counts["questions"] += 1
        self._counts["answers"] += 1
        if fits(question, self._choice):
            self._counts["matching"] += 1
            values = (_int(question, "score"), json.dumps(question), json.dumps(answer))
            self._db.execute("INSERT INTO exported VALUES (NULL, ?, ?, ?)", values)

    def take(self, files: Sequence[Path]) -> None:
        """The second reading: the posts that were chosen."""
        if self._has("SELECT 1 FROM wanted"):
            for number, path in enumerate(files):
                read_rows(path, self._keep, self._progress_of("taking", number, len(files)))

    def _keep(self, row: Row) -> None:
        own = _int(row, "id")
        if self._has("SELECT 1 FROM wanted WHERE id = ? AND row IS NULL", own):
            self._db.execute("UPDATE wanted SET row = ? WHERE id = ?", (json.dumps(dict(row)), own))
            owner = row.get("owneruserid")
            if owner:
                self._db.execute("INSERT OR IGNORE INTO users VALUES (?, '')", (owner,))

    def name_authors(self, users: Path | None) -> None:
        """Learn the names of the authors of what was chosen."""

        def keep(row: Row) -> None:
            values = (row.get("displayname", ""), row.get("id", ""))
            self._db.execute("UPDATE users SET name = ? WHERE id = ?", values)

        if users is not None:
            read_rows(users, keep, self._progress_of("authors", 0, 1))

    def pairs(self, site: str) -> Iterator[Pair]:
        """The chosen pairs, the questions with the highest scores first."""
        for question, answer, accepted in self._db.execute(_IN_ORDER, (self._choice.limit or -1,)):
            asked, answered = json.loads(question), json.loads(answer)
            title = " ".join(asked.get("title", "").split())
            yield Pair(
                title=title or f"Question {asked.get('id', '')}".strip(),
                question=post(asked, site=site, author=self._name(asked)),
                answer=post(answered | {"posttypeid": "2"}, site=site, author=self._name(answered)),
                tags=tags_of(asked.get("tags", "")),
                accepted=bool(accepted),
                site=site,
            )

    def _name(self, row: Row) -> str:
        query = "SELECT name FROM users WHERE id = ?"
        found = self._db.execute(query, (row.get("owneruserid", ""),)).fetchone()
        return str(found[0]) if found else ""

    def _has(self, query: str, *values: int) -> bool:
        return self._db.execute(query, values).fetchone() is not None

    def _progress_of(self, step: str, number: int, count: int) -> Callable[[float], None]:
        def report(share: float) -> None:
            if self._cancelled and self._cancelled():
                raise Interrupted("Reading the dump was stopped.", "Start it again when you like.")
            if self._on_progress:
                self._on_progress(step, (number + share) / count)

        return report


def fits(question: Row, choice: Choice) -> bool:
    """Whether a question has the score and the tag that are asked for."""
    if _int(question, "score") < choice.min_score:
        return False
    tag = choice.tag.lower()
    return not tag or tag in (one.lower() for one in tags_of(question.get("tags", "")))


def _kind_of(row: Row) -> str:
    """What a row of an export is that does not say it: question, answer, or both in one."""
    if _first(row, _ANSWER["body"]):
        return "pair"
    if row.get("parentid"):
        return "2"
    return "1" if row.get("title") else ""


def question_of(row: Row) -> Row | None:
    """The question in a row of a dump or an export; None for a row without one."""
    kind = row.get("posttypeid") or _kind_of(row)
    return {"1": row, "pair": _renamed(row, _QUESTION)}.get(kind)


def _renamed(row: Row, names: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    return {name: _first(row, others) for name, others in names.items()}


def _first(row: Row, names: Iterable[str]) -> str:
    return next((row[name] for name in names if row.get(name)), "")


def _int(row: Row, name: str) -> int:
    try:
        number = int(row.get(name) or 0)
    except ValueError:
        return 0
    return number if abs(number) < 1 << 62 else 0
