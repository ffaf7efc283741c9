"""Text as the terms of the lexical index, and queries made of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING

from core.storage.lexical.terms import (
    STEMMERS,
    even,
    exact_terms,
    humps,
    parse_query,
    unspaced_singles,
)

if TYPE_CHECKING:
    from tantivy import Query as IndexQuery
    from tantivy import Schema, TextAnalyzer

WEIGHTS = {"body": 1.0, "title": 0.2, "headings": 0.2}
"""How much a word counts by where it stands; title and headings are part of the body as well.
Measured against fields of their own alone, and against one field: docs/decisions.md."""
EXACT_WEIGHT = 0.5

UNKNOWN = "en"
"""How a text is analysed whose language is not known."""

_MOST_WORDS = 200  # of a query
_LONGEST_WORD = 100


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
    """The terms of a text in a language (ISO 639-1), stemmed where there is a stemmer."""
    terms: list[str] = _analyzer(language).analyze(even(text))
    return terms


def make_query(schema: Schema, text: str, languages: Iterable[str]) -> IndexQuery | None:
    """What the text looks for, None if it holds no word.

    A word counts once for each field, by the language whose stem fits best there.
    """
    from tantivy import Occur, Query

    asked, languages = parse_query(text), list(languages)
    whole = " ".join([asked.words, *humps(asked.words)])
    variants = [analyse(whole, language)[:_MOST_WORDS] for language in languages]
    words = dict.fromkeys(tuple(dict.fromkeys(forms)) for forms in zip(*variants, strict=True))
    parts = [_word(schema, field, word) for word in words for field in WEIGHTS]
    exact = dict.fromkeys(exact_terms(asked.words)[:_MOST_WORDS])
    parts += [_boosted(_term(schema, "exact", term), EXACT_WEIGHT) for term in exact]
    for single in unspaced_singles(asked.words):
        parts.append(Query.regex_query(schema, "body", f".?{single}.?"))
    phrases = [_phrase(schema, phrase, languages) for phrase in asked.phrases]
    clauses = [(Occur.Must, phrase) for phrase in phrases if phrase is not None]
    clauses += [(Occur.Should, part) for part in parts]
    return Query.boolean_query(clauses) if clauses else None


def make_word(schema: Schema, word: str, languages: Iterable[str]) -> IndexQuery | None:
    """What finds the body of every text that holds the word in one of the languages."""
    forms = dict.fromkeys(form for language in languages for form in analyse(word, language))
    return _any([_term(schema, "body", form) for form in forms]) if forms else None


def _word(schema: Schema, field: str, forms: Sequence[str]) -> IndexQuery:
    return _boosted(_any([_term(schema, field, form) for form in forms]), WEIGHTS[field])


def _phrase(schema: Schema, phrase: str, languages: Iterable[str]) -> IndexQuery | None:
    from tantivy import Query

    options = []
    for language in languages:
        terms = analyse(phrase, language)
        for field in WEIGHTS if terms else ():
            if len(terms) == 1:
                options.append(_term(schema, field, terms[0]))
            else:
                options.append(Query.phrase_query(schema, field, list(terms)))
    return _any(options) if options else None


def _term(schema: Schema, field: str, term: str) -> IndexQuery:
    from tantivy import Query

    return Query.term_query(schema, field, term, "freq")


def _any(queries: list[IndexQuery]) -> IndexQuery:
    from tantivy import Query

    return queries[0] if len(queries) == 1 else Query.disjunction_max_query(queries)


def _boosted(query: IndexQuery, weight: float) -> IndexQuery:
    from tantivy import Query

    return query if weight == 1.0 else Query.boost_query(query, weight)


def only_documents(schema: Schema, query: IndexQuery, documents: Collection[str]) -> IndexQuery:
    """The query, kept to some documents; scores stay as they are."""
    from tantivy import Occur, Query

    allowed = Query.term_set_query(schema, "document", sorted(documents))
    return Query.boolean_query(
        [(Occur.Must, query), (Occur.Must, Query.const_score_query(allowed, 0.0))]
    )
