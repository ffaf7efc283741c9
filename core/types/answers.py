"""Answers with their claims and citations, conversations, and what a citation opens."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from typing import Literal

from core.types.documents import Notice
from core.types.formats import DocumentKind
from core.types.models import ModelChoice
from core.types.search import QueryOptions, Scope, SearchResult
from core.types.steps import Step


class Support(StrEnum):
    """What the check of a sentence against its source found."""

    VERBATIM = "verbatim"  # the sentence stands word for word in the passage
    SUPPORTED = "supported"
    UNSUPPORTED = "not supported"
    MATCHED = "matched"  # cites nothing, but a source matches
    UNCHECKED = "not checked"


@dataclass(frozen=True, slots=True)
class Citation:
    """A number in the answer and the passage that it leads to.

    `start` and `end` are the marked span in the text of the page at `page_ordinal`; `quote` is
    that text. `score` is the hit's final score, for showing.
    """

    number: int
    chunk_id: str
    document_id: str
    label: str
    kind: DocumentKind | None
    page_ordinal: int
    page_number: int | None
    start: int
    end: int
    quote: str
    title: str = ""
    headings: tuple[str, ...] = ()
    anchor: str | None = None
    url: str = ""
    score: float | None = None
    passage: str = ""  # the hit's context, for the hover card
    spans: tuple[tuple[int, int], ...] = ()
    """The stretches to mark where the answer quotes several of `start` to `end`; () is all."""
    attribution: str = ""  # who is to be named where the quote is shown
    published: str = ""  # of a web page: YYYY-MM-DD, "" when unknown
    read_at: str = ""  # of a web page: the moment at which it was read; once, its day in UTC
    also_in: tuple[str, ...] = ()  # where the same stands too: "b.pdf, page 3"

    def read_on(self, zone: tzinfo = UTC) -> str:
        """Return the day on which a page of the web was read, YYYY-MM-DD; "" where unknown.

        A day that an earlier version kept stays as it is, whatever the zone.
        """
        if "T" not in self.read_at:
            return self.read_at
        return datetime.fromisoformat(self.read_at).astimezone(zone).date().isoformat()

    def credit(self, zone: tzinfo = UTC) -> str:
        """Return who is to be named, and when a page of the web was published and read."""
        parts = [part for part in self.attribution.split(", ") if part != self.published]
        parts.append(f"published {self.published}" if self.published else "")
        read_on = self.read_on(zone)
        parts.append(f"read {read_on}" if read_on else "")
        return ", ".join(filter(None, parts))


STATES_NOTHING = "It says nothing that a source could say."
"""The reason of a claim that is not checked because it only leads in ("Here are the steps:")."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of the answer, `answer.text[start:end]`, and what its check found.

    `wrong` are those of several marks that do not say what the sentence says, though others do.
    """

    start: int
    end: int
    numbers: tuple[int, ...]
    support: Support
    reason: str = ""
    score: float | None = None
    wrong: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Abstention:
    """A plain refusal: the sources do not hold the answer.

    `is_near` says that the first of the answer's `unused` is the sentence that comes nearest, for a
    look: where a question is put in other words than the text's it often answers.
    """

    reason: str
    searched_documents: int
    searched_chunks: int
    queries: tuple[str, ...] = ()
    is_near: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model was given and gave, in tokens; None where the server did not say."""

    provider: str = ""
    model: str = ""
    prompt_tokens: int | None = None
    prompt_tokens_estimated: int | None = None
    answer_tokens: int | None = None
    context_length: int | None = None
    passages_given: int = 0
    passages_found: int = 0


@dataclass(frozen=True, slots=True)
class Spent:
    """What one stage of a question took of one model, all its requests together.

    `cost` is in dollars, None where `MODEL_PRICES` has no price for the model. `estimated` says
    that a server did not count all tokens.
    """

    stage: str = ""
    provider: str = ""
    model: str = ""
    requests: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person reads, with everything needed to check it.

    `text` is Markdown whose only citation marks are `[1]`, `[2]`, ... in order of first use,
    each of them in `citations`. `confidence` is 0 to 1, the estimate that the sources hold the
    answer. `complete` is False when the stream ended early (then `notices` says why). `route` is
    the way in which it was answered: "search" for what was looked up, "smalltalk", "overview", ...
    `highlights` are the stretches of `text` that hold the few words that answer. `direct` says
    that its first quote is clearly the one that answers. `scope` is what it was asked of, so that
    the question can be repeated: `asked_of` the first number of the second number of documents.
    """

    question: str
    text: str
    citations: tuple[Citation, ...] = ()
    unused: tuple[Citation, ...] = ()
    claims: tuple[Claim, ...] = ()
    abstention: Abstention | None = None
    confidence: float | None = None
    search: SearchResult | None = None
    answerer: str = "extractive"
    usage: Usage | None = None
    notices: tuple[Notice, ...] = ()
    seconds: float = 0.0
    complete: bool = True
    prompt: str = ""  # the exact prompt, shown with ?debug=true
    route: str = "search"
    highlights: tuple[tuple[int, int], ...] = ()
    direct: bool = False
    scope: Scope = field(default_factory=Scope)
    asked_of: tuple[int, int] | None = None
    spent: tuple[Spent, ...] = ()  # of language models, stage by stage


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of an answer as it is written, with citation marks already renumbered.

    With `withdraws`, all text before it was the model's thinking and is taken back.
    """

    text: str
    withdraws: bool = False


Event = Step | TextPiece | Answer
"""A stream of events ends with exactly one `Answer`."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A row in the list of a session's conversations."""

    id: str
    session_id: str
    title: str
    created_at: datetime
    updated_at: datetime
    messages: int = 0
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class ConversationHit:
    """A conversation in which a search found its words; `excerpt` is where, "" in the title."""

    conversation: Conversation
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """What a person found on looking at the source of one mark of an answer, counted from 0.

    `agrees` is whether the source says what the sentence says; None where only a note was made.
    """

    mark: int
    agrees: bool | None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """How a question is asked, for another process to answer it; never with a key."""

    options: QueryOptions
    model: ModelChoice | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A question (`role` "user") or an answer ("assistant", with `answer` and its `checks`).

    `shared` is the id of a shared answer (`SharedAnswer`), "" where it is its author's alone.
    `asked` is there while one of several processes answers a question, and after that process
    has ended; `deaths` is how often that happened.
    """

    id: int
    role: Literal["user", "assistant"]
    text: str
    created_at: datetime
    answer: Answer | None = None
    checks: tuple[Check, ...] = ()
    shared: str = ""
    asked: Asked | None = None
    deaths: int = 0


@dataclass(frozen=True, slots=True)
class SharedAnswer:
    """An answer that its author shows to everybody who may see the session's documents.

    Nothing else of its conversation goes with it. `shared_by` is the author's name or address, ""
    where nobody signs in; `mine` whether that is who looks; `answer` is None in a list.
    """

    id: str
    question: str
    shared_at: datetime
    shared_by: str = ""
    mine: bool = False
    answer: Answer | None = None


@dataclass(frozen=True, slots=True)
class Match:
    """Where the words of a search in one document stand: a span of the text of a page."""

    page_ordinal: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Matches:
    """The places of a search in one document, in order; `more` if not all are listed."""

    places: tuple[Match, ...] = ()
    more: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage opened: the page's text with the marked span, and its image where it has one.

    `image` is PNG bytes of the page with nothing drawn on it (empty for texts); `boxes` are the
    rectangles to mark, one a line, as left, top, right, bottom in fractions (0 to 1) of the
    page, and `spans` the stretches of the text that they stand for. `column` is the left and right
    edge of the lines around them, None where it is not known. `other_boxes` belong to other
    claims of the same citation. `found` are the spans of a search on this page, `found_boxes` the
    rectangles of each. `link` leads out (web pages: with a text fragment), "" where there
    is nowhere to go.
    """

    citation: Citation
    page_text: str
    image: bytes = b""
    width: int = 0
    height: int = 0
    boxes: tuple[tuple[float, float, float, float], ...] = ()
    link: str = ""
    ocr: bool = False
    missing: str = ""  # why it cannot be opened ("this document was deleted")
    retry_after: float = 0.0  # seconds after which what is missing may be had; 0: it stays so
    keepable: bool = False  # a page of the web that is not in the library
    neighbours: tuple[int, ...] = field(default=())  # ordinals of the pages around
    other_boxes: tuple[tuple[float, float, float, float], ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    pages: int = 0  # of the document
    found: tuple[tuple[int, int], ...] = ()
    found_boxes: tuple[tuple[tuple[float, float, float, float], ...], ...] = ()
    column: tuple[float, float] | None = None
