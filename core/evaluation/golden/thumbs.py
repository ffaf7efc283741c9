"""Thumbs under answers of the chat, and the golden set made from them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.access.roles import guarded
from core.citations.mark import plain_words
from core.evaluation.golden.sets import GoldenItem, GoldenSource
from core.evaluation.runs.store import dump_item, load_item
from core.storage.catalogue import Catalogue
from core.types import Answer, Message, Session

SET_NAME = "From the chat"
_LONGEST_REASON = 2_000


@dataclass(frozen=True, slots=True)
class Thumb:
    """A person's opinion of an answer of the chat, with the reason."""

    message_id: int
    up: bool
    reason: str
    item: GoldenItem


@guarded("evaluations.thumbs")
class Thumbs:
    """The thumbs of sessions; those of a conversation are visible only to its owner."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    def give(
        self, session: Session, message: Message, question: str, up: bool, reason: str = ""
    ) -> None:
        """Store a thumb under an answer, replacing an earlier one. Raises `NotFound`."""
        reason = reason.strip()[:_LONGEST_REASON]
        item = item_of_answer(message, question, up, reason)
        self.catalogue.thumbs.set(
            session.id, message.id, up, reason, dump_item(item), session.viewer_id
        )

    def of(self, session: Session, message_id: int) -> Thumb | None:
        """Return the thumb under one answer."""
        row = self.catalogue.thumbs.get(session.id, message_id, session.viewer_id)
        if row is None:
            return None
        return Thumb(message_id, row["up"], row["reason"], load_item(row["item"]))

    def golden_items(self, session: Session) -> list[GoldenItem]:
        """Return an item for each thumb: liked answers with their citations are expected."""
        given = self.catalogue.thumbs.list(session.id, session.viewer_id)
        return [load_item(row["item"]) for row in given]


def item_of_answer(message: Message, question: str, up: bool, reason: str) -> GoldenItem:
    """Return the golden item of a thumb.

    Up: the answer and its places are expected; for a refusal, the question is unanswerable.
    Down: only the question, for a person to add the right answer in the page.
    """
    tag = "thumbs up" if up else "thumbs down"
    item = GoldenItem(f"chat-{message.id}", question, tags=("chat", tag), context=reason)
    item = replace(item, origin="chat")
    answer = message.answer
    if answer is None or not up:
        return item
    if answer.abstention is not None:
        return replace(item, answerable=False)
    return replace(item, answers=(plain_words(answer.text),), sources=_sources(answer))


def _sources(answer: Answer) -> tuple[GoldenSource, ...]:
    return tuple(
        GoldenSource(one.label, one.page_number, one.anchor, one.quote) for one in answer.citations
    )
