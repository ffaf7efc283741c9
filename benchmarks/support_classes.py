"""Answers by class for the benchmark of the support check: right ones and wrong ones.

The classes verbatim, paraphrase, inference, name, negation and number are read off the answers of
`support_check`; ordinals, units, tables, wrong marks and statements about the sources are made
here of the same articles.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from core.citations.mark import mark
from core.models.port import Embedder
from core.text.sentences import SentenceKind, split_sentences
from core.types import Citation, Claim, Support
from core.verification import check as support

_ORDINALS = (
    "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth",
)  # fmt: skip
_ORDINAL = re.compile(rf"\b(?:{'|'.join(_ORDINALS)})\b")
_UNITS = (
    (re.compile(r"\b(?:kilometers?|kilometres?|km)\b"), "km", "miles"),
    (re.compile(r"\bmiles\b"), "miles", "km"),
    (re.compile(r"\b(?:meters|metres|m)\b"), "meters", "feet"),
    (re.compile(r"\bfeet\b"), "ft", "meters"),
    (re.compile(r"(?: percent\b|%)"), " percent", " points"),
    (re.compile(r"\bmillion\b"), "million", "billion"),
    (re.compile(r"\bbillion\b"), "billion", "million"),
    (re.compile(r"\byears\b"), "years", "months"),
    (re.compile(r"\bhours\b"), "hours", "days"),
    (re.compile(r"\btons?\b|\btonnes\b"), "tonnes", "kg"),
    (re.compile(r"\$"), "US$", "€"),
)
_A_NUMBER_BEFORE = re.compile(r"\d[\d.,]*\s?$")
_EACH = 40
"""Answers of a class, right and wrong ones each, at most."""


@dataclass(frozen=True)
class Sample:
    """An answer of a class, whether it is wrong, and the passages by number."""

    kind: str
    text: str
    passages: tuple[str, ...]
    wrong: bool
    marks: tuple[int, ...] = ()
    """The marks that are to be named, where the answer cites a passage that does not say it."""


def samples(passages: Sequence[str], seed: int = 11) -> list[Sample]:
    """Answers of every class that is made of sentences of articles."""
    chance = random.Random(seed)
    texts = list(dict.fromkeys(passages))
    chance.shuffle(texts)
    made = (_ordinals(texts), _units(texts), _tables(chance), _marks(texts), _about(texts))
    found: list[Sample] = []
    for kind in made:
        counts = {True: 0, False: 0}
        for sample in kind:
            if counts[sample.wrong] < _EACH:
                counts[sample.wrong] += 1
                found.append(sample)
    return found


def is_flagged(sample: Sample, embedder: Embedder) -> bool:
    """Whether the check says that something of the answer is not supported, or a mark wrong."""
    citations = [
        Citation(n, f"d{n}:0", f"d{n}", f"d{n}.txt", None, 0, None, 0, 0, "", passage=text)
        for n, text in enumerate(sample.passages, 1)
    ]
    claims = support.check_support(sample.text, citations, (), embedder)
    if sample.kind == "wrong mark":
        return any(_named(claim, sample.marks) for claim in claims)
    return any(claim.support is Support.UNSUPPORTED for claim in claims)


def _named(claim: Claim, marks: Sequence[int]) -> bool:
    return bool(claim.wrong) and (not marks or tuple(claim.wrong) == tuple(marks))


def _sentences(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    for text in texts:
        for piece in split_sentences(text):
            if piece.kind is SentenceKind.PROSE and 40 < len(piece.text) < 300:
                yield " ".join(piece.text.split()), text


def _ordinals(texts: Sequence[str]) -> Iterator[Sample]:
    """An ordinal in digits is right, the next ordinal is wrong."""
    for sentence, text in _sentences(texts):
        if not (found := _ORDINAL.search(sentence)):
            continue
        at = _ORDINALS.index(found[0])
        digits = f"{at + 3}{'rd' if at == 0 else 'th'}"
        other = _ORDINALS[(at + 1) % len(_ORDINALS)]
        for word, wrong in ((digits, False), (other, True)):
            said = sentence[: found.start()] + word + sentence[found.end() :]
            yield Sample("ordinal", f"{said} {mark(1)}", (text,), wrong)


def _units(texts: Sequence[str]) -> Iterator[Sample]:
    """Another spelling of a unit is right, another unit is wrong."""
    for sentence, text in _sentences(texts):
        for pattern, same, other in _UNITS:
            found = pattern.search(sentence)
            if not found:
                continue
            money = found[0] == "$"
            if not money and not _A_NUMBER_BEFORE.search(sentence[: found.start()]):
                continue
            if money and not sentence[found.end() : found.end() + 1].isdigit():
                continue
            for unit, wrong in ((same, False), (other, True)):
                said = sentence[: found.start()] + unit + sentence[found.end() :]
                yield Sample("unit", f"{said} {mark(1)}", (text,), wrong)
            break


def _tables(chance: random.Random) -> Iterator[Sample]:
    """A row of a table with its columns in another order is right, an exchanged cell is wrong."""
    places = ("Graz", "Linz", "Turin", "Porto", "Leeds", "Gent", "Lund", "Bern", "Kiel", "Nice")
    columns = ("Price", "Delivery", "Weight", "Warranty")
    for _ in range(2 * _EACH):
        rows = chance.sample(places, 4)
        cells = {row: [str(chance.randint(11, 999)) for _ in columns] for row in rows}
        head = f"| Plant | {' | '.join(columns)} |\n|{'---|' * 5}\n"
        source = head + "\n".join(f"| {row} | {' | '.join(cells[row])} |" for row in rows)
        row, at = chance.choice(rows), chance.randrange(len(columns))
        order = [(at + step) % len(columns) for step in range(3)]
        header = " | ".join(columns[one] for one in order)
        rights = [cells[row][one] for one in order]
        other = chance.choice([one for one in rows if one != row])
        for values, wrong in (
            (rights, False),
            ([cells[other][at], *rights[1:]], True),  # another row
            ([rights[1], rights[0], *rights[2:]], True),  # another column
        ):
            said = (
                f"| Plant | {header} |\n|{'---|' * 4}\n| {row} | {' | '.join(values)} {mark(1)} |"
            )
            yield Sample("table", said, (source,), wrong)


def _marks(texts: Sequence[str]) -> Iterator[Sample]:
    """The paragraph itself and one that holds it are right; one of another article is wrong."""
    for at, (sentence, text) in enumerate(_sentences(texts)):
        other = texts[(at * 7 + 1) % len(texts)]
        if other == text or at % 5:
            continue
        said = f"{sentence} {mark(1)}{mark(2)}"
        yield Sample("wrong mark", said, (text, f"{other} {text}"), False)
        yield Sample("wrong mark", said, (text, other), True, (2,))


def _about(texts: Sequence[str]) -> Iterator[Sample]:
    """What a source says is said to be missing (wrong); or what another article says (right)."""
    lead = ("The sources do not mention that", "There is no information about whether")
    for at, (sentence, text) in enumerate(_sentences(texts)):
        other = texts[(at * 7 + 1) % len(texts)]
        if other == text or at % 5:
            continue
        said = f"{lead[at % 2]} {sentence[0].lower()}{sentence[1:]}"
        yield Sample("about the sources", said, (other,), False)
        yield Sample("about the sources", said, (text,), True)
