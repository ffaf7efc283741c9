"""Identifiers, options, signatures and error messages are found as they are typed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.service import Service
from core.types import AskRequest, Session
from tests.conftest import settings_in, settled

ENTRIES = {
    "os.path.join": "os.path.join(path, *paths)\n\nJoin one or more path segments intelligently.",
    "os.path.split": "os.path.split(path)\n\nSplit the pathname into a pair, head and tail.",
    "str.join": "str.join(iterable)\n\nReturn a string which is the concatenation of the strings.",
    "os.system": "os.system(command)\n\nExecute the command (a string) in a subshell.",
    "subprocess.run": (
        "subprocess.run(args, *, stdin=None, input=None, capture_output=False)\n\n"
        "Run the command described by args. Wait for it to complete."
    ),
    "ValueError": "exception ValueError\n\nRaised when an argument has an inappropriate value.",
    "KeyError": "exception KeyError\n\nRaised when a key is not found in the set of keys.",
    "no-cache": "--no-cache-dir\n\nDisable the cache of the installer for this call.",
    "upgrade": "--upgrade\n\nUpgrade all packages to the newest available version.",
    "operand": (
        "Adding unlike things ends with\n\n"
        "TypeError: unsupported operand type(s) for +: 'int' and 'str'\n\n"
        "Convert one of them first."
    ),
    "subscript": (
        "Asking nothing for an item ends with\n\n"
        "TypeError: 'NoneType' object is not subscriptable\n\nLook where the value comes from."
    ),
    "snake": "max_retries says how often a request is tried; backoff_factor how long to wait.",
    "camel": "getElementById finds an element of the page by its id; querySelector by a selector.",
    "dunder": "__init_subclass__ is called whenever the containing class is subclassed.",
    "cpp": "std::vector<int>::push_back appends an element at the end of the vector.",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Session]]:
    folder: Path = tmp_path_factory.mktemp("code")
    settings = settings_in(folder)
    service = Service(settings)
    assert service.wait_ready(90)
    session = service.sessions.create(service.owners.for_token("somebody"), "Code")
    for name, text in ENTRIES.items():
        service.documents.add_file(
            session, f"{name.replace('.', '-')}.md", f"# {name}\n\n{text}\n".encode()
        )
    settled(service, session, 120)
    yield service, session
    service.close()


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("os.path.join", "os-path-join"),
        ("what does os.path.join() do", "os-path-join"),
        ("os.path.split", "os-path-split"),
        ("str.join", "str-join"),
        ("ValueError", "ValueError"),
        ("why do I get a KeyError", "KeyError"),
        ("--no-cache-dir", "no-cache"),
        ("what is --upgrade for", "upgrade"),
        ("subprocess.run(args, *, stdin=None, input=None", "subprocess-run"),
        ("TypeError: unsupported operand type(s) for +: 'int' and 'str'", "operand"),
        ("TypeError: 'NoneType' object is not subscriptable", "subscript"),
        ("max_retries", "snake"),
        ("getElementById", "camel"),
        ("__init_subclass__", "dunder"),
        ("std::vector push_back", "cpp"),
    ],
)
def test_it_is_the_first_hit(library: tuple[Service, Session], query: str, found: str) -> None:
    service, session = library
    hits = service.search(AskRequest(session, query)).hits
    assert hits[0].document.name == f"{found}.md", [hit.document.name for hit in hits[:4]]
