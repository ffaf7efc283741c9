"""Who wrote a document: the names under its title, and nothing that only looks like names."""

from __future__ import annotations

import pytest

from core.answering.routes.authors import author_line
from core.answering.routes.overview import MOST
from core.planning.routes import Route
from core.service import Service
from core.types import Answer, AskRequest, Session
from tests.conftest import answer_of, settled

PAPER = """Salt and Smoke in the North

Ida Holm∗, Per Vik†
, Anna-Lena de Groot
Velmark University †Harbour Institute
{ida, anna}@velmark.example

Abstract

Salt keeps fish for many months. Smoke keeps it for longer, as four trials in the north show."""


@pytest.mark.parametrize(
    ("page", "wanted"),
    [
        (PAPER, "Ida Holm∗, Per Vik†\n, Anna-Lena de Groot"),
        ("Lampen im Altbau\n\n- von Ida Holm\n- 09.03.2022\n\nLampen leuchten.", "Ida Holm"),
        (
            "Report on Lamps\n\nBy Ida Holm and Per Vik\n\nLamps are lit at dusk.",
            "Ida Holm and Per Vik",
        ),
        ("Lamps\n\nThis book was written by Ida Holm in one winter.", "Ida Holm"),
        ("Lampen\n\nAutorin: Ida Holm\n\nDie Lampen brennen.", "Ida Holm"),
        ("Lamps\n\nOnly for a few.\n\nIda Holm, @ida\n\n11.03.17 in Lamps\n", "Ida Holm"),
        ("Old Lamps\n\nByIda Holm\n\n- Feb. 21, 2019\n\nLamps shine.", "Ida Holm"),
        ("Why Lamps\n\n1. Ida Holm\n\n1:39 PM ET\n\nLamps shine.", "Ida Holm"),
        ("On Lamps\n\nIda K. Holm\n\nJanuary 3, 2024\n\nAbstract\nLamps shine.", "Ida K. Holm"),
    ],
)
def test_the_names_under_the_title(page: str, wanted: str) -> None:
    span = author_line(page)
    assert span is not None
    assert page[slice(*span)] == wanted


@pytest.mark.parametrize(
    "page",
    [
        "Annual Report\n\nExecutive Summary\n\nSales grew in the north.",
        "Lamps\n\nVelmark University, Harbour Institute\n\nAbstract\nLamps shine.",
        "The Ferry\n\nRed Boats, Blue Boats and Green Boats sail daily.\nillustrated\nby Per Vik",
        "Lamps\n\nHow To Grow and Care For Lamps\n\nQuestion: where?",
        "Minutes\n\nNorth Hall\n\n14 March 2025\n\nPresent: Ida Holm",
        "Lamps\n\nIda Holm\n\nLamps shine in the north.",
        "Lamps\n\nLamps glow. Office of\nLamp Statistics and Ferry Projections\nin Graz.",
        "MEDICINE FEES\n\nWEST GROVE, SPEAKING FEES\n\nPaid in June.",
        "요금\n\n빅포인트의 유효기간은 5년으로, 유효기간 만료 시 월\n",
        "",
    ],
)
def test_what_only_looks_like_names(page: str) -> None:
    span = author_line(page)
    assert span is None, page[slice(*span)] if span else ""


def test_a_conversation_about_a_paper(service: Service, session: Session) -> None:
    service.documents.add_file(session, "salt.txt", PAPER.encode())
    service.documents.add_file(
        session, "ferry.txt", b"The ferry was built in 1931. It sails daily."
    )
    settled(service, session)
    answer = answer_of(service, session, "who wrote the salt paper?")
    assert answer.route is Route.AUTHORS
    assert "Ida Holm" in answer.text
    assert "Anna-Lena de Groot" in answer.text
    (citation,) = answer.citations
    assert citation.label == "salt.txt"

    talk = service.conversations.create(session, "Salt").id
    for question in ("What keeps fish for many months?", "and who wrote it?"):
        answer = _asked(service, session, talk, question)
    assert "Per Vik" in answer.text
    for question in ("When was the ferry built?", "who wrote it?"):
        answer = _asked(service, session, talk, question)
    assert answer.route is not Route.AUTHORS, "the ferry's text names no author"


def test_a_first_question_that_no_document_answers(service: Service, session: Session) -> None:
    service.documents.add_file(
        session, "a.txt", b"Two clerks wrote it down. It was cold in Velmark."
    )
    settled(service, session)
    answer = answer_of(service, session, "who wrote it?")
    assert answer.abstention is not None
    assert answer.text == "The document names no author at its beginning."
    for number in range(MOST):
        service.documents.add_file(session, f"{number}.txt", f"Lamp {number} burns.".encode())
    settled(service, session)
    assert "Which one do you mean?" in answer_of(service, session, "who wrote it?").text


def test_a_work_that_a_document_of_its_name_tells_of(service: Service, session: Session) -> None:
    text = b"According to the chronicle, the Velmark songs were collected by pupils of Holm."
    service.documents.add_file(session, "Velmark songs.txt", text)
    settled(service, session)
    answer = answer_of(service, session, "who is the author of the Velmark songs?")
    assert answer.abstention is None
    assert "collected by pupils of Holm" in answer.text


def _asked(service: Service, session: Session, talk: str, question: str) -> Answer:
    events = list(service.ask(AskRequest(session, question, talk)))
    assert isinstance(events[-1], Answer)
    return events[-1]
