"""The characters of a PDF page with their boxes, as the stages pass them on."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from core.parsing.boxes import Boxes

HYPHEN = "\x02"
"""Marks a word divided at the end of a line, as pdfium does; `text.joined` resolves it."""


@dataclass(frozen=True, slots=True)
class RawPage:
    """The characters of a page and, for each, its box, size in points and weight.

    `boxes` has shape (n, 4), `sizes` (points) and `bold` shape (n,) for n characters of `text`.
    `hidden` counts invisible characters, which were left out. `pictures` is the share of the page
    that pictures cover, `drawn` whether anything is on the page, `unknown` the share of characters
    that the fonts do not map to Unicode.
    """

    text: str
    boxes: Boxes
    sizes: npt.NDArray[np.float32]
    bold: npt.NDArray[np.bool_]
    width: float = 0.0
    height: float = 0.0
    hidden: int = 0
    pictures: float = 0.0
    drawn: bool = False
    ocr_layer: bool = False
    unknown: float = 0.0

    def without(self, gone: npt.NDArray[np.bool_]) -> RawPage:
        """Return the page without the characters where `gone` (shape (n,)) is true."""
        if not gone.any():
            return self
        kept = ~gone
        text = "".join(char for char, keep in zip(self.text, kept, strict=True) if keep)
        return replace(
            self, text=text, boxes=self.boxes[kept], sizes=self.sizes[kept], bold=self.bold[kept]
        )

    def with_line_ends(self, positions: Sequence[int]) -> RawPage:
        """Return the page with a line end, which has no box, before each of these characters."""
        if not len(positions):
            return self
        ends = [0, *positions, len(self.text)]
        return replace(
            self,
            text="\n".join(self.text[a:b] for a, b in itertools.pairwise(ends)),
            boxes=np.insert(self.boxes, positions, 0, axis=0),
            sizes=np.insert(self.sizes, positions, 0),
            bold=np.insert(self.bold, positions, False),
        )


def empty_page(width: float = 0.0, height: float = 0.0) -> RawPage:
    """Return a page of which nothing could be read."""
    nothing = np.zeros(0)
    return RawPage(
        "",
        np.zeros((0, 4), dtype=np.uint16),
        nothing.astype(np.float32),
        nothing.astype(np.bool_),
        width,
        height,
    )
