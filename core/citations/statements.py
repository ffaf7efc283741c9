"""The statements of an answer: its sentences, with the citation marks that belong to each (pure).

A mark belongs to the sentence that it stands in, else to the one that ends before it on its line,
else to the one that follows. Framing ("Here are the steps:"), headings and questions state
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.citations.mark import find_marks
from core.text.markdown_quoting import collapse, unescape
from core.text.sentences import Sentence, SentenceKind, split_sentences
from core.text.terms import terms

_LINK = re.compile(
    r"(?<![\\!])(?:!\[[^\[\]]*\]|\[(?P<text>[^\[\]]+)\])\(\s*<?\w+:[^()\s]*>?(?:\s[^()]*)?\)"
)
_EMPHASIS = re.compile(r"\*\*|__|~~|`|(?<!\w)[*_]|[*_](?!\w)")
_ASKING = ("?", "？", "؟")
_FEWEST, _FEWEST_CITED = 3, 1
"""Content words, numbers among them, from which a piece that cites nothing, or cites, states."""
_SENTENCE_END = re.compile(r"(?:^|\n|[.!?]\s+)$")
_VERB = re.compile(
    r"\s+(?:also\s+|only\s+)?(?:is|are|was|were|has|does|do|says?|states?|mentions?|describes?|notes?"
    r"|discusses|explains?|contains?|gives?|reports?|covers?|lists?|shows?|deals)\b"
)
"""With this a mark is what a sentence is about: "[2] says so."; it is read as "It"."""
_LABEL = re.compile(
    r"(?:(?:final|short|direct|brief|long)\s+)?(?:answer|explanation|reason|note|assistant|summary"
    r"|conclusion|antwort|réponse|respuesta|risposta)\s*[:：]\s*(?=\S)",
    re.I,
)
"""What a model writes before a sentence, and no source has."""
_ORDINAL = re.compile(r"\d{1,3}[.)]")
"""The number of an item that has nothing but marks."""
_DASHES = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
"""The line below the header of a table."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence `answer[start:end]`; `words` is what a person reads of it, on one line."""

    start: int
    end: int
    words: str
    numbers: tuple[int, ...]
    code: bool = False
    framing: bool = False
    asks: bool = False


def statements(answer: str, numbers: Collection[int]) -> list[Statement]:
    """The statements of an answer, in order; only marks of `numbers` count.

    One that states nothing is there only if it cites, as `framing`. The header of a table states
    nothing. One that cites states something with a number or a single word of content already; any
    with a number or a name, where the answer states nothing else ("In 1873.").

    >>> [(s.words, s.numbers) for s in statements("It is so. [1] It is not [2].", {1, 2})]
    [('It is so.', (1,)), ('It is not .', (2,))]
    """
    return _found(answer, numbers) or _found(answer, numbers, short=True)


def _found(answer: str, numbers: Collection[int], *, short: bool = False) -> list[Statement]:
    """The statements; `short` ones with them that cite nothing."""
    marks = list(find_marks(answer, numbers))
    pieces = _pieces(answer, marks)
    owners = [_owner(mark.start(), mark.end(), pieces, answer) for mark in marks]
    found = []
    for at, piece in enumerate(pieces):
        cited = tuple(
            dict.fromkeys(
                int(mark.group(1)) for mark, owner in zip(marks, owners, strict=True) if owner == at
            )
        )
        states = _states(piece, bool(cited), short) and not _is_title(answer, piece)
        if cited or states:
            found.append(
                Statement(
                    piece.start,
                    piece.end,
                    piece.text if piece.kind is SentenceKind.CODE else _unlabelled(piece.text),
                    cited,
                    piece.kind is SentenceKind.CODE,
                    not states,
                    bool(cited) and plain(piece.text).endswith(_ASKING),
                )
            )
    return found


def words_at_marks(answer: str, numbers: Collection[int]) -> list[tuple[int, str, str]]:
    """The number of each mark of an answer, in order, with the words that it stands for.

    These are its sentence, and the part of it that stands between the mark and the one before.

    >>> words_at_marks("It is so. [1] It is not [2].", {1, 2})
    [(1, 'It is so.', 'It is so.'), (2, 'It is not .', 'It is not')]
    """
    marks = list(find_marks(answer, numbers))
    pieces = _pieces(answer, marks)
    owners = [_owner(mark.start(), mark.end(), pieces, answer) for mark in marks]
    found, end = [], 0
    for mark, owner in zip(marks, owners, strict=True):
        words = near = ""
        if owner is not None:
            words = plain(pieces[owner].text)
            near = plain(answer[max(pieces[owner].start, end) : mark.start()])
        found.append((int(mark.group(1)), words, near))
        end = mark.end()
    return found


def _unlabelled(markdown: str) -> str:
    words = plain(markdown)
    label = _LABEL.match(words)
    return words[label.end() :] if label else words


def plain(markdown: str) -> str:
    """The words of one sentence of Markdown: escapes undone, emphasis and back-ticks gone.

    Of a link its text is left, of an image nothing: their addresses are no words.

    >>> plain("It *is* [so](https://a.example/?q=1). ![x](https://a.example/2)")
    'It is so.'
    """
    words = _LINK.sub(lambda found: found["text"] or "", markdown)
    return collapse(_EMPHASIS.sub("", unescape(words)))


def _pieces(answer: str, marks: Sequence[re.Match[str]]) -> list[Sentence]:
    """The sentences of an answer without its marks."""
    for mark in marks:
        before, width = answer[: mark.start()], len(mark.group())
        is_subject = _SENTENCE_END.search(before) and _VERB.match(answer, mark.end())
        answer = before + ("It" if is_subject else "").ljust(width) + answer[mark.end() :]
    return split_sentences(answer)


def _is_title(answer: str, piece: Sentence) -> bool:
    """Whether a piece is a heading, or the header of a table: a line of dashes stands below it."""
    if answer[: piece.start].rpartition("\n")[2].lstrip(" ").startswith("#"):
        return True
    below = answer[piece.end :].lstrip(" \t|").removeprefix("\n").partition("\n")[0]
    return "|" in answer[piece.start : piece.end] and bool(_DASHES.fullmatch(below))


def _owner(start: int, end: int, pieces: list[Sentence], answer: str) -> int | None:
    """The index of the piece that a mark belongs to."""
    before = after = None
    for at, piece in enumerate(pieces):
        if piece.start <= start and end <= piece.end:
            return at
        if piece.end <= start:
            before = at
        elif after is None and piece.start >= end:
            after = at
    if before is not None and _same_place(answer[pieces[before].end : start], pieces[before]):
        return before
    if after is not None and "\n" not in answer[end : pieces[after].start]:
        return after
    return before


def _same_place(between: str, piece: Sentence) -> bool:
    """The mark of a code block stands in the line below it."""
    return between.count("\n") <= (2 if piece.kind is SentenceKind.CODE else 0)


def _states(piece: Sentence, cited: bool, short: bool) -> bool:
    """Whether a piece says something that a source could say."""
    if piece.kind is SentenceKind.CODE or (piece.kind is SentenceKind.HEADING and not cited):
        return False
    words = plain(piece.text)
    if (
        words.endswith((":", "："))
        or _ORDINAL.fullmatch(words)
        or (words.endswith(_ASKING) and not cited)
    ):
        return False
    content = [term for term in terms(words) if term.kind != "stop"]
    if short and any(term.kind != "word" for term in content):
        return True
    return len(content) >= (_FEWEST_CITED if cited else _FEWEST)
