"""Where the files of a named model are: a folder here, the hub's cache, or the hub itself."""

from __future__ import annotations

import logging
from pathlib import Path

from core.errors import ModelUnavailable

log = logging.getLogger(__name__)

_WANTED = ["*.json", "*.txt", "*.safetensors", "*.model"]  # no pickles, no other back ends
_UNWANTED = ["onnx/*", "openvino/*"]
_CURE = "Connect to the model hub once, or set a folder that holds the model."


def model_folder(name: str, *, cure: str = _CURE) -> Path:
    """The folder with the model's files, fetched if need be (progress goes to the terminal).

    `name` is a folder on this machine or a name on the hub. Raises `ModelUnavailable`.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        return _cached(name) or _snapshot(name, local_files_only=False)
    except HFValidationError:
        message = f"{name} is neither a folder nor a name on the model hub."
        raise ModelUnavailable(message, cure) from None
    except (HfHubHTTPError, OSError, ValueError) as error:
        log.warning("Fetching %s: %s", name, error)
        message = f"The weights of {name} are not on this machine and cannot be fetched."
        raise ModelUnavailable(message, cure) from None


def _cached(name: str) -> Path | None:
    """The hub's cache, if it holds the model whole; the hub need not answer then."""
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        folder = _snapshot(name, local_files_only=True)
    except LocalEntryNotFoundError:
        return None
    is_whole = (folder / "config.json").is_file() and any(folder.glob("*.safetensors"))
    return folder if is_whole else None


def _snapshot(name: str, *, local_files_only: bool) -> Path:
    from huggingface_hub import snapshot_download

    found = snapshot_download(
        name,
        allow_patterns=_WANTED,
        ignore_patterns=_UNWANTED,
        local_files_only=local_files_only,
    )
    return Path(found)
