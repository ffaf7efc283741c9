"""The reader: what its graph computes, where answers stand, and what becomes of a bad file."""

from __future__ import annotations

import itertools
import shutil
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from core.config import Settings
from core.errors import ModelUnavailable
from core.models import reader as module
from core.models.embedding import BUNDLED_FOLDER
from core.models.onnx_build import build
from core.models.reader import (
    BUNDLED_READER,
    LONGEST_ANSWER,
    Reader,
    Reading,
    load_reader,
    reader_state,
)
from tests.models.reference import Reference
from tests.models.tiny import make_reader

QUESTION, PASSAGE = "the cat sat on a mat", "a dog sat : the short cat sat on the long mat"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_reader(tmp_path_factory.mktemp("reader"))
    build(folder, folder / "model.onnx")
    return folder


@pytest.fixture(scope="module")
def reader(model: Path) -> Reader:
    return Reader(model)


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
    assert (found[0][1] - found[0][0] + 1) // 2 <= LONGEST_ANSWER
    assert found[1] == 9


def test_where_no_token_stands_is_no_answer(reader: Reader) -> None:
    assert reader.read(QUESTION, PASSAGE).answer(1000) is None


def test_without_a_name_there_is_none() -> None:
    assert load_reader(Settings(reader_model="")) is None


def test_a_folder_of_ones_own_is_loaded_once(model: Path) -> None:
    settings = Settings(reader_model=str(model))
    assert load_reader(settings) is load_reader(settings) is not None


def test_a_folder_without_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"model\.onnx") as raised:
        load_reader(Settings(reader_model=str(tmp_path)))
    assert "READER_MODEL" in raised.value.cure


def test_the_files_of_another_model_are_no_reader() -> None:
    with pytest.raises(ModelUnavailable, match="no reader"):
        load_reader(Settings(reader_model=str(BUNDLED_FOLDER)))


def test_the_doctor_says_whether_it_is_there(tmp_path: Path) -> None:
    told = [reader_state(Settings(reader_model=name)) for name in ("bundled", "", str(tmp_path))]
    assert [state for state, _, _ in told] == ["ok", "off", "warning"]
    _, detail, cure = told[2]
    assert "model.onnx" in detail
    assert "READER_MODEL" in cure


def test_a_damaged_file_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "reader"
    shutil.copytree(BUNDLED_READER, folder)
    content = bytearray((folder / "model.onnx").read_bytes())
    content[len(content) // 2] ^= 1
    (folder / "model.onnx").write_bytes(content)
    monkeypatch.setattr(module, "BUNDLED_READER", folder)
    with pytest.raises(ModelUnavailable, match="damaged"):
        load_reader(Settings())


def test_the_bundled_reader_reads() -> None:
    reader = load_reader(Settings())
    assert reader is not None
    passage = "The bridge was designed by Ada Blom. It was opened on 4 May 1931 by the king."
    for question, words in (
        ("who designed the bridge", "Ada Blom"),
        ("when was it opened?", "4 May 1931"),
    ):
        found = reader.read(question, passage).answer()
        assert found is not None
        assert passage[slice(*found[0])] == words
    answers = reader.read("who designed the bridge", passage).answer()
    silent = reader.read("who designed the bridge", "Geese rest on the lake in autumn.").answer()
    assert answers is not None
    assert silent is not None
    assert answers[1] > 0 > silent[1]


def test_two_first_questions_load_it_once(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded, found = [], []

    class Slow(Reader):
        def __init__(self, folder: Path) -> None:
            loaded.append(folder)
            time.sleep(0.3)
            super().__init__(folder)

    monkeypatch.setattr(module, "Reader", Slow)
    module._loaded.cache_clear()
    settings = Settings(reader_model=str(model))
    threads = [
        threading.Thread(target=lambda: found.append(load_reader(settings))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    module._loaded.cache_clear()
    assert loaded == [model]
    assert len({id(one) for one in found}) == 1
