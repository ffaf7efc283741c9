"""Documents: what is searched, how far it is, and what became of it."""

from core.ui.documents.read_pages import show_read_pages
from core.ui.documents.table import show_documents
from core.ui.documents.upload import show_upload
from core.ui.shell.layout import heading, open_page

context = open_page("Documents", wide=True)
may_add = context.may("documents.add_file")
heading(
    "Documents",
    "What you add here is read on this machine and searched in this session only."
    if may_add
    else "What is searched in this session. Its editors can add and remove documents.",
)
if may_add:
    show_upload(context)
show_documents(context)
show_read_pages(context)
