"""What documents are about: what each says of itself, its outline, its pages and its date."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, tzinfo
from typing import Protocol

from core.answering.routes.names import name_words, shown_name
from core.answering.routes.outline import ALL_HEADINGS, HEADINGS, outline
from core.answering.routes.quotes import Quotes, hit_around
from core.answering.routes.self_description import (
    Told,
    captions,
    columns,
    findings,
    self_description,
)
from core.planning.routes import FINDINGS, PARTS, Route
from core.text.markdown_quoting import escape_markdown
from core.text.terms import content_keys, terms
from core.types import Answer, Chunk, Document, DocumentKind, Page, QueryPlan, SearchResult

MOST = 8
"""Documents that are described in one answer; of more, the answer lists the names and asks."""
MOST_OUTLINED = 5
"""Documents of which the headings are given too; of more, a sentence of each is enough to read."""
_LISTED = 30
_WORD = re.compile(r"\w+")
_KIND = re.compile(
    r"(?:document|doc|file|pdf|text|paper|article|report|book|handbook|manual|page|guide|contract"
    r"|slide|deck|presentation|dokument|datei|artikel|bericht|buch|handbuch|vertrag|seite)(?:s|e|en)?",
    re.I,
)
"""What kind of document is meant; its name seldom says so."""


class OverviewContent(Protocol):
    """The text of documents, as far as an overview reads it (`catalogue.content`)."""

    def pages(self, session_id: str, document_id: str) -> Sequence[Page]: ...

    def page_chunks(
        self, session_id: str, document_id: str, page_ordinal: int
    ) -> Sequence[Chunk]: ...


def overview(
    question: str,
    documents: Sequence[Document],
    content: OverviewContent,
    session_id: str,
    zone: tzinfo = UTC,
    aspect: str = "",
) -> Answer | None:
    """Return what these documents are about, each with a sentence of its own, quoted and cited.

    Days are days of `zone`. The `aspect` `PARTS` is their tables of contents alone, `FINDINGS` what
    they conclude: None where no document has a section for that.
    """
    quotes = Quotes()
    if len(documents) > MOST:
        quotes.say(which_is_meant(documents, "Name one to hear what it is about."))
        documents = ()
    for document in documents:
        pages = content.pages(session_id, document.id)
        most = 1 if len(documents) > 1 else 2
        titles = outline(document, pages, ALL_HEADINGS if aspect == PARTS else HEADINGS)
        sentences: Sequence[Told] = ()
        if aspect == FINDINGS:
            if not (sentences := findings(pages, most)):
                continue
        elif aspect != PARTS or not titles:
            of_data = document.kind in (DocumentKind.CSV, DocumentKind.DATA)
            described = [] if of_data else self_description(document, pages, most)
            sentences = captions(pages, most) or described or columns(pages)
        quotes.say(("\n\n" if quotes.text else "") + f"**{escape_markdown(shown_name(document))}**")
        quotes.say(_facts(document, zone))
        if aspect == PARTS and not titles:
            quotes.say("\n\nNo headings were found in it.")
        for told in sentences:
            chunks = content.page_chunks(session_id, document.id, told.page.ordinal)
            start, end = told.sentence.start, told.sentence.end
            chunk = next((c for c in chunks if c.start <= start < c.end), None)
            if chunk is not None:
                quotes.say("\n\n" if quotes.text[-1:] != "]" else " ")
                quotes.quote(hit_around(document, chunk, told.page.text, start, end), start, end)
        if titles and aspect == PARTS:
            quotes.say("\n\n" + "\n".join(f"- {escape_markdown(title)}" for title in titles))
        elif titles and not aspect and len(documents) <= MOST_OUTLINED:
            quotes.say(f"\n\nOutline: {' · '.join(map(escape_markdown, titles))}")
    if not quotes.text:
        return None
    typed = " ".join(question.split())
    return Answer(
        question,
        quotes.text,
        tuple(quotes.citations),
        claims=tuple(quotes.claims),
        search=SearchResult(QueryPlan(question, typed, (typed,)), ()),
        route=Route.OVERVIEW,
    )


def matching_documents(subject: str, documents: Sequence[Document]) -> list[Document]:
    """Return the documents whose names or titles have the most words of `subject`, or none."""
    asked = set(content_keys(subject))
    joined = "".join(_WORD.findall(subject.casefold()))

    def fit(document: Document) -> int:
        words = name_words(document)
        glued = "".join(_WORD.findall(words.casefold()))
        short = len(joined) > 2 and joined in _initials(words)
        return len(asked & set(content_keys(words))) + (
            short or (len(joined) > 3 and joined in glued)
        )

    best = max(map(fit, documents), default=0)
    return [document for document in documents if best and fit(document) == best]


def _initials(words: str) -> str:
    """The first letters of what a title says: "dpr" of "Dense Passage Retrieval"."""
    return "".join(term.form[0].casefold() for term in terms(words) if term.kind != "stop")


def named_in(scope: str, documents: Sequence[Document]) -> list[Document]:
    """Return the documents that "the 2020 report" names, none where that is something else.

    Their names have every number of it, and at least half of its other words.
    """
    asked = [
        term for term in terms(scope) if term.kind != "stop" and not _KIND.fullmatch(term.form)
    ]
    numbers = {term.key for term in asked if term.kind == "number"}
    words = {term.key for term in asked} - numbers

    def fits(document: Document) -> bool:
        there = set(content_keys(name_words(document)))
        short = len(words) == 1 and bool(found)
        return numbers <= there and (short or 2 * len(words & there) >= len(words))

    found = matching_documents(" ".join(term.form for term in asked), documents)
    return [document for document in found if asked and fits(document)]


def documents_called(name: str, documents: Sequence[Document]) -> list[Document]:
    """Return the documents whose names or titles have all words of a name: "the handbook"."""
    words = set(content_keys(name))
    return [one for one in documents if words and words <= set(content_keys(name_words(one)))]


def _facts(document: Document, zone: tzinfo) -> str:
    unpaged = (DocumentKind.CSV, DocumentKind.XLSX, DocumentKind.TEXT)
    paged = document.kind not in unpaged and document.pages > 1
    pages = f"{document.pages:,} pages" if paged else ""
    if document.kind is DocumentKind.PDF and document.pages == 1:
        pages = "1 page"
    date = document.published or (
        f"added {document.added_at.astimezone(zone).date().isoformat()}"
        if document.added_at
        else ""
    )
    facts = [fact for fact in (pages, date) if fact]
    return f" ({', '.join(facts)})" if facts else ""


def which_is_meant(documents: Sequence[Document], ask: str = "Which one do you mean?") -> str:
    """Return the names of many documents, and `ask` which one is meant."""
    names = [f"- {escape_markdown(shown_name(document))}" for document in documents[:_LISTED]]
    more = len(documents) - len(names)
    names += [f"- and {more:,} more"] if more > 0 else []
    return f"There are {len(documents):,} documents. {ask}\n\n" + "\n".join(names)
