"""Files sent straight to Streamlit's own upload route, past the page."""

from __future__ import annotations

import re
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect

from tests.browser.servers import Server, footnote_in

pytestmark = pytest.mark.C22

MB = 1024 * 1024
_XSRF = "_streamlit_xsrf"


@dataclass
class Visitor:
    """Somebody whose page is open: the session and the token with which the page uploads."""

    client: httpx.Client
    page: str

    def put(self, name: str, data: bytes, **more: object) -> httpx.Response:
        return self.client.put(self.route(), files={"file": (name, data)}, **more)

    def route(self) -> str:
        return f"/_stcore/upload_file/{self.page}/{uuid.uuid4()}"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with footnote_in(data, MAX_FILE_MB="1", MIN_FREE_MB="1") as found:
        yield found


@contextmanager
def visiting(server: Server) -> Iterator[Visitor]:
    with httpx.Client(base_url=server.url, trust_env=False, timeout=60) as client:
        client.get("/")
        client.get("/_stcore/host-config")
        client.get("/_stcore/health")
        token = client.cookies[_XSRF]
        client.headers["X-Xsrftoken"] = token
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        address = server.url.replace("http", "ws", 1) + "/_stcore/stream"
        with connect(
            address,
            subprotocols=["streamlit", token],
            additional_headers={"Cookie": cookies, "Origin": server.url},
            max_size=None,
            proxy=None,
        ) as socket:
            asked = BackMsg()
            asked.rerun_script.query_string = ""
            socket.send(asked.SerializeToString())
            yield Visitor(client, _session_of(socket))


def _session_of(socket: object) -> str:
    for raw in socket:
        message = ForwardMsg.FromString(raw)
        if message.WhichOneof("type") == "new_session":
            return str(message.new_session.initialize.session_id)
    raise AssertionError("the page did not start")


def kept(data: Path) -> tuple[int, list[Path]]:
    """Documents in the catalogue, and original files."""
    with closing(sqlite3.connect(data / "data" / "library.db")) as catalogue:
        (count,) = catalogue.execute("select count(*) from documents").fetchone()
    files = [path for path in (data / "data" / "sessions").rglob("*") if path.is_file()]
    return count, [path for path in files if "lexical" not in path.parts]


def test_without_an_open_page_nothing_is_taken(server: Server, data: Path) -> None:
    with httpx.Client(base_url=server.url, trust_env=False, timeout=30) as stranger:
        route = f"/_stcore/upload_file/{uuid.uuid4()}/{uuid.uuid4()}"
        files = {"file": ("a.txt", b"text")}
        assert stranger.put(route, files=files).status_code == 403
        assert stranger.post(route, files=files).status_code == 405
        stranger.get("/_stcore/health")
        token = stranger.cookies.get(_XSRF, "")
        told = stranger.put(route, files=files, headers={"X-Xsrftoken": token})
        assert told.status_code in (400, 403)
    assert kept(data) == (0, [])


def test_a_page_needs_its_token(server: Server) -> None:
    with visiting(server) as visitor:
        for token in ("", "2|00000000|00000000000000000000000000000000|1"):
            assert visitor.put("a.txt", b"x", headers={"X-Xsrftoken": token}).status_code == 403


def test_the_limit_of_size_holds_whatever_is_said_of_it(server: Server, data: Path) -> None:
    with visiting(server) as visitor:
        assert visitor.put("big.pdf", b"x" * (MB + 100_000)).status_code == 413
        head = b'--b\r\nContent-Disposition: form-data; name="f"; filename="big.pdf"\r\n\r\n'

        def chunked() -> Iterator[bytes]:  # no length is said at all
            yield head
            for _ in range(64):
                yield b"x" * 65_536
            yield b"\r\n--b--\r\n"

        kind = {"Content-Type": "multipart/form-data; boundary=b"}
        told = visitor.client.put(visitor.route(), content=chunked(), headers=kind)
        assert told.status_code == 413
        assert visitor.client.get("/api/health").status_code == 200
    assert kept(data) == (0, [])


def test_what_arrives_there_is_in_no_library(server: Server, data: Path) -> None:
    """Only the page's own run hands a file to the service, whose checks are the same for all."""
    with visiting(server) as visitor:
        for name, content in (("a.txt", b"text"), ("x.pdf", b"MZ\x90\x00"), ("../../e", b"e")):
            assert visitor.put(name, content).status_code in (200, 204)
        route = visitor.route()
        assert visitor.client.put(route, files={"file": ("a.html", b"<b>in</b>")}).is_success
        assert "<b>in</b>" not in visitor.client.get(route).text
    assert kept(data) == (0, [])
    assert not re.search(r"Traceback", server.said())
