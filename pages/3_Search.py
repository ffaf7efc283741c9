"""Search: what is found for a query, with the score of every stage and no answer."""

from core.ui import searching, sources
from core.ui.frame import frame, heading

desk = frame("Search", wide=sources.is_open("search-"))
heading("Search", "What the search finds and why, before anything is answered from it.")
searching.show(desk)
