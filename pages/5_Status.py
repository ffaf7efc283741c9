"""Status: a doctor for the program."""

from core.ui.shell.layout import heading, open_page
from core.ui.status.checks import show_health, show_versions
from core.ui.status.keys import show_keys
from core.ui.status.upkeep import show_upkeep

context = open_page("Status")
heading("Status", "Each part of the program, whether it works, and how to fix it.")
show_health(context)
if context.service.may_maintain(context.session.viewer_id):
    show_upkeep(context)
show_keys(context.service, context.session.viewer_id)
show_versions(context)
