"""Functions, classes and their members as reference documentation writes them (pure)."""

from __future__ import annotations

import re

SIGNATURE = re.compile(
    r"(?:(?:class|def|async|classmethod|staticmethod|abstractmethod|coroutine) )?"
    r"[A-Za-z_][\w.]*\((?!['\"])[^()]*(?:\([^()]*\)[^()]*)*\)(?: ?(?:->|→).+)?[¶:]?"
)
"""A function with its parameters, as reference documentation writes it."""
_CALL = re.compile(r"[(,]\s*[A-Za-z_][\w.]*\(")
"""What calls another function as it is called itself: a line of code, and no signature."""
_NAME = re.compile(r"(?:(?:class|def|async|exception|\w+method|coroutine) )*([A-Za-z_][\w.]*)")
_MEMBER = re.compile(r"(?:exception )?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?: ?=.*)?|[A-Za-z]\w*_\w+")
"""A constant, an attribute or an exception, which has no parameters."""
_PARAMETER = re.compile(r"[A-Za-z_]\w*(?=\s*(?:[=,:\[\])]|$))")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def is_signature(text: str) -> bool:
    """Return whether a line is a function with its parameters.

    >>> is_signature("time.sleep(secs)"), is_signature("It sleeps (for long).")
    (True, False)
    >>> is_signature("print(file.read())"), is_signature("run(end=time.time())")
    (False, True)
    """
    plain = " ".join(text.split())
    return bool(SIGNATURE.fullmatch(plain)) and not _CALL.search(plain)


def name_of(heading: str) -> str:
    """Return the name of what a heading documents, "" where that is nothing of a program.

    >>> name_of("class csv.Sniffer(f)"), name_of("string.digits"), name_of("Basic use")
    ('csv.Sniffer', 'string.digits', '')
    """
    plain = " ".join(heading.split())
    found = _NAME.match(plain)
    named = is_signature(plain) or _MEMBER.fullmatch(plain)
    return found[1] if found and named else ""


def parameters_of(heading: str) -> frozenset[str]:
    """Return the names of a function's parameters.

    >>> sorted(parameters_of("json.load(fp, *, cls=None, **kw)"))
    ['cls', 'fp', 'kw']
    """
    _, _, inside = " ".join(heading.split()).partition("(")
    parts = re.split(r"[,\[]\s*", inside.rpartition(")")[0])
    found = (_PARAMETER.match(part.lstrip(" *")) for part in parts)
    return frozenset(one[0] for one in found if one)


def default_of(heading: str, name: str) -> tuple[int, int] | None:
    """Return where a function's parameter is given its default, None where it has none.

    >>> start, end = default_of("gzip.open(f, mode='rb', *, level=9)", "mode") or (0, 0)
    >>> "gzip.open(f, mode='rb', *, level=9)"[start:end]
    "'rb'"
    """
    found = re.search(rf"[(,\[]\s*{re.escape(name)}\s*=\s*(?P<value>'[^']*'|[^,)\]]+)", heading)
    return found.span("value") if found else None


def name_parts(name: str) -> list[str]:
    """Return the words that a name is made of, as far as its writing parts them.

    >>> name_parts("csv.DictWriter"), name_parts("os.path.getsize")
    (['csv', 'dict', 'writer'], ['os', 'path', 'getsize'])
    """
    return [part.casefold() for part in _PART.findall(name)]
