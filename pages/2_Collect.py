"""Collect: fill a session from a documentation, a dump of questions, or any site."""

from core.ui.collect.form import show_form
from core.ui.collect.runs import show_runs
from core.ui.shell.layout import heading, open_page

context = open_page("Collect", wide=True)
may_collect = context.may("collecting.start")
heading(
    "Collect",
    "Add a whole documentation, a Stack Exchange dump or a web site. Sites are read slowly and by "
    "the rules of their robots.txt. A stopped run can be resumed; a refresh adds what has changed."
    if may_collect
    else "What was collected into this session. Its editors can start runs.",
)
if may_collect:
    show_form(context)
show_runs(context)
