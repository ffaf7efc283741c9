"""Questions about the sources of the last answer, which are answered without a search (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.citations.mark import mark
from core.text.markdown_quoting import escape_markdown
from core.types import Answer, Citation, Claim, Message, Notice, Support

_ASKED = re.compile(
    r"^\W*(?:and |so |but |und |et |y )?(?:"
    r"(?:what|which|whom?)\b[^?.]{0,40}\b(?:did|have|had|do|were|was) (?:you|just|the answer)\b"
    r"[^?.]{0,30}\b(?:cited?|quoted?|refer(?:red|enced?)?|source[ds]?|rely|relied|based)\b.*"
    r"|(?:what|which) (?:sources?|citations?|references?|quotes?) (?:did|have|do) you(?: just)? "
    r"(?:used?|cited?|quoted?|have|rely on|relied on)"
    r"|(?:what|which) (?:are|were|is|was) (?:the|your|its|that answer's) (?:\w+ ){0,2}"
    r"(?:sources?|citations?|references?|quotes?)\b(?: (?:of|for|in) (?:that|this|the last|your "
    r"last)(?: \w+){0,2})?"
    r"|(?:show|list|give|repeat|name)(?: me)?(?: again)? (?:the|your|all|those) (?:\w+ ){0,2}"
    r"(?:sources?|citations?|references?|quotes?)(?: again)?"
    r"|where (?:did|do) you (?:get|find|have|take|read) (?:that|this|it)(?: from)?"
    r"|(?:woher|wo) (?:hast|weißt|haben|wissen) (?:du|sie) das.*"
    r"|(?:was|welche\w*)(?: \w+)? (?:hast|haben) (?:du|sie)(?: \w+){0,3} "
    r"(?:zitiert|angeführt|genannt)"
    r"|(?:welche|nenne? mir|zeige? mir) (?:die |deine |ihre )?(?:quellen?|belege?)(?: \w+){0,3}"
    r"|(?:quelles?|quels?) (?:sont|étaient) (?:les|tes|vos) (?:sources|citations).*"
    r"|(?:cuáles|qué) (?:son|eran|fueron|fuentes) (?:tus|las|sus|has|ha)\b.*"
    r"(?:fuentes|citas|citado).*"
    r")[\s?.!]*$",
    re.I,
)
_LEAD = "The last answer quotes these passages:"
_NONE = "The last answer cites no source."


def asks_for_sources(question: str) -> bool:
    """Whether a question is about what the last answer cited, and nothing else.

    >>> asks_for_sources("What did you just cite?"), asks_for_sources("What did Darwin cite?")
    (True, False)
    """
    return bool(_ASKED.match(" ".join(question.split())))


def recalled(question: str, history: Sequence[Message]) -> Answer | None:
    """The answer to a question for the sources of the last answer; None for other questions."""
    last = next((m.answer for m in reversed(history) if m.answer is not None), None)
    if last is None or not asks_for_sources(question):
        return None
    notice = Notice("from-the-conversation", "Taken from the conversation: nothing was searched.",
                    "", "info")  # fmt: skip
    if not last.citations:
        return Answer(question, _NONE, unused=last.unused, notices=(notice,))
    text, claims = f"{_LEAD}\n", []
    citations: list[Citation] = []
    for number, citation in enumerate(last.citations, 1):
        quote = escape_markdown(" ".join(citation.quote.split()))
        start = len(text) + 1
        text += f"\n{quote} {mark(number)}\n"
        claims.append(Claim(start, start + len(quote), (number,), Support.VERBATIM, score=1.0))
        citations.append(replace(citation, number=number))
    others = tuple(replace(c, number=n) for n, c in enumerate(last.unused, len(citations) + 1))
    return Answer(
        question,
        text.rstrip(),
        tuple(citations),
        others,
        tuple(claims),
        notices=(notice,),
    )
