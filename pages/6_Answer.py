"""Answer: one answer that somebody in the session shares, to read and to check."""

from core.ui.chat.shared_answers import show_shared_answer
from core.ui.shell.layout import open_page

context = open_page("Shared answer")
show_shared_answer(context)
