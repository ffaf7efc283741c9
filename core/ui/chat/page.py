"""Questions and answers of the Chat page."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Literal

import streamlit as st
from streamlit.typing import ChatInputValue, UploadedFile

from core.answering.routes.silence import BEING_READ, LEFT_OUT, NOT_READ
from core.answering.routes.smalltalk import said_before_suggestions
from core.citations.uses import uses
from core.errors import AppError, Interrupted
from core.retrieval.at_names import addressed
from core.step_text import step_text
from core.types import (
    Answer,
    AskRequest,
    Level,
    Message,
    ModelChoice,
    Notice,
    QueryOptions,
    Scope,
    Step,
)
from core.ui.answer import views
from core.ui.answer.search_view import EFFORTS
from core.ui.answer.sheet import show_sheet
from core.ui.chat.background import Run, runs
from core.ui.chat.effort_switch import current_level, show_effort_switch
from core.ui.chat.exports import ask_for_export, show_export_if_asked
from core.ui.chat.first_documents import (
    being_read,
    show_first_step,
    show_reading,
    show_way_to_documents,
)
from core.ui.chat.language_model import context_meter, spent_line
from core.ui.chat.review import keep_check, show_review
from core.ui.chat.scope_picker import (
    offers_scope,
    repeat_scope,
    show_scope_picker,
    take_scope,
)
from core.ui.chat.shared_answers import ask_to_share, offers_sharing, show_sharing_if_asked
from core.ui.chat.suggestions import ask_next, show_suggestions
from core.ui.chat.thumbs import show_thumbs
from core.ui.chat.web_switch import show_web_switch, with_web
from core.ui.documents.upload import add_files, show_added
from core.ui.shell import state
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_error, show_errors
from core.ui.shell.escaping import escape_markdown
from core.ui.shell.formatting import count
from core.ui.shell.time_zone import browser_zone
from core.ui.web.components import draw_desk, draw_sheet

LONGEST_QUESTION = 4_000
_ASK_NEXT = 3
"""Questions that are suggested below an answer."""
_SHOWN = 12
"""Questions that are drawn at once; earlier ones on request."""
_METER = 736  # pixels: as wide as the text of an answer
_ROOM = 720  # pixels left free below an answer that is being written
_GOING_ON = {"query": "Searching", "graded": "Searching again", "second query": "Searching again"}
_DRAWN_AHEAD = 3
"""Cited pages of a new answer that are drawn before somebody opens them."""
_LOOK_EVERY = 0.1  # seconds from one look at an answer that is being written to the next
_LOOK_FOR = 0.25  # seconds for which a look waits for the first words, or then for the end
_LOOK_ELSEWHERE = 2.0  # seconds between two looks at one that another process writes


def load_messages(context: PageContext, conversation: str | None) -> list[Message]:
    """The messages of the open conversation, oldest first."""
    return (
        context.service.conversations.messages(context.session, conversation)
        if conversation
        else []
    )


def open_linked_citation(messages: Sequence[Message]) -> None:
    """Open the citation that the address names, or say that it is not there."""
    link = state.take_linked_citation()
    if link is None:
        return
    pairs = _pairs(messages)
    for place, (_, message) in reversed(list(enumerate(pairs))):
        if message is None or message.answer is None or link.answer not in (0, message.id):
            continue
        numbers = [citation.number for citation in message.answer.citations]
        if link.citation not in numbers:
            continue
        while place < _hidden(pairs):
            state.advance("earlier")
        marks = uses(message.answer.text, message.answer.citations)
        use = next((at for at, one in enumerate(marks) if one.number == link.citation), None)
        state.open_evidence(f"answer-{place}", "cited", numbers.index(link.citation), use)
        state.put_in_address(state.CitationLink(link.citation, message.id))
        st.rerun()
    st.warning(
        "The citation that this link names is not in this conversation. Its answer was erased, or "
        "the link is not whole.",
        icon=":material/link_off:",
    )


def _hidden(pairs: Sequence[object]) -> int:
    """How many of the first questions are not drawn."""
    return len(pairs) - _SHOWN * (1 + state.number("earlier"))


def current_run(context: PageContext, conversation: str | None) -> Run | None:
    """The answer that is being written in this conversation, or the last one that was."""
    return runs().get(context.session.id, conversation) if conversation else None


def show_conversation(context: PageContext, messages: Sequence[Message], run: Run | None) -> None:
    """The conversation: each question with its answer, and at the end what is being written."""
    pairs = _pairs(messages)
    if (
        run
        and _is_pending(run, messages)
        and (not pairs or pairs[-1][1] or pairs[-1][0] != run.question)
    ):
        pairs.append((run.question, None))  # its question is not in the catalogue yet
    opened = state.conversation_id(context)
    hidden = _hidden(pairs)
    if hidden > 0:
        st.button(
            f"Show {count(hidden, 'earlier question')}", on_click=state.advance, args=("earlier",)
        )
    for place, (question, message) in enumerate(pairs):
        if place < hidden:
            continue
        last = place == len(pairs) - 1
        key = f"answer-{place}"  # the same while it is written and after: it is not drawn anew
        if message and message.answer:
            roomy = last and place > 0
            _show_answer(
                context, key, question, message, message.answer,
                last=last, roomy=roomy, opened=opened, conversation=pairs,
            )  # fmt: skip
        elif last and run and (not run.done or _just_answered(run, question)):
            _show_progress(key, run)
        elif last and messages and messages[-1].asked:
            _show_elsewhere(context, key, messages[-1])
        else:
            _show_unanswered(key, question, run if last else None)
        if not last:
            st.space("medium")


def _is_pending(run: Run, messages: Sequence[Message]) -> bool:
    """Whether it is being written or has failed, and no other process has taken it over."""
    if not run.done:
        return True
    last = messages[-1] if messages else None
    answered = last is not None and last.answer is not None and last.created_at >= run.began
    return not answered and not isinstance(run.progress().error, (Interrupted, type(None)))


def _stop(context: PageContext, conversation: str | None, run: Run) -> None:
    run.stop()
    with suppress(AppError):  # the catalogue is away, say: this process knows it
        context.service.conversations.stop(context.session, conversation or "")


def _just_answered(run: Run, question: str) -> bool:
    """Whether the answer was stored after the messages of this page were read."""
    return run.question == question and run.progress().answer is not None


def ask_chosen(context: PageContext, model: ModelChoice) -> None:
    """Begin the answer to the question that was just sent or chosen, on a thread of its own.

    Done before anything of the conversation is drawn, so that it is drawn once. A question that
    came with files is asked when they are read.
    """
    if st.session_state.get("given-files") or st.session_state.get("reading-given"):
        return
    question = str(st.session_state.pop("chosen_question", None) or "").strip()
    queries = st.session_state.pop("chosen_queries", ())
    level = st.session_state.pop("chosen_level", None)
    if not question:
        return
    conversation = state.conversation_id(context)
    run = current_run(context, conversation)
    if run is None or run.done:
        with show_errors():
            start_answer(context, conversation, question, model, queries, level)


def question_box(
    context: PageContext,
    conversation: str | None,
    messages: Sequence[Message],
    run: Run | None,
) -> None:
    """The input. Files that come with a question are added to the session."""
    busy = run is not None and not run.done
    elsewhere = bool(messages and messages[-1].asked)
    _show_files(context, conversation)
    with st.bottom:  # explicitly, or Streamlit scrolls every answer to its end
        if length := st.session_state.get("too-long"):
            st.warning(
                f"This question has {length:,} characters; {LONGEST_QUESTION:,} are allowed. "
                "Nothing was lost: shorten it below, or add the text as a document.",
                icon=":material/short_text:",
            )
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            show_effort_switch(context)
            show_web_switch(context, messages)
            if offers_scope(context):
                with st.container(width="content"):
                    show_scope_picker(context)
            with st.container(key="asking", width="stretch"):
                st.chat_input(
                    "Ask about your documents",
                    key="typed",
                    disabled=busy or elsewhere,
                    accept_file="multiple" if context.may("documents.add_file") else False,
                    on_submit=_take_typed,
                )
                if run and busy:
                    st.button(
                        "Stop",
                        icon=":material/stop_circle:",
                        key="stop",
                        type="tertiary",
                        on_click=_stop,
                        args=(context, conversation, run),
                        disabled=run.progress().stopping,
                    )
        draw_desk(state.number("edits"))


def _take_typed() -> None:
    """Take what was sent; a question that is too long goes back into the box to be shortened."""
    sent = st.session_state.get("typed")
    typed = sent.text if isinstance(sent, ChatInputValue) else str(sent or "")
    files = list(sent.files) if isinstance(sent, ChatInputValue) else []
    st.session_state.setdefault("given-files", []).extend(files)
    st.session_state["too-long"] = len(typed) if len(typed.strip()) > LONGEST_QUESTION else 0
    if st.session_state["too-long"]:
        st.session_state["typed"] = typed
    elif typed.strip():
        ask_next(typed)


def _show_files(context: PageContext, conversation: str | None) -> None:
    """Add the files that came with a question; it waits until they are read."""
    files: list[UploadedFile] = st.session_state.get("given-files", [])
    if files:
        with show_errors():
            add_files(context, files)
        files.clear()
        st.session_state["given"] = st.session_state["reading-given"] = True
        st.rerun()  # what stands above the box is about the documents
    if st.session_state.get("given"):
        show_added(context)
    if not st.session_state.get("reading-given"):
        return
    asked = st.session_state.get("chosen_question")
    if not being_read(context.service.documents.list(context.session)):
        del st.session_state["reading-given"]
        if asked:
            st.rerun()
        return
    if conversation:  # the first screen shows it anyway
        show_reading(context)
    if asked:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"Asked when they are read: {asked}")
            st.button("Ask now", on_click=_ask_now)


def _ask_now() -> None:
    st.session_state.pop("reading-given", None)


def edit_question(question: str, scope: Scope) -> None:
    """Put a question into the box, to be changed and asked again of the same documents."""
    st.session_state["typed"] = question
    repeat_scope(scope)
    state.advance("edits")


def start_answer(
    context: PageContext,
    conversation: str | None,
    question: str,
    model: ModelChoice | None = None,
    queries: Sequence[str] = (),
    level: Level | None = None,
) -> Run:
    """Start the answer; a conversation is made for the first question.

    It is asked of the documents that it names after "@", else of those chosen beside the box.
    """
    scope = take_scope(context)
    question, named = addressed(question, context.service.documents.searched(context.session))
    if named is not None:
        scope = Scope(documents=named)
    if conversation is None:
        conversation = context.service.conversations.create(context.session, question).id
    state.remember_conversation(conversation)
    state.close_evidence()
    options = with_web(context, QueryOptions(level=level or current_level(context), scope=scope))
    if queries:
        options = replace(options, queries=tuple(queries))
    request = AskRequest(
        context.session, question, conversation, options=options, model=model, zone=browser_zone()
    )
    return runs().start(request, context.service.ask)


def _pairs(messages: Sequence[Message]) -> list[tuple[str, Message | None]]:
    """Questions with their answers; a question that was put again at once is shown once."""
    pairs: list[tuple[str, Message | None]] = []
    for message in messages:
        if message.role == "user":
            if pairs and pairs[-1] == (message.text, None):
                continue
            pairs.append((message.text, None))
        elif pairs and pairs[-1][1] is None:
            pairs[-1] = (pairs[-1][0], message)
        else:
            pairs.append(("", message))
    return pairs


def _show_answer(
    context: PageContext,
    key: str,
    question: str,
    message: Message,
    answer: Answer,
    *,
    last: bool,
    roomy: bool,
    opened: str | None,
    conversation: Sequence[tuple[str, Message | None]],
) -> None:
    chat = said_before_suggestions(answer) if last and answer.scope.is_whole else ""
    if chat:  # what it suggests stands below it, to be clicked
        answer = replace(answer, text=chat)
    content = views.answer_view(answer, question, browser_zone())
    if offers_sharing(context):
        content["share"] = "Shared" if message.shared else "Share"
    found = {"cited": answer.citations, "unused": answer.unused}
    retry = last and (not answer.complete or any(map(_calls_for_retry, answer.notices)))
    nothing_searched = answer.abstention is not None and not answer.abstention.searched_documents
    again = functools.partial(ask_next, question, scope=answer.scope)
    marks = uses(answer.text, answer.citations)
    edit = functools.partial(edit_question, question, answer.scope)
    show_sheet(
        context,
        content,
        found,
        key=key,
        marks=marks,
        answer=message.id,
        arriving=last,
        again=again,
        edit=edit,
        checks=message.checks,
        check=functools.partial(keep_check, context, message),
        export=functools.partial(ask_for_export, message.id),
        share=functools.partial(ask_to_share, message.id),
    )
    if last:
        _draw_first_pages(context, message, answer)
    if opened:
        show_export_if_asked(context, opened, message.id)
        show_sharing_if_asked(context, opened, message.id)
    show_review(context, question, message, conversation)
    show_thumbs(context, message, question)
    if last and answer.usage:
        with st.container(width=_METER):
            context_meter(answer.usage)
            if line := spent_line(answer.spent):
                st.caption(escape_markdown(line))
    if last and any(notice.code in (NOT_READ, LEFT_OUT) for notice in answer.notices):
        show_way_to_documents("Open Documents")
    if last and nothing_searched and answer.scope.is_whole:
        _show_next_step(context, question)
    if retry:
        unread = any(notice.code == BEING_READ for notice in answer.notices)
        reading = unread and being_read(context.service.documents.list(context.session))
        if reading and not (nothing_searched or st.session_state.get("reading-given")):
            show_reading(context)  # else it is shown anyway
        if unread and not reading:
            st.caption("The documents are read now.")
        kind: Literal["primary", "secondary"] = "primary" if unread and not reading else "secondary"
        label = "Ask again" if unread else "Retry"
        st.button(label, icon=":material/refresh:", type=kind, on_click=again)
    elif last and not nothing_searched and not chat:
        _offer_again(question, answer)
    if st.query_params.get("debug") == "true":
        with st.expander("The exact prompt"):
            if answer.prompt:
                st.code(answer.prompt, language=None, wrap_lines=True)
            else:
                st.caption("No model was asked: the answer quotes the sources.")
    if chat:
        offer = functools.partial(context.service.documents.suggestions, context.session)
        show_suggestions("Try one of these", offer, _ASK_NEXT)
    if last and answer.citations:
        look = functools.partial(
            context.service.documents.suggestions_after, context.session, answer
        )
        show_suggestions("Ask next", look, _ASK_NEXT, [asked for asked, _ in conversation])
    if roomy:
        _show_room()  # below what belongs to the answer, or that would be out of sight


def _draw_first_pages(context: PageContext, message: Message, answer: Answer) -> None:
    """Have the pages drawn that the first marks of a new answer lead to, once."""
    if st.session_state.get("drawn-ahead") != message.id:
        st.session_state["drawn-ahead"] = message.id
        places = dict.fromkeys((one.document_id, one.page_ordinal) for one in answer.citations)
        context.service.documents.draw_ahead(context.session, list(places)[:_DRAWN_AHEAD])


def _offer_again(question: str, answer: Answer) -> None:
    """The same question at another effort, with the model that is chosen now."""
    before = answer.search.plan.level if answer.search else None
    efforts = {name: level for level, name in EFFORTS.items() if level not in (Level.AUTO, before)}
    chosen = st.menu_button(
        "Ask again",
        list(efforts),
        icon=":material/replay:",
        key="ask-again",
        type="tertiary",
        help="The same question at another effort, with the language model that is chosen now.",
    )
    if chosen in efforts:
        ask_next(question, scope=answer.scope, level=efforts[chosen])
        st.rerun()


def _show_next_step(context: PageContext, question: str) -> None:
    """After a question for which no document was searched: get documents, then ask again."""
    documents = context.service.documents.list(context.session)
    if being_read(documents):
        show_reading(context)
    elif documents:
        st.button("Ask again", icon=":material/refresh:", on_click=ask_next, args=(question,))
    elif context.may("documents.add_file"):
        show_first_step(context)


def _calls_for_retry(notice: Notice) -> bool:
    return notice.level == "error" or notice.code.startswith(("model-failed", BEING_READ))


def _show_unanswered(key: str, question: str, run: Run | None) -> None:
    """A question whose answer failed or was lost with the process, and the way to ask again."""
    draw_sheet(views.live_view(question, "", live=False), key=key)
    error = run.progress().error if run else None
    if error:
        show_error(error)
    else:
        st.caption("This question was not answered: the work on it was interrupted.")
    st.button(
        "Ask again",
        icon=":material/refresh:",
        key=f"again-{key}",
        on_click=ask_next,
        args=(question,),
    )


@st.fragment(run_every=_LOOK_ELSEWHERE)
def _show_elsewhere(context: PageContext, key: str, question: Message) -> None:
    """A question that another process answers, until that has; if that ended, it begins here."""
    draw_sheet(views.live_view(question.text, ""), key=key)
    with st.container(key="writing"):  # what else is below an answer in work is not seen
        st.caption(
            ":shimmer[This answer is written elsewhere. "
            "If that was interrupted, it begins anew here.]"
        )
    conversation = state.conversation_id(context)
    run = current_run(context, conversation)
    if (run and not run.done) or load_messages(context, conversation)[-1:] != [question]:
        st.rerun()
    if context.service.conversations.is_left(context.session, question):
        request = AskRequest(context.session, question.text, conversation, zone=browser_zone())
        runs().start(request, context.service.ask_again)
        st.rerun()


@st.fragment(run_every=_LOOK_EVERY)
def _show_progress(key: str, run: Run) -> None:
    """What is written so far. Only this part is drawn again until the answer is whole."""
    if st.session_state.get("watched") is run:  # the question is drawn: what comes next is shown
        (run.wait if run.progress().text else run.wait_for_words)(_LOOK_FOR)
    st.session_state["watched"] = run
    progress = run.progress()
    if progress.done:
        st.rerun()
    sheet = views.live_view(run.question, progress.text, quoting=run.quotes)
    draw_sheet(sheet, key=key, arriving=True)
    doing = "Stopping" if progress.stopping else _doing(progress.steps, progress.text)
    with st.container(key="writing", width="content"):
        steps = st.status(
            f":shimmer[{escape_markdown(doing)}]", type="compact", expanded=not progress.text
        )
        for step in progress.steps:
            view = views.step_view(step)
            steps.text(" · ".join(part for part in view.values() if part))
        _show_room()


def _show_room() -> None:
    """Room below an answer, so that its question can be scrolled to the top."""
    with st.container(key="room"):
        st.space(_ROOM)


def _doing(steps: Sequence[Step], text: str) -> str:
    if steps and steps[-1].name == "judging":
        return "Checking the sentences"
    if text:
        return "Writing"
    if steps and steps[-1].name.startswith("web"):
        return "Reading the web"
    if not steps:
        return "Understanding the question"
    last = steps[-1].name
    if last == "waiting":
        return step_text(steps[-1])
    if last in ("level", "several queries", "rewritten", "fallback", "understood"):
        return "Searching"
    return _GOING_ON.get(last, "Reading the passages")
