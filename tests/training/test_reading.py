"""The trained model at work: what the graph computes, where answers stand, which candidates."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest

from core.answering.extractive.candidates import Candidate
from core.models.onnx_build import build
from core.text.sentences import Sentence
from tests.models.reference import Reference
from tests.models.tiny import make_reader
from training import reading
from training.reading import Reader, Reading, read_candidates

QUESTION, PASSAGE = "the cat sat on a mat", "a dog sat : the short cat sat on the long mat"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_reader(tmp_path_factory.mktemp("reader"))
    build(folder, folder / "model.onnx")
    return folder


@pytest.fixture(scope="module")
def reader(model: Path) -> Reader:
    return Reader(model, model / "model.onnx")


def test_it_computes_what_the_weights_say(model: Path, reader: Reader) -> None:
    reference = Reference(model, 64)
    states = reference.states(reference.tokens(QUESTION, PASSAGE))

    def head(name: str, of: object) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        matrix, bias = reference.weights[f"{name}.weight"], reference.weights[f"{name}.bias"]
        return np.asarray(np.asarray(of) @ matrix.T + bias)

    found = reader.read(QUESTION, PASSAGE)
    span = head("span", states)
    at = 2 + len(QUESTION.split())
    assert np.allclose(found.starts, span[at:-1, 0], atol=0.1)
    assert np.allclose(found.ends, span[at:-1, 1], atol=0.1)
    assert found.none == pytest.approx(span[0].sum(), abs=0.1)
    assert found.relevance == pytest.approx(head("relevance", states[0])[0], abs=0.1)
    verdict = np.exp(head("verdict", states[0]))
    assert np.allclose(found.verdict, verdict / verdict.sum(), atol=0.03)


def test_places_are_those_of_the_passage(reader: Reader) -> None:
    found = reader.read(QUESTION, PASSAGE)
    assert [PASSAGE[a:b] for a, b in found.places] == PASSAGE.split()


@pytest.mark.parametrize(("start", "end"), [(0, None), (0, 11), (12, 40), (30, None)])
def test_the_best_span_is_the_best_of_all(reader: Reader, start: int, end: int | None) -> None:
    found = reader.read(QUESTION, PASSAGE)
    allowed = [
        at for at, (a, b) in enumerate(found.places) if a >= start and b <= (end or len(PASSAGE))
    ]
    pairs = itertools.combinations_with_replacement(allowed, 2)
    best = max(pairs, key=lambda pair: found.starts[pair[0]] + found.ends[pair[1]])
    answer = found.answer(start, end)
    assert answer is not None
    assert answer[0] == (found.places[best[0]][0], found.places[best[1]][1])
    assert answer[1] == pytest.approx(found.starts[best[0]] + found.ends[best[1]] - found.none)


def test_a_span_is_never_longer_than_an_answer() -> None:
    count = 50
    starts, ends = np.zeros(count, np.float32), np.zeros(count, np.float32)
    starts[0], ends[-1] = 9, 9
    places = tuple((2 * at, 2 * at + 1) for at in range(count))
    found = Reading(places, starts, ends, 0.0, 0.0, (1.0, 0.0, 0.0)).answer()
    assert found is not None
    assert (found[0][1] - found[0][0] + 1) // 2 <= reading.LONGEST_ANSWER
    assert found[1] == 9


def test_where_no_token_stands_is_no_answer(reader: Reader) -> None:
    assert reader.read(QUESTION, PASSAGE).answer(1000) is None


def test_the_best_candidates_are_read_within_their_sentence(reader: Reader) -> None:
    texts = ["the cat sat on a mat", "a dog sat", "the dog"]
    candidates = [
        Candidate(0, Sentence(0, len(text), text), before, "a mat")
        for text, before in zip(texts, ("", "the long dog " * 40, ""), strict=True)
    ]
    scores = np.array([2.0, 3.0, 1.0], np.float32)
    found = read_candidates(reader, QUESTION, candidates, scores)
    for text, read in zip(texts, found, strict=True):
        assert read is not None
        assert text[slice(*read.span)].strip() == text[slice(*read.span)] != ""


def test_of_many_candidates_the_last_are_not_read(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MOST_READ", 1)
    candidates = [Candidate(0, Sentence(0, 7, "the cat")), Candidate(0, Sentence(9, 14, "a dog"))]
    first, second = read_candidates(reader, QUESTION, candidates, np.array([1, 2], np.float32))
    assert first is None
    assert second is not None
