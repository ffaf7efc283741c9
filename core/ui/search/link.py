"""The address of a search: everything that decides what is found (pure)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from pydantic import TypeAdapter, ValidationError

from core.types import Level, SearchOptions

LONGEST_QUERY = 2_000
MOST_QUERIES = 5
_QUERY, _LEVEL, _OWN = "query", "level", "queries"
_LIMITS: dict[str, tuple[float, float]] = {
    "top_k": (1, 50),
    "fetch_k": (1, 500),
    "candidates": (1, 1000),
    "mmr_lambda": (0, 1),
    "dense_weight": (0, 1),
    "min_similarity": (-1, 1),
    "rerank_weight": (0, 1),
    "votes": (0, 1),
    "support": (0, 100),
    "names": (0, 100),
}
NAMES = frozenset({_QUERY, _LEVEL, _OWN, *SearchOptions.__dataclass_fields__})
"""The parameters of an address that belong to a search."""

Parameters = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Link:
    """What is searched for, and how; `queries` are the person's own, in place of those made."""

    question: str
    options: SearchOptions
    level: Level
    queries: tuple[str, ...] = ()

    def parameters(self) -> dict[str, list[str]]:
        """The parameters of its address: settings are named where they are not the program's.

        >>> Link("a lamp", SearchOptions(top_k=3), Level.AUTO).parameters()
        {'query': ['a lamp'], 'level': ['auto'], 'top_k': ['3']}
        """
        usual = asdict(SearchOptions())
        other = {k: v for k, v in asdict(self.options).items() if v != usual[k]}
        own = {_OWN: list(self.queries)} if self.queries else {}
        settings = {name: [_written(value)] for name, value in other.items()}
        return {_QUERY: [self.question], _LEVEL: [str(self.level)], **own, **settings}


def read_link(parameters: Parameters, own: SearchOptions, level: Level) -> tuple[Link, list[str]]:
    """Return what an address asks for, and the names of the settings that cannot be read.

    An address with a level is whole: what it does not name is the program's. One without, as
    people write them, is searched with `own` settings and `level`. A setting that cannot be read
    is that of the program or the person, too.
    """
    unread: list[str] = []
    options = SearchOptions() if _LEVEL in parameters else own
    if text := _last(parameters, _LEVEL):
        try:
            level = Level(text)
        except ValueError:
            unread.append(_LEVEL)
    for name in SearchOptions.__dataclass_fields__:
        if name in parameters:
            try:
                options = replace(options, **{name: _value(name, _last(parameters, name))})
            except ValueError:
                unread.append(name)
    queries = [query.strip()[:LONGEST_QUERY] for query in parameters.get(_OWN, ())]
    kept = tuple([query for query in queries if query][:MOST_QUERIES])
    return Link(_last(parameters, _QUERY)[:LONGEST_QUERY], options, level, kept), unread


def is_cut(parameters: Parameters) -> bool:
    """Return whether the query of an address is longer than one may be."""
    return len(_last(parameters, _QUERY)) > LONGEST_QUERY


def _last(parameters: Parameters, name: str) -> str:
    values = parameters.get(name) or ("",)
    return values[-1]


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _value(name: str, text: str) -> Any:
    """The value of a setting. Raises `ValueError` where it is none or out of its limits."""
    try:
        value = getattr(TypeAdapter(SearchOptions).validate_python({name: text}), name)
    except ValidationError as error:
        raise ValueError(text) from error
    least, most = _LIMITS.get(name, (0, 0))
    is_number = name in _LIMITS and not isinstance(value, str)  # "by-model" is none
    if is_number and not least <= value <= most:  # nan is within nothing
        raise ValueError(text)
    return value
