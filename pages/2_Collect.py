"""Collect: fill a session from a documentation, a dump of questions, or any site."""

from core.ui.collect.form import show_form
from core.ui.collect.runs import show_runs
from core.ui.shell.layout import heading, open_page

context = open_page("Collect", wide=True)
may_collect = context.may("collecting.start")
heading(
    "Collect",
    "Whole places instead of single files. Sites are read slowly and within their rules, "
    "a stopped run goes on, and a refresh takes in what has changed."
    if may_collect
    else "What was collected into this session. Its editors start runs.",
)
if may_collect:
    show_form(context)
show_runs(context)
