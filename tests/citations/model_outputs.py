"""Outputs as models write them, made at random together with what must become of them."""

from __future__ import annotations

import random
from dataclasses import dataclass

SPELLINGS = (
    "[Source {}]", "[source {}]", "[{}]", "[ {} ]", "[^{}]", "【{}】", "【{}†source】",
    "(Source {})",
    "[Source {}: report.pdf]", "[Source {}, p. 3]", "[Quelle {}]", "[Fuente {}]", "[Источник {}]",
    "[来源 {}]", "[Doc {}]", "［{}］", "**[{}]**", "[Source #{}]", "[[{}]]", "[Source {}](#s)",
)  # fmt: skip
LISTS = ("[{}, {}]", "[Source {}, Source {}]", "[{}][{}]", "[{}; {}]", "[Sources {} and {}]",
         "(Sources {} and {})", "[Source {}] [Source {}]")  # fmt: skip
WORDS = (
    "the tower was built by an engineer of that time",
    "revenue rose to 1,577 million (a plus of 3.4 %)",
    "die Höhe beträgt 330 Meter über dem Boden",
    "la torre fue construida en París",
    "башня была построена инженером",
    "塔は一八八九年に建てられた",
    "a < b, c > d & e = \"f\" isn't 'g'",
    "*emphasis* and __strong__ words, a|b",
    "see section 2.1 (page 12), note 4",
    "1999-2004; 12:30; 50%; #7; $5; x^2; ~9",
    "e.g. this, i.e. that … and so on",
    "émigré naïve coöperate",
)
CODE = ("`list[0]`", "`a[1][2] = 3`", "```python\nx[1] = y[2]  # [Source 9]\n```", "`[Source 1]`")
OPENINGS = ("", "- ", "* ", "1. ", "## ", "> ", "| ")
ENDS = (". ", ".\n", "\n\n", "; ", "! ", "? ", " ")


@dataclass(frozen=True)
class Output:
    """A text, the number of its sources, and the runs of valid numbers that it cites."""

    text: str
    bare: str
    runs: tuple[tuple[int, ...], ...]
    sources: int


def output(seed: int) -> Output:
    """The output of this seed; always the same."""
    rng = random.Random(seed)
    sources = rng.randint(1, 12)
    text, bare, runs = [], [], []
    for _ in range(rng.randint(1, 9)):
        words = rng.choice(OPENINGS) * (not text or text[-1].endswith("\n")) + rng.choice(WORDS)
        if rng.random() < 0.15:
            code = rng.choice(CODE)
            words += ("\n" if "```" in code else " ") + code + ("\n" if "```" in code else "")
        end = rng.choice(ENDS)
        mark, numbers = _mark(rng, sources)
        after = rng.random() < 0.3 and "`" not in words[-1:]
        text.append(words + (f"{end.strip(chr(10))}{mark}\n" if after else f" {mark}{end}"))
        bare.append(words + end)
        runs.append(tuple(dict.fromkeys(n for n in numbers if 1 <= n <= sources)))
    return Output("".join(text), "".join(bare), tuple(run for run in runs if run), sources)


def _mark(rng: random.Random, sources: int) -> tuple[str, list[int]]:
    def number() -> int:
        return rng.choice([rng.randint(1, sources), rng.randint(1, sources), 0, 17, 99, 1234])

    kind = rng.random()
    if kind < 0.15:
        return "", []
    if kind < 0.4:
        first, second = rng.randint(1, sources), rng.randint(1, sources)
        return rng.choice(LISTS).format(first, second), [first, second]
    only = number()
    spelling = rng.choice(SPELLINGS)
    return spelling.format(only), [only]


def pieces(text: str, seed: int) -> list[str]:
    """The text cut at random, as it may stream."""
    rng = random.Random(seed)
    cut, at = [], 0
    while at < len(text):
        size = rng.choice((1, 1, 2, 3, 5, 8, 13, 40))
        cut.append(text[at : at + size])
        at += size
    return cut
