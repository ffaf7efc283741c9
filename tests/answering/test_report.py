"""An answer in sections keeps its limits, ends whatever the model does, and cites its sources."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

import core.pipeline
from core.answering.report import NOT_FOUND_TITLE, Report
from core.config import Settings
from core.errors import StorageError
from core.planning.budget import ModelBudget
from core.service import Service
from core.types import (
    Answer,
    AskRequest,
    Citation,
    Claim,
    Event,
    Level,
    ModelChoice,
    QueryOptions,
    Session,
    Step,
    Support,
    TextPiece,
)
from core.types.steps import Sectioned
from tests.conftest import settings_in, settled
from tests.standins.ollama import OllamaStandin
from tests.standins.scripts import Reply
from tests.support.asking import numbers_are_listed

QUESTION = "Compare Arnholt and Bexley on price, delivery and liability."
MODEL = ModelChoice("ollama", "standin:latest")
TEXTS = {
    "prices.txt": "Arnholt charges a price of 14 euros a unit. Bexley charges 12 euros a unit.",
    "delivery.txt": "Arnholt promises delivery in six weeks. Bexley takes nine weeks.",
    "liability.txt": "The liability of Arnholt ends at 5,000 euros. Bexley excludes it.",
}
SECTIONS = (
    ("Price", "Which price do Arnholt and Bexley charge?"),
    ("Delivery", "How long does delivery by Arnholt and Bexley take?"),
    ("Liability", "How far does the liability of Arnholt and Bexley go?"),
)
PRICE = "Arnholt charges a price of 14 euros a unit [Source 1]."
ENDED = 400.0


@dataclass
class Clock:
    """A clock that a test puts forward."""

    ahead: float = 0.0
    monotonic: Callable[[], float] = field(init=False)

    def __post_init__(self) -> None:
        self.monotonic = lambda: time.monotonic() + self.ahead


@pytest.fixture(scope="module")
def standin() -> Iterator[OllamaStandin]:
    with OllamaStandin() as standin:
        yield standin


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory, standin: OllamaStandin) -> Settings:
    folder: Path = tmp_path_factory.mktemp("report")
    return settings_in(folder, ollama_url=standin.url, question_tokens=200_000, depth_rounds=6)


@pytest.fixture(scope="module")
def service(settings: Settings) -> Iterator[Service]:
    service = Service(settings)
    assert service.wait_ready(60)
    yield service
    service.close()


@pytest.fixture(scope="module")
def session(service: Service) -> Session:
    session = service.sessions.create(service.owners.for_token("somebody"), "Suppliers")
    for name, text in TEXTS.items():
        service.documents.add_file(session, name, text.encode())
    settled(service, session)
    return session


@pytest.fixture
def ask(
    service: Service, session: Session, standin: OllamaStandin
) -> Callable[..., Iterator[Event]]:
    """Ask in depth; the model gives these replies, the last one for ever."""

    def asking(*replies: Reply, **named: object) -> Iterator[Event]:
        *first, last = replies
        standin.requests.clear()
        standin.queue(*first, replace(last, times=None))
        options = QueryOptions(level=Level.IN_DEPTH)
        return service.ask(AskRequest(session, QUESTION, options=options, model=MODEL, **named))

    return asking


Asking = Callable[..., Iterator[Event]]


def planned(*sections: tuple[str, str]) -> Reply:
    outline = [{"title": title, "question": question} for title, question in sections]
    return Reply(text=json.dumps({"sections": outline}))


def told(events: list[Event]) -> tuple[Answer, list[str]]:
    """The answer, and the pieces in which it was shown."""
    answers = [event for event in events if isinstance(event, Answer)]
    assert len(answers) == 1
    assert events[-1] is answers[0]
    return answers[0], [event.text for event in events if isinstance(event, TextPiece)]


def test_each_section_is_searched_written_checked_and_shown(
    ask: Asking, standin: OllamaStandin
) -> None:
    events = list(ask(planned(*SECTIONS), Reply("quote")))
    answer, shown = told(events)
    (limits,) = [one.detail for one in events if isinstance(one, Step) and one.name == "sections"]
    assert limits == Sectioned(("Price", "Delivery", "Liability"), 6, 300.0)
    assert [piece.strip().partition("\n")[0] for piece in shown] == [
        "## Price",
        "## Delivery",
        "## Liability",
    ]
    assert "".join(shown) == answer.text
    assert numbers_are_listed(answer)
    assert answer.complete
    assert len(answer.claims) >= 3
    assert all(claim.numbers for claim in answer.claims), "every sentence is cited"
    for claim in answer.claims:
        said = answer.text[claim.start : claim.end]
        assert claim.support is Support.VERBATIM
        assert all(f"[{number}]" in answer.text for number in claim.numbers)
        assert said.split("[")[0].strip() in " ".join(TEXTS.values())
    assert answer.search is not None
    assert [sent.text for sent in answer.search.sent] == [question for _, question in SECTIONS]
    assert len(standin.chats()) == 1 + len(SECTIONS)
    assert answer.usage is not None
    assert answer.usage.passages_given >= 3


def test_a_section_is_shown_before_the_next_is_searched(
    ask: Asking, standin: OllamaStandin
) -> None:
    events = ask(planned(*SECTIONS), Reply("quote"))
    first = next(event for event in events if isinstance(event, TextPiece))
    assert first.text.startswith("## Price")
    assert len(standin.chats()) == 2
    events.close()


def test_at_the_end_is_what_was_not_found(ask: Asking) -> None:
    found = Reply(text=PRICE)
    none = Reply(text="NOT_IN_SOURCES")
    answer, shown = told(list(ask(planned(*SECTIONS), found, none)))
    assert answer.complete
    assert shown[-1].strip() == (
        f"## {NOT_FOUND_TITLE}\n\n- Delivery: The documents do not say.\n"
        "- Liability: The documents do not say."
    )
    assert "".join(shown) == answer.text


def test_at_the_end_is_what_a_section_says_is_missing(ask: Asking) -> None:
    price = Reply(text=f"{PRICE} The sources do not mention the **price** of Bexley [Source 2].")
    answer, shown = told(list(ask(planned(*SECTIONS[:2]), price, Reply("quote"))))
    assert shown[-1].strip() == (
        f"## {NOT_FOUND_TITLE}\n\n"
        "- Price: The sources do not mention the \\*\\*price\\*\\* of Bexley."
    )
    assert "".join(shown) == answer.text


def test_at_the_end_is_a_section_that_no_source_supports(ask: Asking) -> None:
    moon = Reply(text="The moon is made of cheese.")
    _, shown = told(list(ask(planned(*SECTIONS[:2]), Reply("quote"), moon)))
    assert shown[-1].strip() == (
        f"## {NOT_FOUND_TITLE}\n\n- Delivery: No source supports what is written there."
    )


def test_what_was_found_stays_where_a_later_search_fails(
    ask: Asking, monkeypatch: pytest.MonkeyPatch
) -> None:
    working = core.pipeline.search

    def failing(*given: Any, **named: Any) -> Any:
        if given[2].goal == SECTIONS[1][1]:
            raise StorageError("The vectors cannot be read.")
        return working(*given, **named)

    monkeypatch.setattr("core.pipeline.search", failing)
    answer, shown = told(list(ask(planned(*SECTIONS), Reply("quote"))))
    assert [piece.strip().partition("\n")[0] for piece in shown] == [
        "## Price",
        "## Liability",
        f"## {NOT_FOUND_TITLE}",
    ]
    assert "- Delivery: The vectors cannot be read." in answer.text
    assert not answer.complete


def test_a_library_in_another_language_is_searched_in_its_own(ask: Asking) -> None:
    sections = [
        {"title": "Preis", "question": "Welchen Preis verlangt Arnholt?", "query": SECTIONS[0][1]},
        {"title": "Haftung", "question": "Wie weit haftet Arnholt?", "query": ""},
    ]
    plan = Reply(text=json.dumps({"sections": sections}))
    answer, _ = told(list(ask(plan, Reply("quote"))))
    assert answer.search is not None
    queries = [sent.text for sent in answer.search.sent]
    assert queries == [SECTIONS[0][1], "Wie weit haftet Arnholt?"]


def test_planning_sections_takes_of_the_tokens_of_the_question(
    ask: Asking, standin: OllamaStandin, monkeypatch: pytest.MonkeyPatch
) -> None:
    budgets: list[ModelBudget] = []
    of = ModelBudget.of

    def kept(*given: Any) -> ModelBudget:
        budgets.append(of(*given))
        return budgets[-1]

    monkeypatch.setattr(ModelBudget, "of", kept)
    told(list(ask(Reply(text="{}"), Reply("quote"))))
    assert len(budgets) == 1
    assert budgets[0].spent >= 2 * len("Compare Arnholt")


def test_nothing_found_is_a_refusal(ask: Asking) -> None:
    answer, shown = told(list(ask(planned(*SECTIONS), Reply(text="NOT_IN_SOURCES"))))
    assert answer.abstention is not None
    assert shown == []


def test_no_more_sections_than_searches(ask: Asking, standin: OllamaStandin) -> None:
    many = [(f"Part {n}", f"What does Arnholt say of part {n}?") for n in range(12)]
    answer, _ = told(list(ask(planned(*many), Reply("quote"))))
    assert answer.search is not None
    assert len(answer.search.sent) == 6
    assert len(standin.chats()) == 7


@pytest.mark.parametrize(
    "plan",
    ["I cannot do that.", "[]", '{"sections": []}', '{"sections": "price"}', '{"sections": [1, 2]}',
     '{"sections": [{"title": "Price"}, {"question": ""}]}', "",
     '{"sections": [{"title": "Price", "question": "Which price?"}]}'],
)  # fmt: skip
def test_without_a_usable_plan_the_question_is_answered_as_one(ask: Asking, plan: str) -> None:
    planning = Reply(text=plan) if plan else Reply("empty")
    answer, _ = told(list(ask(planning, Reply("quote"))))
    assert "##" not in answer.text
    assert answer.citations


def test_what_is_true_of_one_section_is_said_of_that_one(ask: Asking) -> None:
    answer, _ = told(
        list(ask(planned(*SECTIONS[:2]), Reply("quote"), Reply(text="The moon is made of cheese.")))
    )
    assert answer.citations
    (unsourced,) = [notice for notice in answer.notices if notice.code == "unsourced"]
    assert unsourced.text.startswith("In “Delivery”: No source supports this answer")


def test_a_section_that_quotes_does_not_speak_of_all(ask: Asking) -> None:
    broken = Reply("status", status=400)
    answer, _ = told(list(ask(planned(*SECTIONS), Reply("quote"), broken)))
    (failed,) = [one for one in answer.notices if one.code.startswith("model-failed:")]
    assert failed.text.startswith("In “Delivery”, “Liability”: ")


def test_what_is_true_of_all_sections_is_said_once(ask: Asking) -> None:
    answer, _ = told(list(ask(planned(*SECTIONS[:2]), Reply("status", status=400))))
    assert answer.abstention is None
    (failed,) = [one for one in answer.notices if one.code.startswith("model-failed:")]
    assert "“" not in failed.text


def test_a_model_that_loops_is_ended_in_each_section(ask: Asking) -> None:
    answer, shown = told(list(ask(planned(*SECTIONS[:2]), Reply("repeat", text="Price " * 9))))
    assert not answer.complete
    assert "repetition" in {notice.code for notice in answer.notices}
    assert len(answer.text) < 40_000
    assert "\n\n\n" not in answer.text
    assert "".join(shown) == answer.text


@pytest.mark.parametrize("hanging", [Reply("hang-first"), Reply("hang-middle", text=PRICE)])
def test_a_model_that_hangs_is_ended_by_the_limit(
    ask: Asking, monkeypatch: pytest.MonkeyPatch, hanging: Reply
) -> None:
    clock = Clock()
    monkeypatch.setattr("core.pipeline.time", clock)
    events = []
    for event in ask(planned(*SECTIONS), Reply("quote"), hanging):
        events.append(event)
        is_asked = isinstance(event, Step) and event.name == "context"
        if is_asked and any(isinstance(one, TextPiece) for one in events):
            clock.ahead = ENDED  # the model of the second section hangs from here on
    answer, shown = told(events)
    assert not answer.complete
    assert answer.text.startswith("## Price")
    assert "- Liability: The time was used up." in answer.text
    assert answer.search is not None
    assert len(answer.search.sent) == 2, "nothing is searched after the limit"
    assert "time-limit" in {notice.code for notice in answer.notices}
    assert "".join(shown) == answer.text


def test_the_person_stops_it(ask: Asking) -> None:
    events: list[Event] = []

    def stopped() -> bool:
        return any(isinstance(event, TextPiece) for event in events)

    for event in ask(planned(*SECTIONS), Reply("quote"), cancelled=stopped):
        events.append(event)
    answer, shown = told(events)
    assert not answer.complete
    assert answer.text.startswith("## Price")
    assert answer.citations
    assert "- Delivery: You stopped it before." in answer.text
    assert answer.search is not None
    assert len(answer.search.sent) == 1, "nothing is searched any more"
    assert [notice.code for notice in answer.notices] == ["stopped"]
    assert "".join(shown) == answer.text


def test_it_is_kept_as_it_was_shown(ask: Asking, service: Service, session: Session) -> None:
    talk = service.conversations.create(session, "Suppliers").id
    answer, _ = told(list(ask(planned(*SECTIONS), Reply("quote"), conversation_id=talk)))
    kept = service.conversations.messages(session, talk)[-1].answer
    assert kept is not None
    assert (kept.text, kept.citations, kept.claims) == (
        answer.text,
        answer.citations,
        answer.claims,
    )


def test_other_levels_have_no_sections(
    service: Service, session: Session, standin: OllamaStandin
) -> None:
    standin.queue(Reply("quote", times=None))
    request = AskRequest(session, "Which price does Arnholt charge?", model=MODEL)
    for level in (Level.AS_TYPED, Level.AUTO):
        standin.requests.clear()
        answer, _ = told(list(service.ask(replace(request, options=QueryOptions(level=level)))))
        assert "##" not in answer.text
        assert not any("sections" in str(one.body) for one in standin.chats())


# ----------------------------------------------------------------------- put together (pure)


def section(text: str, *quotes: str, claims: tuple[tuple[str, int], ...] = ()) -> Answer:
    citations = tuple(
        Citation(n, f"{quote}:0", quote, f"{quote}.txt", None, 0, None, 0, 9, quote)
        for n, quote in enumerate(quotes, 1)
    )
    made = tuple(
        Claim(text.index(said), text.index(said) + len(said), (number,), Support.SUPPORTED)
        for said, number in claims
    )
    return Answer("q", text, citations, claims=made)


def test_numbers_go_on_and_one_passage_keeps_its_number() -> None:
    report = Report()
    report.add("One", section("It is a [1], and b [2].", "a", "b"))
    second = section(
        "It is c [1]. It is b [2]. Not `x[1]`.", "c", "b", claims=(("It is b [2].", 2),)
    )
    report.add("Two", second)
    assert report.text == (
        "## One\n\nIt is a [1], and b [2].\n\n## Two\n\nIt is c [3]. It is b [2]. Not `x[1]`."
    )
    assert [citation.quote for citation in report.citations] == ["a", "b", "c"]
    (claim,) = report.claims
    assert report.text[claim.start : claim.end] == "It is b [2]."
    assert claim.numbers == (2,)


def test_a_claim_moves_with_longer_numbers() -> None:
    report = Report()
    quotes = [f"q{n}" for n in range(11)]
    report.add("One", section("".join(f"[{n}]" for n in range(1, 12)), *quotes))
    report.add("Two", section("So [1]. It is [2].", "x", "y", claims=(("It is [2].", 2),)))
    (claim,) = report.claims
    assert report.text[claim.start : claim.end] == "It is [13]."


def test_titles_are_text_and_code_ends_with_its_section() -> None:
    report = Report()
    report.add("A [1](https://x.example)", section("See:\n\n```\ncode"))
    report.add("B", section("Done [1].", "a"))
    assert report.text == (
        "## A \\[1\\](https://x.example)\n\nSee:\n\n```\ncode\n```\n\n## B\n\nDone [1]."
    )
