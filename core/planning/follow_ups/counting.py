"""Questions that ask for a count of something else than the one before (pure)."""

from __future__ import annotations

import re

from core.planning.follow_ups.content import OPENING, is_code
from core.text.terms import terms

_HOW_MANY = r"(?:how (?:many|much)|wie ?viele?|combien d[e'’]|cu[aá]nt[oa]s?|quant[ioae])"
_PLURAL = (
    r"(?:[^\W\d_]+ )??(?:people|persons?|men|women|children|kids?|staff"
    r"|leute|menschen|personen|kinder|frauen|männer|einwohner|mitarbeiter|gens"
    r"|(?!(?:does|has|was|this|costs|takes|makes|gets|pays|needs|others|yours|theirs)\b)"
    r"[^\W\d_]{3,}s)\b"
)
_COUNTED = re.compile(
    rf"{OPENING}(?:(?:und|aber|et|y|e) )?"
    rf"(?P<count>{_HOW_MANY} ?(?:{_PLURAL}|(?<=much )(?!\w+er\b|more\b|less\b)[^\W\d_]+))\W*",
    re.I,
)
_COUNT_IN = re.compile(rf"\b{_HOW_MANY} ?(?:{_PLURAL}|[^\W\d_]+)(?= )", re.I)


def count_asked(question: str) -> str:
    """Return the count that a question asks for and says nothing else of, "" for any other.

    >>> count_asked("and how many people"), count_asked("how many people live there?")
    ('how many people', '')
    >>> count_asked("how many died?"), count_asked("how many HY5 trains")
    ('', '')
    """
    found = _COUNTED.fullmatch(question)
    if found is None:
        return ""
    typed = found["count"]
    german = typed.casefold().startswith("wie")  # it writes each noun as a name
    named = any((term.kind == "name" and not german) or is_code(term.form) for term in terms(typed))
    return "" if named else typed


def counted_instead(base: str, count: str) -> str:
    """Return a question after a count with another one in its place, "" where it asks for none.

    >>> counted_instead("how many boats are in the harbour?", "how many people")
    'how many people are in the harbour?'
    """
    found = _COUNT_IN.search(base)
    return f"{base[: found.start()]}{count}{base[found.end() :]}" if found else ""
