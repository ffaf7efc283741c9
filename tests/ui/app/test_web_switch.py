"""The switch of the live web: there where SearXNG is set, with a person's own queries."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from core.types import Answer, SentQuery
from core.ui.chat.web_switch import last_queries
from tests.ui.app.fake_service import FakeService, a_document, canned_answer
from tests.ui.app.pages import answered, open_tab, session_of


def web_answer(question: str) -> Answer:
    answer = canned_answer(question)
    assert answer.search is not None
    texts = ("velmark guild | (net) makers", "nets")
    sent = [SentQuery(text, "web", "of its words") for text in texts]
    return replace(answer, search=replace(answer.search, sent=(*answer.search.sent, *sent)))


def test_without_searxng_there_is_no_switch(fake: FakeService) -> None:
    tab = open_tab()
    assert not tab.exception
    assert tab.toggle.len == 0
    tab.chat_input[0].set_value("What?").run()
    answered(tab, fake)
    assert fake.options[-1].web is False


def test_the_switch_asks_the_web_too(fake: FakeService) -> None:
    fake.settings.searxng_url = "http://127.0.0.1:8888"
    tab = open_tab()
    tab.toggle(key="web-on").set_value(True).run()
    assert not tab.exception
    tab.chat_input[0].set_value("What?").run()
    answered(tab, fake)
    assert (fake.options[-1].web, fake.options[-1].queries) == (True, ())


def test_the_queries_can_be_written_and_taken_from_the_last_answer(fake: FakeService) -> None:
    fake.settings.searxng_url = "http://127.0.0.1:8888"
    fake.answer = web_answer
    tab = open_tab()
    tab.toggle(key="web-on").set_value(True).run()
    tab.text_area(key="web-queries").set_value(" one \n\ntwo").run()
    tab.chat_input[0].set_value("What?").run()
    answered(tab, fake)
    assert fake.options[-1].queries == ("one", "two")
    take = next(b for b in tab.button if b.label == "Use the last queries")
    take.click().run()
    assert tab.text_area(key="web-queries").value == "velmark guild | (net) makers\nnets"


def test_pages_read_for_answers_are_listed_kept_and_removed(fake: FakeService) -> None:
    tab = open_tab("pages/1_Documents.py")
    assert tab.expander.len == 1
    session = session_of(fake)
    later = datetime.now(UTC) + timedelta(hours=5, minutes=10)
    for name in ("one", "two"):
        page = a_document(name, session.id, f"Page {name}", f"Page {name}", 10)
        address = f"http://e.org/{name}"
        fake.read.append(replace(page, url=address, added_at=later, expires_at=later))
    tab.run()
    assert not tab.exception
    assert "Web pages read for answers: 2" in tab.expander[1].label
    assert any("5 more hours" in caption.value for caption in tab.caption)
    tab.button(key="keep-two").click().run()
    assert fake.kept == ["two"]
    assert not tab.exception


def test_no_answer_no_queries() -> None:
    assert last_queries([]) == []
