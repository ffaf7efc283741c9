"""What an answer says against what was found: by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from core.evaluation.golden.sets import GoldenItem, GoldenSource
from core.evaluation.measures.family import Case
from core.evaluation.measures.grounding import (
    citation_measures,
    fact_score,
    hallucination_flags,
    orphan_rate,
    support_rate,
    verbatim_rate,
)
from core.evaluation.measures.judged import grade_counts, judged_measures
from core.evaluation.measures.matching import Place
from core.evaluation.measures.registry import score
from core.evaluation.runs.evidence import found_hits, right_citations
from core.evaluation.runs.results import Grade, Judgement
from core.text.terms import terms
from core.types import Claim, Spent, Support
from tests.evaluation.made import TEXT, answer, citation, hit, refusal, result


def test_an_answer_from_the_passages_is_not_flagged() -> None:
    flags = hallucination_flags("He moved to New York in 1884.", [TEXT], "Where did he move?")
    assert (flags.novel, flags.by_tokens, flags.by_names, flags.by_tfidf) == (0.0, 0.0, 0.0, 0.0)
    assert flags.similarity > 0.3


def test_each_flag_sees_its_own_fault() -> None:
    other = hallucination_flags("He moved to New York in 1885.", [TEXT], "Where?")
    assert (other.by_tokens, other.by_names, other.by_tfidf) == (0.0, 1.0, 0.0)
    # six words of content of which one stands in the passage
    strange = hallucination_flags("purple bananas sing loudly near pigeons", [TEXT], "Where?")
    assert strange.novel == pytest.approx(5 / 6)
    assert strange.by_tokens == 1.0
    unlike = hallucination_flags("purple bananas sing loudly", [TEXT], "Where?")
    assert (unlike.similarity, unlike.by_tfidf, unlike.by_names) == (0.0, 1.0, 0.0)
    assert hallucination_flags("", [TEXT], "?").novel is None
    assert hallucination_flags("words", [], "?").by_tfidf is None


def test_similarity_agrees_with_sklearn() -> None:
    def keys(text: str) -> list[str]:
        return [term.key for term in terms(text) if term.kind != "stop"]

    texts = ["He moved to New York, and to York again.", TEXT, "York is in England.", "", "of the"]
    vectors = TfidfVectorizer(analyzer=keys).fit_transform(texts)
    expected = (vectors[1:] @ vectors[0].T).toarray().max()
    assert hallucination_flags(texts[0], texts[1:], "").similarity == pytest.approx(expected)


def test_support_rate_counts_checked_sentences_alone() -> None:
    def claim(support: Support) -> Claim:
        return Claim(0, 1, (), support)

    kinds = [Support.VERBATIM, Support.SUPPORTED, Support.UNSUPPORTED, Support.UNCHECKED]
    assert support_rate([claim(kind) for kind in kinds]) == pytest.approx(2 / 3)
    assert support_rate([claim(Support.MATCHED)]) is None


def test_citation_precision_and_recall_by_hand() -> None:
    sources = [GoldenSource("a", 1), GoldenSource("b", 2)]
    cited = [Place("a", 1), Place("a", 9), Place("a", 1)]
    assert citation_measures(cited, sources) == (pytest.approx(2 / 3), 0.5)
    assert citation_measures([], sources) == (None, 0.0)
    assert citation_measures(cited, []) == (None, None)


def test_orphans_are_marks_without_sources_and_sources_without_marks() -> None:
    assert orphan_rate(answer("Yes. [1]", (citation(1),))) == 0.0
    assert orphan_rate(answer("Yes. [1] [7]", (citation(1), citation(2)))) == pytest.approx(2 / 3)
    assert orphan_rate(answer("`a[3]` and \\[4\\] and [5](x)", ())) is None


def test_a_sentence_is_verbatim_where_a_cited_span_of_its_page_holds_it() -> None:
    cited = replace(citation(quote="He moved."), start=4, end=13)
    claims = (Claim(0, 9, (1,), Support.VERBATIM), Claim(14, 25, (1,), Support.SUPPORTED))
    said = answer("He moved. [1] She stayed. [1]", (cited,), claims=claims)
    assert verbatim_rate(said, {("d1", 0): "Yes He moved. Then."}) == 0.5
    assert verbatim_rate(said, {("d1", 0): "He moved."}) == 0.0  # the span says something else
    assert verbatim_rate(said, {}) == 0.0
    assert verbatim_rate(replace(said, claims=()), {}) is None


def test_the_first_citation_counts_alone_too() -> None:
    sources = (GoldenSource("d2"),)
    both = answer(citations=(citation(1), citation(2, "d2")))
    found = score(Case(item(), both, sources))
    assert (found["cited_document"], found["cited_first"]) == (1.0, 0.0)


def item(**named: object) -> GoldenItem:
    return GoldenItem("q", "Where did Tesla move?", ("New York",), **named)


def test_all_measures_of_an_answer() -> None:
    sources = (GoldenSource("d1", 1),)
    found = score(Case(item(sources=sources), answer(), sources))
    assert (found["ndcg"], found["recall"], found["mrr"], found["precision"]) == (1, 1, 1, 1)
    assert (found["page_hit"], found["document_hit"], found["hit_cosine"]) == (1.0, 1.0, 0.6)
    assert (found["contains"], found["exact"]) == (1.0, 0.0)
    assert (found["citation_precision"], found["citation_recall"]) == (1.0, 1.0)
    assert (found["cited_document"], found["cited_page"]) == (1.0, 1.0)
    assert (found["support_rate"], found["orphans"], found["flag_names"]) == (1.0, 0.0, 0.0)
    assert (found["abstained"], found["abstained_wrong"]) == (0.0, 0.0)
    assert "abstained_right" not in found
    assert found["seconds_search"] == pytest.approx(0.3)
    assert found["seconds_answer"] == pytest.approx(0.2)
    assert (found["seconds_dense"], found["calls"], found["sentences"]) == (0.2, 0.0, 1.0)
    assert "bertscore" not in found


def test_a_refusal_is_a_miss_and_has_no_grounding() -> None:
    sources = (GoldenSource("d1", 2),)
    found = score(Case(item(sources=sources), refusal(), sources))
    assert (found["contains"], found["f1"], found["rougeL"]) == (0.0, 0.0, 0.0)
    assert (found["citation_precision"], found["citation_recall"]) == (None, 0.0)
    assert (found["abstained_wrong"], found["page_hit"]) == (1.0, 0.0)
    assert "flag_tokens" not in found
    assert "sentences" not in found


def test_an_unanswerable_question_is_measured_by_its_refusal() -> None:
    found = score(Case(item(answerable=False), refusal()))
    assert found["abstained_right"] == 1.0
    assert not {"f1", "ndcg", "abstained_wrong"} & found.keys()


def test_what_was_found_and_cited_is_told_right_from_wrong() -> None:
    sources = (GoldenSource("d1", 1),)
    shown = found_hits((hit(), hit("d2")), sources)
    assert [found.right for found in shown] == [True, False]
    assert (shown[0].label, shown[0].place, shown[0].score) == ("d1.pdf", "page 1", 0.5)
    assert right_citations((citation(), citation(2, page=7)), sources) == (True, False)
    assert right_citations((citation(),), ()) == (None,)


def test_each_quoted_stretch_of_a_citation_counts() -> None:
    quote = "One two three four five. Six seven eight nine ten. Red green blue black white."
    cited = replace(citation(), start=100, end=178, quote=quote, spans=((100, 124), (151, 178)))
    first = GoldenSource("d1", quote="One two three four five.")
    between = GoldenSource("d1", quote="Six seven eight nine ten.")
    found = score(Case(item(), answer(citations=(cited,)), (first, between)))
    assert (found["citation_precision"], found["citation_recall"]) == (0.5, 0.5)
    assert right_citations((cited,), (between,)) == (False,)


def test_a_judgement_in_numbers() -> None:
    assert judged_measures(Judgement("correct", 1.0, 0.5)) == {
        "not_graded": 0.0, "faithfulness": 1.0, "relevance": 0.5,
        "correct": 1.0, "attempted": 1.0, "given_attempted": 1.0,
    }  # fmt: skip
    sourced = judged_measures(Judgement(None, citations=1.0, sources=0.25))
    assert (sourced["judged_citations"], sourced["judged_sources"]) == (1.0, 0.25)
    assert "judged_retrieval" not in sourced
    lazy = judged_measures(Judgement("not attempted"))
    assert (lazy["correct"], lazy["attempted"], "given_attempted" in lazy) == (0.0, 0.0, False)
    assert judged_measures(Judgement(None)) == {
        "not_graded": 1.0, "faithfulness": None, "relevance": None
    }  # fmt: skip


def test_facts_are_claims_whether_they_cite_or_not() -> None:
    kinds = (Support.VERBATIM, Support.SUPPORTED, Support.MATCHED, Support.UNSUPPORTED)
    claims = [Claim(0, 1, (), kind) for kind in (*kinds, Support.UNCHECKED)]
    assert fact_score(claims) == 0.75
    assert support_rate(claims) == pytest.approx(2 / 3)
    assert fact_score(claims[-1:]) is fact_score([]) is None


def test_grades_are_counted_where_a_judge_read() -> None:
    grades: tuple[Grade | None, ...] = ("correct", "correct", "incorrect", "not attempted", None)
    judged = [result(at, **judged_measures(Judgement(one))) for at, one in enumerate(grades)]
    assert grade_counts([*judged, result(9, contains=1.0)]) == {
        "correct": 2, "incorrect": 1, "not attempted": 1, "not graded": 1
    }  # fmt: skip
    assert grade_counts([result(9, contains=1.0)]) == {}


def test_tokens_and_dollars_of_every_stage() -> None:
    planning = Spent("planning", "ollama", "small", 2, 100, 20, 0.5, 0.001)
    answering = Spent("answering", "ollama", "big", 1, 1000, 50, 2.0, 0.01)
    found = score(Case(item(), replace(answer(), spent=(planning, answering))))
    assert (found["calls"], found["tokens_planning"], found["tokens_answering"]) == (3, 120, 1050)
    assert (found["seconds_model_planning"], found["seconds_model_answering"]) == (0.5, 2.0)
    assert found["dollars"] == pytest.approx(0.011)
    unpriced = replace(planning, cost=None)
    assert "dollars" not in score(Case(item(), replace(answer(), spent=(unpriced, answering))))
