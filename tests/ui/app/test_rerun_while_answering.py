"""A rerun, a page change or a second question while an answer is written loses nothing."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

from core.errors import DatabaseUnreachable, Interrupted
from core.types import Asked, Message, QueryOptions
from tests.ui.app.fake_service import FakeService, canned_answer, now
from tests.ui.app.pages import answered, button, open_tab, run_of, serve, session_of, sheets

pytestmark = pytest.mark.I02


def test_reruns_neither_lose_nor_repeat_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = serve(monkeypatch, FakeService(pace=0.2))
    tab = open_tab()
    tab.chat_input[0].set_value("What is carried?").run()
    assert tab.chat_input[0].disabled
    for _ in range(3):
        tab.run()
    tab.switch_page("pages/3_Search.py").run()
    tab.switch_page("app.py").run()
    answered(tab, fake)
    assert fake.asked == ["What is carried?"]
    assert [sheet["content"]["question"] for sheet in sheets(tab)] == ["What is carried?"]
    assert sheets(tab)[0]["content"]["cited"]
    assert not tab.chat_input[0].disabled


def test_what_is_written_is_shown_while_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = serve(monkeypatch, FakeService(pace=0.2))
    tab = open_tab()
    tab.chat_input[0].set_value("What is carried?").run()
    seen = set()
    while not run_of(tab, fake).done:
        tab.run()
        content = sheets(tab)[0]["content"]
        if content["live"] and content["tree"]:
            seen.add(str(content["tree"]))
    assert len(seen) > 1


def test_an_answer_is_looked_at_ten_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[float] = []
    enqueue = ScriptRunContext.enqueue

    def noted(run: ScriptRunContext, message: Any) -> None:
        if message.WhichOneof("type") == "auto_rerun":
            looks.append(message.auto_rerun.interval)
        enqueue(run, message)

    monkeypatch.setattr(ScriptRunContext, "enqueue", noted)
    fake = serve(monkeypatch, FakeService(pace=0.2))
    tab = open_tab()
    looks.clear()
    tab.chat_input[0].set_value("What is carried?").run()
    assert looks
    assert max(looks) == pytest.approx(0.1)
    answered(tab, fake)


def test_stop_keeps_what_was_written_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = serve(monkeypatch, FakeService(pace=0.2))
    tab = open_tab()
    tab.chat_input[0].set_value("What is carried?").run()
    run = run_of(tab, fake)
    while not run.progress().text:
        run.wait(0.01)
    tab.run()
    button(tab, "Stop").click().run()
    answered(tab, fake)
    content = sheets(tab)[0]["content"]
    assert content["tree"]
    assert "incomplete" in content["meta"]
    assert [notice["text"] for notice in content["notices"]] == ["You stopped this answer."]


def test_an_answer_ends_without_any_page(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = serve(monkeypatch, FakeService(pace=0.02))
    tab = open_tab()
    tab.chat_input[0].set_value("What is carried?").run()
    conversation = str(tab.query_params["conversation"])
    assert run_of(tab, fake).wait(10)
    del tab
    stored = fake.conversations.messages(session_of(fake), conversation)
    assert [message.role for message in stored] == ["user", "assistant"]


def test_what_another_process_writes_is_waited_for_and_begins_here_when_that_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake = serve(monkeypatch, FakeService())
    session = fake.sessions.create(fake.owners.for_token("somebody"))
    talk = fake.conversations.create(session, "What is carried?").id
    question = Message(1, "user", "What is carried?", now(), asked=Asked(QueryOptions()))
    fake._messages[talk].append(question)
    tab = open_tab(session=session.id, conversation=talk)
    assert any("This answer is written elsewhere." in one.value for one in tab.caption)
    assert tab.chat_input[0].disabled
    assert "Ask again" not in [one.label for one in tab.button]
    assert fake.asked == []
    fake.others_ended = True
    answered(tab.run(), fake)
    assert fake.asked == ["What is carried?"]
    assert [sheet["content"]["question"] for sheet in sheets(tab)] == ["What is carried?"]
    assert sheets(tab)[0]["content"]["cited"]


def test_what_was_answered_elsewhere_is_shown_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = serve(monkeypatch, FakeService())
    fake.error = Interrupted("Another process answers this question by now.")
    tab = open_tab()
    answered(tab.chat_input[0].set_value("What is carried?").run(), fake)
    (said,) = fake._messages.values()
    said[:] = [
        Message(1, "user", "What is carried?", now()),
        Message(2, "assistant", "", now(), canned_answer("What is carried?")),
    ]
    tab.run()
    assert [sheet["content"]["question"] for sheet in sheets(tab)] == ["What is carried?"]
    assert not tab.error


def test_what_was_answered_elsewhere_while_the_store_was_away_is_shown_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake = serve(monkeypatch, FakeService())
    fake.error = DatabaseUnreachable("The catalogue's database does not answer.")
    tab = open_tab()
    answered(tab.chat_input[0].set_value("What is carried?").run(), fake)
    (said,) = fake._messages.values()
    said[:] = [
        Message(1, "user", "What is carried?", now()),
        Message(2, "assistant", "", now(), canned_answer("What is carried?")),
    ]
    tab.run()
    assert [sheet["content"]["question"] for sheet in sheets(tab)] == ["What is carried?"]
    assert not tab.error


def test_the_same_question_that_failed_the_second_time_says_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake = serve(monkeypatch, FakeService())
    tab = open_tab()
    answered(tab.chat_input[0].set_value("What is carried?").run(), fake)
    fake.error = DatabaseUnreachable("The catalogue's database does not answer.")
    answered(tab.chat_input[0].set_value("What is carried?").run(), fake)
    assert [sheet["content"]["question"] for sheet in sheets(tab)] == ["What is carried?"] * 2
    assert "does not answer" in "".join(one.value for one in tab.error)


def test_stop_is_told_to_the_catalogue_too(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = serve(monkeypatch, FakeService(pace=0.2))
    tab = open_tab()
    tab.chat_input[0].set_value("What is carried?").run()
    button(tab, "Stop").click().run()
    assert fake.stopped == [str(tab.query_params["conversation"])]
    answered(tab, fake)
