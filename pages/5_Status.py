"""Status: a doctor for the program."""

from core.ui import checkup, keys
from core.ui.frame import frame, heading

desk = frame("Status")
heading("Status", "Every part of the program, whether it answers, and what mends it.")
checkup.show(desk)
keys.key_settings(desk.service, desk.session.owner_id)
checkup.show_versions(desk)
