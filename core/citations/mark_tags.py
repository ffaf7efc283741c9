"""Reading a citation mark that is a tag: `<source id="2">`, `<cite>1, 2</cite>` (pure)."""

from __future__ import annotations

from core.citations.mark_reader import Mark, MarkReader

_TAGS = ("source", "sources", "cite", "citation", "citations")
_WRAPPING_TAGS = ("source", "cite", "citation", "ref", "sup")


def read_tag(text: str, at: int, *, final: bool = False) -> Mark | None:
    """The mark that begins at `text[at] == "<"`, or None if what stands there is text.

    A tag without a number (`</source>`) is a mark without numbers: it is left out.
    Raises `NeedMore` while the text may still turn out either way and is not `final`.
    """
    reader = MarkReader(text, at, final)
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


def _wrapped(reader: MarkReader, name: str) -> Mark | None:
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
