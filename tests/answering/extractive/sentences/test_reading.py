"""The reader's part in a quoted answer: which sentences it reads, its score, the words set off."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.answering.extractive.answerer import ExtractiveAnswerer
from core.answering.extractive.sentences import reading
from core.answering.extractive.sentences.candidates import Candidate
from core.answering.extractive.sentences.reading import Read, all_english, joined, read_candidates
from core.answering.extractive.sentences.scoring import scores
from core.answering.factory import make_answerer
from core.config import Settings
from core.models.onnx_build import build
from core.models.reader import Reader
from core.text.sentences import Sentence
from core.types import Answer
from tests.models.tiny import make_reader
from tests.support.hits import embedder, found, hit

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


def test_the_title_is_read_before_the_sentence(reader: Reader) -> None:
    scores = np.array([1.0], np.float32)
    both = [
        read_candidates(reader, QUESTION, candidates("the cat"), scores, [hit("x", title=title)])
        for title in ("the dog sat on", "a cat")
    ]
    (first,), (second,) = (list(reads.values()) for reads in both)
    assert first.score != second.score


def test_the_heading_is_read_before_the_sentence(reader: Reader) -> None:
    scores, [one] = np.array([1.0], np.float32), candidates("the cat")
    below = (replace(one, under=heading) for heading in ("the dog sat on", "a cat"))
    first, second = (read_candidates(reader, QUESTION, [one], scores, HITS)[one] for one in below)
    assert first.score != second.score


def test_another_language_is_scored_by_weights_of_its_own_and_not_read(reader: Reader) -> None:
    text = "Die Katze schlief auf der Matte. Der Hund bellte im Garten laut."
    question = "wo schlief die Katze?"
    english = hit(text)
    german = replace(english, document=replace(english.document, language="de"))
    answerer = ExtractiveAnswerer(embedder(), reader)
    of_english = answerer.score(question, found(question, [english]))
    of_german = answerer.score(question, found(question, [german]))
    assert of_english.reads
    assert not of_german.reads
    assert of_german.scores.tolist() == scores(of_german.matrix, english=False).tolist()
    assert of_german.scores.tolist() != scores(of_german.matrix).tolist()


def test_one_of_the_best_in_another_language_is_enough() -> None:
    german = replace(HITS[0], document=replace(HITS[0].document, language="de"))
    two = [*candidates("the cat"), Candidate(1, Sentence(0, 9, "die Katze"))]
    best = np.array([1, 2], np.float32)
    assert not all_english(two, best, [HITS[0], german])
    assert all_english(two, best, HITS * 2)


def test_lists_are_chosen_without_the_reader(reader: Reader) -> None:
    text = "Tea and coffee are drinks. The cat sat on a mat. A dog sat there."
    answerer = ExtractiveAnswerer(embedder(), reader)
    for question, count in (("list all of the drinks", 0), ("where did the cat sit?", 3)):
        assert len(answerer.score(question, found(question, [hit(text)])).reads) == count
    question = "where did the cat sit?"
    alone = ExtractiveAnswerer(embedder()).score(question, found(question, [hit(text)]))
    joint = answerer.score(question, found(question, [hit(text)]))
    assert joint.scores.tolist() != alone.scores.tolist()


def test_the_bundled_reader_sets_off_words_that_no_rule_knows() -> None:
    question = "what is the bridge made of"
    hits = [hit("The bridge is made of red sandstone. It was opened in 1931 by the king.")]
    marked = []
    for name in ("bundled", ""):
        answerer = make_answerer(None, Settings(reader_model=name), embedder())
        *_, answer = answerer.answer(question, found(question, hits))
        assert isinstance(answer, Answer)
        marked.append([answer.text[start:end] for start, end in answer.highlights])
    assert marked == [["red sandstone"], []]


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
    found = joined([a, b, c], scores, {a: Read(-90.0, (0, 1)), b: Read(-95.0, (0, 1))})
    weight = reading.WEIGHT
    assert found == pytest.approx([1 - 90 * weight, 2 - 95 * weight, 3 - 95 * weight])


def test_a_lead_counts_less_where_the_reader_is_sure_of_one() -> None:
    a, b = candidates("one", "two")
    scores = np.array([8.0, 5.0], np.float32)
    sure = joined([a, b], scores, {a: Read(8.0, (0, 1)), b: Read(9.0, (0, 1))})
    unsure = joined([a, b], scores, {a: Read(-9.0, (0, 1)), b: Read(-8.0, (0, 1))})
    lost = (unsure[0] - unsure[1]) - (sure[0] - sure[1])
    assert reading.LEAD * 0.8 < lost < reading.LEAD
    level = joined([a, b], np.array([5.0, 5.0]), {a: Read(9.0, (0, 1)), b: Read(9.0, (0, 1))})
    assert level[0] == level[1]  # none leads, and none is held back


def test_without_a_reader_scores_stay_as_they_are() -> None:
    scores = np.array([1.0], np.float32)
    assert joined(candidates("one"), scores, {}) is scores
