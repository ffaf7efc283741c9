"""Markup in any field of a person, a document or a model stays text."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path

import pytest

from core.types import (
    Answer,
    DocumentKind,
    DocumentState,
    Evidence,
    Notice,
    QueryPlan,
    SearchOptions,
    Step,
)
from core.ui.answer.evidence import evidence_view
from core.ui.answer.views import answer_view, hits_view
from core.ui.documents.rows import row_view
from tests.ui.app.fake_service import FakeService, a_citation, a_document, canned_search
from tests.ui.app.pages import answered, open_tab, serve, session_of, sheets

pytestmark = pytest.mark.D01

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "[x](javascript:alert(1))",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
]
FACE = [ROOT / "app.py", *ROOT.glob("pages/*.py"), *ROOT.glob("core/ui/**/*.py")]


@pytest.mark.parametrize("text", HOSTILE)
def test_every_field_reaches_the_page_as_the_text_it_is(text: str) -> None:
    citation = a_citation(
        1, DocumentKind.PDF, text, text, title=text, headings=(text,), passage=text
    )
    search = canned_search(text, SearchOptions())
    plan = QueryPlan(text, text, (text, text))
    search = replace(search, plan=plan, steps=(Step(text, text),))
    answer = Answer(text, text, (citation,), search=search, notices=(Notice("n", text, text),))
    document = replace(
        a_document("d", "s", text),
        title=text,
        url=text,
        reason=text,
        cure=text,
        notices=(Notice("n", text),),
    )
    views = [
        answer_view(answer),
        hits_view(search, 0.1),
        row_view(document),
        evidence_view(Evidence(citation, text, missing=text)),
    ]
    for view in views:
        found = json.dumps(view, ensure_ascii=False)
        assert '"t": "link"' not in found
        assert json.dumps(text)[1:-1] in found


@pytest.mark.parametrize("text", HOSTILE)
def test_pages_take_names_and_questions_as_text(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    fake = serve(monkeypatch, FakeService())
    tab = open_tab()
    session = fake.sessions.rename(session_of(fake), text)
    fake.put(session, replace(a_document("d", session.id, text), state=DocumentState.FAILED))
    tab.chat_input[0].set_value(text).run()
    answered(tab, fake)
    assert not tab.exception
    assert sheets(tab)[0]["content"]["question"] == text
    labels = [b.label for b in tab.button]
    assert not any(sign in label.replace(f"\\{sign}", "") for label in labels for sign in "<[]")
    tab.switch_page("pages/1_Documents.py").run()
    assert not tab.exception
    assert sheets(tab)[0]["rows"][0]["label"] == text
    assert not tab.html


def test_no_page_allows_html() -> None:
    for path in FACE:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.keyword):
                assert node.arg not in ("unsafe_allow_html", "unsafe_allow_javascript"), path
            if isinstance(node, ast.Attribute):
                assert node.attr not in ("html", "iframe", "write", "v1"), path


def test_no_script_of_ours_makes_elements_of_text() -> None:
    forbidden = (
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "srcdoc", "eval(",
        "new Function", "DOMParser", "createContextualFragment", "setHTML", "fetch(", "import(",
        "XMLHttpRequest", "sendBeacon", "WebSocket", "http://www.google", "https://",
    )  # fmt: skip
    for path in ROOT.glob("core/ui/web/*.js"):
        text = path.read_text("utf-8")
        assert not [word for word in forbidden if word in text], path


def test_no_style_of_ours_loads_anything() -> None:
    for path in ROOT.glob("core/ui/web/*.css"):
        text = path.read_text("utf-8")
        assert "url(" not in text
        assert "@import" not in text
