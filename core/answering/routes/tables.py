"""What is computed from the rows of a table: the cheapest, how many, the sum, those under 50.

All rows of a CSV file, or of a table in a workbook, are read. The answer says what was computed
from how many of them, and quotes the rows, each with its citation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.answering.routes.names import shown_name
from core.answering.routes.quotes import Quotes
from core.answering.routes.table_rows import (
    Fit,
    Row,
    Table,
    fit,
    has_dates,
    people_column,
)
from core.planning.routes import Route
from core.planning.table_questions import Computed, TableQuestion
from core.text.markdown_quoting import escape_markdown
from core.text.numbers import number
from core.types import Answer, Chunk, Document, Hit, QueryPlan, SearchResult

MOST_ROWS = 12
"""Rows that an answer quotes; of more, it says how many."""
MOST_ADDED = 3
"""The same where many were added up."""
_MOST_VALUES = 20
"""Different values of a column that an answer lists, the most frequent first."""
_DATED = {"<": "before", ">": "after", ">=": "since"}
_COMPARED = {"<": "under", "<=": "at most", ">": "over", ">=": "at least", "=": "of"}

ChunksOf = Callable[[Document, int], Sequence[Chunk]]
"""Given a document and a page: the passages of that page."""


def table_answer(
    question: str,
    asked: TableQuestion,
    tables: Sequence[Table],
    chunks: ChunksOf,
    *,
    alone: bool,
    told: bool = False,
) -> Answer | None:
    """Return what the one table that fits says, None where none or several do.

    `alone` says that nothing but tables holds the words of the question: then what a row is
    ("products") need not be written in them, and who has them is for a table to say. `told` says
    that these rows were quoted before: a cell of each is asked for, and not how many there are.
    """
    if not alone and asked.who and asked.bound is None and asked.columns[0][0] is Computed.ROWS:
        return None
    fits = [found for table in tables if (found := fit(table, asked, alone=False))]
    if alone and not fits:
        fits = [found for table in tables if (found := fit(table, asked, alone=True))]
    if len(fits) != 1:
        return None
    written = _Written(fits[0], chunks, told)
    written.write(asked)
    typed = " ".join(question.split())
    return Answer(
        question,
        written.quotes.text,
        tuple(written.quotes.citations),
        claims=tuple(written.quotes.claims),
        search=SearchResult(QueryPlan(question, typed, (typed,)), ()),
        route=Route.TABLE,
        highlights=tuple(written.marked),
    )


@dataclass
class _Written:
    """The answer while it is put together."""

    fit: Fit
    chunks: ChunksOf
    told: bool = False
    quotes: Quotes = field(default_factory=Quotes)
    marked: list[tuple[int, int]] = field(default_factory=list)
    column: str = ""
    """The column whose cells answer: of "who earns the most" that of the names."""

    def write(self, asked: TableQuestion) -> None:
        """Write what was computed, and the rows that it was computed from."""
        fit = self.fit
        self.column = people_column(fit.table) if asked.who else fit.column
        rows = list(range(len(fit.rows)))
        if fit.computed in (Computed.LOWEST, Computed.HIGHEST):
            best = (min if fit.computed is Computed.LOWEST else max)(fit.values.values())
            rows = [at for at, value in fit.values.items() if value == best]
            self.quotes.say(f"The {self._extreme()} {self._column()} of {self._of()}:")
        elif fit.computed in (Computed.SUM, Computed.MEAN):
            rows = list(fit.values)
            result = sum(fit.values.values())
            if fit.computed is Computed.MEAN:
                result /= len(fit.values)
            self.quotes.say(f"The {fit.computed} of {self._column()} over {self._of()} is ")
            self._say_marked(_shown(result))
            self.quotes.say(":")
        elif fit.column and not fit.conditions and asked.bound is None and not self.told:
            self._list_values()
            return
        elif not (self.told or self._is_number_asked_for()):
            self._count_rows(asked)
        added = fit.computed in (Computed.SUM, Computed.MEAN)
        most = MOST_ADDED if added and len(rows) > MOST_ROWS else MOST_ROWS
        for n, at in enumerate(rows[:most]):
            self.quotes.say("\n- " if n else "\n\n- " if self.quotes.text else "- ")
            self._quote_row(fit.rows[at])
        if len(rows) > most:
            self.quotes.say(f"\n\nand {_count(len(rows) - most, 'more row')}.")

    def _is_number_asked_for(self) -> bool:
        """Whether the cell of one row says how many there are, so that no rows are counted."""
        fit = self.fit
        one = self.told or len(fit.rows) == 1
        column = fit.computed is Computed.COUNT and one and fit.column
        return bool(column) and number(fit.rows[0].cells.get(fit.column, "")) is not None

    def _count_rows(self, asked: TableQuestion) -> None:
        fit, which = self.fit, self._conditions()
        if asked.bound is not None:
            bound = f"{_COMPARED[asked.bound.sign]} {_shown(asked.bound.number)}"
            if asked.bound.is_year:
                bound = f"{_DATED[asked.bound.sign]} {asked.bound.number:.0f}"
            which += f"{' and' if which else ' with'} {self._column()} {bound}"
        all_ = _count(len(fit.table.rows), "row")
        if fit.computed is Computed.COUNT:
            self._say_marked(f"{len(fit.rows):,}")
        else:
            self.quotes.say(f"{len(fit.rows):,}")
        of_all = f" of {all_} of" if which else f"{all_.removeprefix(f'{len(fit.rows):,}')} in"
        self.quotes.say(f"{of_all} {self._name()}{which}{':' if fit.rows else '.'}")

    def _list_values(self) -> None:
        """Write the different values of the column, each as it stands in the first row with it."""
        fit, first, times = self.fit, dict[str, Row](), Counter[str]()
        for row in fit.rows:
            if value := row.cells.get(fit.column, ""):
                first.setdefault(value, row)
                times[value] += 1
        if fit.computed is Computed.COUNT:
            self._say_marked(f"{len(first):,}")
        else:
            self.quotes.say(f"{len(first):,}")
        values = "value" if len(first) == 1 else "different values"
        self.quotes.say(f" {values} of {self._column()} in {self._of()}:")
        often = sorted(first.items(), key=lambda one: -times[one[0]])
        for n, (value, row) in enumerate(often[:_MOST_VALUES]):
            self.quotes.say("\n- " if n else "\n\n- ")
            start = row.start + _cell_start(row, fit.column)
            self._quote(row, start, start + len(value))
            self.quotes.say(f" ({_count(times[value], 'row')})")
        if len(first) > _MOST_VALUES:
            self.quotes.say(f"\n\nand {len(first) - _MOST_VALUES:,} more.")

    def _quote_row(self, row: Row) -> None:
        before = len(self.quotes.text)
        self._quote(row, row.start, row.end)
        value = row.cells.get(self.column, "")
        counted = self.fit.computed is Computed.COUNT and not self._is_number_asked_for()
        if counted or self.fit.computed in (Computed.SUM, Computed.MEAN) or not value:
            return
        cell, value = escape_markdown(f"{self.column}: {value}"), escape_markdown(value)
        end = self.quotes.text.index(cell, before) + len(cell)
        self.marked.append((end - len(value), end))

    def _quote(self, row: Row, start: int, end: int) -> None:
        document = self.fit.table.document
        chunk = next(c for c in self.chunks(document, row.page) if c.start <= start < c.end)
        self.quotes.quote(Hit(chunk, document), start, min(end, chunk.end))

    def _say_marked(self, text: str) -> None:
        self.marked.append((len(self.quotes.text), len(self.quotes.text) + len(text)))
        self.quotes.say(text)

    def _name(self) -> str:
        table = self.fit.table
        heading = f" ({escape_markdown(table.heading)})" if table.heading else ""
        return f"**{escape_markdown(shown_name(table.document))}**{heading}"

    def _column(self) -> str:
        return f"“{escape_markdown(self.fit.column)}”"

    def _extreme(self) -> str:
        """Which end of the column it is, in the word for dates where it has dates."""
        if not has_dates(self.fit.rows, self.fit.column):
            return self.fit.computed
        return "earliest" if self.fit.computed is Computed.LOWEST else "latest"

    def _conditions(self) -> str:
        words = " and ".join(f"“{escape_markdown(word)}”" for word in self.fit.conditions)
        return f" with {words}" if words else ""

    def _of(self) -> str:
        """The rows that were computed from, and how many of them have no number there."""
        fit = self.fit
        said = f"{_count(len(fit.rows), 'row')} of {self._name()}{self._conditions()}"
        missing = len(fit.rows) - len(fit.values) if fit.values else 0
        return f"{said} ({missing:,} without a number)" if missing else said


def _cell_start(row: Row, column: str) -> int:
    """Where the value of a column begins in the line of its row."""
    at = 0
    for name, value in row.cells.items():
        at += len(name) + 2
        if name == column:
            break
        at += len(value) + 3
    return at


def _shown(number: float) -> str:
    return f"{number:,.2f}".rstrip("0").rstrip(".")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
