"""Documents: what is searched, how far it is, and what became of it."""

from core.ui import adding, library, read_pages
from core.ui.frame import frame, heading

desk = frame("Documents", wide=True)
heading("Documents", "What you add here is read on this machine and searched in this session only.")
if desk.may("add_file"):
    adding.show(desk)
library.show(desk)
read_pages.show(desk)
