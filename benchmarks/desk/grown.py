"""519 documents and 40 conversations in one session: is every page still quick?

    python -m benchmarks.desk.grown [--documents 519] [--conversations 40] [--shots FOLDER]

The session is made through the service, as the pages make it (short texts that are read, indexed
and asked); then the real server is started on it and a browser goes through every page.
"""

from __future__ import annotations

import argparse
import itertools
import secrets
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.desk.browser import chromium, opened, rest, timed
from benchmarks.desk.fluency import first_words, switch
from benchmarks.load import QUESTIONS, texts
from core.access.browsers import COOKIE
from core.config import Settings
from core.service import Service
from core.types import Answer, AskRequest, DocumentState
from tests.browser.chat import whole
from tests.browser.servers import ROOT, footnote_in

_TOKEN = secrets.token_urlsafe(32)
_TAGS = ("2024", "2025", "contracts")
_BUSY = {DocumentState.WAITING, DocumentState.READING, DocumentState.INDEXING}
_PAGES = ("Documents", "Collect", "Search", "Evaluation", "Status")


def made(folder: Path, documents: int, conversations: int) -> None:
    """A session of the browser with the token, with documents and conversations."""
    settings = Settings(
        data_dir=folder / "data", chroma_dir=folder / "chroma", min_free_mb=1,
        models_dir=ROOT / ".cache" / "models", reranker_model="",
    )  # fmt: skip
    service = Service(settings)
    try:
        assert service.wait_ready(600)
        session = service.sessions.create(service.owners.for_token(_TOKEN), "Grown")
        for at, text in enumerate(texts(documents)):
            tags = (_TAGS[at % len(_TAGS)],)
            name = f"{tags[0]} report {at:04}.md"
            service.documents.add_file(session, name, f"# {name}\n\n{text}".encode(), tags=tags)
        while any(one.state in _BUSY for one in service.documents.list(session)):
            time.sleep(0.5)
        for at, question in zip(range(conversations), itertools.cycle(QUESTIONS), strict=False):
            asked = f"Number {at}: {question}"
            talk = service.conversations.create(session, asked).id
            for event in service.ask(AskRequest(session, asked, talk)):
                assert not isinstance(event, Answer) or event.text
    finally:
        service.close()


def measured(page: Page, url: str, shots: Path | None) -> dict[str, float]:
    """Seconds of each thing that a person does, each done once after the page was first opened."""
    found: dict[str, float] = {}

    def kept(name: str) -> None:
        rest(page)
        if shots:
            page.screenshot(path=shots / f"grown-{name}.png")

    page.goto(url)
    page.get_by_test_id("stChatInputTextArea").wait_for()
    rest(page)
    for name in _PAGES:
        switch(page, name)
    for name in _PAGES:
        found[f"page: {name}"] = switch(page, name)
        kept(name)
    found["page: Documents, again"] = switch(page, "Documents")
    rest(page)
    tick = page.locator(".documents .row").nth(2).get_by_role("checkbox").last
    found["take a document out of the search"] = timed(
        page,
        tick.click,
        'all("[data-testid=stMain] p").some(one => one.innerText.includes("1 not searched"))',
    )
    rest(page)
    boxes = page.locator(".documents .row").nth(4).get_by_role("checkbox").first
    found["select a document"] = timed(
        page, boxes.click, 'all(".documents").some(one => one.innerText.includes("1 selected"))'
    )
    first = page.locator(".documents .label").first.inner_text()
    following = page.get_by_test_id("stPaginationNext")
    found["next page of the list"] = timed(
        page, following.click, f'all(".documents .label")[0].innerText !== "{first}"'
    )
    rest(page)
    chat = '!!document.querySelector("[data-testid=stChatInputTextArea]")'
    found["page: Chat"] = switch(page, "Chat", f"script() && {chat}")
    kept("Chat")
    row = page.get_by_test_id("stSidebar").get_by_role("button", name="Number")
    found["open a conversation"] = timed(page, row.first.click, 'all(".sheet footer").length === 1')
    rest(page)
    found["first words of an answer"] = first_words(page, QUESTIONS[0], ".prose", 2)
    whole(page)
    rest(page)
    chip = page.locator(".sheet").last.locator("button.chip.cited").first
    found["chip to evidence"] = timed(page, chip.click, 'all(".evidence mark").length > 0')
    kept("evidence")
    page.keyboard.press("Escape")
    page.locator(".evidence").wait_for(state="detached")
    rest(page)
    scope = page.get_by_role("button", name="Asking")
    found["open the choice of documents"] = timed(
        page, scope.click, 'all(".scope .list li").length > 10'
    )
    kept("scope")
    return found


def main() -> None:
    """Make it, go through it, print the figures in Markdown."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--documents", type=int, default=519)
    parser.add_argument("--conversations", type=int, default=40)
    parser.add_argument("--shots", type=Path, help="a folder for screenshots")
    given = parser.parse_args()
    if given.shots:
        given.shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made(folder, given.documents, given.conversations)
        with footnote_in(folder) as server, chromium() as browser:
            page = opened(browser)
            page.context.add_cookies([{"name": COOKIE, "value": _TOKEN, "url": server.url}])
            found = measured(page, server.url, given.shots)
    print(f"{given.documents} documents, {given.conversations} conversations\n")
    print("| | time |\n|---|---|")
    for what, seconds in found.items():
        print(f"| {what} | {1000 * seconds:.0f} ms |")


if __name__ == "__main__":
    main()
