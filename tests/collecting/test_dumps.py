"""Collecting a dump: pairs with anchor and attribution, uploads, and what is no dump."""

from __future__ import annotations

import errno
import sqlite3
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from core.errors import InvalidId, InvalidRequest
from core.service import Service
from core.types import CollectKind, CollectRequest, CollectState, Session
from scraper.preview import DumpPreview
from tests.collecting.runs import ended, titles
from tests.conftest import answer_of, settled
from tests.scraper.test_stack_overflow import answer, dump, question

POSTS = dump(
    question(1, AcceptedAnswerId="3", Score="5", Title="How to join two paths of a file system?",
             Body="<p>I have two parts of a path.</p>"),
    answer(3, 1, Body="<p>The portable way is the function join of the module os.path.</p>"
           "<pre><code>import os\nprint(os.path.join('a', 'b'))\n</code></pre>"),
    question(5, Tags="<java>", Title="How to sort an array of numbers in Java?"),
    answer(6, 5, Body="<p>Call sort of java.util.Arrays.</p>"),
)  # fmt: skip
PAIRS = CollectRequest(CollectKind.STACK_EXCHANGE, tag="python", site="stackoverflow.com")


def dump_in(folder: Path, name: str = "so/Posts.xml", text: str = POSTS) -> Path:
    path = folder / "dumps" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def asking(*files: str, **values: object) -> CollectRequest:
    return replace(PAIRS, files=files, **values)


def test_pairs_of_a_dump_with_anchor_and_attribution(
    service: Service, session: Session, tmp_path: Path
) -> None:
    dump_in(tmp_path)
    assert service.collecting.dumps() == ["so/Posts.xml"]
    look = service.collecting.preview(session, asking("so/Posts.xml"))
    assert isinstance(look, DumpPreview)
    assert look.titles == ("How to join two paths of a file system?",)
    run = ended(service, session, service.collecting.start(session, asking("so/Posts.xml")))
    assert (run.state, run.progress.added) == (CollectState.DONE, 1)
    document = settled(service, session)[0]
    assert "answer by Ada (2019-01-01, score 1), CC BY-SA" in document.attribution
    found = answer_of(service, session, "What is the portable way to join paths?")
    citation = found.citations[0]
    assert (citation.url, citation.anchor) == ("https://stackoverflow.com/questions/1", "3")
    assert citation.attribution == document.attribution
    link = service.documents.evidence(session, citation).link
    assert link.startswith("https://stackoverflow.com/questions/1#3:~:text=")
    code = "import os\nprint(os.path.join('a', 'b'))"
    assert f"```\n{code}\n```" in found.text, "the code right below the sentence, whole"
    asked = answer_of(service, session, "How do I join two parts of a path?")
    assert "I have two parts" not in asked.text, "a question is no answer"
    assert asked.citations[0].anchor == "3"
    talk = service.conversations.create(session, "t")
    service.catalogue.conversations.add_message(session.id, talk.id, "assistant", found.text, found)
    for form in ("markdown", "json"):
        assert b"answer by Ada" in service.conversations.export(session, talk.id, form)


def test_an_uploaded_dump_and_its_next_version(service: Service, session: Session) -> None:
    name = service.collecting.keep_upload(session, "../Posts.xml", BytesIO(POSTS.encode()))
    run = ended(service, session, service.collecting.start(session, asking(name, tag="")))
    assert (run.state, run.progress.added) == (CollectState.DONE, 2)
    settled(service, session)
    fewer = ended(
        service, session, service.collecting.start(session, asking(name, tag="", limit=1))
    )
    assert (fewer.progress.same, fewer.progress.gone) == (1, 1)
    assert [d.title[:11] for d in settled(service, session)] == ["How to join"]
    other = service.sessions.create(session.owner_id, "Other")
    with pytest.raises(InvalidRequest):
        service.collecting.start(other, asking(name))


def test_pairs_without_an_address_are_documents_too(service: Service, session: Session) -> None:
    table = b"title,body,answer,tags\nHow to sing?,How?,Open your mouth and sing.,python\n"
    name = service.collecting.keep_upload(session, "pairs.csv", BytesIO(table))
    run = ended(service, session, service.collecting.start(session, asking(name)))
    assert run.state is CollectState.DONE
    assert titles(service, session) == {"How to sing?"}
    again = ended(service, session, service.collecting.again(session, run.id))
    assert (again.progress.same, again.progress.gone) == (1, 0)


@pytest.mark.parametrize(
    "name", ["../secret.xml", "/etc/passwd", "so/../../secret.xml", "link.xml", "", "upload:x:y"]
)
def test_only_dumps_of_the_operators_folder(
    service: Service, session: Session, tmp_path: Path, name: str
) -> None:
    dump_in(tmp_path)
    (tmp_path / "secret.xml").write_text(POSTS)
    (tmp_path / "dumps" / "link.xml").symlink_to(tmp_path / "secret.xml")
    with pytest.raises((InvalidRequest, InvalidId)):
        service.collecting.start(session, asking(name))


def test_a_broken_dump_says_so(service: Service, session: Session, tmp_path: Path) -> None:
    dump_in(tmp_path, text=POSTS[: len(POSTS) // 2])
    run = ended(service, session, service.collecting.start(session, asking("so/Posts.xml")))
    assert run.state is CollectState.FAILED
    assert "cut off" in run.reason


def sqlite_full() -> sqlite3.Error:
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("PRAGMA max_page_count=1")
        connection.execute("CREATE TABLE one (text)")
        connection.execute("CREATE TABLE two (text)")
    except sqlite3.Error as error:
        return error
    finally:
        connection.close()
    raise AssertionError("it is not full")


@pytest.mark.F27
@pytest.mark.parametrize("full", [OSError(errno.ENOSPC, "full"), sqlite_full()], ids=["os", "sql"])
def test_a_disk_that_runs_full_is_named_and_a_refresh_goes_on(
    service: Service, session: Session, monkeypatch: pytest.MonkeyPatch, full: Exception
) -> None:
    name = service.collecting.keep_upload(session, "Posts.xml", BytesIO(POSTS.encode()))

    def fails(*_: object) -> None:
        raise full

    with monkeypatch.context() as patch:
        patch.setattr("scraper.stack_overflow.write_json", fails)
        run = ended(service, session, service.collecting.start(session, asking(name, tag="")))
    assert run.state is CollectState.FAILED
    assert run.reason == "What was read could not be stored: the disk is full."
    assert run.cure == "Free some space, then refresh."
    again = ended(service, session, service.collecting.again(session, run.id))
    assert (again.state, again.progress.added) == (CollectState.DONE, 2)
