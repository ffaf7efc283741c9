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

from core.ingestion.chunking import chunk_document
from core.text.terms import content_keys
from core.types import Chunk, Heading, LoadedDocument, Page

SIZE, OVERLAP, LEAST = 1000, 100, 100  # characters
_RULE = re.compile(r"^[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$", re.M)


def web_chunks(loaded: LoadedDocument, document_id: str) -> list[Chunk]:
    """Return all passages of a page in reading order, none under `LEAST` characters if possible.

    A passage that is too short is joined with its neighbour, so one may exceed `SIZE` slightly.
    """
    ruled = replace(loaded, pages=tuple(map(_with_rules, loaded.pages)))
    chunks = chunk_document(ruled, document_id, size=SIZE, overlap=OVERLAP)
    texts = {page.ordinal: page.text for page in loaded.pages}
    joined: list[Chunk] = []
    for chunk in chunks:
        if joined and _belongs(joined[-1], chunk):
            joined[-1] = _join(joined[-1], chunk, texts[chunk.page_ordinal])
        else:
            joined.append(chunk)
    return numbered(joined)


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


def _belongs(before: Chunk, chunk: Chunk) -> bool:
    short = len(before.text) < LEAST or len(chunk.text) < LEAST
    return short and before.page_ordinal == chunk.page_ordinal


def _join(before: Chunk, chunk: Chunk, text: str) -> Chunk:
    """Join two passages; the result has the place of the longer one."""
    main = before if len(before.text) >= len(chunk.text) else chunk
    start, end = min(before.start, chunk.start), max(before.end, chunk.end)
    return replace(
        main, ordinal=before.ordinal, id=before.id, start=start, end=end, text=text[start:end]
    )  # fmt: skip


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
