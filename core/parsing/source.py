"""The input of a loader: the file, and how its work is reported and limited."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from core.errors import TooLarge
from core.types import LoadedDocument

_MOST_CHARACTERS = 50_000_000  # about 20,000 pages of a book
_BYTES_PER_CHARACTER = 4  # the most in any encoding


@dataclass(frozen=True, slots=True)
class Source:
    """A file to be read.

    `url` is the address of a web page. `progress` is called with the share done, 0 to 1.
    `begin_ocr` is called before the first page is read by OCR and returns the seconds that all
    such pages may take; None turns OCR off. `ocr_languages` are those of the setting. `careful`
    asks for a reader written in Python, after another one crashed. `password` opens a locked PDF.
    """

    path: Path
    progress: Callable[[float], None]
    url: str = ""
    begin_ocr: Callable[[], float] | None = None
    ocr_languages: tuple[str, ...] = ()
    careful: bool = False
    password: str = field(default="", repr=False)

    def data(self) -> bytes:
        """Return the bytes of a text file. Raises `TooLarge` for one that is over the limit."""
        check_length(self.path.stat().st_size // _BYTES_PER_CHARACTER)
        return self.path.read_bytes()


class Loader(Protocol):
    """The module that reads a format."""

    def load(self, source: Source) -> LoadedDocument:
        """Read the file. Raises subclasses of `IngestionError`."""


def check_length(characters: int) -> None:
    """Raise `TooLarge` for more characters than one document may have."""
    if characters > _MOST_CHARACTERS:
        raise TooLarge(
            f"The file holds more than {_MOST_CHARACTERS // 1_000_000} million characters of text."
        )
