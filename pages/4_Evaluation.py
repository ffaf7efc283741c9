"""Evaluation: is it right, on these documents, and did a change make it better?"""

from core.ui import evaluating
from core.ui.frame import frame, heading

desk = frame("Evaluation", wide=True)
heading(
    "Evaluation",
    "Questions with known answers, asked of your own documents: how good the answers are, where "
    "they fail, and whether a change made them better.",
)
evaluating.show(desk)
