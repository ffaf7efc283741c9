"""Chat: the home page. Questions, answers, and the evidence beside them."""

import streamlit as st

from core.ui.chat.conversations import conversation_list
from core.ui.chat.language_model import model_settings
from core.ui.chat.page import (
    ask_chosen,
    current_run,
    load_messages,
    open_linked_citation,
    question_box,
    show_conversation,
)
from core.ui.chat.shared_answers import show_shared_list
from core.ui.chat.welcome import show_welcome
from core.ui.shell.layout import open_page, show_dead_link

context = open_page("Chat")
with st.sidebar:
    model = model_settings(context.service, context.session)
ask_chosen(context, model)
conversation = conversation_list(context)
show_shared_list(context)
show_dead_link()
messages = load_messages(context, conversation)
open_linked_citation(messages)
run = current_run(context, conversation)

if messages or run:
    show_conversation(context, messages, run)
else:
    show_welcome(context)
question_box(context, conversation, messages, run)
