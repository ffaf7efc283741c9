"""Two people sign in with OpenID Connect, one shares a session with the other, and logs out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.chat import wait_until_at_rest
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server, footnote_in, free_port
from tests.standins.openid import Account, OpenIdStandin

IDA = Account("7", "Ida Holm", "Ida@Example.org")
NILS = Account("8", "Nils Berg", "nils@example.org")
EVA = Account("9", "Eva Storm", "nils@example.org", verified=False)
FACT = "The lighthouse of Port Amber was built in 1874 by Ida Holm."
SLOW = 90_000  # milliseconds

pytestmark = pytest.mark.E08


@dataclass(frozen=True)
class Place:
    """A server where people sign in, and their provider."""

    server: Server
    provider: OpenIdStandin

    def sign_in(self, page: Page, who: Account) -> None:
        """Open the app and sign in as somebody."""
        self.provider.who = who
        page.goto(self.server.url)
        page.get_by_role("button", name="Sign in").click()
        expect(side_bar(page).get_by_text(who.name, exact=True)).to_be_visible(timeout=SLOW)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """`make run` where LOGIN=required, with folders of its own."""
    port = free_port()
    with OpenIdStandin(IDA) as provider:
        home = tmp_path / "home"
        (home / ".streamlit").mkdir(parents=True)
        secrets = provider.secrets(f"http://127.0.0.1:{port}")
        (home / ".streamlit" / "secrets.toml").write_text(secrets)
        with footnote_in(tmp_path, port, HOME=str(home), LOGIN="required") as server:
            yield Place(server, provider)


def side_bar(page: Page) -> Locator:
    return page.get_by_test_id("stSidebar")


def menu(page: Page, entry: str) -> None:
    """Choose from the menu of the session."""
    page.get_by_test_id("stMenuButton").get_by_role("button").first.click()  # then conversations'
    page.get_by_role("menuitem", name=entry).or_(page.get_by_role("option", name=entry)).click()


def add(page: Page, name: str, text: str) -> None:
    """Upload a text, and wait until it is read."""
    side_bar(page).get_by_role("link", name="Documents").click()
    expect(page.get_by_text("No documents yet.")).to_be_visible(timeout=SLOW)
    wait_until_at_rest(page)  # a box that is drawn anew loses what was put into it
    box = page.get_by_test_id("stFileUploader").locator("input[type=file]").first
    box.set_input_files({"name": name, "mimeType": "text/plain", "buffer": text.encode()})
    expect(page.get_by_text("1 document: 1 ready")).to_be_visible(timeout=SLOW)


def ask(page: Page, question: str) -> None:
    side_bar(page).get_by_role("link", name="Chat").click()
    box = page.get_by_test_id("stChatInputTextArea")
    expect(box).to_have_count(1)  # another session has another box, and for a moment there are two
    box.fill(question)
    page.keyboard.press("Enter")
    expect(page.locator(".sheet footer")).to_have_count(1, timeout=SLOW)


def share_answer(page: Page, artifacts: Path) -> str:
    """Share the answer of the open conversation, and return its address."""
    wait_until_at_rest(page)
    page.get_by_role("button", name="Share the answer").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("The rest of your conversation stays yours alone.")
    dialog.get_by_role("button", name="Share", exact=True).click()
    address = dialog.get_by_text("/Answer?session=")
    expect(address).to_be_visible()
    wait_until_at_rest(page)
    page.screenshot(path=artifacts / "login-5-share-answer.png")
    found = address.inner_text().strip()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Share the answer")).to_have_text("Shared")
    expect(side_bar(page).get_by_role("button", name="Shared answers")).to_be_visible()
    wait_until_at_rest(page)
    return found


def read_shared_answer(page: Page, address: str, artifacts: Path) -> None:
    """Open the page of an answer as a reader of the session, and its evidence; nothing to write."""
    page.goto(address)
    expect(page.locator(".prose")).to_contain_text("Ida Holm", timeout=SLOW)
    expect(page.locator(".question")).to_have_text("Who built the lighthouse of Port Amber?")
    expect(page.get_by_test_id("stChatInputTextArea")).to_have_count(0)
    wait_until_at_rest(page)
    page.locator("button.chip.cited").first.click()
    expect(page.locator(".evidence mark").first).to_be_visible()
    expect(page.get_by_role("button", name="Edit the question and ask again")).to_have_count(0)
    wait_until_at_rest(page)
    page.screenshot(path=artifacts / "login-6-shared-answer.png")
    page.close()


@pytest.mark.timeout(420)
def test_two_people_share_a_session(
    place: Place, open_browser: OpenBrowser, artifacts: Path
) -> None:
    ida, nils, eva = open_browser(), open_browser(), open_browser()
    ida.goto(place.server.url)
    expect(ida.get_by_role("button", name="Sign in")).to_be_visible(timeout=SLOW)
    expect(ida.get_by_role("link", name="Documents")).to_have_count(0)
    ida.screenshot(path=artifacts / "login-1-sign-in.png")
    ida.goto(f"{place.server.url}/Documents")  # nor by a deep link
    expect(ida.get_by_role("button", name="Sign in")).to_be_visible(timeout=SLOW)
    expect(ida.locator("input[type=file]")).to_have_count(0)
    refused = httpx.get(f"{place.server.url}/api/sessions", trust_env=False)
    assert refused.status_code == 401

    place.sign_in(ida, IDA)
    add(ida, "lighthouse.txt", FACT)
    ask(ida, "Who built the lighthouse of Port Amber?")
    address = share_answer(ida, artifacts)
    menu(ida, "Share")
    dialog = ida.get_by_role("dialog")
    dialog.get_by_label("E-mail address").fill("NILS@example.org")
    dialog.get_by_role("button", name="Share").click()
    expect(dialog.get_by_text("nils@example.org", exact=True)).to_be_visible()
    ida.wait_for_timeout(500)
    ida.screenshot(path=artifacts / "login-2-share.png")

    place.sign_in(eva, EVA)  # says that she is Nils, and her provider does not
    expect(eva.get_by_text("Load the sample library")).to_be_visible(timeout=SLOW)
    expect(side_bar(eva).get_by_text("Ida Holm")).to_have_count(0)
    eva.goto(address)
    expect(eva.get_by_text("There is no such answer here")).to_be_visible(timeout=SLOW)
    expect(eva.locator(".sheet")).to_have_count(0)

    place.sign_in(nils, NILS)
    expect(nils.get_by_text("Load the sample library")).to_be_visible(timeout=SLOW)
    expect(side_bar(nils).get_by_text("Ida Holm invites you to")).to_be_visible()
    side_bar(nils).get_by_role("button", name="Accept").click()
    expect(side_bar(nils).get_by_text("Ida Holm shares this session")).to_be_visible()
    expect(side_bar(nils).get_by_text("Who built the lighthouse")).to_have_count(0)
    ask(nils, "When was the lighthouse of Port Amber built?")
    expect(nils.locator(".prose")).to_contain_text("1874")
    nils.wait_for_timeout(500)
    nils.screenshot(path=artifacts / "login-3-reader-asks.png")
    side_bar(nils).get_by_role("link", name="Documents").click()
    expect(nils.get_by_text("1 document: 1 ready")).to_be_visible(timeout=SLOW)
    expect(nils.locator("input[type=file]")).to_have_count(0)
    expect(nils.get_by_role("button", name=re.compile("Remove"))).to_have_count(0)
    nils.screenshot(path=artifacts / "login-4-reader-documents.png")

    read_shared_answer(nils.context.new_page(), address, artifacts)
    other = nils.context.new_page()  # a second tab of the same sign-in
    other.goto(place.server.url)
    expect(side_bar(other).get_by_text("Nils Berg", exact=True)).to_be_visible(timeout=SLOW)
    cookies = nils.context.cookies()
    side_bar(nils).get_by_role("button", name="Log out").click()
    expect(nils.get_by_role("button", name="Sign in")).to_be_visible(timeout=SLOW)
    assert place.provider.ended
    assert place.provider.ended[0]
    side_bar(other).get_by_role("link", name="Search").click()
    expect(other.get_by_role("button", name="Sign in")).to_be_visible(timeout=SLOW)
    thief = open_browser()  # with the cookie as it was before
    thief.context.add_cookies(cookies)
    thief.goto(place.server.url)
    expect(thief.get_by_role("button", name="Sign in")).to_be_visible(timeout=SLOW)

    ida.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(ida.get_by_text("Not shared with anybody yet.")).to_be_visible()
    place.sign_in(nils, NILS)
    expect(nils.get_by_text("Load the sample library")).to_be_visible(timeout=SLOW)
    assert "Traceback" not in place.server.said()
