"""The reader: a small model that reads a question and a passage together.

It is trained by `python -m training.reader` from the weights of the bundled embedding model, whose
tokens it shares, and ships with the program; its card is `bundled/reader/README.md`.
"""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.config import Settings
from core.errors import ModelUnavailable
from core.models.hub import verify
from core.models.onnx_build import RELEVANCE, SPAN, VERDICT
from core.models.runtime import Encoder, NotForOnnx
from core.types import Verdict

BUNDLED_READER = Path(__file__).parent / "bundled" / "reader"
MOST_TOKENS = 192  # what it learned with
LONGEST_ANSWER = 30
"""Tokens."""
_CURE = "Install the program again, or set READER_MODEL to nothing to go without."

Span = tuple[int, int]
Numbers = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the model makes of a text and a passage.

    `places` are the tokens of the passage as characters, `starts` and `ends` their logits, `none`
    that of no answer. `relevance` is a logit; `verdict` are the probabilities that the passage
    supports the text, contradicts it, or does neither. The program uses the spans alone;
    `training.evaluate` compares all with what is there.
    """

    places: tuple[Span, ...]
    starts: Numbers
    ends: Numbers
    none: float
    relevance: float
    verdict: tuple[float, float, float]

    def answer(self, start: int = 0, end: int | None = None) -> tuple[Span, float] | None:
        """The best span between two characters of the passage and its score.

        The score is that of the span less that of no answer; None where no token stands there.
        """
        tokens = [
            at for at, (a, b) in enumerate(self.places) if a >= start and (end is None or b <= end)
        ]
        if not tokens:
            return None
        first, last = tokens[0], tokens[-1] + 1
        sums = self.starts[first:last, None] + self.ends[None, first:last]
        width = last - first
        allowed = np.triu(np.ones((width, width), bool)) & ~np.triu(
            np.ones((width, width), bool), LONGEST_ANSWER
        )
        at = int(np.where(allowed, sums, -np.inf).argmax())
        begins, ends = divmod(at, width)
        found = self.places[first + begins][0], self.places[first + ends][1]
        return found, float(sums[begins, ends] - self.none)


class Reader:
    """The model in a folder (`model.onnx`, its tokenizer) on ONNX Runtime. Thread-safe.

    Raises `NotForOnnx` where the files are those of another model.
    """

    def __init__(self, folder: Path) -> None:
        self._encoder = Encoder(folder, folder / "model.onnx", most_tokens=MOST_TOKENS)
        if not {SPAN, RELEVANCE, VERDICT} <= set(self._encoder.shapes):
            raise NotForOnnx(f"The files of {folder.name} are no reader.")

    def read(self, text: str, passage: str) -> Reading:
        """A question, or a sentence to be judged, with a passage; what is too long is cut."""
        encoded = self._encoder.tokens(text, passage)
        span, relevance, verdict = self._encoder.run_tokens(encoded, [SPAN, RELEVANCE, VERDICT])
        inside = [at for at, of in enumerate(encoded.sequence_ids) if of == 1]
        powers = np.exp(verdict - verdict.max())
        supported, contradicted, neither = (powers / powers.sum()).tolist()
        return Reading(
            tuple(encoded.offsets[at] for at in inside),
            span[inside, 0],
            span[inside, 1],
            float(span[0].sum()),
            float(relevance[0]),
            (supported, contradicted, neither),
        )


def load_reader(settings: Settings) -> Reader | None:
    """The reader of the settings, one for the whole process; None where none is wanted.

    Raises `ModelUnavailable` where its file is missing, damaged or that of another model.
    """
    if not settings.reader_model:
        return None
    bundled = settings.reader_model == "bundled"
    folder = BUNDLED_READER if bundled else Path(settings.reader_model)
    try:
        changed = (folder / "model.onnx").stat().st_mtime_ns
    except OSError:
        message = f"The reader has no file {folder / 'model.onnx'}."
        raise ModelUnavailable(message, _CURE) from None
    with _loading:  # two first questions at once load it once
        return _loaded(folder, changed)


def reader_state(settings: Settings) -> Verdict:
    """For the doctor: state ("ok", "warning", "off"), detail, cure."""
    try:
        reader = load_reader(settings)
    except ModelUnavailable as error:
        return "warning", f"{error.message} Quoted answers are chosen without it.", error.cure
    if reader is None:
        return "off", "None is set; quoted answers are chosen without one.", ""
    reader.read("Does it answer?", "It does.")
    return "ok", f"{settings.reader_model}: reads the best sentences of a search.", ""


_loading = threading.Lock()


@functools.lru_cache(maxsize=1)
def _loaded(folder: Path, changed: int) -> Reader:
    if folder == BUNDLED_READER:
        verify(folder, "the reader", _CURE)
    return Reader(folder)
