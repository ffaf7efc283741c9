"""Blocks that are folded when a page is opened: what is in them is drawn when it is wanted."""

from __future__ import annotations

import streamlit as st
from streamlit.elements.lib.mutable_expander_container import ExpanderContainer
from streamlit.elements.lib.mutable_tab_container import TabContainer


def is_wanted(block: ExpanderContainer | TabContainer, name: str) -> bool:
    """Whether the fields of a folded block are to be drawn: from its first opening on.

    They stay drawn when it is folded again, or what was typed into them would be lost. `name` is
    one of its own in the program. The block has to say when it is opened (`on_change="rerun"`).
    """
    if block.open:
        st.session_state[f"unfolded-{name}"] = True
    return bool(st.session_state.get(f"unfolded-{name}"))
