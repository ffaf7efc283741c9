"""Each level with a scripted model over real HTTP: its plan, its fallbacks, its limits."""

from __future__ import annotations

import json
import time
from collections.abc import Generator, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, TypeVar

import pytest

from core.config import Settings
from core.models.chat import make_chat_model
from core.models.choice import ModelChoice
from core.retrieval.seeking import seek
from core.retrieval.thinking import Thinking
from core.retrieval.understanding import understand
from core.types import (
    Answer,
    Citation,
    Level,
    Message,
    QueryPlan,
    SearchOptions,
    SearchResult,
    Step,
    Wish,
)
from tests.retrieval.library import Library
from tests.standins.ollama import OllamaStandin
from tests.standins.scripts import Reply

NOW = datetime(2026, 1, 1, tzinfo=UTC)
PLAIN = SearchOptions(top_k=4, diversify=False, join_neighbours=False)
QUESTION = "Where was the builder of the Amber lighthouse born?"
TEXTS = {
    "lighthouse.txt": "The lighthouse of Port Amber was built in 1874 by Ida Holm.",
    "holm.txt": "Ida Holm was an engineer. She was born in Visby in 1831.",
    "bread.txt": "Sourdough bread needs flour, water and salt.",
    "ships.txt": "The harbour of Port Amber serves forty ships a day.",
    "lamps.txt": "The lamp of a lighthouse is seen from twenty miles away.",
}


@pytest.fixture
def filled(library: Library) -> Library:
    for name, text in TEXTS.items():
        library.add(name, [text])
    return library


class Scripted:
    """Models that give the replies that a test wants; afterwards they fail."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.standins: list[OllamaStandin] = []

    def __call__(self, *replies: Reply | dict[str, Any] | str, **limits: Any) -> Thinking:
        script = [_reply(reply) for reply in replies]
        standin = OllamaStandin(replies=[*script, Reply("status", status=400, times=None)])
        standin.start()
        self.standins.append(standin)
        here = self.settings.model_copy(update={"ollama_url": standin.url})
        model = make_chat_model(ModelChoice("ollama", "standin:latest"), here)
        return Thinking(model, **{"deadline": time.monotonic() + 60, **limits})

    @property
    def asked(self) -> list[str]:
        """What the last model was asked, each request as one text."""
        chats = [r for r in self.standins[-1].requests if r.path == "/api/chat"]
        return ["\n".join(m["content"] for m in request.body["messages"]) for request in chats]


@pytest.fixture
def scripted(settings: Settings) -> Iterator[Scripted]:
    made = Scripted(settings.model_copy(update={"first_token_seconds": 3.0}))
    yield made
    for standin in made.standins:
        standin.__exit__(None, None, None)


def _reply(reply: Reply | dict[str, Any] | str) -> Reply:
    if isinstance(reply, Reply):
        return reply
    return Reply(text=reply if isinstance(reply, str) else json.dumps(reply))


def verdict(*kept: int, of: int, query: str = "", enough: bool = False) -> dict[str, Any]:
    hits = [{"id": n, "keep": n in kept, "reason": f"reason {n}"} for n in range(1, of + 1)]
    return {"hits": hits, "enough": enough, "next_query": query}


T = TypeVar("T")


def done(work: Generator[Step, None, T]) -> tuple[T, list[Step]]:
    """What a stage returns, and its steps."""
    steps: list[Step] = []
    while True:
        try:
            steps.append(next(work))
        except StopIteration as end:
            return end.value, steps


def planned(
    thinking: Thinking, level: Level, question: str = QUESTION, history: Sequence[Message] = ()
) -> QueryPlan:
    return done(understand(question, history, Wish(level=level), thinking))[0]


def sought(library: Library, plan: QueryPlan, thinking: Thinking, **wish: Any) -> SearchResult:
    work = seek(library.retriever(), library.session_id, plan, Wish(PLAIN, **wish), thinking)
    return done(work)[0]


def names(result: SearchResult) -> list[str]:
    return [hit.document.name for hit in result.hits]


def talk() -> list[Message]:
    """One turn: a question, and an answer that cites something."""
    cited = Citation(1, "x:0", "x", "apples.txt", None, 0, None, 0, 0, "", "All about apples")
    answer = Answer("What are apples?", "Apples are fruit.", (cited,))
    return [
        Message(1, "user", "What are apples?", NOW),
        Message(2, "assistant", answer.text, NOW, answer),
    ]


# ---------------------------------------------------------------------------------- the levels


def test_as_typed_asks_nobody(scripted: Scripted) -> None:
    thinking = scripted()
    plan = planned(thinking, Level.AS_TYPED, "How much do they cost?", talk())
    assert (plan.queries, plan.level) == (("How much do they cost?",), Level.AS_TYPED)
    assert scripted.asked == []


def test_rewritten(scripted: Scripted) -> None:
    thinking = scripted({"query": "How much do apples cost?"})
    plan = planned(thinking, Level.REWRITTEN, "How much do they cost?", talk())
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
    assert '"at most once", v2.1' in plan.notices[0].text


def test_several(filled: Library, scripted: Scripted) -> None:
    aim = {"goal": QUESTION, "queries": ["builder of the Amber lighthouse", "Ida Holm born"]}
    thinking = scripted(aim)
    plan = planned(thinking, Level.SEVERAL)
    assert (plan.level, plan.goal, plan.queries) == (Level.SEVERAL, QUESTION, tuple(aim["queries"]))
    result = sought(filled, plan, thinking)
    assert {"lighthouse.txt", "holm.txt"} <= set(names(result))
    assert len({hit.chunk.id for hit in result.hits}) == len(result.hits)
    assert [(sent.text, sent.why) for sent in result.sent] == [
        (QUESTION, "the goal"), (aim["queries"][0], "a query"), (aim["queries"][1], "a query")
    ]  # fmt: skip
    assert all(sent.found and sent.where == "documents" for sent in result.sent)
    assert len(scripted.asked) == 1


def test_in_depth_finds_what_the_first_hits_lead_to(filled: Library, scripted: Scripted) -> None:
    thinking = scripted(
        {"goal": QUESTION, "queries": ["who built the Amber lighthouse"]},
        verdict(1, of=4, query="Where was Ida Holm born?"),
        verdict(1, of=1, enough=True),
    )
    plan = planned(thinking, Level.IN_DEPTH)
    result = sought(filled, plan, thinking)
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
    thinking = scripted(
        {"goal": QUESTION, "queries": ["lighthouse"]},
        verdict(1, of=5, query="ships"),
        verdict(of=0, query="bread"),
        verdict(of=0, query="lamps"),
        rounds=2,
    )
    result = sought(filled, planned(thinking, Level.IN_DEPTH), thinking)
    assert len(scripted.asked) == 3
    assert result.notices[-1].code == "depth-limit"


def test_in_depth_never_searches_the_same_again(filled: Library, scripted: Scripted) -> None:
    thinking = scripted(
        {"goal": QUESTION, "queries": ["Amber lighthouse"]},
        verdict(1, of=5, query="the amber LIGHTHOUSE?"),
    )
    result = sought(filled, planned(thinking, Level.IN_DEPTH), thinking)
    assert len(scripted.asked) == 2
    assert result.notices == ()


def test_a_summary_of_what_was_kept(filled: Library, scripted: Scripted) -> None:
    thinking = scripted(
        {"goal": QUESTION, "queries": ["Amber lighthouse"]},
        verdict(1, of=5, enough=True),
        {"summary": "It was built by Ida Holm."},
        summary=True,
    )
    result = sought(filled, planned(thinking, Level.IN_DEPTH), thinking)
    assert result.summary == "It was built by Ida Holm."


def test_auto_chooses(scripted: Scripted) -> None:
    alone = planned(scripted(), Level.AUTO, "Who built the lighthouse of Port Amber?")
    assert alone.level is Level.AS_TYPED
    both = {"goal": "x", "queries": ["old lighthouse", "new lighthouse"]}
    question = "What is the difference between the old and the new lighthouse?"
    assert planned(scripted(both), Level.AUTO, question).level is Level.IN_DEPTH
    follows = planned(scripted({"goal": "apples", "queries": ["cost of apples"]}), Level.AUTO,
                      "How much do they cost?", talk())  # fmt: skip
    assert (follows.level, follows.queries) == (Level.SEVERAL, ("cost of apples",))


def test_queries_of_a_person_are_used_as_they_are(filled: Library, scripted: Scripted) -> None:
    thinking = scripted()
    wish = Wish(PLAIN, Level.SEVERAL, queries=("Ida Holm", "sourdough", "Ida  Holm"))
    plan = done(understand(QUESTION, (), wish, thinking))[0]
    assert plan.queries == ("Ida Holm", "sourdough")
    result = done(seek(filled.retriever(), filled.session_id, plan, wish, thinking))[0]
    assert {"holm.txt", "bread.txt"} <= set(names(result))
    assert scripted.asked == []


# --------------------------------------------------------------------------------- falling back


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
    thinking = scripted(broken, {"query": "birthplace of the builder"})
    plan = planned(thinking, Level.SEVERAL, "where is the birthplace of the builder")
    assert plan.level is Level.REWRITTEN
    assert plan.queries == ("birthplace of the builder",)
    assert [notice.code for notice in plan.notices] == ["planning-failed"]
    assert "one was rewritten" in plan.notices[0].text


def test_rewritten_falls_back_to_the_rules(scripted: Scripted) -> None:
    plan = planned(scripted("no", "no"), Level.SEVERAL, "How much do they cost?", talk())
    assert plan.level is Level.AS_TYPED
    assert plan.queries[0] == "How much do they cost? fruit apples" or "apples" in plan.queries[0]
    assert [n.code for n in plan.notices] == ["planning-failed", "words-carried-over"]


def test_cut_json_is_mended(scripted: Scripted) -> None:
    cut = "Here you are:\n```json\n{'goal': 'births', 'queries': ['Ida Holm born', 'Visby"
    plan = planned(scripted(cut), Level.SEVERAL, "births")
    assert plan.queries == ("Ida Holm born", "Visby")


def test_in_depth_falls_back_to_several(filled: Library, scripted: Scripted) -> None:
    aim = {"goal": QUESTION, "queries": ["Amber lighthouse", "Ida Holm"]}
    thinking = scripted(aim, "I would rather not.")
    result = sought(filled, planned(thinking, Level.IN_DEPTH), thinking)
    assert {"lighthouse.txt", "holm.txt"} <= set(names(result))
    assert [notice.code for notice in result.notices] == ["depth-ended"]
    assert "round 1" in result.notices[0].text


def test_in_depth_keeps_what_it_has_when_a_later_round_fails(
    filled: Library, scripted: Scripted
) -> None:
    aim = {"goal": QUESTION, "queries": ["Amber lighthouse"]}
    thinking = scripted(aim, verdict(1, of=5, query="Ida Holm"), Reply("status", status=400))
    result = sought(filled, planned(thinking, Level.IN_DEPTH), thinking)
    assert names(result) == ["lighthouse.txt"]
    assert "round 2" in result.notices[-1].text


def test_a_model_that_drops_everything_drops_nothing(filled: Library, scripted: Scripted) -> None:
    aim = {"goal": QUESTION, "queries": ["Amber lighthouse"]}
    thinking = scripted(aim, verdict(of=5, enough=True))
    result = sought(filled, planned(thinking, Level.IN_DEPTH), thinking)
    assert len(result.hits) == 4
    assert "nothing-kept" in {notice.code for notice in result.notices}


@pytest.mark.parametrize("level", [Level.REWRITTEN, Level.SEVERAL, Level.IN_DEPTH])
def test_without_a_model_the_rules_do_it(filled: Library, level: Level) -> None:
    thinking = Thinking()
    plan = planned(thinking, level, "Who built the lighthouse of Port Amber?")
    assert [notice.code for notice in plan.notices] == ["no-model-for-queries"]
    result = sought(filled, plan, thinking)
    assert "lighthouse.txt" in names(result)
    hops = [sent for sent in result.sent if "Ida Holm" in sent.text]
    assert bool(hops) == (level is not Level.REWRITTEN)


# ------------------------------------------------------------------------------------- limits


def test_time_is_kept(scripted: Scripted) -> None:
    began = time.monotonic()
    thinking = scripted(Reply("hang-first"), deadline=time.monotonic() + 0.6)
    plan = planned(thinking, Level.SEVERAL)
    assert time.monotonic() - began < 3
    assert plan.level is Level.AS_TYPED
    assert "QUESTION_SECONDS" in plan.notices[0].cure


def test_tokens_are_kept(filled: Library, scripted: Scripted) -> None:
    aim = {"goal": QUESTION, "queries": ["Amber lighthouse"]}
    thinking = scripted(aim, tokens_left=1_500)
    plan = planned(thinking, Level.IN_DEPTH)
    thinking.tokens_left = 300
    result = sought(filled, plan, thinking)
    assert len(scripted.asked) == 1
    assert result.notices[-1].code == "depth-ended"
    assert "QUESTION_TOKENS" in result.notices[-1].cure
    assert result.hits


def test_stopping_ends_the_thinking(scripted: Scripted) -> None:
    thinking = scripted({"query": "x"}, cancelled=lambda: True)
    plan = planned(thinking, Level.REWRITTEN)
    assert plan.level is Level.AS_TYPED
    assert scripted.asked == []


def test_limits_come_from_the_settings(settings: Settings) -> None:
    small = settings.model_copy(update={"question_tokens": 10_000, "question_seconds": 10.0})
    made = Thinking.within(small, None, lambda: False)
    assert made.tokens_left == 10_000 - small.context_tokens - small.answer_tokens
    assert 4 < made.deadline - time.monotonic() <= 5


# ------------------------------------------------------------------------------ conversations


def test_what_the_conversation_found_is_looked_at_again(filled: Library) -> None:
    first = sought(filled, planned(Thinking(), Level.AUTO, "Who was Ida Holm?"), Thinking())
    holm = next(hit for hit in first.hits if hit.document.name == "holm.txt")
    cited = Citation(1, holm.chunk.id, holm.document.id, "holm.txt", None, 0, 1, 0, 4, "Ida")
    answer = Answer("Who was Ida Holm?", "Ida Holm was an engineer.", (cited,), search=first)
    history = [
        Message(1, "user", "Who was Ida Holm?", NOW),
        Message(2, "assistant", answer.text, NOW, answer),
    ]
    plan = planned(Thinking(), Level.AUTO, "When was she born?", history)
    assert plan.known[0] == holm.chunk.id
    result = sought(filled, plan, Thinking())
    assert names(result)[0] == "holm.txt"
    assert "conversation" in {sent.where for sent in result.sent}


def test_passages_of_a_document_taken_out_are_not_looked_at_again(filled: Library) -> None:
    plan = QueryPlan("q", "Ida Holm born", ("Ida Holm born",), known=("gone:0", "gone"))
    result = sought(filled, plan, Thinking())
    assert "conversation" not in {sent.where for sent in result.sent}


def test_a_new_topic_does_not_follow() -> None:
    plan = planned(Thinking(), Level.AUTO, "Who painted the ceiling of the Sistine Chapel?", talk())
    assert not plan.follows
    assert plan.known == ()
    assert planned(Thinking(), Level.AUTO, "Are green apples sour when ripe?", talk()).follows
