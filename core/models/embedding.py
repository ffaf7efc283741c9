"""Texts and queries as vectors.

The default is all-MiniLM-L6-v2, whose files are part of the program. Any other embedding model is
loaded by its name or folder: on ONNX Runtime where it can be, else by sentence-transformers. One
of a provider of language models is named with it (`ollama/...`) and asked at its server.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.config import Settings
from core.errors import ModelUnavailable
from core.models.embedding_prompts import Prompts, digest_with, own_prompts, prompts_for
from core.models.hub import ModelFiles, model_files, torch_is_installed, verify
from core.models.onnx_build import EMBEDDING
from core.models.pooling import is_plain_mean, normalised, pooling_steps
from core.models.port import REPORT_EVERY, Embedder, Progress, Vectors
from core.models.query_cache import QueryMemory, SentenceMemory
from core.models.runtime import Encoder, NotForOnnx, read_json
from core.models.served import ServedEmbedder, is_served

log = logging.getLogger(__name__)

BUNDLED = "all-MiniLM-L6-v2"
BUNDLED_NAMES = frozenset({BUNDLED, f"sentence-transformers/{BUNDLED}"})
BUNDLED_FOLDER = Path(__file__).parent / "bundled" / BUNDLED
BUNDLED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the published model.safetensors (revision 1110a243), from which the bundled file is built.
Sessions keep it as the digest of their embedder."""
_CURE = "Install the program again, or set EMBEDDING_MODEL."


def load_embedder(settings: Settings) -> Embedder:
    """The embedding model of the settings.

    Raises `ModelUnavailable` where its files cannot be had, are damaged or cannot be run.
    """
    name, backend = settings.embedding_model, settings.embedding_backend
    wanted = Prompts(settings.embedding_query_prompt, settings.embedding_text_prompt)
    if is_served(name):
        return ServedEmbedder(name, settings, wanted)
    if name in BUNDLED_NAMES:
        return bundled_embedder()
    files = model_files(name, weights=backend == "torch")
    if backend != "torch":
        try:
            encoder = Encoder(files.folder, files.onnx_file(settings.models_dir))
            return OnnxEmbedder(name, encoder, files.folder, files.digest(), wanted)
        except ModelUnavailable as error:
            if backend == "onnx" or not torch_is_installed():
                raise
            log.warning("%s sentence-transformers is used.", error.message)
    return _with_torch(files, wanted)


def _with_torch(files: ModelFiles, wanted: Prompts) -> Embedder:
    if not torch_is_installed():
        raise NotForOnnx("EMBEDDING_BACKEND is torch, but sentence-transformers is not installed.")
    from core.models.torch_models import SentenceTransformerEmbedder

    return SentenceTransformerEmbedder(files.name, files.folder, files.digest(), wanted)


def sentence_embedder(embedder: Embedder) -> Embedder:
    """The model that compares the sentences of found passages; searches are made with `embedder`.

    One at a server would be asked for dozens of sentences with every question, and answers would
    fail with it: then it is the bundled one. Vectors are remembered. Raises `ModelUnavailable`.
    """
    own = bundled_embedder() if isinstance(embedder, ServedEmbedder) else embedder
    return _remembering(own)


@functools.lru_cache(maxsize=1)
def _remembering(embedder: Embedder) -> SentenceMemory:
    return SentenceMemory(embedder)


def bundled_embedder() -> Embedder:
    """The bundled model, one for the whole process. Raises `ModelUnavailable`."""
    return _bundled(bundled_encoder())


@functools.lru_cache(maxsize=1)
def _bundled(encoder: Encoder) -> OnnxEmbedder:
    return OnnxEmbedder(BUNDLED, encoder, BUNDLED_FOLDER, BUNDLED_SHA256)


def bundled_encoder() -> Encoder:
    """The encoder of the bundled model, one for the whole process.

    Its files are compared with their checksums the first time and after each change of a file.
    Raises `ModelUnavailable` where one is missing or damaged.
    """
    try:
        changed = [path.stat().st_mtime_ns for path in sorted(BUNDLED_FOLDER.iterdir())]
        return _bundled_encoder(BUNDLED_FOLDER, tuple(changed))
    except OSError as error:
        log.error("%s: %s", BUNDLED, error)
        message = f"The folder of {BUNDLED} is missing or damaged."
        raise ModelUnavailable(message, _CURE) from None


@functools.lru_cache(maxsize=1)
def _bundled_encoder(folder: Path, changed: tuple[int, ...]) -> Encoder:
    verify(folder, BUNDLED, _CURE)
    return Encoder(folder, folder / "model.onnx")


class OnnxEmbedder:
    """An embedding model on ONNX Runtime: an encoder, and the pooling that its folder names.

    The prompts are those wanted, else those of its own configuration. Raises `NotForOnnx` where
    the folder asks for steps that are not supported.
    """

    def __init__(
        self, name: str, encoder: Encoder, folder: Path, digest: str, wanted: Prompts | None = None
    ) -> None:
        self.name, self._encoder = name, encoder
        try:
            self._steps = pooling_steps(folder)
            config = read_json(folder / "config_sentence_transformers.json")
        except (OSError, ValueError, KeyError) as error:
            log.warning("Loading %s: %s", name, error)
            raise NotForOnnx(f"The files of {name} are no embedding model.") from None
        self._output = self._vector_output()
        own = own_prompts(config)
        chosen = prompts_for(name, config.get("prompts") or {}, wanted or Prompts())
        self.digest = digest_with(digest, chosen)
        self._text_prompt = own.document if chosen.document is None else chosen.document
        query_prompt = own.query if chosen.query is None else chosen.query
        self._queries = QueryMemory(lambda text: self._vector(f"{query_prompt}{text}"))
        self.dimension = len(self._vector(""))

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """See `Embedder.embed`."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for position, text in enumerate(texts):
            if progress and position % REPORT_EVERY == 0:
                progress(position, len(texts))
            vectors[position] = self._vector(f"{self._text_prompt}{text}")
        if progress:
            progress(len(texts), len(texts))
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        return self._queries(text)

    def _vector(self, text: str) -> Vectors:
        vector = self._encoder.run(text, [self._output])[0]
        for step in self._steps:
            vector = step(vector)
        return vector

    def _vector_output(self) -> str:
        """The output to take: our own pooled one, token states, or a vector that is pooled."""
        shapes = self._encoder.shapes
        if EMBEDDING in shapes and is_plain_mean(self._steps):
            self._steps = []
            return EMBEDDING
        states = [name for name, shape in shapes.items() if len(shape) == 3]
        if states:
            return states[0]
        if "sentence_embedding" in shapes:
            self._steps = [normalised]
            return "sentence_embedding"
        raise NotForOnnx(f"The ONNX file of {self.name} gives no vectors of tokens.")
