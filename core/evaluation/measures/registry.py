"""Every measure by its name: what it is called, what it says, and which way is better (pure).

The formulas stand with the functions that compute them; the pages show `about` as help.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure. `better` is 1 if more is better, -1 if less is, 0 if it is neither."""

    name: str
    family: str
    title: str
    about: str
    better: int = 1
    unit: str = ""


def _family(family: str, *rows: tuple[str, str, str] | tuple[str, str, str, int]) -> list[Measure]:
    return [Measure(row[0], family, row[1], row[2], row[3] if len(row) > 3 else 1) for row in rows]


_ALL = [
    *_family(
        "Retrieval",
        ("ndcg", "nDCG", "Right places high in the list, 0 to 1."),
        ("recall", "Recall", "Named places that were found, 0 to 1."),
        ("mrr", "MRR", "1 / rank of the first right hit, 0 to 1."),
        ("precision", "Precision", "Hits that lead to a named place, 0 to 1."),
        ("page_hit", "Page hit", "A hit on a named page, 0 or 1."),
        ("document_hit", "Document hit", "A hit in a named document, 0 or 1."),
        ("hit_cosine", "Hit cosine", "Mean cosine of question and hits, -1 to 1.", 0),
    ),
    *_family(
        "Answers",
        ("f1", "Token F1", "Words in common with the expected answer (SQuAD), 0 to 1."),
        ("exact", "Exact match", "Equal to the expected answer (SQuAD), 0 or 1."),
        ("contains", "Contains", "The expected answer stands in the answer, 0 or 1."),
        ("rouge1", "ROUGE-1", "Single words in common, F-measure, 0 to 1."),
        ("rouge2", "ROUGE-2", "Pairs of words in common, F-measure, 0 to 1."),
        ("rougeL", "ROUGE-L", "Longest common sequence of words, F-measure, 0 to 1."),
        ("bertscore", "BERTScore", "Token vectors matched greedily, F1, on MiniLM, 0 to 1."),
        (
            "bertscore_rescaled",
            "BERTScore, rescaled",
            "0 is what unrelated sentences have; below 0 is possible.",
        ),
        ("numeric", "Numeric match", "The expected numbers within 1 %, 0 or 1."),
    ),
    *_family(
        "Grounding",
        ("support_rate", "Support rate", "Checked sentences that their source supports, 0 to 1."),
        ("citation_precision", "Citation precision", "Citations that lead to a named place."),
        ("citation_recall", "Citation recall", "Named places that are cited."),
        ("cited_document", "Right document cited", "A citation in a named document, 0 or 1."),
        ("cited_page", "Right page cited", "A citation on a named page, 0 or 1."),
        ("orphans", "Orphan citations", "Marks without a source, sources without a mark.", -1),
        ("flag_tokens", "Flag: words", "Over half of its content words are in no hit.", -1),
        ("flag_names", "Flag: names, numbers", "A name or number is in no hit.", -1),
        ("flag_tfidf", "Flag: TF-IDF", "No hit resembles it (cosine below 0.1).", -1),
        ("novel", "New words", "Content words that are in no hit, 0 to 1.", -1),
        ("similarity", "TF-IDF cosine", "With the nearest hit, 0 to 1."),
    ),
    *_family(
        "Abstention",
        ("abstained", "Abstained", "Share of questions that were refused.", 0),
        ("abstained_right", "Refused unanswerable", "Recall of refusing, 0 to 1."),
        ("abstained_wrong", "Refused answerable", "Answerable questions refused, 0 to 1.", -1),
        ("abstention_precision", "Precision of refusing", "Refusals that were right, 0 to 1."),
        ("abstention_auc", "AUC of confidence", "An answerable question has more confidence."),
        ("confidence", "Confidence", "The program's own estimate, 0 to 1.", 0),
    ),
    *_family(
        "Judged",
        ("correct", "Correct", "Correct / graded, by a model in the way of SimpleQA."),
        ("attempted", "Attempted", "Graded answers that attempt one, 0 to 1.", 0),
        ("given_attempted", "Correct given attempted", "Correct / attempted, 0 to 1."),
        ("judged_f", "F-score", "Harmonic mean of the two, 0 to 1."),
        ("faithfulness", "Faithfulness", "Says nothing but what the passages say, 0 to 1."),
        ("relevance", "Relevance", "Answers what was asked, 0 to 1."),
        ("not_graded", "Not graded", "Answers that the judge did not grade.", -1),
    ),
    *_family(
        "Cost",
        ("seconds", "Seconds", "Wall time of a question.", -1),
        ("seconds_search", "Seconds of searching", "Wall time of all steps of the search.", -1),
        ("seconds_answer", "Seconds of answering", "Wall time of what is not searching.", -1),
        ("tokens_prompt", "Prompt tokens", "As the server counted them.", -1),
        ("tokens_answer", "Answer tokens", "As the server counted them.", -1),
        ("calls", "Model calls", "Requests to a language model, judging not counted.", -1),
        ("sentences", "Sentences", "In an answer that is no refusal.", 0),
        ("errors", "Errors", "Questions that failed.", -1),
    ),
]
MEASURES: dict[str, Measure] = {measure.name: measure for measure in _ALL}
HEADLINES = (
    "contains", "f1", "rougeL", "bertscore", "correct", "ndcg", "recall", "cited_document",
    "cited_page", "citation_precision", "support_rate", "abstained_right", "abstained_wrong",
    "seconds",
)  # fmt: skip
"""What is shown first, where it was measured."""


def title_of(name: str, k: int | None = None) -> str:
    """What a measure is called; `k` is the cut-off of the ranking.

    >>> title_of("ndcg", 5), title_of("seconds_understood")
    ('nDCG@5', 'Seconds: understood')
    """
    if name not in MEASURES:
        head, _, rest = name.partition("_")
        return f"{head.capitalize()}: {rest.replace('_', ' ')}" if rest else name
    title = MEASURES[name].title
    cut = name in ("ndcg", "recall", "mrr", "precision") and k is not None
    return f"{title}@{k}" if cut else title


def better(name: str) -> int:
    """1 if more is better, -1 if less is, 0 if neither."""
    if name in MEASURES:
        return MEASURES[name].better
    return -1 if name.startswith("seconds_") else 0
