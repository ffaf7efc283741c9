"""Where the files of a named model are: a folder here, the hub's cache, or the hub itself."""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import platform
from dataclasses import dataclass
from pathlib import Path

from core.errors import ModelUnavailable
from core.models.onnx_build import can_build
from core.models.onnx_cache import built_model
from core.models.runtime import NotForOnnx

log = logging.getLogger(__name__)

_ARM = platform.machine().lower() in {"arm64", "aarch64"}
_ONNX_NAMES = (
    "model_qint8_arm64.onnx" if _ARM else "model_quint8_avx2.onnx",
    "model_quantized.onnx", "model_int8.onnx", "model_uint8.onnx", "model.onnx",
)  # fmt: skip
ONNX_FILES = tuple(f"{folder}{name}" for name in _ONNX_NAMES for folder in ("onnx/", ""))
"""The ONNX files that are used, best first: 8-bit ones as sentence-transformers and
transformers.js name them, then the one of full precision."""

_TEXTS = ["*.json", "*.txt"]
_WEIGHTS = ["*.safetensors", "*.model"]  # no pickles
_DENSE = "[0-9]_*/*.safetensors"  # of a layer behind the encoder
_UNWANTED = ["onnx/*.json", "onnx/*.txt", "openvino/*"]
_CURE = "Connect to the model hub once, or set a folder that holds the model."


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """The files of a model in a folder."""

    name: str
    folder: Path

    def onnx_file(self, models_dir: Path) -> Path:
        """The ONNX file to run: the published one, else one built of the weights now or before.

        Raises `NotForOnnx` where there is neither, `ModelUnavailable` where building fails.
        """
        published = published_onnx(self.folder)
        if published is not None:
            return published
        if not (self.folder / "tokenizer.json").is_file() or not can_build(self.folder):
            raise NotForOnnx(f"{self.name} has no ONNX file, and none can be built of its weights.")
        if not _builder_is_installed():
            message = (
                f"Building {self.name} for ONNX Runtime needs the packages onnx and safetensors."
            )
            raise NotForOnnx(message, "Run `pip install onnx safetensors`.")
        return built_model(self.folder, f"{self.folder.name}-{self.digest()[:16]}", models_dir)

    def digest(self) -> str:
        """SHA-256 (hex) over the weights and what decides how they are used.

        An ONNX file counts as the same model as the weights beside it.
        """
        files = [*self.folder.rglob("*.safetensors"), *self.folder.rglob("*.json")]
        published = published_onnx(self.folder)
        if published is not None and not any(self.folder.glob("*.safetensors")):
            files.append(published)
        whole = hashlib.sha256()
        for path in sorted(files):
            whole.update(f"{path.relative_to(self.folder)}:{sha256_of(path)};".encode())
        return whole.hexdigest()


def model_files(name: str, *, cure: str = _CURE, weights: bool = False) -> ModelFiles:
    """The model of that name, fetched if need be (progress goes to the terminal).

    `name` is a folder on this machine or a name on the hub. An ONNX file is fetched in place of the
    weights where the hub has one, unless `weights` are asked for. Raises `ModelUnavailable`.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        return ModelFiles(name, folder)
    from httpx2 import HTTPError
    from huggingface_hub.errors import HFValidationError

    try:
        return ModelFiles(name, _cached(name, weights) or _fetched(name, weights))
    except HFValidationError:
        message = f"{name} is neither a folder nor a name on the model hub."
        raise ModelUnavailable(message, cure) from None
    except (HTTPError, OSError, ValueError) as error:
        log.warning("Fetching %s: %s", name, error)
        message = f"The weights of {name} are not on this machine and cannot be fetched."
        raise ModelUnavailable(message, cure) from None


def published_onnx(folder: Path) -> Path | None:
    """The best ONNX file in a model's folder, None without one or without a fast tokenizer."""
    if not (folder / "tokenizer.json").is_file():
        return None
    return next((folder / file for file in ONNX_FILES if (folder / file).is_file()), None)


def torch_is_installed() -> bool:
    """Whether models that ONNX Runtime cannot run can be run by sentence-transformers."""
    return importlib.util.find_spec("sentence_transformers") is not None


def sha256_of(path: Path) -> str:
    """SHA-256 (hex) of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def verify(folder: Path, name: str, cure: str) -> None:
    """Compare the files of a shipped model with its SHA256SUMS. Raises `ModelUnavailable`."""
    for line in (folder / "SHA256SUMS").read_text("ascii").splitlines():
        expected, file = line.split()
        if not (folder / file).is_file() or sha256_of(folder / file) != expected:
            raise ModelUnavailable(f"The file {file} of {name} is missing or damaged.", cure)


def _builder_is_installed() -> bool:
    return all(importlib.util.find_spec(name) for name in ("onnx", "safetensors"))


def _cached(name: str, weights: bool) -> Path | None:
    """The hub's cache, if it holds the model in a form that runs; the hub need not answer then."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    def local(*patterns: str) -> Path:
        return Path(snapshot_download(name, allow_patterns=[*patterns], local_files_only=True))

    try:
        folder = local("config.json")
        onnx = None if weights else published_onnx(folder)
        if onnx is not None:
            local(f"{onnx.relative_to(folder)}*")
    except LocalEntryNotFoundError:
        return None
    has_weights = (folder / "config.json").is_file() and any(folder.glob("*.safetensors"))
    runs = torch_is_installed() or (can_build(folder) and _builder_is_installed())
    return folder if onnx or (has_weights and runs) else None


def _fetched(name: str, weights: bool) -> Path:
    from huggingface_hub import snapshot_download

    everything = [*_TEXTS, *_WEIGHTS, *ONNX_FILES]
    listed = snapshot_download(name, allow_patterns=everything, dry_run=True)
    names = {file.filename for file in listed}
    onnx = next((file for file in ONNX_FILES if file in names), None)
    if onnx is None or weights or "tokenizer.json" not in names:
        wanted = _WEIGHTS
    else:
        wanted = [onnx, f"{onnx}_data", _DENSE]
    return Path(
        snapshot_download(name, allow_patterns=[*_TEXTS, *wanted], ignore_patterns=_UNWANTED)
    )
