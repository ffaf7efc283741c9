"""Each level with a scripted model: its plan, its searches, and the conversation before it."""

from __future__ import annotations

import pytest

from core.planning.budget import ModelBudget
from core.planning.plan import make_plan
from core.retrieval.search import search
from core.steps import Recorder, drain
from core.types import Answer, Citation, Level, Message, QueryOptions, QueryPlan
from core.types.steps import LevelChosen
from tests.retrieval.levels import (
    NOW,
    PLAIN,
    QUESTION,
    Scripted,
    names,
    planned,
    sought,
    talk,
    verdict,
)
from tests.retrieval.library import Library


def test_as_typed_asks_nobody(scripted: Scripted) -> None:
    budget = scripted()
    plan = planned(budget, Level.AS_TYPED, "How much do they cost?", talk())
    assert (plan.queries, plan.level) == (("How much do they cost?",), Level.AS_TYPED)
    assert scripted.asked == []


def test_rewritten(scripted: Scripted) -> None:
    budget = scripted({"query": "How much do apples cost?"})
    plan = planned(budget, Level.REWRITTEN, "How much do they cost?", talk())
    assert plan.queries == ("How much do apples cost?",)
    assert (plan.goal, plan.level, plan.notices) == (plan.queries[0], Level.REWRITTEN, ())
    assert plan.follows
    assert plan.tokens
    (prompt,) = scripted.asked
    assert "Person: What are apples?" in prompt
    assert "from: All about apples" in prompt
    assert '"required": ["query"]' in prompt  # the schema is repeated in the prompt


def test_only_the_last_ten_messages_are_given(scripted: Scripted) -> None:
    history = [Message(n, "user", f"Question number {n}?", NOW) for n in range(30)]
    planned(scripted({"query": "x y"}), Level.REWRITTEN, "And why?", history)
    (prompt,) = scripted.asked
    assert "Question number 20?" in prompt
    assert "Question number 19?" not in prompt


def test_a_rewrite_that_loses_words_is_not_used_alone(scripted: Scripted) -> None:
    question = 'What does "at most once" cost in v2.1?'
    plan = planned(scripted({"query": "price of delivery"}), Level.REWRITTEN, question)
    assert plan.queries == ("price of delivery", question)
    assert [notice.code for notice in plan.notices] == ["words-lost"]
    assert "“at most once”, “v2.1”" in plan.notices[0].text


def test_several(filled: Library, scripted: Scripted) -> None:
    aim = {"goal": QUESTION, "queries": ["builder of the Amber lighthouse", "Ida Holm born"]}
    budget = scripted(aim)
    plan = planned(budget, Level.SEVERAL)
    assert (plan.level, plan.goal, plan.queries) == (Level.SEVERAL, QUESTION, tuple(aim["queries"]))
    result = sought(filled, plan, budget)
    assert {"lighthouse.txt", "holm.txt"} <= set(names(result))
    assert len({hit.chunk.id for hit in result.hits}) == len(result.hits)
    assert [(sent.text, sent.why) for sent in result.sent] == [
        (QUESTION, "the goal"), (aim["queries"][0], "a query"), (aim["queries"][1], "a query")
    ]  # fmt: skip
    assert all(sent.found and sent.where == "documents" for sent in result.sent)
    assert len(scripted.asked) == 1


def test_in_depth_finds_what_the_first_hits_lead_to(filled: Library, scripted: Scripted) -> None:
    budget = scripted(
        {"goal": QUESTION, "queries": ["who built the Amber lighthouse"]},
        verdict(1, of=4, query="Where was Ida Holm born?"),
        verdict(1, of=1, enough=True),
    )
    plan = planned(budget, Level.IN_DEPTH)
    result = sought(filled, plan, budget)
    assert names(result)[0] == "lighthouse.txt"
    assert len(result.hits) == 2
    assert result.sent[-1].text == "Where was Ida Holm born?"
    assert result.sent[-1].why == "asked for in round 1"
    assert result.plan.queries[-1] == "Where was Ida Holm born?"
    dropped = [hit.dropped for hit in result.dropped]
    assert "the model dropped it: reason 2" in dropped
    graded = [step for step in result.steps if step.name == "graded"]
    assert [step.tokens is not None and step.tokens > 0 for step in graded] == [True, True]
    assert "who built the Amber lighthouse" in scripted.asked[1]  # it knows the earlier queries


def test_in_depth_ends_at_its_limit(filled: Library, scripted: Scripted) -> None:
    budget = scripted(
        {"goal": QUESTION, "queries": ["lighthouse"]},
        verdict(1, of=5, query="ships"),
        verdict(of=0, query="bread"),
        verdict(of=0, query="lamps"),
        rounds=2,
    )
    result = sought(filled, planned(budget, Level.IN_DEPTH), budget)
    assert len(scripted.asked) == 3
    assert result.notices[-1].code == "depth-limit"


def test_in_depth_never_searches_the_same_again(filled: Library, scripted: Scripted) -> None:
    budget = scripted(
        {"goal": QUESTION, "queries": ["Amber lighthouse"]},
        verdict(1, of=5, query="the amber LIGHTHOUSE?"),
    )
    result = sought(filled, planned(budget, Level.IN_DEPTH), budget)
    assert len(scripted.asked) == 2
    assert result.notices == ()


def test_a_summary_of_what_was_kept(filled: Library, scripted: Scripted) -> None:
    budget = scripted(
        {"goal": QUESTION, "queries": ["Amber lighthouse"]},
        verdict(1, of=5, enough=True),
        {"summary": "It was built by Ida Holm."},
        summary=True,
    )
    result = sought(filled, planned(budget, Level.IN_DEPTH), budget)
    assert result.summary == "It was built by Ida Holm."


def test_auto_chooses(scripted: Scripted) -> None:
    alone = planned(scripted(), Level.AUTO, "Who built the lighthouse of Port Amber?")
    assert alone.level is Level.AS_TYPED
    assert scripted.asked == [], "what stands by itself costs the answering model nothing"
    both = {"goal": "x", "queries": ["old lighthouse", "new lighthouse"]}
    question = "What is the difference between the old and the new lighthouse?"
    assert planned(scripted(both), Level.AUTO, question).level is Level.IN_DEPTH
    follows = planned(scripted({"goal": "apples", "queries": ["cost of apples"]}), Level.AUTO,
                      "How much do they cost?", talk())  # fmt: skip
    assert (follows.level, follows.queries) == (Level.SEVERAL, ("cost of apples",))


COMPARED = "What is the difference between the old and the new lighthouse?"


@pytest.mark.parametrize("level", ["typed", "several", "depth"])
@pytest.mark.parametrize("question", [QUESTION, COMPARED])
def test_in_automatic_a_model_for_planning_chooses(
    scripted: Scripted, level: str, question: str
) -> None:
    aim = {"level": level, "reason": "as I see it", "goal": question, "queries": ["one lamp"]}
    recorder = Recorder()
    work = make_plan(question, (), QueryOptions(), scripted(aim, chooses=True))
    plan = drain(recorder.run(work))
    named = {"typed": Level.AS_TYPED, "several": Level.SEVERAL, "depth": Level.IN_DEPTH}[level]
    assert plan.level is named
    assert recorder.steps[0].detail == LevelChosen(named, "as I see it")
    assert recorder.steps[0].tokens
    assert ("one lamp" in plan.queries) is (level != "typed")
    assert len(scripted.asked) == 1, "the choice and the queries are one request"
    assert '"enum": ["typed", "several", "depth"]' in scripted.asked[0]


def test_what_leans_on_the_conversation_is_never_searched_as_typed(scripted: Scripted) -> None:
    aim = {"level": "typed", "goal": "How much do apples cost?", "queries": ["price", "apples"]}
    plan = planned(scripted(aim), Level.AUTO, "How much do they cost?", talk())
    assert (plan.level, plan.queries) == (Level.REWRITTEN, ("How much do apples cost?",))


@pytest.mark.parametrize("bad", ["I would search thoroughly.", '{"level": "depth"}', "{}"])
def test_a_choice_that_cannot_be_read_falls_back_to_the_rules(scripted: Scripted, bad: str) -> None:
    recorder = Recorder()
    work = make_plan("Who built the lighthouse?", (), QueryOptions(), scripted(bad, chooses=True))
    alone = drain(recorder.run(work))
    (step,) = recorder.steps
    assert step.name == "fallback"
    assert "By rule: it stands by itself" in step.detail.reason
    assert alone.tokens, "what the failed reply took is counted"
    assert (alone.level, alone.queries) == (Level.AS_TYPED, ("Who built the lighthouse?",))
    aim = {"goal": "x", "queries": ["old lighthouse", "new lighthouse"]}
    deep = planned(scripted(bad, aim), Level.AUTO, COMPARED)
    assert deep.level is Level.IN_DEPTH
    assert deep.queries[-1] == "new lighthouse"


def test_queries_of_a_person_are_used_as_they_are(filled: Library, scripted: Scripted) -> None:
    budget = scripted()
    options = QueryOptions(PLAIN, Level.SEVERAL, queries=("Ida Holm", "sourdough", "Ida  Holm"))
    plan = drain(make_plan(QUESTION, (), options, budget))
    assert plan.queries == ("Ida Holm", "sourdough")
    result = drain(search(filled.retriever(), filled.session_id, plan, options, budget))
    assert {"holm.txt", "bread.txt"} <= set(names(result))
    assert scripted.asked == []


# ------------------------------------------------------------------------------ conversations


def test_what_the_conversation_found_is_looked_at_again(filled: Library) -> None:
    first = sought(filled, planned(ModelBudget(), Level.AUTO, "Who was Ida Holm?"), ModelBudget())
    holm = next(hit for hit in first.hits if hit.document.name == "holm.txt")
    cited = Citation(1, holm.chunk.id, holm.document.id, "holm.txt", None, 0, 1, 0, 4, "Ida")
    answer = Answer("Who was Ida Holm?", "Ida Holm was an engineer.", (cited,), search=first)
    history = [
        Message(1, "user", "Who was Ida Holm?", NOW),
        Message(2, "assistant", answer.text, NOW, answer),
    ]
    plan = planned(ModelBudget(), Level.AUTO, "When was she born?", history)
    assert plan.previous_chunks[0] == holm.chunk.id
    result = sought(filled, plan, ModelBudget())
    assert names(result)[0] == "holm.txt"
    assert "conversation" in {sent.where for sent in result.sent}


def test_passages_of_a_document_taken_out_are_not_looked_at_again(filled: Library) -> None:
    plan = QueryPlan("q", "Ida Holm born", ("Ida Holm born",), previous_chunks=("gone:0", "gone"))
    result = sought(filled, plan, ModelBudget())
    assert "conversation" not in {sent.where for sent in result.sent}


def test_a_new_topic_does_not_follow() -> None:
    plan = planned(
        ModelBudget(), Level.AUTO, "Who painted the ceiling of the Sistine Chapel?", talk()
    )
    assert not plan.follows
    assert plan.previous_chunks == ()
    assert planned(ModelBudget(), Level.AUTO, "Are green apples sour when ripe?", talk()).follows
