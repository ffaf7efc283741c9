"""Documents: what is searched, how far it is, and what became of it."""

from core.ui import adding, library, read_pages
from core.ui.frame import frame, heading

desk = frame("Documents", wide=True)
may_add = desk.may("add_file")
heading(
    "Documents",
    "What you add here is read on this machine and searched in this session only."
    if may_add
    else "What is searched in this session. Its editors add and remove documents.",
)
if may_add:
    adding.show(desk)
library.show(desk)
read_pages.show(desk)
