"""The one gate for ids: nothing but a UUIDv4 ever reaches a path or a collection's name."""

from __future__ import annotations

import hashlib
import re
import uuid

from core.errors import InvalidId

_UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_INDEX = re.compile(r"[0-9a-f-]{36}-[1-9][0-9]{0,2}")
_UUID_LENGTH = 36
_SHA256 = re.compile(r"[0-9a-f]{64}")


def new_id() -> str:
    """A new random UUIDv4, in lower case with hyphens."""
    return str(uuid.uuid4())


def checked_uuid(value: str) -> str:
    """Return `value` if it is a lower-case UUIDv4; raises `InvalidId` for anything else."""
    if not isinstance(value, str) or not _UUID4.fullmatch(value):
        raise InvalidId("This is not the id of a session.", "Use an id that the program gave you.")
    return value


def checked_index(name: str) -> str:
    """Return `name` if it names an index of a session; raises `InvalidId` for anything else.

    It is the session's id; of a further cut (`core.types.Cut`), with a hyphen and its number.
    """
    return name if isinstance(name, str) and is_index(name) else checked_uuid(name)


def is_index(name: str) -> bool:
    """Whether `name` has the form of the name of an index."""
    return is_uuid(name) or (_INDEX.fullmatch(name) is not None and is_uuid(name[:_UUID_LENGTH]))


def session_of_index(name: str) -> str:
    """Return the id of the session that an index is of."""
    return name[:_UUID_LENGTH]


def cut_of_index(name: str) -> int:
    """Return the number of the cut of its session that an index is of."""
    return int(name[_UUID_LENGTH + 1 :] or 0)


def is_uuid(value: str) -> bool:
    """Whether `value` has the form of our ids."""
    return _UUID4.fullmatch(value) is not None


def checked_digest(value: str) -> str:
    """Return `value` if it is a SHA-256 in hexadecimal; raises `InvalidId` for anything else."""
    if not isinstance(value, str) or not _SHA256.fullmatch(value):
        raise InvalidId("This is not the id of a document.", "Use an id that the program gave you.")
    return value


def digest(*parts: str | bytes) -> str:
    """SHA-256 (hex) of the parts, each preceded by its length so that none runs into the next."""
    whole = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        whole.update(len(data).to_bytes(8, "little"))
        whole.update(data)
    return whole.hexdigest()
