"""A bare Streamlit app: what a page, an image and a reply cost without anything of ours."""

from __future__ import annotations

import os
from pathlib import Path

import streamlit as st

IMAGES = sorted(Path(os.environ["BARE_IMAGES"]).glob("*.png"))

st.set_page_config(layout="wide")
st.title("Chat")
said = st.session_state.setdefault("said", [])
at = st.session_state.setdefault("at", -1)


def turn(to: int) -> None:
    """Show another image; none for -1."""
    st.session_state["at"] = to % len(IMAGES) if to >= 0 else -1


left, right = st.columns(2)
with left:
    for question in said:
        st.chat_message("user").write(question)
        st.chat_message("assistant").write(f"You asked: {question}")
    st.button("Open", on_click=turn, args=(len(said),))
    st.button("Next page", on_click=turn, args=(at + 1,))
    st.button("Close", on_click=turn, args=(-1,))
if at >= 0:
    with right:
        st.caption(f"Page {at + 1}")
        st.image(str(IMAGES[at]))
if question := st.chat_input("Ask"):
    said.append(question)
    st.rerun()
