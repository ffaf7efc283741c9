"""Status: a doctor for the program."""

from core.ui import checkup
from core.ui.frame import frame, heading

desk = frame("Status")
heading("Status", "Every part of the program, whether it answers, and what mends it.")
checkup.show(desk)
checkup.show_versions(desk)
