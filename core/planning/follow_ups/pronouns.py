"""Pronouns that mean something said before, and not in the same message (pure).

A pronoun points back unless its antecedent stands before it in the same message, and so does a verb
of a language that needs none ("Kdaj se je rodila?", `dropped_subject.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.planning.follow_ups.content import content_of
from core.planning.follow_ups.dropped_subject import drops_subject
from core.text.terms import fold, folded_words, terms

PERSON = frozenset("he she him his her hers himself herself er ihm ihn sein seine seinen".split())
THING = folded_words(
    "it its they them their theirs there this these those seiner sie ihr ihre ihren es "
    "dies diese dieser dieses davon dazu dort dabei damit darin darüber il elle ils elles lui "
    "leur leurs cela celui celle ceux él ella ellos ellas su sus esto eso aquello allí ele ela "
    "isso questo questa quello quella loro он она оно они его её ее их это этот эта эти"
)
_POSSESSIVE = frozenset("its their his her seine seinen seiner sein ihr ihre ihren".split())
_OWNER = re.compile(
    r"\b(?:the|an?|der|die|das|eine?)\s+(?P<noun>[\w-]+)"
    r"|\b(?:do|did|can|have|are|will|must|should)\s+(?P<several>[^\W\d_]+s)\b",
    re.I,
)
"""What something can belong to: "the kiln", "do tilers"."""
_THERE = frozenset("there dort dorthin là là-bas allí ahí allá lì laggiù там tam".split())
"""Pronouns of a place that was named, with their accents: "la" and "li" are articles."""
PLACE = _THERE | {"here", "hier"}
MANY = frozenset("they them their theirs".split())
"""Pronouns of several, or of people: a thing that is one is never meant."""
_LOOSE = frozenset({"that", "one", "ones"})
"""Pronouns that are other words as well."""
_THE_NEW = re.compile(r"(?:the|their|its|your|my) \w+", re.I)
_OF_ONE = frozenset("of that who which with in from for on".split())
"""What tells behind "the new one" which it is."""
_IMPERSONAL = re.compile(
    r"\b(?:is|was|does|did|will|would|can) it\b(?! \w+ed\b(?! (?:to|that)\b))"
    r"(?=.*\b(?:that|to|for)\b)"
    r"|\b(?:is|are|was|were|will|would|can|could) there\b|\bthere (?:is|are|was|were)\b"
    r"|\b(?:the|that|this) (?:[\w'’-]+ ){1,3}(?:that )?they (?:found|discovered|dug up|unearthed)\b"
    r"|\bil (?:y a|faut|est)\b|\bes gibt\b|\b(?:gibt|geht|ist) es\b",
    re.I,
)
_SINCE_WHEN = re.compile(r"\b(?:since|until|till|from|by|for) (?:when|what|how long)\b", re.I)
_ROMANCE = re.compile(r"¿|\b(?:el|la|los|las|cuál|qué|quién|dónde|est|sont|quel\w*)\b", re.I)
"""Of languages in which "es" is a verb."""
_BREAK = re.compile(
    r"[?.!,;:](?=\s)|\b(?:and|or|but|when|while|because|if|after|before|und|oder|aber|wenn|weil"
    r"|et|ou|y|o|и)\b",
    re.I,
)
"""Where a clause may end: what stands before it can be what a pronoun after it means."""
_DOING = re.compile(r"\b(?:i|you|we|he|she|it|they|ich|du|wir|er|sie|es)\s+\w+", re.I)
"""A pronoun and its verb: nothing that another pronoun could mean."""
GENERAL = folded_words(
    "company firm business organisation organization city town village country state region "
    "place area building house person man woman author writer founder owner team group party "
    "club event war battle deal agreement contract transaction merger project programme "
    "program plan law act court case study paper article book report document text chapter "
    "section film movie song album game product model method approach algorithm system "
    "function module class list name title number amount price cost value date year result "
    "default version file table figure process problem solution idea word term rule song "
    "firma unternehmen stadt dorf land ort gebäude haus person mann frau autor buch bericht "
    "dokument text film spiel produkt modell methode funktion liste name zahl preis kosten "
    "jahr ergebnis vertrag gesetz krieg gruppe verein system verfahren"
)
"""Nouns so general that "the ..." with nothing more means one named before."""
PREPOSITION = (
    "in|at|on|for|from|by|with|under|during|near|per|pro|im|am|bei|für|aus|mit|von|en|dans|à"
)
_DER = re.compile(
    r"^\W*(?:(?:und|aber|so|ok)\W+)*(?:was|wer|wie|wo|wann|warum|welche\w?|ist|sind|hat|kann|gibt)\b.*"
    r"\b(?:der|die|das|den|dem|denen)\W*$"
    r"|\b(?:kann|darf|muss|soll(?:te)?|könnte|will|möchte) (?:ich|man|wir|du) (?:den|die|das|der) "
    r"(?:(?:auch|noch|schon|vorher|selbst|selber|einfach|wieder|nochmal|sofort|später|jetzt|dann|hier"
    r"|online|nicht|vorzeitig|jederzeit) )*\w+(?:en|ern|eln|tun)\W*$"
    r"|\b(?:ist|sind|war|waren|wird|bleibt) (?:das|die|der) (?:\w+ )?"
    r"\w{3,}(?:ig|lich|isch|bar|sam|los|haft|iell|iv)\W*$"
    r"|\bha(?:t|ben) (?:das|die|den) (?:ge\w+t|(?:ent|ver|be|er|zer)\w+(?:t|en))\W*$",
    re.I,
)
"""A German question with an article for a pronoun: "was kostet der?", "ist das giftig?"."""
PLURAL = re.compile(r"[^s]s$|^(?:people|men|women|children|police|leute)$", re.I)


def points_back(question: str) -> bool:
    """Return whether a pronoun of a question has no antecedent before it in the same message.

    >>> points_back("When was she born?"), points_back("Kdaj se je rodila?")
    (True, True)
    """
    if drops_subject(question):
        return True
    if _DER.search(question):
        return True
    text = _IMPERSONAL.sub(lambda found: " " * len(found.group()), question)
    text = _SINCE_WHEN.sub(lambda found: "when".rjust(len(found.group())), text)
    found = [
        (m.start(), m.end(), m.group().strip("'’\".")) for m in re.finditer(r"[^\s?!,;:()]+", text)
    ]
    for place, (start, _, word) in enumerate(found):
        folded = fold(word)
        polite = word in ("Sie", "Ihr", "Ihre", "Ihnen", "Ihren") and place > 0
        if (word.lower() not in _THERE and folded not in PERSON | THING | _LOOSE) or polite:
            continue
        if folded == "es" and _ROMANCE.search(text):
            continue
        if word.lower() == "el":  # the article; the pronoun is "él"
            continue
        behind = found[place + 1][2] if place + 1 < len(found) else ""
        if folded in _POSSESSIVE and _has_owner(folded, text[:start], behind):
            continue
        if folded in _LOOSE and not _is_pronoun(folded, found, place):
            continue
        if not _at_home(text, start):
            return True
    return False


def _has_owner(word: str, before: str, behind: str) -> bool:
    """Whether the words before "its" in a clause name whose it is; `behind` is what is owned.

    "How does the kiln dry its tiles?" tells whose. In "what do critics say about its end" others do
    it, and "sein" with nothing behind it is the German verb.
    """
    if word == "sein" and not content_of(behind):
        return True
    if word in PERSON and any(term.kind == "name" for term in terms(before)):
        return True
    if re.search(rf"\b(?:{PREPOSITION}|of|about|to)\s+$", before, re.I):
        return False
    nouns = [found["noun"] or found["several"] for found in _OWNER.finditer(before)]
    several = word == "their" or word.startswith("ihr")
    return any(
        fold(noun) not in GENERAL
        and bool(content_of(noun))
        and (several or not PLURAL.search(noun))
        and not (word == "their" and not PLURAL.search(noun))
        for noun in nouns
    )


def _is_pronoun(word: str, found: Sequence[tuple[int, int, str]], place: int) -> bool:
    before = found[place - 1][2] if place else ""
    after = found[place + 1][2] if place + 1 < len(found) else ""
    if word == "one" and _THE_NEW.fullmatch(" ".join(w for _, _, w in found[:place][-2:])):
        return fold(after) not in _OF_ONE
    if word == "that":
        if place == len(found) - 1 and place:
            return True  # "what does it cost to stop that?"
        return not content_of(before) and fold(before) not in ("true", "so", "is it")
    return word == "ones" or (not content_of(after) and fold(after) != "of")


def has_antecedent(question: str) -> bool:
    """Whether a question has a pronoun that means something in the same message."""
    words = {fold(word.strip("'’\".,;:!?")) for word in _IMPERSONAL.sub(" ", question).split()}
    return bool(words & (PERSON | THING)) and not points_back(question)


def _at_home(text: str, start: int) -> bool:
    """Whether a clause that ended before `start` names something."""
    ends = [found.start() for found in _BREAK.finditer(text, 0, start)]
    return bool(ends) and bool(content_of(_DOING.sub(" ", text[: ends[-1]])))
