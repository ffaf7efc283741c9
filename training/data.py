"""The examples that the reader learns from, made of public sets, and what is kept apart.

Every set is split by document (an article, a volume, a paper), never by question. A document is
held out for the final figures, for choices, or learned from: `training.parts` says which.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain
from pathlib import Path

from core.text.sentences import split_sentences
from training import newcomers, sets
from training.claims import changed, shortened
from training.nearest import Nearest, keys_of, nearest_place
from training.parts import Part, part_of
from training.sets import Question, lines, places
from training.windows import Span, around, sentences_of

LONGEST_ANSWER = 160  # characters: longer ones say little about where an answer begins and ends


class Verdict(IntEnum):
    """What a passage says of a sentence."""

    SUPPORTED = 0
    CONTRADICTED = 1
    NEITHER = 2


@dataclass(frozen=True, slots=True)
class Example:
    """A question, or a sentence to be judged, with a passage.

    `reads` says whether the answer span is known: `answer` is its place in the passage, None where
    no answer stands there. `relevant` and `verdict` are None where they are not known.
    """

    source: str
    document: str
    text: str
    passage: str
    reads: bool = False
    answer: Span | None = None
    relevant: bool | None = None
    verdict: Verdict | None = None
    title: str = ""


def examples(data: Path, part: Part, seed: int, written: Path = newcomers.WRITTEN) -> list[Example]:
    """All examples of one part, in an order that the seed alone decides.

    `data` holds the public sets, `written` the project's own in `documents` and `articles`.
    """
    chance = random.Random(seed)
    found: list[Example] = []
    of_sets = (sets.squad, sets.natural_questions, sets.covid, sets.multihop, sets.queries)
    own = (sets.everyday, sets.articles)
    asked = [*chain.from_iterable(read(data) for read in of_sets)]
    asked += chain.from_iterable(read(written) for read in own)
    aside = talked_about(data)
    asked = [one for one in asked if part_of(one.document, aside) is part]
    found += with_distractors(asked, chance)
    for other in (judged_replies, long_answers):
        found += [one for one in other(data) if part_of(one.document, aside) is part]
    of_others = [one for one in asked if one.source != "queries"]  # about the same paragraphs
    found += claims(of_others, chance)
    chance.shuffle(found)
    return found


def talked_about(data: Path) -> frozenset[str]:
    """The documents that the conversations are about."""
    folder = data / "golden" / "talks" / "documents"
    return frozenset(path.name for path in folder.iterdir()) if folder.is_dir() else frozenset()


# ------------------------------------------------------------- replies and long answers


def judged_replies(data: Path) -> Iterator[Example]:
    """BEGIN's replies of language models, judged by people; one half is for checking."""
    verdicts = {
        "Fully attributable": Verdict.SUPPORTED,
        "Not fully attributable": Verdict.NEITHER,
    }
    for row in lines(data / "qa" / "begin" / "dev.jsonl"):
        passage, verdict = row["knowledge"], verdicts.get(row["label"])
        is_taught = hashlib.sha256(passage.encode()).digest()[-1] % 2 == 0
        if is_taught and verdict is not None:
            yield Example("begin", passage, row["response"], passage, verdict=verdict)


def long_answers(data: Path) -> Iterator[Example]:
    """ClapNQ: answers that people wrote, of sentences that they marked, and unanswerable twins."""
    for kind in ("answerable", "unanswerable"):
        for row in lines(data / "qa" / "clapnq" / f"clapnq_dev_{kind}.jsonl"):
            passage = row["passages"][0]
            document, parts = passage["title"], passage["sentences"]
            text = " ".join(parts)
            if kind == "unanswerable":
                cut, _ = around(text, nearest_place(row["input"], text))
                yield Example("clapnq", document, row["input"], cut, reads=True, title=document)
                continue
            output = row["output"][0]
            chosen = " ".join(output["selected_sentences"])
            yield Example(
                "clapnq", document, row["input"], chosen, relevant=True, title=document
            )  # fmt: skip
            for piece in split_sentences(output["answer"])[:2]:
                yield Example(
                    "clapnq", document, piece.text, chosen, verdict=Verdict.SUPPORTED
                )  # fmt: skip


# ------------------------------------------------------------------- from questions to examples


def with_distractors(asked: Sequence[Question], chance: random.Random) -> Iterator[Example]:
    """Each question with its window, and every second one with a passage that does not answer.

    What does not answer is another paragraph of the document, the nearest but the right one, or
    the same paragraph away from the answer.
    """
    texts: dict[str, dict[str, None]] = {}
    for one in asked:
        texts.setdefault(one.document, {})[one.paragraph] = None
    titles = {one.paragraph: one.title for one in asked}
    every = Nearest([(text, name) for name, found in texts.items() for text in found])
    by_document = {name: Nearest([(text, name) for text in found]) for name, found in texts.items()}
    for one in asked:
        if not one.answers:
            cut, _ = around(one.paragraph, nearest_place(one.text, one.paragraph), chance)
            yield Example(one.source, one.document, one.text, cut, True, title=one.title)
            continue
        place = one.place or answer_place(one)
        if place is None:
            continue
        cut, span = around(one.paragraph, place, chance)
        short = place[1] - place[0] <= LONGEST_ANSWER
        yield Example(
            one.source,
            one.document,
            one.text,
            cut,
            short,
            span if short else None,
            relevant=True,
            title=one.title,
        )
        if chance.random() < 0.6:
            near = by_document[one.document]
            if len(near) < 3:
                near = every
            elif chance.random() < 0.4 and (away := _away(one, place)):
                yield Example(one.source, one.document, one.text, away, True, title=one.title)
                continue
            other = _other_paragraph(one, near, chance)
            if other is not None:
                cut, _ = around(other, nearest_place(one.text, other), chance)
                yield Example(
                    one.source,
                    one.document,
                    one.text,
                    cut,
                    reads=True,
                    relevant=False,
                    title=titles[other],
                )


def answer_place(one: Question) -> Span | None:
    """Where the shortest answer stands: in the sentence that shares most with the question."""
    asked = keys_of(one.text)
    found = list(places(one.answers, one.paragraph))
    if not found:
        return None
    shortest = min(end - start for start, end in found)
    found = [place for place in found if place[1] - place[0] == shortest]
    pieces = sentences_of(one.paragraph)

    def shared(place: Span) -> int:
        piece = next((p for p in pieces if p[0] <= place[0] < p[1]), place)
        return len(asked & keys_of(one.paragraph[piece[0] : piece[1]]))

    return max(found, key=shared)


def _away(one: Question, place: Span) -> str | None:
    """The part of the paragraph before or behind the answer's sentence, whichever is longer."""
    pieces = sentences_of(one.paragraph)
    before = [p for p in pieces if p[1] <= place[0]]
    after = [p for p in pieces if p[0] >= place[1]]
    kept: list[Span] = max(before, after, key=len)
    text = one.paragraph[kept[0][0] : kept[-1][1]] if kept else ""
    holds = next(places(one.answers, text), None) is not None
    return None if len(text) < 60 or holds else around(text, nearest_place(one.text, text))[0]


def _other_paragraph(one: Question, near: Nearest, chance: random.Random) -> str | None:
    found = [
        text
        for text, _ in near(one.text)[:4]
        if text != one.paragraph and next(places(one.answers, text), None) is None
    ]
    return chance.choice(found[:2]) if found else None


def claims(asked: Sequence[Question], chance: random.Random) -> Iterator[Example]:
    """Sentences of the paragraphs as they are, changed, and of another paragraph."""
    paragraphs = list(dict.fromkeys((one.source, one.document, one.paragraph) for one in asked))
    for at, (source, document, text) in enumerate(paragraphs):
        pieces = [p for p in sentences_of(text) if 50 <= p[1] - p[0] <= 250]
        most = 1 if source == "covid" else 3  # papers are many, and cut into sentences badly
        for number, place in enumerate(chance.sample(pieces, min(most, len(pieces)))):
            sentence = text[place[0] : place[1]]
            cut, _ = around(text, place, chance)
            other = changed(sentence, text, chance)
            verdict = (Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.NEITHER)[(at + number) % 3]
            if verdict is Verdict.CONTRADICTED and other is not None:
                yield Example(source, document, other, cut, verdict=verdict)
            elif verdict is Verdict.NEITHER and len(paragraphs) > 2:
                step = chance.choice((-1, 1)) if chance.random() < 0.7 else chance.randint(2, 40)
                away = paragraphs[(at + step) % len(paragraphs)][2]
                if away != text:
                    cut, _ = around(away, nearest_place(sentence, away), chance)
                    yield Example(source, document, shortened(sentence), cut, verdict=verdict)
            elif verdict is Verdict.SUPPORTED:
                yield Example(source, document, shortened(sentence), cut, verdict=verdict)


def counted(found: Iterable[Example]) -> Mapping[str, Counter[str]]:
    """By source, how many examples there are for each head."""
    tests: dict[str, Callable[[Example], bool]] = {
        "answer": lambda one: one.reads and one.answer is not None,
        "no answer": lambda one: one.reads and one.answer is None,
        "relevant": lambda one: one.relevant is True,
        "not relevant": lambda one: one.relevant is False,
        "supported": lambda one: one.verdict is Verdict.SUPPORTED,
        "contradicted": lambda one: one.verdict is Verdict.CONTRADICTED,
        "neither": lambda one: one.verdict is Verdict.NEITHER,
    }
    counts: dict[str, Counter[str]] = {}
    for one in found:
        tally = counts.setdefault(one.source, Counter())
        tally.update(name for name, test in tests.items() if test(one))
    return counts
