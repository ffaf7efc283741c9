"""Suggestions of a library: asked, kept where they are answered, remembered, and made anew."""

from __future__ import annotations

import threading
from itertools import count
from pathlib import Path

from core.answering.routes.overview import MOST
from core.library.suggestions import Suggestions
from core.planning.routes import Route
from core.service import Service
from core.types import Answer, AskRequest, Session
from tests.conftest import answer_of, eventually, settled
from tests.parsing.files import pdf

DRINKS = (
    "# Drinks\n\nTea is a drink made of leaves. Coffee is a drink of roasted beans.\n\n"
    "## Opening hours\n\nThe tea house of Port Amber was opened in 1874. It closes at ten in the "
    "evening.\n\nIt is a quiet place."
)


def made(service: Service, session: Session) -> list[str]:
    assert eventually(lambda: service.documents.suggestions(session) is not None, 60)
    return service.documents.suggestions(session) or []


def after(service: Service, session: Session, answer: Answer) -> list[str]:
    look = service.documents.suggestions_after
    assert eventually(lambda: look(session, answer) is not None, 60)
    return look(session, answer) or []


def test_questions_that_the_documents_answer(service: Service, session: Session) -> None:
    assert made(service, session) == []
    service.documents.add_file(session, "drinks.md", DRINKS.encode())
    settled(service, session)
    questions = made(service, session)
    assert "When was the tea house of Port Amber opened?" in questions
    for question in questions:
        assert answer_of(service, session, question).abstention is None

    hello = answer_of(service, session, "hello")
    assert f"- {questions[0]}" in hello.text.replace("\\", "")

    service.documents.add_file(session, "salt.md", b"Brine is a mixture of salt and water.")
    settled(service, session)
    assert "What is Brine?" in made(service, session)


def test_a_report_gives_questions_of_the_pages_around(
    service: Service, session: Session, tmp_path: Path
) -> None:
    pages = [
        "Brine is a mixture of salt and water.",
        "Nothing of note stands here, on any line.",
        "The tea house of Port Amber was opened in 1874.",
        "Nothing of note stands there, on any line.",
        "Cider is a drink that is made of apples.",
        "Punch is a drink that is made of rum.",
    ]
    report = pdf(tmp_path / "report.pdf", *([page] for page in pages))
    service.documents.add_file(session, "report.pdf", report.read_bytes())
    settled(service, session)
    answer = answer_of(service, session, "When was the tea house opened?")
    assert after(service, session, answer) == [
        "When was the tea house of Port Amber opened?",
        "What is Cider?",
        "What is Brine?",
    ]


def test_kinds_of_questions_take_turns(service: Service, session: Session) -> None:
    drinks = ("Tea", "Coffee", "Cider", "Cocoa", "Punch", "Mead")
    text = " ".join(f"{name} is a drink that people make at home." for name in drinks)
    dated = "The tea house of Port Amber was opened in 1874."
    service.documents.add_file(session, "drinks.txt", f"{text} {dated}".encode())
    settled(service, session)
    assert "When was the tea house of Port Amber opened?" in made(service, session)


def test_a_library_that_gives_few_is_asked_what_it_is_about(
    service: Service, session: Session
) -> None:
    service.documents.add_file(session, "walk.txt", b"We walked home in the rain, and it was dark.")
    settled(service, session)
    assert made(service, session) == ["What is this about?"]


def test_a_german_library_is_asked_in_german(service: Service, session: Session) -> None:
    rain = "Wir gingen durch den Regen nach Hause, und es war schon dunkel."
    service.documents.add_file(session, "weg.txt", rain.encode())
    settled(service, session)
    assert made(service, session) == ["Worum geht es?"]
    for number in range(MOST):
        service.documents.add_file(session, f"weg{number}.txt", f"{rain} Es war {number}.".encode())
    settled(service, session)
    assert made(service, session) == ["Welche Dokumente gibt es?"]
    for asked in ("Welche Dokumente gibt es?", "Which documents are there?", "Worum geht es?"):
        assert answer_of(service, session, asked).route is Route.OVERVIEW


def test_questions_beside_what_an_answer_cites(service: Service, session: Session) -> None:
    service.documents.add_file(session, "drinks.md", DRINKS.encode())
    settled(service, session)
    answer = answer_of(service, session, "When does the tea house close?")
    opened = "When was the tea house of Port Amber opened?"
    assert opened in after(service, session, answer)
    again = answer_of(service, session, opened)
    assert opened not in after(service, session, again)
    refused = answer_of(service, session, "Which enzyme unwinds the DNA double helix?")
    assert after(service, session, refused) == []


def test_the_sample_library_has_its_own(service: Service, session: Session) -> None:
    service.sessions.set_preferences(session, {"samples": True})
    assert len(made(service, session)) == 6


def test_making_ends_with_the_service(service: Service, session: Session) -> None:
    service.documents.add_file(session, "drinks.md", DRINKS.encode())
    settled(service, session)
    service.suggestions.close()
    assert service.documents.suggestions(session) is None
    assert "suggestions" not in {thread.name for thread in threading.enumerate()}


def test_nothing_is_asked_while_somebody_asks(service: Service, session: Session) -> None:
    service.documents.add_file(session, "drinks.md", DRINKS.encode())
    settled(service, session)
    with service.queue.busy.hold("somebody"):
        assert service.documents.suggestions(session) is None
        assert not eventually(lambda: service.documents.suggestions(session) is not None, 3)
    assert made(service, session)


def test_what_is_being_asked_is_given_up_when_somebody_asks(
    service: Service, session: Session
) -> None:
    service.documents.add_file(session, "drinks.md", DRINKS.encode())
    settled(service, session)
    asked: list[str] = []
    people = [True, False]  # somebody comes during the first question, and is gone again

    def ask(request: AskRequest) -> Answer | None:
        asked.append(request.question)
        return None if request.cancelled() else answer_of(service, session, request.question)

    came = iter((False, *people))
    suggesting = Suggestions(service.stores, ask, lambda: next(came, False))
    assert eventually(lambda: suggesting.of_library(session) is not None, 60)
    assert asked[0] == asked[1] != asked[2]
    assert suggesting.of_library(session)


def test_a_cancelled_question_is_left_at_its_next_step(service: Service, session: Session) -> None:
    service.documents.add_file(session, "drinks.md", DRINKS.encode())
    settled(service, session)
    looks = count()
    asked = AskRequest(session, "What is tea?", cancelled=lambda: next(looks) > 0)
    assert service._quoted(asked) is None
    assert service._quoted(AskRequest(session, "What is tea?")) is not None
