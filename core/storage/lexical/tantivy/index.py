"""The words of all sessions in Tantivy: a small index for each cut of one, ids and terms only.

The only module that imports tantivy. Text is analysed here, in the language of its document, and
handed over as terms; a query is analysed in every language that the session's index holds.
"""

from __future__ import annotations

import logging
import shutil
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.config import Settings
from core.errors import IndexDamaged, NotEnoughSpace, StorageError
from core.ids import checked_index, checked_uuid, is_index, session_of_index
from core.storage.files.disk import is_full
from core.storage.lexical.analysis import UNKNOWN, WEIGHTS, fields_of
from core.storage.lexical.port import Entry
from core.storage.lexical.tantivy.query import make_query, make_word, only_documents
from core.types import Chunk

if TYPE_CHECKING:
    from tantivy import Index, Schema, Searcher
    from tantivy import Query as IndexQuery

log = logging.getLogger(__name__)

_HEAP = 15_000_000  # bytes; the least that Tantivy takes
_OPEN = 32  # indexes kept open
_LOCK_SECONDS = 30.0
_STRIPES = 32
_ALIKE_START = 3  # letters
_FOLDER = "lexical"
_FULL = 1_000_000  # bytes free below which a failed change means a full disk
_NO_ROOM = "The index of words cannot be written: the disk is full."
_SETTLED = 2.0  # seconds after a deletion: several at once are erased together


class TantivyIndex:
    """A `LexicalIndex` in Tantivy. Thread-safe; one process writes an index.

    The name of an index is `core.types.Cut.index`.

    Raises `StorageError`, `IndexDamaged` and `InvalidId`.
    """

    def __init__(self, settings: Settings) -> None:
        self._root = settings.sessions_dir
        self._open: OrderedDict[str, Index] = OrderedDict()
        self._lock = threading.RLock()
        self._deleted: dict[str, float] = {}
        self._writing = tuple(threading.Lock() for _ in range(_STRIPES))

    def add(
        self, index_name: str, chunks: Sequence[Chunk], titles: Sequence[str], language: str = ""
    ) -> None:
        """Add the chunks of one document. `titles` go with `chunks`; `language` is ISO 639-1."""
        if not chunks:
            return
        from tantivy import Document

        language = language or UNKNOWN
        with self._writer_of(index_name), _our_errors(self._root):
            index = self._index(index_name, create=True)
            assert index is not None
            with _writer(index) as writer:
                for chunk, title in zip(chunks, titles, strict=True):
                    writer.add_document(Document(**_fields(chunk, title, language)))

    def query(
        self,
        index_name: str,
        text: str,
        n: int,
        allowed_documents: Collection[str] | None = None,
    ) -> list[tuple[str, float]]:
        """The `n` best chunks as (id, BM25 score), best first; [] if nothing matches.

        Of what a person writes only "quoted phrases" have a meaning of their own: chunks that do
        not hold them are left out. `allowed_documents` keeps chunks of these documents only.
        """
        if n < 1 or (allowed_documents is not None and not allowed_documents):
            return []
        with _our_errors():
            index = self._index(index_name)
            if index is None:
                return []
            searcher = index.searcher()
            query = make_query(index.schema, text, _languages(searcher))
            if query is None:
                return []
            found = _best(searcher, query, n)
            kept = [pair for pair in found if _allowed(pair[0], allowed_documents)]
            if allowed_documents is None or len(kept) >= n or len(found) < n:
                return kept[:n]
            return _best(searcher, only_documents(index.schema, query, allowed_documents), n)

    def share_within(self, index_name: str, word: str, documents: Collection[str]) -> float:
        """Of the chunks that hold a word, the share that is of these documents; 1 if none does."""
        with _our_errors():
            index = self._index(index_name)
            query = None
            if index is not None:
                searcher = index.searcher()
                query = make_word(index.schema, word, _languages(searcher))
            if index is None or query is None:
                return 1.0
            all_of_them = _count(searcher, query)
            within = _count(searcher, only_documents(index.schema, query, documents))
            return within / all_of_them if all_of_them else 1.0

    def like(self, index_name: str, word: str) -> tuple[str, float]:
        """The stem of the session's texts that is most like a word, and how alike they are.

        Of the stems with the same first three letters; ("", 0.0) where there is none. Likeness is
        the ratio of difflib, 1 for the same.
        """
        with _our_errors():
            index = self._index(index_name)
            if index is None:
                return "", 0.0
            word = word.lower()
            near = index.searcher().terms_with_prefix("body", word[:_ALIKE_START])
            alike = (
                (SequenceMatcher(None, word, str(term)).ratio(), str(term)) for term, _ in near
            )
            ratio, term = max(alike, default=(0.0, ""))
            return term, ratio

    def ids(self, index_name: str) -> set[str]:
        """The ids of all chunks in the index."""
        from tantivy import Query

        with _our_errors():
            index = self._index(index_name)
            if index is None:
                return set()
            searcher = index.searcher()
            count = searcher.num_docs
            return {chunk_id for chunk_id, _ in _best(searcher, Query.all_query(), max(1, count))}

    def delete_document(self, index_name: str, document_id: str) -> None:
        """Take all chunks of a document out; a document that is not there does not matter."""
        with self._writer_of(index_name), _our_errors(self._root):
            index = self._index(index_name)
            if index is not None:
                with _writer(index) as writer:
                    writer.delete_documents_by_term("document", document_id)
                self.erase_later(index_name)

    def erase_later(self, index_name: str) -> None:
        """Let `to_erase` name an index, once no more is deleted in it."""
        self._deleted[index_name] = time.monotonic()

    def to_erase(self) -> list[str]:
        """The indexes that still hold words of what was deleted: `rewrite` them.

        Not before a moment of rest, so that many deletions are erased together.
        """
        now = time.monotonic()
        settled = [s for s, at in list(self._deleted.items()) if now - at > _SETTLED]
        for index_name in settled:
            if not self.holds_deleted(index_name):
                self._deleted.pop(index_name, None)
        return [index_name for index_name in settled if index_name in self._deleted]

    def rewrite(self, index_name: str, entries: Iterable[Entry]) -> None:
        """Write the index anew with these documents alone, and put it in the place of the old one.

        Searches go on in the old one meanwhile. What `entries` raises leaves the old one there.
        """
        from tantivy import Document

        folder = self._folder(index_name)
        fresh = folder.with_name(f"{folder.name}.new")
        with self._writer_of(index_name), _our_errors(self._root):
            shutil.rmtree(fresh, ignore_errors=True)
            index = _open_index(fresh, create=True)
            assert index is not None
            try:
                with _writer(index) as writer:
                    for chunks, title, language in entries:
                        for chunk in chunks:
                            fields = _fields(chunk, title, language or UNKNOWN)
                            writer.add_document(Document(**fields))
                with self._lock:
                    self._open.pop(index_name, None)
                    if folder.exists():
                        shutil.rmtree(folder)
                    fresh.rename(folder)
                    self._deleted.pop(index_name, None)
            finally:
                shutil.rmtree(fresh, ignore_errors=True)

    def holds_deleted(self, index_name: str) -> bool:
        """Whether words of deleted documents are still on the disk, though never found.

        Tantivy drops them when it merges the part of the index that they are in. To be rid of
        them now, `rewrite` the session's index with what the catalogue holds.
        """
        folder = self._folder(index_name)
        return folder.is_dir() and any(path.suffix == ".del" for path in folder.iterdir())

    def delete_session(self, session_id: str) -> None:
        """Remove all indexes of a session."""
        for folder in sorted((self._root / checked_uuid(session_id)).glob(f"{_FOLDER}*")):
            if is_index(name := session_id + folder.name.removeprefix(_FOLDER)):
                self.delete_index(name)

    def delete_index(self, index_name: str) -> None:
        """Remove an index with its folder, whatever state it is in."""
        folder = self._folder(index_name)
        with self._writer_of(index_name), self._lock, _our_errors():
            self._open.pop(index_name, None)
            self._deleted.pop(index_name, None)
            if folder.exists():
                shutil.rmtree(folder)

    def close(self) -> None:
        """Close every index; each opens again at its next use."""
        with self._lock:
            self._open.clear()

    # -------------------------------------------------------------------------------- Tantivy

    def _writer_of(self, index_name: str) -> threading.Lock:
        """The lock of those who write this session's index; others are written meanwhile."""
        return self._writing[hash(index_name) % _STRIPES]

    def _folder(self, index_name: str) -> Path:
        session_id = session_of_index(checked_index(index_name))
        return self._root / session_id / f"{_FOLDER}{index_name.removeprefix(session_id)}"

    def _index(self, index_name: str, *, create: bool = False) -> Index | None:
        """The session's index, None if it has none. The least used one is closed for it."""
        folder = self._folder(index_name)
        with self._lock:
            index = self._open.get(index_name)
            if index is None:
                index = _open_index(folder, create)
                if index is None:
                    return None
                self._open[index_name] = index
            self._open.move_to_end(index_name)
            while len(self._open) > _OPEN:
                self._open.popitem(last=False)
            return index


def _open_index(folder: Path, create: bool) -> Index | None:
    from tantivy import Index, TextAnalyzerBuilder, Tokenizer

    is_new = not folder.is_dir() or not any(folder.iterdir())
    if is_new and not create:
        return None
    if is_new:
        folder.mkdir(parents=True, exist_ok=True)
        index = Index(_schema(), path=str(folder))
    else:
        index = Index.open(str(folder))
    index.register_tokenizer("terms", TextAnalyzerBuilder(Tokenizer.whitespace()).build())
    return index


@cache
def _schema() -> Schema:
    from tantivy import SchemaBuilder

    builder = SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("document", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("language", tokenizer_name="raw", index_option="basic")
    for name in WEIGHTS:
        builder.add_text_field(name, tokenizer_name="terms", index_option="position")
    builder.add_text_field("exact", tokenizer_name="terms", index_option="freq")
    return builder.build()


def _fields(chunk: Chunk, title: str, language: str) -> dict[str, str]:
    terms = fields_of(chunk, title, language)
    return {
        "id": chunk.id,
        "document": chunk.document_id,
        "language": language,
        **{name: " ".join(found) for name, found in terms.items()},
    }


@contextmanager
def _writer(index: Index) -> Iterator[Any]:
    """Changes that are all there after it, or none. Merging is done when it returns."""
    writer = _locked(index)
    try:
        yield writer
        writer.commit()
    except BaseException:
        writer.rollback()
        raise
    finally:
        writer.wait_merging_threads()
        index.reload()


def _locked(index: Index) -> Any:
    """A writer, once the index's lock is free.

    `_writing` keeps our own writers apart, but the lock is an open file: a child process that is
    being started holds a copy of it until it runs its own program, also after our writer ended.
    """
    until = time.monotonic() + _LOCK_SECONDS
    while True:
        try:
            return index.writer(_HEAP, 1)
        except ValueError as error:
            if "LockBusy" not in str(error):
                raise
            if time.monotonic() > until:
                log.error("Tantivy: %s", error)
                raise StorageError(
                    "Something else is writing the index of words. Nothing was lost; try again."
                ) from None
        time.sleep(0.02)


def _languages(searcher: Searcher) -> list[str]:
    return [language for language, _ in searcher.terms_with_prefix("language", "")]


def _best(searcher: Searcher, query: IndexQuery, n: int) -> list[tuple[str, float]]:
    found = searcher.search(query, n, count=False).hits
    pairs = [(str(searcher.doc(place)["id"][0]), float(score)) for score, place in found]
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))


def _count(searcher: Searcher, query: IndexQuery) -> int:
    return int(searcher.search(query, 1, count=True).count or 0)


def _allowed(chunk_id: str, documents: Collection[str] | None) -> bool:
    return documents is None or chunk_id.rpartition(":")[0] in documents


@contextmanager
def _our_errors(written: Path | None = None) -> Iterator[None]:
    """Tantivy says everything by `ValueError`; with our queries that is a damaged index.

    Or a full disk, where one is `written`: Tantivy does not always say so.
    """
    try:
        yield
    except ValueError as error:
        log.error("Tantivy: %s", error)
        if written and ("os error 28" in str(error) or shutil.disk_usage(written).free < _FULL):
            raise NotEnoughSpace(_NO_ROOM) from None
        raise IndexDamaged("The index of words is damaged.") from None
    except OSError as error:
        log.error("Lexical index: %s", error)
        if is_full(error):
            raise NotEnoughSpace(_NO_ROOM) from None
        raise StorageError("The index of words cannot be read or written.") from None
