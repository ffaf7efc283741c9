"""Pages and chunks: text is stored once, with its page; a chunk is a span of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, and_, delete, insert, literal, select, tuple_, update

from core.errors import DocumentNotFound
from core.storage.sql.database import note_deletion
from core.storage.sql.places import CHUNK, Place, chunks_at, texts_at
from core.storage.sql.rows import chunk_of, chunk_row, dump_notices, page_of, page_row
from core.storage.sql.schema import chunks, documents, pages
from core.types import Chunk, DocumentState, LoadedDocument, Page

_STREAM = 10_000  # ids a query of `chunk_ids`

_Place = tuple[int, int]  # a document's key, a chunk's ordinal


def save(
    connection: Connection,
    session_id: str,
    document_id: str,
    loaded: LoadedDocument,
    passages: Sequence[Chunk],
) -> None:
    """Write pages and chunks in place of earlier ones; the document's state becomes indexing.

    Raises `DocumentNotFound` if it was removed meanwhile, and `ValueError` for a chunk that is
    not the span of its page that it claims to be.
    """
    key = _key(connection, session_id, document_id)
    if key is None:
        raise DocumentNotFound("The document was removed while it was read.")
    _check(document_id, loaded.pages, passages)
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
            chunks=len(passages),
        )
    )


def _check(document_id: str, given: Sequence[Page], passages: Sequence[Chunk]) -> None:
    texts = {page.ordinal: page.text for page in given}
    for chunk in passages:
        if chunk.id != f"{document_id}:{chunk.ordinal}" or chunk.document_id != document_id:
            raise ValueError(f"chunk {chunk.id!r} is not of document {document_id!r}")
        if texts.get(chunk.page_ordinal, "")[chunk.start : chunk.end] != chunk.text:
            raise ValueError(f"chunk {chunk.ordinal} is not the text of its span")


def _key(connection: Connection, session_id: str, document_id: str) -> int | None:
    where = and_(documents.c.session_id == session_id, documents.c.id == document_id)
    return connection.scalar(select(documents.c.key).where(where))


# ------------------------------------------------------------------------------------ pages


def pages_of(connection: Connection, session_id: str, document_id: str) -> list[Page]:
    """Return the pages of a document in order."""
    key = _key(connection, session_id, document_id)
    query = select(pages).where(pages.c.document_key == key).order_by(pages.c.ordinal)
    return [page_of(row) for row in connection.execute(query).mappings()]


def page_at(connection: Connection, session_id: str, document_id: str, ordinal: int) -> Page | None:
    """Return one page, or None."""
    key = _key(connection, session_id, document_id)
    query = select(pages).where(pages.c.document_key == key, pages.c.ordinal == ordinal)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else page_of(row)


def page_texts(
    connection: Connection, session_id: str, places: Iterable[Place]
) -> dict[Place, str]:
    """Return the text of each page that exists, by document id and page ordinal."""
    return texts_at(connection, session_id, set(places))


# ----------------------------------------------------------------------------------- chunks


def chunks_of(
    connection: Connection, session_id: str, document_id: str, page_ordinal: int | None = None
) -> list[Chunk]:
    """Return the chunks of a document, or of one page of it, in order."""
    key = _key(connection, session_id, document_id)
    where, of_page = [chunks.c.document_key == key], [pages.c.document_key == key]
    if page_ordinal is not None:
        where.append(chunks.c.page_ordinal == page_ordinal)
        of_page.append(pages.c.ordinal == page_ordinal)
    found = connection.execute(select(pages.c.ordinal, pages.c.text).where(*of_page))
    texts = {ordinal: text for ordinal, text in found}
    query = select(literal(document_id), *CHUNK).where(*where).order_by(chunks.c.ordinal)
    return [chunk_of(tuple(row), texts) for row in connection.execute(query).all()]


def chunks_by_id(connection: Connection, session_id: str, ids: Iterable[str]) -> dict[str, Chunk]:
    """Return the chunks of the session with these ids; unknown ids are left out."""
    places = {span for span in map(_span, ids) if span is not None}
    return {chunk.id: chunk for chunk in chunks_at(connection, session_id, places)}


def _span(chunk_id: str) -> tuple[str, int] | None:
    document_id, _, ordinal = chunk_id.rpartition(":")
    # Nine digits: what every database takes for an integer.
    if not ordinal.isascii() or not ordinal.isdigit() or len(ordinal) > 9:
        return None
    return document_id, int(ordinal)


def chunk_ids_after(
    connection: Connection, session_id: str, after: _Place, ready_only: bool
) -> list[tuple[_Place, str]]:
    """Return the next ids after a place (a document's key, a chunk's ordinal), in order."""
    where = [documents.c.session_id == session_id, documents.c.key >= after[0]]
    if ready_only:
        where.append(documents.c.state == DocumentState.READY)
    query = (
        select(documents.c.key, chunks.c.ordinal, documents.c.id)
        .join(chunks, chunks.c.document_key == documents.c.key)
        .where(*where, tuple_(documents.c.key, chunks.c.ordinal) > after)
        .order_by(documents.c.key, chunks.c.ordinal)
        .limit(_STREAM)
    )
    rows = connection.execute(query)
    return [((key, ordinal), f"{name}:{ordinal}") for key, ordinal, name in rows]
