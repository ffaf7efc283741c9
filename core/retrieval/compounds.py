"""Read the compounds of what was found for the words of a German question that they end in."""

from __future__ import annotations

from dataclasses import replace

from core.citations.passages import passage_of
from core.text.glossary.compounds import compounds_in
from core.text.glossary.german import may_be_german
from core.types import SearchResult


def with_compounds(result: SearchResult) -> SearchResult:
    """Return the result with compounds that were found as other words for those of its question."""
    plan = result.plan
    if not may_be_german(plan.question) or plan.translated:
        return result
    found = (*result.hits, *result.dropped)
    there = compounds_in(plan.asked or plan.question, (passage_of(hit)[0] for hit in found))
    return replace(result, plan=replace(plan, also=(*plan.also, *there)))
