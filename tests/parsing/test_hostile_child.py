"""The process that reads a file, taken over: it reaches no other file, no network, no process."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from core.config import Settings
from core.errors import IngestionError
from core.maintenance import doctor
from core.parsing import sandbox
from core.parsing.confinement import Confinement, holds
from core.parsing.html import worker
from core.parsing.sandbox import load_in_child
from core.service import Service
from core.types import Session
from tests.conftest import ROOT, settled
from tests.parsing.files import written

pytestmark = pytest.mark.E17

TAKEN_OVER = """
import json, os, socket, subprocess
from pathlib import Path
from core.errors import IngestionError
from core.parsing import child

def tried(what):
    try:
        return str(what())
    except OSError as error:
        return type(error).__name__

def hostile(job, folder, report):
    found = {{name: tried(what) for name, what in {{{attempts}}}.items()}}
    raise IngestionError(json.dumps(found), str(len(Path(job["path"]).read_bytes())))

child._do = hostile
raise SystemExit(child.main())
"""


def taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **attempts: str
) -> tuple[dict[str, str], int]:
    """What became of attempts (expressions of Python) in the child; and the size of its input."""
    given = ", ".join(f"{name!r}: lambda: {what}" for name, what in attempts.items())
    code = TAKEN_OVER.format(attempts=given)
    monkeypatch.setattr(sandbox, "_COMMAND", (sys.executable, "-P", "-s", "-c", code))
    settings = Settings(data_dir=tmp_path / "data")
    with pytest.raises(IngestionError) as caught:
        load_in_child(written(tmp_path / "input", "twelve bytes"), name="a", settings=settings)
    return json.loads(caught.value.message), int(caught.value.cure)


def test_it_reads_its_input_and_nothing_else(
    service: Service, session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The original of another session, the catalogue, what lies beside its own file."""
    added = service.documents.add_file(session, "a.txt", b"A secret of another session.")
    assert added.document is not None
    settled(service, session)
    original = service.documents.original(session, added.document.id)
    catalogue = next(service.settings.data_dir.glob("*.db"))
    found, size = taken_over(
        tmp_path,
        monkeypatch,
        original=f"Path({str(original)!r}).read_bytes()",
        catalogue=f"Path({str(catalogue)!r}).read_bytes()",
        listed=f"os.listdir({str(service.settings.data_dir)!r})",
        written=f"Path({str(tmp_path / 'new')!r}).write_bytes(b'x')",
        replaced=f"Path({str(tmp_path / 'input')!r}).write_bytes(b'x')",
        own="(folder / 'own').write_bytes(b'abc')",
    )
    assert size == 12
    assert found.pop("own") == "3"
    if holds().files:
        assert set(found.values()) == {"PermissionError"}


def test_it_opens_no_connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = server.getsockname()
        found, _ = taken_over(
            tmp_path,
            monkeypatch,
            connected=f"socket.create_connection({address!r}, 5)",
            asked="socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
            local="socket.socket(socket.AF_UNIX)",
        )
        server.settimeout(0.2)
        if holds().connections:
            assert set(found.values()) == {"PermissionError"}
            with pytest.raises(TimeoutError):
                server.accept()


def test_it_sees_no_other_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, _ = taken_over(
        tmp_path,
        monkeypatch,
        environment="Path(f'/proc/{os.getppid()}/environ').read_bytes()",
        memory="Path(f'/proc/{os.getppid()}/maps').read_bytes()",
        signal="os.kill(os.getppid(), 0)",
        program="subprocess.run(['/bin/true'])",
    )
    if holds().processes:
        assert set(found.values()) == {"PermissionError"}


PAGE_READER = """
import os, socket, sys
from core.parsing.html import worker

def tried(what):
    try:
        return str(what())
    except OSError as error:
        return type(error).__name__

def hostile(*page):
    found = [tried(what) for what in ({attempts})]
    return worker.ReadPage(None, worker.PageLinks(), "NoReadableText", " ".join(found))

worker.read_page = hostile
worker.main(int(sys.argv[1]))
"""


def test_the_reader_of_web_pages_is_kept_in_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = written(tmp_path / "secret", "of another session")
    attempts = (
        f"lambda: open({str(secret)!r}).read()",
        f"lambda: open({str(tmp_path / 'new')!r}, 'w')",
        "lambda: socket.socket()",
        "lambda: os.kill(os.getppid(), 0)",
    )
    code = PAGE_READER.format(attempts=", ".join(attempts))
    monkeypatch.setattr(worker, "_COMMAND", (sys.executable, "-P", "-s", "-c", code))
    reader = worker.Reader(Settings())
    said = reader.read(b"<p>text", "http://example.org/", "text/html", "utf-8").message
    reader.close()
    if holds() == Confinement(True, True, True):
        assert said.split() == ["PermissionError"] * 4
    assert len(said.split()) >= 4


def test_status_says_what_holds(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    def shown() -> tuple[str, str]:
        (part,) = [part for part in service.health() if part.name == "Reading files"]
        return part.state, part.detail

    state, _ = shown()
    assert (state == "ok") == (holds() == Confinement(True, True, True))
    monkeypatch.setattr(doctor, "holds", lambda: Confinement(files=True))
    assert shown() == (
        "warning",
        "The process that reads files is limited, but not kept from the network, other processes.",
    )
    monkeypatch.setattr(doctor, "holds", lambda: Confinement(True, True, True))
    assert "no access to other files, the network or other processes" in shown()[1]


def test_this_kernel_has_what_it_says(tmp_path: Path) -> None:
    """What is claimed was tried: without the calls of the confinement nothing is."""
    code = (
        "from core.parsing import confinement as c; c.confine = lambda **_: None; print(c._try())"
    )
    job = json.dumps({"folder": str(tmp_path), "foreign": str(tmp_path.parent)})
    tried = subprocess.run(
        [sys.executable, "-c", code], input=job, capture_output=True, text=True, cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)}, check=True,
    )  # fmt: skip
    assert tried.stdout.strip() == str(Confinement())


KEYS = """
import os, sys
from pathlib import Path
from core.config import hide_secrets, load_settings
settings = load_settings(env_file=None)
hide_secrets()
print("house-key" in str(os.environ), b"house-key" in Path("/proc/self/environ").read_bytes())
print(settings.gemini_api_key.get_secret_value(), os.environ["UNTOUCHED"])
print(load_settings(env_file=None).gemini_api_key.get_secret_value())
"""


PROGRAMS = {
    "service": "from core.service import default_service as begin",
    "mcp": "from core.mcp import server; server._client = print; begin = server.main",
}
BEGUN = """
import os, sys
from pathlib import Path
{program}
try:
    begin()
except BaseException as error:
    print(type(error).__name__, file=sys.stderr)
inside = "house-key" in str(os.environ) or b"house-key" in Path("/proc/self/environ").read_bytes()
print(inside, flush=True)
os._exit(0)
"""


@pytest.mark.parametrize("program", sorted(PROGRAMS))
def test_every_program_takes_them_out(tmp_path: Path, program: str) -> None:
    places = {"DATA_DIR": str(tmp_path / "data"), "CHROMA_DIR": str(tmp_path / "chroma")}
    given = {**os.environ, **places, "GEMINI_API_KEY": "house-key", "MCP_API_KEY": "house-key"}
    done = subprocess.run(
        [sys.executable, "-c", BEGUN.format(program=PROGRAMS[program])], capture_output=True,
        text=True, cwd=ROOT, env=given, check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert done.stdout.split()[-1:] == ["False"], done.stderr


@pytest.mark.parametrize(
    ("name", "value", "hidden"),
    [
        ("DATABASE_URL", "postgresql+psycopg://me:house-key@127.0.0.1/library", True),
        ("DATABASE_URL", "postgresql+psycopg://me@127.0.0.1/library?password=house-key", True),
        ("DATABASE_URL", "postgresql+psycopg://me@127.0.0.1:5432/house-key", False),
        ("INDEX_URL", "milvus://me:house-key@127.0.0.1:19530/library", True),
    ],
    ids=["password", "option", "none", "milvus"],  # an id is in the environment
)
def test_an_address_with_a_password_leaves_it_too(name: str, value: str, hidden: bool) -> None:
    code = """
import os, sys
from pathlib import Path
from core.config import hide_secrets, load_settings
hide_secrets()
print("house-key" in str(os.environ), b"house-key" in Path("/proc/self/environ").read_bytes())
settings = load_settings(env_file=None)
print("house-key" in settings.database_url + settings.index_url, "house-key" in repr(settings))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT,
        env={**os.environ, name: value}, check=True,
    )  # fmt: skip
    there = str(not hidden)
    assert done.stdout.split() == [there, there, "True", "False"]


def test_the_keys_of_the_operator_leave_the_environment() -> None:
    given = {**os.environ, "GEMINI_API_KEY": "house-key", "UNTOUCHED": "yes"}
    done = subprocess.run(
        [sys.executable, "-c", KEYS], capture_output=True, text=True, cwd=ROOT, env=given,
        check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["False", "False", "house-key", "yes", "house-key"]
