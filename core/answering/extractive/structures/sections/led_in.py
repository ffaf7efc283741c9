"""What a sentence leads in by name and headings tell, each with its sentence (pure).

"It defines the following flags." over "FLAG_A", "Lights the lamp.", "FLAG_B", ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.answering.extractive.structures.sections.counted import FEWEST
from core.answering.extractive.structures.sections.listings import Listing
from core.citations.passages import passage_of, sentences_of
from core.text.sentences import Sentence, SentenceKind
from core.text.signatures import name_of, name_parts
from core.text.terms import content_keys
from core.types import Hit

FOLLOWING = re.compile(r"\b(?:following|folgende\w?)\s((?:[\w-]+\s){0,3}[\w-]+)", re.I)
"""What a sentence says that leads in, and what of."""


def named_in_a_lead(things: set[str], hits: Sequence[Hit]) -> list[Listing]:
    """What a sentence leads in by name and headings tell, each with its sentence.

    "It defines the following flags." over "FLAG_A", "Lights the lamp.", "FLAG_B", ... Which of its
    kind they are ("flag constants") may stand in their names alone.
    """
    for at, hit in enumerate(hits):
        text, base = passage_of(hit)
        split = sentences_of(hit)
        for n, lead in enumerate(split):
            said = FOLLOWING.search(lead.text)
            kind = things & set(content_keys(said[1])) if said else set()
            if not kind:
                continue
            items = list(labelled(split[n + 1 :], text, base))
            names = [set(content_keys(" ".join(name_parts(one.text.split()[0])))) for one in items]
            if len(items) >= FEWEST and all(things - kind <= keys for keys in names):
                return [Listing(at, hit.chunk.headings, lead, True, items, hit.chunk.headings[-1:])]
    return []


def labelled(pieces: Sequence[Sentence], text: str, base: int) -> Iterator[Sentence]:
    """The headings that follow, each with the sentence below it, up to the next that leads in.

    Where the first is the name of a function or a constant, all are.
    """
    of_program = bool(pieces) and bool(name_of(pieces[0].text))
    for name, said in pairwise(pieces):
        if FOLLOWING.search(name.text):
            return
        if name.kind is SentenceKind.HEADING and of_program and not name_of(name.text):
            return
        if name.kind is SentenceKind.HEADING and said.kind is SentenceKind.PROSE:
            start, end = name.start, said.end
            yield Sentence(start, end, text[start - base : end - base])
        elif name.kind is SentenceKind.HEADING:
            return
