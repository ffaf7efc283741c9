"""The Documents page: adding, rows, conflicts, preview, thousands of rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import DamagedFile, PasswordProtected
from core.types import CollectKind, CollectRequest, CollectState, DocumentState
from core.ui.documents import table
from core.ui.documents.rows import View
from core.ui.shell.context import PageContext
from tests.ui.app.fake_service import FakeService, a_document
from tests.ui.app.pages import button, open_tab, session_of, sheets, unfold

PAGE = "pages/1_Documents.py"


def rows(tab: AppTest) -> list[dict[str, object]]:
    return [row for sheet in sheets(tab) for row in sheet["rows"]]


def test_files_are_added_and_the_box_is_emptied(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    assert tab.caption[-1].value == "No documents yet."
    uploader = tab.file_uploader[0]
    for name, content in (("a.pdf", b"%PDF"), ("b.md", b"# b"), ("empty.txt", b"")):
        uploader.upload(name, content)
    tab.run()
    assert fake.added == ["a.pdf", "b.md", "empty.txt"]
    assert [row["label"] for row in rows(tab)] == ["a.pdf", "b.md"]
    said = " ".join(element.value for element in tab.markdown)
    assert "2 documents added." in said
    assert "The file is empty" in said
    tab.run()
    assert fake.added == ["a.pdf", "b.md", "empty.txt"]


@pytest.mark.parametrize(
    ("choice", "labels"),
    [
        ("Replace it", ["q1.pdf"]),
        ("Keep both", ["q1.pdf", "q1.pdf (2)"]),
        ("Skip the new file", ["q1.pdf"]),
    ],
)
def test_the_same_name_with_other_content_is_asked_about(
    fake: FakeService, choice: str, labels: list[str]
) -> None:
    tab = open_tab(PAGE)
    tab.file_uploader[0].upload("q1.pdf", b"first")
    tab.run()
    tab.file_uploader[0].upload("q1.pdf", b"second")
    tab.run()
    choices = [b.label for b in tab.button if b.key and b.key[0] in "rkl"]
    assert choices[:2] == ["Replace it", "Keep both"]
    before = fake.documents.list(session_of(fake))[0].id
    button(tab, choice).click().run()
    documents = fake.documents.list(session_of(fake))
    assert [document.label for document in documents] == labels
    assert (documents[0].id == before) is (choice != "Replace it")
    assert "Keep both" not in [b.label for b in tab.button]


def test_documents_that_cannot_be_read_are_not_counted_as_added(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    for name in ("a.pdf", "b.pdf", "c.pdf"):
        tab.file_uploader[0].upload(name, name.encode())
    tab.run()
    session = session_of(fake)
    broken = fake.documents.list(session)[0]
    fake.put(session, replace(broken, state=DocumentState.FAILED, reason="It is broken."))
    tab.run()
    said = " ".join(element.value for element in tab.markdown)
    assert "2 documents added." in said
    assert "1 document failed" in said


def test_addresses_are_added_one_a_line(fake: FakeService) -> None:
    tab = unfold(open_tab(PAGE), "web-pages")
    tab.text_area[0].set_value("https://example.org/a\n\nexample.org/b\nnot a url")
    button(tab, "Add").click().run()
    assert [row["label"] for row in rows(tab)] == [
        "https://example.org/a",
        "https://example.org/b",
    ]
    said = [element.value for element in tab.markdown]
    assert sum("Only http and https" in text for text in said) == 1
    assert any("**not a url**" in text for text in said)
    assert tab.text_area[0].value == ""


def test_a_failure_shows_reason_cure_and_retry(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    session = session_of(fake)
    failed = replace(
        a_document("d", session.id, "scan.pdf"),
        state=DocumentState.FAILED,
        reason="There is no text in it.",
        cure="Turn OCR on.",
    )
    fake.put(session, failed)
    tab.run()
    row = rows(tab)[0]
    assert (row["words"], row["reason"], row["cure"]) == (
        "Failed",
        "There is no text in it.",
        "Turn OCR on.",
    )
    assert row["retry"] is True
    button(tab, "Retry 1 failed").click().run()
    assert fake.documents.get(session, "d").state is not DocumentState.FAILED


def test_what_another_try_cannot_read_is_said_so_and_not_tried(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    session = session_of(fake)
    failed = replace(
        a_document("d", session.id, "a.pdf"), state=DocumentState.FAILED, cure=DamagedFile.cure
    )
    fake.put(session, failed)
    tab.run()
    assert rows(tab)[0]["retry"] is False
    assert not [b for b in tab.button if b.label.startswith("Retry")]
    assert any("Another try cannot read 1 file" in said.value for said in tab.caption)
    fake.put(session, replace(failed, url="https://example.org/a.pdf"))
    tab.run()
    assert rows(tab)[0]["retry"] is True


def test_a_batch_is_stopped_and_resumed(fake: FakeService) -> None:
    fake.pace = 0.01  # a document needs five looks
    tab = open_tab(PAGE)
    tab.file_uploader[0].upload("a.pdf", b"a")
    tab.run()
    button(tab, "Stop").click().run()
    assert fake.documents.list(session_of(fake))[0].state is DocumentState.STOPPED
    button(tab, "Resume").click().run()
    for _ in range(5):
        tab.run()
    assert rows(tab)[0]["words"] == "Ready"


def test_two_thousand_rows_stay_usable(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    session = session_of(fake)
    for number in range(2_000):
        document = a_document(f"d{number}", session.id, f"file-{number}.pdf")
        state = DocumentState.FAILED if number == 1_999 else DocumentState.READY
        fake.put(session, replace(document, state=state))
    began = time.process_time()
    tab.run()
    assert time.process_time() - began < 5
    assert len(rows(tab)) == 25
    assert tab.caption[-1].value == "2,000 documents: 1,999 ready, 1 failed"
    tab.text_input(key="rows-words").set_value("file-1234").run()
    assert [row["label"] for row in rows(tab)] == ["file-1234.pdf"]


def test_five_thousand_rows_are_grouped_by_origin_over_all_pages(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    session = session_of(fake)
    for number in range(5_000):
        document = a_document(f"d{number}", session.id, f"file-{number}.pdf")
        url = f"https://example.org/{number}" if number % 5 == 0 else ""
        fake.put(session, replace(document, url=url))
    tab.run()
    assert sheets(tab)[0]["groups"] == {}
    began = time.process_time()
    tab.checkbox(key="rows-grouped").check().run()
    assert time.process_time() - began < 5
    assert sheets(tab)[0]["groups"] == {"Files": 4_000, "Web pages": 1_000}
    assert {row["group"] for row in rows(tab)} == {"Files"}
    shown = View(grouped=True).of(fake.documents.list(session))
    assert {one.url == "" for one in shown[:4_000]} == {True}
    assert [row["id"] for row in rows(tab)] == [one.id for one in shown[:25]]


def test_rows_do_what_is_asked_and_only_to_documents_of_the_session(fake: FakeService) -> None:
    mine = fake.sessions.create("me")
    theirs = fake.sessions.create("them")
    fake.put(mine, a_document("mine", mine.id, "a.pdf"))
    fake.put(theirs, a_document("theirs", theirs.id, "b.pdf"))
    script = AppTest.from_function(
        _act, kwargs={"context": PageContext(fake, mine, (mine,)), "sent": {}}
    )

    def act(**sent: object) -> AppTest:
        script.kwargs["sent"] = sent
        return script.run()

    act(action="searched", id="mine", value=False)
    assert fake.documents.get(mine, "mine").searched is False
    tab = act(action="searched", id="theirs", value=False)
    assert "no such document" in tab.error[0].value
    assert fake.documents.get(theirs, "theirs").searched is True
    act(action="only-origin", value="Web pages")
    tab = act(action="only-origin", value=["drop"])
    assert tab.session_state["rows-origin"] == "Web pages"
    for nonsense in ({"action": "searched", "id": 7}, {"action": "drop", "id": "mine"}, {}):
        assert not act(**nonsense).exception
    assert callable(table.act)


def test_many_are_changed_at_once(fake: FakeService) -> None:
    mine, theirs = fake.sessions.create("me"), fake.sessions.create("them")
    for number in range(4):
        state = DocumentState.FAILED if number == 3 else DocumentState.READY
        fake.put(mine, replace(a_document(f"d{number}", mine.id, f"{number}.pdf"), state=state))
    fake.put(theirs, a_document("theirs", theirs.id, "b.pdf"))
    script = AppTest.from_function(
        _act, kwargs={"context": PageContext(fake, mine, (mine,)), "sent": {}}
    )

    def act(action: str, ids: Sequence[object] = (), every: bool = False) -> AppTest:
        script.kwargs["sent"] = {"action": action, "many": True, "all": every, "ids": list(ids)}
        return script.run()

    def searched() -> list[bool]:
        return [document.searched for document in fake._documents[mine.id].values()]

    act("take-out", ["d0", "d2", "theirs", 7])
    assert searched() == [False, True, False, True]
    assert fake.documents.get(theirs, "theirs").searched
    script.session_state["rows-view"] = View(words="2")
    act("put-in", every=True)
    assert searched() == [False, True, True, True]
    tab = act("remove", ["d1", "theirs"])
    assert tab.session_state["asked_row"] == ("remove", ["d1"])
    act("retry", ["d3"])
    assert fake.documents.get(mine, "d3").state is not DocumentState.FAILED
    assert not act("drop", ["d1"]).exception


def test_many_are_tagged_and_shown_by_tag(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    session = session_of(fake)
    for number in range(3):
        fake.put(session, a_document(f"d{number}", session.id, f"{number}.pdf"))
    tab.session_state["asked_row"] = ("tag", ["d0", "d2"])
    tab.run()
    assert tab.text[-1].value == "0.pdf\n2.pdf"
    tab.multiselect(key="tags-add").set_value(["contracts"])
    tab.button(key="save-tags").click().run()
    assert [row["tags"] for row in rows(tab)] == [["contracts"], [], ["contracts"]]
    tab.selectbox(key="rows-tag").select("contracts").run()
    assert [row["label"] for row in rows(tab)] == ["0.pdf", "2.pdf"]
    assert sheets(tab)[0]["total"] == 2


def test_many_are_removed(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    session = session_of(fake)
    for number in range(8):
        fake.put(session, a_document(f"d{number}", session.id, f"{number}.pdf"))
    tab.session_state["asked_row"] = ("remove", [f"d{number}" for number in range(7)])
    tab.run()
    assert tab.text[-1].value.endswith("4.pdf\nand 2 other documents")
    selecting = sheets(tab)[0]["selecting"]
    tab.button(key="remove-document").click().run()
    assert [row["label"] for row in rows(tab)] == ["7.pdf"]
    assert sheets(tab)[0]["selecting"] != selecting


def test_a_locked_pdf_asks_for_its_password(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    session = session_of(fake)
    locked = replace(
        a_document("d", session.id, "a.pdf"),
        state=DocumentState.FAILED,
        cure=PasswordProtected.cure_of_pdf,
    )
    fake.put(session, locked)
    tab.run()
    assert (rows(tab)[0]["locked"], rows(tab)[0]["retry"]) == (True, False)
    tab.session_state["asked_row"] = ("password", ["d"])
    tab.run()
    next(box for box in tab.text_input if box.label == "Password").set_value("s3same-0pen")
    button(tab, "Read the file").click().run()
    assert fake.passwords == ["s3same-0pen"]
    assert "s3same-0pen" not in str(tab.session_state)
    assert rows(tab)[0]["locked"] is False


def test_the_folders_of_an_upload_are_tags(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    tab.toggle(key="upload-what").set_value(True).run()
    tab.file_uploader[0].upload("contracts/2024/rent.pdf", b"rent")
    tab.run()
    assert [row["tags"] for row in rows(tab)] == [["contracts", "2024"]]


def _act(context: object, sent: dict[str, object]) -> None:
    from core.ui.documents import table

    table.act(context, sent)


def test_the_preview_shows_text_and_chunks(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    tab.file_uploader[0].upload("a.pdf", b"a")
    tab.run()
    document = fake.documents.list(session_of(fake))[0]
    tab.session_state["asked_row"] = ("preview", [document.id])
    tab.run()
    assert not tab.exception
    texts = [element.value for element in tab.text]
    assert any(text.startswith("Keeping what was said") for text in texts)


def test_removing_asks_first(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    tab.file_uploader[0].upload("a.pdf", b"a")
    tab.run()
    document = fake.documents.list(session_of(fake))[0]
    tab.session_state["asked_row"] = ("remove", [document.id])
    tab.run()
    assert fake.documents.list(session_of(fake))
    assert any("Answers that quote them stay" in caption.value for caption in tab.caption)
    tab.checkbox(key="erase-answers").check()
    tab.button(key="remove-document").click().run()
    assert fake.documents.list(session_of(fake)) == []
    assert fake.erased_answers


def test_a_whole_documentation_is_said_to_be_collected(fake: FakeService) -> None:
    tab = open_tab(PAGE)
    fake.documents.documentations = {"python_docs.json"}
    tab.file_uploader[0].upload("python_docs.json", b"{}")
    tab.run()
    said = " ".join(element.value for element in tab.markdown).replace("\\", "")
    assert ":green[:material/download:] **python_docs.json** Its pages are taken in." in said
    assert "added" not in said


def test_rows_are_looked_at_again_while_more_are_collected(
    fake: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float | None] = []

    def fragment(drawn: Callable[..., None], run_every: float | None = None) -> Callable[..., None]:
        looks.append(run_every)
        return drawn

    tab = open_tab(PAGE)
    monkeypatch.setattr(table.st, "fragment", fragment)
    tab.run()
    run = fake.collecting.start(session_of(fake), CollectRequest(CollectKind.SITE, ("http://e/",)))
    tab.run()
    fake.collecting.move(run.id, CollectState.DONE)
    tab.run()
    assert looks == [None, 1.0, None]
