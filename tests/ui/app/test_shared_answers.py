"""Answers that people share: offered where they sign in, read on a page of their own."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.types import Role, Session
from tests.ui.app.fake_service import FakeService
from tests.ui.app.pages import open_tab, sheets
from tests.ui.app.test_login import looks, shared

__all__ = ["looks"]  # a fixture

PAGE = "pages/6_Answer.py"
QUESTION = "What is carried with every passage?"


def asked(fake: FakeService, session: Session) -> int:
    """The message of an answer in a conversation of Nils, who is in Ida's session."""
    talk = fake.conversations.create(session, QUESTION)
    fake._say(talk.id, "user", QUESTION)
    answer = fake.answer(QUESTION)
    fake._say(talk.id, "assistant", answer.text, answer)
    return fake._messages[talk.id][-1].id


def in_the_chat(session: Session, fake: FakeService, dialog_for: int | None = None) -> AppTest:
    """The conversation as Nils has it open, with the dialog of an answer if one is named."""
    (talk,) = fake.conversations.list(session)
    tab = open_tab(session=session.id, conversation=talk.id)
    if dialog_for is not None:
        tab.session_state["sharing-asked"] = dialog_for
        tab.run()
    assert not tab.exception
    return tab


def answer_page(session: Session, shared_id: str) -> AppTest:
    tab = open_tab(PAGE, session=session.id, shared=shared_id)
    assert not tab.exception
    return tab


def word(tab: AppTest) -> str:
    """What the button below the answer says, "" where there is none."""
    (sheet,) = (sheet for sheet in sheets(tab) if "content" in sheet)
    return str(sheet["content"].get("share", ""))


def test_an_answer_is_shared_by_its_author_and_read_by_others(
    fake: FakeService, looks: Any
) -> None:
    session = shared(fake, looks, Role.READER)
    message = asked(fake, session)
    assert word(in_the_chat(session, fake)) == "Share"
    tab = in_the_chat(session, fake, message)
    assert not tab.code
    assert not fake.shared_answers.shared, "opening the dialog shares nothing"
    tab.button(key="share-answer").click().run()
    (shared_id,) = fake.shared_answers.shared
    tab = in_the_chat(session, fake, message)
    assert word(tab) == "Shared"
    assert tab.code[0].value.endswith(f"/Answer?session={session.id}&shared={shared_id}")

    looks("ida")
    seen = answer_page(session, shared_id)
    (sheet,) = (sheet for sheet in sheets(seen) if "content" in sheet)
    assert sheet["content"]["question"] == QUESTION
    assert sheet["content"]["cited"]
    assert not seen.chat_input
    assert [sheet[name] for name in ("again", "edit", "export", "checks")] == [False] * 3 + [None]
    assert word(seen) == ""

    looks("nils")
    tab.button(key="end-sharing").click().run()
    assert not fake.shared_answers.shared
    looks("ida")
    gone = answer_page(session, shared_id)
    assert "no longer shared" in gone.warning[0].value
    assert not sheets(gone)


def test_a_stranger_opens_nothing(fake: FakeService, looks: Any) -> None:
    session = shared(fake, looks, Role.READER)
    talk_message = asked(fake, session)
    (talk,) = fake.conversations.list(session)
    shared_id = fake.shared_answers.share(session, talk.id, talk_message).id
    looks("eva")
    tab = answer_page(session, shared_id)
    assert [QUESTION in str(sheet) for sheet in sheets(tab)] == []
    (warning,) = tab.warning
    assert "a session that you cannot open" in warning.value
    assert "no longer shared" in open_tab(PAGE).warning[0].value


def test_without_a_login_there_is_nobody_to_share_with(fake: FakeService) -> None:
    tab = open_tab()
    session = fake.sessions.list(fake.owners.for_token("somebody"))[0]
    asked(fake, session)
    assert word(in_the_chat(session, fake)) == ""
    assert "shared-answers" not in [button.key for button in tab.button]


@pytest.mark.parametrize("mine", [True, False])
@pytest.mark.parametrize("role", [Role.READER, Role.ADMIN])
def test_what_is_shared_is_listed(fake: FakeService, looks: Any, role: Role, mine: bool) -> None:
    session = shared(fake, looks, role)
    message = asked(fake, session)
    assert "shared-answers" not in [button.key for button in in_the_chat(session, fake).button]
    (talk,) = fake.conversations.list(session)
    one = fake.shared_answers.share(session, talk.id, message)
    fake.shared_answers.own(one.id, mine)
    tab = in_the_chat(session, fake)
    tab.button(key="shared-answers").click().run()
    assert not tab.exception
    links = [link.proto.label.replace("\\", "") for link in tab.get("page_link")]
    assert QUESTION in links
    may_end = mine or role is Role.ADMIN
    assert (f"end-{one.id}" in [button.key for button in tab.button]) is may_end
    if may_end:
        tab.button(key=f"end-{one.id}").click().run()
        assert not fake.shared_answers.shared
