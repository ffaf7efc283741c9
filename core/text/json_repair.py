"""Reading the JSON object in what a model wrote, also where it is not quite JSON (pure).

Small models put their object into a code block, say something before or after it, use single
quotes, Python's words, comments or commas too many, or stop before its end. Nothing here guesses
at meanings: a value that is not there stays away.
"""

from __future__ import annotations

import json
import re
from typing import Any

LONGEST = 20_000  # characters: no plan is longer, and a model may write without end
_DEEPEST = 40
_SPEECH = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
_WORDS = {"True": "true", "False": "false", "None": "null", "undefined": "null", "NaN": "null"}
_BARE = re.compile(r"[A-Za-z_$][\w$-]*")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_COMMENT = re.compile(r"//[^\n]*|#[^\n]*|/\*.*?(?:\*/|$)", re.S)
_ENDS = re.compile(r"\s*(?:[,}\]:]|$)")


def read_object(text: str) -> dict[str, Any] | None:
    """The first JSON object in `text`, mended where it must be; None where there is none.

    >>> read_object("Sure!\\n```json\\n{'queries': ['a', 'b',], enough: True")
    {'queries': ['a', 'b'], 'enough': True}
    """
    text = text[:LONGEST]
    start = text.find("{")
    while start >= 0:
        try:
            value, _ = json.JSONDecoder().raw_decode(text, start)
        except (ValueError, RecursionError):
            value = _mended(text[start:])
        if isinstance(value, dict) and value:
            return value
        start = text.find("{", start + 1)
    return None


def _mended(text: str) -> Any:
    for candidate in (text, text.translate(_SPEECH)):
        try:
            return json.loads(_Mender(candidate).object())
        except (ValueError, RecursionError):
            continue
    return None


class _Mender:
    """Writes the object at the beginning of a text anew, as proper JSON."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def object(self) -> str:
        """The text of the object; whatever is open at the end is closed."""
        return self._value()

    def _value(self) -> str:
        self._skip()
        char = self._char()
        if char in "{[":
            self.depth += 1
            if self.depth > _DEEPEST:
                raise ValueError("too deep")
            made = self._members() if char == "{" else self._items()
            self.depth -= 1
            return made
        if char in "\"'`":
            return json.dumps(self._string(char), ensure_ascii=False)
        return self._plain()

    def _members(self) -> str:
        self.at += 1
        members: list[str] = []
        while self._more("}"):
            char = self._char()
            key = self._string(char) if char in "\"'`" else self._name()
            self._skip()
            if self._char() not in (":", "="):
                break  # a name without a value is the end of what came
            self.at += 1
            self._skip()
            if not self._char():
                break
            members.append(f"{json.dumps(key)}: {self._value()}")
        return "{" + ", ".join(members) + "}"

    def _items(self) -> str:
        self.at += 1
        items: list[str] = []
        while self._more("]"):
            before = self.at
            items.append(self._value())
            if self.at == before:
                raise ValueError("no value")
        return "[" + ", ".join(items) + "]"

    def _more(self, closing: str) -> bool:
        """Whether another member comes; steps over commas, and over the closing bracket."""
        self._skip()
        while self._char() == ",":
            self.at += 1
            self._skip()
        char = self._char()
        if char == closing:
            self.at += 1
        return bool(char) and char not in "}]"

    def _string(self, quote: str) -> str:
        """A string; its end is a quote with a comma, colon, bracket or nothing after it."""
        self.at += 1
        made: list[str] = []
        while self.at < len(self.text):
            char = self.text[self.at]
            if char == "\\" and self.at + 1 < len(self.text):
                made.append(self._escape())
                continue
            self.at += 1
            if char == quote and _ENDS.match(self.text, self.at):
                break
            made.append(char)
        return "".join(made)

    def _escape(self) -> str:
        char = self.text[self.at + 1]
        digits = self.text[self.at + 2 : self.at + 6]
        if char == "u" and re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            self.at += 6
            return chr(int(digits, 16)).encode("utf-16", "replace").decode("utf-16")
        self.at += 2
        return {"n": "\n", "t": "\t", "r": "\r", "b": "", "f": ""}.get(char, char)

    def _name(self) -> str:
        found = _BARE.match(self.text, self.at)
        if not found:
            raise ValueError("no name")
        self.at = found.end()
        return found.group()

    def _plain(self) -> str:
        number = _NUMBER.match(self.text, self.at)
        if number:
            self.at = number.end()
            return json.dumps(json.loads(re.sub(r"^(-?)0+(?=\d)", r"\1", number.group())))
        word = self._name()
        plain = _WORDS.get(word, word.lower())
        return plain if plain in ("true", "false", "null") else json.dumps(word)

    def _skip(self) -> None:
        while self.at < len(self.text):
            if self.text[self.at].isspace():
                self.at += 1
            elif comment := _COMMENT.match(self.text, self.at):
                self.at = comment.end()
            else:
                break

    def _char(self) -> str:
        return self.text[self.at : self.at + 1]
