"""Forms that are made to hurt: refused fast, and others are answered meanwhile."""

from __future__ import annotations

import threading
import time

import httpx
import pytest

from tests.api.server import Person, World

pytestmark = pytest.mark.C20

PART = '--b\r\nContent-Disposition: form-data; name="{}"\r\n\r\nx\r\n'
FILE = '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n'
FORM = "multipart/form-data; boundary=b"
ABUSES = {
    "ten thousand parts": ("".join(PART.format(n) for n in range(10_000)) + "--b--\r\n", FORM),
    "huge preamble": ("p" * 4_000_000 + f"\r\n{FILE}\r\nText.\r\n--b--\r\n", FORM),
    "header of a megabyte": (f"{FILE}X-Long: {'h' * 1_000_000}\r\n\r\nText.\r\n--b--\r\n", FORM),
    "a hundred headers": (FILE + "X-A: b\r\n" * 100 + "\r\nText.\r\n--b--\r\n", FORM),
    "field of a megabyte": (
        PART.format("session_id")[:-3] + "x" * 1_000_000 + "\r\n--b--\r\n",
        FORM,
    ),
    "a million fields": ("a=b&" * 1_000_000, "application/x-www-form-urlencoded"),
    "no boundary": ("--b--\r\n", "multipart/form-data"),
    "long boundary": ("--b--\r\n", f"multipart/form-data; boundary={'b' * 100_000}"[:60_000]),
    "never ends": (f"{FILE}\r\nText without an end", FORM),
    "nothing": ("", FORM),
    "no file": (PART.format("on_same_name").replace("x", "ask") + "--b--\r\n", FORM),
    "unknown field": (PART.format("api_key") + f"{FILE}\r\nText.\r\n--b--\r\n", FORM),
    "json": ('{"files": []}', "application/json"),
}


@pytest.mark.parametrize("name", ABUSES)
def test_a_hurtful_form_is_refused_fast(name: str, ida: Person) -> None:
    content, kind = ABUSES[name]
    began = time.monotonic()
    try:
        answer = ida.client.post(
            "/ingest-files/", content=content.encode(), headers={"Content-Type": kind}
        )
    except (httpx.WriteError, httpx.ReadError):
        return  # refused while it was still being sent
    assert answer.status_code in (400, 413, 422, 431)
    assert "Traceback" not in answer.text
    assert time.monotonic() - began < 10


def test_others_are_answered_meanwhile(world: World, ida: Person) -> None:
    done = threading.Event()

    def abuse() -> None:
        headers = {"Authorization": f"Bearer {ida.key}", "Content-Type": FORM}
        with world.client(headers=headers) as client:
            while not done.is_set():
                for name in ("ten thousand parts", "huge preamble"):
                    client.post("/ingest-files/", content=ABUSES[name][0].encode())

    threads = [threading.Thread(target=abuse) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        slowest = 0.0
        for _ in range(20):
            began = time.monotonic()
            assert ida.client.get("/health").status_code == 200
            slowest = max(slowest, time.monotonic() - began)
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert slowest < 10
