"""Many threads, each with a session and a secret of its own, all asking the same questions.

`ANSWERS` in the environment says how many answers the long test asks for (5000).
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from core.config import Settings
from core.service import Service
from core.types import Answer, AskRequest, Session
from tests.conftest import settled
from tests.support.small_library import HashEmbedder, opened

pytestmark = pytest.mark.E06

MODEL = HashEmbedder("model")
ANSWERS = int(os.environ.get("ANSWERS", "5000"))
QUESTIONS = ["What is the code word?", "Which word opens the door?", "Who keeps the code word?"]


def secret(number: int) -> str:
    """The word of one session."""
    return f"Zq{number:03}Qz"


def ask_all(service: Service, sessions: list[Session], rounds: int) -> tuple[int, list[str]]:
    """Every session on a thread of its own; gives the answers and what leaked."""
    leaks: list[str] = []
    counts = [0] * len(sessions)

    def ask(number: int) -> None:
        others = {secret(n) for n in range(len(sessions)) if n != number}
        for turn in range(rounds):
            for event in service.ask(
                AskRequest(sessions[number], QUESTIONS[turn % len(QUESTIONS)])
            ):
                text = repr(event)
                leaks.extend(word for word in others if word in text)
                counts[number] += isinstance(event, Answer) and secret(number) in text

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(len(sessions))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts), leaks


def run(settings: Settings, sessions: int, rounds: int) -> None:
    """Make the sessions, ask, and look."""
    with opened(settings, MODEL) as service:
        made = []
        for number in range(sessions):
            owner = service.owners.for_token(f"person {number}")
            session = service.sessions.create(owner, "Mine")
            text = f"The code word that opens the door is {secret(number)}. Ida keeps it."
            service.documents.add_file(session, "word.txt", text.encode())
            made.append(session)
        for session in made:
            settled(service, session, 300)
        answers, leaks = ask_all(service, made, rounds)
    assert leaks == []
    assert answers == sessions * rounds


def test_a_few(settings: Settings) -> None:
    run(settings, 6, 4)


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_five_thousand(settings: Settings, tmp_path: Path) -> None:
    run(settings, 50, ANSWERS // 50)
