"""Compare two runs: each measure, and questions that became right or wrong (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.evaluation.measures.registry import MEASURES, better
from core.evaluation.measures.statistics import Difference, paired_difference
from core.evaluation.runs.results import Result

SIDES = ("correct", "contains", "abstained_right", "exact", "page_hit", "document_hit", "f1")
_RIGHT = 0.5


@dataclass(frozen=True, slots=True)
class Changed:
    """A question that one run answers well and the other does not, by `measure`."""

    question: str
    measure: str
    a: Result
    b: Result
    won: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison over common questions: differences of measures, and changed questions."""

    shared: int
    only_a: int
    only_b: int
    differences: dict[str, Difference]
    changed: tuple[Changed, ...]

    def verdict(self, name: str) -> str:
        """Return in words whether b is better than a by this measure."""
        found = self.differences[name]
        if not found.significant or not better(name):
            return "no clear difference" if not found.significant else "different"
        return "better" if (found.mean > 0) == (better(name) > 0) else "worse"


def compare(a: Sequence[Result], b: Sequence[Result]) -> Comparison:
    """Pair two runs by their questions (id and text, follow-ups with the questions before them)."""
    one, other = _by_question(a), _by_question(b)
    shared = [key for key in one if key in other]
    pairs = [(one[key], other[key]) for key in shared]
    differences = {}
    for name in _names(pairs):
        known = [
            (x, y)
            for left, right in pairs
            if (x := left.measures.get(name)) is not None
            and (y := right.measures.get(name)) is not None
        ]
        if known:
            differences[name] = paired_difference([x for x, _ in known], [y for _, y in known])
    changed = [found for pair in pairs if (found := _changed(*pair))]
    return Comparison(
        len(shared), len(one) - len(shared), len(other) - len(shared), differences, tuple(changed)
    )


def _by_question(results: Sequence[Result]) -> dict[tuple[str, ...], Result]:
    return {(r.item.id, r.item.question, *r.item.follows): r for r in results if not r.error}


def _names(pairs: Sequence[tuple[Result, Result]]) -> list[str]:
    """Return the measures that both runs have, registered ones first in their order."""
    found = {name for a, b in pairs for name in a.measures.keys() & b.measures.keys()}
    known = [name for name in MEASURES if name in found]
    return known + sorted(found - set(known))


def _changed(a: Result, b: Result) -> Changed | None:
    """Compare by the first measure of `SIDES` that both have; 0.5 is the threshold."""
    for name in SIDES:
        one, other = a.measures.get(name), b.measures.get(name)
        if one is not None and other is not None:
            if (one >= _RIGHT) == (other >= _RIGHT):
                return None
            return Changed(a.item.question, name, a, b, won=other > one)
    return None
