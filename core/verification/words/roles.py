"""Who did what to whom, and what was when (pure).

"Beta acquired Acme" has every word of "Acme acquired Beta".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.text.terms import Term, content_keys, fold, folded_words, stem
from core.text.word_lists import BOTH_WAYS, IRREGULAR, OPPOSITE_VERBS
from core.verification.numbers.quantities import read_terms

NAME = r"(?<![\w.])[A-Z][\w.’'-]*(?:\s(?:[A-Z][\w.’'-]*|de|of|von|van)){0,4}"
PASTS = tuple(sorted(IRREGULAR))
_VERB = rf"(?P<verb>[^\W\d_]{{2,}}ed|{'|'.join(PASTS)})"
_ADVERB = r"(?:(?:also|later|then|first|finally|soon|once|[^\W\d_]+ly)\s+)?"
_ACTS = (
    re.compile(
        rf"(?P<whom>{NAME})\s*[,(]?\s*(?:(?:which|who|that)\s+)?(?:(?:has|had|have)\s+)?"
        rf"(?:(?:was|were|is|are|been|being)\s+)*{_ADVERB}{_VERB}\s+by\s+(?:the\s+)?(?P<who>{NAME})"
    ),
    re.compile(
        rf"(?P<who>{NAME})\s*,?\s*(?:(?:which|who|that)\s+)?(?:(?:has|had|have)\s+)?"
        rf"{_ADVERB}{_VERB}\s+(?:the\s+)?(?P<whom>{NAME})"
    ),
    re.compile(
        rf"(?P<who>{NAME})[’']s\s+(?P<verb>[^\W\d_]{{4,}}(?:ion|al|ase|est|eat|ure|ment))\s+of\s+"
        rf"(?:the\s+)?(?P<whom>{NAME})"
    ),
)
"""How a source says who did something to whom: passive, active, as a noun."""
_SAME = 4
"""Letters with which a noun begins as its verb does: "acquisition", "acquired"."""
_BOTH_WAYS = {stem(word) for word in BOTH_WAYS}


def _base(form: str) -> str:
    folded = fold(form)
    return stem(IRREGULAR.get(folded, folded))


_OPPOSITE_OF: dict[str, set[str]] = {}
for _one, _other in OPPOSITE_VERBS:
    _OPPOSITE_OF.setdefault(_base(_one), set()).add(_base(_other))
    _OPPOSITE_OF.setdefault(_base(_other), set()).add(_base(_one))
_DENYING = folded_words("not to never nicht")
"""Words before a verb with which it says the opposite, or what is only meant to be."""
_BEHIND = 4
_WHO = re.compile(NAME)
_FROM_BOTH_SIDES = [
    {_base(one), _base(other)}
    for one, other in (("buy", "sell"), ("beat", "lose"), ("win", "lose"), ("lend", "borrow"),
                       ("import", "export"))
]  # fmt: skip
"""Verbs that two sides say of the same: what one has sold, the other has bought."""
_NOUNS_TOO = {
    _base(word)
    for word in (
        "gain lose support increase import export end start love hate open ban slow lower raise "
        "win close stop leave decline decrease reduce add lend"
    ).split()
}
"""Verbs that are nouns or adjectives as well, which only their past tells."""


@dataclass(frozen=True, slots=True)
class _Act:
    """Who did what to whom, as keys, with the words that say it."""

    who: frozenset[str]
    verb: str
    whom: frozenset[str]
    said: str


def exchanged_roles(words: str, lines: Sequence[str]) -> tuple[str, str] | None:
    """What a statement says was done by the one to whom it was done, and what the source says.

    >>> source = ["Beta, acquired by Acme in 2019, makes pumps."]
    >>> exchanged_roles("Beta acquired Acme.", source)
    ('Beta acquired Acme', 'Beta, acquired by Acme')
    >>> exchanged_roles("Acme acquired Beta.", source)
    """
    there = [act for line in lines for act in _acts(line)]
    for ours in _acts(words):
        same = [act for act in there if act.verb == ours.verb]
        turned = [act for act in same if act.who & ours.whom and act.whom & ours.who]
        if turned and not any(act.who & ours.who and act.whom & ours.whom for act in same):
            return ours.said, turned[0].said
    return None


def _acts(text: str) -> Iterator[_Act]:
    for pattern in _ACTS:
        for found in pattern.finditer(text):
            who, whom = (frozenset(content_keys(found[part])) for part in ("who", "whom"))
            verb = _base(found["verb"])
            if who and whom and not who & whom and verb not in _BOTH_WAYS:
                yield _Act(who, verb[:_SAME], whom, found[0].rstrip("."))


def opposite_done(words: str, best: Sequence[str], lines: Sequence[str]) -> tuple[str, str] | None:
    """A verb of which the source says the opposite, of the same thing or by the same one.

    >>> source = ["The board accepted the offer of Delta."]
    >>> opposite_done("The board rejected Delta's offer.", source, source)
    ('rejected', 'accepted')
    """
    near = [one for line in best for one in _done(line)]
    known = [one for line in lines for one in _done(line)]
    for ours in _done(words):
        for theirs in near:
            if theirs.verb not in _OPPOSITE_OF[ours.verb]:
                continue
            same = ours.who == theirs.who
            turned = {ours.verb, theirs.verb} in _FROM_BOTH_SIDES and not (same and ours.who)
            apart = ours.who and theirs.who and not same
            if turned or apart or not (ours.what & theirs.what or (same and ours.who)):
                continue
            if not any(_says_too(ours, one) for one in known):
                return ours.said, theirs.said
    return None


def _says_too(ours: _Done, theirs: _Done) -> bool:
    about = ours.what & theirs.what or (ours.who and ours.who == theirs.who)
    return ours.verb == theirs.verb and bool(about)


@dataclass(frozen=True, slots=True)
class _Done:
    """A verb that has an opposite, the name before it, and the words of content behind it."""

    verb: str
    who: frozenset[str]
    what: frozenset[str]
    said: str


def _done(text: str) -> Iterator[_Done]:
    found = read_terms(text)
    for at, term in enumerate(found):
        verb, form = _base(term.form), fold(term.form)
        if verb not in _OPPOSITE_OF or (at and fold(found[at - 1].form) in _DENYING):
            continue
        if verb in _NOUNS_TOO and not (form.endswith("ed") or IRREGULAR.get(form, form) != form):
            continue
        names = _WHO.findall(text, 0, term.start)
        behind = found[at + 1 : at + 1 + _BEHIND]
        what = frozenset(one.key for one in behind if one.kind in ("word", "name", "number"))
        yield _Done(
            verb, frozenset(content_keys(names[-1])) if names else frozenset(), what, term.form
        )


def other_time(words: str, lines: Sequence[str]) -> tuple[str, str] | None:
    """A number after "in", "at" or "on" that a source has for what was done at another.

    >>> source = ["It was signed in 1951 and came into force in 1954."]
    >>> other_time("It came into force in 1951.", source)
    ('force in 1951', 'force in 1954')
    >>> other_time("It was signed in 1951.", source)
    """
    there = [one for line in lines for one in _dated(line)]
    for ours in _dated(words):
        if ours.before is None:
            continue
        same = [one for one in there if one.number == ours.number]
        others = [one for one in there if one.number != ours.number and one.before == ours.before]
        if same and others and all(one.acts and ours.before not in one.around for one in same):
            return ours.said, others[0].said
    return None


@dataclass(frozen=True, slots=True)
class _Dated:
    """A number behind a preposition: the key of the word before it, and of all that it may date.

    `acts` says whether a verb of its own is among them: "sold in 2010 and again in 2012" has none.
    """

    number: str
    before: str | None
    around: frozenset[str]
    acts: bool
    said: str


_SUBJECTS = folded_words("and it he she which who that")
"""Words before a verb in the present: "opens at 9 and closes at 17"."""
_AT = frozenset(("in", "at", "on", "um", "am", "im", "seit", "since", "until"))


def _dated(text: str) -> Iterator[_Dated]:
    """Each number behind a preposition. What opens a sentence, dates what stands behind it."""
    found = read_terms(text)
    places = [at for at, term in enumerate(found) if term.kind == "number"]
    for index, at in enumerate(places):
        if not at or fold(found[at - 1].form) not in _AT:
            continue
        start = places[index - 1] + 1 if index else 0
        end = places[index + 1] if index + 1 < len(places) else len(found)
        content = [term for term in found[start:at] if term.kind in ("word", "name")]
        behind = [term for term in found[at + 1 : end] if term.kind in ("word", "name")]
        last = found[at - 2] if at > 1 else None
        own = last if last is not None and last.kind == "word" and at - 2 >= start else None
        opens = len(content) < 2 and text[found[at].end : found[at].end + 1] == ","
        opens = opens or not content
        around = {_base(term.form) for term in (*content, *(behind if opens else ()))}
        said = text[(own or found[at - 1]).start : found[at].end]
        acts = any(_is_verb(found, place) for place in range(start, at)) or (opens and not index)
        before = _base(own.form) if own else None
        yield _Dated(found[at].key, before, frozenset(around), acts, said)


def _is_verb(found: Sequence[Term], at: int) -> bool:
    form = fold(found[at].form)
    past = form.endswith("ed") or IRREGULAR.get(form, form) != form
    return past or (at > 0 and form.endswith("s") and fold(found[at - 1].form) in _SUBJECTS)
