"""Evaluation: is it right, on these documents, and did a change make it better?"""

from core.ui.evaluation import page as evaluating
from core.ui.shell.frame import frame, heading

desk = frame("Evaluation", wide=True)
heading(
    "Evaluation",
    "Questions with known answers, asked of your own documents: how good the answers are, where "
    "they fail, and whether a change made them better.",
)
evaluating.show(desk)
