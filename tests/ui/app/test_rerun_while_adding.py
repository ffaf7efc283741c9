"""Clicks, page changes and double clicks while documents are added make one job each."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit.typing import UploadedFile

from core.types import DocumentState
from core.ui.shell import state
from tests.ui.app.fake_service import FakeService
from tests.ui.app.pages import button, open_tab, serve, session_of, sheets, unfold

pytestmark = pytest.mark.I01

PAGE = "pages/1_Documents.py"


def test_the_same_upload_is_handed_in_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = serve(monkeypatch, FakeService(pace=0.01))
    tab = open_tab(PAGE)
    tab.file_uploader[0].upload("a.pdf", b"a")
    tab.run()
    for path in ("app.py", PAGE, "pages/5_Status.py", PAGE):
        tab.switch_page(path).run()
        assert not tab.exception
    assert fake.added == ["a.pdf"]
    assert len(fake.documents.list(session_of(fake))) == 1


def test_a_click_in_the_middle_of_taking_in_hands_nothing_in_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first run ends before its last line, as when a person clicks or adds another file."""
    fake = serve(monkeypatch, FakeService())
    tab = open_tab(PAGE)
    tab.file_uploader[0].upload("a.pdf", b"a")
    with monkeypatch.context() as interrupted:
        interrupted.setattr(state, "free_upload", _interrupt)
        tab.run()
        interrupted.undo()
    tab.file_uploader[0].upload("b.pdf", b"b")
    tab.run()
    assert fake.added == ["a.pdf", "b.pdf"]


def _interrupt(file: UploadedFile) -> None:
    st.stop()


def test_five_clicks_on_add_make_one_document(monkeypatch: pytest.MonkeyPatch) -> None:
    serve(monkeypatch, FakeService())
    tab = unfold(open_tab(PAGE), "web-pages")
    for _ in range(5):
        tab.text_area[0].set_value("https://example.org/a")
        button(tab, "Add").click().run()
    assert [row["label"] for row in sheets(tab)[0]["rows"]] == ["https://example.org/a"]


def test_the_work_goes_on_without_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = serve(monkeypatch, FakeService(pace=0.01))
    tab = open_tab(PAGE)
    tab.file_uploader[0].upload("a.pdf", b"a")
    tab.run()
    session = session_of(fake)
    while fake.documents.list(session)[0].state is not DocumentState.READY:
        pass  # every look brings the fake a step further
    later = open_tab(PAGE)
    assert sheets(later)[0]["rows"][0]["words"] == "Ready"
