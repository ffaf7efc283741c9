"""The switch of the live web: there where SearXNG is set, with a person's own queries."""

from __future__ import annotations

from dataclasses import replace

from core.types import Answer, Step
from core.ui.web_switch import last_queries
from tests.app.fake_service import FakeService, canned_answer
from tests.app.pages import answered, open_tab


def web_answer(question: str) -> Answer:
    answer = canned_answer(question)
    assert answer.search is not None
    step = Step("web queries", "velmark guild | net makers (of its words)", 0.1, 2)
    return replace(answer, search=replace(answer.search, steps=(step, *answer.search.steps)))


def test_without_searxng_there_is_no_switch(fake: FakeService) -> None:
    tab = open_tab()
    assert not tab.exception
    assert tab.toggle.len == 0
    tab.chat_input[0].set_value("What?").run()
    answered(tab, fake)
    assert fake.wishes[-1]["web"] is False


def test_the_switch_asks_the_web_too(fake: FakeService) -> None:
    fake.settings.searxng_url = "http://127.0.0.1:8888"
    tab = open_tab()
    tab.toggle(key="web-on").set_value(True).run()
    assert not tab.exception
    tab.chat_input[0].set_value("What?").run()
    answered(tab, fake)
    assert (fake.wishes[-1]["web"], fake.wishes[-1]["queries"]) == (True, [])


def test_the_queries_can_be_written_and_taken_from_the_last_answer(fake: FakeService) -> None:
    fake.settings.searxng_url = "http://127.0.0.1:8888"
    fake.answer = web_answer
    tab = open_tab()
    tab.toggle(key="web-on").set_value(True).run()
    tab.text_area(key="web-queries").set_value(" one \n\ntwo").run()
    tab.chat_input[0].set_value("What?").run()
    answered(tab, fake)
    assert fake.wishes[-1]["queries"] == ["one", "two"]
    take = next(b for b in tab.button if b.label == "Take the last ones")
    take.click().run()
    assert tab.text_area(key="web-queries").value == "velmark guild\nnet makers"


def test_no_answer_no_queries() -> None:
    assert last_queries([]) == []
