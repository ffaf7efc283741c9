"""Questions that a document can answer, made by rule from what it says (pure).

A definition ("A tuple is a ..."), a dated fact ("the bridge was opened in 1932"), a row of a table
and a heading each give a question. Whether it is answered there is for the caller to find out:
`answers` says whether an answer quotes the place that the question was made from.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from core.citations.mark import plain_words
from core.text.sentences import Sentence, SentenceKind, split_sentences
from core.text.terms import content_keys, terms
from core.types import Answer, Page

LONGEST = 60
"""Characters of a question."""
_SHORTEST = 12
_SAME = 0.9
"""The share of a sentence's words that an answer's first one has where it quotes that sentence."""

_NAME = (
    r"(?P<x>[^\W\d_][\w'’-]*"
    r"(?: (?:of|the|for|in|and|upon|de|von|[^\W\d_][\w'’-]*)){0,4}?)"
)
_DEFINITION = re.compile(
    rf"^(?P<article>An? |The )?{_NAME}(?:,? or [\w -]{{2,20}},?| \([\w .-]{{1,20}}\))? "
    r"(?P<be>is|are) (?:an?|the|one of the) \w"
)
_GERMAN_DEFINITION = re.compile(
    rf"^(?P<article>Der |Die |Das |Ein |Eine )?{_NAME}(?: \([\w .-]{{1,20}}\))? "
    r"(?P<be>ist|sind) (?:eine?|der|die|das) \w"
)
_DONE = (
    "founded|built|opened|established|completed|created|introduced|published|signed|launched"
    "|formed|invented|discovered|rebuilt|abolished|renamed|restored|destroyed"
)
_DATED = re.compile(
    rf"^(?P<article>An? |The )?{_NAME} (?P<be>was|were) (?:first |originally |officially )?"
    rf"(?P<done>{_DONE})\b[^.;]{{0,60}}?\b(?:in|on)\b[^.;]{{0,20}}?\b(?:1\d|20)\d\d\b"
)
_POINTING = frozenset(
    "it this that these those he she they there here what which who one another each every such "
    "all both some many most other its his her their our your my if when while as for in on at "
    "by with however therefore also example examples note following result reason first second "
    "third next last above below to from because since although though returns return provided "
    "given es dies dieser diese dieses er sie hier dort beispiel".split()
)
"""Words that no subject of a question begins with: it would point to something outside of it."""
_NO_PART = frozenset(
    "is are was were has have had can could will would should may must do does did be been said "
    "that who which when whose where because these this those such our your its their called named "
    "presented made used returned given default largest smallest first last return following above "
    "below share ist sind war hat kann wird".split()
)
"""Words that no subject of a question has."""
_NUMBERED = re.compile(
    r"^(?:(?:chapter|section|part|item|article|appendix|kapitel|abschnitt|teil|§)\W*)?"
    r"(?:(?:\d+|[IVX]+|[A-Z])(?:\.\d+)*[.):]?\s+)+",
    re.I,
)
_HEADING = re.compile(r"[^\W\d_][^\W\d_'’-]*(?: [^\W\d_][^\W\d_'’-]*){1,5}")
_GENERAL = re.compile(
    r"(?:table of contents|see also|external links|further reading|general|introduction|overview"
    r"|summary|background|notes?|references|examples?|appendix|index|other|miscellaneous|contents"
    r"|about|conclusion|related work|acknowledg\w+|copyright|footnotes?|navigation|this page.*"
    r"|indices and tables|previous topic|next topic|report a bug|show source|quick search)\b.*",
    re.I,
)
_CELLS = re.compile(r"\s*[|\t]\s*")
_RULE = re.compile(r"[\s|:=+-]*")


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question, and where its answer stands: a sentence, or all under a heading."""

    question: str
    document_id: str
    page_ordinal: int
    sentence: str = ""
    heading: str = ""


def suggestions(document_id: str, language: str, pages: Iterable[Page]) -> Iterator[Suggestion]:
    """Yield the questions that the pages of a document give, in their order, each once."""
    seen = set[str]()
    for page in pages:
        for question, sentence, heading in _of_page(page, language):
            if _is_readable(question) and question.casefold() not in seen:
                seen.add(question.casefold())
                yield Suggestion(question, document_id, page.ordinal, sentence, heading)


def answers(answer: Answer, suggestion: Suggestion) -> bool:
    """Return whether an answer opens with the place that a question was made from, found directly.

    `Answer.direct` is calibrated; `Answer.confidence` is above 0.8 for many a wrong answer.
    """
    if answer.abstention is not None or not answer.claims or not answer.citations:
        return False
    if not answer.direct:
        return False
    claim = answer.claims[0]
    cited = next((c for c in answer.citations if c.number in claim.numbers), None)
    if cited is None or cited.document_id != suggestion.document_id:
        return False
    if suggestion.heading:
        return suggestion.heading in cited.headings
    said = set(content_keys(plain_words(answer.text[claim.start : claim.end])))
    wanted = set(content_keys(suggestion.sentence))
    return cited.page_ordinal == suggestion.page_ordinal and len(said & wanted) >= _SAME * len(
        wanted
    )


def _is_readable(question: str) -> bool:
    return _SHORTEST <= len(question) <= LONGEST and question.isprintable()


def _of_page(page: Page, language: str) -> Iterator[tuple[str, str, str]]:
    """Questions with the sentence or the heading that is to answer them."""
    pieces = split_sentences(page.text)
    for piece in pieces:
        if piece.kind is SentenceKind.PROSE and len(piece.text) <= 400:
            text = " ".join(piece.text.split())
            if language == "de":
                question = _german(text)
            else:
                question = _definition(text, page.text) or _date(text, page.text)
            if question:
                yield question, text, ""
    if language in ("", "en"):
        yield from ((question, row, "") for question, row in _table_questions(pieces))
        for heading in page.headings:
            title = " ".join(heading.title.split())
            if question := _heading_question(title, page.text):
                yield question, "", heading.title


def _definition(sentence: str, text: str) -> str:
    found = _DEFINITION.match(sentence)
    if found is None or not _is_subject(found["x"]):
        return ""
    article = (found["article"] or "").lower()
    name = found["x"] if article else _in_a_sentence(found["x"], text)
    several = found["be"] == "are" and not name.endswith("s")
    if not article and (_is_person(name) or several or found["x"][0].islower()):
        return ""
    return f"What {found['be']} {article}{name}?"


def _german(sentence: str) -> str:
    found = _GERMAN_DEFINITION.match(sentence)
    if found is None or not _is_subject(found["x"]):
        return ""
    return f"Was {found['be']} {(found['article'] or '').lower()}{found['x']}?"


def _date(sentence: str, text: str) -> str:
    found = _DATED.match(sentence)
    if found is None or not _is_subject(found["x"]):
        return ""
    article = (found["article"] or "").lower()
    name = found["x"] if article else _in_a_sentence(found["x"], text)
    return f"When {found['be']} {article}{name} {found['done']}?"


def _is_subject(name: str) -> bool:
    words = [word.casefold() for word in name.split()]
    return (
        words[0] not in _POINTING
        and not _NO_PART.intersection(words)
        and len(name) > 2
        and any(term.kind != "stop" for term in terms(name))
        and words[-1] not in ("of", "the", "for", "in", "and", "upon")
    )


def _is_person(name: str) -> bool:
    """Whether a name may be that of a person: two to four words with a capital."""
    words = name.split()
    return 2 <= len(words) <= 4 and all(word[0].isupper() for word in words)


def _in_a_sentence(name: str, text: str) -> str:
    """A name as the text writes it within a sentence: small where it is seldom a capital."""
    words = name.split()
    small = [word if word[1:] != word[1:].lower() else word.lower() for word in words]
    if all(a == b or _is_written_small(b, text) for a, b in zip(words, small, strict=True)):
        return " ".join(small)
    return name


def _is_written_small(word: str, text: str) -> bool:
    small = re.findall(rf"(?<![\w./@-]){re.escape(word)}(?![\w./@])", text)
    capital = re.findall(rf"[a-z,;] {re.escape(word.capitalize())}\b", text)
    return len(small) > len(capital)


def _heading_question(title: str, text: str) -> str:
    bare = _NUMBERED.sub("", title).strip()
    if bare.endswith("?") and len(bare.split()) > 2 and bare[0].isupper():
        return bare
    if not _HEADING.fullmatch(bare) or _GENERAL.fullmatch(bare) or bare.isupper():
        return ""
    words = bare.split()
    if words[0].casefold() == "how" and words[1].casefold() == "to" and len(words) > 2:
        return f"How do I {' '.join(words[2:])}?"
    if words[0].casefold() in _POINTING or _NO_PART.intersection(map(str.casefold, words)):
        return ""
    if sum(term.kind != "stop" for term in terms(bare)) < 2:
        return ""
    return f"What is said about {_in_a_sentence(bare, text)}?"


def _table_questions(pieces: Sequence[Sentence]) -> Iterator[tuple[str, str]]:
    """For a row below a header, the question for a cell that holds a number."""
    header: list[str] = []
    for before, piece in pairwise([None, *pieces]):
        if piece is None or piece.kind is not SentenceKind.ROW:
            header = []
            continue
        cells = _CELLS.split(piece.text.strip(" |\t"))
        if _RULE.fullmatch(piece.text):
            continue
        if before is None or before.kind is not SentenceKind.ROW or not header:
            header = cells
            continue
        if len(cells) != len(header) or len(cells) < 2:
            continue
        # A row of a CSV file repeats the name of each column.
        cells = [cell.removeprefix(f"{name}: ") for name, cell in zip(header, cells, strict=True)]
        if _is_label(cells[0]):
            for column, cell in zip(header[1:], cells[1:], strict=True):
                if _is_label(column) and any(ch.isdigit() for ch in cell):
                    small = column if column.isupper() else column[:1].lower() + column[1:]
                    yield f"What is the {small} of {cells[0]}?", piece.text
                    break


def _is_label(cell: str) -> bool:
    words = cell.split()
    return (
        1 <= len(words) <= 4
        and all(word[0].isalpha() for word in words)
        and words[0].casefold() not in _POINTING
    )
