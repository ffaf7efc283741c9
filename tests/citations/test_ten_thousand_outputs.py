"""Ten thousand outputs of models: every spelling, wrong numbers, cut at random."""

from __future__ import annotations

import re

from core.answering.generative.refusal import RefusalFilter
from core.citations.stream import CitationStream
from tests.citations.model_outputs import Output, output, pieces

_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.S)
_MARK = re.compile(r"\[(\d+)\]")
_COUNT = 10_000


def written(made: Output, seed: int) -> tuple[str, tuple[int, ...]]:
    """What the page gets, through both filters as in an answer."""
    refusals, citations = RefusalFilter(), CitationStream.of(made.sources)
    text = "".join(citations.feed(refusals.feed(piece)) for piece in pieces(made.text, seed))
    text += citations.feed(refusals.finish()) + citations.finish()
    return text, citations.cited


def without_marks(text: str) -> str:
    """The text without marks (those in code stay) and without white space."""
    kept, at = [], 0
    for code in _CODE.finditer(text):
        kept += [_MARK.sub("", text[at : code.start()]), code.group()]
        at = code.end()
    kept.append(_MARK.sub("", text[at:]))
    return re.sub(r"\s+", "", "".join(kept)).replace("****", "")


def test_no_number_outside_the_list_and_the_text_unchanged() -> None:
    for seed in range(_COUNT):
        made = output(seed)
        text, cited = written(made, seed)
        numbers = [int(n) for n in _MARK.findall(_CODE.sub("", text))]
        told = f"seed {seed}: {made.text!r} became {text!r}"
        assert all(1 <= n <= len(cited) for n in numbers), told
        assert list(dict.fromkeys(numbers)) == list(range(1, len(cited) + 1)), told
        assert [cited[n - 1] for n in numbers] == [n for run in made.runs for n in run], told
        assert without_marks(text) == without_marks(made.bare), told
