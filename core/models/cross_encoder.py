"""Loading a cross-encoder: a model that reads two texts together. Its weights come by name."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from core.errors import ModelUnavailable
from core.models.embedding import THREADS
from core.models.hub import model_folder

if TYPE_CHECKING:
    from sentence_transformers import CrossEncoder

log = logging.getLogger(__name__)

_LONGEST = 512  # tokens of both texts together


def load_cross_encoder(name: str, cure: str) -> CrossEncoder:
    """The model of that name or folder, on the processor. Raises `ModelUnavailable` with `cure`."""
    folder = model_folder(name, cure=cure)
    import torch
    from sentence_transformers import CrossEncoder

    torch.set_num_threads(THREADS)
    try:
        return CrossEncoder(
            str(folder),
            device="cpu",
            max_length=_LONGEST,
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True},
        )
    except (OSError, ValueError, KeyError, RuntimeError) as error:
        log.warning("Loading %s: %s", name, error)
        raise ModelUnavailable(f"The files of {name} are no cross-encoder.", cure) from None
