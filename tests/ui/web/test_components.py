"""What the browser sends to our elements is done once, however often it comes."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
import streamlit as st
from streamlit.runtime.scriptrunner import StopException

from core.ui.web.components import _sent


@pytest.fixture(autouse=True)
def tab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})


def comes(value: object, key: str = "answer-0", name: str = "open") -> None:
    st.session_state[key] = {name: value}


def test_an_event_that_comes_twice_is_done_once() -> None:
    done: list[dict[str, Any]] = []
    received = _sent("answer-0", "open", done.append)
    comes({"index": 1, "at": 1})
    received()
    received()
    assert done == [{"index": 1, "at": 1}]
    comes({"index": 1, "at": 2})  # the same chip, clicked again
    received()
    assert len(done) == 2


def test_events_of_other_names_and_elements_are_others() -> None:
    done: list[dict[str, Any]] = []
    for key, name in (("answer-0", "open"), ("answer-0", "page"), ("answer-1", "open")):
        comes({"at": 1}, key, name)
        _sent(key, name, done.append)()
    assert len(done) == 3


def test_an_event_whose_run_was_stopped_in_the_middle_is_done_by_the_next() -> None:
    stopped, done = [True], list[dict[str, Any]]()

    def then(value: dict[str, Any]) -> None:
        if stopped:
            stopped.clear()
            raise StopException
        done.append(value)

    received = _sent("answer-0", "open", then)
    comes({"at": 1})
    with pytest.raises(StopException):
        received()
    received()
    assert done == [{"at": 1}]


@pytest.mark.parametrize("value", [None, "open", 3, [{"at": 1}]])
def test_what_is_not_of_our_form_is_left(value: object) -> None:
    done: list[dict[str, Any]] = []
    comes(value)
    _sent("answer-0", "open", done.append)()
    assert done == []


def test_what_the_first_element_would_wait_for_is_loaded_ahead() -> None:
    code = (
        "import sys\n"
        "from core.ui.web.components import load_what_draws\n"
        "assert 'pandas' not in sys.modules, 'nothing is loaded ahead any more'\n"
        "load_what_draws()\n"
        "assert 'pandas' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
