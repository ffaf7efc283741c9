"""What is exported, and what a format of export is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, tzinfo

from core.types import Citation, Conversation, Evidence, Message


@dataclass(frozen=True, slots=True)
class Exported:
    """A conversation, or one of its answers: then `messages` are that answer and its question.

    `open_evidence` opens a citation, for the formats that show the page; it may take a second.
    Days are those of `zone`.
    """

    conversation: Conversation
    messages: Sequence[Message]
    open_evidence: Callable[[Citation], Evidence]
    zone: tzinfo = UTC


@dataclass(frozen=True, slots=True)
class Form:
    """A format: its name and what is in it for people, and what writes the file."""

    label: str
    about: str
    suffix: str
    media_type: str
    write: Callable[[Exported], bytes]
