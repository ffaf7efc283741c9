"""Search: what is found for a query, with the score of every stage and no answer."""

from core.ui.search.page import show_search
from core.ui.shell.layout import heading, open_page

context = open_page("Search")
heading(
    "Search",
    "What the search finds and why, before anything is answered from it. To share a search, copy "
    "the address of this page.",
)
show_search(context)
