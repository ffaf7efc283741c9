"""Every method behind the pages with somebody else's ids gives what it gives for none.

The calls are made from the signatures of the service and of the rooms that it opens: a method
with a new kind of parameter fails here until this file says what to give for it.
"""

from __future__ import annotations

import inspect
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from operator import attrgetter
from types import GeneratorType
from typing import Any

import pytest
from pydantic import SecretStr

from core.collecting.collector import Collector
from core.errors import AppError, NotFound
from core.evaluation.golden.sets import GoldenItem
from core.evaluation.runs.results import Mark, RunSettings
from core.ids import new_id
from core.service import Service
from core.types import (
    AskRequest,
    Check,
    Citation,
    CollectKind,
    CollectRequest,
    DocumentKind,
    LoadedDocument,
    Page,
    QueryOptions,
    RefreshEvery,
    Role,
    Session,
)
from tests.conftest import settings_in, settled
from tests.support.small_library import HashEmbedder, opened

pytestmark = [pytest.mark.E03, pytest.mark.E04]

SECRET = "third-stair-7f3a9c41"
"""Stands in everything that Ida has."""
IDS = ("document_id", "conversation_id", "job_id", "run_id", "set_id", "key_id", "session_id")
IDS += ("document_ids", "places", "citation", "a", "b", "upload", "message_id", "message", "answer")
"""Parameters that name something of a session."""
PROCESS_OF = {
    "": {
        "close", "health", "ready", "wait_ready", "warm_up", "embedder", "retriever",
        "may_maintain", "figures", "check_web_search", "check_watch",
    },
    "owners": {"for_token", "known", "local"},
    "keys": {"owner_of"},
    "documents": {"spool"},
    "models": {"list", "pull", "offers"},
    "collecting": {"begin", "end", "take_over", "erase", "leave", "dumps"},
    "evaluations": {"close", "erase"},
    "people": {"sign_in", "sign_out"},
}  # fmt: skip
"""Methods that take nobody's session or ids: of the process, or of the owner of a token."""
ROOMS = (*PROCESS_OF, "sessions", "conversations", "evaluations.thumbs")


@dataclass(frozen=True)
class Somebody:
    """A person with a session and one of everything in it."""

    owner_id: str
    session: Session
    ids: dict[str, Any]


def give(service: Service, token: str, text: str) -> Somebody:
    """Somebody who has one of everything, with `text` in it."""
    owner_id = service.owners.for_token(token)
    session = service.sessions.create(owner_id, text)
    added = service.documents.add_file(session, f"{text}.txt", f"The treasure: {text}.".encode())
    settled(service, session)
    assert added.document
    talk = service.conversations.create(session, f"Where is {text}?")
    list(service.ask(AskRequest(session, f"Where is the treasure {text}?", talk.id)))
    said = service.conversations.messages(session, talk.id)[-1]
    service.evaluations.thumbs.give(session, said, text, True, text)
    service.keys.create(owner_id, text)
    collected = service.catalogue.collect_runs.add(
        session.id, text, CollectRequest(CollectKind.SITE, urls=(f"https://{text}.org/",))
    )
    item = GoldenItem(f"{text}-1", f"Where is {text}?", ("here",))
    golden = service.evaluations.save_set(session, text, [item])
    run = service.evaluations.add_run(session, text, (text, [item]), RunSettings())
    upload = service.collecting.keep_upload(session, f"{text}.xml", io.BytesIO(text.encode()))
    citation = Citation(
        1, f"{added.document.id}:0", added.document.id, "x", DocumentKind.TEXT, 0, None, 0, 5, ""
    )
    return Somebody(
        owner_id,
        session,
        {
            "session_id": session.id,
            "document_id": added.document.id,
            "document_ids": [added.document.id],
            "places": [(added.document.id, 0)],
            "conversation_id": talk.id,
            "job_id": service.documents.create_job(session, [added]).id,
            "key_id": service.keys.list(owner_id)[0].id,
            "collecting.run_id": collected.id,
            "evaluations.run_id": run.id,
            "set_id": golden.id,
            "message_id": said.id,
            "message": said,
            "answer": said.answer,
            "a": run.id,
            "b": run.id,
            "citation": citation,
            "upload": upload,
        },
    )


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service for all, where nobody collects or evaluates in the background."""
    folder = tmp_path_factory.mktemp("methods")
    settings = settings_in(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Collector, "begin", lambda self: None)
        with opened(settings, HashEmbedder("model")) as service:
            service.evaluations.runner.stop()
            yield service


@pytest.fixture(scope="module")
def ida(service: Service) -> Somebody:
    """Whose things are asked for."""
    return give(service, "ida", SECRET)


@pytest.fixture(scope="module")
def nils(service: Service) -> Somebody:
    """Who asks."""
    return give(service, "nils", "nothing-much")


def method(service: Service, name: str) -> Callable[..., Any]:
    """A method of the service ("ask") or of one of its rooms ("collecting.run")."""
    room, _, short = name.rpartition(".")
    return getattr(room_of(service, room), short)


def room_of(service: Service, room: str) -> Any:
    """A room of the service by its name; "" is the service itself."""
    return attrgetter(room)(service) if room else service


def public(service: Service) -> list[str]:
    """All public methods, with their room."""
    found = []
    for room in ROOMS:
        kind = type(room_of(service, room))
        for name, _member in inspect.getmembers(kind, inspect.isfunction):
            if not name.startswith("_"):
                found.append(f"{room}.{name}" if room else name)
    return found


def of_somebody(name: str) -> bool:
    """Whether a method takes a session or an owner."""
    room, _, short = name.rpartition(".")
    return short not in PROCESS_OF.get(room, ())


def parameters(service: Service, name: str) -> list[inspect.Parameter]:
    """What has to be given, and what names something."""
    found = inspect.signature(method(service, name)).parameters.values()
    return [p for p in found if p.default is inspect.Parameter.empty or p.name in IDS]


def asks(parameter: inspect.Parameter) -> bool:
    """Whether a parameter is a question, which names a session and may name a conversation."""
    return parameter.annotation == "AskRequest"


OTHER: dict[str, Any] = {
    "name": "Mine now",
    "title": "Mine now",
    "question": "Where is the treasure?",
    "page_ordinal": 0,
    "password": SecretStr("of nobody"),
    "pinned": True,
    "words": "treasure",
    "options": QueryOptions(),
    "position": 0,
    "searched": False,
    "values": {"search": {}},
    "form": "json",
    "data": b"Mine now.",
    "stream": None,
    "urls": [],
    "results": [],
    "loaded": LoadedDocument(DocumentKind.WEB, (Page(0, "Mine now."),)),
    "url": "https://example.org/mine",
    "up": True,
    "check": Check(0, True),
    "token": "of nobody",
    "email": "nobody@example.org",
    "role": Role.READER,
    "every": RefreshEvery.DAY,
    "items": [GoldenItem("m-1", "Mine?", ("now",))],
    "golden": ("Mine", [GoldenItem("m-1", "Mine?", ("now",))]),
    "settings": RunSettings(),
    "columns": (),
    "wanted": 1,
    "beside": (),
    "mark": Mark(0, "nils", {"clarity": 1}),
    "request": CollectRequest(CollectKind.SITE, urls=("https://example.org/",)),
}
"""What is given for parameters that name nothing of anybody."""


def call(service: Service, name: str, who: Somebody, ids: dict[str, Any]) -> Any:
    """What comes of a call by `who` with these ids: the value, or the error."""
    room = name.rpartition(".")[0]
    given: dict[str, Any] = {}
    for parameter in parameters(service, name):
        key = parameter.name
        if key == "session":
            given[key] = who.session
        elif key == "owner_id":
            given[key] = who.owner_id
        elif asks(parameter):
            talk = ids.get("conversation_id")
            given[key] = AskRequest(who.session, OTHER["question"], talk)
        elif key in IDS:
            given[key] = ids.get(f"{room}.{key}", ids.get(key))
        else:
            given[key] = special(name, key)
    try:
        found = method(service, name)(**given)
        return list(found) if isinstance(found, GeneratorType) else found
    except AppError as error:
        return error


def special(name: str, key: str) -> Any:
    """A value for a parameter that names nothing."""
    assert key in OTHER, f"{name} has a parameter {key}: say in OTHER or IDS what to give"
    if key == "data" and name == "evaluations.upload":
        return b'{"question": "Mine?", "answers": ["now"]}\n'
    if key == "stream":
        return io.BytesIO(b"<posts></posts>")
    return OTHER[key]


def nobodys(ida: Somebody) -> dict[str, Any]:
    """Ids of the same forms that lead nowhere."""
    none: dict[str, Any] = {key: new_id() for key in ida.ids}
    none |= {"document_id": "0" * 64, "document_ids": ["0" * 64], "upload": "0" * 64}
    none["places"] = [("0" * 64, 0)]
    none |= {"message_id": 10**9, "message": replace(ida.ids["message"], id=10**9)}
    none["citation"] = replace(ida.ids["citation"], document_id="0" * 64, chunk_id=f"{'0' * 64}:0")
    none["answer"] = replace(ida.ids["answer"], citations=(none["citation"],))
    return none


def plain(found: Any, *ids: dict[str, Any]) -> str:
    """A result in words, without the ids that were given and what differs at each call."""
    if isinstance(found, AppError):
        return f"{found.code}: {found.message} {found.cure}"
    text = repr(found)
    for some in ids:
        for value in some.values():
            for one in value if isinstance(value, list) else [value]:
                text = text.replace(repr(one), "ID").replace(str(one), "ID")
    return text


def naming(service: Service) -> list[str]:
    """The methods that take the id of something."""
    return [
        name
        for name in public(service)
        if of_somebody(name) and any(p.name in IDS or asks(p) for p in parameters(service, name))
    ]


def test_every_method_takes_who_asks_first(service: Service) -> None:
    for name in filter(of_somebody, public(service)):
        first = next(iter(inspect.signature(method(service, name)).parameters.values()))
        checked = first.name in ("session", "owner_id") or asks(first)
        assert checked, f"{name}: nobody checks who asks"


def test_what_is_theirs_is_what_there_is_not(
    service: Service, ida: Somebody, nils: Somebody
) -> None:
    names = naming(service)
    assert len(names) > 30
    for name in names:
        foreign, missing = (
            call(service, name, nils, ida.ids),
            call(service, name, nils, nobodys(ida)),
        )
        ids = (ida.ids, nobodys(ida))
        if isinstance(missing, AppError):
            assert isinstance(foreign, NotFound), f"{name} gave {foreign!r}"
            assert plain(foreign) == plain(missing), name
        else:
            assert SECRET not in plain(foreign, *ids), name
            assert type(foreign) is type(missing), name


def test_nothing_else_tells_of_them(service: Service, ida: Somebody, nils: Somebody) -> None:
    for name in filter(of_somebody, public(service)):
        if name not in (*naming(service), "sessions.delete") or name == "ask":
            found = call(service, name, nils, {"conversation_id": None})
            assert SECRET not in repr(found), name


def test_nothing_of_theirs_was_touched(service: Service, ida: Somebody) -> None:
    session = service.sessions.get(ida.owner_id, ida.session.id)
    assert session.name == SECRET
    (document,) = service.documents.list(session)
    assert document.searched
    assert document.state == "ready"
    (talk,) = service.conversations.list(session)
    assert talk.title == f"Where is {SECRET}?"
    assert len(service.conversations.messages(session, talk.id)) == 2
    assert [key.name for key in service.keys.list(ida.owner_id)] == [SECRET]
    assert service.sessions.preferences(session) == {}
    assert service.documents.job(ida.owner_id, ida.ids["job_id"]).session_id == session.id
    (run,) = service.collecting.runs(session)
    assert run.state == "waiting"
    assert run.refresh_every == "never"
    (golden,) = service.evaluations.sets(session)
    assert golden.name == SECRET
    assert [item.question for item in service.evaluations.items(session, golden.id)] == [
        f"Where is {SECRET}?"
    ]
    assert len(service.evaluations.runs(session)) == 1
    thumb = service.evaluations.thumbs.of(session, ida.ids["message_id"])
    assert thumb is not None
    assert thumb.reason == SECRET
    assert service.people.members(session) == []
