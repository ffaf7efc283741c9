"""The reader's part in a quoted answer: which sentences it reads, its score, the words set off."""

from __future__ import annotations

import numpy as np
import pytest

from core.answering.extractive import reading
from core.answering.extractive.candidates import Candidate
from core.answering.extractive.reading import Read, joined, read_candidates
from core.models.onnx_build import build
from core.models.reader import Reader
from core.text.sentences import Sentence
from tests.models.tiny import make_reader
from tests.support.hits import hit

QUESTION = "the cat sat on a mat"
HITS = [hit("the cat sat on a mat")]


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Reader:
    folder = make_reader(tmp_path_factory.mktemp("reader"))
    build(folder, folder / "model.onnx")
    return Reader(folder)


def candidates(*texts: str) -> list[Candidate]:
    return [Candidate(0, Sentence(0, len(text), text), "", "a mat") for text in texts]


def test_words_are_read_within_their_sentence(reader: Reader) -> None:
    found = [
        Candidate(0, Sentence(0, len(text), text), before, "a mat")
        for text, before in (
            ("the cat sat on a mat", ""),
            ("a dog sat", "the long dog " * 40),
            ("the  dog\nsat", ""),
        )
    ]
    reads = read_candidates(reader, QUESTION, found, np.array([2.0, 3.0, 1.0], np.float32), HITS)
    for candidate in found:
        text = " ".join(candidate.sentence.text.split())
        words = text[slice(*reads[candidate].span)]
        assert words.strip() == words != ""


def test_of_many_candidates_the_last_are_not_read(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_READ", 1)
    found = candidates("the cat", "a dog")
    reads = read_candidates(reader, QUESTION, found, np.array([1, 2], np.float32), HITS)
    assert list(reads) == [found[1]]


def test_what_was_not_read_counts_as_the_least_of_what_was() -> None:
    a, b, c = candidates("one", "two", "three")
    scores = np.array([1.0, 2.0, 3.0], np.float32)
    found = joined([a, b, c], scores, {a: Read(4.0, (0, 1)), b: Read(-2.0, (0, 1))})
    weight = reading.WEIGHT
    assert found == pytest.approx([1 + 4 * weight, 2 - 2 * weight, 3 - 2 * weight])


def test_without_a_reader_scores_stay_as_they_are() -> None:
    scores = np.array([1.0], np.float32)
    assert joined(candidates("one"), scores, {}) is scores
