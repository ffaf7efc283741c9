"""What one browser tab remembers, with its types: the only reader and writer of session state.

What must survive a reload is in the catalogue; here is only what a person has open. Ids in the
address are looked up through the owner, so that a copied address opens nothing of anybody else.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.access.uploads import admitted_pages
from core.errors import NotFound
from core.types import Citation, Evidence, Matches, Person
from core.ui.shell.context import PageContext
from core.ui.shell.document_search import Search

if TYPE_CHECKING:
    from streamlit.typing import UploadedFile

    from core.service import Service

COOKIE = "footnote_owner"
_KEPT_EVIDENCE = 6
_DEAD_LINK = "dead-link"
_LINKED = "linked-citation"
_IN_ADDRESS = ("answer", "citation")


@dataclass(frozen=True, slots=True)
class Opened:
    """The source that is open: in which sheet, which one, and how many pages turned from it.

    `use` is the mark of the answer that opened it, counted from 0; None is the source itself.
    """

    sheet: str
    group: str
    index: int
    turned: int = 0
    use: int | None = None
    search: Search | None = None

    @property
    def name(self) -> str:
        """As the sheet's JavaScript calls it."""
        return f"{self.group}-{self.index}"


@dataclass(frozen=True, slots=True)
class CitationLink:
    """A citation that the address names: its number, and the message's id of its answer.

    0 is what the address does not say, or not as a number.
    """

    citation: int
    answer: int = 0


def page_service() -> Service:
    """The service of this process."""
    from core.service import default_service  # brings the storage: only when a page runs

    return default_service()


def open_context(service: Service, person: Person | None = None) -> PageContext:
    """The service and the session of the person who looks at this page, else of this browser."""
    owner = person.id if person else service.owners.for_token(browser_token())
    sessions = service.sessions.list(owner)
    own = [session for session in sessions if not session.shared_by]
    if not own:  # nobody else decides where somebody lands
        own = [service.sessions.create(owner)]
        sessions = [*own, *sessions]
    linked = st.query_params.get("session")
    wanted = st.session_state.get("session_id") or linked
    session = next((s for s in sessions if s.id == wanted), own[0])
    if wanted == linked and linked and session.id != linked:
        st.session_state[_DEAD_LINK] = True
    remember_session(session.id)
    return PageContext(service, session, tuple(sessions), person)


def open_another_session(context: PageContext) -> None:
    """Open another session than the one that is open: it is gone for this person."""
    left = [other for other in context.sessions if other.id != context.session.id]
    others = [other for other in left if not other.shared_by]
    following = others[0] if others else context.service.sessions.create(context.session.viewer_id)
    remember_session(following.id)


def remember_session(session_id: str) -> None:
    """Make a session the open one of this tab; another session has other conversations."""
    if st.session_state.get("session_id") not in (None, session_id):
        forget_conversation()
        forget_evidence()
    st.session_state["session_id"] = session_id
    if st.query_params.get("session") != session_id:  # each change of the address is a message
        st.query_params["session"] = session_id


def address() -> dict[str, str]:
    """What the address of each page names, to be part of links between them.

    Otherwise a page that is gone to has to put it there, and Streamlit draws the page again.
    """
    return {"session": str(st.session_state["session_id"])}


def conversation_id(context: PageContext) -> str | None:
    """The conversation that is open, if it is one of this session."""
    linked = st.query_params.get("conversation")
    wanted = linked or st.session_state.get("conversation_id")
    if not isinstance(wanted, str) or not wanted:
        return None
    try:
        found = context.service.conversations.get(context.session, wanted)
    except NotFound:
        if linked:
            st.session_state[_DEAD_LINK] = True
        forget_conversation()
        return None
    if found.id != st.session_state.get("conversation_id"):
        _note_linked_citation()
    remember_conversation(found.id)
    return found.id


def _note_linked_citation() -> None:
    """Keep what the address names until the conversation is drawn."""
    if "citation" in st.query_params:
        answer, citation = (_whole(st.query_params.get(name, "")) for name in _IN_ADDRESS)
        st.session_state[_LINKED] = CitationLink(citation, answer)


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else 0


def take_linked_citation() -> CitationLink | None:
    """The citation that the address named when it was opened; given once."""
    found = st.session_state.pop(_LINKED, None)
    return found if isinstance(found, CitationLink) else None


def put_in_address(link: CitationLink | None) -> None:
    """Have the address of the page name the citation that is open, or none."""
    for name in _IN_ADDRESS:
        value = str(getattr(link, name)) if link else None
        if value is None:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != value:
            st.query_params[name] = value


def take_dead_link() -> bool:
    """Whether the address of the page names what this person cannot open; True once."""
    return bool(st.session_state.pop(_DEAD_LINK, False))


def remember_conversation(conversation: str) -> None:
    """Make a conversation the open one of this tab."""
    if st.session_state.get("conversation_id") != conversation:
        close_evidence()
    st.session_state["conversation_id"] = conversation
    if st.query_params.get("conversation") != conversation:
        st.query_params["conversation"] = conversation


def forget_conversation() -> None:
    """Have no conversation open: the next question begins a new one."""
    close_evidence()
    st.session_state.pop("conversation_id", None)
    st.query_params.pop("conversation", None)


def opened(sheet: str | None = None) -> Opened | None:
    """The source that is open, in this sheet or in any."""
    found = st.session_state.get("opened")
    if not isinstance(found, Opened) or (sheet is not None and found.sheet != sheet):
        return None
    return found


def open_evidence(
    sheet: str, group: str, index: int, use: int | None = None, *, toggle: bool = True
) -> None:
    """Open a source; the one that is open is closed by opening it again, if it is a toggle."""
    now, wanted = opened(sheet), Opened(sheet, group, index, use=use)
    if now == wanted and toggle:
        close_evidence()
    else:
        st.session_state["opened"] = wanted


def turn_page(sheet: str, delta: int) -> None:
    """Go to another page of the document that is open."""
    if now := opened(sheet):
        st.session_state["opened"] = replace(now, turned=now.turned + delta)


def find_in_document(sheet: str, words: str, matches: Matches, cited: int) -> None:
    """Show the first match from the page that is open on; `cited` is the citation's page."""
    if now := opened(sheet):
        here = cited + now.turned
        at = next((n for n, one in enumerate(matches.places) if one.page_ordinal >= here), 0)
        _show(now, Search(words, matches, at), cited)


def next_match(sheet: str, delta: int, cited: int) -> None:
    """Go to another match of the search; the first follows on the last."""
    now = opened(sheet)
    if now and now.search and (count := len(now.search.matches.places)):
        _show(now, replace(now.search, at=(now.search.at + delta) % count), cited)


def _show(now: Opened, search: Search, cited: int) -> None:
    turned = search.place.page_ordinal - cited if search.place else now.turned
    st.session_state["opened"] = replace(now, turned=turned, search=search)


def close_search(sheet: str) -> None:
    """Go back from a search to the citation."""
    if now := opened(sheet):
        st.session_state["opened"] = replace(now, turned=0, search=None)


def close_evidence() -> None:
    """Have no source open."""
    st.session_state.pop("opened", None)
    put_in_address(None)


def evidence(
    context: PageContext,
    citation: Citation,
    turned: int,
    claim: Sequence[tuple[int, int]] = (),
    search: Search | None = None,
) -> Evidence:
    """The place of a citation, or a page near it; the last few are kept, as pages cost time.

    `claim` are the spans of the citation to set off.
    """
    kept: dict[tuple[object, ...], Evidence] = st.session_state.setdefault("evidence", {})
    place = (context.session.id, citation.document_id, citation.page_ordinal + turned)
    found = search.on_page(place[2]) if search else ()
    key = (*place, found, *((citation.start, citation.end, *claim) if not turned else ()))
    if key in kept:
        return kept[key]
    documents = context.service.documents
    there = (
        documents.page_evidence(context.session, citation.document_id, place[2], found)
        if turned
        else documents.evidence(context.session, citation, claim, found)
    )
    if not there.retry_after:  # what is busy is tried again at the next look
        while len(kept) >= _KEPT_EVIDENCE:
            del kept[next(iter(kept))]
        kept[key] = there
    if there.image:  # whoever reads a page turns to the next one, or back
        documents.draw_ahead(
            context.session, [(citation.document_id, at) for at in reversed(there.neighbours)]
        )
    return there


def forget_evidence() -> None:
    """Keep nothing of documents that are gone."""
    close_evidence()
    st.session_state.pop("evidence", None)


def free_upload(file: UploadedFile) -> None:
    """Give back the memory of an upload that has been taken in; its box may stay as it is."""
    run = get_script_run_ctx()
    if run is not None and isinstance(run.uploaded_file_mgr, MemoryUploadedFileManager):
        run.uploaded_file_mgr.remove_file(run.session_id, file.file_id)


def held_uploads() -> dict[str, int]:
    """What open pages hold in memory of uploads, in bytes by page."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    if not isinstance(manager, MemoryUploadedFileManager):
        return {}
    pages = list(manager.file_storage.items())
    return {page: sum(len(file.data) for file in list(files.values())) for page, files in pages}


def allow_uploads(allowed: bool) -> None:
    """Let this page send files, or no more: somebody has signed in, or out."""
    run = get_script_run_ctx()
    if run is not None:
        (admitted_pages.admit if allowed else admitted_pages.dismiss)(run.session_id)


def number(name: str) -> int:
    """A counter of this tab; a widget whose key has it is emptied by `advance`."""
    value = st.session_state.get(f"number-{name}", 0)
    return value if isinstance(value, int) else 0


def advance(name: str) -> None:
    """Count one up."""
    st.session_state[f"number-{name}"] = number(name) + 1


def is_recognised() -> bool:
    """Whether the browser sent its token, by which it finds its sessions again."""
    return bool(st.context.cookies.get(COOKIE))


def browser_token() -> str:
    """The token of this browser, from the cookie that the server set.

    Without the server in front (a page run by itself) the tab gets a token of its own, which
    lasts as long as the tab.
    """
    cookie = st.context.cookies.get(COOKIE)
    if isinstance(cookie, str) and cookie:
        return cookie
    if "token" not in st.session_state:
        st.session_state["token"] = secrets.token_urlsafe(32)
    return str(st.session_state["token"])
