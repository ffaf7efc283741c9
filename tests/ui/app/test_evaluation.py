"""The Evaluation page over the real program: sets, runs, results, comparison, marks."""

from __future__ import annotations

import json
import re
import time
from zoneinfo import ZoneInfo

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

import core.service
from core.evaluation.golden.sets import GoldenItem, GoldenSource
from core.evaluation.measures.talks import MEASURES
from core.evaluation.runs.exporting import as_markdown
from core.evaluation.runs.results import Mark, Run, RunSettings, RunState
from core.service import Service
from core.types import Role, Session
from tests.conftest import settled
from tests.ui.app.pages import button, open_tab

PAGE = "pages/4_Evaluation.py"
TEXT = "Tesla was born in Smiljan in 1856 as the son of a priest. Later he moved to New York."


@pytest.fixture
def session(service: Service, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session with one document, of the browser that `open_tab` opens pages in."""
    monkeypatch.setattr(core.service, "default_service", lambda: service)
    session = service.sessions.create(service.owners.for_token("somebody"), "Test")
    service.documents.add_file(session, "tesla.txt", TEXT.encode())
    settled(service, session)
    return session


def items(count: int) -> list[GoldenItem]:
    source = GoldenSource("tesla.txt", quote=TEXT)
    return [
        GoldenItem(str(at), f"Where was Tesla born, {at}?", ("Smiljan",), sources=(source,),
                   tags=("simple" if at % 2 else "advanced",))
        for at in range(count)
    ]  # fmt: skip


def tab_of(tab: AppTest, name: str, key: str = "evaluation-tab") -> AppTest:
    """Open one of the tabs."""
    tab.session_state[key] = name
    return tab.run()


def done(service: Service, session: Session, count: int = 2, **changes: object) -> Run:
    golden = service.evaluations.save_set(session, "Tesla", items(count))
    settings = RunSettings(bertscore=False, **changes)
    run = service.evaluations.start_run(session, golden.id, settings)
    end = time.monotonic() + 60
    while service.evaluations.run(session, run.id).state is not RunState.DONE:
        assert time.monotonic() < end
        time.sleep(0.05)
    return service.evaluations.run(session, run.id)


def words(tab: AppTest) -> str:
    drawn = [*tab.caption, *tab.markdown, *tab.text, *tab.warning, *tab.error]
    return "\n".join(str(element.value) for element in drawn).replace("\\", "")


def test_a_provider_without_a_model_neither_answers_nor_judges(
    service: Service, session: Session
) -> None:
    service.evaluations.save_set(session, "Tesla", items(1))
    service.sessions.set_preferences(session, {"model": {"provider": "ollama", "model": ""}})
    tab = tab_of(open_tab(PAGE), "Run")
    assert "Plain model" in words(tab)  # among what is not available
    assert "run-judge" not in [toggle.key for toggle in tab.toggle]
    service.sessions.set_preferences(session, {"model": {"provider": "ollama", "model": "big"}})
    tab.run()
    assert "Plain model" not in words(tab)
    assert "run-judge" in [toggle.key for toggle in tab.toggle]


def test_a_set_is_uploaded_filtered_and_deleted(service: Service, session: Session) -> None:
    tab = open_tab(PAGE)
    assert not tab.exception
    assert "No question set yet." in words(tab)
    table = "question,answer,document,tags\nWho?,Ada,gone.pdf,simple\nWhere?,Graz,tesla.txt,hard\n"
    tab.file_uploader[0].upload("mine.csv", table.encode())
    tab.run()
    assert not tab.exception
    assert "This set names 1 document that this session does not have" in words(tab)
    [golden] = service.evaluations.sets(session)
    assert (golden.name, golden.questions) == ("mine.csv", 2)
    tab.text_input(key="set-filter").set_value("hard").run()
    assert not tab.exception
    button(tab, "Delete this set").click().run()
    assert service.evaluations.sets(session) == []


def test_operations_have_times_and_three_ways_to_see_quality(
    service: Service, session: Session
) -> None:
    tab = tab_of(open_tab(PAGE), "Operations")
    assert not tab.exception
    assert "Start a run to measure searches and answers." in words(tab)
    operations = tab.dataframe[0].value.set_index("Operation")
    assert list(operations["Tried"]) == [1, 0, 1, 0, 0]
    assert operations.loc["Upload", "Worst seconds"] > 0
    run = done(service, session)
    service.evaluations.set_mark(session, run.id, Mark(0, "ida", {"source matching": 4}))
    tab = tab_of(open_tab(PAGE), "Operations")
    assert not tab.exception
    assert list(tab.dataframe[0].value["Succeeded"]) == [1, 0, 1, 2, 2]
    quality = tab.dataframe[1].value.set_index("Quality")
    assert quality.loc["Correctness", "By code"] == 1.0
    assert quality.loc["Source matching", "By people"] == 0.75
    assert "MB of memory at most" in words(tab)
    service.evaluations.set_mark(session, run.id, Mark(0, "ida", {"source matching": 5}))
    again = tab.run().dataframe[1].value.set_index("Quality")
    assert again.loc["Source matching", "By people"] == 1.0


def test_the_judges_grades_are_counted_over_the_runs_of_a_set(
    service: Service, session: Session
) -> None:
    done(service, session)
    tab = tab_of(tab_of(open_tab(PAGE), "Results"), "Plots", "results-tab")
    assert not tab.exception
    assert "Grades by the judge" not in words(tab)  # there was none
    done(service, session, judge_provider="openai", judge_model="away")
    tab = tab_of(tab_of(open_tab(PAGE), "Results"), "Plots", "results-tab")
    assert not tab.exception
    assert "Grades by the judge" in words(tab)
    (row,) = tab.dataframe[0].value.to_dict("records")
    assert (row["Correct"], row["Not graded"]) == (0, 2)


def test_a_bad_set_is_refused_in_words(service: Service, session: Session) -> None:
    tab = open_tab(PAGE)
    tab.file_uploader[0].upload("mine.csv", b"title\nx\n")
    tab.run()
    assert "no column named question" in words(tab)
    assert not tab.exception


def test_a_set_is_made_by_rule(service: Service, session: Session) -> None:
    tab = open_tab(PAGE)
    button(tab, "Generate").click().run()
    making = service.evaluations.making(session)
    assert making is not None
    assert making.wait(30)
    tab.run()
    assert not tab.exception
    assert service.evaluations.sets(session)[0].name == "Generated"


def test_conversations_are_asked_and_measured(service: Service, session: Session) -> None:
    tab = tab_of(open_tab(PAGE), "Conversations")
    assert "No conversation was asked yet." in words(tab)
    turn = {
        "conversation": "A", "turn": 1, "question": "Where was Tesla born?", "kind": "place",
        "answerable": True, "follows": False, "ideal": [{"quote": "Tesla was born in Smiljan"}],
        "answer_span": "Smiljan",
    }  # fmt: skip
    lines = [json.dumps({**turn, "library": [name]}) for name in ("tesla.txt", "gone.txt")]
    lines[1] = lines[1].replace('"A"', '"B"')
    tab.file_uploader[0].upload("talks.jsonl", "\n".join(lines).encode())
    tab.run()
    assert not tab.exception
    talking = service.evaluations.talking(session)
    assert talking is not None
    assert talking.wait(60)
    tab.run()
    assert not tab.exception
    assert "talks.jsonl · 1 conversation · 1 of 1 questions" in words(tab)
    assert "were left out: gone.txt" in words(tab)
    measured, asked = (frame.value for frame in tab.dataframe)
    assert set(measured["Measure"]) == set(MEASURES)
    assert "Smiljan" in asked["Answer"][0]


def test_ready_answers_are_measured(service: Service, session: Session) -> None:
    tab = tab_of(open_tab(PAGE), "Ready answers")
    table = (
        "question,retrieved_chunks,llm_answer,expected_answer\n"
        "When?,Completed in 1889.,In 1889 [1],1889\nWhere?,In Paris.,Warsaw,Paris\n"
    )
    tab.file_uploader[0].upload("ready.csv", table.encode())
    tab.run()
    assert not tab.exception
    assert "ready.csv · 2 answers" in words(tab)
    means, rows = (frame.value for frame in tab.dataframe)
    assert dict(zip(means["Measure"], means["Mean"], strict=True))["flag_tokens"] == "0.500"
    assert list(rows["Answer"]) == ["Warsaw", "In 1889 [1]"]


def test_a_table_that_holds_no_answers_is_refused_in_words(
    service: Service, session: Session
) -> None:
    tab = tab_of(open_tab(PAGE), "Ready answers")
    tab.file_uploader[0].upload("ready.csv", b"question\nWho?\n")
    tab.run()
    assert not tab.exception
    assert "no column named retrieved_chunks" in words(tab)


def test_a_file_that_holds_no_conversations_is_refused_in_words(
    service: Service, session: Session
) -> None:
    tab = tab_of(open_tab(PAGE), "Conversations")
    tab.file_uploader[0].upload("talks.jsonl", b'{"question": "Who?"}')
    tab.run()
    assert "Line 1 is not a turn of a conversation." in words(tab)
    assert not tab.exception


def test_a_run_is_started_followed_and_looked_at(service: Service, session: Session) -> None:
    service.evaluations.save_set(session, "Tesla", items(2))
    tab = tab_of(open_tab(PAGE), "Run")
    assert not tab.exception
    assert "Not available without a language model or the live web" in words(tab)
    assert "Standard effort, Thorough effort, Deep effort" in words(tab)
    tab.toggle(key="run-bertscore").set_value(False)
    button(tab, "Start").click().run()
    [run] = service.evaluations.runs(session)
    end = time.monotonic() + 60
    while service.evaluations.run(session, run.id).state is not RunState.DONE:
        assert time.monotonic() < end
        time.sleep(0.05)
    tab.run()
    assert "Done · Tesla · Documents" in words(tab)
    assert "Quick effort" in words(tab)
    tab = tab_of(tab, "Results")
    assert not tab.exception
    assert {metric.label for metric in tab.metric} >= {"Contains", "Right document cited"}
    for name in ("Plots", "Questions", "Ratings by people"):
        tab = tab_of(tab, name, "results-tab")
        assert not tab.exception, name
    tab = tab_of(tab, "Questions", "results-tab")
    assert "Expected" in words(tab)
    tab.text_input(key="rater").set_value("Ida").run()
    button(tab, "Save the rating").click().run()
    assert [mark.rater for mark in service.evaluations.marks(session, run.id)] == ["Ida"]
    button_labels = [b.label for b in tab.button]
    assert "Save the rating" in button_labels


def test_the_page_opens_with_a_verdict_and_the_time_of_the_browser(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = done(service, session)
    said = set()
    for zone in ("UTC", "Pacific/Kiritimati"):
        monkeypatch.setattr(ContextProxy, "timezone", zone)
        tab = open_tab(PAGE)
        verdict = "**2 of 2 answers hold what was expected\\.**"
        assert tab.markdown[0].value == verdict
        moment = f"{run.created_at.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M}"
        tab = tab_of(tab, "Results")
        assert tab.markdown[0].value == verdict
        assert words(tab).count("answers hold what was expected") == 1, "once is enough"
        for name in ("Question sets", "Run", "Results"):
            drawn = f"{words(tab_of(tab, name))}{tab.selectbox and tab.selectbox[0].options}"
            assert "UTC" not in drawn
            said.update(re.findall(r"\d{4}-\d\d-\d\d \d\d:\d\d", drawn))
            assert name == "Question sets" or moment in drawn
        report = as_markdown(run, service.evaluations.results(session, run.id), ZoneInfo(zone))
        assert f"- When: {moment} " in report
    assert len(said) >= 2


def test_two_runs_are_compared(service: Service, session: Session) -> None:
    first, second = done(service, session), done(service, session, preset="documents")
    service.evaluations.set_mark(session, second.id, Mark(0, "Ida", {"correctness": 5}, "good"))
    tab = tab_of(open_tab(PAGE), "Compare")
    assert not tab.exception
    assert "2 questions in both, 0 in A alone" in words(tab)
    assert tab.selectbox(key="compare-a").value == first.id
    tab = tab_of(tab, "Results")
    tab = tab_of(tab, "Ratings by people", "results-tab")
    assert "1 rating by Ida." in words(tab)


def test_a_run_is_deleted(service: Service, session: Session) -> None:
    run = done(service, session)
    tab = tab_of(open_tab(PAGE), "Run")
    tab.button(key=f"Delete-{run.id}").click().run()
    assert service.evaluations.runs(session) == []
    assert "No run has results yet." in words(tab_of(tab, "Results"))


def test_ten_thousand_questions_stay_usable(service: Service, session: Session) -> None:
    many = items(10_000)
    evaluations = service.evaluations
    evaluations.save_set(session, "Large", many)
    run = evaluations.add_run(session, "Large", ("Large", many), RunSettings(bertscore=False))
    row = '{"measures": {"contains": 1.0, "f1": 0.5, "seconds": 0.1}, "error": ""}'
    with service.catalogue.database.writing() as connection:
        connection.exec_driver_sql("UPDATE evaluation_results SET measures = ?", (row,))
        connection.exec_driver_sql("UPDATE evaluation_runs SET state = 'done', done = 10000")
    tab = open_tab(PAGE)
    for name in ("Question sets", "Run", "Results"):
        began = time.process_time()
        tab = tab_of(tab, name)
        assert not tab.exception
        assert time.process_time() - began < 12, name
    assert evaluations.run(session, run.id).total == 10_000


def test_another_person_sees_nothing_of_it(service: Service, session: Session) -> None:
    done(service, session)
    tab = tab_of(open_tab(PAGE, token="stranger"), "Results")
    assert "No run has results yet." in words(tab)


def test_a_reader_sees_results_and_changes_nothing(service: Service, session: Session) -> None:
    done(service, session)
    nils = service.owners.for_token("nils")
    service.catalogue.owners.sign_in(nils, "Nils", "nils@example.org")
    service.catalogue.sharing.set_member(session.id, "nils@example.org", Role.READER)
    assert service.catalogue.sharing.accept(nils, session.id)
    tab = open_tab(PAGE, token="nils", session=session.id)
    assert not tab.exception
    assert not tab.file_uploader
    shown = {b.label for b in tab.button}
    for name in ("Run", "Results", "Compare"):
        tab_of(tab, name)
        assert not tab.exception
        shown |= {b.label for b in tab.button}
    for inner in ("Measures", "Plots", "Questions", "Ratings by people"):
        tab.session_state["evaluation-tab"] = "Results"
        tab_of(tab, inner, "results-tab")
        assert not tab.exception
        shown |= {b.label for b in tab.button}
    changing = {
        "Generate",
        "Start",
        "Stop",
        "Resume",
        "Delete",
        "Delete this set",
        "Save the rating",
    }
    assert not shown & changing
    assert "output.csv" in str([d.proto.label for d in tab.get("download_button")])
