"""Queries of Tantivy, made of what a person looks for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from core.storage.lexical.analysis import (
    EXACT_WEIGHT,
    WEIGHTS,
    exact_of,
    forms_of,
    forms_of_word,
    phrases_of,
)
from core.storage.lexical.terms import parse_query, unspaced_singles

if TYPE_CHECKING:
    from tantivy import Query as IndexQuery
    from tantivy import Schema


def make_query(schema: Schema, text: str, languages: Iterable[str]) -> IndexQuery | None:
    """What the text looks for, None if it holds no word.

    A word counts once for each field, by the language whose stem fits best there.
    """
    from tantivy import Occur, Query

    asked, languages = parse_query(text), list(languages)
    words = forms_of(asked.words, languages)
    parts = [_word(schema, field, word) for word in words for field in WEIGHTS]
    parts += [
        _boosted(_term(schema, "exact", term), EXACT_WEIGHT) for term in exact_of(asked.words)
    ]
    for single in unspaced_singles(asked.words):
        parts.append(Query.regex_query(schema, "body", f".?{single}.?"))
    phrases = [_phrase(schema, variants) for variants in phrases_of(asked.phrases, languages)]
    clauses = [(Occur.Must, phrase) for phrase in phrases]
    clauses += [(Occur.Should, part) for part in parts]
    return Query.boolean_query(clauses) if clauses else None


def make_word(schema: Schema, word: str, languages: Iterable[str]) -> IndexQuery | None:
    """What finds the body of every text that holds the word in one of the languages."""
    forms = forms_of_word(word, list(languages))
    return _any([_term(schema, "body", form) for form in forms]) if forms else None


def _word(schema: Schema, field: str, forms: Sequence[str]) -> IndexQuery:
    return _boosted(_any([_term(schema, field, form) for form in forms]), WEIGHTS[field])


def _phrase(schema: Schema, variants: Iterable[Sequence[str]]) -> IndexQuery:
    from tantivy import Query

    options = []
    for terms in variants:
        for field in WEIGHTS:
            if len(terms) == 1:
                options.append(_term(schema, field, terms[0]))
            else:
                options.append(Query.phrase_query(schema, field, list(terms)))
    return _any(options)


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
