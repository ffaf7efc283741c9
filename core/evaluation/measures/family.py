"""A measure, the case that it measures, and the family that computes it (pure)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from core.citations.mark import plain_words
from core.evaluation.golden.sets import GoldenItem, GoldenSource
from core.evaluation.measures.bertscore import Encode
from core.evaluation.runs.results import Judgement, Measures, Result
from core.types import Answer


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure. `better` is 1 if more is better, -1 if less is, 0 if it is neither.

    `about` is the help shown on pages; `at_k` marks measures of the first k hits.
    """

    name: str
    title: str
    about: str
    better: int = 1
    at_k: bool = False


@dataclass(frozen=True)
class Case:
    """One answered question with everything that measures need.

    `sources` are the item's, with document ids instead of names; `k` is the cut-off of
    the ranking; `page_texts` holds the stored text of cited pages by (document id, ordinal).
    """

    item: GoldenItem
    answer: Answer
    sources: Sequence[GoldenSource] = ()
    k: int = 5
    encode: Encode | None = None
    judgement: Judgement | None = None
    page_texts: Mapping[tuple[str, int], str] = field(default_factory=dict)

    @property
    def refused(self) -> bool:
        """Whether the answer is a refusal."""
        return self.answer.abstention is not None

    @cached_property
    def text(self) -> str:
        """The answer without its marks and markup, empty for a refusal."""
        return "" if self.refused else plain_words(self.answer.text)

    @cached_property
    def first_sentence(self) -> str:
        """The answer's first sentence without marks and markup, empty for a refusal."""
        if self.refused or not self.answer.claims:
            return ""
        first = self.answer.claims[0]
        return plain_words(self.answer.text[first.start : first.end])

    @property
    def named_documents(self) -> set[str]:
        """The ids of the documents that the item names."""
        return {source.document for source in self.sources}

    @property
    def named_pages(self) -> set[tuple[str, int | None]]:
        """The pages that the item names, by document id and number."""
        return {(one.document, one.page) for one in self.sources if one.page is not None}


def nothing(results: Sequence[Result]) -> Measures:
    """Return no measures; for families without measures of a whole run."""
    return {}


@dataclass(frozen=True, slots=True)
class Family:
    """Measures that are computed together.

    `of_case` returns those of one question; those that cannot be measured are None or left out.
    `of_run` returns measures of a whole run; it gets the results without errors.
    """

    title: str
    measures: tuple[Measure, ...]
    of_case: Callable[[Case], Measures]
    of_run: Callable[[Sequence[Result]], Measures] = nothing
