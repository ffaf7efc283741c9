"""Detect the encoding of a whole file; no character is dropped without a notice."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from dataclasses import dataclass

from core.types import Notice

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_EVIDENCE = 200_000  # bytes of lines beyond ASCII that detection reads
_OTHER = re.compile(rb"[\x80-\xff]")
_ENCODED_TWICE = re.compile("[\xc2-\xf4][\x80-\x9f]")

_LATIN = ("cp1252", "cp1250", "iso8859_2", "cp1254", "cp1257", "iso8859_15", "mac_roman", "cp850")
"""Encodings of Latin letters, the most common first; statistics do not tell them apart."""

_ALPHABETS = {
    "ca": "àçèéíïòóúü·",
    "cs": "áčďéěíňóřšťúůýž",
    "da": "æøåé",
    "de": "äöüß",
    "en": "éèêëïöüñçà",
    "es": "áéíóúüñ",
    "et": "äõöüšž",
    "fi": "äöå",
    "fr": "àâæçéèêëîïôœùûüÿ",
    "hr": "čćđšž",
    "hu": "áéíóöőúüű",
    "is": "áðéíóúýþæö",
    "it": "àèéìíîòóùú",
    "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūž",
    "nb": "æøåéòô",
    "nl": "éëïóöüèê",
    "no": "æøåéòô",
    "pl": "ąćęłńóśźż",
    "pt": "àáâãçéêíóôõúü",
    "ro": "ăâîșțşţ",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "sl": "čšžćđ",
    "sv": "åäöé",
    "tr": "çğıöşüâîû",
}
"""The letters beyond ASCII of languages in Latin script (ISO 639-1)."""

_SIGNS = frozenset("“”„‘’‚–—…•€£§°«»©®·¿¡½¼²³×\u00a0")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text and how it was decoded; `note` is set if the encoding is a guess."""

    text: str
    encoding: str
    note: Notice | None = None


def decode(data: bytes, declared: str = "") -> Decoded:
    """Decode a whole file: BOM, strict UTF-8, UTF-16 without BOM, `declared`, then detection.

    A guess carries a notice. No byte is ignored: a file of mixed encodings is decoded line by
    line.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom) and (text := _try(data[len(bom) :], encoding)) is not None:
            return Decoded(text, encoding)
    if (encoding := _wide(data)) and (text := _try(data, encoding)) is not None:
        return Decoded(text, encoding)
    if (text := _try(data, "utf-8")) is not None:
        return _once(text)
    if declared and (text := _try(data, declared)) is not None:
        return Decoded(text, declared)
    return _guess(data)


def looks_like_text(data: bytes) -> bool:
    """Whether bytes are text of some encoding: hardly any control characters."""
    if data.startswith(tuple(bom for bom, _ in _BOMS)) or _wide(data):
        return True
    sample = data[:100_000]
    odd = sum(sample.count(byte) for byte in (*range(1, 9), *range(14, 27), *range(28, 32), 127))
    return odd <= max(len(sample) // 50, 2) and sample.count(0) <= max(len(sample) // 10, 2)


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError):
        return None


def _once(text: str) -> Decoded:
    """Repair UTF-8 that was decoded as Latin-1 and encoded again."""
    if _ENCODED_TWICE.search(text) is None:
        return Decoded(text, "utf-8")
    try:
        once = text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return Decoded(text, "utf-8")
    note = Notice("encoded-twice", "The text was encoded twice; that was undone, please check.")
    return Decoded(once, "utf-8", note)


def _wide(data: bytes) -> str:
    """Detect UTF-16 without a BOM by the NULs of its ASCII letters, spaces and line ends."""
    sample = data[: 100_000 & ~1]
    if len(data) % 2 or len(sample) < 4 or b"\0" not in sample:
        return ""
    even, odd = sample[::2].count(0), sample[1::2].count(0)
    share = max(even, odd) / (len(sample) / 2)
    other = len(_OTHER.findall(sample)) / len(sample)
    if share < 0.02 or (share < 0.25 and other < 0.2) or min(even, odd) > max(even, odd) * 0.1:
        return ""
    encoding = "utf-16-le" if odd > even else "utf-16-be"
    text = _try(sample, encoding) or _try(sample[:-2], encoding) or "\0"
    return "" if "\0" in text else encoding


def _guess(data: bytes) -> Decoded:
    lines = [line for line in data.splitlines(keepends=True) if _OTHER.search(line)]
    utf8 = sum(1 for line in lines if _try(line, "utf-8") is not None)
    if utf8 and utf8 >= len(lines) * 0.5:
        return _mixed(data)
    for encoding in _candidates(_evidence(lines)):
        if (text := _try(data, encoding)) is not None:
            return Decoded(text, encoding, _check(encoding))
    return Decoded(data.decode("latin-1"), "latin-1", _check("latin-1"))


def _mixed(data: bytes) -> Decoded:
    pieces, odd = [], 0
    for line in data.splitlines(keepends=True):
        text = _try(line, "utf-8")
        odd += text is None
        pieces.append(text if text is not None else _try(line, "cp1252") or line.decode("latin-1"))
    note = Notice(
        "mixed-encoding",
        f"The text is UTF-8 but {odd:,} of its lines are not; those were read as cp1252, "
        "please check.",
        "Save the file as UTF-8 and add it again if letters are wrong.",
    )
    return Decoded("".join(pieces), "utf-8", note)


def _evidence(lines: Iterable[bytes]) -> bytes:
    taken, size = [], 0
    for line in lines:
        taken.append(line[: _EVIDENCE - size])
        size += len(taken[-1])
        if size >= _EVIDENCE:
            break
    return b"".join(taken)


def _candidates(evidence: bytes) -> list[str]:
    """Yield the encodings to try, the most likely first."""
    from charset_normalizer import from_bytes

    found = [match.encoding for match in from_bytes(evidence, steps=20, chunk_size=2048)]
    first = _try(evidence, found[0]) if found else ""
    if first and not _is_latin(first):
        return [*found, "cp1252"]
    fits = {encoding: _fit(_try(evidence, encoding)) for encoding in _LATIN}
    return [*sorted(fits, key=lambda encoding: -fits[encoding]), *found]


def _is_latin(text: str) -> bool:
    """Whether most letters beyond ASCII are Latin."""
    letters = [char for char in text if ord(char) > 127 and char.isalpha()]
    return sum(char < "\u0250" for char in letters) >= 0.5 * len(letters)


def _fit(text: str | None) -> float:
    """Return the share of characters beyond ASCII that belong to the language of the text."""
    if text is None:
        return -1.0
    from core.parsing.language import language_of

    other = [char for char in text.lower() if ord(char) > 127]
    alphabet = _ALPHABETS.get(language_of(text), _ALPHABETS["fr"] + _ALPHABETS["de"])
    return sum(char in alphabet or char in _SIGNS for char in other) / max(len(other), 1)


def _check(encoding: str) -> Notice:
    return Notice(
        "encoding-guessed",
        f"The text was read as {encoding}, please check.",
        "Save the file as UTF-8 and add it again if letters are wrong.",
    )
