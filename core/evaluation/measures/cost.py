"""The cost of an answer: time, tokens, length (pure)."""

from __future__ import annotations

from core.evaluation.measures.family import Case, Family, Measure
from core.evaluation.runs.results import Measures


def of_case(case: Case) -> Measures:
    """Return seconds in total and by stage, tokens as counted by the server, sentences."""
    answer = case.answer
    found: Measures = {"seconds": answer.seconds}
    if answer.search is not None:
        searching = sum(step.seconds for step in answer.search.steps)
        found["seconds_search"] = searching
        found["seconds_answer"] = max(answer.seconds - searching, 0.0)
        for step in answer.search.steps:
            name = f"seconds_{step.name.lower().replace(' ', '_')}"
            found[name] = (found.get(name) or 0.0) + step.seconds
    if answer.usage is not None:
        found["tokens_prompt"] = answer.usage.prompt_tokens
        found["tokens_answer"] = answer.usage.answer_tokens
    found["calls"] = float(sum(one.requests for one in answer.spent if one.stage != "embedding"))
    for one in answer.spent:
        for name, value in (
            (f"tokens_{one.stage}", one.prompt_tokens + one.answer_tokens),
            (f"seconds_model_{one.stage}", one.seconds),
        ):
            found[name] = (found.get(name) or 0.0) + value
    if answer.spent and all(one.cost is not None for one in answer.spent):
        found["dollars"] = sum(one.cost or 0.0 for one in answer.spent)
    if not case.refused:
        found["sentences"] = float(len(answer.claims))
    return found


FAMILY = Family(
    "Cost",
    (
        Measure("seconds", "Seconds", "Wall time of a question.", -1),
        Measure(
            "seconds_search", "Seconds of searching", "Wall time of all steps of the search.", -1
        ),
        Measure(
            "seconds_answer", "Seconds of answering", "Wall time of everything but the search.", -1
        ),
        Measure("tokens_prompt", "Prompt tokens", "As the server counted them.", -1),
        Measure("tokens_answer", "Answer tokens", "As the server counted them.", -1),
        Measure(
            "tokens_planning", "Tokens of planning", "Read and written for queries and grades.", -1
        ),
        Measure("tokens_answering", "Tokens of answering", "Read and written for the answer.", -1),
        Measure("tokens_embedding", "Tokens of embedding", "Of queries, at a server.", -1),
        Measure("seconds_model_planning", "Seconds of the planning model", "All its requests.", -1),
        Measure(
            "seconds_model_answering", "Seconds of the answering model", "All its requests.", -1
        ),
        Measure("dollars", "Dollars", "By MODEL_PRICES; only where every model has a price.", -1),
        Measure("calls", "Model calls", "Requests to a language model, judging not counted.", -1),
        Measure("sentences", "Sentences", "Sentences in an answer; refusals are left out.", 0),
        Measure("errors", "Errors", "Questions that failed.", -1),
    ),
    of_case,
)
