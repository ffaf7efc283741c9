"""Cut a web page into passages at headings, rules and paragraphs, none tiny (pure).

Of a long page only the passages that share the most words with the queries are embedded, so that
the answer is not delayed. A page that is kept in the library is embedded as a whole.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from core.ingestion.cutting import cut_document
from core.text.terms import content_keys
from core.types import Chunk, Cutting, Heading, LoadedDocument, Page

SIZE, OVERLAP, LEAST = 1000, 100, 100  # characters
CUTTING = Cutting(SIZE, OVERLAP, least=LEAST)
_RULE = re.compile(r"^[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$", re.M)


def web_chunks(loaded: LoadedDocument, document_id: str) -> list[Chunk]:
    """Return all passages of a page in reading order, none under `LEAST` characters if possible.

    A passage that is too short is joined with its neighbour, so one may exceed `SIZE` slightly.
    """
    ruled = replace(loaded, pages=tuple(map(_with_rules, loaded.pages)))
    return numbered(cut_document(ruled, document_id, CUTTING, size=SIZE, overlap=OVERLAP))


def nearest(chunks: Sequence[Chunk], queries: Sequence[str], most: int) -> list[Chunk]:
    """Return up to `most` passages that share the rarest words with the queries, in order."""
    if len(chunks) <= most:
        return list(chunks)
    wanted = set(content_keys(" ".join(queries)))
    found = [Counter(key for key in content_keys(chunk.text) if key in wanted) for chunk in chunks]
    holders = Counter(key for counted in found for key in counted)

    def weight(place: int) -> float:
        return sum(
            math.log(1 + len(chunks) / holders[key]) * count / (count + 1)
            for key, count in found[place].items()
        )

    best = sorted(range(len(chunks)), key=lambda place: -weight(place))[:most]
    return numbered([chunks[place] for place in sorted(best)])


def numbered(chunks: Sequence[Chunk]) -> list[Chunk]:
    """Return the chunks with consecutive ordinals from 0 and matching ids."""
    return [
        replace(
            chunk,
            ordinal=place,
            id=f"{chunk.document_id}:{place}",
            headings=tuple(filter(None, chunk.headings)),
        )
        for place, chunk in enumerate(chunks)
    ]


def _with_rules(page: Page) -> Page:
    """Return the page with its headings repeated after each rule, so that it is cut there."""
    headings = list(page.headings)
    for rule in _RULE.finditer(page.text):
        after = rule.end()
        if any(block.start <= rule.start() < block.end for block in page.blocks):
            continue
        above = [heading for heading in page.headings if heading.offset < after]
        if above:
            headings.append(replace(above[-1], offset=after))
        else:
            headings.append(Heading(after, 1, ""))
    return replace(page, headings=tuple(sorted(headings, key=lambda heading: heading.offset)))
