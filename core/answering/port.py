"""The port of what writes an answer: a language model, or quotes from the sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from core.types import Event, Message, SearchResult


class Answerer(Protocol):
    """Yields events while the answer is written, the last of which is exactly one `Answer`.

    `searched` is the number of documents and of chunks that were searched; a refusal names them.
    """

    name: str

    def answer(
        self,
        question: str,
        result: SearchResult,
        history: Sequence[Message] = (),
        *,
        searched: tuple[int, int] = (0, 0),
    ) -> Iterator[Event]:
        """Answer `question` from the hits of `result`."""
        ...
