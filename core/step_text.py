"""Steps of the work in words, for the faces (pure)."""

from __future__ import annotations

from typing import assert_never

from core.types import Step
from core.types.steps import (
    ByMethod,
    Condensed,
    ContextBuilt,
    Diversified,
    Fused,
    Graded,
    Interleaved,
    LevelChosen,
    NameFollowed,
    PassagesRead,
    Planned,
    Queried,
    Sectioned,
    Waiting,
    WebIndexed,
    WebPageRead,
    WebQueried,
    WebSearched,
)

_WITHOUT_DETAIL = {
    "join": "neighbours on the page",
    "summary": "of what was kept",
    "votes": "for collected answers",
    "sentences": "compared with the question",
}
_BY = {"yours": "yours", "model": "by the model", "words": "of its words"}
_LONGEST = 200
"""Characters of what an engine says besides results."""


def step_text(step: Step) -> str:
    """What a step did, in words; "" where its name says it all.

    >>> step_text(Step("diversify", Diversified(0.95)))
    'MMR, lambda 0.95'
    """
    match step.detail:
        case str(text):
            return text or _WITHOUT_DETAIL.get(step.name, "")
        case LevelChosen(level, reason):
            return f"{level}: {reason}"
        case Planned(goal, queries):
            return f"{goal}: {'; '.join(queries)}" if queries else goal
        case Queried(query):
            return f"{query.text} ({query.why})"
        case NameFollowed(name):
            return f"the first hits name {name}"
        case ByMethod(method, failure, least=least):
            words = f"{method} reads its sources once more" if step.name == "judging" else method
            words = words if least is None else f"{words}, from a likeness of {least:.2f} on"
            return f"left out: {failure}" if failure else words
        case Fused() as fused:
            return _fused(fused)
        case Diversified(mmr_lambda):
            return f"MMR, lambda {mmr_lambda:g}"
        case Interleaved(lists):
            return f"among {lists} lists"
        case Graded(kept, shown, enough, query):
            outcome = "enough" if enough else f"next: {query or 'nothing more'}"
            return f"kept {kept} of {shown}; {outcome}"
        case Sectioned(titles, searches, seconds):
            limits = f"at most {searches} searches and {_minutes(seconds)}"
            return f"{'; '.join(titles)} ({limits})"
        case WebQueried(queries, by, time_range, withheld):
            since = f", of the last {time_range}" if time_range else ""
            said = f"{' | '.join(queries)} ({_BY[by]}{since})"
            if withheld:
                said += f"; not sent, as you did not type it: {', '.join(withheld)}"
            return said
        case WebSearched() as searched:
            return _searched(searched)
        case WebPageRead() as page:
            return _page(page)
        case WebIndexed(passages, pages):
            return f"{passages} passages of {pages} page{'' if pages == 1 else 's'}"
        case Waiting(place):
            return f"Place {place} in the queue"
        case ContextBuilt(given, found, tokens):
            return f"{given} of {found} passages, about {tokens:,} tokens"
        case Condensed(read, total):
            return f"passages up to {read} of {total}" if total else "notes on notes"
        case PassagesRead(read, total, matching):
            return f"{read:,} of {total:,} passages, {matching:,} match"
        case _ as unknown:
            assert_never(unknown)


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.3g} min" if seconds >= 60 else f"{seconds:g} s"


def _fused(fused: Fused) -> str:
    if fused.mode != "hybrid":
        words = f"by {'meaning' if fused.mode == 'dense' else 'words'} alone"
    elif fused.fusion == "rrf":
        words = "reciprocal ranks"
    else:
        words = f"weighted, {fused.dense_weight:g} by meaning"
    return f"{words}; named: {', '.join(fused.named)}" if fused.named else words


def _searched(searched: WebSearched) -> str:
    """The query with what the engines said besides results."""
    if searched.failure:
        return f"{searched.query}: {searched.failure}"
    parts = [
        searched.query,
        f"did you mean {searched.correction}?" if searched.correction else "",
        f"see also: {', '.join(searched.suggestions)}" if searched.suggestions else "",
        f"an engine says: {searched.answer[:_LONGEST]}" if searched.answer else "",
        f"in brief: {searched.infobox[:_LONGEST]}" if searched.infobox else "",
        f"no answer from {', '.join(searched.silent)}" if searched.silent else "",
        f"{searched.refused} addresses refused" if searched.refused else "",
    ]
    return " · ".join(filter(None, parts))


def _page(page: WebPageRead) -> str:
    if page.reused:
        return f"{page.title}: read earlier, used again"
    if page.failure:
        return f"{page.url}: {page.failure}"
    dropped = ", ".join(f"{count} {reason}" for reason, count in page.dropped)
    parts = [
        f"{page.kept} of {page.passages} passages",
        f"dropped {dropped}" if dropped else "",
        f"published {page.published}" if page.published else "",
    ]
    return f"{page.title or page.url} ({page.url}): {', '.join(filter(None, parts))}"
