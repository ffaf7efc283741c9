"""English words that a table does not hold as they stand (pure)."""

from __future__ import annotations

from functools import cache, lru_cache

from core.text.glossary.german import verb_forms
from core.text.glossary.table import table
from core.text.mentions import lemmas

_IRREGULAR = """
arise arose arisen;awake awoke awoken;be is are was were been am being;bear bore borne born
beat beaten;become became;begin began begun;bend bent;bet;bid bade;bind bound;bite bit bitten
bleed bled;blow blew blown;break broke broken;bring brought;build built;burn burnt;buy bought
catch caught;choose chose chosen;come came;cost;creep crept;cut cutting;deal dealt;die dying
dig dug;do did done does;draw drew drawn;dream dreamt;drink drank drunk;drive drove driven
eat ate eaten;fall fell fallen;feed fed;feel felt;fight fought;find found;flee fled;fly flew flown
forbid forbade forbidden;forget forgot forgotten;forgive forgave;freeze froze frozen
get got gotten;give gave given;go went gone goes;grow grew grown;hang hung;have has had having
hear heard;hide hid hidden;hit hitting;hold held;keep kept;know knew known;lay laid;lead led
learn learnt;leave left;lend lent;let letting;lie lay lain;light lit;lose lost;make made
mean meant;meet met;pay paid;put putting;read;ride rode ridden;ring rang rung;rise rose risen
run ran running;say said;see saw seen;seek sought;sell sold;send sent;set setting
shake shook shaken;shine shone;shoot shot;show shown;shrink shrank shrunk;shut;sing sang sung
sink sank sunk;sit sat;sleep slept;slide slid;speak spoke spoken;spend spent;spread
spring sprang sprung;stand stood;steal stole stolen;stick stuck;strike struck;swear swore sworn
sweep swept;swim swam swum;take took taken;teach taught;tear tore torn;tell told;think thought
throw threw thrown;understand understood;undertake undertook undertaken;wake woke woken
wear wore worn;win won winning;wind wound;withdraw withdrew withdrawn;write wrote written;man men
woman women;child children;foot feet;tooth teeth;goose geese;mouse mice;person people;life lives
wife wives;leaf leaves;half halves;knife knives;wolf wolves;datum data;medium media
criterion criteria;phenomenon phenomena;bacterium bacteria;analysis analyses;crisis crises
basis bases;good better best;bad worse worst;far further furthest;little less least
much many more most
"""
"""Verbs and nouns with the forms that no rule tells."""


@cache
def irregular() -> dict[str, tuple[str, ...]]:
    """Return the basic forms of each irregular form: "left" is of "leave"."""
    found: dict[str, tuple[str, ...]] = {}
    for line in _IRREGULAR.strip().replace("\n", ";").split(";"):
        lemma, *forms = line.split()
        for form in forms:
            found[form] = (*found.get(form, ()), lemma)
    return found


@cache
def irregular_forms() -> dict[str, tuple[str, ...]]:
    """Return the irregular forms of each basic form: of "leave" it is "left"."""
    found: dict[str, tuple[str, ...]] = {}
    for form, words in irregular().items():
        for lemma in words:
            found[lemma] = (*found.get(lemma, ()), form)
    return found


def basic_forms(word: str) -> tuple[str, ...]:
    """Return the words of which an English word may be a form, itself first.

    >>> basic_forms("left"), sorted(basic_forms("founded"))
    (('left', 'leave'), ['found', 'founde', 'founded'])
    """
    small = word.lower().removesuffix("'s").removesuffix("’s")
    regular = sorted(lemmas(small) - {small})
    return (small, *irregular().get(small, ()), *regular)


@lru_cache(maxsize=8192)
def translations(word: str, target: str = "de") -> tuple[str, ...]:
    """Return what an English word is in another language, the best first; () if not known.

    >>> translations("built")[:1], translations("Zorblax")
    (('bauen',), ())
    """
    known = table("en", target)
    found = [one for form in basic_forms(word) for one in known.of(form)]
    if target == "de":
        found += [form for one in found for form in verb_forms(one)]
    return tuple(dict.fromkeys(found))
