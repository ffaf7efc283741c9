"""Where the files of a named model are: a folder here, the hub's cache, or the hub itself."""

from __future__ import annotations

import logging
from pathlib import Path

from core.errors import ModelUnavailable

log = logging.getLogger(__name__)

_WANTED = ["*.json", "*.txt", "*.safetensors", "*.model"]  # no pickles, no other back ends
_UNWANTED = ["onnx/*", "openvino/*"]


def model_folder(name: str) -> Path:
    """The folder with the model's files, fetched if need be (progress goes to the terminal).

    `name` is a folder on this machine or a name on the hub. Raises `ModelUnavailable`.
    """
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    try:
        found = snapshot_download(name, allow_patterns=_WANTED, ignore_patterns=_UNWANTED)
    except HFValidationError:
        raise ModelUnavailable(f"{name!r} is neither a folder nor a name on the hub.") from None
    except (HfHubHTTPError, OSError, ValueError) as error:
        log.warning("Fetching %s: %s", name, error)
        raise ModelUnavailable(
            f"The weights of {name} are not on this machine and cannot be fetched.",
            "Connect to the model hub once, or give the folder that holds the model.",
        ) from None
    return Path(found)
