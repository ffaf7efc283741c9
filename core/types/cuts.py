"""How the documents of a session are cut into chunks, and the indexes made of them so."""

from __future__ import annotations

from dataclasses import dataclass, replace

SPAN = 1_000_000
"""Ordinals of chunks in one cut: those of cut 2 begin at 2,000,000, so that no id has two texts."""


@dataclass(frozen=True, slots=True)
class Cutting:
    """How documents are cut, and by which model their chunks are embedded; sizes in characters.

    `size` is the longest chunk, `overlap` what neighbours share; None is as CHUNK_SIZE and
    CHUNK_OVERLAP say. With `separators` pages are cut at the first of them that they hold, what is
    still too long at the next, and "" cuts anywhere; headings and tables do not count then. Else
    they are cut along their structure, at the ends of sentences: `least` joins shorter chunks with
    their neighbours; with `apart` no two sections share a chunk, and neither do text and a listing
    of two lines or more.

    `model` is the name of the embedding model, "" for that of the program (EMBEDDING_MODEL).
    """

    size: int | None = None
    overlap: int | None = None
    separators: tuple[str, ...] = ()
    least: int = 0
    apart: bool = False
    model: str = ""

    def cuts_as(self, other: Cutting) -> bool:
        """Return whether both make the same chunks, whatever embeds them."""
        return replace(self, model=other.model) == other


@dataclass(frozen=True, slots=True)
class Cut:
    """The documents of a session cut in one way, with a vector index and a lexical one.

    A session has one that is in force, and others beside it: for another preset, or while it is
    indexed again. One that is not `ready` is being made, one that is not `wanted` goes.
    """

    session_id: str
    number: int = 0
    cutting: Cutting = Cutting()
    ready: bool = True
    wanted: bool = True
    in_force: bool = True

    @property
    def index(self) -> str:
        """The name of its indexes in the stores: that of the first cut is the session's id."""
        return f"{self.session_id}-{self.number}" if self.number else self.session_id

    @property
    def first(self) -> int:
        """The ordinal of the first chunk of every document in it."""
        return self.number * SPAN

    def holds(self, chunk_id: str) -> bool:
        """Return whether the chunk with this id is one of it."""
        return int(chunk_id.rpartition(":")[2]) // SPAN == self.number


@dataclass(frozen=True, slots=True)
class Indexing:
    """Which preset a session has, those beside it, and how far it is indexed for them.

    `embedding_model` and `reranker_model` are those chosen for it, "" for the program's own.
    While it is not `whole`, `done` of `total` documents are, and searches go on as before. `reason`
    and `cure` say why the work stopped, or that it was never asked for.
    """

    preset: str
    beside: tuple[str, ...] = ()
    embedding_model: str = ""
    reranker_model: str = ""
    whole: bool = True
    done: int = 0
    total: int = 0
    reason: str = ""
    cure: str = ""
