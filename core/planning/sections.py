"""Whether a question needs a report, and the sections that it is to have."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence

from core.planning.budget import ModelBudget, PlanningFailed
from core.planning.parsing import Section, read_sections
from core.planning.prompts import sections_request
from core.types import Document, Level, Message, Step
from core.types.steps import LevelChosen, Sectioned


def plan_sections(
    question: str,
    history: Sequence[Message],
    budget: ModelBudget,
    library: Sequence[Document],
    *,
    searches: int,
    seconds: float,
) -> Generator[Step, None, tuple[Section, ...]]:
    """Return the sections, at most one for each search; () where one answer is enough.

    `seconds` is the limit of the whole answer, which is shown with the sections. Where the model
    gives nothing usable, the question is answered as one.
    """
    began = time.monotonic()
    request = sections_request(question, history, budget.boundary, library, searches)
    try:
        sections, reply = budget.ask(request, lambda text: read_sections(text, searches))
    except PlanningFailed as failure:
        yield Step("fallback", LevelChosen(Level.IN_DEPTH, failure.reason))
        return ()
    titles = tuple(section.title for section in sections)
    if sections:
        detail = Sectioned(titles, searches, seconds)
        yield Step("sections", detail, time.monotonic() - began, len(sections), reply.tokens)
    return sections
