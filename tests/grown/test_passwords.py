"""A password in DATABASE_URL is in no message, log, page, reply, process list or child."""

from __future__ import annotations

import logging
import os
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from core.errors import AppError, StorageError
from core.maintenance.__main__ import main
from core.storage.catalogue import Catalogue
from tests.api.server import application, serving
from tests.conftest import settings_in
from tests.grown.replicas import Client, key_of_somebody, replicas
from tests.grown.server import Server, running
from tests.support.small_library import HashEmbedder, all_found, fill, opened

pytestmark = [pytest.mark.grown, pytest.mark.E10]

SECRET = "hunter-2-and-more"
PAGES = ("/status", "/metrics", "/health", "/ready", "/openapi.json", "/sessions", "/nowhere")


def with_password(url: str) -> str:
    """The server trusts everybody, so it takes this as well."""
    return url.replace("footnote@", f"footnote:{SECRET}@")


def test_while_it_works_and_while_the_server_is_away(
    tmp_path: Path, own: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    settings = settings_in(tmp_path, database_url=with_password(own.database("library")))
    key = key_of_somebody(tmp_path, settings.database_url)
    seen = [repr(settings), str(settings)]
    with (
        opened(settings, HashEmbedder("one")) as service,
        serving(application(service)) as url,
        httpx.Client(
            base_url=f"{url}/api",
            headers={"Authorization": f"Bearer {key}"},
            trust_env=False,
            timeout=60,
        ) as client,
    ):
        session = fill(service)
        assert all_found(service, session)
        seen += [client.get(path).text for path in PAGES]
        seen += [str(service.health()), str(service.upkeep.run("check"))]
        own.stop()
        with pytest.raises(StorageError) as raised:
            service.documents.list(session)
        seen += ["".join(traceback.format_exception(raised.value)), raised.value.message]
        seen += [client.get(path).text for path in PAGES]
        own.start()
    assert [text for text in (*seen, caplog.text) if SECRET in text] == []


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql+psycopg://footnote:{SECRET}@127.0.0.1:1/library",
        f"postgresql+psycopg://footnote@127.0.0.1:1/library?password={SECRET}",
        f"postgresql+psycopg://footnote:{SECRET}@127.0.0.1:port/library",
        f"postgresql+psycopg://footnote:{SECRET}@127.0.0.1:1/library?nothing=such",
        f"postgresql+psycopg2://footnote:{SECRET}@127.0.0.1:1/library",
        f"mysql://footnote:{SECRET}@127.0.0.1:1/library",
        f"footnote:{SECRET}@127.0.0.1",
    ],
)
def test_an_address_that_does_not_work(
    tmp_path: Path, url: str, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(AppError) as raised:
        Catalogue(settings_in(tmp_path, database_url=url))
    told = "".join(traceback.format_exception(raised.value))
    assert SECRET not in told + raised.value.message + raised.value.cure + caplog.text
    assert main(["move", "--to", url]) == 2
    printed = capsys.readouterr()
    assert SECRET not in printed.out + printed.err


def test_a_process_and_its_children_do_not_show_it(tmp_path: Path, own: Server) -> None:
    url = with_password(own.database("library"))
    key = key_of_somebody(tmp_path, url)
    with replicas(tmp_path, url, ("only",), LOG_LEVEL="DEBUG") as (only,):
        with Client(only.url, key) as client:
            session = client.session()
            client.add(session, {f"{n}.html": f"<p>Pier {n} is open.</p>" * 99 for n in range(20)})
            assert only.process is not None
            below = set[int]()
            while not set(client.states(session).values()) <= {"ready", "failed"}:
                for number in (only.process.pid, *children(only.process.pid)):
                    below.add(number)
                    assert SECRET.encode() not in shown(number), number
            assert len(below) > 1, "the reader of files is a process of its own"
        said = only.said()
    assert SECRET not in said


def shown(number: int) -> bytes:
    """What the system shows of a process: its command and its environment."""
    with suppress(OSError):  # it has ended
        return b"".join(Path(f"/proc/{number}/{of}").read_bytes() for of in ("cmdline", "environ"))
    return b""


def children(number: int) -> Iterator[int]:
    """The processes below one."""
    for found in os.listdir("/proc"):
        if not found.isdecimal():
            continue
        try:
            stat = Path(f"/proc/{found}/stat").read_text()
        except OSError:
            continue
        if int(stat.rpartition(")")[2].split()[1]) == number:
            yield int(found)
            yield from children(int(found))


def test_move_reads_an_address_that_is_typed(
    tmp_path: Path, own: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    read, write = os.pipe()
    url = with_password(own.database("target"))
    os.write(write, f"{url}\n".encode())
    os.close(write)
    data = settings_in(tmp_path / "old", database_url="")
    Catalogue(data).close()
    for name, value in {"DATA_DIR": data.data_dir, "CHROMA_DIR": data.chroma_dir}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setenv("DATABASE_URL", "")
    with os.fdopen(read) as typed:
        monkeypatch.setattr("sys.stdin", typed)
        assert main(["move", "--to", "-"]) == 0
    printed = capsys.readouterr()
    assert SECRET not in printed.out + printed.err
    moved = own.run("SELECT to_regclass('documents')", "target")
    assert moved == [("documents",)]


@pytest.fixture
def own() -> Iterator[Server]:
    """A server that only one test uses."""
    with running() as server:
        yield server
