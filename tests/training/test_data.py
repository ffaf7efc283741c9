"""Examples: spans are the answers, nothing that is held out is learned from."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path

import pytest

from tests.training.sets import ARTICLES, write_sets
from training.data import Example, Verdict, counted, examples, with_distractors
from training.nearest import Nearest
from training.parts import Part, part_of
from training.sets import everyday, squad

TOWNS = ((10, "Arden"), (20, "Borum"), (30, "Celle"), (40, "Dunby"), (50, "Emden"))


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write_sets(folder)
    return folder


@pytest.fixture(scope="module")
def parts(data: Path) -> dict[Part, list[Example]]:
    return {part: examples(data, part, 1, data / "none") for part in Part}


def test_no_document_is_in_two_parts(parts: dict[Part, list[Example]]) -> None:
    documents = {part: {one.document for one in found} for part, found in parts.items()}
    every = [name for found in documents.values() for name in found]
    assert len(every) == len(set(every))
    assert set(ARTICLES) <= set(every)


def test_what_conversations_are_about_is_held_out(parts: dict[Part, list[Example]]) -> None:
    assert "Mills.txt" in {one.document for one in parts[Part.HELD_OUT]}
    assert part_of("Mills.txt") is not Part.HELD_OUT


def test_a_tenth_is_held_out() -> None:
    found = [part_of(f"document {at}") for at in range(4_000)]
    assert 0.08 < found.count(Part.HELD_OUT) / 4_000 < 0.13
    assert 0.08 < found.count(Part.CHOICES) / 4_000 < 0.13


def test_a_span_is_an_answer(parts: dict[Part, list[Example]]) -> None:
    spans = [one for found in parts.values() for one in found if one.answer]
    assert len(spans) == 36
    for one in spans:
        assert one.answer is not None
        words = one.passage[slice(*one.answer)]
        assert words == ("A storm" if one.text.startswith("What") else words)
        assert words.isdigit() == one.text.startswith("When")


def test_what_does_not_answer_holds_no_answer(parts: dict[Part, list[Example]]) -> None:
    for one in (one for found in parts.values() for one in found):
        if one.reads and one.answer is None and one.text.startswith("What"):
            assert "A storm" not in one.passage
        if one.relevant is False:
            assert one.reads
            assert one.answer is None


def test_unanswerable_questions_are_given_to_their_article(data: Path) -> None:
    for one in squad(data):
        assert one.document.removesuffix(".txt").lower() in one.text
        assert one.text.split(" of ")[1].split("?")[0].split()[0] in one.paragraph


def test_replies_of_the_other_half_are_not_learned_from(parts: dict[Part, list[Example]]) -> None:
    replies = [one for found in parts.values() for one in found if one.source == "begin"]
    assert {one.verdict for one in replies} == {Verdict.SUPPORTED, Verdict.NEITHER}
    assert 20 < len(replies) < 40
    for one in replies:
        assert hashlib.sha256(one.passage.encode()).digest()[-1] % 2 == 0


def test_the_seed_decides(data: Path, parts: dict[Part, list[Example]]) -> None:
    assert examples(data, Part.LEARNED, 1, data / "none") == parts[Part.LEARNED]
    assert examples(data, Part.LEARNED, 2, data / "none") != parts[Part.LEARNED]


def test_every_head_has_examples(parts: dict[Part, list[Example]]) -> None:
    tally = counted(parts[Part.LEARNED])["squad"]
    names = "answer", "no answer", "relevant", "not relevant", "supported"
    assert all(tally[name] > 3 for name in names)


def test_nearest_counts_rare_words() -> None:
    nearest = Nearest([("the cat sat", "a"), ("the dog sat", "b"), ("cat and dog", "c")])
    assert nearest("where was the dog sitting or sat")[0] == ("the dog sat", "b")


def test_sets_that_are_not_there_give_nothing(tmp_path: Path) -> None:
    assert examples(tmp_path, Part.LEARNED, 1, tmp_path) == []


def test_what_does_not_answer_is_read_under_its_own_heading(tmp_path: Path) -> None:
    sections = "\n\n".join(f"## {town}\nThe fee in {town} is {at} pounds." for at, town in TOWNS)
    asked = "\n".join(
        f"Q: what is the fee in {town}\nS: The fee in {town} is {at} pounds.\nA: {at} pounds"
        for at, town in TOWNS
    )
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "fees.txt").write_text(
        f"# Fees\n{sections}\n-----\n{asked}\n", "utf-8"
    )
    found = list(with_distractors(list(everyday(tmp_path)), random.Random(1)))
    assert any(one.answer is None for one in found)
    for one in found:
        assert one.title.removeprefix("Fees. ") in one.passage
