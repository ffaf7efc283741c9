"""Pages and chunks: text is stored once, with its page; a chunk is a span of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Select, and_, delete, insert, literal, select, tuple_, update

from core.errors import DocumentNotFound
from core.storage.sql.cuts import first_in_force, within
from core.storage.sql.database import Database, note_deletion
from core.storage.sql.places import CHUNK, Place, chunks_at, texts_at
from core.storage.sql.room import Room
from core.storage.sql.rows import chunk_of, chunk_row, dump_notices, page_of, page_row
from core.storage.sql.schema import chunks, documents, pages
from core.types import SPAN, Chunk, Cut, DocumentState, LoadedDocument, Page

_STREAM = 10_000  # ids a query of `chunk_ids`
_BATCH = 500  # chunks a query of `chunk_batches`
_PAGES = 100  # pages a query of `text_batches`

_Place = tuple[int, int]  # a document's key, a chunk's ordinal


@dataclass(frozen=True)
class Content(Room):
    """Pages and chunks of documents. Each method is one transaction; raises `StorageError`."""

    database: Database

    def save(
        self,
        session_id: str,
        document_id: str,
        loaded: LoadedDocument,
        passages: Sequence[Chunk],
    ) -> None:
        """Store pages and chunks, those of every cut, for earlier ones; the state: indexing.

        Raises `DocumentNotFound` if it was removed meanwhile, `Interrupted` where another process
        has it in work by now, `ValueError` for a chunk that is not the text of its span.
        """
        with self.database.writing() as connection:
            # Locked first: in PostgreSQL what is noted of it meanwhile waits for the end.
            row = connection.execute(
                _found(session_id, document_id).with_for_update()
            ).one_or_none()
            if row is None:
                raise DocumentNotFound("The document was removed while it was read.")
            key = row.key
            self.database.check_claim(row.claimant)
            _check(document_id, {page.ordinal: page.text for page in loaded.pages}, passages)
            first = first_in_force(connection, session_id)
            connection.execute(delete(chunks).where(chunks.c.document_key == key))
            if connection.execute(delete(pages).where(pages.c.document_key == key)).rowcount:
                note_deletion(connection)
            if loaded.pages:
                connection.execute(insert(pages), [page_row(key, page) for page in loaded.pages])
            if passages:
                connection.execute(insert(chunks), [chunk_row(key, chunk) for chunk in passages])
            connection.execute(
                update(documents)
                .where(documents.c.key == key)
                .values(
                    state=DocumentState.INDEXING,
                    kind=loaded.kind,
                    title=loaded.title,
                    language=loaded.language,
                    notices=dump_notices(loaded.notices),
                    attribution=loaded.attribution,
                    published=loaded.published,
                    pages=len(loaded.pages),
                    pages_without_text=loaded.pages_without_text,
                    pages_ocr=sum(page.ocr for page in loaded.pages),
                    chunks=sum(first <= chunk.ordinal < first + SPAN for chunk in passages),
                )
            )

    def add_chunks(self, session_id: str, document_id: str, passages: Sequence[Chunk]) -> None:
        """Store the chunks that a document has in one more cut. Raises as `save` does."""
        with self.database.writing() as connection:
            key = connection.scalar(_found(session_id, document_id).with_for_update())
            if key is None:
                raise DocumentNotFound("The document was removed while it was indexed again.")
            wanted = {(document_id, chunk.page_ordinal) for chunk in passages}
            texts = texts_at(connection, session_id, wanted)
            _check(document_id, {at: text for (_, at), text in texts.items()}, passages)
            if passages:
                connection.execute(insert(chunks), [chunk_row(key, chunk) for chunk in passages])
            first = first_in_force(connection, session_id)
            if mine := sum(first <= chunk.ordinal < first + SPAN for chunk in passages):
                this = documents.c.key == key
                connection.execute(update(documents).where(this).values(chunks=mine))

    def page(self, session_id: str, document_id: str, page_ordinal: int) -> Page | None:
        """Return one page, or None."""
        with self.database.reading() as connection:
            key = _key(connection, session_id, document_id)
            query = select(pages).where(
                pages.c.document_key == key, pages.c.ordinal == page_ordinal
            )
            row = connection.execute(query).mappings().one_or_none()
            return None if row is None else page_of(row)

    def pages(self, session_id: str, document_id: str) -> list[Page]:
        """Return the document's pages in order."""
        with self.database.reading() as connection:
            key = _key(connection, session_id, document_id)
            query = select(pages).where(pages.c.document_key == key).order_by(pages.c.ordinal)
            return [page_of(row) for row in connection.execute(query).mappings()]

    def page_texts(self, session_id: str, places: Iterable[Place]) -> dict[Place, str]:
        """Return the text of each page that exists, by (document id, page ordinal)."""
        with self.database.reading() as connection:
            return texts_at(connection, session_id, set(places))

    def text_batches(
        self, session_id: str, document_id: str, batch: int = _PAGES
    ) -> Iterator[list[tuple[int, str]]]:
        """Yield ordinal and text of all pages of a document in order, in batches.

        Each batch is a transaction of its own, so a long reading holds up nobody and keeps no
        more than a batch in memory.
        """
        after = -1
        while True:
            with self.database.reading() as connection:
                key = _key(connection, session_id, document_id)
                query = (
                    select(pages.c.ordinal, pages.c.text)
                    .where(pages.c.document_key == key, pages.c.ordinal > after)
                    .order_by(pages.c.ordinal)
                    .limit(batch)
                )
                found = [(ordinal, text) for ordinal, text in connection.execute(query)]
            if not found:
                return
            yield found
            after = found[-1][0]

    def chunks(self, session_id: str, document_id: str) -> list[Chunk]:
        """Return the document's chunks in order, those of the cut that is in force."""
        with self.database.reading() as connection:
            return _chunks_of(connection, session_id, document_id)

    def chunks_in(self, cut: Cut, document_id: str) -> list[Chunk]:
        """Return the document's chunks in a cut, in order."""
        with self.database.reading() as connection:
            return _chunks_of(connection, cut.session_id, document_id, first=cut.first)

    def ids_in_every_cut(self, session_id: str, document_id: str) -> list[str]:
        """Return the ids of all chunks that were ever made of a document, for unindexing."""
        with self.database.reading() as connection:
            key = _key(connection, session_id, document_id)
            query = select(chunks.c.ordinal).where(chunks.c.document_key == key)
            found = connection.scalars(query.order_by(chunks.c.ordinal))
            return [f"{document_id}:{ordinal}" for ordinal in found]

    def page_chunks(self, session_id: str, document_id: str, page_ordinal: int) -> list[Chunk]:
        """Return the chunks of one page in order."""
        with self.database.reading() as connection:
            return _chunks_of(connection, session_id, document_id, page_ordinal=page_ordinal)

    def chunks_by_id(self, session_id: str, ids: Sequence[str]) -> dict[str, Chunk]:
        """Return the session's chunks with these ids; unknown ids are left out."""
        with self.database.reading() as connection:
            places = {span for span in map(_span, ids) if span is not None}
            return {chunk.id: chunk for chunk in chunks_at(connection, session_id, places)}

    def chunk_ids(
        self, session_id: str, cut: Cut | None = None, *, ready_only: bool = True
    ) -> Iterator[str]:
        """Yield the session's chunk ids in the order of adding; without `cut`, those in force.

        No transaction stays open between two of them, so a slow reader holds up nobody.
        """
        after = (-1, -1)
        while True:
            with self.database.reading() as connection:
                first = first_in_force(connection, session_id) if cut is None else cut.first
                found = _chunk_ids_after(connection, session_id, first, after, ready_only)
            if not found:
                return
            yield from (chunk_id for _, chunk_id in found)
            after = found[-1][0]

    def chunk_batches(
        self, session_id: str, document_ids: Collection[str], batch: int = _BATCH
    ) -> Iterator[list[Chunk]]:
        """Yield all chunks of these documents that are ready, in batches, in the order of adding.

        Each batch is found by its key, in a transaction of its own, so a long reading holds up
        nobody and keeps no more than a batch in memory.
        """
        after = (-1, -1)
        while True:
            with self.database.reading() as connection:
                first = first_in_force(connection, session_id)
                found = _chunk_ids_after(connection, session_id, first, after, True, batch)
                spans = (_span(chunk_id) for _, chunk_id in found)
                wanted = {span for span in spans if span and span[0] in document_ids}
                there = chunks_at(connection, session_id, wanted) if wanted else []
            if not found:
                return
            if there:
                by_id = {chunk.id: chunk for chunk in there}
                yield [by_id[chunk_id] for _, chunk_id in found if chunk_id in by_id]
            after = found[-1][0]


def _check(document_id: str, texts: Mapping[int, str], passages: Sequence[Chunk]) -> None:
    for chunk in passages:
        if chunk.id != f"{document_id}:{chunk.ordinal}" or chunk.document_id != document_id:
            raise ValueError(f"chunk {chunk.id!r} is not of document {document_id!r}")
        if texts.get(chunk.page_ordinal, "")[chunk.start : chunk.end] != chunk.text:
            raise ValueError(f"chunk {chunk.ordinal} is not the text of its span")


def _key(connection: Connection, session_id: str, document_id: str) -> int | None:
    row = connection.execute(_found(session_id, document_id)).one_or_none()
    return None if row is None else row.key


def _found(session_id: str, document_id: str) -> Select[int, int]:
    where = and_(documents.c.session_id == session_id, documents.c.id == document_id)
    return select(documents.c.key, documents.c.claimant).where(where)


def _chunks_of(
    connection: Connection,
    session_id: str,
    document_id: str,
    *,
    page_ordinal: int | None = None,
    first: int | None = None,
) -> list[Chunk]:
    """Return the chunks of a document, or of one page of it, in order."""
    key = _key(connection, session_id, document_id)
    if first is None:
        first = first_in_force(connection, session_id)
    where, of_page = [chunks.c.document_key == key, within(first)], [pages.c.document_key == key]
    if page_ordinal is not None:
        where.append(chunks.c.page_ordinal == page_ordinal)
        of_page.append(pages.c.ordinal == page_ordinal)
    found = connection.execute(select(pages.c.ordinal, pages.c.text).where(*of_page))
    texts = {ordinal: text for ordinal, text in found}
    query = select(literal(document_id), *CHUNK).where(*where).order_by(chunks.c.ordinal)
    return [chunk_of(tuple(row), texts) for row in connection.execute(query).all()]


def _span(chunk_id: str) -> tuple[str, int] | None:
    document_id, _, ordinal = chunk_id.rpartition(":")
    # Nine digits: what every database takes for an integer.
    if not ordinal.isascii() or not ordinal.isdigit() or len(ordinal) > 9:
        return None
    return document_id, int(ordinal)


def _chunk_ids_after(
    connection: Connection,
    session_id: str,
    first: int,
    after: _Place,
    ready_only: bool,
    limit: int = _STREAM,
) -> list[tuple[_Place, str]]:
    """Return the next ids after a place (a document's key, a chunk's ordinal), in order.

    Those of the cut whose first ordinal is `first`.
    """
    where = [documents.c.session_id == session_id, documents.c.key >= after[0], within(first)]
    if ready_only:
        where.append(documents.c.state == DocumentState.READY)
    query = (
        select(documents.c.key, chunks.c.ordinal, documents.c.id)
        .join(chunks, chunks.c.document_key == documents.c.key)
        .where(*where, tuple_(documents.c.key, chunks.c.ordinal) > after)
        .order_by(documents.c.key, chunks.c.ordinal)
        .limit(limit)
    )
    rows = connection.execute(query)
    return [((key, ordinal), f"{name}:{ordinal}") for key, ordinal, name in rows]
