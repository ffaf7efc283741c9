"""Rows of the catalogue to the program's frozen values, and values to JSON and back.

JSON is written in ASCII, so that every Python string comes back as it was. Unknown fields in
old or newer rows are ignored and missing ones take their defaults.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, cast

from pydantic import TypeAdapter
from sqlalchemy import RowMapping

from core.types import (
    Answer,
    ApiKey,
    Asked,
    Block,
    Check,
    Chunk,
    ChunkKind,
    CollectOutcome,
    CollectProgress,
    CollectRequest,
    CollectRun,
    CollectState,
    Conversation,
    Document,
    DocumentKind,
    DocumentState,
    Heading,
    Job,
    JobItem,
    Message,
    Notice,
    Page,
    RefreshEvery,
    Role,
    Session,
)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    # Built at first use: it takes a moment, and importing should not.
    return TypeAdapter(kind)


def _dump(kind: Any, value: Any) -> str:
    plain = _adapter(kind).dump_python(value, mode="json")
    return json.dumps(plain, separators=(",", ":"))


def _load(kind: Any, text: str) -> Any:
    return _adapter(kind).validate_python(json.loads(text))


def dump_answer(answer: Answer | None) -> str | None:
    """Return the answer as JSON, with its search, citations and claims."""
    return None if answer is None else _dump(Answer, answer)


def load_answer(text: str | None) -> Answer | None:
    """Return the answer that `dump_answer` wrote, equal to it."""
    return None if text is None else cast(Answer, _load(Answer, text))


def dump_asked(asked: Asked | None) -> str | None:
    """Return how a question is asked as JSON."""
    return None if asked is None else _dump(Asked, asked)


def dump_checks(checks: tuple[Check, ...]) -> str:
    """Return the checks of an answer as JSON."""
    return _dump(tuple[Check, ...], checks) if checks else ""


def dump_notices(notices: tuple[Notice, ...]) -> str:
    """Return notices as JSON."""
    return _dump(tuple[Notice, ...], notices) if notices else "[]"


def _notices(text: str) -> tuple[Notice, ...]:
    return () if text == "[]" else _load(tuple[Notice, ...], text)


def dump_tags(tags: Iterable[str]) -> str:
    """Return the tags of a document as JSON."""
    return json.dumps(list(tags))


def load_tags(text: str) -> tuple[str, ...]:
    """Return the tags that `dump_tags` wrote."""
    return () if text == "[]" else tuple(json.loads(text))


def page_row(key: int, page: Page) -> dict[str, Any]:
    """Return the row of a page of the document with this key."""
    return {
        "document_key": key,
        "ordinal": page.ordinal,
        "number": page.number,
        "width": page.width,
        "height": page.height,
        "ocr": page.ocr,
        "headings": _dump(tuple[Heading, ...], page.headings) if page.headings else "[]",
        "blocks": _dump(tuple[Block, ...], page.blocks) if page.blocks else "[]",
        "text": page.text,
        "boxes": page.boxes,
    }


def page_of(row: RowMapping) -> Page:
    """Return the page of a row of `pages`."""
    headings, blocks = row["headings"], row["blocks"]
    return Page(
        ordinal=row["ordinal"],
        text=row["text"],
        number=row["number"],
        headings=() if headings == "[]" else _load(tuple[Heading, ...], headings),
        blocks=() if blocks == "[]" else _load(tuple[Block, ...], blocks),
        boxes=bytes(row["boxes"]),
        width=row["width"],
        height=row["height"],
        ocr=row["ocr"],
    )


def chunk_row(key: int, chunk: Chunk) -> dict[str, Any]:
    """Return the row of a chunk: its span, never its text."""
    return {
        "document_key": key,
        "ordinal": chunk.ordinal,
        "page_ordinal": chunk.page_ordinal,
        "page_number": chunk.page_number,
        "start": chunk.start,
        "end": chunk.end,
        "kind": chunk.kind.value,
        "headings": json.dumps(chunk.headings) if chunk.headings else "[]",
        "anchor": chunk.anchor,
    }


def chunk_of(row: Sequence[Any], texts: Mapping[int, str]) -> Chunk:
    """Return the chunk of a row: a document's id, then the columns of `chunks` from the second.

    `texts` holds the texts of the document's pages by ordinal. Rows are read by position: a search
    makes some two hundred chunks, and looking each value up by name took longer than SQLite.
    """
    document_id, ordinal, page_ordinal, page_number, start, end, kind, headings, anchor = row
    return Chunk(
        f"{document_id}:{ordinal}",
        document_id,
        ordinal,
        page_ordinal,
        page_number,
        start,
        end,
        texts[page_ordinal][start:end],
        () if headings == "[]" else tuple(json.loads(headings)),
        anchor,
        ChunkKind(kind),
    )


def document_of(row: RowMapping, watched: bool) -> Document:
    """Return the document of a row of `documents`, which is a file of the watched folder or not."""
    return Document(
        id=row["id"],
        session_id=row["session_id"],
        name=row["name"],
        label=row["label"],
        kind=row["kind"] and DocumentKind(row["kind"]),
        state=DocumentState(row["state"]),
        title=row["title"],
        url=row["url"],
        size=row["size"],
        pages=row["pages"],
        pages_without_text=row["pages_without_text"],
        pages_ocr=row["pages_ocr"],
        chunks=row["chunks"],
        language=row["language"],
        progress=row["progress"],
        seconds=row["seconds"],
        reason=row["reason"],
        cure=row["cure"],
        notices=_notices(row["notices"]),
        searched=row["searched"],
        added_at=row["added_at"],
        ready_at=row["ready_at"],
        attribution=row["attribution"],
        published=row["published"],
        expires_at=row["expires_at"],
        source=row["source"],
        deaths=row["deaths"],
        tags=load_tags(row["tags"]),
        watched=watched,
    )


def api_key_of(row: RowMapping) -> ApiKey:
    """Return the key of a row of `api_keys`, without its hash."""
    return ApiKey(
        id=row["id"],
        owner_id=row["owner_id"],
        name=row["name"],
        created_at=row["created_at"],
        session_id=row["session_id"],
        last_used_at=row["last_used_at"],
        role=Role(row["role"] or Role.ADMIN),
    )


def dump_items(items: tuple[JobItem, ...]) -> str:
    """Return the items of a job as JSON."""
    return _dump(tuple[JobItem, ...], items)


def job_of(row: RowMapping) -> Job:
    """Return the job of a row of `jobs`."""
    return Job(
        id=row["id"],
        session_id=row["session_id"],
        created_at=row["created_at"],
        items=_load(tuple[JobItem, ...], row["items"]),
    )


def dump_collecting(value: CollectRequest | CollectProgress | CollectOutcome) -> str:
    """Return what a run was asked, how far it is or what it gave as JSON."""
    return _dump(type(value), value)


def outcome_of(text: str) -> CollectOutcome:
    """Return what `dump_collecting` wrote of an outcome."""
    return cast(CollectOutcome, _load(CollectOutcome, text))


def collect_run_of(row: RowMapping) -> CollectRun:
    """Return the run of a row of `collect_runs` with its schedule, without its outcome."""
    return CollectRun(
        id=row["id"],
        session_id=row["session_id"],
        source=row["source"],
        request=_load(CollectRequest, row["request"]),
        state=CollectState(row["state"]),
        created_at=row["created_at"],
        progress=_load(CollectProgress, row["progress"]),
        refresh=row["refresh"],
        legs=row["legs"],
        reason=row["reason"],
        cure=row["cure"],
        began_at=row["began_at"],
        ended_at=row["ended_at"],
        refresh_every=RefreshEvery(row["refresh_every"] or RefreshEvery.NEVER),
        next_refresh_at=row["next_refresh_at"],
    )


def session_of(row: RowMapping, viewer_id: str) -> Session:
    """Return the session of a row of `catalogue_sharing.reached` in the hands of `viewer_id`."""
    own = row["owner_id"] == viewer_id
    return Session(
        id=row["id"],
        owner_id=row["owner_id"],
        name=row["name"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        viewer_id=viewer_id,
        role=Role.ADMIN if own else Role(row["role"]),
        shared_by="" if own else row["owner_name"] or row["owner_email"],
    )


def conversation_of(row: RowMapping) -> Conversation:
    """Return the conversation of a row of `conversations` with the count `messages`."""
    return Conversation(
        id=row["id"],
        session_id=row["session_id"],
        title=row["title"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        messages=row["messages"],
        pinned=row["pinned"],
    )


def message_of(row: RowMapping) -> Message:
    """Return the message of a row of `messages`, with the id `shared` where that was joined."""
    return Message(
        id=row["id"],
        role=cast(Literal["user", "assistant"], row["role"]),
        text=row["text"],
        created_at=row["created_at"],
        answer=load_answer(row["answer"]),
        checks=_load(tuple[Check, ...], row["checks"]) if row["checks"] else (),
        shared=row.get("shared") or "",
        asked=None if row["asked"] is None else _load(Asked, row["asked"]),
        deaths=row["deaths"],
    )
