"""An answer in sections: put together of the answers to each, with one list of sources (pure)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from core.answering.exports.blocks import closing
from core.answering.extractive.refusing import refusal
from core.answering.generative.standing import UNSOURCED
from core.citations.mark import find_marks, mark, without_marks
from core.citations.passages import distinct
from core.text.markdown_quoting import escape_markdown
from core.types import STATES_NOTHING, Answer, Citation, Claim, Notice, SearchResult, Usage
from core.verification.about_sources import lacks

NOT_FOUND_TITLE = "What was not found"


@dataclass
class Report:
    """The sections so far. `text`, `citations` and `claims` are those of the answer to come."""

    text: str = ""
    citations: list[Citation] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    """The titles of the sections that `answers` are of."""
    missing: list[tuple[str, str]] = field(default_factory=list)
    """The titles of sections in which something is missing, and what or why (Markdown)."""

    def add(self, title: str, answer: Answer) -> str:
        """Add a section; return its text, as it is to be shown."""
        numbers = {one.number: self._number(one) for one in answer.citations}
        lead = f"## {escape_markdown(title)}\n\n"
        lead = f"\n\n{lead}" if self.text else lead
        start = len(self.text) + len(lead)
        body, moved = _renumbered(answer.text.rstrip(), numbers)
        for claim in answer.claims:
            self.claims.append(
                replace(
                    claim,
                    start=start + moved(claim.start),
                    end=start + moved(claim.end),
                    numbers=tuple(numbers.get(n, n) for n in claim.numbers if n in numbers),
                    wrong=tuple(numbers[n] for n in claim.wrong if n in numbers),
                )
            )
        given = f"{lead}{body}{closing(body)}"
        self.text += given
        self.answers.append(answer)
        self.titles.append(title)
        self.missing += [(title, lack) for lack in _lacks(answer)]
        return given

    def end(self) -> str:
        """Add what was not found; return its text, "" where nothing is missing."""
        if not self.missing:
            return ""
        lines = [f"- {escape_markdown(title)}: {why}" for title, why in self.missing]
        given = "\n".join([f"## {NOT_FOUND_TITLE}\n", *lines])
        given = f"\n\n{given}" if self.text else given
        self.text += given
        return given

    def answer(
        self,
        result: SearchResult,
        searched: tuple[int, int],
        notices: Sequence[Notice],
        *,
        reached: bool,
    ) -> Answer:
        """The whole answer; `result` is what was found, `reached` whether no section was left out.

        A refusal where every section was looked for and none was found.
        """
        if reached and not self.answers:
            return replace(refusal(result.plan.question, result, 0.0, searched), confidence=None)
        cited = {_key(citation) for citation in self.citations}
        others = {_key(one): one for answer in self.answers for one in answer.unused}
        left = [one for key, one in others.items() if key not in cited]
        return Answer(
            question=result.plan.question,
            text=self.text,
            citations=tuple(self.citations),
            unused=tuple(
                replace(one, number=n) for n, one in enumerate(left, len(self.citations) + 1)
            ),
            claims=tuple(self.claims),
            search=result,
            usage=_summed([one.usage for one in self.answers if one.usage]),
            notices=(*notices, *self._notices(notices)),
            complete=reached and all(one.complete for one in self.answers),
            prompt="\n\n".join(one.prompt for one in self.answers if one.prompt),
        )

    def _notices(self, known: Sequence[Notice]) -> Iterator[Notice]:
        """The notices of the sections; one that is not true of all of them names its own."""
        for notice in dict.fromkeys(one for said in self.answers for one in said.notices):
            pairs = zip(self.titles, self.answers, strict=True)
            of = [title for title, answer in pairs if notice in answer.notices]
            if notice in known:
                continue
            if len(of) < len(self.answers):
                named = ", ".join(f"“{title}”" for title in of)
                notice = replace(notice, text=f"In {named}: {notice.text}")
            yield notice

    def _number(self, citation: Citation) -> int:
        """The number of a citation in the whole: the same for the same passage."""
        for known in self.citations:
            if _key(known) == _key(citation):
                return known.number
        number = len(self.citations) + 1
        self.citations.append(replace(citation, number=number))
        return number


def _lacks(answer: Answer) -> Iterator[str]:
    """What an answer leaves open: what it says is missing, or that no source supports it."""
    if any(notice.code == UNSOURCED for notice in answer.notices):
        yield "No source supports what is written there."
    for claim in answer.claims:
        said = answer.text[claim.start : claim.end]
        if claim.reason == STATES_NOTHING and lacks(said) is not None:
            yield escape_markdown(" ".join(without_marks(said).split()))


def together(result: SearchResult, sections: Sequence[SearchResult]) -> SearchResult:
    """What was found for all sections, each passage once, as one result for the question."""
    hits = distinct([hit for one in sections for hit in one.hits])
    return replace(
        result,
        plan=replace(result.plan, queries=tuple(q for one in sections for q in one.plan.queries)),
        hits=tuple(replace(hit, rank=rank) for rank, hit in enumerate(hits, 1)),
        sent=tuple(sent for one in sections for sent in one.sent),
        notices=tuple(dict.fromkeys(notice for one in sections for notice in one.notices)),
    )


def _renumbered(text: str, numbers: dict[int, int]) -> tuple[str, Callable[[int], int]]:
    """The text with other numbers in its marks, and the function that moves an offset along."""
    parts: list[str] = []
    shifts: list[tuple[int, int]] = []
    at = grown = 0
    for found in find_marks(text, numbers):
        new = mark(numbers[int(found[1])])
        parts += [text[at : found.start()], new]
        at = found.end()
        grown += len(new) - len(found[0])
        shifts.append((found.start(), grown))

    def moved(offset: int) -> int:
        return offset + next((by for start, by in reversed(shifts) if start < offset), 0)

    return "".join([*parts, text[at:]]), moved


def _key(citation: Citation) -> tuple[str, int, int, int, tuple[tuple[int, int], ...]]:
    place = (citation.document_id, citation.page_ordinal, citation.start, citation.end)
    return (*place, citation.spans)


def _summed(usages: Sequence[Usage]) -> Usage | None:
    """The tokens of all requests together; None where no model wrote."""
    if not usages:
        return None
    return replace(
        usages[-1],
        prompt_tokens=_sum(one.prompt_tokens for one in usages),
        prompt_tokens_estimated=_sum(one.prompt_tokens_estimated for one in usages),
        answer_tokens=_sum(one.answer_tokens for one in usages),
        passages_given=sum(one.passages_given for one in usages),
        passages_found=sum(one.passages_found for one in usages),
    )


def _sum(tokens: Iterable[int | None]) -> int | None:
    """The sum; None where one is not known."""
    total = 0
    for count in tokens:
        if count is None:
            return None
        total += count
    return total
