"""Measures of one answer against the expected ones (pure).

If several answers are accepted, the best value counts, as in SQuAD's evaluation. Every value is
between 0 and 1, or None if there is nothing to compare with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from core.citations.mark import plain_words
from core.evaluation.golden.sets import normalised
from core.evaluation.measures.bertscore import bertscore, rescaled
from core.evaluation.measures.family import Case, Family, Measure
from core.evaluation.runs.results import Measures

_WITHIN = 0.01
_NUMBER = re.compile(r"(?<![\w.])-?\(?[$€£¥]?\s?(\d[\d,]*(?:\.\d+)?|\.\d+)\)?")
_TOKEN = re.compile(r"[^\W_]+")


def exact_match(answer: str, accepted: Sequence[str]) -> float | None:
    """Return 1 if the answer equals an accepted one after SQuAD's normalisation, else 0.

    Source: Rajpurkar et al., "SQuAD", EMNLP 2016; its `evaluate-v1.1.py`. Range 0 or 1.

    >>> exact_match("The Eiffel Tower!", ["eiffel tower"])
    1.0
    """
    return _best(accepted, lambda one: float(normalised(answer) == normalised(one)))


def token_f1(answer: str, accepted: Sequence[str]) -> float | None:
    """Return the harmonic mean of precision and recall over the words of both answers.

    With c the number of words in common (each as often as it is in both): P = c / words of the
    answer, R = c / words of the accepted one, F1 = 2PR / (P + R); two empty texts agree.
    Source: Rajpurkar et al., 2016. Range 0 to 1.

    >>> token_f1("in the year 1884", ["1884"])
    0.5
    """
    return _best(accepted, lambda one: _f1(normalised(answer).split(), normalised(one).split()))


def _f1(words: Sequence[str], wanted: Sequence[str]) -> float:
    if not words or not wanted:
        return float(list(words) == list(wanted))
    common = sum((Counter(words) & Counter(wanted)).values())
    if not common:
        return 0.0
    precision, recall = common / len(words), common / len(wanted)
    return 2 * precision * recall / (precision + recall)


def contains(answer: str, accepted: Sequence[str]) -> float | None:
    """Return 1 if the answer contains an accepted one, both normalised as in SQuAD, else 0."""
    text = normalised(answer)
    known = [one for one in accepted if normalised(one)]
    return _best(known, lambda one: float(normalised(one) in text))


ROUGE = ("rouge1", "rouge2", "rougeL")


def rouge(answer: str, accepted: Sequence[str]) -> dict[str, float | None]:
    """Return ROUGE-1, ROUGE-2 and ROUGE-L as F-measures, by rouge-score, without stemming.

    ROUGE-N: F1 over the runs of N words in common. ROUGE-L: with l the length of the longest
    common subsequence of words, P = l / words of the answer, R = l / words of the accepted one,
    F1 of the two. Words are runs of letters and digits of any script in lower case (the package's
    own splitting knows a to z alone). Source: Lin, "ROUGE: A Package for Automatic Evaluation of
    Summaries", ACL 2004. Range 0 to 1.
    """
    if not accepted:
        return dict.fromkeys(ROUGE)
    scored = [_rouge_scorer().score(one, answer) for one in accepted]
    return {name: max(float(one[name].fmeasure) for one in scored) for name in ROUGE}


class WordTokenizer:
    """The tokenizer for rouge-score: words of any script in lower case."""

    def tokenize(self, text: str) -> list[str]:
        return _TOKEN.findall(text.lower())


@lru_cache(maxsize=1)
def _rouge_scorer() -> Any:
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(list(ROUGE), tokenizer=WordTokenizer())


def numeric_match(answer: str, accepted: Sequence[str]) -> float | None:
    """Return 1 if the answer has every number of an accepted answer within 1 %, else 0.

    Numbers are read with thousands commas and decimal points; signs, currencies and percent signs
    are ignored, as losses are written both as -5 and as (5). |a - b| <= 0.01 |b|. None if no
    accepted answer has a number. Range 0 or 1.

    >>> numeric_match("It was about $1,580 million.", ["$1577.00"])
    1.0
    """
    found = numbers(answer)
    wanted = [values for values in map(numbers, accepted) if values]
    if not wanted:
        return None
    return float(any(all(_near(value, found) for value in values) for values in wanted))


def numbers(text: str) -> list[float]:
    """Return the numbers in a text, without signs.

    >>> numbers("$1,577.00 in 2018, (3.5)% less")
    [1577.0, 2018.0, 3.5]
    """
    return [float(found.replace(",", "")) for found in _NUMBER.findall(text)]


def _near(value: float, found: Sequence[float]) -> bool:
    return any(abs(one - value) <= _WITHIN * abs(value) for one in found)


def _best(accepted: Sequence[str], measure: Callable[[str], float]) -> float | None:
    return max(map(measure, accepted)) if accepted else None


def of_case(case: Case) -> Measures:
    """Compare the answer's text with the accepted answers, if the item has some."""
    text, accepted = case.text, case.item.answers
    if not case.item.answerable or not accepted:
        return {}
    cleaned = [plain_words(one) for one in accepted]  # as the answer is
    found: Measures = {
        "f1": token_f1(text, accepted),
        "exact": exact_match(text, accepted),
        "contains": contains(text, accepted),
        "contains_first": contains(case.first_sentence, accepted),
        "words": None if case.refused else float(len(_TOKEN.findall(text))),
        **rouge(text, cleaned),
        "numeric": numeric_match(text, accepted),
    }
    if case.encode is not None:
        found["bertscore"] = value = bertscore(text, cleaned, case.encode)
        found["bertscore_rescaled"] = None if value is None else rescaled(value)
    return found


FAMILY = Family(
    "Answers",
    (
        Measure("f1", "Token F1", "F1 of words shared with the expected answer (SQuAD), 0 to 1."),
        Measure("exact", "Exact match", "Equal to the expected answer (SQuAD), 0 or 1."),
        Measure("contains", "Contains", "The answer contains the expected one, 0 or 1."),
        Measure(
            "contains_first",
            "First sentence contains",
            "The first sentence contains the expected answer, 0 or 1.",
        ),
        Measure("words", "Words", "Words in an answer.", 0),
        Measure("rouge1", "ROUGE-1", "Single words in common, F-measure, 0 to 1."),
        Measure("rouge2", "ROUGE-2", "Pairs of words in common, F-measure, 0 to 1."),
        Measure("rougeL", "ROUGE-L", "Longest common sequence of words, F-measure, 0 to 1."),
        Measure("bertscore", "BERTScore", "Token vectors matched greedily, F1, on MiniLM, 0 to 1."),
        Measure(
            "bertscore_rescaled",
            "BERTScore, rescaled",
            "BERTScore scaled so that unrelated sentences have 0; it can be negative.",
        ),
        Measure("numeric", "Numeric match", "The expected numbers within 1 %, 0 or 1."),
    ),
    of_case,
)
