"""A model's server that hangs holds up those who asked it, and nobody else."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from core.llm.transport import Wire
from core.turns import WAITING_AT_ONCE
from tests.api.server import WHO, Person, World, running
from tests.conftest import eventually, person_named

pytestmark = pytest.mark.J09


_MODELS = b'{"data": [{"id": "slow"}]}'
_LIST = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(_MODELS), _MODELS)


class HangingModel:
    """Takes every connection, and never answers a chat.

    A list of models comes at once, or with `drips` byte by byte without an end.
    """

    def __init__(self) -> None:
        self.came: list[bytes] = []
        self.drips = False
        self._ended = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=200)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}/v1"
        self._accepting = threading.Thread(target=self._accept, daemon=True)
        self._accepting.start()

    def _accept(self) -> None:
        while not self._ended.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._hold, args=(connection,), daemon=True).start()

    def _hold(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(0.2)
            said, answer = b"", iter(b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 10_000)
            while not self._ended.is_set():
                try:
                    if not (piece := connection.recv(65_536)):
                        return
                    said += piece
                    self.came.append(piece)
                    if said.startswith(b"GET") and not self.drips:
                        connection.sendall(_LIST)
                        return
                except TimeoutError:
                    if said.startswith(b"GET"):
                        if not self.drips:
                            return
                        connection.send(bytes([next(answer)]))
                except OSError:
                    return

    def heard(self, words: bytes) -> int:
        """How many pieces with these words came."""
        return sum(words in piece for piece in list(self.came))

    def close(self) -> None:
        """End the thread first: it would accept for whoever gets the closed socket's number."""
        self._ended.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._accepting.join(10)
        self._listener.close()


@pytest.fixture(scope="module")
def model() -> Iterator[HangingModel]:
    hanging = HangingModel()
    yield hanging
    hanging.close()


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, model: HangingModel) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("hanging")
    long = {"question_seconds": 200.0, "first_token_seconds": 200.0}
    chosen = {"chat_provider": "openai", "chat_model": "slow"}
    with running(folder, openai_url=model.url, require_api_key=True, **chosen, **long) as world:
        yield world


ada = person_named("ada", "module")
bob = person_named("bob", "module")


class Hanging:
    """Requests of one person that nobody answers."""

    def __init__(self, world: World, who: Person) -> None:
        self.world, self.who = world, who
        self.wire = Wire(100.0)
        key = {"Authorization": f"Bearer {who.key}"}
        self.client = httpx.Client(base_url=f"{world.url}/api", headers=key, transport=self.wire)
        self.threads = ThreadPoolExecutor(100)
        self.asked: list[Future[Any]] = []

    def ask(self, path: str, times: int, **body: Any) -> None:
        body = {"session_id": self.who.session_id, "question": WHO, **body}
        for _ in range(times):
            self.asked.append(self.threads.submit(self.client.post, path, json=body))

    def end(self) -> None:
        """Hang up; the server notices and ends the work."""
        self.wire.cut()
        self.threads.shutdown()
        turns = self.world.service.queue.waiting
        assert eventually(lambda: turns.working() == turns.waiting() == 0, 60)


@pytest.fixture
def hanging(world: World, ada: Person, model: HangingModel) -> Iterator[Hanging]:
    made = Hanging(world, ada)
    yield made
    model.drips = False
    made.end()


def quoted_answers_come(bob: Person) -> None:
    """A search and a quoted answer, and a plain request beside them."""
    body = {"session_id": bob.session_id, "question": WHO, "level": "as typed"}
    found = bob.client.post("/search", json=body)
    assert found.status_code == 200, found.text
    assert "Ida Holm" in found.text
    assert "Ida Holm" in bob.query(WHO, provider="")["answer"]
    assert bob.client.get("/sessions").status_code == 200


def test_others_search_and_get_answers_at_once(
    hanging: Hanging, bob: Person, model: HangingModel, world: World
) -> None:
    hanging.ask("/search", 20, level="rewritten")
    hanging.ask("/query", 45)
    turns = world.service.queue.waiting
    assert eventually(lambda: turns.working() == WAITING_AT_ONCE // 2, 60)
    assert eventually(lambda: turns.waiting() == 65 - WAITING_AT_ONCE // 2, 60)
    quoted_answers_come(bob)
    mine = "Which flour needs sourdough bread?"
    other = Hanging(world, bob)
    other.ask("/query", 1, question=mine)
    assert eventually(lambda: model.heard(mine.encode()) > 0, 60)  # the model is asked for him too
    assert not any(one.done() for one in hanging.asked)
    other.wire.cut()
    other.threads.shutdown()


def test_lists_of_models_take_no_threads_of_others(
    hanging: Hanging, bob: Person, model: HangingModel
) -> None:
    model.drips = True
    hanging.ask("/query", 60, provider="openai", model="another")
    assert eventually(lambda: model.heard(b"GET /v1/models") >= WAITING_AT_ONCE // 2, 60)
    quoted_answers_come(bob)
    assert not any(one.done() for one in hanging.asked)


def test_the_status_takes_no_threads_of_others(
    hanging: Hanging, bob: Person, model: HangingModel
) -> None:
    model.drips = True
    before = model.heard(b"GET /v1/models")
    hanging.asked = [hanging.threads.submit(hanging.client.get, "/status") for _ in range(45)]
    assert eventually(lambda: model.heard(b"GET /v1/models") >= before + 40, 60)
    quoted_answers_come(bob)
    assert not any(one.done() for one in hanging.asked)
