"""Who may do what in a session: the one place that says so, and that sees to it.

A session belongs to the owner who made it, and can be shared with readers, editors and admins.
`LEAST` says for every method of the service which role it takes at least. `guarded` puts that
check before each method, so that pages, REST and MCP cannot get past it; a method that is in no
table here ends the program when its class is made. Pages ask `may` for what to offer.

Conversations are private: each belongs to the person who asks in it, whatever others' roles.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from core.errors import NotAllowed, SessionNotFound
from core.types import AskRequest, Role, Session

_BY_ROLE: Mapping[Role, str] = {
    # Look, search, and ask in conversations of one's own.
    Role.READER: """
        search ask ask_again
        sessions.preferences sessions.search_options sessions.preset
        sessions.indexing
        models.choose
        documents.list documents.get documents.pages documents.page documents.chunks
        documents.original documents.read_pages documents.searched documents.suggestions
        documents.suggestions_after documents.evidence documents.page_evidence documents.find
        documents.draw_ahead
        conversations.list conversations.get conversations.messages conversations.create
        conversations.rename conversations.delete conversations.export conversations.check
        conversations.search conversations.pin conversations.is_left conversations.stop
        shared_answers.share shared_answers.get shared_answers.list shared_answers.end
        collecting.runs collecting.run collecting.outcome collecting.stored collecting.browse
        evaluations.sets evaluations.items evaluations.unknown_documents evaluations.runs
        evaluations.run evaluations.unfinished_run evaluations.results evaluations.whole_results
        evaluations.result evaluations.compare evaluations.marks evaluations.operations
        evaluations.thumbs.give evaluations.thumbs.of evaluations.thumbs.golden_items
        people.leave
    """,
    # Change what is in it, what is searched and how, and measure that.
    Role.EDITOR: """
        sessions.set_preferences sessions.choose_preset
        documents.add_file documents.add_urls documents.add_loaded documents.load_samples
        documents.create_job documents.retry documents.remove documents.stop documents.resume
        documents.set_searched documents.set_all_searched documents.retry_all documents.unlock
        documents.tag documents.keep_page documents.remove_all
        collecting.preview collecting.start collecting.again collecting.pause collecting.stop
        collecting.resume collecting.schedule collecting.forget collecting.keep_upload
        collecting.start_documentation
        evaluations.upload evaluations.save_set evaluations.delete_set evaluations.generate
        evaluations.making evaluations.add_run evaluations.start_run evaluations.start_matrix
        evaluations.stop_run evaluations.resume_run evaluations.delete_run evaluations.set_mark
        evaluations.start_talks evaluations.talking evaluations.score_answers
    """,
    # Decide on the session itself.
    Role.ADMIN: """
        sessions.rename sessions.delete people.members people.share people.unshare
    """,
}

LEAST: Mapping[str, Role] = {
    name: role for role, names in _BY_ROLE.items() for name in names.split()
}
"""The least role for each method that takes a session or a request in one, with its room."""

LIVE_WEB = Role.EDITOR
"""For questions that search the web: what is read becomes part of what everybody searches."""

ERASE_ANSWERS = Role.ADMIN
"""For erasing the answers that quote a document: those of others in the session go as well."""

END_SHARING = Role.ADMIN
"""For ending what others share of their answers in the session."""

KEYS = Role.ADMIN
"""For keys that open this one session."""

NO_SESSION = frozenset(
    """
    warm_up ready wait_ready close health check_web_search check_watch figures
    may_maintain retriever
    owners.for_token owners.known owners.local keys.create keys.list keys.revoke keys.owner_of
    sessions.create sessions.get sessions.list documents.job documents.spool
    models.list models.pull models.offers collecting.dumps collecting.begin collecting.end
    collecting.take_over collecting.leave collecting.erase evaluations.erase evaluations.close
    people.sign_in people.sign_out people.of_browser people.take_over
    people.invitations people.accept people.decline
    """.split()
)
"""Methods that take no session: of the process, or of one person whatever their sessions."""

T = TypeVar("T")


class Sharing(Protocol):
    """Where the present roles are found."""

    def role(self, owner_id: str, session_id: str) -> Role | None: ...


def may(session: Session, method: str) -> bool:
    """Return whether the viewer of this session may call a method ("ask", "documents.add_file")."""
    return session.role.covers(LEAST[method])


def check(session: Session, least: Role, sharing: Sharing) -> None:
    """Raise `NotAllowed` for a role that is not enough, as it is now and not when it was looked up.

    Raises `SessionNotFound` for whom the session is no longer shared with.
    """
    role = session.role
    if session.viewer_id != session.owner_id:
        now = sharing.role(session.viewer_id, session.id)
        if now is None:
            raise SessionNotFound("There is no such session.")
        role = lesser(role, now)
    need(role, least)


def need(role: Role, least: Role) -> None:
    """Raise `NotAllowed` where a role may less than `least`."""
    if not role.covers(least):
        raise NotAllowed(
            f"This takes the role {least} in the session, and yours is {role}.",
            "Ask an admin of the session for that role. A key may have less than its maker.",
        )


def lesser(one: Role, other: Role) -> Role:
    """The role that may less."""
    return other if one.covers(other) else one


def narrowed(session: Session, most: Role) -> Session:
    """The session in hands that may no more than `most`."""
    return replace(session, role=lesser(session.role, most))


def guarded(room: str) -> Callable[[type[T]], type[T]]:
    """A decorator of classes: each public method is checked before it is done.

    `room` is where the service has the class ("" is the service itself). Its instances have
    a `catalogue`. Raises `LookupError` for a method that is in neither table.
    """

    def decorated(kind: type[T]) -> type[T]:
        for name, method in inspect.getmembers(kind, inspect.isfunction):
            whole = f"{room}.{name}" if room else name
            if name.startswith("_") or whole in NO_SESSION:
                continue
            if whole not in LEAST:
                raise LookupError(f"core/access/roles.py does not say who may {whole}")
            setattr(kind, name, _checked(method, LEAST[whole]))
        return kind

    return decorated


def _checked(method: Callable[..., Any], least: Role) -> Callable[..., Any]:
    subject_name = list(inspect.signature(method).parameters)[1]

    @functools.wraps(method)
    def checked(self: Any, *args: Any, **named: Any) -> Any:
        subject: Session | AskRequest = args[0] if args else named[subject_name]
        session = subject.session if isinstance(subject, AskRequest) else subject
        check(session, least, self.catalogue.sharing)
        return method(self, *args, **named)

    return checked
