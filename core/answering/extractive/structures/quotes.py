"""A sentence with what belongs to it: the items of a list, the header of a row, a signature (pure).

Every part is a stretch of the page, quoted word for word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile
from typing import Literal

from core.answering.extractive.question.answer_types import Wanted, wanted
from core.answering.extractive.question.kinds import asks_for_list, asks_how
from core.answering.extractive.sentences.candidates import Candidate
from core.answering.extractive.structures.columns import columns_of
from core.answering.extractive.structures.lists import (
    FIRST_STEP,
    FOLLOWS,
    MOST_ITEMS,
    STEP,
    announces_items,
    fields_of,
    first_of_list,
    indented_below,
    is_item,
    items_of,
    leads_in,
    outline_title,
    runs_on_line,
    titles_in_turn,
    told_in_turn,
)
from core.answering.extractive.structures.records import asked_of_row
from core.answering.extractive.structures.tables import (
    cells,
    header_of,
    is_of_fields,
    rows_below,
    rows_led_to,
    shown,
    titled_rows,
)
from core.citations.passages import passage_of, sentences_of
from core.text.sentences import Sentence, SentenceKind
from core.text.signatures import is_signature, name_of
from core.text.terms import content_keys
from core.types import Hit

MOST_LINES = 12
"""Lines of one block of code that are quoted whole; of a longer one, those around the match."""
_AROUND = 3
_NEAR = 5  # sentences between "the following table" and the table

_FEWEST_STEPS = 2
_TITLE_WORDS = 2
_LABEL_WORDS = 6
_VALUE = re.compile(r"\D{0,2}\d[\d.,]*(?:\s?\S+){0,2}")
_CONTENTS = re.compile(
    r"\b(?:in this (?:article|post|guide|chapter|section|tutorial|document|video)"
    r"|(?:we|i)(?:['’]ll| will) (?:cover|discuss|explain|look)|contents|topics|covers?)\b.*:\s*$",
    re.I,
)
"""What leads into a list of what follows later."""


Form = Literal["prose", "code", "list", "table", "lines", "field", "record"]


@dataclass(frozen=True, slots=True)
class Quote:
    """What is quoted of one passage at one place: `parts` in the order of the page.

    A "list" begins with its `leads` sentences that lead in; a "table" with its header row, where
    there is one; a "field" is one row without. `more` items or rows were left out; `steps` says
    that the items are numbered.
    Of a table without bars the parts are its `columns` cells a row, behind its `leads` lines above;
    where the column of the labels has no name, the first row has a cell less.
    """

    candidate: Candidate
    form: Form
    parts: tuple[Sentence, ...]
    leads: int = 0
    more: int = 0
    steps: bool = False
    columns: int = 0

    @property
    def hit(self) -> int:
        """The index of the hit that is quoted."""
        return self.candidate.hit

    @property
    def rows(self) -> list[tuple[Sentence, ...]]:
        """The rows of a table without bars, the names of its columns first."""
        cells = self.parts[self.leads :]
        first = len(cells) % self.columns or self.columns
        starts = range(first, len(cells), self.columns)
        return [cells[:first], *(cells[at : at + self.columns] for at in starts)]


def whole(question: str, candidate: Candidate, hit: Hit) -> Quote:
    """Return the quote of a candidate with the items, header or signature that belong to it."""
    sentence = candidate.sentence
    if sentence.kind is SentenceKind.CODE:
        return Quote(candidate, "code", (_excerpt(question, sentence),))
    text, base = passage_of(hit)
    pieces = sentences_of(hit)
    at = next((n for n, piece in enumerate(pieces) if piece.start == sentence.start), None)
    if at is None:
        return Quote(candidate, "prose", (sentence,))
    if sentence.kind is SentenceKind.ROW:
        return (
            _as_whole_table(question, candidate, pieces, at)
            or _as_titled_table(question, candidate, pieces, at)
            or _as_table(question, candidate, pieces, at)
        )
    titled = False
    if is_item(text, base, sentence):
        first = first_of_list(pieces, at, text, base)
        titled = _is_asked_for(question, pieces[first], sentence)
        titled = titled or _is_one_of_values(pieces, at)
        titled = titled or _is_led_to(question, pieces[first], sentence)
        listed = asks_for_list(question)
        if titled or (listed and leads_in(pieces[first].text)):
            at = first
    if asks_for_list(question) and (
        outline := _as_outline(question, candidate, pieces, at, text, base)
    ):
        return outline
    if asks_how(question) and (steps := _as_steps(question, candidate, pieces, at, text, base)):
        return steps
    if found := _with_items(candidate, pieces, at, text, base, titled=titled) or _with_rows(
        candidate, pieces, at, listed=asks_for_list(question)
    ):
        return found
    before = pieces[at - 1] if at else None
    named = before is not None and before.kind is SentenceKind.HEADING and name_of(before.text)
    if before is not None and named and not name_of(sentence.text):
        return Quote(candidate, "lines", (before, sentence))
    after = pieces[at + 1] if at + 1 < len(pieces) else None
    if is_signature(sentence.text) and after is not None and after.kind is SentenceKind.PROSE:
        return Quote(candidate, "lines", (sentence, after))
    told = after is not None and after.kind in (SentenceKind.PROSE, SentenceKind.HEADING)
    short = sentence.text.endswith(":") and len(sentence.text.split()) <= _LABEL_WORDS
    if after is not None and told and short:
        return Quote(candidate, "lines", (sentence, after))  # "What we did not like:", one line
    return Quote(candidate, "prose", (sentence,))


def whole_quotes(question: str, chosen: Sequence[Candidate], hits: Sequence[Hit]) -> list[Quote]:
    """Return the quotes of the chosen candidates; what an earlier one holds is not quoted again."""
    quotes: list[Quote] = []
    for candidate in chosen:
        quote = whole(question, candidate, hits[candidate.hit])
        taken = {(q.hit, part.start) for q in quotes for part in q.parts}
        fresh = tuple(part for part in quote.parts if (quote.hit, part.start) not in taken)
        if fresh == quote.parts:
            quotes.append(quote)
        elif quotes and (joined := _one_table(quotes[-1], quote)):
            quotes[-1] = joined
        elif (candidate.hit, candidate.sentence.start) not in taken:
            quotes.append(Quote(candidate, "prose", (candidate.sentence,)))
    if quotes and asks_for_list(question) and _is_whole_list(quotes[0]):
        return [quote for quote in quotes if _is_whole_list(quote)]
    return quotes


def _one_table(before: Quote, quote: Quote) -> Quote | None:
    """One table of two with the same header, the rows of the first before those of the second."""
    both = before.form == quote.form == "table" and before.hit == quote.hit
    if not both or before.columns != quote.columns or quote.more:
        return None
    first = quote.leads + len(quote.rows[0]) if quote.columns else 1
    rows = tuple(part for part in quote.parts[first:] if part not in before.parts)
    return (
        replace(before, parts=(*before.parts, *rows))
        if (before.parts[:first] == quote.parts[:first] and len(rows) == len(quote.parts) - first)
        else None
    )


def _is_whole_list(quote: Quote) -> bool:
    rows = len(quote.rows) if quote.columns else len(quote.parts)
    return quote.form in ("list", "table") and rows > 2


def leads_to_more(question: str, candidate: Candidate, hit: Hit) -> bool:
    """Return whether the items of a list or the rows of a table are quoted with a candidate."""
    if not leads_in(candidate.sentence.text):
        return False
    quote = whole(question, candidate, hit)
    return len(quote.parts) > 2 and quote.form in ("list", "table", "lines")


def steps_title(question: str, candidate: Candidate, hit: Hit) -> str:
    """Return the heading of the numbered steps that are quoted with a candidate, "" without."""
    quote = whole(question, candidate, hit)
    if not (quote.steps and asks_how(question)):
        return ""
    return quote.parts[0].text if quote.leads else candidate.under


def _is_asked_for(question: str, title: Sentence, item: Sentence) -> bool:
    """Whether a question asks for the list below a heading: "what can I see?", "What to see".

    An item that has more of its words than the heading is asked for by itself.
    """
    if title.kind is not SentenceKind.HEADING or wanted(question) is not Wanted.OTHER:
        return False
    asked, named = set(content_keys(question)), set(content_keys(title.text))
    return bool(named) and named <= asked and asked & set(content_keys(item.text)) <= named


def _is_led_to(question: str, lead: Sentence, item: Sentence) -> bool:
    """Whether words of a question stand in what leads into a list, and none in an item that goes on
    from there: "The court found:", "a number of rebates".
    """
    asked = set(content_keys(question))
    goes_on = leads_in(lead.text) and item.text[:1].islower()
    return (
        goes_on
        and not asked.isdisjoint(content_keys(lead.text))
        and asked.isdisjoint(content_keys(item.text))
    )


def _is_one_of_values(pieces: Sequence[Sentence], at: int) -> bool:
    """Whether an item and a neighbour of it are only figures: "4 minutes", "6 minutes"."""
    near = (pieces[n] for n in (at - 1, at + 1) if 0 <= n < len(pieces))
    return _VALUE.fullmatch(pieces[at].text) is not None and any(
        _VALUE.fullmatch(piece.text) for piece in near
    )


def _as_steps(
    question: str,
    candidate: Candidate,
    pieces: Sequence[Sentence],
    at: int,
    text: str,
    base: int,
) -> Quote | None:
    """The numbered steps below a heading that names what is to be done, with the heading.

    The piece at `at` stands above them or is one of them, and is not asked for by itself.
    """
    above = next((n for n in range(at, -1, -1) if pieces[n].kind is SentenceKind.HEADING), None)
    title = candidate.under if above is None else pieces[above].text
    asked, named = set(content_keys(question)), set(content_keys(title))
    if not asked & named:
        return None
    if is_item(text, base, pieces[at]) and not asked & set(content_keys(pieces[at].text)) <= named:
        return None
    section = takewhile(
        lambda piece: piece.kind is not SentenceKind.HEADING,
        pieces[0 if above is None else above + 1 :],
    )
    items = items_of(
        list(dropwhile(lambda piece: not is_item(text, base, piece, FIRST_STEP), section)),
        text, base, STEP,
    )  # fmt: skip
    first = next(
        (n for n, piece in enumerate(pieces) if items and piece.start == items[0].start), 0
    )
    if first and _CONTENTS.search(pieces[first - 1].text):
        return None  # what an article is going to tell
    if len(items) < _FEWEST_STEPS or any(_is_titled(item.text) for item in items):
        return None
    leads = () if above is None else (pieces[above],)
    kept = items[:MOST_ITEMS]
    return Quote(candidate, "list", (*leads, *kept), len(leads), len(items) - len(kept), steps=True)


def _as_outline(
    question: str,
    candidate: Candidate,
    pieces: Sequence[Sentence],
    at: int,
    text: str,
    base: int,
) -> Quote | None:
    """The lines indented below the heading that is asked for, with it; the piece at `at` is one."""
    title = outline_title(pieces, at, text, base)
    if title is None or not _is_asked_for(question, pieces[title], pieces[at]):
        return None
    items = indented_below(pieces, title, text, base)
    kept = items[:MOST_ITEMS]
    return Quote(candidate, "list", (pieces[title], *kept), 1, len(items) - len(kept))


def _is_titled(item: str) -> bool:
    """Whether an item opens with a title of its own: "Rent. The rent is ..." is a clause."""
    first, _, rest = item.partition(". ")
    return bool(rest) and len(first.split()) <= _TITLE_WORDS


def _with_items(
    candidate: Candidate,
    pieces: Sequence[Sentence],
    at: int,
    text: str,
    base: int,
    *,
    titled: bool,
) -> Quote | None:
    """The sentence or title at `at`, or it with the next, as what leads into the items below."""
    leads = [pieces[at]]
    following = pieces[at + 1 :]
    announced = announces_items(leads[0], following, text, base)
    if not (titled or announced or leads_in(leads[0].text)):
        if not following or not (
            leads_in(following[0].text) and runs_on_line(text, base, leads[0], following[0])
        ):
            return None
        leads.append(following[0])
        following = following[1:]
    items = (
        items_of(following, text, base)
        or told_in_turn(leads[-1], following, text, base)
        or fields_of(following)
    )
    if not items:
        return None
    if len(items) == 1:
        items = titles_in_turn(following, text, base) or items
    kept = items[:MOST_ITEMS]
    return Quote(candidate, "list", (*leads, *kept), len(leads), len(items) - len(kept))


def _begins_rows(pieces: Sequence[Sentence], at: int) -> bool:
    return at < len(pieces) and pieces[at].kind is SentenceKind.ROW


def _with_rows(
    candidate: Candidate, pieces: Sequence[Sentence], at: int, *, listed: bool
) -> Quote | None:
    """A sentence that leads in with the rows of the table below; any right above them, where what
    they list is asked for.
    """
    if not leads_in(pieces[at].text) and not (listed and _begins_rows(pieces, at + 1)):
        return None
    header, rows = rows_led_to(pieces, at)
    if not rows and FOLLOWS.search(pieces[at].text):  # what a table shows may be said before it
        table = next((n for n in range(at + 1, at + _NEAR) if _begins_rows(pieces, n)), at)
        header, rows = rows_led_to(pieces, table - 1) if table > at else ((), ())
    if not rows:
        return None
    kept = tuple(shown(rows))
    more = len(rows) - len(kept)
    if len(cells(rows[0].text)) > 1:
        return Quote(candidate, "table", kept, more=more)
    if drawn := _as_columns(candidate, (pieces[at], *header), kept, more):
        return drawn
    return Quote(candidate, "lines", (pieces[at], *header, *kept), more=more)


def _as_table(question: str, candidate: Candidate, pieces: Sequence[Sentence], at: int) -> Quote:
    """A row with what names its columns; a row that names them with those below it."""
    row = pieces[at]
    columns = len(cells(row.text))
    if columns > 1 and all(":" in cell for cell in cells(row.text)):
        if fields := asked_of_row(question, row):
            return Quote(candidate, "record", fields, 1)
        return Quote(candidate, "lines", (row,))  # each cell names its column
    below = () if is_of_fields(pieces, at) else rows_below(pieces, at)
    if below:
        same = all(len(cells(piece.text)) == columns for piece in below)
        return Quote(candidate, "table" if same else "lines", (row, *below))
    header = header_of(pieces, at)
    if drawn := _as_columns(candidate, header, (row,)):
        return drawn
    unnamed = columns == 2 and row.text.startswith("|") and not any("|" in h.text for h in header)
    if unnamed or is_of_fields(pieces, at):
        return Quote(candidate, "field", (row,))
    aligned = len(header) == 1 and columns > 1 and len(cells(header[0].text)) == columns
    return Quote(candidate, "table" if aligned else "lines", (*header, row))


def _as_whole_table(
    question: str, candidate: Candidate, pieces: Sequence[Sentence], at: int
) -> Quote | None:
    """The table of a row that a question does not name, where the columns are what it asks for.

    "How much are the fees" is answered by every row below "Volume | Fee" alike.
    """
    asked = set(content_keys(question))
    header = next((n for n in range(at - 1, -1, -1) if rows_below(pieces, n)), at)
    rows = rows_below(pieces, header)
    if pieces[at] not in rows or asked.isdisjoint(content_keys(pieces[header].text)):
        return None
    if not all(asked.isdisjoint(content_keys(row.text)) for row in rows):
        return None
    if _begins_rows(pieces, header + len(rows) + 1):
        return None  # there are more
    columns = len(cells(pieces[header].text))
    same = all(len(cells(row.text)) == columns for row in rows)
    return Quote(candidate, "table", (pieces[header], *rows)) if same else None


def _as_titled_table(
    question: str, candidate: Candidate, pieces: Sequence[Sentence], at: int
) -> Quote | None:
    """All rows without bars below the title that a list is asked of: "which heavy metals"."""
    if not asks_for_list(question):
        return None
    above, rows = titled_rows(pieces, at, content_keys(question))
    kept = shown(rows)
    return _as_columns(candidate, above, kept, len(rows) - len(kept))


def _as_columns(
    candidate: Candidate, above: Sequence[Sentence], rows: Sequence[Sentence], more: int = 0
) -> Quote | None:
    """Rows without bars as a table, where a line above names their columns; None where none does.

    The other lines above lead in; rows that do not part alike are no table.
    """
    if any("|" in row.text for row in rows):
        return None
    lines = [line.text for line in above]
    found = [columns_of(lines, row.text) for row in rows]
    first = found[0] if found else None
    if first is None or any(one is None or one.names != first.names for one in found):
        return None
    if any(start == end for start, end in first.names[1:]):
        return None
    leads = [line for n, line in enumerate(above) if n != first.line]
    names = _cut(above[first.line], first.names)
    cells = [
        cell for row, one in zip(rows, found, strict=True) if one for cell in _cut(row, one.cells)
    ]
    parts = (*leads, *names, *cells)
    return Quote(candidate, "table", parts, len(leads), more, columns=len(first.names))


def _cut(line: Sentence, places: Sequence[tuple[int, int]]) -> list[Sentence]:
    """The parts of a line at these places, without those that are empty."""
    return [
        Sentence(line.start + start, line.start + end, line.text[start:end], line.kind)
        for start, end in places
        if end > start
    ]


def _excerpt(question: str, block: Sentence) -> Sentence:
    """The lines of a block of code around the one that shares the most with the question."""
    lines = block.text.split("\n")
    if len(lines) <= MOST_LINES:
        return block
    asked = set(content_keys(question))
    shared = [len(asked & set(content_keys(line))) for line in lines]
    best = shared.index(max(shared))
    first, last = max(0, best - _AROUND), min(len(lines), best + _AROUND + 1)
    start = block.start + sum(len(line) + 1 for line in lines[:first])
    text = "\n".join(lines[first:last])
    return Sentence(start, start + len(text), text, SentenceKind.CODE)
