"""The Collect page: previews, starts, what runs show and what can be done with them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import InvalidRequest, InvalidUrl
from core.types import CollectKind, CollectState, RefreshEvery
from core.ui.shell.context import PageContext
from tests.ui.app.fake_collector import FakeCollector
from tests.ui.app.fake_service import FakeService
from tests.ui.app.pages import button, open_tab, session_of, unfold

PAGE = "pages/2_Collect.py"
QUESTIONS, SITE = "collect-tab=Stack Exchange", "collect-tab=Web site"
FILE = "collect-tab=Documentation file"


def keyed(tab: AppTest, key: str) -> object:
    return next(b for b in tab.button if b.key == key)


def words(tab: AppTest) -> str:
    """Everything that is said on the page."""
    kinds = (tab.caption, tab.markdown, tab.text, tab.error)
    said = [element.value for kind in kinds for element in kind]
    bars = [node.proto.text for node in tab.get("progress")]
    return "\n".join([*said, *bars]).replace("\\", "")


def test_a_documentation_is_looked_at_and_collected(fake: FakeService) -> None:
    tab = unfold(open_tab(PAGE), "docs-limits")
    assert tab.text_input(key="docs-url").value == "https://docs.python.org/3/"
    keyed(tab, "look-python-docs").click().run()
    assert "The *Docs*" in words(tab)
    assert "7 links to follow from here, 3 in its sitemaps." in words(tab)
    assert fake.collecting.rows == {}
    tab.toggle(key="docs-news").set_value(True)
    tab.number_input(key="docs-pages").set_value(30)
    keyed(tab, "start-python-docs").click().run()
    (run,) = fake.collecting.rows.values()
    assert run.request.kind is CollectKind.PYTHON_DOCS
    assert (run.request.whats_new, run.request.pages) == (True, 30)
    live = "Reading pages · 40 kept of 50 read · 2.5 MB · 150 in the queue · 1 error"
    assert f"{live} · about 1 min 30 s left" in words(tab)


def test_what_is_folded_is_drawn_when_it_is_opened_and_kept_when_it_is_closed(
    fake: FakeService,
) -> None:
    tab = open_tab(PAGE)
    assert not tab.number_input
    assert not tab.file_uploader, "a form that is not open"
    unfold(tab, "docs-limits").number_input(key="docs-pages").set_value(30).run()
    unfold(tab, QUESTIONS)
    assert tab.file_uploader
    tab.session_state["docs-limits"] = False
    keyed(tab.run(), "start-python-docs").click().run()
    (run,) = fake.collecting.rows.values()
    assert run.request.pages == 30


def test_a_site_with_its_limits(fake: FakeService) -> None:
    tab = unfold(open_tab(PAGE), SITE, "site-limits")
    tab.text_area(key="site-urls").set_value("http://e.org/a/\nhttp://e.org/b/\n")
    tab.toggle(key="site-maps").set_value(False)
    tab.number_input(key="site-depth").set_value(2)
    keyed(tab, "start-site").click().run()
    (run,) = fake.collecting.rows.values()
    assert run.request.urls == ("http://e.org/a/", "http://e.org/b/")
    assert (run.request.sitemaps, run.request.depth) == (False, 2)
    assert "e.org/a/ and 1 more" in words(tab)


def test_a_dump_of_the_server_with_its_authors(fake: FakeService) -> None:
    fake.collecting.names = ["so/Posts.xml", "so/Users.xml"]
    tab = unfold(open_tab(PAGE), QUESTIONS)
    tab.selectbox(key="dump-name").set_value("so/Posts.xml")
    tab.text_input(key="dump-tag").set_value("pandas")
    keyed(tab, "start-stack-exchange").click().run()
    (run,) = fake.collecting.rows.values()
    assert (run.request.files, run.request.users) == (("so/Posts.xml",), "so/Users.xml")
    assert run.request.tag == "pandas"


def test_an_upload_is_kept_once(fake: FakeService) -> None:
    tab = unfold(open_tab(PAGE), QUESTIONS)
    uploader = next(box for box in tab.file_uploader)
    uploader.upload("Posts.xml", b"<posts/>")
    uploader.upload("Users.xml", b"<users/>")
    tab.run()
    keyed(tab, "look-stack-exchange").click().run()
    keyed(tab, "start-stack-exchange").click().run()
    assert fake.collecting.uploads == ["Posts.xml", "Users.xml"]
    (run,) = fake.collecting.rows.values()
    assert run.request.files == (f"upload:{'a' * 64}:Posts.xml",)


def test_a_documentation_in_a_file_is_looked_at_and_collected(fake: FakeService) -> None:
    tab = unfold(open_tab(PAGE), FILE)
    keyed(tab, "look-documentation-file").click().run()
    said = words(tab)
    assert "5 pages with their addresses." in said
    assert "1 section left out." in said
    assert "3  Library" in said
    assert "2  Tutorial" in said
    tab.file_uploader[0].upload("python_docs.json", b"{}")
    tab.run()
    keyed(tab, "start-documentation-file").click().run()
    assert fake.collecting.uploads == ["python_docs.json"]
    (run,) = fake.collecting.rows.values()
    assert run.request.kind is CollectKind.DOCUMENTATION_FILE
    assert run.request.files == (f"upload:{'a' * 64}:python_docs.json",)
    assert "**python_docs.json**" in words(tab)
    fake.collecting.move(run.id, CollectState.DONE)
    assert choices(tab.run()) == [], "a file has no schedule"


def test_a_documentation_on_the_server(fake: FakeService) -> None:
    fake.collecting.names = ["so/Posts.xml", "docs/python_docs.json"]
    tab = unfold(open_tab(PAGE), FILE)
    assert tab.selectbox(key="documentation-name").options == ["docs/python_docs.json"]
    tab.selectbox(key="documentation-name").set_value("docs/python_docs.json").run()
    keyed(tab, "start-documentation-file").click().run()
    (run,) = fake.collecting.rows.values()
    assert run.request.files == ("docs/python_docs.json",)


def test_what_cannot_be_read_is_said(fake: FakeService) -> None:
    fake.collecting.error = InvalidUrl("That is no address.", "Write it whole.")
    tab = open_tab(PAGE)
    for key in ("look-python-docs", "start-python-docs"):
        keyed(tab, key).click().run()
        assert "That is no address.\n\nWrite it whole." in words(tab)
    assert not tab.exception


def test_runs_are_paused_resumed_stopped_repeated_and_forgotten(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    keyed(tab, "start-python-docs").click().run()
    (run,) = fake.collecting.rows.values()

    def state() -> CollectState:
        return fake.collecting.rows[run.id].state

    button(tab, "Pause").click().run()
    assert state() is CollectState.PAUSED
    button(tab, "Resume").click().run()
    assert state() is CollectState.RUNNING
    button(tab, "Stop").click().run()
    assert state() is CollectState.STOPPED
    button(tab, "Refresh").click().run()
    assert [one.refresh for one in fake.collecting.rows.values()] == [True, False]
    keyed(tab, f"Remove from history-{run.id}").click().run()
    assert run.id not in fake.collecting.rows


def choices(tab: AppTest) -> list[Any]:
    """The boxes in which a schedule is chosen."""
    return [box for box in tab.selectbox if box.label == "How often it is refreshed"]


def test_a_site_is_refreshed_on_a_schedule(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    keyed(tab, "start-python-docs").click().run()
    (run,) = fake.collecting.rows.values()
    assert choices(tab) == [], "it has not ended"
    fake.collecting.move(run.id, CollectState.DONE)
    tab.run()
    (box,) = choices(tab)
    assert box.options == [
        "Refresh: never", "Refresh: every day", "Refresh: every week", "Refresh: every month",
    ]  # fmt: skip
    assert "next on" not in words(tab)
    box.set_value(RefreshEvery.WEEK).run()
    assert fake.collecting.rows[run.id].refresh_every is RefreshEvery.WEEK
    assert choices(tab)[0].value is RefreshEvery.WEEK
    then = datetime.now(UTC) + timedelta(days=7)
    assert f"next on {then.day} {then:%B}" in words(tab)
    fake.collecting.error = InvalidRequest("It was removed.", "Collect it again.")
    choices(tab)[0].set_value(RefreshEvery.DAY).run()
    assert "It was removed.\n\nCollect it again." in words(tab)
    fake.collecting.error = None
    fake.collecting.move(run.id, CollectState.RUNNING)
    tab.run()
    assert choices(tab) == []
    assert f"Refreshed every week, next on {then.day} {then:%B}" in words(tab)


def test_a_dump_has_no_schedule_and_a_source_has_one(fake: FakeService) -> None:
    fake.collecting.names = ["so/Posts.xml"]
    tab = unfold(open_tab(PAGE), QUESTIONS)
    tab.selectbox(key="dump-name").set_value("so/Posts.xml")
    keyed(tab, "start-stack-exchange").click().run()
    (dump,) = fake.collecting.rows.values()
    fake.collecting.move(dump.id, CollectState.DONE, source="dump")
    tab.run()
    assert choices(tab) == []
    for _ in range(2):
        keyed(tab, "start-python-docs").click().run()
    for run in fake.collecting.rows.values():
        fake.collecting.move(run.id, CollectState.DONE)
    tab.run()
    newest = next(iter(fake.collecting.rows))
    assert [box.key for box in choices(tab)] == [f"every-{newest}-never"]


def test_readers_see_the_schedule_and_cannot_change_it(
    fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    tab = open_tab(PAGE)
    keyed(tab, "start-python-docs").click().run()
    (run,) = fake.collecting.rows.values()
    fake.collecting.move(run.id, CollectState.DONE)
    fake.collecting.schedule(session_of(fake), run.id, RefreshEvery.DAY)
    monkeypatch.setattr(PageContext, "may", lambda self, method: False)
    tab.run()
    assert choices(tab) == []
    assert "Refreshed every day, next on" in words(tab)


def test_the_details_of_a_run(fake: FakeService, tmp_path: Path) -> None:
    fake.collecting.file = tmp_path / "site.json"
    fake.collecting.file.write_text("{}")
    tab = open_tab(PAGE)
    keyed(tab, "start-python-docs").click().run()
    button(tab, "Details").click().run()
    said = words(tab)
    assert "Runs $x$ *now*." in [element.value for element in tab.text]
    assert "A. Bee" in said
    assert "38  Library" in said
    reasons = tab.selectbox(key="left-out-reason")
    assert reasons.options == ["2  It is a file (zip), not a page.", "1  It is on another site."]
    assert "http://e.org/a.zip\nhttp://e.org/b.zip" in said
    tab.text_input(key="stored-words").set_value("re.html").run()
    assert "Matches." in words(tab)


def test_failures_and_limits_show_their_cure(fake: FakeService) -> None:
    tab = unfold(open_tab(PAGE), SITE)
    tab.text_area(key="site-urls").set_value("http://e.org/a/")
    keyed(tab, "start-site").click().run()
    (run,) = fake.collecting.rows.values()
    fake.collecting.move(run.id, CollectState.FAILED, reason="It answered 404.", cure="Look again.")
    tab.run()
    assert "It answered 404. Look again." in words(tab)


def test_runs_of_another_session_are_not_shown(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    keyed(tab, "start-python-docs").click().run()
    assert session_of(fake).id in {run.session_id for run in fake.collecting.rows.values()}
    assert "Reading pages" not in words(open_tab(PAGE, token="somebody else"))
    assert isinstance(fake.collecting, FakeCollector)
