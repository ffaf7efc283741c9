"""Documents: what is searched, how far it is, and what became of it."""

from core.ui.documents import list as library
from core.ui.documents import read_pages, upload
from core.ui.shell.frame import frame, heading

desk = frame("Documents", wide=True)
may_add = desk.may("add_file")
heading(
    "Documents",
    "What you add here is read on this machine and searched in this session only."
    if may_add
    else "What is searched in this session. Its editors add and remove documents.",
)
if may_add:
    upload.show(desk)
library.show(desk)
read_pages.show(desk)
