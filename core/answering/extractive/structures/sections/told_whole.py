"""What is asked to be told whole: "what is in the box", "what to look for" (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.question.kinds import asks_for_tips
from core.answering.extractive.sentences.quotable import without_number
from core.answering.extractive.structures.sections.listings import Listing, lists_of, title_of
from core.answering.extractive.structures.sections.words import MINDING
from core.text.terms import content_keys
from core.types import Hit

_CONTENTS_OF = re.compile(
    r"\W*(?:(?:and|so|ok|und)\W+)*(?:what|who|was|wer)(?:['’]s| is| are| was| were| ist| sind| war"
    r"| steht| gehört) (?:in|inside|on|at|under|included|auf|im|zu[mr]?|unter|dabei)\b",
    re.I,
)
"""What asks for all of something: "who is on the list", "was steht auf dem Zettel"."""
_TIPS = re.compile(
    r"\b(?:tips|advice|look for|watch (?:out )?for|tipps|hinweise|(?:wor|dar)auf|(?:be)?achten)\b",
    re.I,
)
"""What says of a heading that tips stand below it."""


def contents_listed(question: str, hits: Sequence[Hit]) -> list[Listing]:
    """The list below the heading of what is asked to be told whole: "what is in the box"."""
    asked = set(content_keys(question)) if _CONTENTS_OF.match(question) else set()
    for at, hit in enumerate(hits):
        for one in lists_of(hit, at):
            named = set(content_keys(without_number(one.near[-1]))) if one.near else set()
            if asked and named == asked and one.is_first and len(one.items) > 1:
                return [one]
    return []


def tips_listed(question: str, hits: Sequence[Hit]) -> list[Listing]:
    """The list below the heading "What to look for when buying" of what is asked about."""
    asked = set(content_keys(question)) - MINDING
    if not asked or not asks_for_tips(question):
        return []
    for at, hit in enumerate(hits):
        for one in lists_of(hit, at):
            title = one.near[-1] if one.near else ""
            named = set(content_keys(title)) & asked
            said = set(content_keys(title_of(hit))) | named
            if _TIPS.search(title) and named and asked <= said and len(one.items) > 1:
                return [one]
    return []
