"""The cuts of sessions: in which ways each one's documents are cut, embedded and indexed."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, fields
from itertools import count

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    and_,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from core.ids import session_of_index
from core.storage.sql.database import Database
from core.storage.sql.room import Room
from core.storage.sql.schema import chunks, cuts, documents, sessions
from core.types import SPAN, Cut, Cutting, DocumentState

_NUMBERS = 1000
"""How many numbers there are; ordinals of chunks stay below 10^9."""


@dataclass(frozen=True)
class Cuts(Room):
    """Each method is one transaction; raises `StorageError`.

    `want` says what should be. `core.ingestion.recutting` makes it so: it indexes what is not
    ready, puts it in force, and drops what is not wanted. A kill leaves the rows, so it goes on.
    """

    database: Database

    def standing(self, session_id: str) -> list[Cut]:
        """Return all cuts of a session, the one in force first; [] for a session that is gone."""
        with self.database.reading() as connection:
            return _standing(connection, session_id)

    def in_force(self, session_id: str) -> Cut:
        """Return the cut that is searched; the first one for a session that is gone."""
        with self.database.reading() as connection:
            return next(iter(_standing(connection, session_id)), Cut(session_id))

    def of_index(self, index_name: str) -> Cut | None:
        """Return the cut whose indexes have this name, None if there is none."""
        standing = self.standing(session_of_index(index_name))
        return next((cut for cut in standing if cut.index == index_name), None)

    def models(self) -> set[str]:
        """Return the names of the embedding models that are in use beside the program's own."""
        with self.database.reading() as connection:
            kept = connection.scalars(select(cuts.c.cutting).distinct())
            return {_loaded(text).model for text in kept} - {""}

    def collection(self, cut: Cut) -> tuple[str, str, int] | None:
        """Return model, digest and dimension of a cut's vectors, None before the first."""
        columns = select(cuts.c.made_with, cuts.c.made_digest, cuts.c.made_dimension)
        with self.database.reading() as connection:
            row = connection.execute(columns.where(_this(cut))).one_or_none()
            return None if row is None or not row[2] else (row[0], row[1], row[2])

    def set_collection(self, cut: Cut, model: str, digest: str, dimension: int) -> None:
        """Note which embedding model made a cut's vectors."""
        values = {"made_with": model, "made_digest": digest, "made_dimension": dimension}
        with self.database.writing() as connection:
            connection.execute(update(cuts).where(_this(cut)).values(**values))

    def want(self, session_id: str, cuttings: Sequence[Cutting]) -> None:
        """Set how the documents of a session should be cut: the first in force, others beside."""
        with self.database.writing() as connection:
            connection.execute(_locked(session_id))
            there = {cut.cutting: cut.number for cut in _standing(connection, session_id)}
            if not there:
                return
            these = cuts.c.session_id == session_id
            connection.execute(update(cuts).where(these).values(wanted=False))
            for cutting in dict.fromkeys(cuttings):
                if cutting not in there:
                    there[cutting] = _free(set(there.values()))
                    row = {"session_id": session_id, "number": there[cutting], "ready": False}
                    connection.execute(insert(cuts).values(**row, cutting=_dumped(cutting)))
                this = and_(these, cuts.c.number == there[cutting])
                connection.execute(update(cuts).where(this).values(wanted=True))
            connection.execute(
                update(sessions)
                .where(sessions.c.id == session_id)
                .values(wanted_cut=there[cuttings[0]])
            )

    def wanted(self, session_id: str) -> int | None:
        """Return the number of the cut that should be in force, None for a session that is gone."""
        with self.database.reading() as connection:
            return connection.scalar(
                select(sessions.c.wanted_cut).where(sessions.c.id == session_id)
            )

    def unsettled(self) -> list[str]:
        """Return the ids of sessions whose cuts are not as they should be."""
        off = or_(cuts.c.ready.is_(False), cuts.c.wanted.is_(False))
        other = sessions.c.cut != sessions.c.wanted_cut
        with self.database.reading() as connection:
            query = select(sessions.c.id).join(cuts, cuts.c.session_id == sessions.c.id)
            return list(connection.scalars(query.where(or_(off, other)).distinct()))

    def missing(self, cut: Cut) -> list[str]:
        """Return the ids of ready documents that have chunks, but none in this cut."""
        mine = and_(chunks.c.document_key == documents.c.key, within(cut.first))
        with self.database.reading() as connection:
            query = select(documents.c.id).where(
                documents.c.session_id == cut.session_id,
                documents.c.state == DocumentState.READY,
                documents.c.chunks > 0,
                ~exists().where(mine),
            )
            return list(connection.scalars(query.order_by(documents.c.key)))

    def finish(self, cut: Cut) -> bool:
        """Note that a cut is whole, and put it in force if it should be; returns whether it is.

        From then on the session has the chunks of this cut, in one moment.
        """
        with self.database.writing() as connection:
            of = connection.execute(_locked(cut.session_id)).one_or_none()
            if of is None:
                return False
            wanted = and_(_this(cut), cuts.c.wanted.is_(True))
            if not connection.execute(update(cuts).where(wanted).values(ready=True)).rowcount:
                return False
            if of.wanted_cut != cut.number:
                return False
            connection.execute(
                update(sessions).where(sessions.c.id == cut.session_id).values(cut=cut.number)
            )
            mine = and_(chunks.c.document_key == documents.c.key, within(cut.first))
            number = select(func.count()).select_from(chunks).where(mine).scalar_subquery()
            own = documents.c.session_id == cut.session_id
            connection.execute(update(documents).where(own).values(chunks=number))
            return True

    def empty(self, cut: Cut) -> bool:
        """Delete the chunks of a cut that is not wanted nor in force; returns whether it is so."""
        with self.database.writing() as connection:
            gone = connection.execute(update(cuts).where(_useless(cut)).values(ready=False))
            if gone.rowcount:
                keys = select(documents.c.key).where(documents.c.session_id == cut.session_id)
                mine = and_(chunks.c.document_key.in_(keys), within(cut.first))
                connection.execute(delete(chunks).where(mine))
            return bool(gone.rowcount)

    def drop(self, cut: Cut) -> None:
        """Delete an empty cut, unless it is wanted again."""
        with self.database.writing() as connection:
            connection.execute(delete(cuts).where(_useless(cut)))


def within(first: ColumnElement[int] | int) -> ColumnElement[bool]:
    """The condition that a chunk is of the cut whose first ordinal this is."""
    return and_(chunks.c.ordinal >= first, chunks.c.ordinal < first + SPAN)


def first_in_force(connection: Connection, session_id: str) -> int:
    """Return the first ordinal of the chunks that a session has now."""
    query = select(sessions.c.cut).where(sessions.c.id == session_id)
    return (connection.scalar(query) or 0) * SPAN


def add_first(connection: Connection, session_id: str) -> None:
    """Give a new session its cut: as the settings say."""
    row = {"session_id": session_id, "number": 0, "cutting": _dumped(Cutting())}
    connection.execute(insert(cuts).values(**row, ready=True, wanted=True))


def _locked(session_id: str) -> Select[tuple[int, int]]:
    """The numbers in force and wanted of a session, held: in PostgreSQL others wait."""
    query = select(sessions.c.cut, sessions.c.wanted_cut).where(sessions.c.id == session_id)
    return query.with_for_update()


def _this(cut: Cut) -> ColumnElement[bool]:
    return and_(cuts.c.session_id == cut.session_id, cuts.c.number == cut.number)


def _useless(cut: Cut) -> ColumnElement[bool]:
    """The condition that a cut is neither wanted nor in force."""
    in_force = select(sessions.c.cut).where(sessions.c.id == cut.session_id).scalar_subquery()
    return and_(_this(cut), cuts.c.wanted.is_(False), cuts.c.number != in_force)


def _standing(connection: Connection, session_id: str) -> list[Cut]:
    query = (
        select(cuts.c.number, cuts.c.cutting, cuts.c.ready, cuts.c.wanted, sessions.c.cut)
        .join(sessions, sessions.c.id == cuts.c.session_id)
        .where(cuts.c.session_id == session_id)
        .order_by(cuts.c.number)
    )
    found = [
        Cut(
            session_id,
            row.number,
            _loaded(row.cutting),
            row.ready,
            row.wanted,
            row.number == row.cut,
        )
        for row in connection.execute(query)
    ]
    return sorted(found, key=lambda cut: not cut.in_force)


def _free(taken: Collection[int]) -> int:
    """A number that no cut of the session has; used ones come again as late as possible."""
    after = (number % _NUMBERS for number in count(max(taken) + 1))
    return next(number for number in after if number not in taken)


def _dumped(cutting: Cutting) -> str:
    return json.dumps(asdict(cutting))


def _loaded(text: str) -> Cutting:
    kept = {field.name for field in fields(Cutting)}  # a later version may have added others
    values = {name: value for name, value in json.loads(text).items() if name in kept}
    return Cutting(**{**values, "separators": tuple(values.get("separators", ()))})
