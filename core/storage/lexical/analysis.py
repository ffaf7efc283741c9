"""Texts as the terms of a lexical index, by the tokenizers and stemmers of Tantivy."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from typing import TYPE_CHECKING

from core.storage.lexical.terms import INFLECTED, STEMMERS, beginning, even, exact_terms, humps
from core.types import Chunk
from core.types.documents import MOST_TITLE, shortened

if TYPE_CHECKING:
    from tantivy import TextAnalyzer

WEIGHTS = {"body": 1.0, "title": 0.2, "headings": 0.2}
"""How much a word counts by where it stands; title and headings are part of the body as well.
Measured against fields of their own alone, and against one field: docs/decisions.md."""
EXACT_WEIGHT = 0.5

UNKNOWN = "en"
"""How a text is analysed whose language is not known."""

MOST_WORDS = 200
"""Of a query; what comes after them is not looked for."""
_LONGEST_WORD = 100
_EARLIER = ("", "lt")  # whole, and beginnings with their endings


@cache
def _analyzer(language: str) -> TextAnalyzer:
    from tantivy import Filter, TextAnalyzerBuilder, Tokenizer

    words = Tokenizer.regex(r"[^\W_]+")  # with the marks of Indic scripts, unlike "simple"
    builder = TextAnalyzerBuilder(words).filter(Filter.remove_long(_LONGEST_WORD))
    builder = builder.filter(Filter.lowercase())
    if language in STEMMERS:
        builder = builder.filter(Filter.stemmer(STEMMERS[language]))
    return builder.filter(Filter.ascii_fold()).build()


def analyse(text: str, language: str) -> list[str]:
    """The terms of a text in a language (ISO 639-1), stemmed where there is a stemmer.

    Of words of other languages that are inflected, the beginnings: see `beginning`.

    >>> analyse("v knjižnici", "sl"), analyse("knjižnica", "sl")
    (['v', 'knjizn'], ['knjizn'])
    """
    terms: list[str] = _analyzer(language).analyze(even(text))
    if language in INFLECTED:
        return [beginning(term, language) for term in terms]
    return terms


def fields_of(chunk: Chunk, title: str, language: str) -> dict[str, list[str]]:
    """The terms of a chunk by field, in their order: those of `WEIGHTS`, and "exact"."""
    title = shortened(title, MOST_TITLE)
    headings = " ".join(chunk.headings)
    body = f"{title}\n{headings}\n{chunk.text}"
    parts = " ".join(humps(body))  # at the end: within, they would part the words of a phrase
    texts = {"body": f"{body}\n{parts}", "title": title, "headings": headings}
    terms = {name: analyse(text, language) for name, text in texts.items()}
    return {**terms, "exact": exact_terms(body)}


def forms_of(words: str, languages: Collection[str]) -> list[tuple[str, ...]]:
    """The words of a query, each once, as the forms that it has in these languages."""
    whole = " ".join([words, *humps(words)])
    variants = [analyse(whole, language)[:MOST_WORDS] for language in _read_as(languages)]
    found = (tuple(dict.fromkeys(forms)) for forms in zip(*variants, strict=True))
    return list(dict.fromkeys(found))


def exact_of(words: str) -> list[str]:
    """The identifiers and numbers of a query that stand whole in the field "exact", each once."""
    return list(dict.fromkeys(exact_terms(words)[:MOST_WORDS]))


def phrases_of(phrases: Sequence[str], languages: Collection[str]) -> list[list[list[str]]]:
    """For each phrase that holds a word its terms, once for each language that has some."""
    found = []
    for phrase in phrases:
        variants = [
            terms for language in _read_as(languages) if (terms := analyse(phrase, language))
        ]
        if variants:
            found.append(variants)
    return found


def forms_of_word(word: str, languages: Collection[str]) -> list[str]:
    """The forms of one word in these languages, each once."""
    return list(
        dict.fromkeys(form for language in _read_as(languages) for form in analyse(word, language))
    )


def _read_as(languages: Collection[str]) -> list[str]:
    """The languages, and how earlier versions wrote the words of inflected ones."""
    return [*languages, *(_EARLIER if INFLECTED.intersection(languages) else ())]
