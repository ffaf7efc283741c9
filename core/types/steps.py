"""Steps of the work on a question, each with what it did as data: the faces put it into words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field


class Level(StrEnum):
    """How much effort goes into understanding the question."""

    AS_TYPED = "as typed"
    REWRITTEN = "rewritten"
    SEVERAL = "several"
    IN_DEPTH = "in depth"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class SentQuery:
    """One query that was searched, for the block "How it searched".

    `where` says where it was sent ("documents", "web", "conversation"), `why` it was asked;
    `found` are its hits, `kept` those of them that were kept in the end.
    """

    text: str
    where: str = "documents"
    why: str = ""
    found: int = 0
    kept: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class LevelChosen:
    """The level of a question, and why: chosen by rule or a model, or as a higher one failed."""

    level: Level
    reason: str
    kind: Literal["level"] = "level"


@dataclass(frozen=True, slots=True)
class Planned:
    """What the question is after, and the queries for it; () where the goal is the query."""

    goal: str
    queries: tuple[str, ...] = ()
    kind: Literal["planned"] = "planned"


@dataclass(frozen=True, slots=True)
class Queried:
    """One query of several, with its hits."""

    query: SentQuery
    kind: Literal["queried"] = "queried"


@dataclass(frozen=True, slots=True)
class NameFollowed:
    """A name of the first hits, for which a second query was made."""

    name: str
    kind: Literal["name"] = "name"


@dataclass(frozen=True, slots=True)
class ByMethod:
    """The model or the method that did the step; `failure` says why it could not.

    `least` is the least score that was let through, where there was one.
    """

    method: str
    failure: str = ""
    kind: Literal["method"] = "method"
    least: float | None = None


@dataclass(frozen=True, slots=True)
class Fused:
    """How the lists were joined; `dense_weight` where they are weighted, and documents by name."""

    mode: Literal["hybrid", "dense", "lexical"]
    fusion: Literal["weighted", "rrf"]
    dense_weight: float
    named: tuple[str, ...] = ()
    kind: Literal["fused"] = "fused"


@dataclass(frozen=True, slots=True)
class Diversified:
    """Maximal marginal relevance with this lambda."""

    mmr_lambda: float
    kind: Literal["diversified"] = "diversified"


@dataclass(frozen=True, slots=True)
class Interleaved:
    """The places of one list, shared among the hits of so many queries."""

    lists: int
    kind: Literal["interleaved"] = "interleaved"


@dataclass(frozen=True, slots=True)
class Graded:
    """A model's verdict on hits; `next_query` is what it asks for, "" for nothing more."""

    kept: int
    shown: int
    enough: bool
    next_query: str = ""
    kind: Literal["graded"] = "graded"


@dataclass(frozen=True, slots=True)
class Sectioned:
    """The sections that an answer will have, and its limits: searches, and seconds in all."""

    titles: tuple[str, ...]
    searches: int
    seconds: float
    kind: Literal["sections"] = "sections"


@dataclass(frozen=True, slots=True)
class WebQueried:
    """The queries for the web, who wrote them, and how new results are to be ("" for any age).

    `withheld` are words of the question as understood that the person did not type.
    """

    queries: tuple[str, ...]
    by: Literal["yours", "model", "words"]
    time_range: str = ""
    withheld: tuple[str, ...] = ()
    kind: Literal["web queries"] = "web queries"


@dataclass(frozen=True, slots=True)
class WebSearched:
    """One query that a search engine was asked, with what it said besides results.

    `silent` are engines without an answer, `refused` counts results whose address is none of the
    web's. `failure` says why there is no answer at all.
    """

    query: str
    correction: str = ""
    suggestions: tuple[str, ...] = ()
    answer: str = ""
    infobox: str = ""
    silent: tuple[str, ...] = ()
    refused: int = 0
    failure: str = ""
    kind: Literal["web search"] = "web search"


@dataclass(frozen=True, slots=True)
class WebPageRead:
    """A page of the web: `kept` of its `passages`, what was dropped for which reason.

    `url` holds no password or token (`core.urls.shown_url`).

    `failure` says why it was not read; `reused` that it was read earlier.
    """

    url: str
    title: str = ""
    kept: int = 0
    passages: int = 0
    dropped: tuple[tuple[str, int], ...] = ()
    published: str = ""
    failure: str = ""
    reused: bool = False
    kind: Literal["web page"] = "web page"


@dataclass(frozen=True, slots=True)
class WebIndexed:
    """Passages of pages that were made searchable."""

    passages: int
    pages: int
    kind: Literal["web indexed"] = "web indexed"


@dataclass(frozen=True, slots=True)
class Waiting:
    """The place in the queue, from 1."""

    place: int
    kind: Literal["waiting"] = "waiting"


@dataclass(frozen=True, slots=True)
class ContextBuilt:
    """How many of the passages found a model is given, and about how many tokens that are."""

    given: int
    found: int
    tokens: int
    kind: Literal["context"] = "context"


@dataclass(frozen=True, slots=True)
class Condensed:
    """Notes on the first `read` of `total` passages; 0 of 0 are notes on notes."""

    read: int = 0
    total: int = 0
    kind: Literal["condensed"] = "condensed"


@dataclass(frozen=True, slots=True)
class PassagesRead:
    """How many of all passages were read through, and how many of them match."""

    read: int
    total: int
    matching: int
    kind: Literal["passages read"] = "passages read"


Detail = Annotated[
    LevelChosen
    | Planned
    | Queried
    | NameFollowed
    | ByMethod
    | Fused
    | Diversified
    | Interleaved
    | Graded
    | Sectioned
    | WebQueried
    | WebSearched
    | WebPageRead
    | WebIndexed
    | Waiting
    | ContextBuilt
    | Condensed
    | PassagesRead,
    Field(discriminator="kind"),
]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the work (seconds of wall time, `count` of what it gave).

    `detail` is what the step did; a text in answers that earlier versions stored, and "" where
    the name says it all.
    """

    name: str
    detail: Detail | str = ""
    seconds: float = 0.0
    count: int | None = None
    tokens: int | None = None  # of the prompt and the reply, where a model was asked
