"""Collect: fill a session from a documentation, a dump of questions, or any site."""

from core.ui.collect import form as collecting
from core.ui.collect import runs as collect_runs
from core.ui.shell.frame import frame, heading

desk = frame("Collect", wide=True)
may_collect = desk.may("collector.start")
heading(
    "Collect",
    "Whole places instead of single files. Sites are read slowly and within their rules, "
    "a stopped run goes on, and a refresh takes in what has changed."
    if may_collect
    else "What was collected into this session. Its editors start runs.",
)
if may_collect:
    collecting.show(desk)
collect_runs.show(desk)
