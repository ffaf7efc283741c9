"""Ten real browsers at one server, each a person with a session of their own, and documents beside.

    python -m benchmarks.desk.crowd [--people 10] [--rounds 4] [--shots FOLDER]

Everybody loads the sample library and adds a note with a word of their own, asks for that word and
about the samples, opens a citation, turns to another page of the program and comes back. Told are
answers, words that reached another person, errors on the page, and how long the first words took.
"""

from __future__ import annotations

import argparse
import re
import secrets
import statistics
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Error, Page, expect

from benchmarks.desk.browser import chromium, opened, rest, timed
from benchmarks.desk.fluency import QUESTIONS, first_words, switch
from tests.browser.chat import load_samples, put, whole
from tests.browser.servers import Server, footnote_in

_REPLY = ".prose, .abstention"
_SHOWN = (
    'all(".evidence mark").length > 0 || '
    'all(".evidence .page img").some(one => one.complete && one.naturalWidth)'
)
_ALERTS = "[data-testid=stException], [data-testid=stAlertContentError]"


@dataclass
class Seen:
    """What all people saw together; times in seconds."""

    words: list[str] = field(default_factory=list)
    """The word of each person."""
    first: list[float] = field(default_factory=list)
    switches: list[float] = field(default_factory=list)
    evidence: list[float] = field(default_factory=list)
    answers: int = 0
    own: int = 0
    """Answers that held the person's own word when it was asked for."""
    leaks: int = 0
    errors: list[str] = field(default_factory=list)


def person(number: int, server: Server, seen: Seen, rounds: int, shots: Path | None) -> None:
    """What one person does, in a browser of their own."""
    with chromium() as browser:
        page = opened(browser)
        page.on("pageerror", lambda error: seen.errors.append(f"script: {error}"))
        try:
            _works(page, number, server, seen, rounds)
        except (Error, AssertionError) as error:
            seen.errors.append(f"person {number}: {str(error).splitlines()[0]}")
        seen.errors += [f"page: {text}" for text in page.locator(_ALERTS).all_inner_texts()]
        if shots:
            page.screenshot(path=shots / f"person-{number}.png")


def _works(page: Page, number: int, server: Server, seen: Seen, rounds: int) -> None:
    word = seen.words[number]
    load_samples(page, server)
    note = f"The code word for the boathouse is {word}.".encode()
    page.get_by_test_id("stChatInput").locator("input[type=file]").set_input_files(
        [{"name": "boathouse.txt", "mimeType": "text/plain", "buffer": note}]
    )
    page.get_by_test_id("stChatInput").get_by_text("boathouse.txt").wait_for()
    put(page, "What is the code word for the boathouse?")
    whole(page)
    for at in range(rounds):
        question = QUESTIONS[(number + at) % len(QUESTIONS)]
        rest(page)
        count = page.locator(".question").count()
        seen.first.append(first_words(page, question, _REPLY, count + 1))
        whole(page)
        seen.answers += 1
        _opens(page, seen)
        seen.switches.append(switch(page, ("Documents", "Status", "Search")[at % 3]))
        chat = '!!document.querySelector("[data-testid=stChatInputTextArea]")'
        seen.switches.append(switch(page, "Chat", f"script() && {chat}"))
    rest(page)
    answered = page.locator(".sheet footer").count()
    put(page, "What is the code word for the boathouse?")
    expect(page.locator(".sheet footer")).to_have_count(answered + 1, timeout=120_000)
    answer = page.locator(".sheet").last.inner_text()
    seen.answers += 1
    seen.own += word in answer
    if word not in answer:
        seen.errors.append(f"person {number}: {answer[:200]!r} is without {word}")
    everything = page.locator("body").inner_text()
    seen.leaks += sum(other in everything for other in seen.words if other != word)


def _opens(page: Page, seen: Seen) -> None:
    chips = page.locator(".sheet").last.locator("button.chip.cited")
    if not chips.count():
        return
    rest(page)
    seen.evidence.append(timed(page, chips.first.click, _SHOWN))
    rest(page)
    page.keyboard.press("Escape")
    page.locator(".evidence").wait_for(state="detached")


def main() -> None:
    """All at once; print what was seen."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--people", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--shots", type=Path, help="a folder for screenshots")
    given = parser.parse_args()
    if given.shots:
        given.shots.mkdir(parents=True, exist_ok=True)
    seen = Seen(words=[f"Q{secrets.token_hex(5)}" for _ in range(given.people)])
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, footnote_in(Path(folder)) as server:
        all_of_them = [
            threading.Thread(target=person, args=(at, server, seen, given.rounds, given.shots))
            for at in range(given.people)
        ]
        for one in all_of_them:
            one.start()
        for one in all_of_them:
            one.join()
        said = server.said()
    seen.errors += [
        f"in the server's log: {trace.splitlines()[-1]}"
        for trace in re.findall(r"^Traceback \(most recent.*\n(?:[ ].*\n)*.*", said, re.MULTILINE)
    ]
    if given.shots:
        (given.shots / "server.log").write_text(said, "utf-8")
    minutes = (time.monotonic() - began) / 60
    expected = given.people * (given.rounds + 1)
    print(f"{given.people} browsers, {minutes:.1f} minutes: {seen.answers} of {expected} answers, ")
    print(f"own word found {seen.own} of {given.people}, words of others seen {seen.leaks},")
    print(f"errors {len(seen.errors)}")
    print("\n| | median | longest |\n|---|---|---|")
    rows = ("first words", seen.first), ("page switch", seen.switches), ("evidence", seen.evidence)
    for name, times in rows:
        if times:
            print(f"| {name} | {statistics.median(times):.1f} s | {max(times):.1f} s |")
    for error in seen.errors:
        print(error)


if __name__ == "__main__":
    main()
