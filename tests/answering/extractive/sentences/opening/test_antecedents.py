"""Whom "he" and "it" are in the sentence that opens an answer."""

from __future__ import annotations

import pytest

from core.answering.extractive.sentences.candidates import find_candidates
from core.answering.extractive.sentences.opening.antecedents import LONGEST, named_before
from tests.support.hits import hit

LIFE = (
    "Ida Holm (born c. 1920) was a pilot. She trained in Linz. In 1963, she played the queen in "
    "Ferry Nights. Jo Bell wrote it."
)
PLANT = "The Velmark works are a power station. It blew up in 1986 near Graz."
DEVICES = "Medicine knows oxygen chambers. Divers are treated with these devices."
NAMING = "An upload may come from others. Such uploads are called kelvins."
SHARES = "The fires caused 281 deaths. Of the deaths, at least 190 were students. It rained."
SINGER = "Jo Holm is a poet. It rained. Holm sings of ferries."
COUNCIL = "The Velmark Council meets in Graz. It names the board of the Velmark Bank."


def named(question: str, text: str, best: str) -> str | None:
    candidates = find_candidates([hit(text)])
    one = next(one for one in candidates if best in one.sentence.text)
    found = named_before(question, one, candidates)
    return found.sentence.text[:8] if found else None


@pytest.mark.parametrize(
    ("question", "text", "best", "before"),
    [
        ("who played the queen in ferry nights", LIFE, "1963", "Ida Holm"),
        ("who trained in linz (ferry)", LIFE, "Linz", "Ida Holm"),
        ("when did she play the queen", LIFE, "1963", None),
        ("who did she play in ferry nights", LIFE, "1963", None),
        ("who is the play with", LIFE, "1963", None),
        ("who wrote it", LIFE, "Jo Bell", None),
        ("who is ida holm the pilot", LIFE, "Linz", None),
        ("velmark works that blew up", PLANT, "1986", None),
        ("power station that blew up near graz", PLANT, "1986", "The Velm"),
        ("what blew up near graz", PLANT, "1986", None),
        ("who blew up near graz", PLANT, "1986", "The Velm"),
        ("who blew up near graz", PLANT.replace("near", "by Jo Reed near"), "1986", None),
        (
            "wer spielte die königin",
            "Ida Holm war Pilotin. Sie spielte die Königin.",
            "spielte",
            "Ida Holm",
        ),
        ("what device treats divers", DEVICES, "treated", "Medicine"),
        ("what gas treats divers", DEVICES, "treated", None),
        ("who names the board of the velmark bank", COUNCIL, "names", "The Velm"),
        ("who is velmark bank", COUNCIL, "names", None),
        ("how many people were killed", SHARES, "190", "The fire"),
        ("how many students were killed", SHARES, "190", None),
        ("when did students die", SHARES, "190", None),
        ("how many were killed", SHARES.replace("281", "many"), "190", None),
        ("what is a kelvin", NAMING, "kelvin", "An uploa"),
        ("why is it a kelvin", NAMING, "kelvin", None),
        ("who sang it", "Ida Holm ate. Her sister Jo sang it.", "sang", None),
        ("who sang it", "Ida Holm ate. Her sister sang it.", "sang", "Ida Holm"),
        ("who sang it", "The boat left. Later it rained. She sang it.", "sang", None),
        ("queen in ferry nights actress", LIFE, "1963", "Ida Holm"),
        ("who sings of ferries", SINGER, "sings", "Jo Holm "),
        ("who sings of ferries", SINGER.replace("Holm sings", "Reed sings"), "sings", None),
        ("who sings of ferries", SINGER.replace("ferries", "ferries by Al Reed"), "sings", None),
    ],
)
def test_what_he_and_it_are(question: str, text: str, best: str, before: str | None) -> None:
    assert named(question, text, best) == before


def test_too_long_a_sentence_names_nobody() -> None:
    long = LIFE.replace("a pilot", "a pilot" + " of boats" * LONGEST)
    assert named("who played the queen in ferry nights", long, "1963") is None
