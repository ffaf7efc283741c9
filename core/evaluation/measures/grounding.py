"""Measures of an answer against the passages that were found for it (pure).

Three flags look for invented content in three ways, each in a column of its own: they detect
different faults, and none is proof. The support check (`core/verification/check.py`) is stricter.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.citations.mark import MARK, plain_words
from core.evaluation.golden.sets import GoldenSource
from core.evaluation.measures.family import Case, Family, Measure
from core.evaluation.measures.matching import Place, found_sources, places_of_citation
from core.evaluation.runs.results import Measures
from core.text.markdown_quoting import collapse
from core.text.terms import terms
from core.types import Answer, Citation, Claim, Support

MOST_NOVEL = 0.5
"""The share of an answer's content words that may be in no passage, since models rephrase."""
LEAST_SIMILAR = 0.1
"""The TF-IDF cosine with the nearest passage below which an answer is flagged."""
_MARK = re.compile(rf"(?<![\\\w]){MARK}(?!\()")
_CODE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1|`[^`\n]+`", re.M | re.S)
_CHECKED = (Support.VERBATIM, Support.SUPPORTED, Support.UNSUPPORTED)


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags of an answer; None if there was nothing to check."""

    novel: float | None = None
    by_tokens: float | None = None
    by_names: float | None = None
    similarity: float | None = None
    by_tfidf: float | None = None


def hallucination_flags(answer: str, passages: Sequence[str], question: str) -> Flags:
    """Flag (1) an answer with content that neither a passage nor the question has.

    by_tokens: N / C > 0.5, with C the different content words, names and numbers of the answer and
    N those of them in no passage (`novel` is N / C). by_names: a name or number of the answer is in
    no passage. by_tfidf: the largest cosine of answer and passage as TF-IDF vectors < 0.1. Words
    are compared by their stems.
    """
    content = {term.key: term.kind for term in terms(answer) if term.kind != "stop"}
    if not content or not passages:
        return Flags()
    known = {term.key for text in (*passages, question) for term in terms(text)}
    missing = {key: kind for key, kind in content.items() if key not in known}
    novel = len(missing) / len(content)
    similarity = _tfidf(answer, passages)
    return Flags(
        novel,
        float(novel > MOST_NOVEL),
        float(any(kind in ("name", "number") for kind in missing.values())),
        similarity,
        float(similarity < LEAST_SIMILAR),
    )


def _tfidf(answer: str, passages: Sequence[str]) -> float:
    """Return the largest TF-IDF cosine of answer and passage.

    A word's weight is its count times 1 + ln((1 + n) / (1 + d)), where d of the n texts (passages
    and answer) contain it."""
    texts = [
        Counter(term.key for term in terms(text) if term.kind != "stop")
        for text in (answer, *passages)
    ]
    having = Counter(key for counts in texts for key in counts)
    rarity = {key: 1 + math.log((1 + len(texts)) / (1 + d)) for key, d in having.items()}
    vectors = [{key: n * rarity[key] for key, n in counts.items()} for counts in texts]
    lengths = [math.hypot(*vector.values()) for vector in vectors]
    return max(
        sum(weight * vector.get(key, 0.0) for key, weight in vectors[0].items())
        / (lengths[0] * length or 1.0)
        for vector, length in zip(vectors[1:], lengths[1:], strict=True)
    )


def support_rate(claims: Sequence[Claim]) -> float | None:
    """Return supported sentences / checked sentences by the support check, 0 to 1.

    Verbatim sentences count as supported; sentences without a citation are not checked.
    """
    checked = [claim for claim in claims if claim.support in _CHECKED]
    if not checked:
        return None
    return sum(claim.support is not Support.UNSUPPORTED for claim in checked) / len(checked)


def fact_score(claims: Sequence[Claim]) -> float | None:
    """Return claims that a source found says / claims that state something, 0 to 1.

    Unlike `support_rate` it counts a sentence that cites nothing, as supported where a passage
    matches it. After FactScore (Min et al., "FActScore: Fine-grained Atomic Evaluation of Factual
    Precision in Long Form Text Generation", EMNLP 2023), with sentences as its facts and the
    support check instead of its models.
    """
    stating = [claim for claim in claims if claim.support is not Support.UNCHECKED]
    if not stating:
        return None
    return sum(claim.support is not Support.UNSUPPORTED for claim in stating) / len(stating)


def citation_measures(
    cited: Sequence[Place], sources: Sequence[GoldenSource]
) -> tuple[float | None, float | None]:
    """Return citation precision and recall, both 0 to 1.

    Precision: citations that lead to a named place / citations; None if nothing is cited. Recall:
    named places that a citation leads to / named places. If an answer quotes several spans of one
    passage, each counts as a citation.

    After Gao et al., "Enabling Large Language Models to Generate Text with Citations", EMNLP 2023,
    with the places of the golden set instead of their entailment model.
    """
    if not sources:
        return None, None
    found = found_sources(cited, sources)
    reached = {number for numbers in found for number in numbers}
    precision = sum(map(bool, found)) / len(found) if found else None
    return precision, len(reached) / len(sources)


def orphan_rate(answer: Answer) -> float | None:
    """Return marks [n] without a source plus sources without a mark / all marks and sources.

    0 to 1; a correct program has 0.
    """
    marked = {int(found.group(1)) for found in _MARK.finditer(_CODE.sub("", answer.text))}
    listed = {citation.number for citation in answer.citations}
    if not marked | listed:
        return None
    return len(marked ^ listed) / len(marked | listed)


def verbatim_rate(answer: Answer, page_texts: Mapping[tuple[str, int], str]) -> float | None:
    """Return the share of sentences that a cited page contains word for word, 0 to 1.

    The citation's span of the stored page must equal its quote, and the quote must contain the
    sentence. Below 1 if a model writes in its own words; None for an answer without sentences.
    """
    if not answer.claims:
        return None
    cited = {citation.number: citation for citation in answer.citations}
    verbatim = 0
    for claim in answer.claims:
        words = collapse(plain_words(answer.text[claim.start : claim.end]))
        quotes = (_stored_quote(cited.get(number), page_texts) for number in claim.numbers)
        verbatim += bool(words) and any(words in collapse(quote) for quote in quotes)
    return verbatim / len(answer.claims)


def _stored_quote(citation: Citation | None, page_texts: Mapping[tuple[str, int], str]) -> str:
    """Return the quote of a citation if it equals its span of the stored page, else ""."""
    if citation is None:
        return ""
    page = page_texts.get((citation.document_id, citation.page_ordinal), "")
    return citation.quote if page[citation.start : citation.end] == citation.quote else ""


def of_case(case: Case) -> Measures:
    """Measure where the citations lead, and the answer against its passages."""
    answer, sources = case.answer, case.sources
    places = [places_of_citation(citation) for citation in answer.citations]
    cited = [place for each in places for place in each]
    precision, recall = citation_measures(cited, sources)
    found: Measures = {"citation_precision": precision, "citation_recall": recall}
    documents, pages = case.named_documents, case.named_pages
    if documents:
        found["cited_document"] = float(any(place.document in documents for place in cited))
        found["cited_first"] = float(any(place.document in documents for place in cited[:1]))
    if pages:
        found["cited_page"] = float(any((place.document, place.page) in pages for place in cited))
    if not case.text:
        return found
    hits = answer.search.hits if answer.search else ()
    passages = [hit.context or hit.chunk.text for hit in hits]
    flags = hallucination_flags(case.text, passages, case.item.question)
    return {
        **found,
        "novel": flags.novel,
        "flag_tokens": flags.by_tokens,
        "flag_names": flags.by_names,
        "similarity": flags.similarity,
        "flag_tfidf": flags.by_tfidf,
        "support_rate": support_rate(answer.claims),
        "fact_score": fact_score(answer.claims),
        "verbatim": verbatim_rate(answer, case.page_texts),
        "orphans": orphan_rate(answer),
    }


FAMILY = Family(
    "Grounding",
    (
        Measure(
            "support_rate", "Support rate", "Checked sentences that their source supports, 0 to 1."
        ),
        Measure("fact_score", "Fact score", "Claims, cited or not, that a source says, 0 to 1."),
        Measure("verbatim", "Word for word", "Sentences that their source contains, 0 to 1.", 0),
        Measure(
            "citation_precision",
            "Citation precision",
            "Citations of expected places, 0 to 1.",
        ),
        Measure("citation_recall", "Citation recall", "Expected places that are cited, 0 to 1."),
        Measure(
            "cited_document",
            "Right document cited",
            "An expected document is cited, 0 or 1.",
        ),
        Measure(
            "cited_first",
            "Right document first",
            "The first citation is of one, 0 or 1.",
        ),
        Measure("cited_page", "Right page cited", "An expected page is cited, 0 or 1."),
        Measure(
            "orphans", "Orphan citations", "Marks without a source, sources without a mark.", -1
        ),
        Measure("flag_tokens", "Flag: words", "Over half of the content words are in no hit.", -1),
        Measure("flag_names", "Flag: names, numbers", "A name or number is in no hit.", -1),
        Measure("flag_tfidf", "Flag: TF-IDF", "No hit is similar (TF-IDF cosine below 0.1).", -1),
        Measure("novel", "New words", "Content words that are in no hit, 0 to 1.", -1),
        Measure(
            "similarity",
            "TF-IDF cosine",
            "TF-IDF cosine with the nearest hit, 0 to 1.",
        ),
    ),
    of_case,
)
