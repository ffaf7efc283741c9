"""Reading one citation mark in any of the spellings that language models use (pure).

`[Source 1]`, `[1]`, `[1, 3]`, `[2-4]`, `【1†source】`, `(Source 2)`, `[^1]`, `[Quelle 2: a.pdf]`,
`<source id="1">` ... are marks; `(1)`, `[0, 1]`, `[x]` and `[sic]` are not.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from core.citations.mark_reader import Mark, MarkReader, Overflow
from core.citations.mark_tags import read_tag

_DEEPEST = 12
_MOST_NUMBERS = 64

_PAIRS = {
    "[": "]", "【": "】", "［": "］", "〔": "〕", "〖": "〗", "(": ")", "（": "）", "{": "}",
    "\\": "]",
}  # fmt: skip
OPENERS = frozenset(_PAIRS)
_LABELS = frozenset(
    (
        "source sources src quelle quellen fuente fuentes fonte fontes fonti sorgente bron bronnen "
        "источник источника источники источников πηγή πηγές kaynak kaynaklar sursa surse źródło "
        "źródła zdroj källa kilde lähde forrás المصدر مصدر المصادر مصادر स्रोत "
        "来源 來源 资料来源 資料來源 出典 ソース 情報源 출처 원본"
    ).split()
)
"""What stands before a number in any kind of bracket."""
_WEAK_LABELS = frozenset(
    (
        "document doc documents docs dokument passage context ref refs reference references cite "
        "citation citations cites footnote fn note chunk snippet id see vgl siehe voir ver см also "
        "ibid documento referencia référence referenz zitat 文献 文檔 文档 "
        "参考 參考 资料 資料 引用 文書 문서"
    ).split()
)
"""What stands before a number in square brackets only."""
_WORDS = {unicodedata.normalize("NFKC", word).casefold() for word in _LABELS | _WEAK_LABELS}
_STRONG = {unicodedata.normalize("NFKC", word).casefold() for word in _LABELS}
_AND = frozenset(
    "and und et y e i и και ve og och en oraz 和 及 与 と to bis à a до 至 through".split()
)
_RANGE_WORDS = frozenset("to bis à a до 至 through".split())
_PLACEHOLDERS = frozenset(("x", "n", "y", "#", "?", "…", "i", "k"))
_DASHES = "-‐‑‒–—−~〜"
_SEPARATORS = ",;，；、&+/|·"


def read_mark(
    text: str, at: int, labels: Sequence[str] = (), *, final: bool = False
) -> Mark | None:
    """The mark that begins at `text[at]`, or None if what stands there is text.

    `labels` are the names of the sources in order, for marks that name a file and no number.
    Raises `NeedMore` while the text may still turn out either way and is not `final`.

    >>> read_mark("[Source 2, 3-4]", 0).numbers
    (2, 3, 4)
    """
    try:
        return _bracket(MarkReader(text, at, final, labels), 0)
    except Overflow:  # the bracket goes, so that what is removed within cannot form a mark
        return Mark(at + 1, ())


def _bracket(reader: MarkReader, depth: int) -> Mark | None:
    opener = reader.peek()
    closer = _PAIRS.get(opener, "")
    if not closer:
        return None
    if depth > _DEEPEST:
        raise Overflow
    reader.at += 1
    if opener == "\\":
        if reader.peek() != "[":
            return None
        reader.at += 1
    reader.skip(" \t\u00a0\u3000^#@*_")
    begin = reader.at
    weak = opener not in "(（{"
    found = _named(reader, closer) if weak else None
    if found is not None:
        return found
    reader.at = begin
    label = _label(reader, weak)
    if label is None:
        return None
    labelled = bool(label)
    if not labelled and not weak:
        return None  # "(1)" is no mark
    numbers = _numbers(reader, _WORDS if weak else _STRONG, depth)
    if numbers is None:
        return _without_number(reader, closer, label) if labelled else None
    if not labelled and _is_interval(numbers):
        return None
    return _close(reader, closer, numbers)


def _label(reader: MarkReader, weak: bool) -> str | None:
    """The label here with what ties it to its number; "" if there is none, None if it is prose."""
    label = ""
    known = _WORDS if weak else _STRONG
    while reader.peek().isalpha():
        begin = reader.at
        word = reader.word()
        if word not in known:
            reader.at = begin
            return label or None
        label = word
        reader.skip(" \t\u00a0\u3000.:：#_*№º°^=\"'" + _DASHES)
    return label


def _numbers(reader: MarkReader, known: set[str], depth: int = 0) -> list[int] | None:
    """A list of numbers and ranges, maybe with labels and brackets within; None if none is here."""
    numbers: list[int] = []
    anything = False
    from_ = None  # where a range begins, whose end comes next
    while True:
        reader.skip(" \t\u00a0\u3000#^*_")
        ch = reader.peek()
        if (inner := _inner(reader, depth)) is not None:
            numbers += inner
        elif ch and ch.isdecimal():
            _extend(numbers, from_, reader.number())
        elif ch and ch in "-−–" and reader.peek(1).isdecimal() and not anything:
            reader.at += 1
            numbers.append(-reader.number())
        elif anything and _another(reader, known):
            continue
        else:
            return numbers if anything else None
        anything, from_ = True, None
        if len(numbers) > _MOST_NUMBERS:
            del numbers[_MOST_NUMBERS:]
        if _range_follows(reader) and numbers:
            from_ = numbers[-1]


def _range_follows(reader: MarkReader) -> bool:
    """Step over a dash or a word between two numbers; False, in the same place, if none is here."""
    begin = reader.at
    reader.skip(" \t\u00a0\u3000")
    ch = reader.peek()
    if ch and ch in _DASHES and _digit_follows(reader):
        reader.skip(_DASHES + " ")
        return True
    word = reader.word() if ch.isalpha() else ""
    if word in _RANGE_WORDS and reader.peek() == " " and reader.peek(1).isdecimal():
        return True
    reader.at = begin
    return False


def _digit_follows(reader: MarkReader) -> bool:
    ahead = 1
    while (ch := reader.peek(ahead)) and ch in _DASHES + " ":
        ahead += 1
    return reader.peek(ahead).isdecimal()


def _inner(reader: MarkReader, depth: int) -> list[int] | None:
    """The numbers of a mark or a tag within the mark, or None, in the same place."""
    begin = reader.at
    if reader.peek() == "<":
        mark = read_tag(reader.text, begin, final=reader.final)
    else:
        mark = _bracket(reader, depth + 1)
    if mark is None:
        reader.at = begin
        return None
    reader.at = mark.end
    return list(mark.numbers)


def _extend(numbers: list[int], from_: int | None, number: int) -> None:
    if from_ is not None and from_ < number:
        numbers += range(from_ + 1, min(number, from_ + _MOST_NUMBERS) + 1)
    else:
        numbers.append(number)


def _another(reader: MarkReader, known: set[str]) -> bool:
    """Step over what parts two numbers; False, in the same place, if it is something else."""
    begin = reader.at
    reader.skip(_SEPARATORS + " \t\u00a0\u3000")
    moved = reader.at > begin
    while reader.peek().isalpha():
        at = reader.at
        word = reader.word()
        if word not in _AND and word not in known:
            reader.at = at
            break
        moved = True
        reader.skip(" \t\u00a0\u3000.:：#_№" + _DASHES)
    ch = reader.peek()
    if moved and ch and (ch.isdecimal() or ch in _PAIRS):
        return True
    reader.at = begin
    return False


def _close(reader: MarkReader, closer: str, numbers: list[int]) -> Mark | None:
    """The end of the mark, after a detail such as ": file.pdf" or ", p. 5" if there is one."""
    reader.skip(" \t\u00a0\u3000*_")
    ch = reader.peek()
    if ch and (ch in ",;:：，|†‡#" or ch in _DASHES or (ch == "(" and closer == "]")):
        depth = 0
        while (ch := reader.peek()) and ch not in "\n\\" and (depth or ch != closer):
            depth += (ch == "[") - (ch == "]" and depth > 0)
            reader.at += 1
    if closer == "]" and reader.peek() == "\\":
        reader.at += 1
    if reader.peek() != closer:
        return None
    reader.at += 1
    return Mark(reader.at, tuple(numbers))


def _without_number(reader: MarkReader, closer: str, label: str) -> Mark | None:
    """`[Source]`, `[Source X]`, `[Source: who knows]`: a mark that names nothing usable."""
    if label not in _STRONG:
        return None
    begin = reader.at
    while (ch := reader.peek()) and ch != closer and ch != "\n":
        reader.at += 1
    if reader.peek() != closer:
        return None
    inside = reader.text[begin : reader.at].strip()
    bound = reader.text[begin - 1] in ":：" or ": " in reader.text[max(0, begin - 2) : begin]
    if closer in ")）}" and inside:
        return None
    if inside and not bound and inside.casefold() not in _PLACEHOLDERS:
        return None
    reader.at += 1
    return Mark(reader.at, ())


def _named(reader: MarkReader, closer: str) -> Mark | None:
    """A mark that gives the name of exactly one source: `[Source: report.pdf, p. 3]`."""
    if not reader.labels:
        return None
    begin = reader.at
    _label(reader, True)
    start = reader.at
    matching = set(reader.labels)
    hit = ""
    while matching and (ch := reader.peek()) and ch != "\n":
        reader.at += 1
        so_far = reader.text[start : reader.at].casefold()
        matching = {name for name in matching if name[: len(so_far)].casefold() == so_far}
        whole = next((name for name in matching if len(name) == len(so_far)), "")
        if whole and reader.peek() in closer + ",;:( ":
            hit = whole
    reader.at = start + len(hit)
    if not hit:
        reader.at = begin
        return None
    numbers = [at for at, name in enumerate(reader.labels, 1) if name == hit]
    mark = _close(reader, closer, numbers if len(numbers) == 1 else [])
    if mark is None:
        reader.at = begin
    return mark


def _is_interval(numbers: list[int]) -> bool:
    """`[0, 1]` and `[-1, 1]` are mathematics."""
    return len(numbers) == 2 and numbers[0] <= 0 < numbers[1]
