"""A model hub on loopback: listings and files, as huggingface_hub asks for them."""

from __future__ import annotations

import hashlib
import json
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.standins.loopback import Loopback

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class HubStandin(Loopback):
    """Serves folders as models, by name: `HubStandin({"somebody/model": folder})`.

    `sent` are the names of the files that were sent.
    """

    def __init__(self, models: dict[str, Path]) -> None:
        self.models = models
        self.sent: list[str] = []
        super().__init__(_handler_for(self))

    @property
    def url(self) -> str:
        """What `HF_ENDPOINT` is set to."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"


def _handler_for(hub: HubStandin) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._reply()

        def do_GET(self) -> None:
            self._reply()

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is printed."""

        def _reply(self) -> None:
            parts = unquote(urlsplit(self.path).path).strip("/").split("/")
            is_api = parts[:2] == ["api", "models"]
            parts = parts[2:] if is_api else parts
            name, rest = "/".join(parts[:2]), parts[2:]
            folder = hub.models.get(name)
            if folder is None:
                self._send(404, b"{}", {"X-Error-Code": "RepoNotFound"})
            elif is_api:
                self._send(200, json.dumps(_listing(name, folder, rest)).encode())
            else:
                self._file(folder, "/".join(rest[2:]))

        def _file(self, folder: Path, name: str) -> None:
            file = folder / name
            if not file.is_file():
                self._send(404, b"", {"X-Error-Code": "EntryNotFound", "X-Repo-Commit": COMMIT})
                return
            data = file.read_bytes()
            if self.command == "GET":
                hub.sent.append(name)
            self._send(200, data, {"ETag": f'"{_oid(data)}"', "X-Repo-Commit": COMMIT})

        def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for key, value in {**(headers or {}), "Content-Length": str(len(body))}.items():
                self.send_header(key, value)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

    return Handler


def _listing(name: str, folder: Path, rest: list[str]) -> object:
    """The information about a model, or the tree of its files."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    names = [path.relative_to(folder).as_posix() for path in files]
    if rest[:1] == ["tree"]:
        return [
            {"type": "file", "path": name, "size": len(data), "oid": _oid(data)}
            for name, data in zip(names, (path.read_bytes() for path in files), strict=True)
        ]
    return {"id": name, "sha": COMMIT, "siblings": [{"rfilename": name} for name in names]}


def _oid(data: bytes) -> str:
    """As git names a file."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
