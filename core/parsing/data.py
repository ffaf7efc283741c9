"""JSON, YAML and INI: an object becomes lines that are readable, "name: value", below a heading.

Objects of one list become the rows of a table, as a CSV file is read, where they are short.
"""

from __future__ import annotations

import configparser
import json
from collections.abc import Callable, Sequence
from typing import Any

import yaml

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
_DEEPEST = 100
"""Lists and objects within each other; nobody writes more, and a reader could run out of stack."""
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every value as the words it is written in


class _Settings(configparser.ConfigParser):
    """Names stay as they are written."""

    def optionxform(self, optionstr: str) -> str:
        return optionstr


def load(source: Source) -> LoadedDocument:
    """Read a file of data; what is none after all is read as text. Raises `TooLarge`."""
    return load_data(source.data())


def load_data(data: bytes) -> LoadedDocument:
    """Read JSON, lines of JSON, INI or YAML of any encoding."""
    decoded = decode(data)
    cleaned = clean(decoded.text)
    value = read_data(cleaned.text)
    if not value:
        return load_text(data)
    builder = TextBuilder()
    try:
        _write(builder, value, 1)
    except RecursionError:  # nested as deep as no document is
        return load_text(data)
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
        except (ValueError, RecursionError):
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
    settings = _Settings(interpolation=None, strict=False, delimiters=("=",))
    try:
        settings.read_string(text)
    except configparser.Error as error:
        raise ValueError("No sections with settings.") from error
    return {
        section: {name: said.strip("\"'") for name, said in settings[section].items()}
        for section in settings.sections()
    }


def _yaml(text: str) -> Any:
    """The one document of a text, or a list of several. Raises `ValueError`."""
    depth = 0
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > _DEEPEST or isinstance(event, yaml.AliasEvent):
                raise ValueError("Too deep, or repeated by an alias.")  # a few could fill memory
        documents = list(yaml.load_all(text, Loader=_LOADER))
    except yaml.YAMLError as error:
        raise ValueError("No YAML.") from error
    return documents[0] if len(documents) == 1 else documents


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
