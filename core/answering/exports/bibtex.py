"""The cited documents as BibTeX (pure).

Letters stay as they are: the file is UTF-8, which biber and today's BibTeX styles read.
"""

from __future__ import annotations

import re
from urllib.parse import quote

from core.answering.exports.port import Exported
from core.answering.exports.references import Reference, references

_SPECIAL = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "{}$&%#_"},
}  # fmt: skip
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_IN_ADDRESS = ":/?#[]@!$&'()*+,;=%~-._"


def write(exported: Exported) -> bytes:
    """Return the file."""
    return "\n".join(map(_entry, references(exported.messages, exported.zone))).encode(
        "utf-8", "replace"
    )


def _entry(one: Reference) -> str:
    fields = {
        "title": f"{{{escape_latex(one.title)}}}" if one.title else "",  # its capitals stay
        "year": one.published[:4],
        "date": one.published,
        "url": quote(one.url, safe=_IN_ADDRESS, errors="replace"),
        "urldate": one.read_on,
        "note": escape_latex(one.note),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@{'online' if one.url else 'misc'}{{{one.key},", *lines, "}", ""])


def escape_latex(text: str) -> str:
    r"""Return LaTeX that prints `text`; what is not seen is left out.

    >>> escape_latex("50 % of {a_b}")
    '50 \\% of \\{a\\_b\\}'
    """
    return "".join(_SPECIAL.get(sign, sign) for sign in _UNSEEN.sub("", text))
