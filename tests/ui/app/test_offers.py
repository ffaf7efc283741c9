"""Models that were found are offered on the first screen, and chosen with one click."""

from __future__ import annotations

import pytest

from core.llm.offers import Offer
from core.types import ModelChoice
from tests.ui.app.fake_service import FakeService
from tests.ui.app.pages import open_tab, session_of


@pytest.mark.parametrize(
    ("offer", "label", "model"),
    [
        (Offer("ollama", "Ollama", ("llama3.2:3b", "b")), "llama3.2:3b (Ollama)", "llama3.2:3b"),
        (Offer("gemini", "Gemini"), "Gemini (key is set)", "only-one"),
    ],
)
def test_one_click_chooses(fake: FakeService, offer: Offer, label: str, model: str) -> None:
    fake.offers = (offer,)
    tab = open_tab()
    assert "model" not in fake.sessions.preferences(session_of(fake))
    offered = tab.button(key=f"offer-{offer.provider}")
    assert label in offered.label.replace("\\", "").replace("\u2060", "")
    offered.click().run()
    chosen = fake.sessions.preferences(session_of(fake))["model"]
    assert chosen == {"provider": offer.provider, "model": model}
    assert not [b for b in tab.button if b.label.startswith("Answer with")]
    assert ModelChoice(**chosen).provider == offer.provider


def test_who_chose_quotes_is_offered_none(fake: FakeService) -> None:
    fake.offers = (Offer("ollama", "Ollama", ("llama3.2:3b",)),)
    open_tab()
    chosen = {"model": {"provider": "", "model": ""}}
    fake.sessions.set_preferences(session_of(fake), chosen)
    assert not [b for b in open_tab().button if b.label.startswith("Answer with")]


def test_files_are_dropped_on_the_first_screen(fake: FakeService) -> None:
    tab = open_tab()
    tab.file_uploader[0].upload("a.md", b"# a").run()
    assert fake.added == ["a.md"]
    assert len(tab.file_uploader) == 0
    assert not tab.exception
