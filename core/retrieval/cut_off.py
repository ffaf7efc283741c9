"""The cut-off of a preset, for the embedding model of a session.

Cosines of two models have scales of their own: 0.35 is rare between a question and some passage by
one, and the least there is by another. So the cut-off is measured by the bundled model, and
carried over to another one by texts of the session itself: sentences of some of its passages,
compared with its other passages by both models.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from core.models.embedding import BUNDLED, bundled_embedder
from core.models.embedding_text import embedding_text
from core.models.port import Embedder
from core.retrieval.corpus import Corpus
from core.text.sentences import SentenceKind, split_sentences
from core.types import Chunk

MEASURED = 0.35
"""By the bundled model, for the published 0.7 by that of the system (docs/decisions.md)."""
PASSAGES = 48
QUESTIONS = 16
FEWEST = 8
"""Of passages. Among fewer nothing can be measured, and nothing needs to be left out."""
_FEWEST_WORDS = 5
_LONGEST_QUESTION = 150
_MOST = 256

Vectors = NDArray[np.float32]


class CutOffs:
    """What a passage must reach to be found by meaning, for each index. Thread-safe.

    It is measured when it is first wanted, and again when the passages have doubled; nothing of
    the texts is kept.
    """

    def __init__(self, reference: Callable[[], Embedder] = bundled_embedder) -> None:
        self._reference = reference
        self._known: OrderedDict[tuple[str, str, int], float] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, corpus: Corpus) -> float:
        """Return the least cosine by the model of the corpus; -1 where it has few passages.

        Raises `ModelError` and `StorageError`.
        """
        if corpus.embedder.name == BUNDLED:
            return MEASURED
        size = sum(document.chunks for document in corpus.documents.values())
        key = (corpus.cut.index, corpus.embedder.digest, size.bit_length())
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        found = self._measured(corpus)
        with self._lock:
            self._known[key] = found
            while len(self._known) > _MOST:
                self._known.popitem(last=False)
        return found

    def _measured(self, corpus: Corpus) -> float:
        ids = _sample(corpus)
        vectors = corpus.vectors_of(ids, {})
        found = corpus.content.chunks_by_id(corpus.session_id, ids)
        chunks = [found[key] for key in ids if key in found and key in vectors]
        if len(chunks) < FEWEST:
            return -1.0
        asked = range(0, len(chunks), max(1, PASSAGES // QUESTIONS))
        questions = [_sentence(chunks[at]) for at in asked]
        reference = self._reference()
        of_reference = reference.embed(
            [embedding_text(c, corpus.documents[c.document_id].title) for c in chunks]
        )
        own = np.stack([vectors[chunk.id] for chunk in chunks])
        apart = np.arange(len(chunks)) != np.array(asked)[:, None]  # each but the one it is from
        return carried_over(
            MEASURED,
            (_queries(reference, questions) @ of_reference.T)[apart],
            (_queries(corpus.embedder, questions) @ own.T)[apart],
        )


def carried_over(value: float, reference: Vectors, own: Vectors) -> float:
    """Return where a cosine of one model stands among those of another, -1 to 1.

    Both are the cosines of the same pairs of texts. It is as many standard deviations from their
    mean as `value` is in the reference.

    >>> few = np.array([0.1, 0.2, 0.3], np.float32)
    >>> round(carried_over(0.35, few, 0.5 + few / 2), 3)
    0.675
    """
    spread = float(reference.std())
    if spread == 0.0:
        return -1.0
    place = (value - float(reference.mean())) / spread
    return float(np.clip(own.mean() + place * own.std(), -1.0, 1.0))


def _queries(embedder: Embedder, questions: Sequence[str]) -> Vectors:
    return np.stack([embedder.embed_query(question) for question in questions])


def _sample(corpus: Corpus) -> list[str]:
    """Ids of passages at even distances over all documents."""
    documents = sorted(corpus.documents.values(), key=lambda document: document.id)
    ends = list(accumulate(document.chunks for document in documents))
    total = ends[-1] if ends else 0
    places = sorted({at * total // PASSAGES for at in range(PASSAGES)} if total else ())
    found = []
    for place in places:
        which = int(np.searchsorted(ends, place, side="right"))
        begin = ends[which] - documents[which].chunks
        found.append(f"{documents[which].id}:{corpus.cut.first + place - begin}")
    return found


def _sentence(chunk: Chunk) -> str:
    """A sentence from the middle of a passage, in the place of a question."""
    sentences = [
        piece.text
        for piece in split_sentences(chunk.text)
        if piece.kind is SentenceKind.PROSE and len(piece.text.split()) >= _FEWEST_WORDS
    ]
    text = sentences[len(sentences) // 2] if sentences else chunk.text
    return text[:_LONGEST_QUESTION]
