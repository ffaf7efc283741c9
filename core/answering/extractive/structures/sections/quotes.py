"""Lists that stand below a heading which a question names, or below "Instructions" (pure).

"What ingredients do I need?" is answered by what is listed under "Ingredients", and "how do I make
it?" by the items under "Instructions" of a document that is called after it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.question.kinds import asks_how
from core.answering.extractive.sentences.candidates import Candidate
from core.answering.extractive.structures.lists import MOST_ITEMS
from core.answering.extractive.structures.quotes import Quote
from core.answering.extractive.structures.sections.steps import steps_listed
from core.answering.extractive.structures.sections.things import THINGS, table_listed, things_listed
from core.answering.extractive.structures.sections.told_whole import contents_listed, tips_listed
from core.types import Hit

_MOST_LISTS = 3
_ASKS_STEPS = re.compile(r"\b(?:steps?|schritte?n?)\b", re.I)


def section_quotes(question: str, hits: Sequence[Hit]) -> list[Quote]:
    """Return the lists that a question asks for by the heading above them, [] without such."""
    found = (
        steps_listed(question, hits) if _asks_for_steps(question) else things_listed(question, hits)
    )
    found = found or contents_listed(question, hits) or tips_listed(question, hits)
    if not found and (table := table_listed(question, hits)):
        return [table]
    quotes: list[Quote] = []
    for n, one in enumerate(found[:_MOST_LISTS]):
        again = n > 0 and one.title is not None and one.title == found[n - 1].title
        leads = () if one.title is None or again else (one.title,)
        kept = one.items[:MOST_ITEMS]
        candidate = Candidate(one.hit, one.items[0], under=one.path[-1] if one.path else "")
        more = len(one.items) - len(kept)
        numbered = one.numbered or (asks_how(question) and len(found) == 1)
        quotes.append(Quote(candidate, "list", (*leads, *kept), len(leads), more, steps=numbered))
    return quotes


def asks_for_section(question: str) -> bool:
    """Return whether what stands below a heading or what leads in may be asked for whole.

    >>> [asks_for_section(one) for one in ("what are the steps?", "which lamps are lit?", "why?")]
    [True, True, False]
    """
    return _asks_for_steps(question) or THINGS.search(question) is not None


def _asks_for_steps(question: str) -> bool:
    return asks_how(question) or _ASKS_STEPS.search(question) is not None
