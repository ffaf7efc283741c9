"""The quality of answers on a golden set, through the same door as the page.

All files of a folder are added to one session of a program of its own in a temporary folder;
then every question is asked as a person would ask it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from core.citations.mark import plain_words
from core.cli import thresholds
from core.cli.library import ingest, library
from core.cli.shell import failed, progress
from core.config import Settings, load_settings
from core.errors import AppError, InvalidRequest
from core.evaluation.golden.sets import GoldenItem, contains_answer, even_sample, read_golden
from core.text.markdown_quoting import collapse
from core.types import Answer, AskRequest, Citation, Session, Support

if TYPE_CHECKING:
    from core.service import Service

Measures = dict[str, float | int | None]


@dataclass(frozen=True, slots=True)
class Asked:
    """One question with what came of it.

    `document_hit` and `page_hit` say whether a citation leads to a right document and page (None
    where the set knows none), `first_document_hit` the same of the first citation alone.
    `sentences` counts the quoted sentences, `verbatim` those of them that stand in their source.
    """

    item: GoldenItem
    refused: bool
    confidence: float | None
    contains: bool | None
    document_hit: bool | None
    first_document_hit: bool | None
    page_hit: bool | None
    sentences: int
    verbatim: int
    seconds: float


def measures(asked: Sequence[Asked]) -> Measures:
    """The rates over all questions, 0 to 1; None where the set has nothing to measure by.

    A refusal counts as a miss of an answerable question. `abstention_auc` is the probability
    that an answerable question gets a higher confidence than an unanswerable one; `sentences` is
    the mean number in an answer that is no refusal, `seconds` the mean time of a question.
    """
    answerable = [one for one in asked if one.item.answerable]
    others = [one for one in asked if not one.item.answerable]
    given = [one for one in asked if not one.refused]
    quoted = sum(one.sentences for one in asked)
    return {
        "questions": len(asked),
        "contains": _rate(one.contains for one in answerable),
        "document_hit": _rate(one.document_hit for one in answerable),
        "document_first": _rate(one.first_document_hit for one in answerable),
        "page_hit": _rate(one.page_hit for one in answerable),
        "verbatim": sum(one.verbatim for one in asked) / quoted if quoted else None,
        "abstained_right": _rate(one.refused for one in others),
        "abstained_wrong": _rate(one.refused for one in answerable),
        "abstention_auc": _auc(answerable, others),
        "sentences": sum(one.sentences for one in given) / len(given) if given else None,
        "seconds": sum(one.seconds for one in asked) / len(asked) if asked else None,
    }


def _rate(values: Iterator[bool | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _auc(answerable: Sequence[Asked], others: Sequence[Asked]) -> float | None:
    """Area under the ROC curve, as the share of pairs in the right order, ties counting half."""
    right = sorted(one.confidence for one in answerable if one.confidence is not None)
    wrong = sorted(one.confidence for one in others if one.confidence is not None)
    if not right or not wrong:
        return None
    won = below = equal = 0.0
    at = upto = 0
    for value in right:
        while at < len(wrong) and wrong[at] < value:
            at += 1
        upto = max(upto, at)
        while upto < len(wrong) and wrong[upto] == value:
            upto += 1
        below, equal = at, upto - at
        won += below + equal / 2
    return won / (len(right) * len(wrong))


def judge(
    item: GoldenItem, answer: Answer, documents: dict[str, str], service: Service, session: Session
) -> Asked:
    """Hold an answer against its golden item; `documents` gives the id of each path."""
    refused = answer.abstention is not None
    quotes = [claim for claim in answer.claims if claim.support is Support.VERBATIM]
    by_number = {citation.number: citation for citation in answer.citations}
    verbatim = sum(
        any(
            _stands(answer.text[claim.start : claim.end], by_number.get(n), service, session)
            for n in claim.numbers
        )
        for claim in quotes
    )
    wanted = {documents.get(source.document, "") for source in item.sources}
    pages = {
        (documents.get(source.document, ""), source.page)
        for source in item.sources
        if source.page is not None
    }
    cited = [citation.document_id for citation in answer.citations]
    cited_pages = {(c.document_id, c.page_number) for c in answer.citations}
    return Asked(
        item=item,
        refused=refused,
        confidence=answer.confidence,
        contains=_contains(item, answer, refused),
        document_hit=bool(wanted & set(cited)) if wanted else None,
        first_document_hit=bool(wanted & set(cited[:1])) if wanted else None,
        page_hit=bool(pages & cited_pages) if pages else None,
        sentences=len(answer.claims),
        verbatim=verbatim,
        seconds=answer.seconds,
    )


def _contains(item: GoldenItem, answer: Answer, refused: bool) -> bool | None:
    if not item.answers:
        return None
    return not refused and contains_answer(plain_words(answer.text), item.answers)


def _stands(written: str, citation: Citation | None, service: Service, session: Session) -> bool:
    """Whether the quoted words stand in the page that the citation leads to, and its span fits."""
    if citation is None:
        return False
    pages = service.pages(session, citation.document_id)
    text = next((p.text for p in pages if p.ordinal == citation.page_ordinal), "")
    words = collapse(plain_words(written))
    span = text[citation.start : citation.end]
    return span == citation.quote and bool(words) and words in collapse(span)


# ------------------------------------------------------------------------ through the service


def evaluate(
    items: Sequence[GoldenItem], folder: Path, settings: Settings
) -> tuple[list[Asked], float]:
    """Ingest the folder, ask every question; the results, and the seconds of ingesting."""
    with library(settings) as (service, session):
        began = time.monotonic()
        documents = ingest(service, session, folder)
        ingested = time.monotonic() - began
        asked = []
        for done, item in enumerate(items, 1):
            events = list(service.ask(AskRequest(session, item.question)))
            answer = next(event for event in reversed(events) if isinstance(event, Answer))
            asked.append(judge(item, answer, documents, service, session))
            progress(f"asked {done} of {len(items)}", last=done == len(items))
    return asked, ingested


# --------------------------------------------------------------------------------- the command


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eval_custom.py answers`."""
    parser.add_argument("--golden", type=Path, required=True, help="golden.jsonl")
    parser.add_argument("--documents", type=Path, required=True, help="the folder to answer from")
    parser.add_argument("--limit", type=int, help="ask only so many questions, evenly spread")
    parser.add_argument("--json", type=Path, help="write the measures to this file as well")
    thresholds.add_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Measure and print; 0, 1 below a threshold, or 2 where it is not possible."""
    try:
        items = even_sample(read_golden(arguments.golden), arguments.limit)
        if not items:
            raise InvalidRequest(f"{arguments.golden} has no questions.")
        asked, ingested = evaluate(items, arguments.documents, load_settings())
    except AppError as error:
        return failed(error)
    found = measures(asked)
    print(f"{arguments.golden.parent.name}: documents read in {ingested:.0f} s")
    print(table(found))
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    return thresholds.status(found, arguments)


def table(found: Measures) -> str:
    """The measures, one a line."""
    lines = []
    for name, value in found.items():
        shown = "-" if value is None else str(value) if isinstance(value, int) else f"{value:.3f}"
        lines.append(f"{name:16}{shown:>8}")
    return "\n".join(lines)
