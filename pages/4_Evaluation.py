"""Evaluation: is it right, on these documents, and did a change make it better?"""

from core.ui.evaluation.page import show_evaluation
from core.ui.shell.layout import heading, open_page

context = open_page("Evaluation", wide=True)
heading(
    "Evaluation",
    "Questions with known answers, asked of your own documents: how good the answers are, where "
    "they fail, and whether a change made them better.",
)
show_evaluation(context)
