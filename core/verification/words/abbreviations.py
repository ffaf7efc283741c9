"""Names that one text spells out and the other abbreviates (pure)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.verification.words.alignment import OPENER, Laid

_LENGTHS = range(3, 7)
"""Letters of an abbreviation; of two letters it would stand for many a name."""
_NAMES = ("name", OPENER)


def spelled_otherwise(ours: Laid, theirs: Sequence[Laid]) -> set[str]:
    """The keys of names in `ours` that `theirs` abbreviate, and of abbreviations in full there.

    An abbreviation has the initials of a run of names: "Identity and Access Management" is IAM. An
    initial stands for a name before the same name: "Edwin P. Hubble" is "Edwin Powell Hubble".
    """
    in_full = {initials for one in theirs for initials, _ in _runs(one)}
    short = {form for one in theirs for form in one.forms if _is_short(form)}
    keys = {
        key for key, form in zip(ours.keys, ours.forms, strict=True)
        if _is_short(form) and form in in_full
    }  # fmt: skip
    keys |= {
        key
        for key, form, following in _before_names(ours)
        for one in theirs
        for _, other, name in _before_names(one)
        if following == name and form[0] == other[0] and 1 in (len(form), len(other))
    }
    return keys.union(*(run for initials, run in _runs(ours) if initials in short))


def _before_names(laid: Laid) -> Iterator[tuple[str, str, str]]:
    """Each capitalised word right before another: its key, its form, and the key of the other."""
    for (key, form), (other, following) in pairwise(zip(laid.keys, laid.forms, strict=True)):
        if form[0].isupper() and following[0].isupper():
            yield key, form, other


def _is_short(form: str) -> bool:
    return form.isupper() and form.isalpha() and len(form) in _LENGTHS


def _runs(laid: Laid) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The initials and the keys of each run of names; between two may stand a function word."""
    for start, kind in enumerate(laid.kinds):
        if kind not in _NAMES:
            continue
        at, initials = start, ""
        keys: list[str] = []
        while at < len(laid.kinds) and len(keys) < _LENGTHS.stop:
            if laid.kinds[at] in _NAMES:
                initials, keys = initials + laid.forms[at][0], [*keys, laid.keys[at]]
                if len(keys) in _LENGTHS:
                    yield initials, tuple(keys)
            elif laid.kinds[at] != "stop" or laid.kinds[at - 1] == "stop":
                break
            at += 1
