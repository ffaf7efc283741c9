"""What can happen to somebody or something, and the words by which a text tells of it (pure).

To "where is he buried?" only what speaks of a grave is an answer.
"""

from __future__ import annotations

import re

from core.text.terms import content_keys

_EVERYWHERE = frozenset(
    content_keys(
        "make made do done use used get got go gone have need want start started begin began begun"
        " end ended finish finished open opened close closed last happen happened happens take took"
        " taken place live lives lived work works worked come comes came hold held based located"
        " stay stand lie long again exactly first next then later now date"
        " year day month time city country town person people somebody name lead leads led run runs"
        " ran head create created know known"
        " call called find found give gave put set keep kept leave left go went say said tell told"
        " gibt geben gab haben hat hatte machen macht gemacht tun gehen geht brauchen beginnt"
        " beginnen begonnen anfangen endet enden läuft laufen stattfinden findet passiert geschah"
        " liegt liegen steht stehen kommt kommen wohnt lebt leben arbeitet arbeiten ort stadt land"
        " tag jahr datum zeit leute leitet leiten genau heißt nennen"
    )
)
"""What most texts speak of, in whatever words."""
_EVENT = re.compile(
    r"\b(?:died|die(?=\W*$| (?:and|of|at|from)\b)|born|buried|marr(?:y|ied)|buil[dt]|invent(?:ed)?"
    r"|wr(?:ote|itten|ite)|arrested"
    r"|starb|stirbt|gestorben|geboren|begraben|heiratete|verheiratet|gebaut|erbaut|erfand|erfunden"
    r"|schrieb|geschrieben|verhaftet)\b",
    re.I,
)
"""What happens to few, and is hardly told without a word for it."""
_TOLD_BY = tuple(
    frozenset(content_keys(words))
    for words in (
        "die died dies death deaths dead killed obituary passed late starb gestorben stirbt tod tot"
        " verstorben",
        "born birth birthday birthplace native geboren geburt geburtstag geburtsort",
        "bury buried burial grave tomb cemetery funeral begraben beerdigt grab friedhof beigesetzt",
        "marry married marries marriage wedding wife husband spouse bride heiraten heiratete"
        " verheiratet hochzeit ehe ehefrau ehemann frau mann",
        "build built building construct constructed construction erect erected bauen baut gebaut"
        " baute errichtet errichten bau",
        "arrest arrested custody detained detention police verhaftet festgenommen verhaftung",
        "buy bought acquire acquired acquisition purchase purchased sell sold sale kaufen gekauft"
        " erworben verkauft kauf",
        "win won victory champion beat defeated gewinnen gewonnen gewann sieg sieger",
        "lose lost defeat defeated verloren verlieren verlor niederlage",
        "hurt injure injured injury injuries wounded verletzt verletzung",
        "publish published publication release released appear appeared issued veröffentlicht"
        " erschienen erscheint veröffentlichung",
        "write wrote written author writer book compose composed composer lyrics lyricist penned"
        " schreiben schrieb geschrieben autor verfasst komponiert",
        "invent invented inventor invention develop developed create created creator design"
        " designed designer conceived pioneered pioneer patented introduced credited discovered"
        " erfinden erfunden erfand erfinder entwickelt entworfen",
        "study studied studies university college degree school educated graduated studieren"
        " studierte studiert universität studium",
        "retire retired retirement resign resigned stepped rente pension zurückgetreten rücktritt",
        "sue sued lawsuit plaintiff court filed klagen geklagt klage klägerin kläger gericht",
        "elect elected election vote voted gewählt wahl",
        "grow grew grown childhood raised aufgewachsen kindheit",
        "move moved emigrate emigrated settle settled umziehen umgezogen zog gezogen",
        "arrive arrived arrival reach reached ankommen angekommen ankunft",
        "sink sank sunk wreck wrecked untergegangen gesunken",
        "boss chief ceo cfo coo cto director manager managing chairman president owner owned owns"
        " proprietor chef chefin geschäftsführer geschäftsführerin direktor direktorin leiter"
        " leiterin vorstand inhaber inhaberin besitzer",
        "attack attacked assault raid angegriffen angriff",
        "discover discovered discovery find found entdecken entdeckt entdeckung",
    )
)


def names_event(question: str) -> tuple[set[str], set[str]]:
    """Return the keys of the verb for what happened in a question, and of the words that tell it.

    >>> event, told = names_event("When did Jo Reed die?")
    >>> sorted(event), "tod" in told, names_event("Who owns the building?")
    (['die'], True, (set(), set()))
    """
    event = {key for found in _EVENT.findall(question) for key in content_keys(found)}
    return event, set[str]().union(*(words for words in _TOLD_BY if event & words))


def names_happening(question: str) -> tuple[set[str], set[str]]:
    """Return the keys of what a question names that not every text speaks of, and how it is told.

    >>> named, told = names_happening("where is he buried?")
    >>> sorted(named), "grav" in told, names_happening("when did it start?")[0]
    (['bur'], True, set())
    """
    named = set(content_keys(question)) - _EVERYWHERE
    told = named.union(*(words for words in _TOLD_BY if named & words))
    return named, told
