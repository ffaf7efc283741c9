"""The sentences that are chosen of a text, given how well each answers."""

from __future__ import annotations

import numpy as np

from core.answering.extractive.sentences.candidates import find_candidates
from core.answering.extractive.sentences.choosing import choose
from core.answering.extractive.sentences.further import NEXT_MARGIN
from core.answering.extractive.sentences.reading import Read
from tests.support.hits import hit

TEXT = (
    "The Velmark bridge was built by Ada Reed. Work on the Velmark bridge took long. "
    "The Velmark bridge opened on 3 May 1874. Boats pass under the arch at noon."
)


def chosen(question: str, scores: list[float], text: str = TEXT, *, read: bool = True) -> list[str]:
    hits = [hit(text)]
    candidates = find_candidates(hits)
    assert len(candidates) == len(scores)
    ranks = np.argsort(np.argsort(-np.array(scores), kind="stable"))
    logits = [-(NEXT_MARGIN + 0.1) * min(rank, 2) for rank in ranks.tolist()]
    reads = {c: Read(at, (0, 1)) for c, at in zip(candidates, logits, strict=True)} if read else {}
    found = choose(question, candidates, np.array(scores, dtype=np.float32), hits, reads)
    return [candidate.sentence.text for candidate in found]
