"""Passwords of files that wait to be read: in memory only, each for one reading."""

from __future__ import annotations

import threading

from pydantic import SecretStr

from core.types import Document


class Passwords:
    """What people entered for locked files. Thread-safe; nothing of it is stored or logged."""

    def __init__(self) -> None:
        self._of: dict[tuple[str, str], SecretStr] = {}
        self._lock = threading.Lock()

    def put(self, document: Document, password: SecretStr) -> None:
        """Keep the password until the document is read."""
        with self._lock:
            self._of[document.session_id, document.id] = password

    def take(self, document: Document) -> SecretStr:
        """Return the password and forget it; an empty one where none was entered."""
        with self._lock:
            return self._of.pop((document.session_id, document.id), SecretStr(""))
