"""Who writes the answers: the block of the side bar, and how full the context was.

The choice is kept with the session. A key is kept in this tab's memory alone: it goes into no
address, no cache, no log and no file, and is gone after a reload.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st
from pydantic import SecretStr

from core.access.roles import may
from core.config import CHAT_PROVIDERS
from core.errors import AppError
from core.llm.choice import usual_choice
from core.llm.port import ModelInfo, is_listed
from core.llm.providers import provider_class
from core.types import ModelChoice, Session, Spent, Usage
from core.ui.chat.model_downloads import Pull, pulls
from core.ui.chat.preset_choice import preset_input
from core.ui.shell.errors import show_error, show_errors
from core.ui.shell.escaping import escape_markdown

if TYPE_CHECKING:
    from core.service import Service

_NONE = "None: quote the sources"
_LISTED_SECONDS = 60.0
_LOOK_EVERY = 0.5


def model_settings(service: Service, session: Session) -> ModelChoice:
    """Draw the block (in the side bar); gives the choice to pass to `Service.ask()`.

    The lists of models are asked for only while the block is open.
    """
    chosen = current_choice(service, session)
    block = st.expander(
        "Language model", icon=":material/neurology:", key="model_block", on_change="rerun"
    )  # its label never changes: another label would be another block, and closed
    if block.open:
        with block:
            chosen = _form(service, session, chosen)
            if may(session, "sessions.set_preferences"):
                preset_input(service, session)
    elif chosen.provider:
        name = chosen.model or "no model selected"
        st.caption(escape_markdown(f"{name} ({_title(chosen.provider)})"))
    return chosen


def current_choice(service: Service, session: Session) -> ModelChoice:
    """The choice of this session, else that of the settings, with the key of this tab."""
    preferred = service.sessions.preferences(session).get("model")
    chosen = usual_choice(service.settings, preferred) or ModelChoice()
    return replace(chosen, key=_key(chosen.provider))


def _title(provider: str) -> str:
    return provider_class(provider).title if provider else _NONE


def _takes_key(provider: str) -> bool:
    return bool(provider) and provider_class(provider).takes_key


def context_meter(usage: Usage | None) -> None:
    """How full the model's context was for an answer; nothing where no model was asked."""
    if usage is None or not usage.context_length:
        return
    used = usage.prompt_tokens or usage.prompt_tokens_estimated
    if used is None:
        return
    about = "" if usage.prompt_tokens else "about "
    passages = f"{usage.passages_given} of {usage.passages_found} passages"
    st.progress(
        min(1.0, used / usage.context_length),
        f"Context: {about}{used:,} of {usage.context_length:,} tokens, {passages}",
    )


def spent_line(spent: Sequence[Spent]) -> str:
    """What an answer took of models, in one line of text; "" where none was asked.

    >>> spent_line([Spent("answering", "local", "qwen3", 1, 900, 100, 2.0, 0.0015)])
    '1,000 tokens, $0.0015: answering 1,000 tokens in 2.0 s by qwen3'
    """
    if not spent:
        return ""
    stages = [
        f"{one.stage} {'about ' if one.estimated else ''}{_tokens(one):,} tokens in "
        f"{one.seconds:.1f} s by {one.model}"
        for one in spent
    ]
    about = "about " if any(one.estimated for one in spent) else ""
    whole = f"{about}{sum(map(_tokens, spent)):,} tokens"
    costs = [one.cost for one in spent if one.cost is not None]
    if costs:
        least = "at least " if len(costs) < len(spent) else ""
        whole += f", {least}{about}${sum(costs):.2g}"
    return f"{whole[:1].upper()}{whole[1:]}: {'; '.join(stages)}"


def _tokens(spent: Spent) -> int:
    return spent.prompt_tokens + spent.answer_tokens


def _form(service: Service, session: Session, chosen: ModelChoice) -> ModelChoice:
    if not may(session, "sessions.set_preferences"):
        st.caption(
            escape_markdown(f"An editor of this session selected: {_title(chosen.provider)}.")
        )
        if _takes_key(chosen.provider):
            _key_input(chosen.provider)
        return chosen
    providers = ["", *CHAT_PROVIDERS]
    provider = st.selectbox(
        "Provider",
        providers,
        index=providers.index(chosen.provider),
        format_func=_title,
        key=f"provider-{session.id}",
    )
    if provider != chosen.provider:
        _save(service, session, provider, "")
        st.rerun()
    if not provider:
        st.caption("Answers are sentences quoted word for word from your documents.")
        return chosen
    if _takes_key(provider):
        _key_input(provider)
    listed, error = _listed(service, ModelChoice(provider, "", _key(provider)))
    model = _model_input(session, chosen, listed) or _first_model(provider, listed)
    if error is not None:
        show_error(error)
    if st.button("Refresh the list", icon=":material/refresh:", key="models_again"):
        st.session_state.pop("listed_models", None)
        st.rerun()
    if provider_class(provider).downloads:
        missing = listed and model and not is_listed(model, listed)
        _pull_input(service, model if missing else "")
    if model != chosen.model:
        _save(service, session, provider, model)
        st.rerun()
    return ModelChoice(provider, model, _key(provider))


def _model_input(session: Session, chosen: ModelChoice, listed: list[ModelInfo]) -> str:
    details = {info.name: info for info in listed}
    names = list(details)
    if chosen.model and chosen.model not in details:
        names.insert(0, chosen.model)
    model = st.selectbox(
        "Model",
        names,
        index=names.index(chosen.model) if chosen.model in names else None,
        format_func=lambda name: _described(name, details.get(name)),
        accept_new_options=True,
        placeholder="Choose one, or type its name",
        key=f"model-{session.id}-{chosen.provider}",
    )
    if listed and chosen.model and not is_listed(chosen.model, listed):
        st.warning(
            f"The server does not offer {escape_markdown(chosen.model)}.", icon=":material/warning:"
        )
    return (model or "").strip()


def _first_model(provider: str, listed: list[ModelInfo]) -> str:
    """A model of one's own server, to begin with; services have lists too long to choose from."""
    if not provider_class(provider).downloads:
        return ""
    return next((info.name for info in listed if "embed" not in info.name), "")


def _described(name: str, info: ModelInfo | None) -> str:
    if info is None:
        return name
    size = f"{info.size / 1e9:.1f} GB" if info.size else ""
    context = f"{info.context_length:,} tokens" if info.context_length else ""
    text = ", ".join(part for part in (info.detail, size, context) if part)
    return f"{name} ({text})" if text else name


def _listed(service: Service, choice: ModelChoice) -> tuple[list[ModelInfo], AppError | None]:
    """The server's list, kept for a minute in this tab; a new key asks anew."""
    kept: dict[str, Any] = st.session_state.setdefault("listed_models", {})
    at, listed, error = kept.get(choice.provider, (0.0, [], None))
    if time.monotonic() - at > _LISTED_SECONDS or not at:
        try:
            listed, error = service.models.list(choice), None
        except AppError as failed:
            listed, error = [], failed
        kept[choice.provider] = (time.monotonic(), listed, error)
    return listed, error


# ------------------------------------------------------------------------------------ keys


def _key(provider: str) -> SecretStr | None:
    key = st.session_state.get(f"key-of-{provider}")
    return key if isinstance(key, SecretStr) else None


def _key_input(provider: str) -> None:
    """A field that is emptied as soon as its key is taken, so that no browser keeps it."""
    has = _key(provider) is not None
    st.text_input(
        "API key",
        type="password",
        key=f"typed-key-{provider}",
        autocomplete="off",
        placeholder="A key is set for this tab" if has else "Kept in this tab only",
        on_change=_take_key,
        args=(provider,),
    )
    if has and st.button("Remove the key", icon=":material/key_off:", key=f"forget-{provider}"):
        _set_key(provider, None)
        st.rerun()


def _take_key(provider: str) -> None:
    typed = str(st.session_state.get(f"typed-key-{provider}") or "").strip()
    st.session_state[f"typed-key-{provider}"] = ""
    if typed:
        _set_key(provider, SecretStr(typed))


def _set_key(provider: str, key: SecretStr | None) -> None:
    if key is None:
        st.session_state.pop(f"key-of-{provider}", None)
    else:
        st.session_state[f"key-of-{provider}"] = key
    st.session_state.pop("listed_models", None)


# ------------------------------------------------------------------------------- downloads


def _pull_input(service: Service, missing: str) -> None:
    """A field for the name of a model; the one that is chosen and not there needs a click only."""
    loading = {pull.name for pull in pulls().all()}
    if missing and missing not in loading:
        label = f"Download {escape_markdown(missing)}"
        if st.button(label, icon=":material/download:", type="primary", key="pull_missing"):
            _pull(service, missing)
            st.rerun()
    if loading:
        _running_pulls()
    with st.form("pull", border=False, clear_on_submit=True):
        name = st.text_input("Download a model", placeholder="llama3.2:3b", max_chars=200)
        if st.form_submit_button("Download", icon=":material/download:") and name.strip():
            _pull(service, name.strip())
            st.rerun()


def _pull(service: Service, name: str) -> None:
    with show_errors():
        pulls().start(name, functools.partial(service.models.pull, name))


@st.fragment(run_every=_LOOK_EVERY)
def _running_pulls() -> None:
    running = pulls().all()
    for pull in running:
        _pull_row(pull)
    if any(pull.done and pull.error is None for pull in running):
        for pull in running:
            if pull.done and pull.error is None:
                pulls().forget(pull.name)
        st.session_state.pop("listed_models", None)
        st.rerun()


def _pull_row(pull: Pull) -> None:
    if pull.error is not None:
        show_error(pull.error)
        st.button("Close", key=f"pulled-{pull.name}", on_click=pulls().forget, args=(pull.name,))
        return
    progress = pull.progress
    size = f", {progress.completed / 1e6:,.0f} of {progress.total / 1e6:,.0f} MB"
    text = escape_markdown(f"{pull.name}: {progress.status}{size if progress.total else ''}")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(pull.share, text)
        st.button("Stop", key=f"stop-{pull.name}", on_click=pulls().forget, args=(pull.name,))


def _save(service: Service, session: Session, provider: str, model: str) -> None:
    service.sessions.set_preferences(session, {"model": {"provider": provider, "model": model}})
