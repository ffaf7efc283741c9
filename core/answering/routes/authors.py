"""Who wrote a document: the line of names that stands under its title, or behind "by"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.spans import DATE, HOURS
from core.answering.routes.names import shown_name
from core.answering.routes.overview import MOST, OverviewContent, which_is_meant
from core.answering.routes.quotes import Quotes, hit_around
from core.planning.routes import Route
from core.text.markdown_quoting import escape_markdown
from core.types import Abstention, Answer, Document, QueryPlan, SearchResult

_READ = 2_500  # characters of the first page in which its authors stand
_MARKS = re.compile(r"[∗*†‡§¶#$+^˘´`\d⋆•◦]|\[\d+\]")
"""What refers from a name to its affiliation."""
_CAPITAL = r"[^\W\d_a-zß-ÿ]"
_WORD = rf"(?:{_CAPITAL}[^\W\d_]*[.'’]?(?:[-'’]{_CAPITAL}?[^\W\d_]+\.?)*)"
_PARTICLE = r"(?:de|del|della|der|den|di|dos|da|la|le|van|von|zu|ten|ter|bin|al|el|y)"
_NAME = rf"{_WORD}(?:[ \t]+(?:(?:{_PARTICLE}[ \t]+){{0,2}}{_WORD})){{1,3}}"
_AND = r"(?:\s*(?:,|;|·|\||&)\s*(?:and\b|und\b|et\b|&)?[\s,]*|\s+(?:and|und|et|&)\s+)"
_SEVERAL = re.compile(rf"(?m)^[ \t]*({_NAME}(?:{_AND}{_NAME})+)(?=[ \t]*(?:[,(<]|$))")
_ALONE = re.compile(rf"(?m)^[ \t]*({_NAME})[ \t]*$")
_SAID = re.compile(
    rf"(?mi:^[ \t]*(?:[-*•–|][ \t]*)?(?:(?:written|edited|prepared|compiled)\s+by|by|von|"
    rf"authors?\s*:|autor(?:in|en|innen)?\s*:|verfasser(?:in)?\s*:|author\(s\)\s*:))(?:\s+|(?<=By)(?=[A-Z]))"
    rf"({_NAME}(?:{_AND}{_NAME})*)"
)
_WITHIN = re.compile(
    rf"\b(?:written|authored|edited|compiled|prepared)\s+by\s+({_NAME}(?:{_AND}{_NAME})*)"
)
_DATED = re.compile(rf"(?m)^[ \t]*(?:[-*•]|\d?\.)?[ \t]*({_NAME})(?:,?[ \t]*@\w+)?[ \t]*(?=\n)")
"""A name on a line of its own; in an article the date stands below it."""
_WHEN = re.compile(rf"{DATE.pattern}|{HOURS.pattern}", re.I)
_LONGEST_DATE = 60
_ABSTRACT = re.compile(
    r"(?mi)^\W*(?:abstract|summary|zusammenfassung|kurzfassung|résumé|resumen)\b"
)
_NOBODY = re.compile(
    r"\b(?:universit\w*|institut\w*|departments?|faculty|school|college|laborator\w+|labs?|cent(?:er|re)"
    r"|corporation|corp|inc|ltd|llc|gmbh|company|research|technolog\w+|sciences?|street|road|avenue"
    r"|press|journal|proceedings|conference|workshop|association|society|academy|hospital|ministry"
    r"|office|agency|committee|council|commission|foundation|group|team|ai|usa?|germany|france"
    r"|china|canada|kingdom|states?|report|summary|contents|introduction|version|draft|chapter"
    r"|section|part|volume|hall|house|room|park|square|building|church|lane|hotel|library|edition|appendix|annual|guide|manual|handbook|january|february|march"
    r"|april|may|june|july|august|september|october|november|december|data|learning|systems?"
    r"|models?|analysis|methods?|the|your|how|why|what|when|to|for|of|in|on|with|from)\b",
    re.I,
)
"""Words that stand in affiliations, titles and dates, and in no name."""

_GOES_ON = re.compile(r"\b(?:of|for|and|the|in|at|und|der|für|von)\s+\Z", re.I)
"""What ends a line that goes on below: "Office of"."""
_OTHER_WORK = re.compile(
    r"(?:illustrat|translat|photograph|foreword|published)\w*\W+(?:by\W+)?$", re.I
)


def authors(
    question: str, documents: Sequence[Document], content: OverviewContent, session_id: str
) -> Answer | None:
    """Return who wrote these documents, quoted and cited; None where none of them says so."""
    quotes = Quotes()
    if len(documents) > MOST:
        quotes.say(which_is_meant(documents))
        documents = ()
    for document in documents:
        pages = content.pages(session_id, document.id)
        span = author_line(pages[0].text) if pages else None
        if span is None:
            continue
        start, end = span
        chunks = content.page_chunks(session_id, document.id, pages[0].ordinal)
        chunk = next((one for one in chunks if one.start <= start < one.end), None)
        if chunk is None:
            continue
        if len(documents) > 1:
            lead = f"**{escape_markdown(shown_name(document))}**: "
            quotes.say(f"\n\n{lead}" if quotes.text else lead)
        quotes.quote(hit_around(document, chunk, pages[0].text, start, end), start, end)
    if not quotes.text:
        return None
    citations, claims = tuple(quotes.citations), tuple(quotes.claims)
    found = _found(question)
    return Answer(
        question, quotes.text, citations, claims=claims, search=found, route=Route.AUTHORS
    )


def unnamed(question: str, documents: Sequence[Document]) -> Answer:
    """Return the answer where no document names its authors."""
    looked = "The document names" if len(documents) == 1 else "None of the documents names"
    no = "no author" if len(documents) == 1 else "its authors"
    text = f"{looked} {no} at its beginning."
    chunks = sum(document.chunks for document in documents)
    found = _found(question)
    return Answer(
        question,
        text,
        abstention=Abstention(text, len(documents), chunks, found.plan.queries),
        search=found,
        route=Route.AUTHORS,
    )


def _found(question: str) -> SearchResult:
    typed = " ".join(question.split())
    return SearchResult(QueryPlan(question, typed, (typed,)), ())


def author_line(page_text: str) -> tuple[int, int] | None:
    """Return where the names of the authors stand on a first page, None where nothing says so.

    They stand behind "by" or "Authors:"; or are several names under the title, joined by commas
    or "and"; or are one name on a line of its own, between the title and the abstract or above the
    date; or a sentence says by whom it was written.

    >>> page = "On Lamps\\n\\nIda Holm and Per Vik\\nUniversity\\n\\nAbstract\\nLamps shine."
    >>> start, end = author_line(page)
    >>> page[start:end]
    'Ida Holm and Per Vik'
    """
    head = page_text[:_READ]
    abstract = _ABSTRACT.search(head, 1)
    # The marks of affiliations stand between a name and its comma, on lines of their own too.
    above = head[: abstract.start()] if abstract else head
    plain = _MARKS.sub(lambda mark: " " * len(mark.group()), above)
    title_end = _end_of_title(plain)
    for found in _SAID.finditer(plain):
        if _are_names(found[1]) and not _OTHER_WORK.search(plain, 0, found.start(1)):
            return found.span(1)
    for pattern in (_SEVERAL, *([_ALONE] if abstract else [])):
        for found in pattern.finditer(plain, title_end):
            goes_on = _GOES_ON.search(plain, 0, found.start(1))
            if _are_names(found[1]) and not found[1].isupper() and not goes_on:
                return found.span(1)
    for found in _DATED.finditer(plain):
        below = above[found.end() :].lstrip().partition("\n")[0]
        dated = len(below) <= _LONGEST_DATE and _WHEN.search(below)
        if dated and _are_names(found[1]) and not _OTHER_WORK.search(plain, 0, found.start(1)):
            return found.span(1)
    for found in _WITHIN.finditer(_MARKS.sub(lambda mark: " " * len(mark.group()), head)):
        if _are_names(found[1]):
            return found.span(1)
    return None


def _are_names(text: str) -> bool:
    words = re.findall(r"[^\W\d_](?:[^\W\d_]|['’-])*", text)
    led = [word for word in words if not re.fullmatch(rf"{_PARTICLE}|and|und|et", word)]
    return all(word[0].isupper() for word in led) and not _NOBODY.search(text)


def _end_of_title(text: str) -> int:
    """Where the first line that says something ends."""
    found = re.search(r"\S[^\n]*", text)
    return found.end() if found else 0
