"""The stand-ins start alone, follow their script, and speak as their services do."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.standins.ollama import OllamaStandin
from tests.standins.scripts import MODES, Reply, load_script, sources_in

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@contextmanager
def started(module: str, *more: str) -> Iterator[str]:
    """The address of a stand-in that was started from the shell."""
    command = [sys.executable, "-m", f"tests.standins.{module}", "--port", "0", *more]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=dict(os.environ)
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line
        yield found[0]
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()


def test_ollama_with_a_script() -> None:
    asked = {"model": "other:3b", "messages": [{"role": "user", "content": "Hi"}]}
    with started("ollama", "--script", str(HERE / "tour.json")) as url:
        listed = httpx.get(f"{url}/api/tags").json()["models"]
        assert [model["name"] for model in listed] == ["standin:latest", "other:3b"]
        answer = httpx.post(f"{url}/api/chat", json=asked, timeout=30).text
    lines = [json.loads(line) for line in answer.splitlines()]
    assert [line["done"] for line in lines] == [False] * (len(lines) - 1) + [True]
    assert lines[-1]["done_reason"] == "stop"


@pytest.mark.parametrize(
    ("module", "path"), [("openai_server", "/models"), ("gemini", "/v1beta/models")]
)
def test_the_others(module: str, path: str) -> None:
    with started(module) as url:
        answer = httpx.get(f"{url}{path}", headers={"x-goog-api-key": "test-key"})
    assert answer.status_code == 200
    assert "standin" in answer.text


def test_the_tour_is_a_script() -> None:
    script = load_script(HERE / "tour.json")
    assert len(script.replies) > 8
    assert script.replies[-1].times is None


def test_mistakes_in_a_script_are_said(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text('{"replies": [{"mood": "text"}]}', encoding="utf-8")
    with pytest.raises(ValueError, match="mood"):
        load_script(path)
    with pytest.raises(ValueError, match="unknown mode"):
        Reply("nonsense")
    assert "quote" in MODES


def test_replies_come_in_order_and_the_last_one_stays() -> None:
    with OllamaStandin(replies=[Reply(text="a", times=2), Reply(text="b")]) as standin:
        assert [standin.take().text for _ in range(5)] == ["a", "a", "b", "b", "b"]


def test_sources_are_found_in_a_prompt() -> None:
    prompt = (
        '<source-1f id="1" title="a>b">\nOne.\n</source-1f>\n<source-1f id="2">\nTwo.\n</source'
    )
    assert list(sources_in(prompt)) == [1, 2]


def test_searxng_with_a_small_web() -> None:
    with started("searxng", "--bad") as url:
        asked = {"q": "lantern house of Velmark", "format": "json"}
        found = httpx.get(f"{url}/search", params=asked).json()
        assert httpx.get(f"{url}/search", params={"format": "json"}).status_code == 400
        page = httpx.get(found["results"][4]["url"])
    assert [result["url"].rpartition("/")[2] for result in found["results"][:5]] == [
        "hangs", "fails", "private", "bomb", "velmark"
    ]  # fmt: skip
    assert "guild of net makers" in page.text
