"""Reading one citation mark in any of the spellings that language models use (pure).

`[Source 1]`, `[1]`, `[1, 3]`, `[2-4]`, `【1†source】`, `(Source 2)`, `[^1]`, `[Quelle 2: a.pdf]`,
`<source id="1">`, `Source 2` in running text ... are marks; `(1)`, `[0, 1]`, `[x]` and `[sic]` are
not. The text may still be streaming in: nothing is decided before all the text that the decision
needs is there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_LONGEST = 240
"""The longest mark, in characters: no more text than this is ever held back for one."""
_LOOK_BACK = 16
_LOOK_AHEAD = 48
_DEEPEST = 12
_MOST_NUMBERS = 64

_PAIRS = {
    "[": "]", "【": "】", "［": "］", "〔": "〕", "〖": "〗", "(": ")", "（": "）", "{": "}",
    "\\": "]",
}  # fmt: skip
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
_PLACEHOLDERS = frozenset(("x", "n", "y", "#", "?", "…", "i", "k", "{n}"))
_UNFILLED = ("{mark}", "{marks}", "{not_found}")
"""Placeholders of prompts, which a model may write where it was to fill them."""
_DASHES = "-‐‑‒–—−~〜"
_SEPARATORS = ",;，；、&+/|·"
_TAGS = ("source", "sources", "cite", "citation", "citations")
_WRAPPING_TAGS = ("source", "cite", "citation", "ref", "sup")
_BARE_LABELS = (
    *("Sources", "Source", "Quellen", "Quelle", "Fuentes", "Fuente", "Fontes", "Fonte"),
    *("Bronnen", "Bron", "Источник", "Kaynak"),
)
BARE_LABEL = "|".join(_BARE_LABELS)
"""The pattern of a word that stands before the number; the longer of two comes first."""

_UNFINISHED_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{1,10}\Z")
_BARE_MARK = re.compile(
    rf"(?:{BARE_LABEL})[ \u00a0](\d{{1,3}})"
    rf"(?:(?:, | and | und | et | y | e | en | & | и )(?:(?:{BARE_LABEL})[ \u00a0])?(\d{{1,3}}))?"
    r"(?![\d%°]|[.,]\d|[^\W\d_]|\s+[A-ZА-Я]\w)"
)
_NO_MARK_AFTER = re.compile(r"(?:open|closed|data|power|light|energy|heat|primary)[ -]$", re.I)
MARK_START = rf"[<{re.escape(''.join(sorted(_PAIRS)))}]|(?<![^\W_])(?:{BARE_LABEL})(?![^\W\d_])"
"""The pattern of what a mark may begin with."""
_UNFINISHED = re.compile(r"\s*[\[【［(（]{1,2}\s*(?:[^\W\d_]{1,12}[ #:]*)?[\d ,;–-]{0,24}$")
_LONGEST_UNFINISHED = 60
_END = " \n,;.!?。–-"
_UNCLOSED = re.compile(
    r"[\[【［]{1,2}[ \t]*(?:([^\W\d_]{1,12})[ \t#:.]*)?(\d(?:[\d ,;–-]{0,24}\d)?)?"
    r"(?=[\s,;–-]*\Z|[.!?。]?[ \t]*(?:\n|\Z))"
)
_ANY_MARK = re.compile(r"\[\s*\D{0,12}\d|【\s*\d", re.I)


class NeedMore(Exception):
    """The text ends before it is clear whether this is a mark."""


class _Overflow(Exception):
    """Nested too deep, or nothing but numbers and space for too long."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A mark that ends before `end`: the numbers it names, as written; () names nothing usable."""

    end: int
    numbers: tuple[int, ...]


def read_mark(
    text: str, at: int, count: int, labels: Sequence[str] = (), *, final: bool = False
) -> Mark | None:
    """The mark that begins at `text[at]`, or None if what stands there is text.

    `count` is the number of sources, and `labels` are their names in order, for marks that name a
    file and no number. Raises `NeedMore` while the text may still turn out either way and is not
    `final`.

    >>> read_mark("[Source 2, 3-4]", 0, 4).numbers
    (2, 3, 4)
    >>> read_mark("Source 2 and 3 say so.", 0, 3, final=True).numbers
    (2, 3)
    """
    first = text[at]
    if first == "{" and (unfilled := _unfilled(text, at, final)):
        return unfilled
    if first == "<":
        return _tag(text, at, final)
    if first not in _PAIRS:
        return _bare_mark(text, at, count, final)
    try:
        return _bracket(_Reader(text, at, final, labels), 0)
    except _Overflow:  # the bracket goes, so that what is removed within cannot form a mark
        return Mark(at + 1, ())


def unclosed_mark(text: str, at: int, *, final: bool = False) -> Mark | None:
    """The mark at `text[at]` whose bracket is missing at the end of its line; None for other text.

    A bracket alone is taken for one at the very end only. Raises `NeedMore` as `read_mark`
    does.

    >>> unclosed_mark("[Source 2.", 0, final=True)
    Mark(end=9, numbers=(2,))
    """
    found = _UNCLOSED.match(text, at)
    if found is None:
        return None
    label, number = found[1], found[2]
    if not final and not ((number or label) and "\n" in text[found.end() :]):
        raise NeedMore
    if label and label.casefold() not in _WORDS:
        return None
    if not number:
        if label:
            return Mark(found.end(), ()) if label.casefold() in _STRONG else None
        alone = text[:at] != text[:at].rstrip() and not text[found.end() :].strip(_END)
        return Mark(found.end(), ()) if alone else None
    closer = _PAIRS[text[at]] * (2 if text[at + 1 : at + 2] == text[at] else 1)
    mark = read_mark(found.group() + closer, 0, 0, final=True)
    return Mark(found.end(), mark.numbers) if mark else None


def unfinished_mark(text: str) -> int:
    """Where a mark in brackets begins that the end of `text` may cut in two; else its length."""
    found = _UNFINISHED.search(text, max(0, len(text) - _LONGEST_UNFINISHED))
    return found.start() if found else len(text)


def has_mark(text: str) -> bool:
    """Whether anything in brackets looks like a mark with a number, of a source or of none."""
    return bool(_ANY_MARK.search(text))


def unfinished_label(text: str, at: int) -> int:
    """Where the word begins that ends `text` and may become a bare label; else its length."""
    word = _UNFINISHED_WORD.search(text, max(at, len(text) - 10))
    if word and any(label.startswith(word.group()) for label in _BARE_LABELS):
        return word.start()
    return len(text)


def _unfilled(text: str, at: int, final: bool) -> Mark | None:
    """A placeholder of a prompt: a mark that names nothing."""
    there = text[at : at + max(map(len, _UNFILLED))]
    for name in _UNFILLED:
        if there.startswith(name):
            return Mark(at + len(name), ())
        if name.startswith(there) and not final:
            raise NeedMore
    return None


class _Reader:
    """A place in a text; unless it is `final`, reading beyond what is there raises `NeedMore`.

    `labels` are the names of the sources, in order.
    """

    def __init__(self, text: str, at: int, final: bool, labels: Sequence[str] = ()) -> None:
        self.text = text
        self.at = at
        self.limit = at + _LONGEST
        self.final = final
        self.labels = labels

    def peek(self, ahead: int = 0) -> str:
        """The character so far ahead, "" where the text or the longest mark ends."""
        place = self.at + ahead
        if place >= self.limit:
            return ""
        if place >= len(self.text):
            if self.final:
                return ""
            raise NeedMore
        return self.text[place]

    def skip(self, characters: str) -> None:
        """Step over all of these; raises `_Overflow` where nothing else comes."""
        while (ch := self.peek()) and ch in characters:
            self.at += 1
        if self.at >= self.limit:
            raise _Overflow

    def word(self) -> str:
        """The run of letters here, folded; "" where there is none."""
        begin = self.at
        while (ch := self.peek()) and (ch.isalpha() or unicodedata.combining(ch)):
            self.at += 1
        return unicodedata.normalize("NFKC", self.text[begin : self.at]).casefold()

    def number(self) -> int:
        """The run of digits here, of which the first nine count."""
        begin = self.at
        while (ch := self.peek()) and ch.isdecimal():
            self.at += 1
        if self.at >= self.limit:
            raise _Overflow
        return int(self.text[begin : self.at][:9])


def _bracket(reader: _Reader, depth: int) -> Mark | None:
    opener = reader.peek()
    closer = _PAIRS.get(opener, "")
    if not closer:
        return None
    if depth > _DEEPEST:
        raise _Overflow
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


def _label(reader: _Reader, weak: bool) -> str | None:
    """The label here with what ties it to its number; "" if there is none, None if it is prose."""
    label = ""
    labels = _WORDS if weak else _STRONG
    while reader.peek().isalpha():
        begin = reader.at
        word = reader.word()
        if word not in labels:
            reader.at = begin
            return label or None
        label = word
        reader.skip(" \t\u00a0\u3000.:：#_*№º°^=\"'" + _DASHES)
    return label


def _numbers(reader: _Reader, labels: set[str], depth: int = 0) -> list[int] | None:
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
        elif anything and _another(reader, labels):
            continue
        else:
            return numbers if anything else None
        anything, from_ = True, None
        if len(numbers) > _MOST_NUMBERS:
            del numbers[_MOST_NUMBERS:]
        if _range_follows(reader) and numbers:
            from_ = numbers[-1]


def _range_follows(reader: _Reader) -> bool:
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


def _digit_follows(reader: _Reader) -> bool:
    ahead = 1
    while (ch := reader.peek(ahead)) and ch in _DASHES + " ":
        ahead += 1
    return reader.peek(ahead).isdecimal()


def _inner(reader: _Reader, depth: int) -> list[int] | None:
    """The numbers of a mark or a tag within the mark, or None, in the same place."""
    begin = reader.at
    if reader.peek() == "<":
        mark = _tag(reader.text, begin, reader.final)
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


def _another(reader: _Reader, labels: set[str]) -> bool:
    """Step over what parts two numbers; False, in the same place, if it is something else."""
    begin = reader.at
    reader.skip(_SEPARATORS + " \t\u00a0\u3000")
    moved = reader.at > begin
    while reader.peek().isalpha():
        at = reader.at
        word = reader.word()
        if word not in _AND and word not in labels:
            reader.at = at
            break
        moved = True
        reader.skip(" \t\u00a0\u3000.:：#_№" + _DASHES)
    ch = reader.peek()
    if moved and ch and (ch.isdecimal() or ch in _PAIRS):
        return True
    reader.at = begin
    return False


def _close(reader: _Reader, closer: str, numbers: list[int]) -> Mark | None:
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


def _without_number(reader: _Reader, closer: str, label: str) -> Mark | None:
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


def _named(reader: _Reader, closer: str) -> Mark | None:
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


def _tag(text: str, at: int, final: bool) -> Mark | None:
    """A tag: `<source id="2">`, `<cite>1, 2</cite>`.

    A tag without a number (`</source>`) is a mark without numbers: it is left out.
    """
    reader = _Reader(text, at, final)
    reader.at += 1
    closing = reader.peek() == "/"
    reader.at += closing
    name = reader.word()
    if name not in _TAGS and name not in _WRAPPING_TAGS:
        return None
    if reader.peek() and reader.peek() not in " >/-\t":
        return None
    begin = reader.at
    while (ch := reader.peek()) and ch not in "<>\n":
        reader.at += 1
    if reader.peek() != ">":
        return None
    inside = reader.text[begin : reader.at]
    reader.at += 1
    wrapped = None if closing or name not in _WRAPPING_TAGS else _wrapped(reader, name)
    if wrapped is not None:
        return wrapped
    if name not in _TAGS or "src" in inside:
        return None
    return Mark(reader.at, () if closing else _id_attribute(inside))


def _wrapped(reader: _Reader, name: str) -> Mark | None:
    """`1, 2</cite>`: numbers and nothing else up to the closing tag."""
    begin = reader.at
    while (ch := reader.peek()) and (ch.isdecimal() or ch in ", ;"):
        reader.at += 1
    inside = reader.text[begin : reader.at].replace(",", " ").replace(";", " ").split()
    closing = f"</{name}>"
    if inside and all(reader.peek(at).casefold() == ch for at, ch in enumerate(closing)):
        return Mark(reader.at + len(closing), tuple(int(number[:9]) for number in inside))
    reader.at = begin
    return None


def _id_attribute(inside: str) -> tuple[int, ...]:
    for part in inside.replace("'", '"').split():
        key, _, value = part.partition("=")
        if key in ("id", "number", "n") and (digits := value.strip('"/')).isdecimal():
            return (int(digits[:9]),)
    return ()


def _bare_mark(text: str, at: int, count: int, final: bool) -> Mark | None:
    """A label and a number without brackets, `Source 2`, of one of `count` sources."""
    if not final and len(text) - at < _LOOK_AHEAD:
        raise NeedMore
    found = _BARE_MARK.match(text, at, at + _LOOK_AHEAD)
    if not found or _NO_MARK_AFTER.search(text[max(0, at - _LOOK_BACK) : at]):
        return None
    numbers = tuple(int(number) for number in found.groups() if number)
    if not all(1 <= number <= count for number in numbers):
        return None
    return Mark(found.end(), numbers)
