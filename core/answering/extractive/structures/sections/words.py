"""Words of questions and of headings that say what kind of section it is (pure)."""

from __future__ import annotations

from core.text.terms import content_keys


def keys_of(words: str) -> frozenset[str]:
    """The keys of words of several languages, each as it is read alone."""
    return frozenset(key for word in words.split() for key in content_keys(word))


STEPS = keys_of(
    "instruction instructions direction directions method steps step procedure preparation"
    " how to make it making guide zubereitung anleitung durchführung préparation instrucciones"
)
"""Words of headings below which something is told step by step."""
MINDING = keys_of(
    "look out watch consider check mind pay attention careful tips advice should must before"
    " worauf darauf achten beachten wissen soll sollte sollten muss müssen kann tipps tipp hinweise"
    " ich man wir sie you we"
)
"""Words of a question, and of a heading, that say no more than that something is to be minded."""
LIGHT = keys_of(
    "need needed required want get buy have has use used using list show give all full there gibt"
    " make recipe ich man wir brauche brauchen braucht benötige benötigt"
)
"""Words of a question that name nothing that is listed."""
