"""Fields of records: `"ip_address": "10.0.0.1"`, "ip_address: 10.0.0.1", rows of such (pure)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from core.answering.extractive.spans import Span
from core.text.sentences import Sentence, SentenceKind
from core.text.terms import content_keys

_FIELD = re.compile(
    r'"(?P<name>[^"\n]{1,60})"\s*:\s*(?:"(?P<text>[^"\n]+)"|(?P<bare>true|false|null|-?\d[\w.+-]*))'
)
_LINE = re.compile(
    r"(?:\*\*)?(?P<name>[^\W\d_][\w.-]{0,40}(?: [\w.-]{1,20}){0,2})(?::|:\*\*|\*\*:) "
    r"(?P<value>\S.{0,160})"
)
"""A line with one field, as a file of settings has it, or Markdown with the name in bold."""
_CELL = re.compile(r"(?P<name>[^|:]{1,60}): (?P<value>\S[^|]*?)\s*(?:\||$)")
_NAMES = re.compile(r"(?:\w+[ _])?(?:name|title|label|product|titel|bezeichnung)s?", re.I)
"""What the field is called that says which thing a record is about."""
_MANY = 5  # fields of a record that is not quoted whole
_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])|[_.-]+")


def mark_field(question: str, text: str) -> Span | None:
    """Return the value of the one field of a line that a question names, or None.

    >>> line = '"net": {"ip_address": "10.0.0.1", "port": 9100},'
    >>> start, end = mark_field("what is the ip address?", line) or (0, 0)
    >>> line[start:end]
    '10.0.0.1'
    """
    asked = set(content_keys(question))
    named: dict[int, list[Span]] = {}
    fields = list(_FIELD.finditer(text))
    if not fields and (line := _LINE.fullmatch(text)):
        fields = [line]
    for field in fields:
        keys = _keys(field["name"])
        if keys and keys <= asked:
            group = "value" if field.re is _LINE else "text" if field["text"] else "bare"
            named.setdefault(len(keys), []).append(field.span(group))
    best = named[max(named)] if named else []
    return best[0] if len(best) == 1 else None


def fields_of_row(row: Sentence) -> list[Sentence]:
    """Return the fields of a row in which each cell names its column, [] of another."""
    text = row.text
    found = list(_CELL.finditer(text)) if row.kind is SentenceKind.ROW else []
    if len(found) < 2 or len(found) != text.count(" | ") + 1:
        return []
    spans = [(text.index(one["name"].strip(), one.start()), one.end("value")) for one in found]
    return [
        Sentence(row.start + start, row.start + end, text[start:end], SentenceKind.ROW)
        for start, end in spans
    ]


def asked_of_row(question: str, row: Sentence) -> tuple[Sentence, ...]:
    """Return what a row of many fields is about and those that are asked for; () where none is.

    >>> text = "id: 7 | name: Till | floor: 2 | ip: 10.0.0.1 | port: 80"
    >>> row = Sentence(0, len(text), text, SentenceKind.ROW)
    >>> [field.text for field in asked_of_row("which ip has the till", row)]
    ['name: Till', 'ip: 10.0.0.1']
    """
    fields = fields_of_row(row)
    asked = set(content_keys(question))
    if len(fields) < _MANY:
        return ()
    about = about_of_row(fields, asked)
    named = {one: len(_keys(_name(one)) & asked) for one in fields if one is not about}
    most = max(named.values())
    return (about, *(one for one in named if named[one] == most)) if most else ()


def about_of_row(fields: Sequence[Sentence], asked: Collection[str] = ()) -> Sentence:
    """Return the field that says which thing a record is about.

    It is the one whose value is asked about, or that is called a name, or else the first.
    """
    said = [one for one in fields if not set(asked).isdisjoint(content_keys(_value(one)))]
    called = [one for one in fields if _NAMES.fullmatch(_name(one))]
    return next((one for one in called if one in said), (said or called or list(fields))[0])


def listed_records(rows: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Return what records are called, of rows of many fields below each other; else ()."""
    fields = [fields_of_row(row) for row in rows]
    if len(rows) < 2 or min(map(len, fields)) < _MANY:
        return ()
    return tuple(map(about_of_row, fields))


def _keys(name: str) -> set[str]:
    return set(content_keys(_PARTS.sub(" ", name)))


def _name(field: Sentence) -> str:
    return field.text.partition(": ")[0]


def _value(field: Sentence) -> str:
    return field.text.partition(": ")[2]
