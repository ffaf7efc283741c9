"""A question in another language than the documents, put word by word into theirs (pure)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace

from core.text.glossary.gloss import gloss
from core.text.glossary.table import is_known
from core.text.languages import LANGUAGE_NAMES, language_of
from core.types import Document, Notice, QueryPlan

OTHER_LANGUAGE = "other-language"
"""The code of the notice on a question in another language than the documents."""
_MOST_SAID = 6
"""Words that the notice lists."""


def language_asked(
    question: str, documents: Iterable[Document], *, mixed: bool = False
) -> tuple[str, str]:
    """Return the language of a question and that of most of the documents, where they differ.

    ("", "") where a document is in the language of the question, or one of them is not known.
    `mixed` leaves out the documents in the language of the question, where there are others.
    """
    written = Counter[str]()
    for one in documents:
        written[one.language] += max(1, one.chunks)
    del written[""]
    asked = language_of(question)
    if mixed and asked in written:
        del written[asked]
    if not asked or not written or asked in written:
        return "", ""
    return asked, written.most_common(1)[0][0]


def in_their_language(
    plan: QueryPlan,
    languages: tuple[str, str],
    holds: Callable[[str], bool],
    like: Callable[[str], str | None],
    is_word: Callable[[str], bool] = lambda word: False,
    *,
    mixed: bool = False,
) -> QueryPlan:
    """Return the plan with its goal in the second of two languages, with a notice that says so.

    `mixed` says that other documents are in the language of the question.

    `holds` says whether the documents have a word, `like` gives the one of theirs that a word is
    nearly, `is_word` says whether it is one of English. Where there is no table of the two
    languages, only the notice is added.
    """
    source, target = languages
    asked, theirs = LANGUAGE_NAMES[source], LANGUAGE_NAMES.get(target, target)
    which = "some documents" if mixed else "the documents"
    text = f"The question is in {asked}, {which} are in {theirs}"
    known = is_known(source, target)
    found = gloss(plan.goal, source, target, holds, like, is_word) if known else None
    if found is None:
        cure = "Names and numbers are found all the same; for the rest, ask in their language."
        notice = Notice(OTHER_LANGUAGE, f"{text}.", cure, "info")
        return replace(plan, notices=(*plan.notices, notice))
    words = ", ".join(f"“{word}”" for word in found.words[:_MOST_SAID])
    if words:
        text += f": searched for {words}"
    cure = "It was translated word by word; if something else was meant, ask in their language."
    notice = Notice(OTHER_LANGUAGE, f"{text}.", cure, "info")
    return replace(
        plan, translated=found.text, queries=(found.text,), also=found.also,
        notices=(*plan.notices, notice),
    )  # fmt: skip
