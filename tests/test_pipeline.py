"""A whole conversation through the one door: follow-ups, sources asked for, topics, limits."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import core.answering.generative.answerer
import core.pipeline
from core.answering.generative.draft import STOPPED
from core.pipeline import TimeLimit
from core.planning.plan import make_plan
from core.service import Service
from core.types import (
    Answer,
    AskRequest,
    Level,
    ModelChoice,
    QueryOptions,
    QueryPlan,
    Scope,
    Session,
    Step,
)
from core.types.steps import PassagesRead
from tests.conftest import answer_of, settings_in, settled
from tests.standins.ollama import OllamaStandin
from tests.standins.scripts import Reply

LIGHTHOUSE = (
    "The lighthouse of Port Amber was built in 1874 by Ida Holm. "
    "Its lamp can be seen from 23 nautical miles away."
)
OTHER = (
    "The lighthouse of Port Amber was built in 1901 by Ida Holm. "
    "Sourdough bread needs flour, water and salt."
)


def asked(service: Service, session: Session, question: str, conversation: str) -> Answer:
    events = service.ask(AskRequest(session, question, conversation))
    (answer,) = [event for event in events if isinstance(event, Answer)]
    return answer


def test_a_conversation(service: Service, session: Session) -> None:
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    service.documents.add_file(session, "other.txt", OTHER.encode())
    settled(service, session)
    talk = service.conversations.create(session, "Port Amber").id

    first = asked(service, session, "When was the lighthouse of Port Amber built?", talk)
    assert {citation.label for citation in first.citations} == {"lighthouse.txt", "other.txt"}
    assert "1874" in first.text
    assert "1901" in first.text
    assert "sources-disagree" in {notice.code for notice in first.notices}

    again = asked(service, session, "What did you just cite?", talk)
    assert [c.quote for c in again.citations] == [c.quote for c in first.citations]
    assert again.search is None

    lamp = asked(service, session, "How far can it be seen?", talk)
    assert lamp.search is not None
    assert lamp.search.plan.follows
    assert "23 nautical miles" in lamp.text
    assert "conversation" in {sent.where for sent in lamp.search.sent}

    bread = asked(service, session, "Which flour does sourdough bread need?", talk)
    assert bread.search is not None
    assert not bread.search.plan.follows
    assert bread.search.plan.queries == ("Which flour does sourdough bread need?",)


def test_the_level_and_own_queries_of_a_search(service: Service, session: Session) -> None:
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    settled(service, session)
    found = service.search(
        AskRequest(session, "Who built it?", options=QueryOptions(level=Level.SEVERAL))
    )
    assert found.plan.level is Level.SEVERAL
    assert "no-model-for-queries" in {notice.code for notice in found.notices}
    own = service.search(
        AskRequest(session, "Who built it?", options=QueryOptions(queries=("Ida Holm", "lamp")))
    )
    assert own.plan.queries == ("Ida Holm", "lamp")
    assert [sent.text for sent in own.sent] == ["Who built it?", "Ida Holm", "lamp"]


def test_an_everyday_question_is_searched_in_the_words_of_documents_too(
    service: Service, session: Session
) -> None:
    text = "Port Amber has a population of 4,120. People who live on the quay are called quayers."
    service.documents.add_file(session, "amber.md", text.encode())
    settled(service, session)
    typed = "how many people live in port amber"
    answer = asked(service, session, typed, "")
    assert answer.text.startswith("Port Amber has a population of 4,120.")
    assert answer.search is not None
    assert answer.search.plan.goal == typed
    assert answer.search.plan.queries == (f"{typed} (population)",)
    literal = QueryOptions(level=Level.AS_TYPED)
    assert service.search(AskRequest(session, typed, options=literal)).plan.queries == (typed,)


def test_a_document_that_is_asked_by_name_answers_alone(service: Service, session: Session) -> None:
    lamps = "A lamp is a light on a foot. Lamps stand on the quay."
    service.documents.add_file(session, "harbour-rules.md", lamps.encode())
    service.documents.add_file(session, "glossary.md", b"Lamps of all kinds are sold by Jo Reed.")
    settled(service, session)
    typed = "what do the harbour rules say about lamps"
    answer = asked(service, session, typed, "")
    assert answer.question == typed
    assert answer.text.startswith("A lamp is a light on a foot.")
    assert {citation.label for citation in answer.citations} == {"harbour-rules.md"}
    assert answer.asked_of == (1, 2)
    all_of_them = asked(service, session, "what do the documents say about lamps", "")
    assert all_of_them.asked_of is None
    of_a_person = asked(service, session, "what does Jo Reed say about lamps", "")
    assert of_a_person.scope.is_whole
    assert of_a_person.search is not None
    assert of_a_person.search.plan.question == "what does Jo Reed say about lamps"


def test_quoted_code_says_which_imports_stand_above_it(service: Service, session: Session) -> None:
    text = (
        "# Reading tables\n\nTables are opened first.\n\n```python\nimport zarrow\nimport unused\n"
        "table = zarrow.open('a')\nprint(table)\n```\n\n## Filtering the rows of a table\n\n"
        "```python\nrows = zarrow.filter(table, 'a > 3')\nprint 'rows', rows\n```\n"
    )
    service.documents.add_file(session, "tables.md", text.encode())
    settled(service, session)
    answer = asked(service, session, "filter the rows of a table with zarrow.filter", "")
    assert "```\nrows = zarrow.filter" in answer.text
    assert "import zarrow" not in answer.text  # it is cited, so it is as it stands
    said = {notice.code: notice.text for notice in answer.notices}
    assert said["code-uses-imports"].endswith("above it: import zarrow.")
    assert "imports zarrow, which is not" in said["code-imports"]
    assert "line 2" in said["code-does-not-parse"]  # it is Python 2


def test_a_message_that_asks_nothing_and_a_question_about_a_whole_document(
    service: Service, session: Session
) -> None:
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    settled(service, session)
    talk = service.conversations.create(session, "Port Amber").id

    hello = asked(service, session, "hello", talk)
    assert (hello.route, hello.search, hello.abstention) == ("smalltalk", None, None)

    about = asked(service, session, "What is this about?", talk)
    assert about.route == "overview"
    (claim,) = about.claims
    assert about.text[claim.start : claim.end] == about.citations[0].quote
    assert about.citations[0].quote == LIGHTHOUSE.partition(". ")[0] + "."

    named = asked(service, session, "Summarise the lighthouse text", talk)
    assert [c.label for c in named.citations] == ["lighthouse.txt"] * len(named.citations)
    assert asked(service, session, "summarise lighthouse", talk).route == "overview"
    assert asked(service, session, "summarise the storm of 1874", talk).route == "search"


def test_what_all_documents_are_about_names_those_that_were_not_read(
    service: Service, session: Session
) -> None:
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    service.documents.add_file(session, "broken.pdf", b"%PDF-1.4 nonsense")
    settled(service, session)
    about = answer_of(service, session, "What is this about?")
    assert about.route == "overview"
    assert ["broken.pdf" in notice.text for notice in about.notices] == [True]
    assert not answer_of(service, session, "Summarise lighthouse.txt").notices


@pytest.mark.parametrize(
    "question", ["When was the lighthouse of Port Amber built?", "What is this about?"]
)
def test_days_in_an_answer_are_those_where_the_person_is(
    service: Service, session: Session, question: str
) -> None:
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    service.documents.add_file(session, "other.txt", OTHER.encode())
    settled(service, session)
    added = [document.added_at for document in service.documents.list(session)]
    for hours in (-12, 14):  # two different days at any moment
        zone = timezone(timedelta(hours=hours))
        events = service.ask(AskRequest(session, question, zone=zone))
        (answer,) = [event for event in events if isinstance(event, Answer)]
        said = answer.text + "".join(notice.text for notice in answer.notices)
        days = re.findall(r"added (\d{4}-\d\d-\d\d)", said.replace("\\", ""))
        assert days
        assert set(days) == {f"{one.astimezone(zone):%Y-%m-%d}" for one in added if one}


def test_a_comparison_and_a_name_that_no_document_holds(service: Service, session: Session) -> None:
    text = "Tea is a drink made of leaves. Coffee is a drink made of roasted beans."
    service.documents.add_file(session, "drinks.txt", text.encode())
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    settled(service, session)
    talk = service.conversations.create(session, "Drinks").id

    both = asked(service, session, "What is the difference between tea and coffee?", talk)
    assert both.route == "comparison"
    assert [both.text[claim.start : claim.end] for claim in both.claims] == [
        "Tea is a drink made of leaves.",
        "Coffee is a drink made of roasted beans.",
    ]

    small = asked(service, session, "how much coffee do people drink in velmark?", talk)
    assert small.abstention is not None
    assert "“velmark”" in small.text
    mistyped = asked(service, session, "what is the lighthouze of Port Amber?", talk)
    assert "lighthouze" not in mistyped.text
    assert [n.text for n in mistyped.notices if n.code == "spelling"] == [
        "Read “lighthouze” as “lighthouse”."
    ]

    unknown = asked(service, session, "What did the painter Zorblax say of coffee?", talk)
    assert unknown.abstention is not None
    assert "“Zorblax”" in unknown.text


def test_what_only_documents_in_another_language_hold_is_found_and_said(
    service: Service, session: Session
) -> None:
    german = (
        "Die Miete der Halle beträgt im Monat 900 Euro. Der Vertrag der Halle endet im Mai. "
        "Die Schlüssel der Halle liegen bei dem Hausmeister, der im Keller wohnt."
    )
    service.documents.add_file(session, "halle.txt", german.encode())
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    settled(service, session)
    talk = service.conversations.create(session, "Hall").id
    answer = asked(service, session, "how much is the rent per month?", talk)
    assert "900 Euro" in answer.text
    assert any("some documents are in German" in one.text for one in answer.notices)
    other = asked(service, session, "who built the lighthouse of Port Amber?", talk)
    assert "Ida Holm" in other.text
    assert not any("German" in one.text for one in other.notices)
    none = asked(service, session, "who is the captain of the ferry?", talk)
    assert none.abstention is not None
    assert any("some documents are in German" in one.text for one in none.notices)


def test_german_is_found_in_compounds_and_with_two_letters_for_an_umlaut(
    service: Service, session: Session
) -> None:
    lease = (
        "Der Mieter bekommt im Mai zwei Rechnungen. Er erhält zwei Haustürschlüssel. Der "
        "Bau dauerte vier Wochen. Danach gilt eine Frist von drei Monaten, wenn er kündigen will. "
        "Die Kaution gibt die Firma im Juni zurück."
    )
    service.documents.add_file(session, "halle.txt", lease.encode())
    settled(service, session)
    for question, said in (
        ("wie viele schluessel werden ausgegeben", "Haustürschlüssel"),
        ("wie lange ist die kuendigungsfrist", "drei Monaten"),
        ("wann gibt die firma sie zurueck", "Juni"),
    ):
        talk = service.conversations.create(session, question).id
        assert asked(service, session, question, talk).text.split(". ")[0].count(said)


def test_a_table_is_asked_on_in_the_words_of_the_question_before(
    service: Service, session: Session
) -> None:
    ducks = "Year,Freshwater Ducks,Saltwater Ducks\n2021,150,100\n2022,170,110\n"
    service.documents.add_file(session, "ducks.csv", ducks.encode())
    settled(service, session)
    talk = service.conversations.create(session, "Ducks").id
    first = asked(service, session, "how many freshwater ducks were there in 2022", talk)
    assert [first.text[a:b] for a, b in first.highlights] == ["170"]
    then = asked(service, session, "what about saltwater", talk)
    assert [then.text[a:b] for a, b in then.highlights] == ["110"]


def test_the_most_is_told_from_all_rows_of_a_table_in_a_text(
    service: Service, session: Session
) -> None:
    lamps = {f"Harbour number {at} of the coast of Amber": at * 37 % 101 for at in range(60)}
    rows = "".join(f"| {name} | {count} |\n" for name, count in lamps.items())
    page = f"# Coast\n\nLamps by harbour.\n\n| Harbour | Lamps |\n|---|---|\n{rows}"
    service.documents.add_file(session, "coast.md", page.encode())
    settled(service, session)
    talk = service.conversations.create(session, "Lamps").id
    answer = asked(service, session, "which harbour has the most lamps", talk)
    best = max(lamps, key=lambda name: lamps[name])
    assert f"| {best} | {lamps[best]} [1] |" in answer.text
    assert answer.direct


def test_where_something_is_mentioned_is_read_from_every_passage(
    service: Service, session: Session
) -> None:
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    service.documents.add_file(session, "bread.txt", OTHER.encode())
    service.documents.add_file(session, "bread.md", b"# Bread\n\nIt is baked at 230 degrees.")
    settled(service, session)
    talk = service.conversations.create(session, "Wording").id

    often = asked(service, session, "How often is Ida Holm mentioned?", talk)
    assert often.route == "ledger"
    assert often.text.startswith(
        "“Ida Holm” is mentioned 2 times, in 2 passages of 2 of 3 documents. 3 of 3 passages read, "
    )
    for citation in often.citations:
        page = service.documents.page(session, citation.document_id, citation.page_ordinal)
        assert page.text[citation.start : citation.end] == citation.quote
    assert {citation.label for citation in often.citations[:2]} == {"lighthouse.txt", "bread.txt"}
    assert often.search is not None
    assert often.search.steps[-1].detail == PassagesRead(3, 3, 2)

    never = asked(service, session, "Which documents never mention Ida Holm?", talk)
    assert never.text.startswith("1 of 3 documents never mentions “Ida Holm”.")
    assert "- Bread" in never.text

    one = asked(service, session, "Where is bread mentioned in the lighthouse text?", talk)
    assert one.text.startswith("No passage mentions “bread”. 1 of 1 passage read")
    elsewhere = asked(service, session, "How often is Ida Holm mentioned in the news?", talk)
    assert elsewhere.route == "search"


def test_passages_are_counted_with_a_language_model_too_and_until_the_question_is_stopped(
    service: Service, session: Session
) -> None:
    for number in range(3):
        name = f"{number}.txt"
        service.documents.add_file(session, name, f"{number} {LIGHTHOUSE}".encode())
    settled(service, session)
    question = "How many documents mention Ida Holm?"
    chosen = ModelChoice("ollama", "none of the counting is its work")
    (answer,) = (
        event
        for event in service.ask(AskRequest(session, question, model=chosen))
        if isinstance(event, Answer)
    )
    assert answer.text.startswith("“Ida Holm” is mentioned 3 times, in 3 passages of 3 of 3")

    events = list(service.ask(AskRequest(session, question, cancelled=lambda: True)))
    stopped = events[-1]
    assert isinstance(stopped, Answer)
    assert not stopped.complete
    assert "0 of 3 passages read" in stopped.text
    assert "stopped" in {notice.code for notice in stopped.notices}


def test_a_part_of_a_question_takes_the_rest_from_the_one_before(
    service: Service, session: Session
) -> None:
    text = "In Graz 300 ferries sail each day. In Linz 120 ferries sail each day."
    service.documents.add_file(session, "ferries.txt", text.encode())
    settled(service, session)
    talk = service.conversations.create(session, "Ferries").id
    asked(service, session, "How many ferries sail in Graz?", talk)

    linz = asked(service, session, "and in Linz?", talk)
    assert linz.search is not None
    assert linz.search.plan.goal in ("How many ferries sail in Linz?", "and in Linz?")
    assert "In Linz 120 ferries sail each day." in linz.text


def test_a_question_is_searched_a_second_time_only_where_the_first_answer_leaves_a_doubt(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"{LIGHTHOUSE} The harbour office sells maps. Tickets for the tower cost 4 euros."
    service.documents.add_file(session, "lighthouse.txt", text.encode())
    settled(service, session)
    searches: list[str] = []
    plain = core.pipeline.search

    def counted(*given: Any) -> Any:
        searches.append(given[2].goal)
        return plain(*given)

    monkeypatch.setattr(core.pipeline, "search", counted)
    talk = service.conversations.create(session, "Port Amber").id
    asked(service, session, "When was the lighthouse of Port Amber built?", talk)
    searches.clear()
    assert "maps" in asked(service, session, "office maps?", talk).text
    assert len(searches) == 1
    searches.clear()
    asked(service, session, "boats and rain?", talk)
    assert len(searches) == 2


def test_the_time_of_a_question_ends_it_and_says_so() -> None:
    limit = TimeLimit(time.monotonic() - 10, 5.0, lambda: False)
    assert limit.over()
    half = Answer("q", "half", notices=(STOPPED,), complete=False)
    told = limit.with_notice(half)
    assert [notice.code for notice in told.notices] == ["time-limit"]
    assert limit.with_notice(Answer("q", "whole")).notices == ()
    stopped = TimeLimit(time.monotonic() - 10, 5.0, lambda: True)
    assert stopped.with_notice(half) == half
    assert not TimeLimit(time.monotonic(), 5.0, lambda: False).over()


def scoped(service: Service, session: Session, question: str, scope: Scope) -> Answer:
    options = QueryOptions(scope=scope)
    events = service.ask(AskRequest(session, question, options=options))
    (answer,) = [event for event in events if isinstance(event, Answer)]
    return answer


@pytest.mark.parametrize(
    ("question", "route"),
    [
        ("When was the lighthouse of Port Amber built?", "search"),
        ("What is the difference between the lighthouse and bread?", "comparison"),
        ("How often is Ida Holm mentioned?", "ledger"),
        ("What is this about?", "overview"),
        ("hello", "smalltalk"),
    ],
)
def test_no_road_leaves_the_scope(
    service: Service, session: Session, question: str, route: str
) -> None:
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    service.documents.add_file(session, "other.txt", OTHER.encode())
    service.documents.add_file(session, "bread.txt", b"Bread is baked of flour and water.")
    settled(service, session)
    ids = {one.label: one.id for one in service.documents.list(session)}
    scope = Scope(documents=frozenset({ids["other.txt"], ids["bread.txt"]}))
    answer = scoped(service, session, question, scope)
    assert answer.route == route
    assert (answer.scope, answer.asked_of) == (scope, (2, 3))
    named = {citation.label for citation in (*answer.citations, *answer.unused)}
    found = answer.search
    hits = (*found.hits, *found.dropped) if found else ()
    assert named | {hit.document.label for hit in hits} <= {"other.txt", "bread.txt"}
    assert "1874" not in answer.text
    assert "lighthouse.txt" not in answer.text
    if route != "smalltalk":
        assert hits or answer.citations
    whole = scoped(service, session, question, Scope())
    assert (whole.scope, whole.asked_of) == (Scope(), None)


def with_bread(service: Service, session: Session) -> dict[str, str]:
    """The ids of two documents by their labels, one of them about bread."""
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    service.documents.add_file(session, "bread.txt", b"Bread is baked of flour and water.")
    settled(service, session)
    return {one.label: one.id for one in service.documents.list(session)}


def test_what_a_refusal_searched_is_the_scope(service: Service, session: Session) -> None:
    ids = with_bread(service, session)
    bread = Scope(documents=frozenset({ids["bread.txt"]}))
    for question in ("When was the lighthouse built?", "What did Ida Holm build?"):
        refused = scoped(service, session, question, bread).abstention
        assert refused is not None
        assert (refused.searched_documents, refused.searched_chunks) == (1, 1)
    none = scoped(service, session, "When was the lighthouse built?", Scope(documents=frozenset()))
    assert none.abstention is not None
    assert none.abstention.searched_documents == 0
    assert [n.code for n in none.notices] == ["scope-empty"]
    assert none.asked_of == (0, 2)


def test_what_a_follow_up_looks_at_again_is_in_its_scope(
    service: Service, session: Session
) -> None:
    ids = with_bread(service, session)
    talk = service.conversations.create(session, "Port Amber").id
    asked(service, session, "When was the lighthouse of Port Amber built?", talk)
    options = QueryOptions(scope=Scope(documents=frozenset({ids["bread.txt"]})))
    request = AskRequest(session, "How far can it be seen?", talk, options=options)
    found = service.search(request)
    assert {hit.document.label for hit in (*found.hits, *found.dropped)} <= {"bread.txt"}


def test_what_another_document_says_of_nobody_by_name_does_not_answer_for_him(
    service: Service, session: Session
) -> None:
    harbour = "The harbour master of Linz is Ida Holm."
    contract = "You earn 650 crowns. You may work at home."
    for name, text in (("harbour.txt", harbour), ("contract.txt", contract)):
        service.documents.add_file(session, name, text.encode())
    settled(service, session)
    talk = service.conversations.create(session, "Harbour").id
    assert "Ida Holm" in asked(service, session, "Who is the harbour master of Linz?", talk).text
    refused = asked(service, session, "How much does she earn?", talk)
    assert refused.abstention is not None
    assert "650" in asked(service, session, "How much do you earn?", talk).text


def test_who_plans_a_search_is_told_of_the_documents_in_its_scope(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model that understands the question is given their titles."""
    told: list[set[str]] = []

    def planned(*args: Any) -> Generator[Step, None, QueryPlan]:
        told.append({document.label for document in args[-1]})
        return make_plan(*args)

    monkeypatch.setattr(core.pipeline, "make_plan", planned)
    ids = with_bread(service, session)
    for scope in (Scope(documents=frozenset({ids["bread.txt"]})), Scope()):
        options = QueryOptions(scope=scope)
        service.search(AskRequest(session, "How far can it be seen?", options=options))
    assert told == [{"bread.txt"}, {"bread.txt", "lighthouse.txt"}]


GOODS = "name,price_eur,stock\nDesk lamp,39.90,12\nFloor lamp,89.00,0\nOffice chair,249.00,3\n"


def test_what_a_table_holds_is_computed(service: Service, session: Session) -> None:
    service.documents.add_file(session, "goods.csv", GOODS.encode())
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    service.documents.add_file(session, "broken.pdf", b"%PDF-1.7 broken")
    settled(service, session)
    talk = service.conversations.create(session, "Goods").id

    cheapest = asked(service, session, "whats the cheapest lamp", talk)
    assert (cheapest.route, cheapest.abstention) == ("table", None)
    assert [citation.quote for citation in cheapest.citations] == [
        "name: Desk lamp | price_eur: 39.90 | stock: 12"
    ]
    assert any("broken.pdf" in notice.text for notice in cheapest.notices)
    assert asked(service, session, "which lamps are out of stock", talk).route == "table"
    chosen = ModelChoice("ollama", "is asked for nothing")
    by_model = service.ask(AskRequest(session, "whats the cheapest lamp", model=chosen))
    assert [one.route for one in by_model if isinstance(one, Answer)] == ["table"]
    other = asked(service, session, "When was the lighthouse of Port Amber built?", talk)
    assert "1874" in other.text
    scoped = AskRequest(session, "whats the cheapest lamp", options=QueryOptions(
        scope=Scope(documents=frozenset(one.document_id for one in other.citations))
    ))  # fmt: skip
    (answer,) = [one for one in service.ask(scoped) if isinstance(one, Answer)]
    assert answer.route != "table"


def test_what_the_sheets_of_a_workbook_hold_is_computed(
    service: Service, session: Session, tmp_path: Path
) -> None:
    import xlsxwriter

    book = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"))
    goods = [line.split(",") for line in GOODS.splitlines()]
    for name, rows in (("Goods", goods), ("Towns", [["Town", "People"], ["Graz", 300_000]])):
        sheet = book.add_worksheet(name)
        for at, row in enumerate(rows):
            for column, cell in enumerate(row):
                sheet.write(at, column, float(cell) if str(cell)[:1].isdigit() else cell)
    book.close()
    service.documents.add_file(session, "goods.xlsx", (tmp_path / "a.xlsx").read_bytes())
    settled(service, session)
    talk = service.conversations.create(session, "Goods").id

    cheapest = asked(service, session, "whats the cheapest lamp", talk)
    assert cheapest.route == "table"
    assert cheapest.text.startswith("The lowest “price_eur” of 2 rows of **goods.xlsx** (Goods) ")
    (citation,) = cheapest.citations
    assert (citation.quote, citation.headings) == (
        "name: Desk lamp | price_eur: 39.9 | stock: 12", ("Goods",),
    )  # fmt: skip
    then = asked(service, session, "how many of it are in stock", talk)
    assert [then.text[a:b] for a, b in then.highlights] == ["12"]


STAFF = "name,role,town\nAna Ruiz,engineer,Lisbon\nBen Okafor,keeper,Leeds\nEva Lind,keeper,Leeds\n"


def test_who_somebody_is_is_said_by_a_table_where_no_text_has_the_words(
    service: Service, session: Session
) -> None:
    service.documents.add_file(session, "staff.csv", STAFF.encode())
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    settled(service, session)
    talk = service.conversations.create(session, "Staff").id
    answer = asked(service, session, "who works in leeds?", talk)
    assert (answer.route, len(answer.citations)) == ("table", 2)
    assert asked(service, session, "how many people are in leeds", talk).route == "table"
    # A text speaks of a keeper too.
    service.documents.add_file(session, "diary.txt", b"The keeper of the tower was Joan Hill.")
    settled(service, session)
    assert asked(service, session, "who is the keeper", talk).route == "search"


def test_a_table_that_is_too_large_is_only_searched(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.documents.add_file(session, "goods.csv", GOODS.encode())
    settled(service, session)
    talk = service.conversations.create(session, "Goods").id
    monkeypatch.setattr(core.pipeline, "_LARGEST_TABLE", 0)
    assert asked(service, session, "whats the cheapest lamp", talk).route == "search"


def codes(answer: Answer) -> list[str]:
    return [notice.code for notice in answer.notices]


def test_a_document_in_the_scope_that_is_left_out_is_not_said_to_be_outside(
    service: Service, session: Session
) -> None:
    ids = with_bread(service, session)
    service.documents.set_searched(session, ids["bread.txt"], False)
    bread = Scope(documents=frozenset({ids["bread.txt"]}))
    answer = scoped(service, session, "What is bread baked of?", bread)
    assert answer.asked_of == (0, 1)
    assert codes(answer) == ["documents-left-out"]


def test_what_was_cited_is_told_in_any_scope(service: Service, session: Session) -> None:
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    settled(service, session)
    talk = service.conversations.create(session, "Port Amber").id
    asked(service, session, "When was the lighthouse of Port Amber built?", talk)
    options = QueryOptions(scope=Scope(documents=frozenset()))
    *_, answer = service.ask(AskRequest(session, "What did you just cite?", talk, options=options))
    assert isinstance(answer, Answer)
    assert answer.citations
    assert codes(answer) == ["from-the-conversation"]


@pytest.fixture(scope="module")
def written(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[..., Answer]]:
    """Ask a session with one document; a stand-in for a language model gives the reply."""
    with OllamaStandin() as standin:
        service = Service(settings_in(tmp_path_factory.mktemp("written"), ollama_url=standin.url))
        assert service.wait_ready(60)
        session = service.sessions.create(service.owners.for_token("somebody"), "Port Amber")
        service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
        settled(service, session)

        def asking(question: str, reply: Reply) -> Answer:
            standin.requests.clear()
            standin.queue(replace(reply, times=None))
            options = QueryOptions(level=Level.AS_TYPED)
            chosen = ModelChoice("ollama", "standin:latest")
            *_, answer = service.ask(AskRequest(session, question, options=options, model=chosen))
            assert isinstance(answer, Answer)
            return answer

        yield asking
        service.close()


@pytest.mark.parametrize(
    "question", ["Who eats the cheese of the moon?", "When was the lighthouse of Zorblax built?"]
)
def test_a_refusal_in_place_of_a_model_is_not_called_a_quote(
    written: Callable[..., Answer], question: str
) -> None:
    answer = written(question, Reply("status", status=400))
    assert answer.abstention is not None
    (failed,) = [n for n in answer.notices if n.code.startswith("model-failed:")]
    assert failed.text.endswith("So the sources were searched for quotes instead.")


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply("length", text="The lighthouse was built in 1874 [Source 1]."), "answer-cut"),
        (Reply("repeat", text="The lighthouse was built. " * 9), "repetition"),
        (Reply("error-in-stream", text="The lighthouse was built in 1874"), "interrupted"),
    ],
)
def test_what_ended_an_answer_is_said_once(
    written: Callable[..., Answer], monkeypatch: pytest.MonkeyPatch, reply: Reply, code: str
) -> None:
    """The time runs out while the sentences are checked, after something else ended the text."""
    ahead = 0.0
    check = core.answering.generative.answerer.judged_claims

    def slow(*given: Any) -> Any:
        nonlocal ahead
        ahead = 400.0
        return check(*given)

    class Clock:
        @staticmethod
        def monotonic() -> float:
            return time.monotonic() + ahead

    monkeypatch.setattr(core.answering.generative.answerer, "judged_claims", slow)
    monkeypatch.setattr(core.pipeline, "time", Clock)
    answer = written("When was the lighthouse of Port Amber built?", reply)
    assert not answer.complete
    ends = {"answer-cut", "repetition", "too-long", "interrupted", "stopped", "time-limit"}
    assert [one for one in codes(answer) if one in ends] == [code]
    assert answer.seconds > 300


def test_a_question_asked_again_with_a_question_mark_is_answered_as_before(
    service: Service, session: Session
) -> None:
    service.documents.add_file(session, "lighthouse.txt", LIGHTHOUSE.encode())
    settled(service, session)
    talk = service.conversations.create(session, "Port Amber").id
    first = asked(service, session, "who built the lighthouse of port amber", talk)
    again = asked(service, session, "Who built the lighthouse of Port Amber?", talk)
    assert again.text == first.text
