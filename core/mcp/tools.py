"""The tools of the MCP server: search, ask, list documents, read a page.

They are clients of the REST API, with the key of the caller: what a key may, what a session
holds and how often one may ask is decided there and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

import httpx
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field

from core.config import LogLevel

_INSTRUCTIONS = """\
A library of the person's own documents. `ask` answers a question with citations that were checked;
`search` gives passages; `read_page` gives the text around one. Quote passages with document and
page. Where `answered` is false the documents do not hold the answer: say so."""
_PASSED_ON = ("authorization", "cookie")
_LONGEST_TEXT = 20_000

_ID = r"^[A-Za-z0-9_-]{1,64}$"
"""An id stands in the path of a request: what could lead to another path is none."""

SessionId = Annotated[
    str | None, Field(description="Which session; your own used last without it.", pattern=_ID)
]
DocumentId = Annotated[str, Field(description="As in a passage or a listing.", pattern=_ID)]
Question = Annotated[str, Field(min_length=1, max_length=4000)]
Level = Annotated[
    Literal["as typed", "rewritten", "several", "in depth", "auto"],
    Field(
        description="Effort for understanding the question. `in depth` takes minutes; what needs "
        "a report is answered in sections."
    ),
]
DocumentIds = Annotated[
    list[DocumentId] | None,
    Field(description="Only of these documents.", min_length=1, max_length=1000),
]
_Origin = Literal["upload", "watched", "collection", "web"]
Origins = Annotated[
    list[_Origin] | None,
    Field(description="Only of documents that came into the session in one of these ways."),
]
Tags = Annotated[
    list[str] | None, Field(description="Only of documents with one of these tags.", max_length=50)
]
Day = Annotated[str | None, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
AddedAfter = Annotated[
    str | None,
    Field(
        description="Only of documents added at this moment or later: a day in UTC, or an ISO 8601 "
        "time with its zone.",
        pattern=r"^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$",
    ),
]
PublishedAfter = Annotated[
    Day, Field(description="Only of web pages published on this day or later.")
]


class Passage(BaseModel):
    """A passage that was found."""

    document_id: str
    document: str
    page: int | None = Field(description="As people count, if they do.")
    page_ordinal: int = Field(description="Counted from 0, for `read_page`.")
    headings: list[str]
    text: str


class Found(BaseModel):
    """Passages, best first."""

    session_id: str
    passages: list[Passage]
    notices: list[str]


class Source(BaseModel):
    """What a number in an answer leads to, and whether the quote supports the sentence."""

    number: int
    document_id: str
    document: str
    page: int | None
    page_ordinal: int
    quote: str
    support: str


class Answered(BaseModel):
    """An answer whose marks [1], [2], ... are in `citations`."""

    session_id: str
    answered: bool
    answer: str
    citations: list[Source]
    notices: list[str]

    @classmethod
    def of(cls, session_id: str, found: dict[str, Any]) -> Self:
        """Of the answer that the REST API gave."""
        return cls(
            session_id=session_id,
            answered=found["answered"],
            answer=found["answer"],
            citations=[_of(Source, citation) for citation in found["citations"]],
            notices=_notices(found),
        )


class Listed(BaseModel):
    """One document."""

    document_id: str
    document: str
    title: str
    state: str
    pages: int


class Library(BaseModel):
    """Documents of a session, and all sessions there are."""

    session_id: str
    documents: list[Listed]
    total: int
    sessions: dict[str, str] = Field(description="Names by id.")
    invitations: dict[str, str] = Field(
        description="Sessions that others would share, names by id: the person accepts or declines "
        "them on the page or by REST."
    )


class PageText(BaseModel):
    """The text of a page from `start` on; `total` is how long it is, in characters."""

    session_id: str
    document: str
    page: int | None
    pages: int
    start: int
    text: str
    total: int


class Rest:
    """The REST API as the tools call it, with the headers of the caller."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client

    async def call(
        self, ctx: Context[Any, Any], method: str, path: str, body: dict[str, Any] | None = None
    ) -> Any:
        """The JSON of an answer; raises `ToolError` with what happened and what to do."""
        given: Mapping[str, str] = ctx.headers or {}
        headers = {name: given[name] for name in _PASSED_ON if name in given}
        try:
            response = await self._client.request(method, path, json=body, headers=headers)
        except httpx.TransportError:
            where = self._client.base_url
            raise ToolError(f"Footnote does not answer at {where}. Start it again.") from None
        if response.is_error:
            problem = response.json()
            raise ToolError(f"{problem.get('detail')} {problem.get('cure')}")
        return response.json()

    async def session(self, ctx: Context[Any, Any], session_id: str | None) -> str:
        """The id of the session that is meant."""
        if session_id:
            return session_id
        sessions = (await self.call(ctx, "GET", "sessions"))["sessions"]
        if not sessions:
            raise ToolError("There is no session yet. Add documents on the page first.")
        own = [one for one in sessions if not one["shared_by"]]  # nobody else decides where one is
        return str((own or sessions)[0]["id"])

    async def invitations(self, ctx: Context[Any, Any]) -> dict[str, str]:
        """Names of the sessions that others would share; none for a key of one session."""
        try:
            found = await self.call(ctx, "GET", "invitations")
        except ToolError:
            return {}
        return {one["session_id"]: one["name"] for one in found["invitations"]}


def create_mcp(rest: Rest, log_level: LogLevel = "WARNING") -> MCPServer[Any]:
    """The server with its tools."""
    server: MCPServer[Any] = MCPServer(
        "footnote",
        title="Footnote",
        instructions=_INSTRUCTIONS,
        log_level=log_level,
    )

    @server.tool()
    async def search(
        ctx: Context[Any, Any],
        question: Question,
        session_id: SessionId = None,
        top_k: Annotated[int, Field(ge=1, le=50)] = 7,
        documents: DocumentIds = None,
        origin: Origins = None,
        tags: Tags = None,
        added_after: AddedAfter = None,
        published_after: PublishedAfter = None,
    ) -> Found:
        """Find the passages of the documents that fit a question best."""
        session = await rest.session(ctx, session_id)
        body = {"session_id": session, "question": question, "options": {"top_k": top_k}}
        body |= _scope(documents, origin, tags, added_after, published_after)
        found = await rest.call(ctx, "POST", "search", body)
        passages = [_of(Passage, hit, text=hit["context"] or hit["text"]) for hit in found["hits"]]
        return Found(session_id=session, passages=passages, notices=_notices(found))

    @server.tool()
    async def ask(
        ctx: Context[Any, Any],
        question: Question,
        session_id: SessionId = None,
        level: Level = "auto",
        documents: DocumentIds = None,
        origin: Origins = None,
        tags: Tags = None,
        added_after: AddedAfter = None,
        published_after: PublishedAfter = None,
    ) -> Answered:
        """Answer a question from the documents, each claim with its citation."""
        session = await rest.session(ctx, session_id)
        body: dict[str, Any] = {"session_id": session, "question": question, "level": level}
        body |= _scope(documents, origin, tags, added_after, published_after)
        return Answered.of(session, await rest.call(ctx, "POST", "query", body))

    @server.tool()
    async def list_documents(
        ctx: Context[Any, Any],
        session_id: SessionId = None,
        offset: Annotated[int, Field(ge=0)] = 0,
        limit: Annotated[int, Field(ge=1, le=500)] = 100,
    ) -> Library:
        """List the documents of a session, and the sessions there are."""
        session = await rest.session(ctx, session_id)
        path = f"sessions/{session}/documents?offset={offset}&limit={limit}"
        found = await rest.call(ctx, "GET", path)
        sessions = (await rest.call(ctx, "GET", "sessions"))["sessions"]
        listed = [
            _of(Listed, d, document_id=d["id"], document=d["label"]) for d in found["documents"]
        ]
        names = {one["id"]: one["name"] for one in sessions}
        return Library(
            session_id=session,
            documents=listed,
            total=found["total"],
            sessions=names,
            invitations=await rest.invitations(ctx),
        )

    @server.tool()
    async def read_page(
        ctx: Context[Any, Any],
        document_id: DocumentId,
        page_ordinal: Annotated[int, Field(ge=0, description="Counted from 0.")] = 0,
        session_id: SessionId = None,
        start: Annotated[int, Field(ge=0, description="Where to begin in a long page.")] = 0,
    ) -> PageText:
        """Read the text of one page of a document."""
        session = await rest.session(ctx, session_id)
        path = f"sessions/{session}/documents/{document_id}"
        document = await rest.call(ctx, "GET", path)
        page = await rest.call(ctx, "GET", f"{path}/pages/{page_ordinal}")
        return PageText(
            session_id=session,
            document=document["label"],
            page=page["number"],
            pages=document["pages"],
            start=start,
            text=page["text"][start : start + _LONGEST_TEXT],
            total=len(page["text"]),
        )

    return server


def _scope(
    documents: list[str] | None,
    origin: list[_Origin] | None,
    tags: list[str] | None,
    added_after: str | None,
    published_after: str | None,
) -> dict[str, Any]:
    """The fields of the request of REST that say which documents are asked."""
    given = {
        "documents": documents,
        "origin": origin,
        "tags": tags,
        "added_after": added_after,
        "published_after": published_after,
    }
    return {name: value for name, value in given.items() if value is not None}


def _of(model: type[Any], data: dict[str, Any], **more: Any) -> Any:
    """The fields of `model` that `data` and `more` hold."""
    return model.model_validate({**data, **more})


def _notices(found: dict[str, Any]) -> list[str]:
    return [notice["text"] for notice in found["notices"]]
