"""The dumps that a session can collect from: those in the operator's folder, and its uploads."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from core.errors import DocumentNotFound, InvalidRequest
from core.ids import checked_digest
from core.storage.files.originals import Originals
from core.text.names import clean_name
from core.types import CollectRequest

_UPLOAD = "upload:"
_MOST_LISTED = 500
_DEEPEST = 3
_ENDINGS = (".xml", ".xml.gz", ".7z", ".csv", ".json", ".jsonl")


@dataclass(frozen=True, slots=True)
class Dumps:
    """Where the files of requests are found. `folder` is the operator's (DUMPS_DIR), "" is none."""

    folder: str
    originals: Originals

    def names(self) -> list[str]:
        """The dumps in the folder."""
        return dump_names(self.folder)

    def keep(self, session_id: str, name: str, stream: BinaryIO) -> str:
        """Keep a dump that a person uploaded; gives its name for a request.

        Raises `EmptyFile`, `TooLarge` and `NotEnoughSpace`.
        """
        incoming, whole, _ = self.originals.receive(session_id, stream)
        self.originals.keep_upload(session_id, whole, incoming)
        return f"{_UPLOAD}{whole}:{clean_name(name)}"

    def files(self, session_id: str, request: CollectRequest) -> list[Path]:
        """The dumps of a request and, if it names one, the file of authors after them."""
        names = [*request.files, *([request.users] if request.users else [])]
        return [self.file(session_id, name) for name in names]

    def file(self, session_id: str, name: str) -> Path:
        """One file that a request names; raises `InvalidRequest` where it is not there."""
        if name.startswith(_UPLOAD):
            with suppress(DocumentNotFound):
                return self.originals.upload(session_id, _digest_in(name))
        elif name in self.names() and (path := Path(self.folder) / name).is_file():
            return path
        raise InvalidRequest("There is no such dump.", "Choose one of the list, or upload it.")


def uploaded_files(request: CollectRequest) -> set[str]:
    """The SHA-256 of each file of a request that was uploaded, whether it is still there or not."""
    names = [name for name in (*request.files, request.users) if name.startswith(_UPLOAD)]
    return {_digest_in(name) for name in names}


def _digest_in(name: str) -> str:
    return checked_digest(name.removeprefix(_UPLOAD).partition(":")[0])


def dump_names(folder: str) -> list[str]:
    """The dumps in the operator's folder and three levels below, by their path in it.

    Links are not followed. "" is no folder.
    """
    if not folder or not (root := Path(folder)).is_dir():
        return []
    found: list[str] = []
    for place, folders, names in os.walk(root):
        inner = Path(place).relative_to(root)
        folders[:] = sorted(folders) if len(inner.parts) < _DEEPEST else []
        for name in sorted(names):
            path = Path(place) / name
            if name.lower().endswith(_ENDINGS) and path.is_file() and not path.is_symlink():
                found.append(str(inner / name))
        if len(found) >= _MOST_LISTED:
            break
    return found[:_MOST_LISTED]
