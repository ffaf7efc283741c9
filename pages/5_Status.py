"""Status: a doctor for the program."""

from core.ui import checkup, keys, upkeep
from core.ui.frame import frame, heading

desk = frame("Status")
heading("Status", "Every part of the program, whether it answers, and what mends it.")
checkup.show(desk)
if desk.service.may_maintain(desk.session.viewer_id):
    upkeep.show(desk)
keys.key_settings(desk.service, desk.session.viewer_id)
checkup.show_versions(desk)
