"""Questions in Slovenian that leave their subject to the conversation (pure).

The verb says whether it is he, she or it: "Kdaj se je rodila?" (when was she born). What stands as
the subject itself is told by its place and by the ending of the verb.
"""

from __future__ import annotations

import re

from core.text.terms import fold, folded_words

_QUESTION = re.compile(
    r"^\W*(?:(?:in|pa|ali|ter)\s+)?(?P<asks>kdaj|kje|kam|kod|kako|kdo|koga|komu|kaj|čemu|koliko|zakaj"
    r"|kater\w+|kakšn?\w*|čigav\w*)\s+(?P<rest>[^?!.]+)",
    re.I,
)
_VERBS = frozenset("je sta so bo bosta bodo bi".split())
_CLITICS = frozenset("se si sem že še tam tu takrat potem nato kasneje prej tudi".split())
_PREPOSITIONS = folded_words("v na pri za iz od do s z k h po ob med pod nad pred čez skozi zaradi")
_PRONOUNS = folded_words(
    "ga jo mu ji jih jim njega njej njem njo njim njimi njih njegov njegova njegovo njegove "
    "njegovega njegovem njen njena njeno njene njeni njenega njenem njihov njihova njihovo njihove "
    "njegovi njihovi on ona ono oni"
)
_PARTICIPLE = re.compile(r".{2,}(?:l|la|lo|li|le)$")
_PASSIVE = re.compile(r".{3,}(?:en|an|t)(?:a|o|i|e)?$")
_TAKES_A_NOUN = re.compile(r"koliko|(?:kater|kakšn)o", re.I)
"""Question words whose noun may be the object: "koliko otrok", "katero knjigo"."""


def drops_subject(question: str) -> bool:
    """Return whether a question in Slovenian means somebody or something named before it.

    >>> drops_subject("Kdaj se je rodila?"), drops_subject("Kdaj se je rodila Ana?")
    (True, False)
    >>> drops_subject("Koliko otrok je imela?"), drops_subject("Koliko ljudi je umrlo?")
    (True, False)
    """
    found = _QUESTION.match(question)
    if found is None:
        return False
    words = found["rest"].split()
    if any(word[0].isupper() for word in _bare(words)):
        return False
    folded = [fold(word.strip(",;:\"'")) for word in words]
    if _PRONOUNS & set(folded):
        return True
    if fold(found["asks"]) == "kdo":
        return False
    at = next((place for place, word in enumerate(folded) if word in _VERBS), None)
    if at is None:  # one verb in the present tense: "Kje živi?"
        return len([word for word in _bare(folded) if word not in _CLITICS]) == 1
    before = [word for word in folded[:at] if word not in _CLITICS]
    after = [word for word in _bare(folded[at + 1 :]) if word not in _CLITICS]
    said = [word for word in after if _PARTICIPLE.match(word)]
    if not said or (before and not _TAKES_A_NOUN.fullmatch(found["asks"])):
        return False
    if said[0].endswith("lo") and fold(found["asks"]) in ("kaj", "koliko"):
        return False  # what is asked for is the subject: "Kaj se je zgodilo?"
    was = said[0].startswith("bil")
    return all(word in said or (was and _PASSIVE.match(word)) for word in after)


def _bare(words: list[str]) -> list[str]:
    """The words without a preposition and the word behind it."""
    return [
        word
        for place, word in enumerate(words)
        if fold(word) not in _PREPOSITIONS
        and not (place and fold(words[place - 1]) in _PREPOSITIONS)
    ]
