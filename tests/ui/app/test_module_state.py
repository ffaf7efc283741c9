"""Nothing of one browser can be seen by another through the pages."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.ui.app.fake_service import FakeService
from tests.ui.app.pages import answered, open_tab, serve, sheets

pytestmark = pytest.mark.E07

ROOT = Path(__file__).resolve().parents[3]
FACE = [ROOT / "app.py", *ROOT.glob("pages/*.py"), *ROOT.glob("core/ui/**/*.py")]
MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)


def test_no_module_of_the_face_has_a_variable_that_changes() -> None:
    for path in FACE:
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, MUTABLE):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = [target.id for target in targets if isinstance(target, ast.Name)]
                assert all(name.strip("_").isupper() for name in names), f"{path}: {names}"


def test_no_function_of_the_face_changes_a_module() -> None:
    for path in FACE:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            assert not isinstance(node, ast.Global), path


def test_the_caches_of_streamlit_are_not_used() -> None:
    for path in FACE:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("cache_data", "cache_resource"), path


def test_two_browsers_see_nothing_of_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = serve(monkeypatch, FakeService())
    first, second = open_tab(token="first"), open_tab(token="second")
    first.chat_input[0].set_value("Only mine").run()
    answered(first, fake, token="first")
    conversation = str(first.query_params["conversation"])
    session = str(first.query_params["session"])
    second.run()
    assert not sheets(second)
    assert "Only mine" not in [b.label for b in second.button]
    guessed = open_tab(token="second", conversation=conversation, session=session)
    assert not sheets(guessed)
    assert guessed.query_params.get("conversation") != conversation
    assert guessed.query_params["session"] != session
