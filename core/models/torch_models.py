"""Models that ONNX Runtime cannot run, on sentence-transformers (requirements-models.txt).

The only module that imports torch. Weights are safetensors; no code of a model is run.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelUnavailable
from core.models.embedding_prompts import Prompts, digest_with, prompts_for
from core.models.port import MOST_TOKENS, REPORT_EVERY, Input, Progress, Vectors, labels_of
from core.models.query_cache import QueryMemory
from core.models.runtime import THREADS, clean

log = logging.getLogger(__name__)

_BATCH = 16


class SentenceTransformerEmbedder:
    """Any model of sentence-transformers, with the prompts wanted or of its own configuration."""

    def __init__(self, name: str, folder: Path, digest: str, wanted: Prompts | None = None) -> None:
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(THREADS)
        self.name = name
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
        self.digest = digest_with(digest, self._prompts)
        self._queries = QueryMemory(self._encode_query)

    def embed(self, texts: Sequence[str], *, progress: Progress | None = None) -> Vectors:
        """See `Embedder.embed`. Of each batch the texts are as equal in length as can be."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        order = sorted(range(len(texts)), key=lambda position: len(texts[position]))
        for start in range(0, len(order), REPORT_EVERY):
            if progress:
                progress(start, len(texts))
            batch = order[start : start + REPORT_EVERY]
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


class TorchCrossEncoder:
    """A cross-encoder of sentence-transformers: a `Classifier` of two texts."""

    def __init__(self, name: str, folder: Path, cure: str) -> None:
        import torch
        from sentence_transformers import CrossEncoder

        torch.set_num_threads(THREADS)
        try:
            self._model = CrossEncoder(
                str(folder),
                device="cpu",
                max_length=MOST_TOKENS,
                local_files_only=True,
                trust_remote_code=False,
                model_kwargs={"use_safetensors": True},
            )
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            log.warning("Loading %s: %s", name, error)
            raise ModelUnavailable(f"The files of {name} are no cross-encoder.", cure) from None
        self.labels = labels_of(self._model.config.id2label)
        self._lock = threading.Lock()

    def scores(self, inputs: Sequence[Input]) -> NDArray[np.float32]:
        """See `Classifier.scores`."""
        pairs = [(clean(text), clean(second or "")) for text, second in inputs]
        with self._lock:  # a tokenizer of transformers must not be used by two threads at once
            found = self._model.predict(pairs, batch_size=_BATCH, show_progress_bar=False)
        return np.asarray(found, np.float32).reshape(len(pairs), -1)


class TorchTextClassifier:
    """A `Classifier` of single texts, in one of two forms: the usual one of transformers, or an
    encoder under `model.` and one linear layer `fc` over its first token, which NVIDIA publishes
    (`nvidia/quality-classifier-deberta`, see the model's card)."""

    def __init__(self, name: str, folder: Path, cure: str) -> None:
        import torch
        from safetensors import SafetensorError
        from transformers import AutoConfig, AutoTokenizer

        torch.set_num_threads(THREADS)
        here_only = {"local_files_only": True, "trust_remote_code": False}
        try:
            config = AutoConfig.from_pretrained(folder, **here_only)
            self._tokenizer = AutoTokenizer.from_pretrained(folder, **here_only)
            self._score = _scorer(folder, config)
        except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
            log.warning("Loading %s: %s", name, error)
            raise ModelUnavailable(f"The files of {name} are no text classifier.", cure) from None
        self.labels = labels_of(config.id2label)
        self._lock = threading.Lock()

    def scores(self, inputs: Sequence[Input]) -> NDArray[np.float32]:
        """See `Classifier.scores`."""
        texts = [clean(text) for text, _ in inputs]
        rows: list[NDArray[np.float32]] = []
        with self._lock:  # a tokenizer of transformers must not be used by two threads at once
            for start in range(0, len(texts), _BATCH):
                encoded = self._tokenizer(
                    texts[start : start + _BATCH],
                    truncation=True, max_length=MOST_TOKENS, padding=True, return_tensors="pt",
                )  # fmt: skip
                rows.extend(self._score(encoded["input_ids"], encoded["attention_mask"]).numpy())
        return np.stack(rows)


def _scorer(folder: Path, config: Any) -> Callable[[Any, Any], Any]:
    """A function of token ids and mask: one row of scores a text."""
    import torch
    from safetensors.torch import load_file
    from transformers import AutoModel, AutoModelForSequenceClassification

    weights = {k: v for file in folder.glob("*.safetensors") for k, v in load_file(file).items()}
    if "fc.weight" not in weights:
        usual = AutoModelForSequenceClassification.from_pretrained(
            folder, local_files_only=True, trust_remote_code=False, use_safetensors=True
        ).eval()

        def logits(ids: Any, mask: Any) -> Any:
            with torch.no_grad():
                return usual(input_ids=ids, attention_mask=mask).logits

        return logits
    encoder = AutoModel.from_config(config, trust_remote_code=False).eval()
    encoder.load_state_dict(
        {key.removeprefix("model."): value for key, value in weights.items() if key[:3] != "fc."}
    )
    layer = torch.nn.Linear(config.hidden_size, len(config.id2label))
    layer.load_state_dict({"weight": weights["fc.weight"], "bias": weights["fc.bias"]})

    def scores(ids: Any, mask: Any) -> Any:
        with torch.no_grad():
            found = encoder(input_ids=ids, attention_mask=mask).last_hidden_state
            return layer(found[:, 0, :].to(layer.weight.dtype))

    return scores
