"""Search: what is found for a query, with the score of every stage and no answer."""

from core.ui.answer import sources
from core.ui.search import page as searching
from core.ui.shell.frame import frame, heading

desk = frame("Search", wide=sources.is_open("search-"))
heading("Search", "What the search finds and why, before anything is answered from it.")
searching.show(desk)
