"""What newcomers ask of the program itself is answered out of the handbook, in its own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from core.cli.library import library, read_all
from core.config import Settings
from core.ingestion.samples import sample_files
from core.types import Answer, AskRequest
from docs.handbook.build import CHAPTERS

SECTIONS = dict(
    re.findall(r"^## (.+)\n\n(.+)$", (CHAPTERS / "17-first-questions.md").read_text("utf-8"), re.M)
)


@pytest.fixture(scope="module")
def ask() -> Iterator[Callable[[str], Answer]]:
    """Ask the sample library."""
    settings = Settings(reranker_model="")
    with library(settings) as (service, session):
        read_all(service, session, {path.name: path for path in sample_files(settings)})

        def asked(question: str) -> Answer:
            events = list(service.ask(AskRequest(session, question)))
            return next(one for one in events if isinstance(one, Answer))

        yield asked


@pytest.mark.parametrize(("question", "section"), SECTIONS.items())
def test_a_first_question_has_its_section(
    question: str, section: str, ask: Callable[[str], Answer]
) -> None:
    answer = ask(question)
    assert answer.abstention is None
    assert answer.claims
    first = answer.text[answer.claims[0].start : answer.claims[0].end]
    assert _words(first) in _words(section)


@pytest.mark.parametrize(
    ("typed", "question"),
    [
        ("is this free", "Is it free?"),
        ("does it need internet", "Does it work offline, or does it need internet?"),
        ("how many files can i upload", "How many documents or files can I add or upload?"),
        ("can i share a session with my team",
         "Can several people use it?"),
        ("who can see my files", "Who can see my documents?"),
        ("is my data private", "Is my data private and safe, or is it sent anywhere?"),
        ("can i use gemini", "Can I use Gemini with it?"),
    ],
)  # fmt: skip
def test_asked_in_other_words(typed: str, question: str, ask: Callable[[str], Answer]) -> None:
    answer = ask(typed)
    first = answer.text[answer.claims[0].start : answer.claims[0].end]
    assert _words(first) in _words(SECTIONS[question])


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))
