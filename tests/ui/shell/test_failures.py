"""A fault in a page shows a friendly message with a number, no traceback and no path."""

from __future__ import annotations

import logging
import tomllib
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.config import Settings
from serve import page_options

pytestmark = pytest.mark.I06

ROOT = Path(__file__).resolve().parents[3]


def failing() -> None:
    from core.ui.shell.errors import on_script_error

    assert on_script_error(RuntimeError("secret /srv/data/library.db"))


def test_the_person_gets_a_number_and_the_log_the_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR, logger="core.ui.shell.errors"):
        tab = AppTest.from_function(failing).run()
    assert not tab.exception
    said = tab.error[0].value
    assert "Something went wrong on this page" in said
    assert "secret" not in said
    assert "/srv" not in said
    record = next(r for r in caplog.records if r.name == "core.ui.shell.errors")
    assert record.exc_info  # with the traceback of what was raised
    assert str(record.args[0]) in said


def refused() -> None:
    from core.errors import SessionNotFound
    from core.ui.shell.errors import on_script_error

    assert on_script_error(SessionNotFound("There is no <b>such</b> session."))


def test_an_error_of_ours_is_told_with_its_cure_as_text() -> None:
    said = AppTest.from_function(refused).run().error[0].value
    assert "\\<b\\>such" in said
    assert "side bar" in said


def test_streamlit_itself_shows_no_details() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["client"]["showErrorDetails"] == "none"
    assert config["browser"]["gatherUsageStats"] is False


def test_the_server_does_not_stand_still_after_each_run_of_a_page() -> None:
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["runner"]["postScriptGC"] is False
    assert page_options(Settings())["runner.postScriptGC"] is False


def test_a_question_does_not_drop_what_was_chosen_just_before_it() -> None:
    """With `fastReruns`, Streamlit ends a run with the choices that wait for it."""
    config = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert config["runner"]["fastReruns"] is False
    assert page_options(Settings())["runner.fastReruns"] is False
