"""The room of conversations: each belongs to the person who asks in it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo

from core.access.roles import guarded
from core.answering.exports.port import Exported
from core.answering.exports.registry import FORMS, FormName
from core.errors import ConversationNotFound, NotFound
from core.ids import checked_uuid
from core.maintenance.claims import PATIENCE
from core.storage.catalogue import Catalogue
from core.text.markdown_quoting import collapse
from core.text.names import clean_title
from core.types import (
    Check,
    Citation,
    Conversation,
    ConversationHit,
    Evidence,
    Message,
    Session,
)

LONGEST_NOTE = 500
"""Characters of a note to a citation."""
_EXCERPT = 80
"""Characters of a text that are shown of a search; fewer at its ends."""
_BEFORE = 24


@guarded("conversations")
@dataclass(frozen=True)
class Conversations:
    """The viewer's own conversations. Methods with an id raise `ConversationNotFound`."""

    catalogue: Catalogue
    open_evidence: Callable[[Session, Citation], Evidence]

    def create(self, session: Session, title: str) -> Conversation:
        """Add a conversation, named after its first question."""
        short = " ".join(title.split())[:80] or "New conversation"
        return self.catalogue.conversations.create(session.id, short, session.viewer_id)

    def get(self, session: Session, conversation_id: str) -> Conversation:
        """Return one conversation."""
        found = self.catalogue.conversations.get(
            session.id, checked_uuid(conversation_id), session.viewer_id
        )
        if found is None:
            raise ConversationNotFound("There is no such conversation in this session.")
        return found

    def messages(self, session: Session, conversation_id: str) -> list[Message]:
        """Return its questions and answers, oldest first."""
        found = self.get(session, conversation_id)
        return self.catalogue.conversations.messages(session.id, found.id)

    def is_left(self, session: Session, message: Message) -> bool:
        """Return whether a question waits for another process, and that has ended.

        It takes some seconds of asking again until that is certain.
        """
        return message.asked is not None and self.catalogue.conversations.is_left(message, PATIENCE)

    def stop(self, session: Session, conversation_id: str) -> None:
        """Note that a person stopped the answer that is being written.

        What is there then is kept by its process; if that ends before, no other one goes on.
        """
        said = self.messages(session, conversation_id)
        if said and said[-1].asked is not None:
            self.catalogue.conversations.release(said[-1])

    def rename(self, session: Session, conversation_id: str, title: str) -> None:
        """Change the title."""
        found = self.get(session, conversation_id)
        self.catalogue.conversations.rename(session.id, found.id, clean_title(title))

    def pin(self, session: Session, conversation_id: str, pinned: bool) -> None:
        """Keep a conversation at the top of the list, or no more."""
        found = self.get(session, conversation_id)
        self.catalogue.conversations.pin(session.id, found.id, pinned)

    def delete(self, session: Session, conversation_id: str) -> None:
        """Delete a conversation with its messages."""
        found = self.get(session, conversation_id)
        self.catalogue.conversations.delete(session.id, found.id)

    def search(self, session: Session, words: str) -> Sequence[ConversationHit]:
        """Return the conversations whose title or texts have all the words, last used first.

        Words are found in any case, and within longer ones; without any word nothing is found.
        """
        wanted = [_folded(word) for word in words.split()]
        if not wanted:
            return []
        texts = self.catalogue.conversations.texts(session.id, session.viewer_id)
        hits = []
        for one in self.list(session):
            said = texts.get(one.id, ())
            whole = _folded("\n".join((one.title, *said)))
            if all(word in whole for word in wanted):
                hits.append(ConversationHit(one, _excerpt(said, wanted)))
        return hits

    def check(self, session: Session, conversation_id: str, message_id: int, check: Check) -> None:
        """Keep what the viewer found on checking a citation of an answer. Raises `NotFound`."""
        found = self.get(session, conversation_id)
        short = replace(check, note=" ".join(check.note.split())[:LONGEST_NOTE])
        self.catalogue.conversations.check(session.id, found.id, message_id, short)

    def export(
        self,
        session: Session,
        conversation_id: str,
        form: FormName = "markdown",
        message_id: int | None = None,
        zone: tzinfo = UTC,
    ) -> bytes:
        """Return a conversation as a file, or one of its answers with the question.

        Its days are those of `zone`. Raises `NotFound` where the conversation has no such answer.
        """
        found = self.get(session, conversation_id)
        said = self.messages(session, conversation_id)
        messages = said if message_id is None else one_answer(said, message_id)
        opened = Exported(
            found, messages, lambda citation: self.open_evidence(session, citation), zone
        )
        return FORMS[form].write(opened)

    # Last, as its name hides the built-in one from the annotations below it.
    def list(self, session: Session) -> list[Conversation]:
        """Return the conversations in a session, last used first."""
        return self.catalogue.conversations.list(session.id, session.viewer_id)


def one_answer(messages: Sequence[Message], message_id: int) -> Sequence[Message]:
    """Return an answer, after the question that stands before it. Raises `NotFound`."""
    at = next((at for at, one in enumerate(messages) if one.id == message_id and one.answer), None)
    if at is None:
        raise NotFound("There is no such answer in this conversation.")
    asked = at > 0 and messages[at - 1].role == "user"
    return messages[at - asked : at + 1]


def _folded(text: str) -> str:
    """Text in which any case and any width of its letters are the same."""
    return unicodedata.normalize("NFKC", text).casefold()


def _excerpt(texts: Sequence[str], wanted: Sequence[str]) -> str:
    """A stretch of the first text with one of the words, around that word."""
    for text in texts:
        line = collapse(unicodedata.normalize("NFKC", text))
        places = [at for word in wanted if (at := line.casefold().find(word)) >= 0]
        if places:
            start = max(0, min(places) - _BEFORE)
            start = line.rfind(" ", 0, start) + 1 if start else 0
            cut = line[start : start + _EXCERPT]
            more = "…" if start + _EXCERPT < len(line) else ""
            return f"{'…' if start else ''}{cut}{more}"
    return ""
