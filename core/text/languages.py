"""The language of a question, which is too short for a model of languages (pure)."""

from __future__ import annotations

import re

_WORDS = {
    "en": "the of is are was what which who whom whose how does do did and in to for when where "
    "why with a an on at by from has have had be been can could will would should it its they "
    "their this that these those you your my i me there or not as if about many much any",
    "de": "der die das ist sind war was welche welcher welches welchem welchen wer wen wem wie und "
    "in im zu für wann wo warum mit nach den dem des ein eine einen einem einer auf an am von vom "
    "zum zur bei hat haben hatte hatten wird werden wurde wurden kann können muss müssen man sich "
    "nicht auch es er sie ich wir mein meine gibt viel viele aus oder als dass über durch "
    "wieviel wieviele darf dürfen soll wenn bitte kein keine bis",
    "fr": "le la les est sont quel quelle quels quelles qui que comment et dans pour quand où "
    "pourquoi avec des du un une au aux a ont été il elle ils en sur par combien je nous vous ce "
    "cette ces peut puis faut y avait était étaient quoi chez ne pas qu",
    "es": "el la los las es son qué cuál quién cómo y en para cuándo dónde por con de del un una "
    "se fue ha al cuánto cuánta cuántos cuántas su sus mi lo hay está están tiene tienen puedo "
    "puede cuáles quiénes eran era hasta desde cuanto cuanta cuantos cuantas cuando donde quien "
    "quienes cual cuales que le les este esta ese esa",
    "it": "il gli la le è sono quale quali chi che come e nel nella per quando dove perché con di "
    "della del un una ha si quanti",
}
_SPANISH = re.compile(r"[¿¡]")
_KNOWN = {code: frozenset(words.split()) for code, words in _WORDS.items()}
_PLAIN = str.maketrans("áéíóúàèù", "aeiouaeu")
_WITHOUT_ACCENTS = {
    code: frozenset(word.translate(_PLAIN) for word in known) - known
    for code, known in _KNOWN.items()
}
_UNACCENTED = 0.5
"""What a word counts that is typed without its accents: it is another word as well."""
LANGUAGE_NAMES = {
    "en": "English",
    "de": "German",
    "fr": "French",
    "es": "Spanish",
    "it": "Italian",
}
"""The languages of a question that are told, in English."""


def language_of(question: str, fewest: int = 1) -> str:
    """Return the language of a question by its function words, "" where fewer than `fewest` tell.

    >>> language_of("Wie lange müssen die Auszüge bleiben?"), language_of("revenue 2020")
    ('de', '')
    >>> language_of("cuantas personas viven"), language_of("que es un bosque")
    ('es', 'es')
    """
    if _SPANISH.search(question):
        return "es"
    words = re.findall(r"[^\W\d_]+", question.lower())
    counts = {
        code: sum(
            1 if word in known else _UNACCENTED * (word in _WITHOUT_ACCENTS[code]) for word in words
        )
        for code, known in _KNOWN.items()
    }
    best = max(counts, key=counts.__getitem__)
    others = max(count for code, count in counts.items() if code != best)
    return best if counts[best] > others and counts[best] >= fewest else ""
