"""Status: a doctor for the program."""

from core.ui.shell.frame import frame, heading
from core.ui.status import checks, keys, upkeep

desk = frame("Status")
heading("Status", "Every part of the program, whether it answers, and what mends it.")
checks.show(desk)
if desk.service.may_maintain(desk.session.viewer_id):
    upkeep.show(desk)
keys.key_settings(desk.service, desk.session.viewer_id)
checks.show_versions(desk)
