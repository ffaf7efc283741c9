"""The verdicts of a model as judge, in numbers (pure; `judge.py` asks the model)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import get_args

from core.evaluation.measures.family import Case, Family, Measure
from core.evaluation.runs.results import Grade, Judgement, Measures, Result


def of_case(case: Case) -> Measures:
    """Return the judgement in numbers, if there is one."""
    return {} if case.judgement is None else judged_measures(case.judgement)


def judged_measures(judgement: Judgement) -> Measures:
    """Return a judgement as numbers: correct, attempted, correct given attempted are 1 or 0.

    Answers that the judge did not grade have none of these and count only as not graded.
    """
    grade = judgement.grade
    found: Measures = {
        "not_graded": float(grade is None),
        "faithfulness": judgement.faithfulness,
        "relevance": judgement.relevance,
    }
    for name in ("citations", "retrieval", "sources"):
        if (value := getattr(judgement, name)) is not None:
            found[f"judged_{name}"] = value
    if grade is not None:
        attempted = grade != "not attempted"
        found |= {"correct": float(grade == "correct"), "attempted": float(attempted)}
        if attempted:
            found["given_attempted"] = float(grade == "correct")
    return found


NOT_GRADED = "not graded"


def grade_counts(results: Sequence[Result]) -> dict[str, int]:
    """Return how many answers have each grade of a judge, and how many it did not grade.

    Answers that no judge read are left out; {} where there is no other.
    """
    grades = [_grade_of(one.measures) for one in results if "not_graded" in one.measures]
    counts = Counter(grades)
    return {grade: counts[grade] for grade in (*get_args(Grade), NOT_GRADED)} if grades else {}


def _grade_of(measures: Measures) -> str:
    if measures["not_graded"]:
        return NOT_GRADED
    if not measures["attempted"]:
        return "not attempted"
    return "correct" if measures["correct"] else "incorrect"


def of_run(results: Sequence[Result]) -> Measures:
    """Return judged_f = 2AB / (A + B), A = correct / graded, B = correct / attempted (Wei et al.,
    "Measuring short-form factuality in large language models", 2024).
    """
    correct = _mean_of(results, "correct")
    if correct is None:
        return {}
    return {"judged_f": _harmonic(correct, _mean_of(results, "given_attempted") or 0.0)}


def _mean_of(results: Sequence[Result], name: str) -> float | None:
    values = [value for one in results if (value := one.measures.get(name)) is not None]
    return sum(values) / len(values) if values else None


def _harmonic(one: float, other: float) -> float:
    return 2 * one * other / (one + other) if one + other else 0.0


FAMILY = Family(
    "Judged",
    (
        Measure("correct", "Correct", "Correct / graded, by a model as in SimpleQA, 0 to 1."),
        Measure("attempted", "Attempted", "Graded answers that attempt to answer, 0 to 1.", 0),
        Measure("given_attempted", "Correct given attempted", "Correct / attempted, 0 to 1."),
        Measure(
            "judged_f", "F-score", "Harmonic mean of correct and correct given attempted, 0 to 1."
        ),
        Measure("faithfulness", "Faithfulness", "Says only what the passages say, 0 to 1."),
        Measure("relevance", "Relevance", "The answer addresses the question, 0 to 1."),
        Measure(
            "judged_citations",
            "Citations judged",
            "Cited passages say what their sentences do, 0 to 1.",
        ),
        Measure("judged_retrieval", "Retrieval judged", "What was found holds the answer, 0 to 1."),
        Measure("judged_sources", "Sources judged", "What is cited holds the answer, 0 to 1."),
        Measure("not_graded", "Not graded", "Answers that the judge did not grade.", -1),
    ),
    of_case,
    of_run,
)
