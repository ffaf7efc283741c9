"""Rows of tables that are what is asked for, by their label, a cell or a column (pure)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import islice

from core.answering.extractive.question.answer_types import (
    Wanted,
    asks_amount,
    asks_count,
    wanted,
)
from core.answering.extractive.sentences.candidates import Candidate, Rated
from core.answering.extractive.sentences.opening.subject import BRACKETED
from core.answering.extractive.spans import YEAR
from core.answering.extractive.structures.columns import figures_of
from core.answering.extractive.structures.tables import (
    cells,
    has_column,
    label,
    said_of,
    told_beside,
)
from core.citations.passages import passage_of
from core.planning.paraphrases import beside, formal_words, formally
from core.text.sentences import SentenceKind
from core.text.terms import content_keys
from core.types import Hit

CELL_MARGIN = 8.0
"""The same where only it is the row, and has the column, that the question names."""
_IN_WORDS = frozenset({Wanted.DEFINITION, Wanted.PERSON, Wanted.PLACE, Wanted.REASON})
_LIGHT = frozenset(
    content_keys("got get make made show give list tell compare total number amount value")
)
"""Words of a question that name nothing by themselves: "have they got", "show me"."""
_OF_FIGURES = frozenset(
    content_keys("limit threshold level value figure amount number score criterion standard")
)
"""Words for what the one column of figures has, however it is called."""
_NAME_WORDS = 10
"""The most words of a line that names columns; what has more says what the table is of."""
_SEVERAL = 4
"""Passages of one document."""
_SUMS = frozenset(content_keys("total net"))
"""What the label of a row may have besides: "Total revenue", "Net sales"."""
_SEVERAL_FIGURES = 2
_FEWEST_OF_REASON = 4
"""Words of a cell that may say why."""
_LABEL_KEYS = 2
"""Words of a label of which the last may stand for both."""
_MOST_ASKED = 5
"""Words of a question that asks for a row of a document by its label."""
_MOST_BEHIND = 4
"""Passages with such a row that are read besides."""
_PART = 3
"""Letters of a part of a name that is written without blanks: "Lamp Works", lampworks.pdf."""
_NO_LETTER = re.compile(r"[\W_]")
_COUNTED = re.compile(r"\s(?:count|number|percent(?:age)?|share|frequency|anzahl|anteil)$", re.I)
"""What a label ends with that only says what its figures are: "Colds Count 12 4"."""
_WHAT_IS_THE = re.compile(
    r"\W*(?:(?:and|so|ok),? )*(?:what|which)(?:['’]?s| is| are| was| were) (?:the|your|their|its"
    r"|our|his|her)\b",
    re.I,
)


def cell_asked_for(
    part: str, order: Sequence[Rated], best: float, hits: Sequence[Hit]
) -> Rated | None:
    """The row whose label and whose column the question names: "revenue in 2015"; None without.

    What else is asked for must stand in what its table, its section or its document is called, or
    in most passages of that. Of several the first of the document: the whole comes before its
    parts.
    """
    asked = _asked(part)
    worded = content_keys(beside(part, formal_words(part)))
    found: list[tuple[int, Rated]] = []
    for one, score in order:
        row = one.sentence.text
        if one.sentence.kind is not SentenceKind.ROW:
            continue
        years = {key for key in asked if YEAR.fullmatch(key)} <= set(content_keys(one.before))
        if years and is_all_asked_for(part, row, hits[one.hit]):
            found.append((0, (one, score)))
            continue
        if score < best - CELL_MARGIN:
            continue
        above = [line for line in one.above if "|" in line or len(line.split()) <= _NAME_WORDS]
        alone = len(figures_of(row)) == 1
        columned = alone or has_column(part, above, row)
        named, at = _named_by(asked, one, order) if columned else set(), 0
        if not named:
            if not (told := told_beside(worded, above, row)):
                continue
            named, at = set(told.keys), told.place
        hit = hits[one.hit]
        called = (hit.document.title, hit.document.label, *hit.chunk.headings, one.under)
        said = named | set(content_keys(" ".join((one.before, *called))))
        left = _asked(part, said) - _LIGHT - _everywhere(hit, hits)
        left -= _OF_FIGURES if alone else set()
        if left <= said_of(left, said):
            found.append((at, (one, score)))
    first = hits[found[0][1][0].hit].document.id if found else ""
    same = (one for one in found if hits[one[1][0].hit].document.id == first)
    nearest = min(same, key=lambda one: (one[0], _place(one[1][0], hits)), default=None)
    return nearest[1] if nearest else None


def rows_behind(question: str, hits: Sequence[Hit]) -> list[Hit]:
    """The passages with a row that is called just what is asked for of their document.

    What a table says of itself is little, and prose that has the words is found before it.
    """
    if not 0 < len(_asked(question)) <= _MOST_ASKED:
        return []
    years = YEAR.findall(question)
    found = (
        hit
        for hit in hits
        if all(year in passage_of(hit)[0] for year in years)
        and any(is_all_asked_for(question, line, hit) for line in hit.chunk.text.splitlines())
    )
    return list(islice(found, _MOST_BEHIND))


def is_all_asked_for(question: str, row: str, hit: Hit) -> bool:
    """Whether a row with several figures is called all that a question asks of its document.

    To "the revenue of Acme in 2010" it is "Total revenue 12 14" of the report of Acme.
    """
    if len(figures_of(row)) < _SEVERAL_FIGURES or asks_count(question):
        return False  # "Patents 542" are worth so much, and not so many
    about = set(content_keys(label(row)))
    asked = _asked(question, about)
    called = f"{hit.document.title} {hit.document.label}"
    joined, names = _NO_LETTER.sub("", called.casefold()), set(content_keys(called))
    of_it = {key for key in asked if key in names or (len(key) >= _PART and key in joined)}
    kind = wanted(question)
    amount = kind is Wanted.NUMBER or (kind is not Wanted.DEFINITION and asks_amount(question))
    left = asked - of_it - _LIGHT - {key for key in asked if YEAR.fullmatch(key)}
    return bool(left) and (amount or bool(of_it)) and left == about - (_SUMS - left)


def _named_by(asked: set[str], row: Candidate, order: Sequence[Rated]) -> set[str]:
    """The keys of a row's label that a question names: all, or the last of two that no other has.

    "Otters" are what "River otter 42" is about.
    """
    named, last = _label_keys(row), content_keys(label(row.sentence.text))[-1:]
    if named <= asked or len(named) > _LABEL_KEYS or not set(last) <= asked:
        return named if named <= asked else set()
    same = (one for one, _ in order if (one.hit, one.above) == (row.hit, row.above))
    return set(last) if sum(set(last) <= _label_keys(one) for one in same) == 1 else set()


def _asked(part: str, held: Collection[str] = ()) -> set[str]:
    """The keys of what a question asks for, in the words that are `held` where it has others.

    Of the words that documents have for it none needs to be there.
    """
    typed = BRACKETED.sub("", part)
    added = set(content_keys(" ".join(formal_words(typed)))) - set(held)
    return set(content_keys(formally(part, held))) - added


def _everywhere(hit: Hit, hits: Sequence[Hit]) -> set[str]:
    """The keys that most passages of its document have, where there are several."""
    same = [one for one in hits if one.document.id == hit.document.id]
    counted = Counter(key for one in same for key in set(content_keys(one.chunk.text)))
    if len(same) < _SEVERAL:
        return set()
    return {key for key, times in counted.items() if 2 * times > len(same)}


def _place(candidate: Candidate, hits: Sequence[Hit]) -> tuple[int, int]:
    return hits[candidate.hit].chunk.page_ordinal, candidate.sentence.start


def is_row_asked_for(question: str, candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the row of a table whose label the question names, or another of its cells and
    its column, and no words are wanted.
    """
    if candidate.sentence.kind is not SentenceKind.ROW or wanted(question) in _IN_WORDS:
        return False
    named = _label_keys(candidate)
    told = told_beside(asked, candidate.above, candidate.sentence.text)
    return (bool(named) and named <= asked) or told is not None


def is_bare(candidate: Candidate) -> bool:
    """Whether it is a row of names and figures, which gives no reason: no cell has some words."""
    if candidate.sentence.kind is not SentenceKind.ROW:
        return False
    row = candidate.sentence.text
    return "|" not in row or all(len(cell.split()) < _FEWEST_OF_REASON for cell in cells(row))


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
    if candidate.sentence.kind is not SentenceKind.ROW:
        return set()
    about = label(candidate.sentence.text)
    return set(content_keys(_COUNTED.sub("", about) or about))


def has_such_cell(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the row of a table of which one cell is what is asked for: "critical"."""
    if candidate.sentence.kind is not SentenceKind.ROW:
        return False
    said = (set(content_keys(cell)) for cell in cells(candidate.sentence.text)[1:])
    return any(keys and keys <= asked for keys in said)
