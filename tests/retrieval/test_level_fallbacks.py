"""Levels that fall back, where a model fails, and that keep to their limits."""

from __future__ import annotations

import re
import time

import pytest

from core.config import Settings
from core.planning.budget import ModelBudget
from core.planning.plan import make_plan
from core.steps import drain
from core.types import Document, DocumentState, Level, QueryOptions
from tests.retrieval.levels import (
    QUESTION,
    Scripted,
    names,
    planned,
    sought,
    talk,
    verdict,
)
from tests.retrieval.library import Library
from tests.standins.scripts import Reply


@pytest.mark.parametrize(
    "broken",
    [
        "I cannot do that.",
        '{"goal": ""}',
        "[1, 2]",
        Reply("status", status=400),
        Reply("empty"),
        Reply("eof", text='{"goal": "x", "que'),
        Reply("error-in-stream", text='{"goal"'),
        Reply("missing"),
    ],
)
def test_several_falls_back_to_rewritten(scripted: Scripted, broken: Reply | str) -> None:
    budget = scripted(broken, {"query": "birthplace of the builder"})
    plan = planned(budget, Level.SEVERAL, "where is the birthplace of the builder")
    assert plan.level is Level.REWRITTEN
    assert plan.queries == ("birthplace of the builder",)
    assert [notice.code for notice in plan.notices] == ["planning-failed"]
    assert "The question was searched for as a whole." in plan.notices[0].text


def test_two_notices_do_not_contradict_each_other(scripted: Scripted) -> None:
    """Nothing says how many searches there were: the question as typed may be one more."""
    budget = scripted("I cannot do that.", {"query": "the builder"})
    plan = planned(budget, Level.SEVERAL, "where was Ida Holm born in 1843")
    assert len(plan.queries) == 2
    fell_back, lost = plan.notices
    assert (fell_back.code, lost.code) == ("planning-failed", "words-lost")
    assert lost.text.startswith("The question was also searched as you typed it")
    assert not re.search(r"\b(?:one|several) quer", fell_back.text, re.I)
    assert "did not answer in the form that was asked for" in fell_back.text


def test_rewritten_falls_back_to_the_rules(scripted: Scripted) -> None:
    plan = planned(scripted("no", "no"), Level.SEVERAL, "How much do they cost?", talk())
    assert plan.level is Level.AS_TYPED
    assert plan.queries[0] == "How much do they cost? fruit apples" or "apples" in plan.queries[0]
    assert [n.code for n in plan.notices] == ["planning-failed", "words-carried-over"]


def test_a_model_without_json_is_asked_for_a_plain_line_and_told_the_titles(
    scripted: Scripted,
) -> None:
    library = [Document("d", "s", "a.pdf", "a.pdf", None, DocumentState.READY, title="Amber light")]
    budget = scripted("I cannot.", "Nor this.", "Search query: height of the Amber light")
    options = QueryOptions(level=Level.SEVERAL)
    plan = drain(make_plan("How high is the light?", (), options, budget, library=library))
    assert plan.level is Level.REWRITTEN
    assert plan.queries[0] == "height of the Amber light"
    assert len(scripted.asked) == 3
    assert all("- Amber light\n" in asked for asked in scripted.asked)


def test_cut_json_is_mended(scripted: Scripted) -> None:
    cut = "Here you are:\n```json\n{'goal': 'births', 'queries': ['Ida Holm born', 'Visby"
    plan = planned(scripted(cut), Level.SEVERAL, "births")
    assert plan.queries == ("Ida Holm born", "Visby")


def test_in_depth_falls_back_to_several(filled: Library, scripted: Scripted) -> None:
    aim = {"goal": QUESTION, "queries": ["Amber lighthouse", "Ida Holm"]}
    budget = scripted(aim, "I would rather not.")
    result = sought(filled, planned(budget, Level.IN_DEPTH), budget)
    assert {"lighthouse.txt", "holm.txt"} <= set(names(result))
    assert [notice.code for notice in result.notices] == ["depth-ended"]
    assert "round 1" in result.notices[0].text


def test_in_depth_keeps_what_it_has_when_a_later_round_fails(
    filled: Library, scripted: Scripted
) -> None:
    aim = {"goal": QUESTION, "queries": ["Amber lighthouse"]}
    budget = scripted(aim, verdict(1, of=5, query="Ida Holm"), Reply("status", status=400))
    result = sought(filled, planned(budget, Level.IN_DEPTH), budget)
    assert names(result) == ["lighthouse.txt"]
    assert "round 2" in result.notices[-1].text


def test_a_model_that_drops_everything_drops_nothing(filled: Library, scripted: Scripted) -> None:
    aim = {"goal": QUESTION, "queries": ["Amber lighthouse"]}
    budget = scripted(aim, verdict(of=5, enough=True))
    result = sought(filled, planned(budget, Level.IN_DEPTH), budget)
    assert len(result.hits) == 4
    assert "nothing-kept" in {notice.code for notice in result.notices}


@pytest.mark.parametrize("level", [Level.REWRITTEN, Level.SEVERAL, Level.IN_DEPTH])
def test_without_a_model_the_rules_do_it(filled: Library, level: Level) -> None:
    budget = ModelBudget()
    plan = planned(budget, level, "Who built the lighthouse of Port Amber?")
    assert [notice.code for notice in plan.notices] == ["no-model-for-queries"]
    result = sought(filled, plan, budget)
    assert "lighthouse.txt" in names(result)
    hops = [sent for sent in result.sent if "Ida Holm" in sent.text]
    assert bool(hops) == (level is not Level.REWRITTEN)


# ------------------------------------------------------------------------------------- limits


def test_time_is_kept(scripted: Scripted) -> None:
    began = time.monotonic()
    budget = scripted(Reply("hang-first"), deadline=time.monotonic() + 0.6)
    plan = planned(budget, Level.SEVERAL)
    assert time.monotonic() - began < 20
    assert plan.level is Level.AS_TYPED
    assert "QUESTION_SECONDS" in plan.notices[0].cure


def test_tokens_are_kept(filled: Library, scripted: Scripted) -> None:
    aim = {"goal": QUESTION, "queries": ["Amber lighthouse"]}
    budget = scripted(aim, tokens_left=1_500)
    plan = planned(budget, Level.IN_DEPTH)
    budget.tokens_left = 300
    result = sought(filled, plan, budget)
    assert len(scripted.asked) == 1
    assert result.notices[-1].code == "depth-ended"
    assert "QUESTION_TOKENS" in result.notices[-1].cure
    assert result.hits


def test_stopping_ends_the_thinking(scripted: Scripted) -> None:
    budget = scripted({"query": "x"}, cancelled=lambda: True)
    plan = planned(budget, Level.REWRITTEN)
    assert plan.level is Level.AS_TYPED
    assert scripted.asked == []


def test_limits_come_from_the_settings(settings: Settings) -> None:
    small = settings.model_copy(update={"question_tokens": 10_000, "question_seconds": 10.0})
    made = ModelBudget.of(small, None, lambda: False)
    assert made.tokens_left == 10_000 - small.context_tokens - small.answer_tokens
    assert 4 < made.deadline - time.monotonic() <= 5
