"""What the page draws, as plain values: answers, sources, hits, scores (pure).

Everything here ends in JSON for the component (`answer_component.py`), which puts each string in
as text. So nothing is escaped here, and nothing may be: what is shown is what was written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, tzinfo
from typing import Any

from core.answering.certainty import in_words, meaning
from core.answering.exports.markdown import answer_markdown
from core.answering.routes.silence import BEING_READ, SCOPE_EMPTY
from core.citations.uses import Use, uses
from core.step_text import step_text
from core.text.mentions import common_words
from core.types import (
    STATES_NOTHING,
    Abstention,
    Answer,
    ChunkKind,
    Citation,
    Claim,
    DocumentKind,
    Hit,
    Notice,
    SearchResult,
    Step,
    Support,
)
from core.types.search import MOST_DROPPED
from core.ui.answer import search_view
from core.ui.answer.claim_spans import markable
from core.ui.answer.markdown import tree
from core.ui.answer.rows import has_tables, quoted_rows
from core.ui.shell.escaping import printable
from core.ui.shell.formatting import (
    also_in,
    as_read,
    count,
    credit,
    format_score,
    format_seconds,
    one_line,
    place,
)

View = dict[str, Any]

_SUPPORTED = (Support.VERBATIM, Support.SUPPORTED)

_SEEN = 240
"""Characters of a passage that can surely be seen in the list of hits."""
_BEFORE = 80
"""Characters before the first word of the query, where a passage is shown from there on."""

_QUOTE = 600
"""Characters of a quote or a passage that are sent for a list or a card."""


def answer_view(answer: Answer, question: str | None = None, zone: tzinfo = UTC) -> View:
    """An answer under its question, with everything that is drawn below it.

    Its days are those of `zone`.
    """
    claims = {
        index: claim for index, claim in enumerate(answer.claims) if claim.reason != STATES_NOTHING
    }
    sources = [*answer.citations, *answer.unused]
    unread = any(notice.code == BEING_READ for notice in answer.notices)
    text = "" if answer.abstention else answer.text  # a refusal says it in its own block
    return {
        "view": "answer",
        "question": printable(answer.question if question is None else question),
        "tree": tree(
            text,
            {citation.number for citation in answer.citations},
            {citation.url for citation in sources if citation.url},
            {
                index: markable(text, claim.start, claim.end, claim.reason)
                for index, claim in claims.items()
            },
            answer.highlights,
        ),
        "uses": [use_view(use, answer) for use in uses(text, answer.citations)],
        "claims": {str(index): claim_view(claim) for index, claim in claims.items()},
        "verdict": verdict_view(claims) if text else [],
        "cited": [source_view(citation, zone) for citation in answer.citations],
        "unused": [source_view(citation, zone) for citation in answer.unused],
        "certainty": certainty_view(answer),
        "notices": [notice_view(one) for one in answer.notices if one.code != SCOPE_EMPTY],
        "abstention": abstention_view(answer, answer.abstention, unread)
        if answer.abstention
        else None,
        "searched": searched_view(answer.search, answer.seconds, refused=bool(answer.abstention))
        if answer.search
        else None,
        "meta": " · ".join(_meta(answer)),
        "copy": printable(answer_markdown(answer, zone).strip()),
        "live": False,
    }


def live_view(question: str, text: str, *, live: bool = True, quoting: bool = False) -> View:
    """What is written so far: the same safe tree; the marks become chips when it is done.

    What is `quoting` keeps the place of the words for how sure it is.
    """
    return {
        "view": "answer",
        "question": printable(question),
        "tree": tree(text, range(1, 1000)),
        "live": live,
        "certainty": {"words": "", "kind": "", "meaning": ""} if quoting else None,
        **{name: [] for name in ("cited", "unused", "notices", "uses", "verdict")},
    }


def hits_view(result: SearchResult, seconds: float) -> View:
    """The hits of a search without an answer, with the words of its queries set off."""
    words = " ".join(dict.fromkeys((result.plan.question, *result.plan.queries)))
    return {
        "view": "hits",
        "hits": [
            {**hit_view(hit), **_passage(hit, words), "also": one_line(also_in(hit.also_in))}
            for hit in result.hits
        ],
        "notices": [notice_view(notice) for notice in result.notices],
        "searched": searched_view(result, seconds),
    }


def source_view(citation: Citation, zone: tzinfo = UTC) -> View:
    """One source: in the list, and in the card of its chip."""
    quote = _read(citation, citation.quote)[:_QUOTE]
    return {
        "n": citation.number,
        "label": printable(citation.label),
        "place": place(citation.page_number, citation.headings),
        "quote": quote,
        "passage": _around(_read(citation, citation.passage), quote),
        "table": _table(citation, citation.quote),
        "attribution": credit(citation, zone),
    }


def use_view(use: Use, answer: Answer) -> View:
    """What one mark stands for: its number, and its own words in the passage."""
    citation = next(one for one in answer.citations if one.number == use.number)
    quote = _read(citation, use.quote)[:_QUOTE]
    passage = _around(_read(citation, citation.passage), quote)
    table = _table(citation, use.quote)
    return {"n": use.number, "quote": quote, "passage": passage, "table": table}


def verdict_view(claims: Mapping[int, Claim]) -> list[View]:
    """How many sentences are supported and how many are left to check, each with its sentences.

    Nothing of quotes: that they stand in their sources is said below them, and nothing was checked.
    """
    if all(claim.support is Support.VERBATIM and not claim.wrong for claim in claims.values()):
        return []
    good = [index for index, claim in claims.items() if _is_supported(claim)]
    rest = [index for index in claims if index not in good]
    parts = []
    if good:
        words = f"{len(good)} of {count(len(claims), 'sentence')} supported"
        parts.append({"words": words, "claims": good, "doubt": False})
    if rest:
        words = f"{len(rest)} to check" if good else f"{count(len(rest), 'sentence')} to check"
        parts.append({"words": words, "claims": rest, "doubt": True})
    return parts


def claim_view(claim: Claim) -> View:
    """A sentence with what its check found, and the reason in words where it is in doubt."""
    if claim.wrong:
        words = f"supported, but {_as_part(claim.reason)}"
        return {"kind": "unsupported", "numbers": list(claim.numbers), "words": printable(words)}
    if claim.support in _SUPPORTED:
        return {"kind": "supported", "numbers": list(claim.numbers), "words": ""}
    if claim.support is Support.UNCHECKED:
        return {"kind": "unchecked", "numbers": list(claim.numbers), "words": ""}
    if claim.support is Support.MATCHED:
        return {"kind": "matched", "numbers": list(claim.numbers), "words": "matches, not cited"}
    reason = "not supported by its source"
    if claim.reason:
        reason = f"not supported: {_as_part(claim.reason)}"
    return {"kind": "unsupported", "numbers": list(claim.numbers), "words": printable(reason)}


def _is_supported(claim: Claim) -> bool:
    return claim.support in _SUPPORTED and not claim.wrong


def certainty_view(answer: Answer) -> View | None:
    """How sure the answer is, in words, and what they mean; None where nothing was estimated."""
    if not (words := in_words(answer)):
        return None
    return {
        "words": words.capitalize(),
        "kind": words.replace(" ", "-"),
        "meaning": meaning(answer),
    }


def notice_view(notice: Notice) -> View:
    """A notice with its cure; what changes how the whole answer is read stands above it."""
    return {
        "text": printable(notice.text),
        "cure": printable(notice.cure),
        "level": notice.level,
        "above": notice.code.startswith(("model-failed", "unsourced")),
    }


def abstention_view(answer: Answer, abstention: Abstention, unread: bool = False) -> View:
    """A refusal: what was not found, what to do, and what was searched.

    No plain one while documents are being read.
    """
    if not abstention.searched_documents and answer.asked_of and answer.asked_of[1]:
        return {
            "lead": "No document was asked.",
            "reason": "Choose some beside the box, or all of them.",
            "looked": "",
            "near": False,
        }
    if not abstention.searched_documents:
        return {
            "lead": "There is nothing to search yet.",
            "reason": "This session has no document that is ready and searched.",
            "looked": "",
            "near": False,
        }
    documents = count(abstention.searched_documents, "document")
    passages = count(abstention.searched_chunks, "passage")
    lead, reason = "No answer to this was found in your documents.", _cure(answer)
    if unread:
        lead, reason = "Not found so far.", abstention.reason
    elif "“" in abstention.reason:  # it names the word that is missing
        lead = abstention.reason
    return {
        "lead": printable(lead),
        "reason": printable(reason),
        "looked": f"Searched {documents}, {passages}.",
        "near": abstention.is_near,
    }


def _cure(answer: Answer) -> str:
    """What can be done about a refusal."""
    asked, ready = answer.asked_of or (0, 0)
    others = f"ask all {ready:,} documents" if asked < ready else "add a document that tells of it"
    return f"Try other words, check the spelling, or {others}."


def searched_view(result: SearchResult, seconds: float, *, refused: bool = False) -> View:
    """How it searched: the plan, the steps, every hit with what each stage gave it.

    The combined score of the best hit is 1 whatever was found, so a refusal shows its rank alone.
    """
    more = len(result.dropped[MOST_DROPPED:]) + result.dropped_more
    return {
        "title": search_view.title(result, seconds),
        **search_view.understood_view(result),
        "steps": [step_view(step) for step in result.steps],
        "hits": [hit_view(replace(hit, fused=None) if refused else hit) for hit in result.hits],
        "dropped": [hit_view(hit) for hit in result.dropped[:MOST_DROPPED]],
        "more": count(more, "more passage") if more else "",
    }


def step_view(step: Step) -> View:
    """A step of the work with its count and time."""
    return {
        "name": printable(search_view.STEPS.get(step.name, step.name)),
        "detail": printable(step_text(step)),
        "count": "" if step.count is None else f"{step.count:,}",
        "tokens": search_view.tokens_words(step),
        "time": format_seconds(step.seconds),
    }


def hit_view(hit: Hit) -> View:
    """A hit with the score and the rank that each stage gave it; "" where it was not seen."""
    return {
        "rank": "" if hit.rank is None else str(hit.rank),
        "label": printable(hit.document.label),
        "place": place(hit.chunk.page_number, hit.chunk.headings),
        "dropped": printable(hit.dropped),
        "query": printable(hit.query),
        "dense": _stage(hit.dense, hit.dense_rank),
        "lexical": _stage(hit.lexical, hit.lexical_rank),
        "fused": _stage(hit.fused, hit.fused_rank),
        "rerank": _stage(hit.rerank, hit.rerank_rank),
    }


def _as_part(sentence: str) -> str:
    """A sentence as part of another one: without its capital (if it is no name) and its stop."""
    sentence = sentence.strip().removesuffix(".")
    name = len(sentence) > 1 and sentence[1].isupper()
    return sentence if name else sentence[:1].lower() + sentence[1:]


def _stage(score: float | None, rank: int | None) -> View:
    return {"score": format_score(score), "rank": "" if rank is None else f"#{rank}"}


def _passage(hit: Hit, words: str) -> View:
    """The text of a hit from near the first of the words on; tables and code keep their lines.

    The text comes in pieces, each with whether it is one of the words.
    """
    lines = hit.chunk.kind is not ChunkKind.TEXT
    text = printable(hit.chunk.text) if lines else as_read(hit.chunk.text)
    found = common_words(words, text, hit.document.language)
    start = 0
    if found and found[0][0] > _SEEN:
        start = text.rfind("\n" if lines else " ", 0, found[0][0] - (0 if lines else _BEFORE)) + 1
    shown = text[: start + _QUOTE]
    pieces: list[tuple[str, bool]] = [("… ", False)] if start and not lines else []
    for left, right in found:
        if left >= len(shown):
            break
        pieces += [(shown[start:left], False), (shown[left:right], True)]
        start = right
    pieces.append((shown[start:], False))
    return {"text": [[piece, on] for piece, on in pieces if piece], "lines": lines}


def _read(citation: Citation, text: str) -> str:
    """A text of a source as it is read: on one line, but the rows of a table each on its own."""
    if has_tables(citation.kind):
        text = text.replace(" | ", " · ")
    if citation.kind in (DocumentKind.CSV, DocumentKind.XLSX):
        return "\n".join(as_read(row) for row in text.splitlines())
    return as_read(text)


def _table(citation: Citation, quote: str) -> View | None:
    """The quoted rows as a table; None of anything else."""
    return quoted_rows(citation.passage, quote[:_QUOTE]) if has_tables(citation.kind) else None


def _around(passage: str, quote: str) -> str:
    """At most `_QUOTE` characters of the passage, with the quote inside where it can be."""
    at = max(passage.find(quote), 0)
    start = max(at - _QUOTE // 3, 0)
    return passage[start : start + len(quote) + 2 * _QUOTE // 3]


def _meta(answer: Answer) -> list[str]:
    parts = ["Quoted word for word from the sources"] if answer.citations else []
    if answer.route == "table":
        parts = ["Computed from all rows of the table"]
    elif answer.abstention:
        parts = ["No answer was written"]
    elif answer.answerer != "extractive":
        parts = [f"Written by {printable(answer.answerer)}, checked against the sources"]
    if answer.asked_of:
        asked, ready = answer.asked_of
        parts.append(f"asked of {asked:,} of {count(ready, 'document')}")
    if not answer.complete:
        parts.append("incomplete")
    return [*parts, format_seconds(answer.seconds)]
