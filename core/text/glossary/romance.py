"""Spanish and French words that a table does not hold as they stand (pure).

Inflected ones are found by their endings, others by how words from Latin end in English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from core.text.glossary.table import table
from core.text.terms import fold

LANGUAGES = ("es", "fr")
_SHORTEST_STEM = 3
_NOUNS = {
    "es": (("ces", "z"), ("es", ""), ("s", ""), ("as", "o"), ("a", "o"), ("ita", ""), ("ito", "")),
    "fr": (
        ("aux", "al"), ("s", ""), ("x", ""), ("es", ""), ("e", ""), ("euse", "eur"),
        ("euses", "eur"), ("euse", "eux"), ("trice", "teur"), ("ive", "if"), ("lle", "l"),
        ("nne", "n"), ("lles", "l"), ("nnes", "n"),
    ),
}  # fmt: skip
"""What plurals and feminine forms end in, and what stands there in a table."""
_VERBS = {
    "es": (
        ("ar", "er", "ir"),
        "iendo ando ieron aron aban aba ados adas ado ada idos idas ido ida ian ia aran eran iran"
        " ara era ira aria eria iria amos emos imos an en as es a e o io",
    ),
    "fr": (
        ("er", "ir", "re"),
        "issent issait eraient eront erait era aient erent irent ait ais ant ent ons ez ees ee ies"
        " ie is it es e i u us ues ue",
    ),
}
"""What verbs end in: the form that a table has, and the others."""
_ALIKE = {
    "es": (
        "cional tional,cion tion,sion sion,xion ction,idad ity,dad ty,tad ty,mente ly,"
        "mente ally,ista ist,ismo ism,encia ence,encia ency,ancia ance,ancia ancy,"
        "ografia ography,ogia ogy,ia y,ia ia,ia e,io y,io ium,io e,ico ic,ico ical,ica ic,"
        "ica ics,ica ical,ivo ive,iva ive,oso ous,osa ous,ario ary,aria ary,orio ory,"
        "ante ant,ente ent,ura ure,ado ate,ado ated,ificar ify,izar ize,izar ise,ar ate,"
        "ar e,ar ,er ,ir ,ir e,ema em,ama am,tro ter,o ,o e,o us,a ,a e,e , , e"
    ),
    "fr": (
        "ite ity,te ty,ement ly,ment ly,ique ic,ique ics,ique ical,isme ism,iste ist,ographie"
        " ography,ogie ogy,ie y,ie ia,eur or,eur er,eux ous,euse ous,if ive,aire ary,oire ory,"
        "el al,elle al,ien ian,ienne ian,ifier ify,iser ize,iser ise,er ate,er e,er ,ir ish,ir ,"
        "re ,tre ter,e ,e a, , e"
    ),
}
"""How words from Latin and Greek end, and how they do in English."""
_PAIRS = {
    code: [tuple(pair.split(" ")) for pair in pairs.split(",")] for code, pairs in _ALIKE.items()
}
_LETTERS = {
    "es": (
        (r"^es(?=[cptm])", "s"),
        (r"f", "ph"),
        (r"j", "x"),
        (r"cu(?=[aeo])", "qu"),
        (r"^([^t]*)t", r"\1th"),
    ),
    "fr": ((r"^e(?=[cpt])", "s"), (r"qu", "c"), (r"ai", "a")),
}
"""Letters that English writes otherwise: "escuela", "école"."""
_TO_DO = re.compile(r"\b(?:pour|para)\b(?= [^\W\d_]+(?:[aeií]r|re)(?:se|l[aeo]s?)?\b)", re.I)
"""What says what is to be done, where a verb stands behind it."""
_CLITIC = re.compile(r"(?<=[aei]r)(?:se|l[aeo]s?)$")
_AGAIN = re.compile(r"re?(?=[aeiou]\w{4})|re(?=\w{5})")
"""What says that something is done again: "racheter", "reabrir"."""
_LOST_S = re.compile(r"[âêîôû]")
_SHORTEST_ALIKE = 4
_OPENING = str.maketrans("", "", "¿¡")
_WHAT = re.compile(r"^\W*que\b", re.I)
"""What asks at the beginning, and joins clauses elsewhere."""
_ELIDED = re.compile(r"\b(l|d|qu|n|s|c|j|m|t|jusqu|lorsqu|puisqu)['’](?=\w)", re.I)
_FULL = {"l": "le", "c": "ce", "j": "je", "s": "se", "n": "ne", "m": "me", "t": "te", "d": "de"}
_INVERTED = re.compile(
    r"(?<=\w)-(?:t-)?(il|elle|ils|elles|on|je|tu|nous|vous|ce|y|en|le|la|les|moi)\b", re.I
)
_WHAT_IS = re.compile(r"\bqu['’]est-ce qu(?:e\b|['’])", re.I)
_WHAT_IS_IT = re.compile(
    r"\bqu['’]est-ce qu(?:e |['’])(?=(?:une?\b|l[ea]s?\b|l['’])\W*[\w-]+(?: [\w-]+)?\W*$)", re.I
)
"""What asks what something is: nothing stands behind the thing."""
_IS_IT = re.compile(r"\best-ce qu(?:e\b|['’])", re.I)


def apart(question: str, source: str) -> str:
    """Return a question with words apart that its language writes as one.

    >>> apart("l'eau coule-t-elle ?", "fr"), apart("Qu'est-ce que l'eau ?", "fr")
    ('le eau coule elle ?', 'quoi est le eau ?')
    """
    question = question.translate(_OPENING)
    question = _TO_DO.sub("à" if source == "fr" else "a", question)
    if source != "fr":
        return _WHAT.sub("qué", question) if source == "es" else question
    question = _WHAT_IS.sub("que ", _WHAT_IS_IT.sub("quoi est ", question))
    question = _IS_IT.sub("", question)
    question = _ELIDED.sub(
        lambda one: f"{_FULL.get(one[1].lower(), one[1].lower() + 'e')} ", question
    )
    question = _WHAT.sub("quoi", question)
    return " ".join(_INVERTED.sub(r" \1", question).split())


@lru_cache(maxsize=8192)
def translations(word: str, source: str, target: str = "en") -> tuple[str, ...]:
    """Return what a word is in another language, the best first; () where the table has none.

    >>> translations("tiendas", "es"), translations("vendieron", "es")[:1]
    (('store', 'shop'), ('sell',))
    >>> translations("étudiants", "fr"), translations("Graz", "fr")
    (('student',), ())
    >>> translations("racheté", "fr")[:1], translations("reabrieron", "es")[:1]
    (('buy',), ('open',))
    """
    known = table(source, target)
    for form in (word, *_basic_forms(fold(word), source)):
        if found := known.of(form):
            return found
    again = _AGAIN.match(fold(word))
    return translations(fold(word)[again.end() :], source, target) if again else ()


@lru_cache(maxsize=8192)
def english_spellings(word: str, source: str) -> tuple[str, ...]:
    """Return how a word from Latin or Greek may be spelled in English, the likeliest first.

    >>> "protection" in english_spellings("protección", "es")
    True
    >>> [w for w in english_spellings("forêts", "fr") if w == "forest"]
    ['forest']
    """
    plain = fold(word)
    found: dict[str, None] = {}
    for form in (plain, *_basic_forms(plain, source)):
        for ending, theirs in _PAIRS[source]:
            if form.endswith(ending):
                found[form[: len(form) - len(ending)] + theirs] = None
    for pattern, letters in _LETTERS[source]:
        found |= {re.sub(pattern, letters, one): None for one in tuple(found)}
    if _LOST_S.search(word):
        full = fold(_LOST_S.sub(lambda vowel: f"{vowel.group()}s", word.lower()))
        found = {full: None, full.removesuffix("s"): None, **found}
    return tuple(one for one in found if len(one) >= _SHORTEST_ALIKE)


def in_english(
    word: str, source: str, holds: Callable[[str], bool], is_word: Callable[[str], bool]
) -> str:
    """Return an English word that is spelled nearly so and that the documents hold, "" without one.

    >>> in_english("oxígeno", "es", lambda word: True, {"oxygen", "oxide"}.__contains__)
    'oxygen'
    """
    spelled = english_spellings(word, source)
    doubled = (one for near in spelled for one in _nearly(near))
    return next((one for one in (*spelled, *doubled) if is_word(one) and holds(one)), "")


def _nearly(word: str) -> Iterator[str]:
    """A word with a consonant doubled, or with "y" for an "i": "posible", "sistem"."""
    for at, letter in enumerate(word):
        if at and letter in "cflmnprst":
            yield f"{word[:at]}{letter}{word[at:]}"
        if at and letter == "i":
            yield f"{word[:at]}y{word[at + 1 :]}"


def _basic_forms(plain: str, source: str) -> Iterator[str]:
    """The words of which a word without accents may be a form, the likeliest first."""
    for ending, instead in _NOUNS[source]:
        if plain.endswith(ending) and len(plain) - len(ending) >= _SHORTEST_STEM - 1:
            yield plain.removesuffix(ending) + instead
    if source == "es" and (clitic := _CLITIC.search(plain)):
        yield plain[: clitic.start()]
    verbs, endings = _VERBS[source]
    for ending in endings.split():
        if plain.endswith(ending) and len(plain) - len(ending) >= _SHORTEST_STEM - 1:
            yield from (plain.removesuffix(ending) + verb for verb in verbs)
