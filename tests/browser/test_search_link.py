"""The address of the Search page leads another person to the same list."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server


@pytest.mark.timeout(200)
def test_a_link_gives_the_same_list(pages: Server, open_browser: OpenBrowser) -> None:
    page = open_browser()
    page.goto(f"{pages.url}/Search?query=scores&top_k=2&mode=lexical&level=as-typed&support=x")
    hits = page.locator(".hit")
    expect(hits).to_have_count(2)
    expect(page.get_by_text("This link has settings that cannot be read")).to_be_visible()
    assert {"mode=lexical", "top_k=2"} <= set(page.url.partition("?")[2].split("&"))
    other = open_browser()
    other.goto(page.url)
    expect(other.locator(".hit")).to_have_count(2)
    assert other.locator(".hit").all_inner_texts() == hits.all_inner_texts()
