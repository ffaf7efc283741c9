"""How a question is understood, in the browser: every level, what is shown of it, and editing it.

The stand-in for Ollama plans and answers by a script.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.chat import SLOW, load_samples, put, whole
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server, footnote_in
from tests.standins.ollama import OllamaStandin
from tests.standins.scripts import Reply

GOAL = "How does Footnote combine dense and lexical search?"
DEEP = {
    "hits": [
        {"id": 1, "keep": True, "reason": "names the fusion"},
        {"id": 2, "keep": False, "reason": "another subject"},
        {"id": 3, "keep": True, "reason": "gives the weights"},
    ],
    "enough": False,
    "next_query": "weights of the fused score",
}
REPLIES: list[Any] = [
    {"query": "fusion of dense and lexical search"},
    Reply("quote"),
    {"goal": GOAL, "queries": ["dense and lexical fusion", "reciprocal rank fusion"]},
    Reply("quote"),
    {"sections": []},
    {"goal": GOAL, "queries": ["dense and lexical fusion"]},
    DEEP,
    {"hits": [{"id": 1, "keep": True, "reason": "a weight"}], "enough": True, "next_query": ""},
    Reply("quote", gap=0.05),
    "I would rather not plan.",
    {"query": "what is fused"},
    Reply("quote"),
    Reply("quote", times=None),
]


@pytest.fixture
def ollama() -> Iterator[OllamaStandin]:
    replies = [
        reply
        if isinstance(reply, Reply)
        else Reply(text=reply if isinstance(reply, str) else json.dumps(reply), delay=0.3)
        for reply in REPLIES
    ]
    with OllamaStandin(replies=replies) as standin:
        yield standin


@pytest.fixture
def footnote(tmp_path: Path, ollama: OllamaStandin) -> Iterator[Server]:
    with footnote_in(
        tmp_path, OLLAMA_URL=ollama.url, CHAT_PROVIDER="ollama", CHAT_MODEL="standin:latest"
    ) as server:
        yield server


def level(page: Page, name: str) -> None:
    """Choose from the menu, and wait until it is set."""
    menu = page.get_by_role("combobox", name="Effort")
    menu.click()
    page.get_by_role("option", name=name, exact=True).click()
    expect(menu).to_have_value(name)
    page.wait_for_timeout(400)


def ask(page: Page, question: str) -> Locator:
    """The block "How it searched" of the answer, opened."""
    put(page, question)
    return last_block(page)


def last_block(page: Page) -> Locator:
    block = whole(page).locator("details.searched")
    block.locator("summary").click()
    return block


@pytest.mark.timeout(420)
def test_every_level_is_shown_and_queries_are_edited(
    footnote: Server, open_browser: OpenBrowser, artifacts: Path, ollama: OllamaStandin
) -> None:
    page = open_browser()
    load_samples(page, footnote)
    expect(page.get_by_role("combobox", name="Effort")).to_have_value("Automatic")

    level(page, "Standard")
    block = ask(page, "how are the searches combined?")
    expect(block).to_contain_text("fusion of dense and lexical search")
    expect(block.locator("dd").first).to_have_text("Standard")
    expect(block.locator(".step-name").first).to_have_text("rewritten")
    expect(block.locator(".tokens").first).to_contain_text("tokens")
    page.screenshot(path=artifacts / "30-rewritten.png")

    level(page, "Thorough")
    block = ask(page, "how do both searches become one list?")
    expect(block.locator("dd")).to_have_text(["Thorough", GOAL])
    queries = block.locator(".queries .query")
    expect(queries.nth(0)).to_have_text(GOAL)
    expect(block.locator(".queries li").nth(1)).to_contain_text(
        re.compile(r"documents · a query.*\d+ found · \d+ kept", re.S)
    )
    page.screenshot(path=artifacts / "31-several.png")

    level(page, "Deep")
    block = ask(page, "which weights has the fused score?")
    expect(block.locator(".queries")).to_contain_text("weights of the fused score")
    expect(block.locator(".queries")).to_contain_text("asked for in round 1")
    expect(block.locator(".dropped")).to_contain_text("the model dropped it: another subject")
    expect(block.locator(".steps")).to_contain_text("kept 2 of")
    block.scroll_into_view_if_needed()
    page.screenshot(path=artifacts / "32-in-depth.png", full_page=True)

    level(page, "Thorough")
    block = ask(page, "what is fused?")
    expect(page.locator(".sheet").last).to_contain_text("The question was searched for as a whole")
    expect(block.locator("dd").first).to_have_text("Standard")
    page.screenshot(path=artifacts / "33-fallback.png")

    level(page, "Quick")
    asked = len(ollama.requests)
    question = "What does reciprocal rank fusion add?"
    block = ask(page, question)
    expect(block.locator("dd").first).to_have_text("Quick")
    chats = [r for r in ollama.requests[asked:] if r.path == "/api/chat"]
    assert len(chats) == 1, "only the answer was asked for"

    block.get_by_role("button", name="Edit and search again").click()
    area = block.get_by_role("textbox", name="Queries, one per line")
    expect(area).to_have_value(question)
    area.fill("rank fusion constant\nreciprocal ranks")
    page.screenshot(path=artifacts / "34-edit.png")
    block.get_by_role("button", name="Search again with these queries").click()
    expect(page.locator(".question")).to_have_count(6, timeout=SLOW)
    expect(page.locator(".question").last).to_have_text(question)
    block = last_block(page)
    expect(block.locator(".queries .query")).to_have_text(
        [question, "rank fusion constant", "reciprocal ranks"]
    )

    # The choice is kept with the session, and the Search page begins with it.
    page.goto(f"{footnote.url}/Search")
    expect(page.get_by_role("combobox", name="Effort")).to_have_value("Quick")
    page.get_by_role("textbox", name="Query").fill("rank fusion")
    page.get_by_role("button", name="Search", exact=True).click()
    page.locator(".cards .hit").first.wait_for()
    level(page, "Standard")
    page.get_by_role("button", name="Use these settings in the chat").click()
    page.screenshot(path=artifacts / "35-search-page.png")
    page.goto(footnote.url)
    expect(page.get_by_role("combobox", name="Effort")).to_have_value("Standard")


def test_the_switch_can_be_used_on_a_phone(
    pages: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser(phone=True)
    page.goto(pages.url)
    menu = page.get_by_role("combobox", name="Effort")
    expect(menu).to_be_visible()
    page.wait_for_timeout(500)
    page.screenshot(path=artifacts / "36-phone.png")
    menu.tap()
    page.get_by_role("option", name="Deep", exact=True).tap()
    expect(menu).to_have_value("Deep")
    box = menu.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
