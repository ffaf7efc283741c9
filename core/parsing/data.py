"""JSON, YAML and INI: an object becomes lines that are readable, "name: value", below a heading.

Objects of one list become the rows of a table, as a CSV file is read, where they are short.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from core.parsing.builder import TextBuilder, split_parts
from core.parsing.encodings import decode
from core.parsing.notices import hidden_notice, notices
from core.parsing.source import Source
from core.parsing.text import load_text
from core.text.invisible import clean
from core.types import ChunkKind, DocumentKind, LoadedDocument

_LONGEST_ROW = 500  # characters; longer objects are sections of their own
_NAMES = ("name", "title", "label", "id", "key")
"""What an object is called by, the first that it has."""
_SETTING = re.compile(r"([\w.\-/ ]+?)\s*=\s*(.*)")
_SECTION = re.compile(r"\[([^\[\]\n]+)\]")
_ENTRY = re.compile(r"(?P<key>\"[^\"]+\"|'[^']+'|[\w./$-][\w./$ -]*?)\s*:(?:\s+(?P<value>.*))?")
_BEHIND = re.compile(r"(?:^|\s+)[#;].*$")
_NOT_PLAIN = tuple("&*!|>%@`{[")
"""What a value of YAML begins with that is more than its words."""


def load(source: Source) -> LoadedDocument:
    """Read a file of data; what is none after all is read as text. Raises `TooLarge`."""
    return load_data(source.data())


def load_data(data: bytes) -> LoadedDocument:
    """Read JSON, lines of JSON, INI or plain YAML of any encoding."""
    decoded = decode(data)
    cleaned = clean(decoded.text)
    value = read_data(cleaned.text)
    if not value:
        return load_text(data)
    builder = TextBuilder()
    _write(builder, value, 1)
    return LoadedDocument(
        DocumentKind.DATA,
        split_parts(builder.draft()),
        notices=notices(decoded.note, hidden_notice(cleaned.dropped)),
    )


def read_data(text: str) -> Any:
    """Return the objects, lists and words of a text of data, None where it is none.

    >>> read_data("[till]\\nwidth = 42")
    {'till': {'width': '42'}}
    """
    readers: tuple[Callable[[str], Any], ...] = (_json, _json_lines, _ini, _yaml)
    for read in readers:
        try:
            value = read(text)
        except ValueError:
            continue
        if isinstance(value, dict | list):
            return value
    return None


def is_json(text: str) -> bool:
    """Return whether a text is an object or a list of JSON, or one on each line."""
    for read in (_json, _json_lines):
        try:
            return isinstance(read(text.lstrip("\ufeff")), dict | list)
        except (ValueError, RecursionError):
            continue
    return False


def _json(text: str) -> Any:
    return json.loads(text, parse_float=str, parse_int=str, parse_constant=str)


def _json_lines(text: str) -> Any:
    lines = [_json(line) for line in text.splitlines() if line.strip()]
    if not all(isinstance(line, dict) for line in lines):
        raise ValueError("No lines of objects.")
    return lines


def _ini(text: str) -> Any:
    found: dict[str, Any] = {}
    section: dict[str, Any] | None = None
    for line in _lines_of(text):
        if named := _SECTION.fullmatch(line.strip()):
            section = found.setdefault(named[1].strip(), {})
        elif (setting := _SETTING.fullmatch(line.strip())) and section is not None:
            section[setting[1]] = setting[2].strip("\"'")
        else:
            raise ValueError("No section with settings.")
    return found


def _yaml(text: str) -> Any:
    """The part of YAML that settings are written in: names, values and lists by indentation."""
    lines = [line for line in _lines_of(text) if line.strip() not in ("---", "...")]
    value, rest = _block(lines, 0)
    if rest < len(lines) or not isinstance(value, dict | list):
        raise ValueError("No YAML.")
    return value


def _lines_of(text: str) -> Iterator[str]:
    """The lines without remarks and empty ones."""
    for line in text.splitlines():
        quoted = line.count('"') > 1 or line.count("'") > 1
        bare = (
            line if quoted and not line.lstrip().startswith(("#", ";")) else _BEHIND.sub("", line)
        )
        if bare.strip():
            yield bare.rstrip()


def _block(lines: Sequence[str], at: int) -> tuple[Any, int]:
    """The value of the lines from `at` on that are indented alike, and where it ends."""
    depth = _depth(lines[at]) if at < len(lines) else 0
    items: list[Any] = []
    named: dict[str, Any] = {}
    while at < len(lines) and _depth(lines[at]) == depth:
        line = lines[at].strip()
        is_item = line.startswith("- ")
        if (items and not is_item) or (named and is_item):
            break  # the items of a name may be indented as it is
        if is_item:
            inner = line[1:].lstrip()
            if not _ENTRY.fullmatch(inner):
                items.append(_plain(inner))
                at += 1
                continue
            stop = next(
                (n for n in range(at + 1, len(lines)) if _depth(lines[n]) <= depth), len(lines)
            )
            first = " " * (len(lines[at]) - len(inner)) + inner
            value, _ = _block([first, *lines[at + 1 : stop]], 0)
            items.append(value)
            at = stop
            continue
        entry = _ENTRY.fullmatch(line)
        if entry is None:
            raise ValueError("No name with a value.")
        key = entry["key"].strip("\"'")
        below = at + 1 < len(lines) and (
            _depth(lines[at + 1]) > depth
            or (_depth(lines[at + 1]) == depth and lines[at + 1].strip().startswith("- "))
        )
        if entry["value"]:
            named[key], at = _plain(entry["value"]), at + 1
        elif below:
            named[key], at = _block(lines, at + 1)
        else:
            at += 1
    return (items or named), at


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _plain(value: str) -> Any:
    value = value.strip()
    if value.startswith("[") and value.endswith("]"):
        return [part.strip().strip("\"'") for part in value[1:-1].split(",")]
    if value.startswith(_NOT_PLAIN):
        raise ValueError("More than plain words.")
    return value[1:-1] if value[:1] in "\"'" and value[-1:] == value[:1] else value


# -------------------------------------------------------------------------------- written


def _write(builder: TextBuilder, value: Any, level: int) -> None:
    """Write an object or a list: what is plain first, then what is below a heading."""
    if isinstance(value, list):
        _write_list(builder, value, level)
        return
    plain = {name: said for name, one in value.items() if (said := _said(one))}
    if plain:
        builder.paragraph("\n".join(f"{name}: {said}" for name, said in plain.items()))
    for name, one in value.items():
        if name not in plain and one:
            builder.heading(level, name)
            _write(builder, one, level + 1)


def _write_list(builder: TextBuilder, items: Sequence[Any], level: int) -> None:
    objects = [item for item in items if isinstance(item, dict) and item]
    rows = [_flat(item) for item in objects]
    lines = [" | ".join(f"{name}: {said}" for name, said in row.items()) for row in rows]
    if len(rows) > 1 and len(rows) == len(items) and max(map(len, lines)) <= _LONGEST_ROW:
        columns = dict.fromkeys(name for row in rows for name in row)
        builder.block("\n".join((" | ".join(columns), *lines)), ChunkKind.TABLE)
        return
    for item in items:
        if isinstance(item, dict):
            if title := _called(item):
                builder.heading(level, title)
            _write(builder, item, level + 1)
        elif isinstance(item, list):
            _write_list(builder, item, level)
        elif said := _said(item):
            builder.paragraph(f"- {said}", "\n")


def _called(item: dict[str, Any]) -> str:
    """What an object is called, "" where it has no name."""
    lower = {name.casefold(): one for name, one in item.items() if isinstance(one, str)}
    return next((lower[name] for name in _NAMES if lower.get(name)), "")


def _flat(item: dict[str, Any], above: str = "") -> dict[str, str]:
    """The plain values of an object by their names, those of objects within behind the name of it.

    >>> _flat({"name": "Till", "place": {"floor": "2"}, "keys": [{"to": "A"}, {"to": "B"}]})
    {'name': 'Till', 'place floor': '2', 'keys to': 'A, B'}
    """
    found: dict[str, str] = {}
    for name, one in item.items():
        path = f"{above}{name}"
        if said := _said(one):
            found[path] = said
            continue
        for inner in one if isinstance(one, list) else [one]:
            flat = _flat(inner, f"{path} ") if isinstance(inner, dict) else {}
            for column, said in flat.items():
                found[column] = f"{found[column]}, {said}" if column in found else said
    return found


def _said(value: Any) -> str:
    """A plain value or a list of such as it is written on a line, "" for what is none."""
    if isinstance(value, list) and not any(isinstance(one, dict | list) for one in value):
        return ", ".join(filter(None, map(_said, value)))
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None or isinstance(value, dict | list):
        return ""
    return " ".join(str(value).split()).replace(" | ", " / ")
