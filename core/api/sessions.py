"""Sessions and their conversations."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from core.access.callers import sessions_for
from core.answering.exports.registry import FORMS, FormName
from core.api.auth import CallerDep, ServiceDep, SessionDep
from core.api.models import (
    UUID,
    ConversationChange,
    NewConversation,
    NewName,
    NewSession,
    PresetChoice,
)
from core.api.replies import (
    ConversationOut,
    ConversationsOut,
    ConversationWhole,
    CountOut,
    IndexingOut,
    SessionOut,
    SessionsOut,
)

router = APIRouter(tags=["Sessions"])
ConversationId = Annotated[str, Path(pattern=UUID, description="The id of a conversation.")]


@router.get("/sessions")
def list_sessions(caller: CallerDep, service: ServiceDep) -> SessionsOut:
    """Your sessions and those that others share with you, the one used last first."""
    found = sessions_for(service, caller)
    return SessionsOut(sessions=[SessionOut.model_validate(s) for s in found])


@router.post("/sessions", status_code=201)
def create_session(body: NewSession, caller: CallerDep, service: ServiceDep) -> SessionOut:
    """Make a new, empty session."""
    caller.check_making()
    made = service.sessions.create(
        caller.owner_id,
        body.name,
        body.preset,
        embedding_model=body.embedding_model,
        reranker_model=body.reranker_model,
    )
    return SessionOut.model_validate(made)


@router.get("/sessions/{session_id}")
def read_session(session: SessionDep) -> SessionOut:
    """One session."""
    return SessionOut.model_validate(session)


@router.patch("/sessions/{session_id}")
def rename_session(body: NewName, session: SessionDep, service: ServiceDep) -> SessionOut:
    """Give a session another name."""
    return SessionOut.model_validate(service.sessions.rename(session, body.name))


@router.get("/sessions/{session_id}/preset")
def read_preset(session: SessionDep, service: ServiceDep) -> IndexingOut:
    """The preset of a session, and how far its documents are indexed for it."""
    return IndexingOut.model_validate(service.sessions.indexing(session))


@router.put("/sessions/{session_id}/preset")
def choose_preset(body: PresetChoice, session: SessionDep, service: ServiceDep) -> IndexingOut:
    """Choose a preset; the documents are indexed for it, and searched as before meanwhile."""
    service.sessions.choose_preset(
        session,
        body.preset,
        body.beside,
        embedding_model=body.embedding_model,
        reranker_model=body.reranker_model,
    )
    return IndexingOut.model_validate(service.sessions.indexing(session))


@router.delete("/sessions/{session_id}", status_code=204)
def delete_session(session: SessionDep, caller: CallerDep, service: ServiceDep) -> Response:
    """Delete a session with every byte of its documents and conversations."""
    caller.check_whole()
    service.sessions.delete(session)
    return Response(status_code=204)


@router.post("/sessions/{session_id}/stop")
def stop(session: SessionDep, service: ServiceDep) -> CountOut:
    """Stop reading documents; what is not ready waits until it is resumed."""
    return CountOut(count=service.documents.stop(session))


@router.post("/sessions/{session_id}/resume")
def resume(session: SessionDep, service: ServiceDep) -> CountOut:
    """Go on reading the documents that were stopped."""
    return CountOut(count=service.documents.resume(session))


# ---------------------------------------------------------------------------- conversations


@router.get("/sessions/{session_id}/conversations")
def list_conversations(
    session: SessionDep,
    service: ServiceDep,
    words: Annotated[
        str, Query(max_length=200, description="Only those whose title or texts have all of them.")
    ] = "",
) -> ConversationsOut:
    """The conversations of a session, the one used last first."""
    if words.strip():
        hits = service.conversations.search(session, words)
        found = [hit.conversation for hit in hits]
    else:
        found = service.conversations.list(session)
    return ConversationsOut(conversations=[ConversationOut.model_validate(c) for c in found])


@router.post("/sessions/{session_id}/conversations", status_code=201)
def create_conversation(
    body: NewConversation, session: SessionDep, service: ServiceDep
) -> ConversationOut:
    """Begin a conversation; give its id with a question to continue it."""
    return ConversationOut.model_validate(service.conversations.create(session, body.title))


@router.get("/sessions/{session_id}/conversations/{conversation_id}")
def read_conversation(
    conversation_id: ConversationId, session: SessionDep, service: ServiceDep
) -> ConversationWhole:
    """A conversation with its messages, oldest first."""
    found = service.conversations.get(session, conversation_id)
    return ConversationWhole.of(found, service.conversations.messages(session, found.id))


@router.patch("/sessions/{session_id}/conversations/{conversation_id}")
def change_conversation(
    body: ConversationChange,
    conversation_id: ConversationId,
    session: SessionDep,
    service: ServiceDep,
) -> ConversationOut:
    """Give a conversation another title, or pin it."""
    if body.title is not None:
        service.conversations.rename(session, conversation_id, body.title)
    if body.pinned is not None:
        service.conversations.pin(session, conversation_id, body.pinned)
    return ConversationOut.model_validate(service.conversations.get(session, conversation_id))


@router.delete("/sessions/{session_id}/conversations/{conversation_id}", status_code=204)
def delete_conversation(
    conversation_id: ConversationId, session: SessionDep, service: ServiceDep
) -> Response:
    """Delete a conversation with its messages."""
    service.conversations.delete(session, conversation_id)
    return Response(status_code=204)


@router.get(
    "/sessions/{session_id}/conversations/{conversation_id}/export",
    response_class=Response,
    responses={
        200: {
            "description": "The conversation with its sources.",
            "content": {
                form.media_type.partition(";")[0]: {"schema": {"type": "string"}}
                for form in FORMS.values()
            },
        }
    },
)
def export_conversation(
    conversation_id: ConversationId,
    session: SessionDep,
    service: ServiceDep,
    form: Annotated[FormName, Query(alias="format")] = "markdown",
    message: Annotated[int | None, Query(ge=1, description="One answer alone, by its id.")] = None,
) -> Response:
    """A conversation, or one answer of it, with its sources, to keep or to pass on."""
    data = service.conversations.export(session, conversation_id, form, message)
    kind = FORMS[form]
    saved = {"Content-Disposition": f'attachment; filename="conversation.{kind.suffix}"'}
    return Response(data, media_type=kind.media_type, headers=saved)
