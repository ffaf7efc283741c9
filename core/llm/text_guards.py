"""Guards over a model's text as it streams (pure): thoughts and control tokens removed, loops and
floods ended."""

from __future__ import annotations

import re

_OPEN = re.compile(r"<(think|thinking|reasoning|thought)>", re.I)
_OPENERS = ("<think>", "<thinking>", "<reasoning>", "<thought>")
_CLOSERS = ("</think>", "</thinking>", "</reasoning>", "</thought>")
_CLOSER = "</(?:think|thinking|reasoning|thought)>"
_ALONE = re.compile(rf"(?:^|(?<=\n))[ \t]*{_CLOSER}|{_CLOSER}(?=[ \t]*\n)", re.I)
"""A closing tag at the beginning or the end of a line; one within a line is spoken about."""
_THOUGHT_END = re.compile(_CLOSER, re.I)
_ALONE_AT_END = re.compile(rf"{_CLOSER}\s*\Z", re.I)
_PENDING = re.compile(rf"(?:{_CLOSER}[ \t]*|</?[a-z]{{0,9}})\Z", re.I)
"""What may become such a tag with what comes."""
_FENCE_LINE = re.compile(r"^[ \t]{0,3}(`{3,}|~{3,})([^\n]*)$", re.M)
_MARGIN = 80  # characters of white space before such a tag that were given already


class ThoughtFilter:
    """Removes blocks like `<think>...</think>` that stand before the answer.

    Only there: an answer that speaks about the tag keeps it. An unclosed block is all thought.
    Where a model's template opens the block, only its end is in the text: what was given before a
    `</think>` at the edge of a line, outside of code, was thought; `withdrawn` is True from then.

    >>> thoughts = ThoughtFilter()
    >>> [thoughts.feed(piece) for piece in ("<thi", "nk>Hm", "m</think>", " Yes.")]
    ['', '', '', ' Yes.']
    """

    def __init__(self) -> None:
        self.thought = False
        self.withdrawn = False
        self._held = ""
        self._given = ""
        self._closing: re.Pattern[str] | None = None
        self._answering = False

    def feed(self, piece: str) -> str:
        """Take the next piece; return the text that is certain to be the answer."""
        self._held += piece
        if self._answering:
            return self._watched()
        while True:
            if self._closing is not None:
                closed = self._closing.search(self._held)
                if closed is None:
                    self._held = self._held[-16:]  # the closing tag may be cut in two
                    return ""
                self._held, self._closing = self._held[closed.end() :], None
            start = self._held.lstrip()
            opened = _OPEN.match(start)
            if opened is None:
                break
            self.thought = True
            self._closing = re.compile(rf"</{opened[1]}>", re.I)
            self._held = start[opened.end() :]
        if any(tag.startswith(start.lower()) for tag in (*_OPENERS, *_CLOSERS)):
            return ""  # empty so far, or the beginning of a tag
        self._answering = True
        return self._watched()

    def finish(self) -> str:
        """Return the text that was held back, unless it is a thought."""
        if self._closing is None and not self.thought:
            text = self._given + self._held
            closed = _ALONE_AT_END.search(text)
            if closed and not _in_code(text[: closed.start()]):
                self._withdraw("")
        held = "" if self._closing is not None else self._held
        self._held = ""
        return held

    def _watched(self) -> str:
        """What may be given of the answer: all but what may become a lone closing tag."""
        if self.thought:  # a thought had both its tags: a further one is text
            given, self._held = self._held, ""
            return given
        text = self._given + self._held
        for closed in _ALONE.finditer(text, max(0, len(self._given) - _MARGIN)):
            if not _in_code(text[: closed.start()]):
                return self._withdraw(text[closed.end() :])
        pending = _PENDING.search(text, len(self._given))
        end = pending.start() if pending else len(text)
        given, self._held = text[len(self._given) : end], text[end:]
        self._given += given
        return given

    def _withdraw(self, rest: str) -> str:
        """All before was thought; `rest` is the beginning of the answer."""
        self.thought = True
        self.withdrawn = bool(self._given.strip())
        self._held = ""
        return rest


def _in_code(text: str) -> bool:
    """Whether a text ends within a fenced block of code."""
    fence = ""
    for found in _FENCE_LINE.finditer(text):
        marks, rest = found.groups()
        if not fence:
            fence = marks
        elif marks.startswith(fence) and not rest.strip():
            fence = ""
    return bool(fence)


class LoopGuard:
    """Detects a text that repeats itself or exceeds `limit` characters.

    >>> guard = LoopGuard(limit=100_000)
    >>> guard.repeats("the same line\\n" * 100)
    True
    """

    _WINDOW = 1_600
    _LEAST = 640  # this much of the end must be one period over and over
    _TIMES = 6
    _EVERY = 160

    def __init__(self, limit: int) -> None:
        self._left = limit
        self._tail = ""
        self._unseen = 0

    def allowed(self, piece: str) -> str:
        """The part of a piece that is within the limit."""
        piece = piece[: self._left]
        self._left -= len(piece)
        return piece

    @property
    def full(self) -> bool:
        """Whether the limit is reached."""
        return self._left <= 0

    def repeats(self, piece: str) -> bool:
        """Whether the text ends in at least six repetitions of one stretch."""
        self._tail = (self._tail + piece)[-self._WINDOW :]
        self._unseen += len(piece)
        if self._unseen < self._EVERY:
            return False
        self._unseen = 0
        return _longest_periodic_end(self._tail, self._TIMES) >= self._LEAST


def _longest_periodic_end(text: str, times: int) -> int:
    """The length of the longest end of `text` that is at least `times` of one period.

    By the prefix function of the reversed text (Knuth, Morris and Pratt): the first n characters
    have the smallest period n - pi[n - 1].
    """
    reversed_text = text[::-1]
    pi = [0] * len(reversed_text)
    longest = 0
    for i in range(1, len(reversed_text)):
        k = pi[i - 1]
        while k and reversed_text[i] != reversed_text[k]:
            k = pi[k - 1]
        pi[i] = k + (reversed_text[i] == reversed_text[k])
        period = i + 1 - pi[i]
        if period * times <= i + 1:
            longest = i + 1
    return longest


_CONTROL = (
    r"(?:<\|[\w./-]{1,32}\|>|<｜[^｜<>\n]{1,40}｜>|</?s>|<(?:bos|eos|pad)>"
    r"|<(?:start|end)_of_turn>|\[/?INST\])"
)
_TAG = r"</?(?:answer|final_answer|final|response|reply)>"
_OPENS_TURN = r"(?:<\|(?:im_start|start_header_id|start)\|>|<start_of_turn>)"
_RUN = re.compile(
    rf"(?:(?:{_OPENS_TURN}(?:assistant|model|user|system|tool)?|{_CONTROL}|{_TAG})\s*)+", re.I
)
_EACH = re.compile(rf"{_CONTROL}|{_TAG}", re.I)
_ENDS_TURN = re.compile(
    r"<\|(?:im_end|end|eot|eot_id|eom_id|endoftext|end_of_text|end_of_turn|return)\|>"
    r"|<｜end[^｜<>\n]{1,36}｜>|</s>|<eos>|<end_of_turn>",
    re.I,
)
_MAY_BEGIN = re.compile(r"<[|｜/a-z]|\[/?I", re.I)
_BEGUN = re.compile(r"[ \t]*(?:<(?:[|｜][^<>\n]{0,42}|/?[a-z_]{0,14})|\[/?I?N?S?T?)\Z", re.I)
_ROLE_BEGUN = re.compile(rf"{_OPENS_TURN}[a-z]{{0,9}}\Z", re.I)


class ControlFilter:
    """Removes a chat template's control tokens and the tags that a model puts around its reply.

    They go from the edges of a line, and where several stand together. What follows the end of the
    model's turn is another turn that it made up, and goes too. One within a line is spoken about,
    and code is left as it is.

    >>> control = ControlFilter()
    >>> control.feed("<|im_start|>assistant\\nYes.<|im_end|>") + control.finish()
    'Yes.'
    """

    def __init__(self) -> None:
        self._held = ""
        self._given = ""
        self._ended = False

    def feed(self, piece: str) -> str:
        """Take the next piece; return the text that is certain to be shown."""
        self._held = "" if self._ended else self._held + piece
        return self._through(final=False)

    def finish(self) -> str:
        """Return the rest at the end of the stream."""
        return self._through(final=True)

    def _through(self, *, final: bool) -> str:
        before = len(self._given)
        while self._held and not self._ended:
            run = _RUN.match(self._held)
            rest = self._held[run.end() if run else 0 :]
            pending = _BEGUN.match(rest) or (run and (not rest or _ROLE_BEGUN.search(self._held)))
            if pending and not final:
                break
            if run:
                self._take(run)
                continue
            places = (_MAY_BEGIN.search(self._held, 1), _BEGUN.search(self._held, 1))
            self._give(min((found.start() for found in places if found), default=len(self._held)))
        return self._given[before:]

    def _give(self, count: int) -> None:
        self._given, self._held = self._given + self._held[:count], self._held[count:]

    def _take(self, run: re.Match[str]) -> None:
        """Leave a run of tokens out, or give it where it is text."""
        line = self._given.rpartition("\n")[2]
        at_edge = not line.strip() or "\n" in run.group() or run.end() == len(self._held)
        several = len(_EACH.findall(run.group())) > 1
        answer = _THOUGHT_END.split(self._given)[-1]  # a thought may leave its code open
        if _in_code(answer) or line.count("`") % 2 or not (at_edge or several):
            self._give(run.end())
            return
        self._ended = bool(self._given.strip()) and bool(_ENDS_TURN.search(run.group()))
        lines = "\n" * run.group().count("\n") * bool(self._given.strip())
        self._held = "" if self._ended else lines + self._held[run.end() :]
