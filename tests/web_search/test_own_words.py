"""To a search engine go the person's own words: none of a document, an answer or the history."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.step_text import step_text
from core.types import Answer, AskRequest, Level, ModelChoice, QueryOptions, QueryPlan, Step
from core.web_search.queries import in_own_words
from tests.standins.openai_server import OpenAIStandin
from tests.standins.scripts import Reply
from tests.web_search.live import LiveWeb, live_web
from tests.web_search.test_live_web import add_document

pytestmark = pytest.mark.H08

SECRET = "Brandauer"
PLANTED = f"Ottilie {SECRET}"
TEXT = f"The Quorra project was founded by {PLANTED} in 1931. She was born in Pillgram."
PLANNED = json.dumps(
    {"query": f"When was {PLANTED} born?", "goal": f"When was {PLANTED} born?",
     "queries": [f"{PLANTED} born", f"founder of Quorra {SECRET} birth"],
     "hits": [{"id": 1, "keep": True, "reason": "names her"}], "enough": False,
     "next_query": f"{PLANTED} Pillgram", "summary": f"{PLANTED} founded it."}
)  # fmt: skip
ON_THE_WEB = Reply(text='{"queries": ["born founder biography"]}')


def follow_up(live: LiveWeb, level: Level, model: ModelChoice | None = None) -> list[Step]:
    """Ask who founded it of the documents, then about that person on the web too."""
    add_document(live, "quorra.txt", TEXT)
    talk = live.service.conversations.create(live.session, "Quorra").id
    request = AskRequest(live.session, "Who founded the Quorra project?", talk)
    first = list(live.service.ask(request))[-1]
    assert isinstance(first, Answer)
    assert PLANTED in first.text
    options = QueryOptions(level=level, web=True)
    request = AskRequest(live.session, "When was she born?", talk, options=options, model=model)
    events = list(live.service.ask(request))
    return [event for event in events if isinstance(event, Step)]


@pytest.mark.parametrize("level", Level)
def test_without_a_model(tmp_path: Path, level: Level) -> None:
    with live_web(tmp_path, found=("/velmark",)) as live:
        steps = follow_up(live, level)
        sent = [request["q"] for request in live.standin.requests]
    assert sent
    assert not any(SECRET in query or "Ottilie" in query for query in sent)
    if level is not Level.AS_TYPED:
        assert any("Quorra" in query for query in sent), "the person typed that"
        (queried,) = [step_text(step) for step in steps if step.name == "web queries"]
        assert "not sent, as you did not type it: Ottilie, Brandauer" in queried


@pytest.mark.parametrize("level", Level)
def test_a_model_that_read_the_conversation(tmp_path: Path, level: Level) -> None:
    planning = 0 if level is Level.AS_TYPED else 1
    replies = [*[Reply(text=PLANNED)] * planning, ON_THE_WEB, Reply(text=PLANNED, times=None)]
    with (
        OpenAIStandin(replies=replies) as model,
        live_web(tmp_path, found=("/velmark",), openai_url=model.url) as live,
    ):
        follow_up(live, level, ModelChoice("openai", "standin"))
        sent = [request["q"] for request in live.standin.requests]
        asked = [json.dumps(chat.body["messages"]) for chat in model.chats()]
    assert sent
    assert not any(SECRET in query or "Ottilie" in query for query in sent)
    for prompt in asked:
        if "web search engine" in prompt:
            assert SECRET not in prompt


def test_words_that_the_person_typed_stay() -> None:
    plan = QueryPlan(
        "when was she born?", "When was Ida Holm, founder of Velmark Labs, born?",
        ("Ida Holm born", "Velmark founders born"),
    )  # fmt: skip
    typed = ("when was she born?", "who is the founder of Velmark labs?")
    outgoing, withheld = in_own_words(plan, typed)
    assert outgoing.goal == "When was , founder of Velmark Labs, born?"
    assert outgoing.queries == ("born", "Velmark founders born")
    assert withheld == ("Ida", "Holm")
    assert in_own_words(plan, (*typed, "Ida Holm?")) == (plan, ())


def test_a_query_of_nothing_but_other_words_becomes_the_question() -> None:
    plan = QueryPlan("and her?", "Ida Holm", ("Ida Holm", "Holm Velmark"))
    outgoing, withheld = in_own_words(plan, ("and her?",))
    assert outgoing.queries == ("and her?",)
    assert withheld == ("Ida", "Holm", "Velmark")
