"""The sentences of the hits that may answer a question, each once (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.answering.extractive.sentences.quotable import is_back_matter, without_number
from core.answering.extractive.structures.tables import header_of
from core.citations.passages import passage_of, sentences_of
from core.text.sentence_ends import MAX_SENTENCE
from core.text.sentences import Sentence, SentenceKind
from core.text.signatures import name_of
from core.types import Hit

_LABEL = re.compile(r"(?:\([^()]{3,80}\)\s*){1,3}")
_LINES_OF_VALUE = 3
_VALUE_WORDS = 8
_EMPHASIS = "*_"
"""What Markdown sets around bold words: "**Can I return it?**"."""
LONGEST = 50
"""Words; prose without an end that has more is captions or items that ran together."""
_VERB = re.compile(r"^\W*(?:[^\s.]+ ){1,12}?(?:is|are|was|were|has|have|ist|sind|war|waren|hat) ")
"""The verb of a sentence, which an entry of a bibliography does not have."""
_ELSEWHERE = re.compile(
    r"\W*(?:related|read (?:more|also|next|this)|see also|check out|more on)\b", re.I
)
"""What opens the title of another page, which nothing here answers: "Related: What is a lien?"."""
_SENTENCE_END = re.compile(r"[.!:;…。！।؛：][\[\"'”’»)\]\d]*$")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may answer: `sentence` is in the coordinates of its page.

    `hit` is the index of its hit; `before` and `after` are the neighbouring sentences' texts, of a
    row of a table what names its columns, and nothing;
    `under` is the heading, or the line with a question, that it stands under, and `opens` says that
    it is the first there;
    `above` are the lines that name the columns of a row; `entry` is the function, class or constant
    that reference documentation tells of there, as it is written above its description.
    """

    hit: int
    sentence: Sentence
    before: str = ""
    after: str = ""
    fragment: bool = False  # cut off where the passage begins or ends
    under: str = ""
    opens: bool = False
    above: tuple[str, ...] = ()
    entry: str = ""


Rated = tuple[Candidate, float]
"""A candidate and its score."""


def find_candidates(hits: Sequence[Hit]) -> list[Candidate]:
    """Every sentence of every hit once, in the order of the hits."""
    found: list[Candidate] = []
    for index, hit in enumerate(hits):
        text, start = passage_of(hit)
        split = sentences_of(hit)
        pieces = _with_labels(headed(split, hit.chunk.headings), text, start)
        under = _above(hit, pieces)
        entry = under if name_of(under) else ""
        opens = False
        for at, piece in enumerate(pieces):
            if is_back_matter(under) and _tells(piece, text, start):
                under = hit.chunk.headings[-1] if hit.chunk.headings else hit.document.title
            first, last = at == 0 and start > 0, at == len(pieces) - 1
            before = pieces[at - 1].text if at else ""
            after = pieces[at + 1].text if not last else ""
            above: tuple[str, ...] = ()
            if piece.kind is SentenceKind.ROW:
                above = tuple(line.text for line in header_of(pieces, at))
                before, after = " ".join(above), ""
            rest = at > 0 and _is_rest(pieces[at - 1], piece, text[: piece.start - start])
            fragment = rest or _is_fragment(piece, first, last)
            found.append(
                Candidate(index, piece, before, after, fragment, under, opens, above, entry)
            )
            opens = piece.kind is SentenceKind.HEADING or _asks(piece, text, start)
            under = piece.text.strip(_EMPHASIS) if opens else under
            entry = piece.text if opens and name_of(piece.text) else entry
    return _without_repeats(found, hits)


def headed(pieces: Sequence[Sentence], headings: Sequence[str]) -> list[Sentence]:
    """Return the pieces, those as headings that read as one of the `headings` above the passage.

    "3. Duties" alone can be the item of a list.
    """
    titles = {_title(heading) for heading in headings}
    return [
        replace(piece, kind=SentenceKind.HEADING)
        if piece.kind is SentenceKind.PROSE and _title(piece.text) in titles
        else piece
        for piece in pieces
    ]


def _above(hit: Hit, pieces: Sequence[Sentence]) -> str:
    """The heading above the first piece; of a passage that was widened back over headings, only
    the highest is sure to stand above it.
    """
    headings = hit.chunk.headings or (hit.document.title,)
    before = (one for one in pieces if one.start < hit.chunk.start)
    widened = any(one.kind is SentenceKind.HEADING for one in before)
    return headings[0 if widened else -1]


def _tells(piece: Sentence, text: str, offset: int) -> bool:
    """Whether a paragraph begins that tells something: what a box beside the text ends before."""
    before = text[: piece.start - offset]
    alone = before.endswith("\n") or not before
    says = _SENTENCE_END.search(piece.text) and _VERB.search(piece.text)
    return alone and bool(says) and piece.kind is SentenceKind.PROSE


def _asks(piece: Sentence, text: str, offset: int) -> bool:
    """Whether a line is a question, which what follows answers: a list of frequent questions."""
    before, behind = text[: piece.start - offset].rstrip(" "), text[piece.end - offset :]
    alone = (not before or before.endswith("\n")) and behind.startswith("\n")
    asks = piece.text.rstrip(_EMPHASIS).endswith("?") and "\n" not in piece.text
    return alone and asks and not _ELSEWHERE.match(piece.text)


def _title(text: str) -> str:
    return " ".join(without_number(text).split()).casefold()


def _with_labels(pieces: Sequence[Sentence], text: str, offset: int) -> list[Sentence]:
    """The pieces of a passage, those of a form joined: a value, and its label in brackets below.

    "+44 20 7946 0000" over "(Telephone number)" says nothing without it.
    """
    found: list[Sentence] = []
    above: list[Sentence] = []
    for piece in pieces:
        if _LABEL.fullmatch(piece.text) and above:
            start, end = above[0].start, piece.end
            found[-len(above) :] = [Sentence(start, end, text[start - offset : end - offset])]
            above = []
            continue
        found.append(piece)
        above = [*above, piece][-_LINES_OF_VALUE:] if _is_value(piece) else []
    return found


def _is_value(piece: Sentence) -> bool:
    """Whether it can be a line of a form's value: short, and not labelled already."""
    plain = piece.kind is not SentenceKind.CODE and not any(sign in piece.text for sign in "|:()")
    return plain and len(piece.text.split()) <= _VALUE_WORDS and piece.text[-1:] not in ".?!"


def _is_fragment(piece: Sentence, first: bool, last: bool) -> bool:
    if piece.kind is not SentenceKind.PROSE:
        return False
    begins = piece.text.lstrip("\"'“‘«(")[:1]
    ends = piece.text.rstrip("\"'”’»)]")[-1:]
    return (first and (begins.islower() or begins in ",;.)")) or (
        last and (ends.isalnum() or ends in ",-")
    )


def _is_rest(before: Sentence, piece: Sentence, text: str) -> bool:
    """Whether a piece is the rest of a sentence that is too long to be quoted whole.

    `text` is what stands before it.
    """
    runs_on = text.rstrip().endswith(before.text) and before.text[-1:] not in ".!?…"
    both = before.kind is piece.kind is SentenceKind.PROSE
    return both and runs_on and len(before.text) >= MAX_SENTENCE // 2 and piece.text[:1].islower()


def _without_repeats(found: list[Candidate], hits: Sequence[Hit]) -> list[Candidate]:
    """Of sentences that overlap on one page (chunks overlap) or read alike, the fullest.

    A page that ends within a sentence has a part of what another page may have whole.
    """
    kept: dict[tuple[str, int], list[Candidate]] = {}
    seen: dict[str, Candidate] = {}
    for candidate in sorted(found, key=lambda c: (c.fragment, c.hit)):
        chunk = hits[candidate.hit].chunk
        place = kept.setdefault((chunk.document_id, chunk.page_ordinal), [])
        span = candidate.sentence
        key = " ".join(span.text.split()).casefold()
        cut = candidate.fragment and any(key in whole for whole in seen)
        overlaps = (
            span.start < other.sentence.end and other.sentence.start < span.end for other in place
        )
        if key in seen or cut or any(overlaps):
            continue
        seen[key] = candidate
        place.append(candidate)
    chosen = {id(candidate) for place in kept.values() for candidate in place}
    return [candidate for candidate in found if id(candidate) in chosen]


def is_sentence(candidate: Candidate) -> bool:
    """Whether it is a whole sentence: no half one, no line without an end."""
    sentence = candidate.sentence
    return (
        sentence.kind is SentenceKind.PROSE
        and not candidate.fragment
        and _SENTENCE_END.search(sentence.text.rstrip()) is not None
    )


def runs_on(candidate: Candidate) -> bool:
    """Whether it is prose of many words without an end: captions or items that ran together."""
    sentence = candidate.sentence
    many = len(sentence.text.split()) > LONGEST
    return many and sentence.kind is SentenceKind.PROSE and not is_sentence(candidate)


def code_below(sentence: Candidate, candidates: Sequence[Candidate]) -> Candidate | None:
    """The code that the best sentence speaks of: the block that stands right below it."""
    for other in candidates:
        if (
            other.sentence.kind is SentenceKind.CODE
            and other.hit == sentence.hit
            and sentence.after == other.sentence.text
        ):
            return other
    return None
