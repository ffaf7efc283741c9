"""What programs get: the program's values as JSON, field by field, so that none slips out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from core.text.inert import inert
from core.types import (
    ChunkKind,
    DocumentKind,
    DocumentState,
    Message,
    Role,
)


def _sendable(value: Any) -> Any:
    """Lone surrogates, which no UTF-8 has, become "?": one for one, so that offsets hold."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_sendable)]


class Reply(BaseModel):
    """Base of what is sent back; made of one of the program's values by `model_validate`."""

    model_config = ConfigDict(from_attributes=True)


class Alive(Reply):
    """The process answers."""

    status: str = Field(examples=["ok"])


class Ready(Reply):
    """Whether models are loaded, the indexes checked, and the catalogue reachable."""

    ready: bool


class PartOut(Reply):
    """One part of the program, whether it works, and what mends it."""

    name: str
    state: str = Field(description='"ok", "off", "warning" or "error".')
    detail: Text
    cure: Text
    seconds: float


class NoticeOut(Reply):
    """A notice for the person: what was cut, left out, failed or is uncertain."""

    code: str
    text: Text
    cure: Text
    level: str


class SessionOut(Reply):
    """A collection of documents and conversations."""

    id: str
    name: Text
    created_at: datetime
    updated_at: datetime
    role: Role = Field(description="What you may do in it.")
    shared_by: Text = Field(description='The owner, where that is somebody else; else "".')


class SessionsOut(Reply):
    """Sessions, the one used last first."""

    sessions: list[SessionOut]


class IndexingOut(Reply):
    """The preset of a session, and how far its documents are indexed for it."""

    preset: str
    beside: list[str] = Field(description="The documents are indexed for these as well.")
    embedding_model: str = Field(description="Chosen for the session; empty: the usual.")
    reranker_model: str = Field(description="Chosen for the session; empty: the usual.")
    whole: bool = Field(description="False: until it is, they are searched as they were before.")
    done: int = Field(description="Documents that are indexed for it, while it is not whole.")
    total: int
    reason: Text = Field(description='Why the work stopped, else "".')
    cure: Text


class CountOut(Reply):
    """How many documents were moved."""

    count: int


class ConversationOut(Reply):
    """A conversation of a session."""

    id: str
    title: Text
    created_at: datetime
    updated_at: datetime
    messages: int = Field(description="How many messages it has.")
    pinned: bool = Field(description="Kept at the top of the list.")


class ConversationsOut(Reply):
    """Conversations, the one used last first."""

    conversations: list[ConversationOut]


class MessageOut(Reply):
    """A question (`user`) or an answer (`assistant`)."""

    id: int
    role: str
    text: Text = Field(description="Markdown in which nothing is live.")
    created_at: datetime
    shared: str = Field(description='The id of an answer that is shared in the session, or "".')

    @classmethod
    def of(cls, message: Message) -> MessageOut:
        """Of one of the program's messages."""
        text = inert(message.text) if message.role == "assistant" else message.text
        return cls(
            id=message.id,
            role=message.role,
            text=text,
            created_at=message.created_at,
            shared=message.shared,
        )


class ConversationWhole(Reply):
    """A conversation with its messages, oldest first; `export` has the sources too."""

    conversation: ConversationOut
    messages: list[MessageOut]

    @classmethod
    def of(cls, conversation: Any, messages: Sequence[Message]) -> ConversationWhole:
        """Of the program's values."""
        return cls(
            conversation=ConversationOut.model_validate(conversation),
            messages=[MessageOut.of(message) for message in messages],
        )


class DocumentOut(Reply):
    """A document of a session, whatever its state; only those in state `ready` are searched."""

    id: str
    name: Text
    label: Text = Field(description="Tells two documents of one name apart; citations show it.")
    kind: DocumentKind | None
    state: DocumentState
    title: Text
    url: Text
    size: int = Field(description="In bytes.")
    pages: int
    pages_without_text: int
    pages_ocr: int
    chunks: int
    language: str
    progress: float = Field(description="0 to 1.")
    seconds: float = Field(description="How long reading and indexing took.")
    reason: Text
    cure: Text
    notices: list[NoticeOut]
    searched: bool
    tags: list[Text]
    added_at: datetime | None
    ready_at: datetime | None
    attribution: Text = Field(description="The author to be named, and the licence.")
    published: str = Field(description='Of a web page: YYYY-MM-DD, "" when unknown.')
    expires_at: datetime | None = Field(
        description="Of a page that was read for an answer; null: it is in the library."
    )


class DocumentsOut(Reply):
    """Documents in the order of adding: a stretch of all, and how many there are."""

    documents: list[DocumentOut]
    total: int


class ManyOut(Reply):
    """What was done to many documents."""

    count: int = Field(description="To how many it was done.")
    unknown: list[str] = Field(description="Ids that are of no document of this library.")


class HeadingOut(Reply):
    """A heading at `offset` of its page's text."""

    offset: int
    level: int
    title: Text
    anchor: Text | None


class BlockOut(Reply):
    """A stretch of a page's text that is a table or code."""

    start: int
    end: int
    kind: ChunkKind


class PageOut(Reply):
    """The text of one page. `ordinal` counts from 0, `number` as people count, if they do."""

    ordinal: int
    number: int | None
    text: Text
    headings: list[HeadingOut]
    blocks: list[BlockOut]
    width: float
    height: float
    ocr: bool


class PagesOut(Reply):
    """Pages of a document: a stretch of all, and how many there are."""

    pages: list[PageOut]
    total: int


class ChunkOut(Reply):
    """A passage: the text of its page from `start` to `end`."""

    id: str
    ordinal: int
    page_ordinal: int
    page_number: int | None
    start: int
    end: int
    text: Text
    headings: list[Text]
    anchor: Text | None
    kind: ChunkKind


class ChunksOut(Reply):
    """Chunks of a document: a stretch of all, and how many there are."""

    chunks: list[ChunkOut]
    total: int
