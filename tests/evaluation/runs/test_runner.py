"""Runs: asked to the end, stopped and resumed at the question, left by a process, judged."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.config import Settings
from core.errors import InvalidRequest, ModelFailed, NotFound
from core.evaluation.golden.sets import GoldenItem, GoldenSource
from core.evaluation.runs.exporting import (
    as_json,
    as_markdown,
    comparison_markdown,
    output_csv,
    summary_csv,
)
from core.evaluation.runs.presets import MATRIX, PUBLISHED, ours
from core.evaluation.runs.results import Mark, Run, RunSettings, RunState
from core.evaluation.service import Evaluations
from core.storage.stores import open_stores
from core.types import (
    Answer,
    AskRequest,
    Chunk,
    DocumentKind,
    Event,
    LoadedDocument,
    Message,
    Page,
    QueryOptions,
    Session,
    Step,
)
from tests.conftest import eventually
from tests.evaluation.made import answer, refusal
from tests.standins.ollama import OllamaStandin
from tests.standins.providers import settings_for
from tests.standins.scripts import Reply

QUICK = RunSettings(bertscore=False)


class Answers:
    """An asker that answers from a dictionary and waits at a gate where a test wants it to."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.options: list[QueryOptions] = []
        self.histories: list[list[str]] = []
        self.gate = threading.Event()
        self.gate.set()
        self.failing: set[str] = set()
        self.refusing: set[str] = set()

    def ask(self, request: AskRequest) -> Iterator[Event]:
        question = request.question
        self.asked.append(question)
        self.options.append(request.options)
        self.histories.append([message.text for message in request.history])
        yield Step("understood")
        while not self.gate.wait(0.01) and not request.cancelled():
            pass
        if question in self.failing:
            raise ModelFailed("The model failed.", "Try again.")
        yield refusal() if question in self.refusing else answer()


@pytest.fixture
def asker() -> Answers:
    return Answers()


@pytest.fixture
def evaluations(settings: Settings, asker: Answers) -> Iterator[Evaluations]:
    stores = open_stores(settings)
    stores._embedder = Embedding()
    made = Evaluations(stores, asker)
    yield made
    asker.gate.set()
    made.close()
    stores.close()


class Embedding:
    def embed(self, texts: Sequence[str], **_: Any) -> np.ndarray:
        return np.eye(64, dtype=np.float32)[[hash(text) % 64 for text in texts]]


TEXT = (
    "Tesla was born in Smiljan in 1856 as a son. Later he moved to New York and met Edison there."
)


@pytest.fixture
def session(evaluations: Evaluations) -> Session:
    catalogue = evaluations.catalogue
    session = catalogue.sessions.create(catalogue.owners.create("hash"), "Test")
    document = catalogue.documents.add(session.id, "d1", "tesla.pdf", size=10)
    loaded = LoadedDocument(DocumentKind.PDF, (Page(0, TEXT, 1),), title="Tesla")
    chunks = [Chunk("d1:0", "d1", 0, 0, 1, 0, len(TEXT), TEXT)]
    catalogue.content.save(session.id, document.id, loaded, chunks)
    catalogue.documents.mark_ready(session.id, document.id, seconds=1)
    return session


def items(count: int = 3) -> list[GoldenItem]:
    source = GoldenSource("Tesla.pdf", 1)
    return [
        GoldenItem(str(at), f"Question {at}?", ("New York",), sources=(source,), tags=("simple",))
        for at in range(count)
    ]


def begun(
    evaluations: Evaluations, session: Session, count: int = 3, settings: RunSettings = QUICK
) -> Run:
    golden = evaluations.save_set(session, "Tesla", items(count))
    return evaluations.start_run(session, golden.id, settings)


def reached(
    evaluations: Evaluations, session: Session, run: Run, state: RunState, seconds: float = 60
) -> Run:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        now = evaluations.run(session, run.id)
        if now.state is state:
            return now
        time.sleep(0.02)
    raise AssertionError(f"{now.state} {now.reason} {now.done} of {now.total}")


def asked(evaluations: Evaluations, session: Session, run: Run, done: int) -> None:
    end = time.monotonic() + 60
    while evaluations.run(session, run.id).done < done and time.monotonic() < end:
        time.sleep(0.02)
    assert evaluations.run(session, run.id).done == done


def test_a_run_is_asked_to_its_end(
    evaluations: Evaluations, session: Session, asker: Answers
) -> None:
    run = reached(evaluations, session, begun(evaluations, session), RunState.DONE)
    assert asker.asked == ["Question 0?", "Question 1?", "Question 2?"]
    assert (run.done, run.total, run.summary["contains"], run.summary["cited_page"]) == (3, 3, 1, 1)
    assert run.made_with["Library"].startswith("1 documents, 1 passages")
    assert run.finished_at is not None
    whole = evaluations.result(session, run.id, 1)
    assert whole is not None
    assert whole.answer is not None
    assert whole.answer.search is None
    assert (whole.right, whole.hits[0].right) == ((True,), True)
    assert evaluations.results(session, run.id)[0].answer is None
    assert evaluations.result(session, run.id, 99) is None


def test_a_run_is_stopped_and_goes_on_where_it_stopped(
    evaluations: Evaluations, session: Session, asker: Answers
) -> None:
    asker.gate.clear()
    run = begun(evaluations, session, 4)
    reached(evaluations, session, run, RunState.RUNNING)
    evaluations.stop_run(session, run.id)
    stopped = evaluations.run(session, run.id)
    assert (stopped.state, stopped.done) == (RunState.STOPPED, 0)
    asker.gate.set()
    evaluations.resume_run(session, run.id)
    done = reached(evaluations, session, run, RunState.DONE)
    assert done.done == 4
    assert len(evaluations.results(session, run.id)) == 4


def test_a_run_that_another_process_stops_ends_at_its_question(
    evaluations: Evaluations, session: Session, asker: Answers
) -> None:
    asker.gate.clear()
    run = begun(evaluations, session, 4)
    reached(evaluations, session, run, RunState.RUNNING)
    assert eventually(lambda: len(asker.asked) == 1)
    assert evaluations.catalogue.runs.change(run.id, ["running"], state="stopped")
    asker.gate.set()
    asked(evaluations, session, run, 1)
    evaluations.close()
    assert evaluations.run(session, run.id).state is RunState.STOPPED
    assert len(asker.asked) == 1


def test_a_run_of_a_process_that_ended_can_be_resumed(
    evaluations: Evaluations, session: Session, asker: Answers
) -> None:
    asker.gate.clear()
    run = begun(evaluations, session, 2)
    reached(evaluations, session, run, RunState.RUNNING)
    evaluations.close()
    asker.gate.set()
    later = Evaluations(evaluations.stores, asker)
    assert later.run(session, run.id).state is RunState.INTERRUPTED
    later.resume_run(session, run.id)
    assert reached(later, session, run, RunState.DONE).done == 2
    later.close()


def test_one_failure_is_noted_and_many_in_a_row_stop_the_run(
    evaluations: Evaluations, session: Session, asker: Answers
) -> None:
    asker.failing = {"Question 1?"}
    run = reached(evaluations, session, begun(evaluations, session), RunState.DONE)
    assert run.summary["errors"] == 1.0
    assert evaluations.results(session, run.id)[1].error == "The model failed. Try again."
    asker.failing = {f"Question {at}?" for at in range(1, 30)}
    run = reached(evaluations, session, begun(evaluations, session, 30), RunState.FAILED)
    assert (run.done, run.reason) == (1, "The model failed. Try again.")
    asker.failing = set()
    evaluations.resume_run(session, run.id)
    assert reached(evaluations, session, run, RunState.DONE).done == 30


def test_follow_ups_are_asked_with_what_they_follow(
    evaluations: Evaluations, session: Session, asker: Answers
) -> None:
    item = replace(items(1)[0], follows=("Who was Tesla?",))
    golden = evaluations.save_set(session, "Set", [item])
    settings = replace(QUICK, preset="documents")
    run = evaluations.start_run(session, golden.id, settings)
    reached(evaluations, session, run, RunState.DONE)
    assert asker.histories == [["Who was Tesla?"]]
    options = asker.options[0]
    assert options.search is not None
    assert (options.search.mode, options.preset) == ("dense", "documents")


def test_documents_that_a_session_does_not_have_are_said(
    evaluations: Evaluations, session: Session
) -> None:
    item = replace(items(1)[0], sources=(GoldenSource("Edison.pdf", 1),))
    run = evaluations.start_run(session, evaluations.save_set(session, "Set", [item]).id, QUICK)
    assert list(run.notes) == ["Named, but not in this session (1): Edison.pdf."]
    reached(evaluations, session, run, RunState.DONE)


def test_a_run_that_could_only_fail_is_refused(evaluations: Evaluations, session: Session) -> None:
    golden = evaluations.save_set(session, "Set", items(1))
    with pytest.raises(InvalidRequest, match="language model"):
        evaluations.start_matrix(session, golden.id, [MATRIX["Plain model"]], QUICK)
    with pytest.raises(InvalidRequest, match="live web"):
        evaluations.start_matrix(session, golden.id, [MATRIX["Web"]], QUICK)
    empty = evaluations.catalogue.sessions.create(session.owner_id, "Empty")
    there = evaluations.save_set(empty, "Set", items(1))
    with pytest.raises(InvalidRequest, match="No document"):
        evaluations.start_run(empty, there.id, QUICK)
    assert evaluations.runs(session) == []


def test_a_matrix_is_one_run_a_column(evaluations: Evaluations, session: Session) -> None:
    golden = evaluations.save_set(session, "Set", items(2))
    columns = [MATRIX["Documents"], MATRIX["Preset live-web"]]
    runs = evaluations.start_matrix(session, golden.id, columns, QUICK, limit=1)
    assert [run.name for run in runs] == ["Set · Documents", "Set · Preset live-web"]
    for run in runs:
        assert reached(evaluations, session, run, RunState.DONE).total == 1


def test_plain_model_and_judge_over_ollama(settings: Settings, asker: Answers) -> None:
    with OllamaStandin() as ollama:
        graded = {
            "reason": "It says so.", "states_expected_answer": True,
            "contradicts_expected_answer": False, "grade": "correct",
        }  # fmt: skip
        ollama.queue(
            Reply(text="New York, I believe."),
            Reply(text=json.dumps(graded)),
            Reply(text="What a good answer!"),
        )
        url, prices = settings_for(ollama).ollama_url, f"{ollama.usual_model}=2/8"
        ours_settings = settings.model_copy(update={"ollama_url": url, "model_prices": prices})
        stores = open_stores(ours_settings)
        catalogue = stores.catalogue
        evaluations = Evaluations(stores, asker)
        session = catalogue.sessions.create(catalogue.owners.create("hash"), "Test")
        golden = evaluations.save_set(session, "Set", items(1))
        model = {"provider": "ollama", "model": ollama.usual_model}
        judge = {"judge_provider": "ollama", "judge_model": ollama.usual_model}
        run = evaluations.start_run(
            session, golden.id, replace(QUICK, way="plain", **model, **judge)
        )
        done = reached(evaluations, session, run, RunState.DONE)
        whole = evaluations.result(session, run.id, 0)
        assert whole is not None
        assert whole.answer is not None
        assert whole.answer.text == "New York, I believe."
        assert whole.judgement is not None
        assert (whole.judgement.grade, whole.judgement.relevance) == ("correct", None)
        assert (done.summary["correct"], done.summary["not_graded"]) == (1.0, 0.0)
        assert "relevance" not in done.summary
        assert done.summary["tokens_prompt"] > 0
        assert [(one.stage, one.requests) for one in whole.answer.spent] == [("answering", 1)]
        assert done.summary["calls"] == 1.0
        assert done.summary["dollars"] > 0
        evaluations.close()
        stores.close()


def test_two_runs_are_compared(evaluations: Evaluations, session: Session, asker: Answers) -> None:
    first = reached(evaluations, session, begun(evaluations, session), RunState.DONE)
    asker.refusing = {"Question 1?"}
    second = reached(evaluations, session, begun(evaluations, session), RunState.DONE)
    found = evaluations.compare(session, first.id, second.id)
    assert (found.shared, found.differences["contains"].mean) == (3, pytest.approx(-1 / 3))
    assert [(one.question, one.won) for one in found.changed] == [("Question 1?", False)]
    text = comparison_markdown(first, second, found)
    assert "lost (Contains): Question 1?" in text


def test_exports(evaluations: Evaluations, session: Session) -> None:
    golden = evaluations.save_set(
        session, "=Set", [replace(items(1)[0], question="=1+1?"), *items(2)[1:]]
    )
    run = evaluations.start_run(session, golden.id, QUICK)
    run = reached(evaluations, session, run, RunState.DONE)
    whole = evaluations.whole_results(session, run.id)
    table = output_csv(whole)
    assert table.splitlines()[1].startswith("0,'=1+1?,New York,True,simple,He moved to")
    assert summary_csv(whole).splitlines()[1].startswith("all,2")
    data = json.loads(as_json(run, whole))
    assert data["results"][0]["answer"]["citations"][0]["label"] == "d1.pdf"
    report = as_markdown(run, whole)
    assert "| Contains | 1.000 | 1.000 |" in report
    assert "needs the live web" in report


def test_published_figures_stand_beside_ours() -> None:
    summary = {"flag_tokens": 0.2, "correct": 0.5}
    found = {one.about: ours(one, summary, "documents") for one in PUBLISHED}
    assert found["Free of hallucination"] == pytest.approx(0.8)
    assert found["Answer correctness"] == 0.5
    assert found["SimpleQA accuracy, web"] is None


def test_marks_need_a_name_and_a_run_of_the_session(
    evaluations: Evaluations, session: Session
) -> None:
    run = reached(evaluations, session, begun(evaluations, session, 1), RunState.DONE)
    evaluations.set_mark(session, run.id, Mark(0, "ida", {"clarity": 4}, "fine"))
    assert evaluations.marks(session, run.id) == [Mark(0, "ida", {"clarity": 4}, "fine")]
    with pytest.raises(InvalidRequest, match="name"):
        evaluations.set_mark(session, run.id, Mark(0, " ", {"clarity": 4}))
    other = evaluations.catalogue.sessions.create(session.owner_id, "Other")
    with pytest.raises(NotFound):
        evaluations.marks(other, run.id)


def test_a_golden_set_is_made_by_rule_and_kept(evaluations: Evaluations, session: Session) -> None:
    making = evaluations.generate(session, "By rule", 5)
    assert making.wait(10)
    assert (making.progress().kept, making.progress().problem) == (1, "")
    [golden] = evaluations.sets(session)
    [item] = evaluations.items(session, golden.id)
    assert (golden.name, item.origin, item.answers) == ("By rule", "rule: cloze", ("1856",))
    empty = evaluations.catalogue.sessions.create(session.owner_id, "Empty")
    with pytest.raises(InvalidRequest, match="nothing to ask"):
        evaluations.generate(empty, "x", 1)


def test_thumbs_become_golden_items(evaluations: Evaluations, session: Session) -> None:
    catalogue = evaluations.catalogue
    conversation = catalogue.conversations.create(session.id, "Talk")

    def say(said: Answer) -> Message:
        return catalogue.conversations.add_message(
            session.id, conversation.id, "assistant", said.text, said
        )

    good, bad, refused = say(answer()), say(answer()), say(refusal())
    evaluations.thumbs.give(session, good, "Where did he move?", True)
    evaluations.thumbs.give(session, bad, "When?", False, "  The year is wrong. ")
    evaluations.thumbs.give(session, refused, "Who paid?", True)
    first, second, third = evaluations.thumbs.golden_items(session)
    assert first.answers == ("He moved to New York in 1884.",)
    assert (first.sources[0].document, first.sources[0].page) == ("d1.pdf", 1)
    assert (second.answers, second.context, second.tags[1]) == (
        (), "The year is wrong.", "thumbs down",
    )  # fmt: skip
    assert third.answerable is False
    found = evaluations.thumbs.of(session, bad.id)
    assert found is not None
    assert (found.up, found.reason) == (False, "The year is wrong.")
    assert evaluations.thumbs.of(session, 999) is None


TALK = (
    '{"conversation": "A", "turn": %d, "library": ["tesla.pdf"], "question": "Question %d?", '
    '"kind": "fact", "answerable": true, "follows": false, "ideal": [{"quote": "New York"}]}'
)


def test_conversations_are_asked_and_go_with_their_document(
    evaluations: Evaluations, session: Session, asker: Answers
) -> None:
    asker.gate.set()
    data = "\n".join(TALK % (at, at) for at in (1, 2)).encode()
    talking = evaluations.start_talks(session, "mine.jsonl", data, QueryOptions())
    assert talking.wait(30)
    assert len(talking.progress().replies) == 2
    assert evaluations.talking(session) is talking
    [document] = evaluations.catalogue.documents.library(session.id)
    evaluations.erase(document)
    assert evaluations.talking(session) is None


def test_one_file_of_conversations_at_a_time(
    evaluations: Evaluations, session: Session, asker: Answers
) -> None:
    asker.gate.clear()
    data = (TALK % (1, 1)).encode()
    talking = evaluations.start_talks(session, "mine.jsonl", data, QueryOptions())
    assert evaluations.start_talks(session, "other.jsonl", data, QueryOptions()) is talking
    asker.gate.set()
    assert talking.wait(30)
