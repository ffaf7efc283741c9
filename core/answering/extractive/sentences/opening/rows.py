"""Rows of tables that are what is asked for, by their label, a cell or a column (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.question.answer_types import Wanted, wanted
from core.answering.extractive.sentences.candidates import Candidate, Rated
from core.answering.extractive.structures.tables import cells, has_column, label
from core.text.sentences import SentenceKind
from core.text.terms import content_keys
from core.types import Hit

CELL_MARGIN = 8.0
"""The same where only it is the row, and has the column, that the question names."""
_IN_WORDS = frozenset({Wanted.DEFINITION, Wanted.PERSON, Wanted.PLACE, Wanted.REASON})
_LIGHT = frozenset(content_keys("got get make made show give list tell total number amount value"))
"""Words of a question that name nothing by themselves: "have they got", "show me"."""
_WHAT_IS_THE = re.compile(
    r"\W*(?:(?:and|so|ok),? )*(?:what|which)(?:['’]?s| is| are| was| were) (?:the|your|their|its"
    r"|our|his|her)\b",
    re.I,
)


def cell_asked_for(
    part: str, order: Sequence[Rated], best: float, hits: Sequence[Hit]
) -> Rated | None:
    """The row whose label and whose column the question names: "revenue in 2015"; None without.

    What else is asked for must stand in what its document or its section is called. Of several the
    first of the document: the whole comes before its parts.
    """
    asked = set(content_keys(part))
    found: list[Rated] = []
    for one, score in order:
        if score < best - CELL_MARGIN:
            break
        row = one.sentence.text
        fits = one.sentence.kind is SentenceKind.ROW and has_column(part, one.above, row)
        named = set(content_keys(label(row))) if fits else set()
        if not named or not named <= asked:
            continue
        hit = hits[one.hit]
        called = (hit.document.title, hit.document.label, *hit.chunk.headings, one.under)
        if asked - _LIGHT <= named | set(content_keys(" ".join((one.before, *called)))):
            found.append((one, score))
    same = (
        one for one in found if hits[one[0].hit].document.id == hits[found[0][0].hit].document.id
    )
    return min(same, key=lambda one: _place(one[0], hits), default=None)


def _place(candidate: Candidate, hits: Sequence[Hit]) -> tuple[int, int]:
    return hits[candidate.hit].chunk.page_ordinal, candidate.sentence.start


def is_row_asked_for(question: str, candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the row of a table whose label the question names, and no words are wanted."""
    if candidate.sentence.kind is not SentenceKind.ROW or wanted(question) in _IN_WORDS:
        return False
    named = set(content_keys(label(candidate.sentence.text)))
    return bool(named) and named <= asked


def is_its_row(part: str, candidate: Candidate) -> bool:
    """Whether it is the row of a table that is called just what is asked for: "the fees"."""
    if candidate.sentence.kind is not SentenceKind.ROW or not _WHAT_IS_THE.match(part):
        return False
    named = set(content_keys(label(candidate.sentence.text)))
    return bool(named) and named == set(content_keys(part)) - _LIGHT


def called_so(part: str, best: Candidate, near: Sequence[Rated]) -> Rated | None:
    """The row whose label is asked for, where the best is another row of which nothing is said.

    To "the annual cost of gas" it is "Gas - £1041", and not "Electricity - £933".
    """
    asked = set(content_keys(part))
    if best.sentence.kind is not SentenceKind.ROW or asked & _label_keys(best):
        return None
    return next((one for one in near if (keys := _label_keys(one[0])) and keys <= asked), None)


def _label_keys(candidate: Candidate) -> set[str]:
    """The keys of what a row is about; none where it is no row."""
    is_row = candidate.sentence.kind is SentenceKind.ROW
    return set(content_keys(label(candidate.sentence.text))) if is_row else set()


def has_such_cell(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the row of a table of which one cell is what is asked for: "critical"."""
    if candidate.sentence.kind is not SentenceKind.ROW:
        return False
    said = (set(content_keys(cell)) for cell in cells(candidate.sentence.text)[1:])
    return any(keys and keys <= asked for keys in said)
