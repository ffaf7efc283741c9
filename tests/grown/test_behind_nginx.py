"""Two processes behind nginx as docs/growth.md sets it up: affinity, and one that is killed."""

from __future__ import annotations

import re
import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.access.test_reverse_proxy import certificate, nginx
from tests.browser.chat import SLOW, put, wait_until_at_rest, whole
from tests.browser.conftest import artifacts as artifacts
from tests.browser.conftest import chromium as chromium
from tests.browser.servers import ROOT, free_port
from tests.browser.test_login import FACT, IDA, NILS, add, ask, menu, side_bar
from tests.conftest import eventually
from tests.grown.replicas import Client, Replica, key_of_somebody, replicas, wait_ready
from tests.standins.ollama import OllamaStandin
from tests.standins.openid import Account, OpenIdStandin
from tests.standins.scripts import Reply

pytestmark = [pytest.mark.grown, pytest.mark.K06, pytest.mark.timeout(600)]

SECRET = "5f" * 32
SHOWN = "X-Served-By"


def documented(ports: list[int], public_port: int, folder: Path) -> str:
    """The configuration of docs/growth.md for these processes; answers say which one gave them."""
    page = (ROOT / "docs" / "growth.md").read_text("utf-8")
    found = re.search(r"<!-- nginx: begin -->\n```nginx\n(.*?)```", page, re.DOTALL)
    assert found
    own = {
        "listen 443 ssl": f"listen 127.0.0.1:{public_port} ssl",
        "/etc/ssl/docs.example.org.pem": str(folder / "cert.pem"),
        "/etc/ssl/docs.example.org.key": str(folder / "key.pem"),
        "10.0.0.11:8501": f"127.0.0.1:{ports[0]}",
        "10.0.0.12:8501": f"127.0.0.1:{ports[1]}",
        "proxy_buffering off;": f"add_header {SHOWN} $upstream_addr always; proxy_buffering off;",
    }
    text = found[1]
    for written, mine in own.items():
        assert written in text, written
        text = text.replace(written, mine)
    return text


@dataclass(frozen=True)
class Site:
    """Two processes, and the one address in front of them."""

    url: str
    both: list[Replica]
    trusted: ssl.SSLContext
    key: str

    def client(self) -> Client:
        """A program that keeps cookies, as a browser does."""
        return Client(self.url, self.key, verify=self.trusted)

    @contextmanager
    def browsers(self, count: int) -> Iterator[list[httpx.Client]]:
        own = {"base_url": self.url, "verify": self.trusted, "trust_env": False, "timeout": 60}
        with ExitStack() as closed:
            yield [closed.enter_context(httpx.Client(**own)) for _ in range(count)]

    def of(self, response: httpx.Response) -> Replica:
        """Which process gave an answer."""
        return self.named(response.headers[SHOWN])

    def named(self, asked: str) -> Replica:
        """The last one of those that were asked."""
        port = int(asked.rpartition(":")[2])
        (found,) = [replica for replica in self.both if replica.port == port]
        return found


@pytest.fixture
def model() -> Iterator[OllamaStandin]:
    with OllamaStandin() as standin:
        yield standin


@contextmanager
def behind_nginx(folder: Path, database: str, public_port: int, **values: str) -> Iterator[Site]:
    """Two processes with these settings, and nginx in front of them."""
    url = f"https://127.0.0.1:{public_port}"
    own = {"PUBLIC_URL": url, "STREAMLIT_SERVER_COOKIE_SECRET": SECRET, **values}
    certificate(folder)
    trusted = ssl.create_default_context(cafile=str(folder / "cert.pem"))
    with replicas(folder, database, **own) as both:
        conf = documented([one.port for one in both], public_port, folder)
        with nginx(folder / "nginx", conf):
            yield Site(url, both, trusted, key_of_somebody(folder, database))


@pytest.fixture
def site(tmp_path: Path, database: str, model: OllamaStandin) -> Iterator[Site]:
    values = {
        "OLLAMA_URL": model.url,
        "CHAT_PROVIDER": "ollama",
        "CHAT_MODEL": "standin:latest",
    }
    with behind_nginx(tmp_path, database, free_port(), **values) as found:
        yield found


def test_a_browser_stays_with_its_process_until_that_is_killed(site: Site) -> None:
    with site.browsers(12) as browsers:
        homes = [site.of(browser.get("/")) for browser in browsers]
        assert {home.name for home in homes} == {"first", "second"}
        for browser, home in zip(browsers, homes, strict=True):
            cookie = next(one for one in browser.cookies.jar if one.name == "footnote_replica")
            assert cookie.secure
            assert {site.of(browser.get("/_stcore/health")).name for _ in range(5)} == {home.name}
            assert browser.cookies["footnote_replica"] == cookie.value
        site.both[0].end()
        for browser in browsers:
            again = browser.get("/")
            assert (again.status_code, site.of(again).name) == (200, "second")


def follow(response: httpx.Response, at_first_words: Callable[[], None]) -> None:
    """Read an answer as it is written, to its end."""
    for line in response.iter_lines():
        if line.startswith("event: text"):
            at_first_words()


def test_a_process_is_killed_while_an_answer_is_written(site: Site, model: OllamaStandin) -> None:
    with site.client() as client:
        session = client.session()
        client.add(session, {"pier.txt": "The pier is open in May."})
        client.settled(session)
        made = client.http.post(f"/sessions/{session}/conversations", json={})
        conversation = made.json()["id"]
        question = "When is the pier open?"
        asked = {
            "session_id": session, "question": question, "conversation_id": conversation,
            "provider": "ollama", "model": "standin:latest", "level": "as typed", "stream": True,
        }  # fmt: skip
        model.queue(Reply(text="The pier is open in May [Source 1]. " * 40, gap=0.2))
        with client.http.stream("POST", "/query", json=asked) as response:
            home = site.of(response)
            with pytest.raises(httpx.TransportError):
                follow(response, home.end)
        later = client.http.get(f"/sessions/{session}")
        assert site.of(later) is not home
        messages = client.http.get(f"/sessions/{session}/conversations/{conversation}").json()
        assert [one["text"] for one in messages["messages"]] == [question]
        model.queue(Reply(text="The pier is open in May [Source 1]."))
        again = client.http.post("/query", json={**asked, "stream": False})
        assert "May" in again.json()["answer"]
        home.start()
        wait_ready([home])
        assert eventually(lambda: site.of(client.http.get(f"/sessions/{session}")) is home)


def home_of(site: Site, context: BrowserContext) -> Replica:
    """The process that a browser is with."""
    return site.named(context.request.get(f"{site.url}/_stcore/health").headers[SHOWN.lower()])


@pytest.mark.browser
def test_a_page_goes_on_with_the_other_process(
    site: Site, model: OllamaStandin, chromium: Browser, artifacts: Path
) -> None:
    model.queue(Reply("quote", gap=0.4, times=None))
    context = chromium.new_context(ignore_https_errors=True)
    try:
        page = context.new_page()
        page.goto(site.url)
        page.get_by_role("button", name="Load the sample library").click()
        page.get_by_text("Try one of these").wait_for(timeout=SLOW)
        put(page, "What does reciprocal rank fusion add?")
        page.get_by_text("Writing").wait_for(timeout=SLOW)
        home_of(site, context).end()
        model.queue(Reply("quote", times=None))
        page.get_by_text("it begins anew here").wait_for(timeout=SLOW)
        page.screenshot(path=artifacts / "27-other-replica.png")
        cited = whole(page).locator("button.chip.cited").first
        expect(cited).to_be_visible(timeout=SLOW)  # nobody clicked
        expect(page.locator(".question")).to_have_text(["What does reciprocal rank fusion add?"])
        page.screenshot(path=artifacts / "28-answered-here.png")
    finally:
        context.close()


def sign_in(site: Site, provider: OpenIdStandin, page: Page, who: Account) -> None:
    provider.who = who
    page.goto(site.url)
    page.get_by_role("button", name="Sign in").click()
    expect(side_bar(page).get_by_text(who.name, exact=True)).to_be_visible(timeout=SLOW)


@pytest.mark.browser
def test_two_people_at_two_processes_share_what_one_of_them_uploads(
    tmp_path: Path, database: str, chromium: Browser, artifacts: Path
) -> None:
    public_port = free_port()
    home = tmp_path / "home" / ".streamlit"
    home.mkdir(parents=True)
    with ExitStack() as closed:
        provider = closed.enter_context(OpenIdStandin(IDA))
        (home / "secrets.toml").write_text(provider.secrets(f"https://127.0.0.1:{public_port}"))
        values = {"HOME": str(home.parent), "LOGIN": "required"}
        site = closed.enter_context(behind_nginx(tmp_path, database, public_port, **values))

        def browser() -> BrowserContext:
            context = chromium.new_context(ignore_https_errors=True)
            closed.callback(context.close)
            return context

        with_ida = browser()
        first = home_of(site, with_ida)
        with_nils = browser()
        while home_of(site, with_nils) is first:  # which process a new browser gets is chance
            with_nils = browser()
        ida, nils = with_ida.new_page(), with_nils.new_page()

        sign_in(site, provider, ida, IDA)
        add(ida, "lighthouse.txt", FACT)
        menu(ida, "Share")
        dialog = ida.get_by_role("dialog")
        dialog.get_by_label("E-mail address").fill("nils@example.org")
        dialog.get_by_role("button", name="Share").click()
        expect(dialog.get_by_text("nils@example.org", exact=True)).to_be_visible()
        ida.keyboard.press("Escape")

        sign_in(site, provider, nils, NILS)
        expect(side_bar(nils).get_by_text("Ida Holm invites you to")).to_be_visible(timeout=SLOW)
        side_bar(nils).get_by_role("button", name="Accept").click()
        expect(side_bar(nils).get_by_text("Ida Holm shares this session")).to_be_visible()
        ask(nils, "When was the lighthouse of Port Amber built?")
        expect(nils.locator(".prose")).to_contain_text("1874")
        assert home_of(site, with_nils) is not first
        nils.screenshot(path=artifacts / "29-asked-at-the-other-process.png")

        first.end()
        assert home_of(site, with_ida) is not first
        ida.goto(site.url)  # signed in still, and with what was hers
        expect(side_bar(ida).get_by_text("Ida Holm", exact=True)).to_be_visible(timeout=SLOW)
        wait_until_at_rest(ida)
        ask(ida, "Who built the lighthouse of Port Amber?")
        expect(ida.locator(".prose")).to_contain_text("Ida Holm")
        ida.screenshot(path=artifacts / "30-after-her-process-was-killed.png")
