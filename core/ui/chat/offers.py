"""Language models that were found on this machine, or by a key of theirs: chosen with one click."""

from __future__ import annotations

import streamlit as st

from core.errors import AppError
from core.llm.offers import Offer
from core.types import ModelChoice
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown

_LOOK_EVERY = 1.0


def show_offers(context: PageContext) -> None:
    """A button for each model that could answer; nothing once somebody chose, or chose none."""
    chosen = context.service.sessions.preferences(context.session).get("model")
    if chosen is not None or context.service.settings.chat_provider:
        return
    if not context.may("sessions.set_preferences"):
        return
    found = context.service.models.offers()
    if found is None:
        _wait(context)
        return
    if not found:
        return
    st.space("small")
    st.caption("Answers quote your documents. A language model can write them instead:")
    with st.container(horizontal=True):
        for offer in found:
            st.button(
                _label(offer),
                icon=":material/neurology:",
                key=f"offer-{offer.provider}",
                on_click=_choose,
                args=(context, offer),
            )


@st.fragment(run_every=_LOOK_EVERY)
def _wait(context: PageContext) -> None:
    """Draw the page anew when the search for models is over."""
    if context.service.models.offers() is not None:
        st.rerun()


def _label(offer: Offer) -> str:
    name = f"{offer.models[0]} ({offer.title})" if offer.models else f"{offer.title} (key is set)"
    return f"Answer with {escape_markdown(name)}"


def _choose(context: PageContext, offer: Offer) -> None:
    """Make it the model of the session; a service is asked for its models only now."""
    with show_errors():
        model = offer.models[0] if offer.models else _first(context, offer)
        choice = {"provider": offer.provider, "model": model}
        context.service.sessions.set_preferences(context.session, {"model": choice})
        st.session_state["model_block"] = not model


def _first(context: PageContext, offer: Offer) -> str:
    try:
        listed = context.service.models.list(ModelChoice(offer.provider))
    except AppError:  # it is chosen all the same: the block of the side bar says what is wrong
        return ""
    return listed[0].name if len(listed) == 1 else ""
