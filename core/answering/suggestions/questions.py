"""Questions that a document can answer, made by rule from what it says (pure).

A definition ("A tuple is a ..."), a dated fact ("the bridge was opened in 1932"), a count, what
leads in a list, a row of a table and a heading each give a question. Whether it is answered there
is for the caller to find out: `answers` says whether an answer quotes the place that the question
was made from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.answering.suggestions import english, german, headings, rows
from core.citations.mark import plain_words
from core.planning.routes import Route
from core.text.sentences import SentenceKind, split_sentences
from core.text.terms import content_keys
from core.types import Answer, Page

LONGEST = 60
"""Characters of a question."""
_SHORTEST = 12
_SENTENCE = 400  # characters
_FEWEST_WORDS = 6  # of what is quoted below a heading
_HALF = 0.5
"""The share of a heading's words that what is quoted below it has at least."""
_SAME = 0.9
"""The share of a sentence's words that an answer's first one has where it quotes that sentence."""
_RULES = {"": english.question_of, "en": english.question_of, "de": german.question_of}


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A question, and where its answer stands: a sentence, or all under a heading."""

    question: str
    document_id: str
    sentence: str = ""
    heading: str = ""


def suggestions(document_id: str, language: str, pages: Iterable[Page]) -> Iterator[Suggestion]:
    """Yield the questions that the pages of a document give, in their order, each once."""
    seen = set[str]()
    for page in pages:
        for question, sentence, heading in _of_page(page, language):
            if _is_readable(question) and question.casefold() not in seen:
                seen.add(question.casefold())
                yield Suggestion(question, document_id, sentence, heading)


def answers(answer: Answer, suggestion: Suggestion) -> bool:
    """Return whether an answer opens with the place that a question was made from.

    It has to be computed from a table or found directly: `Answer.direct` is calibrated,
    `Answer.confidence` is above 0.8 for many a wrong answer. What is quoted below a heading has
    half of its words.
    """
    if answer.abstention is not None or not answer.claims:
        return False
    if not answer.direct and answer.route != Route.TABLE:
        return False
    claim = answer.claims[0]
    said = plain_words(answer.text[claim.start : claim.end])
    cited = next((c for c in answer.citations if c.number in claim.numbers), None)
    if cited is None or cited.document_id != suggestion.document_id:
        return False
    if suggestion.heading:
        named = set(content_keys(suggestion.heading))
        told = len(named & set(content_keys(said))) >= _HALF * len(named)
        return told and suggestion.heading in cited.headings and len(said.split()) >= _FEWEST_WORDS
    wanted = set(content_keys(suggestion.sentence))
    return len(set(content_keys(said)) & wanted) >= _SAME * len(wanted)


def _is_readable(question: str) -> bool:
    return _SHORTEST <= len(question) <= LONGEST and question.isprintable()


def _of_page(page: Page, language: str) -> Iterator[tuple[str, str, str]]:
    """Questions with the sentence or the heading that is to answer them."""
    rule = _RULES.get(language)
    if rule is None:
        return
    pieces = split_sentences(page.text)
    for piece in pieces:
        if piece.kind is SentenceKind.PROSE and len(piece.text) <= _SENTENCE:
            text = " ".join(piece.text.split())
            if question := rule(text, page.text):
                yield question, text, ""
    if language != "de":
        yield from ((question, row, "") for question, row in rows.questions_of(pieces))
    for heading in page.headings:
        title = " ".join(heading.title.split())
        if question := headings.question_of(title, page.text, language):
            yield question, "", heading.title
