"""What a stand-in is told to answer: replies, read from a JSON file or queued by a test."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

MODES = {
    "text": "the text, piece by piece, then a proper end",
    "quote": "a sentence of each of the first sources of the prompt, with [Source n] marks",
    "obey": "what the sources order: the worst case of an injection",
    "length": "the text, cut at the limit of tokens",
    "overflow": "the text, after the server cut the prompt in silence",
    "empty": "a proper end without text",
    "whitespace": "white space and a proper end",
    "think-only": "a thought and no answer",
    "thinking": "a thought in the text, then the answer",
    "unopened-thought": "a thought whose opening tag the template wrote, then the answer",
    "repeat": "one line for ever",
    "giant": "one piece of 10 MB",
    "hang-first": "silence before the first byte",
    "hang-middle": "the text, then silence",
    "eof": "the text, then the connection closes without an end mark",
    "rst": "the text, then the connection is reset",
    "cut-chunk": "the text, then the connection closes inside a chunk",
    "status": "an HTTP error: `status`, `retry_after`, `error`",
    "html": "an HTML page with `status`",
    "invalid-json": "the text, then half an object and a proper end of the connection",
    "two-objects": "the text with two objects on one line",
    "odd-json": "JSON of another shape than promised",
    "split": "the text, with objects and characters split over TCP segments",
    "error-in-stream": "the text, then an error object inside the 200",
    "missing": "the model is not there",
    "overflow-error": "the prompt is too long, said with an error",
    "overflow-empty": "the prompt is too long: 200 and an empty stream",
    "busy": "the queue is full",
    "bad-key": "the key is refused",
    "quota": "the quota is used up",
    "safety-prompt": "the prompt is blocked",
    "safety-answer": "the answer is blocked",
    "no-text": "a candidate without text and a finish reason of its own",
    "refusal": "the model declines in the field of its own",
}
"""Every mode of a reply. A service that has no such failure answers with the text instead."""


@dataclass(frozen=True)
class Reply:
    """One answer. `times` is how often it is given; None for ever. Seconds for the waits."""

    mode: str = "text"
    text: str = "The answer is 42 [Source 1]."
    pieces: tuple[str, ...] = ()
    thinking: str = ""
    delay: float = 0.0
    gap: float = 0.0
    status: int = 500
    error: str = ""
    retry_after: str = ""
    prompt_tokens: int | None = None
    finish: str = ""
    times: int | None = 1

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise ValueError(f"unknown mode {self.mode!r}; one of: {', '.join(sorted(MODES))}")

    def parts(self, prompt: str) -> list[str]:
        """The pieces of text that this reply streams for a prompt."""
        if self.mode in ("empty", "overflow-empty", "think-only"):
            return []
        if self.mode == "whitespace":
            return [" ", "\n\n", "  "]
        if self.mode == "giant":
            return ["x" * 10_000_000]
        if self.mode == "unopened-thought":
            return ["Hm, let", " me see [Source 2].", "\n</th", "ink>", "\n\n", *words(self.text)]
        if self.mode == "quote":
            return words(quoting(prompt))
        if self.mode == "obey":
            return words(obeying(prompt))
        return list(self.pieces) or words(self.text)


@dataclass(frozen=True)
class Script:
    """Models that the stand-in has (none: its usual one), and its replies; the last one stays."""

    replies: tuple[Reply, ...] = (Reply("quote", times=None),)
    models: tuple[str, ...] = ()
    context_length: int = 8192
    pull_gap: float = 0.01  # seconds between two lines of a download


def load_script(path: Path) -> Script:
    """A script from JSON: `{"models": [...], "context_length": n, "pull_gap": seconds,
    "replies": [{"mode": ...}]}`."""
    data = json.loads(path.read_text("utf-8"))
    known = {field.name for field in fields(Reply)}
    replies = []
    for entry in data.get("replies", [{"mode": "quote", "times": None}]):
        if unknown := set(entry) - known:
            raise ValueError(f"unknown keys in a reply: {', '.join(sorted(unknown))}")
        replies.append(Reply(**_with_tuples(entry)))
    return Script(
        tuple(replies),
        tuple(data.get("models", Script.models)),
        int(data.get("context_length", Script.context_length)),
        float(data.get("pull_gap", Script.pull_gap)),
    )


def _with_tuples(entry: dict[str, Any]) -> dict[str, Any]:
    return {k: tuple(v) if isinstance(v, list) else v for k, v in entry.items()}


def words(text: str) -> list[str]:
    """The text in pieces of one word with the space before it, as models send it."""
    return re.findall(r"\s*\S+|\s+$", text)


_SOURCE = re.compile(r"<source[\w-]*\s[^>]*?\bid=\"(\d+)\"[^>]*>\s*(.*?)</source", re.S)
_SENTENCE = re.compile(r"[^.!?\n]{20,300}[.!?]")
_ORDER = re.compile(
    r"(?is)(?:ignore (?:all|the|any)|instead,?|please|must|reply with|print|say|include|add|insert|"
    r"output|write)\b[^\n]*"
)


def sources_in(prompt: str) -> dict[int, str]:
    """The numbered sources of a prompt of ours: number to text."""
    return {int(number): text for number, text in _SOURCE.findall(prompt)}


def quoting(prompt: str, most: int = 3) -> str:
    """A sentence of each of the first `most` sources, with its mark."""
    quotes = []
    for number, text in list(sources_in(prompt).items())[:most]:
        found = _SENTENCE.search(text)
        quote = " ".join((found.group() if found else text[:200]).split())
        quotes.append(f"{quote} [Source {number}]")
    return " ".join(quotes) or "I was given no sources."


def obeying(prompt: str) -> str:
    """All that the sources say, word for word, orders and addresses included."""
    texts = sources_in(prompt).values()
    orders = [order.group().strip() for text in texts for order in _ORDER.finditer(text)]
    return "\n\n".join(["As ordered:", *orders, *texts])
