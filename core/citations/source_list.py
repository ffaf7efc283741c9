"""The list of sources that a model puts under its answer, which the page makes itself (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.citations.mark_parser import BARE_LABEL, NeedMore

_LONGEST = 4000
_LONGEST_ENTRY = 300
_LONGEST_HEADING = 48

_HEADINGS = (
    *("source", "sources", "sources used", "sources cited", "reference", "references", "citations"),
    *(
        "quelle",
        "fuente",
        "fonte",
        "bron",
        "quellen",
        "quellenangaben",
        "quellenverzeichnis",
        "fuentes",
        "références",
    ),
    *("fonti", "fontes", "bronnen", "источники", "πηγές", "kaynaklar", "surse", "المصادر"),
    *("bibliography", "works cited", "literaturverzeichnis"),
    *("来源", "來源", "参考来源", "參考來源", "参考文献", "出典"),
)
_ONLY_A_LIST = (
    *("references", "bibliography", "works cited", "sources used", "sources cited", "citations"),
    *("quellenangaben", "quellenverzeichnis", "literaturverzeichnis", "références", "参考文献"),
)
"""Headings of nothing else: what stands below them at the end needs no mark or name to be told."""
_LIST_ITEM = re.compile(r"[ \t>]*(?:[-*•–]|\d{1,3}[.)])[ \t]+\S")
_PLACE = re.compile(r"(?:[\s,;.()*_\"“”]|\b(?:pp?|pages?|sections?|seiten?|s)\b|§|[\d–-])*", re.I)
_AROUND = ' \t*_"“”„.'
_FEWEST_LETTERS = 4
"""Of a source's name, from which a line that begins with it is about that source."""
_LABEL = re.compile(r"[ \t>*_(-]*([^\W\d_]+(?: [^\W\d_]+)?)[*_]*[ \t]*[:：][*_]*[ \t]*")
_MARK = r"[\[【(][^\]】)\n]{0,40}[\]】)]"
_MARKED = re.compile(rf"{_MARK}|[\[【(][^\]】)\n]{{0,40}}$")
"""Marks, and the beginning of one."""
_NAMES_SOURCES = re.compile(rf"(?:{_MARK}|[ \t,;.&*_]|\b(?:and|und|et|y|e)\b)*{_MARK}[ \t.*_)]*")
_MAY_NAME = re.compile(r"(?:[\[\]【】()\w \t,;.:&*_#-])*")
_ENTRY_START = re.compile(r"[ \t>]*(?:[-*•–][ \t]+|\d{1,3}[.)][ \t]+)?[*_\"“„]*")
_ENTRY = re.compile(rf"[\[【(]\s*\^?(?:[^\W\d_]+[ :_]*)?\d|(?:{BARE_LABEL})[ \u00a0]\d")


def is_source_list(text: str, at: int, labels: Sequence[str], *, final: bool = False) -> bool:
    """Whether all that begins with the line at `text[at]` is a list of sources with its heading.

    An entry begins with a mark or with one of `labels`, the names of the sources; below a heading
    that stands for references alone, each item of a list is one. Raises
    `NeedMore` while the text may still turn out either way and is not `final`.

    >>> is_source_list("Sources:\\n- [1] report.pdf", 0, (), final=True)
    True
    """
    end = text.find("\n", at, at + _LONGEST_HEADING)
    line = text[at : at + _LONGEST_HEADING if end < 0 else end]
    heading = line.strip(" \t#*:：").casefold()
    unfinished = end < 0 and not final and len(line) < _LONGEST_HEADING
    if unfinished and any(known.startswith(heading) for known in _HEADINGS):
        raise NeedMore
    if end < 0 or heading not in _HEADINGS:
        return False
    rest = text[end:]
    lines = rest.split("\n")
    entries = [line for line in (lines if final else lines[:-1]) if line.strip()]
    any_item = heading in _ONLY_A_LIST
    if len(rest) > _LONGEST or not all(_is_entry(line, labels, any_item) for line in entries):
        return False
    if not final:
        raise NeedMore
    return bool(entries)


def source_line(
    text: str, at: int, labels: Sequence[str] = (), *, final: bool = False
) -> tuple[int, int] | None:
    """Where the marks begin and where the line ends, of a line that only names sources.

    They are named by marks, or by `labels`.

    None for any other line. Raises `NeedMore` as `is_source_list` does.

    >>> source_line("Source: [1] [2]\\nMore.", 0)
    (8, 15)
    """
    end = text.find("\n", at, at + _LONGEST_ENTRY)
    line = text[at : at + _LONGEST_ENTRY if end < 0 else end]
    unfinished = end < 0 and not final and len(line) < _LONGEST_ENTRY
    label = _LABEL.match(line)
    if label is None or label[1].casefold() not in _HEADINGS:
        word = line.strip(" \t>*_(-").casefold()
        if unfinished and any(known.startswith(word) for known in _HEADINGS):
            raise NeedMore
        return None
    marks = line[label.end() :]
    unmarked = _MARKED.sub(" ", marks)
    if unfinished:
        if _MAY_NAME.fullmatch(marks) or _names_place(unmarked, labels, begun=True):
            raise NeedMore
        return None
    named = _NAMES_SOURCES.fullmatch(marks) or _names_place(unmarked, labels)
    return (at + label.end(), at + len(line)) if named else None


def _is_entry(line: str, labels: Sequence[str], any_item: bool = False) -> bool:
    start = _ENTRY_START.match(line)
    bare = line[start.end() :] if start else line
    told = bool(_ENTRY.match(bare)) or (any_item and bool(_LIST_ITEM.match(line)))
    return len(line) < _LONGEST_ENTRY and (told or _is_named(bare, labels))


def _names_place(text: str, labels: Sequence[str], *, begun: bool = False) -> bool:
    """Whether a text is the name of a source, maybe with a page; with `begun`, or may become it."""
    bare = text.strip(_AROUND).casefold()
    return any(
        (bare.startswith(name) and bool(_PLACE.fullmatch(bare, len(name))))
        or (begun and name.startswith(bare))
        for name in (label.casefold().rstrip(_AROUND) for label in labels)
        if len(name) >= _FEWEST_LETTERS
    )


def _is_named(text: str, labels: Sequence[str]) -> bool:
    folded = text.casefold()
    return any(
        folded.startswith(label.casefold()) for label in labels if len(label) >= _FEWEST_LETTERS
    )
