"""The room of shared answers: what people show of their conversations to all in the session."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.access import roles
from core.access.roles import guarded
from core.errors import ConversationNotFound, NotFound
from core.ids import checked_uuid
from core.library.conversations import one_answer
from core.storage.catalogue import Catalogue
from core.types import Answer, Session, SharedAnswer

_CARRIED_OVER = "words-carried-over"
"""The notice of a question that points back; it has words of the one before."""


@guarded("shared_answers")
@dataclass(frozen=True)
class SharedAnswers:
    """Answers that their authors show to everybody who may see the session's documents.

    A conversation stays its person's own: what is shared is one answer with its question and its
    sources, as long as that person wants, and no longer than it exists. Methods with an id raise
    `NotFound`.
    """

    catalogue: Catalogue

    def share(self, session: Session, conversation_id: str, message_id: int) -> SharedAnswer:
        """Show an answer of the viewer's own; once more, it keeps its id."""
        talk = self.catalogue.conversations.get(
            session.id, checked_uuid(conversation_id), session.viewer_id
        )
        if talk is None:
            raise ConversationNotFound("There is no such conversation in this session.")
        *before, message = one_answer(
            self.catalogue.conversations.messages(session.id, talk.id), message_id
        )
        answer = message.answer
        question = before[0].text if before else answer.question if answer else ""
        return self.get(
            session, self.catalogue.shared_answers.add(session.id, message_id, question)
        )

    def get(self, session: Session, shared_id: str) -> SharedAnswer:
        """Return a shared answer with its sources, without what shows the rest of the talk."""
        found = self.catalogue.shared_answers.get(
            session.id, checked_uuid(shared_id), session.viewer_id
        )
        if found is None or found.answer is None:
            raise NotFound(
                "There is no such answer in this session, or it is no longer shared.",
                "Ask who sent the link to share it again.",
            )
        return replace(found, answer=_alone(found.answer, found.question))

    def end(self, session: Session, shared_id: str) -> None:
        """Share an answer no longer: one's own, and for an admin anybody's in the session.

        Raises `NotAllowed` for who is neither.
        """
        found = self.get(session, shared_id)
        if not found.mine:
            roles.check(session, roles.END_SHARING, self.catalogue.sharing)
        self.catalogue.shared_answers.remove(found.id)

    # Last, as its name hides the built-in one from the annotations below it.
    def list(self, session: Session) -> list[SharedAnswer]:
        """Return what is shared in the session, the last first."""
        return self.catalogue.shared_answers.list(session.id, session.viewer_id)


def _alone(answer: Answer, question: str) -> Answer:
    """The answer without how its question was understood, which repeats what was said before it."""
    refused = answer.abstention
    return replace(
        answer,
        question=question,
        search=None,
        prompt="",
        abstention=replace(refused, queries=()) if refused else None,
        notices=tuple(notice for notice in answer.notices if notice.code != _CARRIED_OVER),
    )
