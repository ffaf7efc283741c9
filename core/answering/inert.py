"""Answers as they leave this program: nothing in their Markdown is live, and all offsets hold."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from core.text.inert import InertStream, inert
from core.types import Answer, Event, TextPiece


def inert_answer(answer: Answer) -> Answer:
    """The answer with inert text; claims and highlights span the same words in it."""
    stream = InertStream()
    text = stream.feed(answer.text) + stream.finish()

    def moved(offset: int) -> int:
        return offset + bisect_left(stream.inserted, offset)

    return replace(
        answer,
        text=text,
        claims=tuple(
            replace(
                claim,
                start=moved(claim.start),
                end=moved(claim.end),
                reason=inert(claim.reason),  # may quote a source
            )
            for claim in answer.claims
        ),
        highlights=tuple((moved(start), moved(end)) for start, end in answer.highlights),
    )


def inert_events(events: Iterator[Event]) -> Iterator[Event]:
    """The events of an answer with inert text: its pieces are together what the answer says."""
    stream = InertStream()
    for event in events:
        match event:
            case TextPiece(withdraws=True):
                stream = InertStream()
                yield TextPiece(stream.feed(event.text), withdraws=True)
            case TextPiece():
                if text := stream.feed(event.text):
                    yield TextPiece(text)
            case Answer():
                if text := stream.finish():
                    yield TextPiece(text)
                yield inert_answer(event)
            case _:
                yield event
