"""What programs send: every field has its limits, and what is unknown is refused."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, model_validator

from core.config import ProviderName
from core.retrieval.presets import PRESETS
from core.types import DocumentKind, Level, Origin, QueryOptions, Scope, SearchOptions
from core.types.search import ByModel

UUID = r"^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
SHA256 = r"^[0-9a-f]{64}$"
MOST_DOCUMENTS = 1_000
"""Documents that one request names."""
EXAMPLE_SESSION = "3f6c1f9e-6a4b-4c1d-9b1a-5d8f0c2e7a10"

SessionId = Annotated[
    str, Field(pattern=UUID, description="The id of a session.", examples=[EXAMPLE_SESSION])
]
DocumentId = Annotated[str, Field(pattern=SHA256, description="The id of a document.")]
ConversationId = Annotated[str, Field(pattern=UUID, description="The id of a conversation.")]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]
Question = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4000,
        pattern=r"\S",
        description="The question, as a person would ask it.",
        examples=["How many questions does the golden set of the sample library have?"],
    ),
]
ModelName = Annotated[
    str,
    Field(min_length=1, max_length=200, pattern=r"^[\w@/][\w.:/@+-]*$", examples=["llama3.2:3b"]),
]
LocalModel = Annotated[str, Field(max_length=200, examples=["intfloat/multilingual-e5-small"])]
Tag = Annotated[str, Field(min_length=1, max_length=60, pattern=r"\S", examples=["contracts"])]
Query = Annotated[str, Field(min_length=1, max_length=400, pattern=r"\S")]
Url = Annotated[str, Field(min_length=1, max_length=2000, examples=["https://example.org/page"])]
Preset = Literal["balanced", "documents", "python-docs", "stack-overflow", "live-web"]
assert set(get_args(Preset)) == set(PRESETS)


class Request(BaseModel):
    """Base of what is sent: an unknown field is an error, so that no mistyped one is ignored."""

    model_config = ConfigDict(extra="forbid")


class NewSession(Request):
    """A session to make."""

    name: Name = Field("My library", examples=["Annual reports"])
    preset: Preset = Field("balanced", description="How it is cut, searched and answered.")
    embedding_model: LocalModel = Field(
        "", description="One of EMBEDDING_MODELS; empty: the usual."
    )
    reranker_model: LocalModel = Field("", description="One of RERANKER_MODELS; empty: the usual.")


class PresetChoice(Request):
    """The preset of a session, and others that its documents are indexed for as well."""

    preset: Preset
    beside: list[Preset] = Field([], max_length=4, description="Indexed for these as well.")
    embedding_model: LocalModel | None = Field(
        None, description="One of EMBEDDING_MODELS, empty for the usual; null leaves the session's."
    )
    reranker_model: LocalModel | None = Field(
        None, description="One of RERANKER_MODELS, empty for the usual; null leaves the session's."
    )


class NewName(Request):
    """Another name for a session."""

    name: Name = Field(examples=["Annual reports 2024"])


class NewConversation(Request):
    """A conversation to begin; it is named after its first question."""

    title: Name = Field("New conversation", examples=["How is overlap counted?"])


class ConversationChange(Request):
    """Another title for a conversation, or whether it is pinned; what is not given stays."""

    title: Name | None = None
    pinned: bool | None = Field(None, description="Kept at the top of the list.")


class AnswerToShare(Request):
    """An answer of one of your conversations."""

    conversation_id: ConversationId
    message_id: int = Field(ge=1, le=2**31 - 1, description="The id of the answer's message.")


class DocumentChange(Request):
    """What to change of a document; what is left out or null stays as it is."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"minProperties": 1})

    searched: bool | None = Field(None, description="Whether it takes part in searches.")
    tags: list[Tag] | None = Field(None, max_length=50, description="All tags that it is to have.")

    @model_validator(mode="after")
    def _changes_something(self) -> DocumentChange:
        if not self.model_fields_set:
            raise ValueError("say what to change: searched or tags")
        return self


class ManyDocuments(Request):
    """Documents of one session; ids that are not of it are passed over and named in the reply."""

    documents: list[DocumentId] = Field(min_length=1, max_length=MOST_DOCUMENTS)


class ManyChanged(ManyDocuments):
    """What to change of all of them; what is left out or null stays as it is."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"minProperties": 2})

    searched: bool | None = Field(None, description="Whether they take part in searches.")
    add_tags: list[Tag] = Field([], max_length=50, description="Tags that they get as well.")
    remove_tags: list[Tag] = Field([], max_length=50, description="Tags that they lose.")

    @model_validator(mode="after")
    def _changes_something(self) -> ManyChanged:
        if self.model_fields_set == {"documents"}:
            raise ValueError("say what to change: searched, add_tags or remove_tags")
        return self


class ManyRemoved(ManyDocuments):
    """Documents to remove with everything that was made of them."""

    answers: bool = Field(
        False, description="Erase the answers that quote them as well, everybody's; for admins."
    )


class Urls(Request):
    """Web addresses to read into a session."""

    session_id: SessionId | None = Field(None, description="A new session is made without one.")
    urls: list[Url] = Field(min_length=1, max_length=200)


class SearchSettings(Request):
    """Settings of one search; what is not given stays as the preset or the session has it."""

    mode: Literal["hybrid", "dense", "lexical"] | None = None
    fusion: Literal["weighted", "rrf"] | None = None
    top_k: int | None = Field(None, ge=1, le=50, description="Hits that are returned.")
    fetch_k: int | None = Field(None, ge=1, le=200, description="Hits that enter diversification.")
    candidates: int | None = Field(None, ge=1, le=500, description="Chunks taken from each side.")
    mmr_lambda: float | None = Field(None, ge=0, le=1, description="1 relevance, 0 diversity.")
    diversify: bool | None = None
    rerank: bool | None = None
    dense_weight: float | None = Field(None, ge=0, le=1)
    join_neighbours: bool | None = None
    min_similarity: Annotated[float, Field(ge=-1, le=1)] | ByModel | None = Field(
        None,
        description='The least cosine similarity of a dense candidate; "by-model" is the value '
        "that the program measures for the embedding model and the documents.",
    )
    rerank_weight: float | None = Field(
        None, ge=0, le=1, description="Of the reranker's score; 1 is its order alone."
    )
    mmr: Literal["pages", "plain"] | None = Field(
        None, description='"pages" holds back a page that is there already; "plain" does not.'
    )
    votes: float | None = Field(
        None, ge=0, le=1, description="Of the votes for collected answers, against the order."
    )


class Scoped(BaseModel):
    """Which documents a question is asked of: those that every field lets through."""

    documents: list[DocumentId] | None = Field(
        None, min_length=1, max_length=MOST_DOCUMENTS, description="Ids of documents."
    )
    origin: list[Origin] = Field([], description="How they came into the session.")
    kind: list[DocumentKind] = Field([], description="Their formats.")
    tags: list[Tag] = Field([], max_length=50, description="Those with one of these tags.")
    added_after: datetime | None = Field(
        None,
        description="Added at this moment or later. Without a time zone it is in UTC; a day alone "
        "is its midnight.",
    )
    published_after: date | None = Field(
        None, description="Published on this day or later; leaves out what has no date."
    )

    def scope(self) -> Scope:
        """As the program has it."""
        return Scope(
            None if self.documents is None else frozenset(self.documents),
            tuple(self.origin),
            tuple(self.kind),
            tuple(self.tags),
            self.added_after,
            self.published_after,
        )


class SearchRequest(Scoped, Request):
    """A search in one session. A key that opens one session may leave its id out."""

    session_id: SessionId | None = None
    question: Question
    level: Level = Field(Level.AUTO, description="Effort for understanding the question.")
    preset: Preset | None = Field(None, description="Named settings of search and prompt.")
    options: SearchSettings | None = None
    web: bool = Field(False, description="Search the live web as well; needs SEARXNG_URL.")
    queries: list[Query] = Field(
        [], max_length=5, description="Queries of your own, used as they are."
    )

    def search_options(self, usual: SearchOptions) -> SearchOptions:
        """The settings of this search; `usual` are those of the session."""
        base = PRESETS[self.preset].search if self.preset else usual
        given = self.options.model_dump(exclude_none=True) if self.options else {}
        return replace(base, **given)

    def query_options(self, usual: SearchOptions) -> QueryOptions:
        """How the question is searched for and answered."""
        return QueryOptions(
            self.search_options(usual),
            self.level,
            tuple(self.queries),
            self.web,
            self.preset,
            self.scope(),
        )


class QueryRequest(SearchRequest):
    """A question to answer from the documents of one session."""

    conversation_id: ConversationId | None = Field(
        None, description="Question and answer are added to it; nothing is kept without one."
    )
    provider: ProviderName | None = Field(
        None, description='Who writes the answer; "" quotes the sources word for word.'
    )
    model: ModelName | None = Field(None, description="One that the provider lists.")
    stream: bool = Field(False, description="Server-sent events: step, text, answer.")
