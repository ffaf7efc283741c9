"""Chat: the home page. Questions, answers, and the evidence beside them."""

import streamlit as st

from core.ui import chat, conversations, sources, welcome
from core.ui.frame import frame
from core.ui.models import model_settings

desk = frame("Chat", wide=sources.is_open("answer-"))
with st.sidebar:
    model = model_settings(desk.service, desk.session)
conversation = conversations.sidebar(desk)
said = chat.messages(desk, conversation)
run = chat.run_of(desk, conversation)

if said or run:
    chat.show(desk, said, run)
else:
    welcome.show(desk)
chat.ask_box(desk, conversation, run, model)
