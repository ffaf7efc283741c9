"""The frozen values that flow through the program (a leaf: imports nothing of ours).

Offsets are counted in characters (Python string indices) of the text of one page. Times are
UTC. Scores live on `Hit`, never on `Chunk`; a stage returns new values and changes none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Literal

# ---------------------------------------------------------------- people and their sessions


class Role(StrEnum):
    """What somebody may do in a session, from least to most (`core/roles.py` says what)."""

    READER = "reader"
    EDITOR = "editor"
    ADMIN = "admin"

    def covers(self, least: Role) -> bool:
        """Whether this role may what `least` may."""
        order = list(Role)
        return order.index(self) >= order.index(least)


@dataclass(frozen=True, slots=True)
class Session:
    """A collection of documents and conversations, isolated by its UUIDv4.

    Holding one means that access was checked: only `Service.session()` and
    `Service.create_session()` hand it out. It is in the hands of `viewer_id` (without it, of its
    owner), who has `role` in it; `shared_by` is the owner's name where that is somebody else.
    """

    id: str
    owner_id: str
    name: str
    created_at: datetime
    updated_at: datetime
    viewer_id: str = ""
    role: Role = Role.ADMIN
    shared_by: str = ""

    def __post_init__(self) -> None:
        if not self.viewer_id:
            object.__setattr__(self, "viewer_id", self.owner_id)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who signed in. `email` is "" unless the provider says that it is theirs."""

    id: str
    name: str
    email: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody with whom a session is shared; `name` is "" until they have signed in."""

    email: str
    role: Role
    name: str = ""


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key for programs, without its secret: only the SHA-256 of that is kept.

    It opens all sessions of its owner, or `session_id` alone, and may there what its owner may,
    but no more than `role`.
    """

    id: str
    owner_id: str
    name: str
    created_at: datetime
    session_id: str | None = None
    last_used_at: datetime | None = None
    role: Role = Role.ADMIN


# ------------------------------------------------------------------------------- documents


class DocumentKind(StrEnum):
    """The format of a document, recognised by its content."""

    PDF = "pdf"
    TEXT = "text"
    MARKDOWN = "markdown"
    HTML = "html"
    DOCX = "docx"
    PPTX = "pptx"
    CSV = "csv"
    WEB = "web"


class DocumentState(StrEnum):
    """Where a document stands. Only `READY` documents are searched."""

    WAITING = "waiting"
    READING = "reading"
    INDEXING = "indexing"
    READY = "ready"
    FAILED = "failed"
    STOPPED = "stopped"


class ChunkKind(StrEnum):
    """What a chunk or a block of a page holds."""

    TEXT = "text"
    TABLE = "table"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that begins at `offset` of its page's text; level 1 is the highest.

    `anchor` is the id under which the place can be linked (`os.html#os.system`), if any.
    """

    offset: int
    level: int
    title: str
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch `[start, end)` of a page's text that is no running text (table or code)."""

    start: int
    end: int
    kind: ChunkKind


@dataclass(frozen=True, slots=True)
class Page:
    """The text of one page, slide or part of a document, with what is known of its layout.

    `ordinal` counts from 0 within the document. `number` is the page as people count it, from
    1, or None where the format has no pages. `boxes` holds one box for each character of
    `text`: zlib-compressed little-endian uint16, shape (len(text), 4), columns left, top,
    right, bottom in 1/65535 of the page's width and height from its top left corner; a box of
    zeros stands for a character that is not drawn (a line end); empty where there is no layout.
    `width` and `height` are in PDF points (1/72 inch), 0 where there is no layout.
    """

    ordinal: int
    text: str
    number: int | None = None
    headings: tuple[Heading, ...] = ()
    blocks: tuple[Block, ...] = ()
    boxes: bytes = b""
    width: float = 0.0
    height: float = 0.0
    ocr: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that a person must be told: what was cut, left out, failed or is uncertain.

    `code` is a stable name for programs ("pages-without-text"), `text` a sentence for people,
    `cure` what to do about it (may be empty).
    """

    code: str
    text: str
    cure: str = ""
    level: Literal["info", "warning", "error"] = "warning"


@dataclass(frozen=True, slots=True)
class LoadedDocument:
    """What a loader read from the bytes of one document."""

    kind: DocumentKind
    pages: tuple[Page, ...]
    title: str = ""
    language: str = ""  # ISO 639-1, "" when unknown
    notices: tuple[Notice, ...] = ()
    pages_without_text: int = 0
    attribution: str = ""  # who wrote it, when, under which licence: shown with its citations
    published: str = ""  # YYYY-MM-DD, of a web page that says so


@dataclass(frozen=True, slots=True)
class Document:
    """One row of the Documents page: a document of a session, whatever its state.

    `id` is the SHA-256 (hex) of its bytes, or for a web page of canonical URL and text. `name`
    is what the person gave; `label` tells two documents of one name apart and is what
    citations show. `progress` runs from 0 to 1. `size` is in bytes, `seconds` is the time that
    reading and indexing took.
    """

    id: str
    session_id: str
    name: str
    label: str
    kind: DocumentKind | None
    state: DocumentState
    title: str = ""
    url: str = ""
    size: int = 0
    pages: int = 0
    pages_without_text: int = 0
    pages_ocr: int = 0
    chunks: int = 0
    language: str = ""
    progress: float = 0.0
    seconds: float = 0.0
    reason: str = ""
    cure: str = ""
    notices: tuple[Notice, ...] = ()
    searched: bool = True
    added_at: datetime | None = None
    ready_at: datetime | None = None
    attribution: str = ""  # as its loader found it
    source: str = ""  # of the collecting that it came from, "" when it was added by hand
    published: str = ""  # YYYY-MM-DD, of a web page that says so
    expires_at: datetime | None = None  # of a page read for an answer; None: it is in the library

    @property
    def read_at(self) -> str:
        """The day on which a page of the web was read, YYYY-MM-DD; "" for other documents."""
        return self.added_at.date().isoformat() if self.url and self.added_at else ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: `text == page.text[start:end]` of the page at `page_ordinal`.

    `id` is the document's id, a colon and the ordinal. `headings` is the path of headings that
    it stands under, highest first; `anchor` the nearest linkable place at or before it.
    """

    id: str
    document_id: str
    ordinal: int
    page_ordinal: int
    page_number: int | None
    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()
    anchor: str | None = None
    kind: ChunkKind = ChunkKind.TEXT


class AddOutcome(StrEnum):
    """What became of one file or URL that a person added."""

    ACCEPTED = "accepted"
    DUPLICATE = "duplicate"  # the same bytes are already there
    CONFLICT = "conflict"  # the same name with other bytes: replace or keep both?
    REPLACED = "replaced"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class AddResult:
    """One result for each file or URL; `document` is the row that it became or collided with."""

    name: str
    outcome: AddOutcome
    document: Document | None = None
    reason: str = ""
    cure: str = ""


@dataclass(frozen=True, slots=True)
class JobItem:
    """One file or URL of an ingest call, and what became of it; `document_id` "" if nothing did."""

    name: str
    outcome: AddOutcome
    document_id: str = ""
    reason: str = ""
    cure: str = ""


@dataclass(frozen=True, slots=True)
class Job:
    """One ingest call: the documents that came in together, so that they can be followed."""

    id: str
    session_id: str
    created_at: datetime
    items: tuple[JobItem, ...]


# ------------------------------------------------------------------------------- collecting


class CollectKind(StrEnum):
    """What is collected from."""

    PYTHON_DOCS = "python-docs"
    STACK_EXCHANGE = "stack-exchange"
    SITE = "site"


class CollectState(StrEnum):
    """Where a run of collecting stands. `INTERRUPTED`: the program ended in the middle of it."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    INTERRUPTED = "interrupted"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class CollectRequest:
    """What a person asks to be collected.

    Sites and documentations use `urls` and the limits of pages and links; dumps use `files`
    (names that `Collector.dumps()` or `keep_upload()` gave) and the choice of pairs.
    """

    kind: CollectKind
    urls: tuple[str, ...] = ()
    pages: int = 500
    depth: int = 10
    megabytes: int = 500
    minutes: int = 60
    sitemaps: bool = True
    whole_host: bool = False
    whats_new: bool = False
    files: tuple[str, ...] = ()
    users: str = ""  # the file with the names of the authors, if there is one
    tag: str = "python"
    limit: int = 500
    min_score: int = 0
    accepted_only: bool = False
    site: str = ""


@dataclass(frozen=True, slots=True)
class CollectProgress:
    """How far a run is. Counts are of pages (pairs, for dumps); `share` is 0 to 1 where known.

    `left_out` counts addresses with a reason, `errors` those of them that could not be read.
    `added` and `changed` went into the session, `same` were there already, `gone` were removed
    from it, `failed` could not be added. `seconds_left` is an estimate, None where there is none.
    """

    step: str = ""
    found: int = 0
    visited: int = 0
    queued: int = 0
    left_out: int = 0
    errors: int = 0
    requests: int = 0
    megabytes: float = 0.0
    seconds: float = 0.0
    seconds_left: float | None = None
    share: float | None = None
    added: int = 0
    changed: int = 0
    same: int = 0
    gone: int = 0
    failed: int = 0
    now: str = ""


@dataclass(frozen=True, slots=True)
class CollectRun:
    """One run of collecting, live or of the history. `legs` counts how often it was begun.

    `source` names what is collected: another run of the same has the same, and goes on with what
    is known of it.
    """

    id: str
    session_id: str
    source: str
    request: CollectRequest
    state: CollectState
    created_at: datetime
    progress: CollectProgress = field(default_factory=CollectProgress)
    refresh: bool = False
    legs: int = 0
    reason: str = ""
    cure: str = ""
    began_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class CollectOutcome:
    """What a run gave: (section, pages), (address, reason) of what was left out, what is gone."""

    sections: tuple[tuple[str, int], ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    gone: tuple[str, ...] = ()


# ------------------------------------------------------------------------ search and ranking


class Level(StrEnum):
    """How much effort goes into understanding the question."""

    AS_TYPED = "as typed"
    REWRITTEN = "rewritten"
    SEVERAL = "several"
    IN_DEPTH = "in depth"
    AUTO = "auto"


@dataclass(frozen=True, slots=True)
class QueryPlan:
    """The question as understood: what is wanted, and the queries that look for it."""

    question: str
    goal: str
    queries: tuple[str, ...]
    level: Level = Level.AS_TYPED
    notices: tuple[Notice, ...] = ()
    follows: bool = False  # whether the question leans on what was said before
    known: tuple[str, ...] = ()  # ids of chunks that the conversation found, to look at again
    tokens: int | None = None  # what understanding it took of a model


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
class SearchOptions:
    """The settings of one search. `mode` chooses the side or sides; counts are of chunks.

    `top_k` hits are returned of `fetch_k` that enter diversification, chosen among
    `candidates` from each side. `mmr_lambda` 1 is relevance alone, 0 diversity alone.
    `dense_weight` is the weight of the dense side in the fused score, 0 to 1; `by_language`
    lowers it where the embedding model does not know the language of what is found. `normalise`
    says how the sides' scores are made comparable. `support` is how much candidates count that
    say alike, `names` how much it counts that the question names the document; 0 turns them off.
    Dense candidates below `min_similarity` (cosine) are left out.
    """

    mode: Literal["hybrid", "dense", "lexical"] = "hybrid"
    fusion: Literal["weighted", "rrf"] = "weighted"
    top_k: int = 7
    fetch_k: int = 30
    candidates: int = 100
    mmr_lambda: float = 0.95
    diversify: bool = True
    rerank: bool = True
    dense_weight: float = 0.6
    join_neighbours: bool = True
    normalise: Literal["standard", "min-max"] = "standard"
    by_language: bool = True
    support: float = 2.0
    names: float = 2.0
    min_similarity: float = -1.0


@dataclass(frozen=True, slots=True)
class Wish:
    """How one question is to be looked for and answered.

    `level` is the effort for understanding it; `queries` are a person's own, which are used as
    they are. With `web`, the live web is searched as well. `preset` names the instructions that
    a language model gets.
    """

    search: SearchOptions = field(default_factory=SearchOptions)
    level: Level = Level.AUTO
    queries: tuple[str, ...] = ()
    web: bool = False
    preset: str = "balanced"


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that a search found, with every score and rank that a stage gave it.

    Ranks count from 1. `dense` is the cosine similarity (-1 to 1), `lexical` the BM25 score
    (unbounded), `fused` and `rerank` in the units of their stage; None where a stage did not
    see the chunk. `context` is what is read: the chunk joined with its neighbours on the page,
    `page.text[context_start:context_end]`. `dropped` says why a hit was not kept ("").
    """

    chunk: Chunk
    document: Document
    dense: float | None = None
    dense_rank: int | None = None
    lexical: float | None = None
    lexical_rank: int | None = None
    fused: float | None = None
    fused_rank: int | None = None
    rerank: float | None = None
    rerank_rank: int | None = None
    rank: int | None = None
    query: str = ""
    context: str = ""
    context_start: int = 0
    context_end: int = 0
    dropped: str = ""
    other_places: tuple[str, ...] = ()  # ids of chunks with the same text


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the work, for the block "How it searched" (seconds of wall time)."""

    name: str
    detail: str = ""
    seconds: float = 0.0
    count: int | None = None
    tokens: int | None = None  # of the prompt and the reply, where a model was asked


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search gives: kept hits best first, then what was dropped, and how it was done."""

    plan: QueryPlan
    hits: tuple[Hit, ...]
    dropped: tuple[Hit, ...] = ()
    steps: tuple[Step, ...] = ()
    notices: tuple[Notice, ...] = ()
    sent: tuple[SentQuery, ...] = ()  # every query with what became of it
    summary: str = ""  # of what was kept, where one was asked for


# -------------------------------------------------------------------------------- answering


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
    read_at: str = ""  # of a web page: the day on which it was read, YYYY-MM-DD

    @property
    def credit(self) -> str:
        """Who is to be named, and when a page of the web was published and read."""
        parts = [part for part in self.attribution.split(", ") if part != self.published]
        parts.append(f"published {self.published}" if self.published else "")
        parts.append(f"read {self.read_at}" if self.read_at else "")
        return ", ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence of the answer, `answer.text[start:end]`, and what its check found."""

    start: int
    end: int
    numbers: tuple[int, ...]
    support: Support
    reason: str = ""
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Abstention:
    """A plain refusal: the sources do not hold the answer. `nearest` are for a look, no more."""

    reason: str
    searched_documents: int
    searched_chunks: int
    queries: tuple[str, ...] = ()


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
class Answer:
    """What a person reads, with everything needed to check it.

    `text` is Markdown whose only citation marks are `[1]`, `[2]`, ... in order of first use,
    each of them in `citations`. `confidence` is 0 to 1, the estimate that the sources hold the
    answer. `complete` is False when the stream ended early (then `notices` says why).
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


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of an answer as it is written, with citation marks already renumbered.

    With `withdraws`, all text before it was the model's thinking and is taken back.
    """

    text: str
    withdraws: bool = False


Event = Step | TextPiece | Answer
"""A stream of events ends with exactly one `Answer`."""


# ----------------------------------------------------------------------------- conversations


@dataclass(frozen=True, slots=True)
class Conversation:
    """A row in the list of a session's conversations."""

    id: str
    session_id: str
    title: str
    created_at: datetime
    updated_at: datetime
    messages: int = 0


@dataclass(frozen=True, slots=True)
class Message:
    """A question (`role` "user") or an answer ("assistant", with `answer`)."""

    id: int
    role: Literal["user", "assistant"]
    text: str
    created_at: datetime
    answer: Answer | None = None


# ----------------------------------------------------------------------------------- health


HealthState = Literal["ok", "off", "warning", "error"]
Verdict = tuple[HealthState, str, str]
"""Of one part: its state, the detail, the cure."""


@dataclass(frozen=True, slots=True)
class Health:
    """What the doctor found about one part: does it answer, and what mends it."""

    name: str
    state: HealthState
    detail: str
    cure: str = ""
    seconds: float = 0.0


UpkeepTask = Literal["start", "check", "mend", "rebuild", "backup", "vacuum"]


@dataclass(frozen=True, slots=True)
class UpkeepState:
    """Work on the stores that is being done, or was done last: a picture of one moment.

    `done` of `total` says how far it is (passages, files or sessions); `lines` is the result in
    words, `clean` whether nothing disagrees, `failure` what ended the work.
    """

    task: UpkeepTask | None = None
    running: bool = False
    doing: str = ""
    done: int = 0
    total: int = 0
    lines: tuple[str, ...] = ()
    clean: bool = True
    failure: Notice | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage opened: the page's text with the marked span, and its image where it has one.

    `image` is PNG bytes of the page with nothing drawn on it (empty for texts); `boxes` are the
    rectangles to mark, one a line, as left, top, right, bottom in fractions (0 to 1) of the
    page. `link` leads out (web pages: with a text fragment), "" where there is nowhere to go.
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
    keepable: bool = False  # a page of the web that is not in the library
    neighbours: tuple[int, ...] = field(default=())  # ordinals of the pages around
