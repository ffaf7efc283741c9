"""Chat: the home page. Questions, answers, and the evidence beside them."""

import streamlit as st

from core.ui.answer import sources
from core.ui.chat import conversations, welcome
from core.ui.chat import page as chat
from core.ui.chat.models import model_settings
from core.ui.shell.frame import frame

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
