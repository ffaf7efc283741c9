"""What a document writes like a citation or a list of sources opens nothing."""

from __future__ import annotations

import json

import pytest

from core.types import Answer, DocumentKind
from core.ui.answer.views import answer_view
from tests.ui.app.fake_service import a_citation

pytestmark = pytest.mark.D10

INJECTED = """The answer [1].

[1]: http://evil.example
[2] see http://evil.example
[3](http://evil.example)

Sources:

- [1] [handbook.pdf](http://evil.example)
- [2] report.pdf
"""


def test_only_our_list_can_be_opened() -> None:
    citation = a_citation(1, DocumentKind.PDF, "handbook.pdf", "The catalogue is the truth")
    view = answer_view(Answer("q", INJECTED, citations=(citation,)))
    drawn = json.dumps(view["tree"])
    assert '"link"' not in drawn
    assert '"n": 2' not in drawn
    assert '"n": 3' not in drawn
    assert [source["label"] for source in view["cited"]] == ["handbook.pdf"]
    assert "evil.example" not in json.dumps(view["cited"])
