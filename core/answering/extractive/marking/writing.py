"""Quotes as Markdown: a sentence, a list, a table, code; every word is the page's (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.marking.highlights import (
    is_replaced,
    mark_by_clause,
    mark_definition,
    mark_words,
    only_reports,
    widened,
    within_clause,
)
from core.answering.extractive.question.answer_types import STRICT, Wanted, contact, states, wanted
from core.answering.extractive.question.kinds import asks_who_one_is, asks_yes_or_no
from core.answering.extractive.sentences.entries import (
    asks_for_default,
    asks_for_parameters,
    default_asked_for,
)
from core.answering.extractive.sentences.reading import Read
from core.answering.extractive.spans import DATE, only_points, whole_range
from core.answering.extractive.structures.quotes import Quote
from core.answering.extractive.structures.records import mark_field
from core.answering.extractive.structures.tables import (
    cells,
    column_asked_for,
    mark_cell,
    mark_record,
)
from core.citations.mark import mark
from core.planning.paraphrases import beside, formal_words
from core.text.markdown_quoting import collapse, fence, quote_markdown
from core.text.sentences import SentenceKind
from core.text.signatures import is_signature
from core.text.terms import content_keys

Span = tuple[int, int]

SURE = -2.0
"""The reader's score from which on its words are set off: more are right than wrong there."""

SURE_OF_KIND = -5.0
"""The same where a date, an amount or a person is asked for and the words are one."""

_IN = re.compile(r"\b(?:in|at|near|bei) $")
_ASKS_FOR_NAME = re.compile(
    r"\b(?:which|what|welche[rs]?) (?:function|method|class|command|funktion|methode|klasse)\b",
    re.I,
)


def written(quote: Quote) -> tuple[str, list[Span]]:
    """Return a quote as Markdown, and where in it each of its parts stands."""
    if quote.form == "code":
        text = fence(quote.parts[0].text)
        return text, [(0, len(text))]
    if quote.columns:
        return _drawn(quote)
    out = ""
    spans: list[Span] = []
    for at, part in enumerate(quote.parts):
        body = quote_markdown(part.text)
        before, after = _around(quote, at)
        out += before
        if quote.form in ("table", "field"):
            body = _without_edges(body)
        spans.append((len(out), len(out) + len(body)))
        out += body + after
    return out, spans


def _drawn(quote: Quote) -> tuple[str, list[Span]]:
    """A table without bars, with them; its other lines above it."""
    out = ""
    spans: list[Span] = []
    for part in quote.parts[: quote.leads]:
        out += "  \n" if spans else ""
        spans.append((len(out), len(out) + len(quote_markdown(part.text))))
        out += quote_markdown(part.text)
    out += "\n\n" if out else ""
    for at, row in enumerate(quote.rows):
        out += "\n|" if at else "|"
        out += "  |" * (quote.columns - len(row))
        for cell in row:
            body = quote_markdown(cell.text)
            spans.append((len(out) + 1, len(out) + 1 + len(body)))
            out += f" {body} |"
        out += f"\n|{' --- |' * quote.columns}" if at == 0 else ""
    return out, spans


def _cell(question: str, quote: Quote) -> tuple[int, Span | None]:
    """The part of a table without bars that is the cell asked for, and all of its words."""
    header, *rows = quote.rows
    at = quote.candidate.sentence.start
    row = next((row for row in rows if row[0].start == at), ())
    names = [""] * (quote.columns - len(header)) + [collapse(cell.text) for cell in header]
    column = column_asked_for(question, names)
    if not row or column is None:
        return 0, None
    if column == 0 and set(content_keys(row[0].text)) <= set(content_keys(question)):
        return 0, None  # what the row is about is not what is asked of it
    return quote.parts.index(row[column]), (0, len(collapse(row[column].text)))


def highlighted(
    question: str, quote: Quote, text: str, spans: Sequence[Span], read: Read | None = None
) -> list[Span]:
    """Return where in the Markdown of a quote the words stand that answer the question.

    Of a table it is the cell asked for; of a list and of code nothing is set off. What was `read`
    in the sentence decides where the reader is sure, else rules do.
    """
    if quote.form in ("list", "code"):
        return []
    if quote.form == "table" and len(quote.parts) > 2 and not quote.columns:
        return []
    parts = [collapse(part.text) for part in quote.parts]
    if quote.columns:
        at, found = _cell(question, quote)
    elif quote.form in ("table", "field"):
        parts = [_without_edges(part) for part in parts]
        header = [quote.parts[0].text]  # with its edge, which may open an empty first cell
        formal = beside(question, formal_words(question))
        cell = mark_cell(formal, header, parts[-1]) or mark_record(formal, parts[-1])
        at, found = len(parts) - 1, cell
    elif quote.form == "record":
        at = quote.leads
        found = (parts[at].index(": ") + 2, len(parts[at])) if len(parts) == at + 1 else None
    elif _ASKS_FOR_NAME.search(question) and is_signature(quote.parts[0].text):
        at, found = 0, (0, parts[0].index("("))
    elif asks_for_parameters(question) and is_signature(parts[0]):
        at, found = 0, (parts[0].index("(") + 1, parts[0].rindex(")"))
    elif is_signature(parts[0]) and (default := default_asked_for(question, parts[0])):
        at, found = 0, default
    elif asks_for_default(question) and not any(map(asks_for_default, parts)):
        return []  # it is told behind
    else:
        at = next((n for n, part in enumerate(quote.parts) if part == quote.candidate.sentence), 0)
        row = quote.parts[at].kind is SentenceKind.ROW
        sentence = parts[at]
        found = mark_record(question, sentence) if row else mark_field(question, sentence)
        if found and wanted(question) is Wanted.TIME and DATE.search(sentence, *found):
            found = None  # the date alone, and not the place behind it
        if not row:
            found = (
                found or mark_by_clause(question, sentence) or mark_definition(question, sentence)
            )
        told = row or asks_yes_or_no(question) or contact(question) is not None
        if (
            found is None
            and read is not None
            and not told
            and _is_answer(question, parts[at], read)
        ):
            found = within_clause(question, parts[at], widened(question, parts[at], read.span))
        else:
            found = found or mark_words(question, parts[at])
    if found and any(other(question, parts[at], found) for other in (only_reports, is_replaced)):
        found = None
    if found is None or _is_letter(parts[at][slice(*found)]):
        return []
    found = whole_range(parts[at], found)
    start, end = spans[at]
    places = _places(parts[at], text[start:end])
    return [(start + places[found[0]], start + places[found[1] - 1] + 1)]


def _without_edges(row: str) -> str:
    """A row without the bars at its ends; an empty first cell keeps its own."""
    return row.strip().removeprefix("|").removesuffix("|").strip()


def _is_letter(words: str) -> bool:
    """Whether it is one letter alone, as of "R&D"; a figure answers, and so does one ideogram."""
    said = words.strip(" .,;:()")
    return len(said) == 1 and said.isascii() and said.isalpha()


def _is_answer(question: str, sentence: str, read: Read) -> bool:
    """Whether the words that were read are set off: the reader is sure, or they are of the kind
    that is asked for, and it is not far from sure.
    """
    if only_points(sentence, read.span):
        return False
    if wanted(question) is Wanted.PERSON and _IN.search(sentence, 0, read.span[0]):
        return False  # "in Graz" is nobody
    asked = set(content_keys(question))
    words = sentence[slice(*read.span)]
    if asks_who_one_is(question) and (asked & set(content_keys(words)) or _is_name(words)):
        return False  # the name is known, and another one is somebody else's
    kind = wanted(question)
    if kind is Wanted.PLACE and states(Wanted.TIME, words, asked):
        return False  # a date is nowhere
    if read.score >= SURE:
        return True
    if kind is Wanted.PERSON:
        typed = any(word[0].isupper() for word in words.split())
    else:
        typed = kind in STRICT and states(kind, words, asked)
    return typed and read.score >= SURE_OF_KIND


def _is_name(words: str) -> bool:
    return all(word[0].isupper() for word in words.split())


def _places(plain: str, escaped: str) -> list[int]:
    """Where each character of `plain` stands in the same text with backslashes put in."""
    places: list[int] = []
    at = 0
    for sign in plain:
        while at < len(escaped) - 1 and escaped[at] != sign:
            at += 1
        places.append(at)
        at += 1
    return places


def _around(quote: Quote, at: int) -> tuple[str, str]:
    """What stands before and after a part."""
    if quote.form == "field":
        columns = len(cells(quote.parts[0].text))
        return f"|{'  |' * columns}\n|{' --- |' * columns}\n| ", " |"
    if quote.form == "table":
        rule = "|" + " --- |" * len(cells(quote.parts[0].text)) if at == 0 else ""
        row = quote.parts[at].text  # an empty first cell may have a bar of its own, or none
        empty = not cells(row)[0] and not _without_edges(row).startswith("|")
        edge = "|  | " if empty else "| "
        return ("\n" if at > 1 else "") + edge, (f" |\n{rule}\n" if rule else " |")
    if quote.form == "list" and at >= quote.leads:
        sign = f"{at - quote.leads + 1}. " if quote.steps else "- "
        return ("" if at == 0 else "\n\n" if at == quote.leads else "\n") + sign, ""
    if at == 0:
        return "", ""
    return (" " if quote.form == "list" else "  \n"), ""


def marked(text: str, quote: Quote, number: int) -> str:
    """Return the Markdown of a quote with the mark of its citation, and what was left out.

    The mark follows the last words, within the last cell of a table and below a block of code.
    """
    if quote.form == "code":
        return f"{text}\n{mark(number)}"
    more = f"\n\n*and {quote.more} more in the source*" if quote.more else ""
    if quote.form in ("table", "field"):
        return f"{text.removesuffix(' |')} {mark(number)} |{more}"
    return f"{text} {mark(number)}{more}"
