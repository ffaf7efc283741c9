"""What the tests of stores of files store."""

from __future__ import annotations

from core.ids import new_id
from core.storage.files.port import FileStore

SESSION, OTHER, ID = new_id(), new_id(), "a" * 64
KEY = f"{SESSION}/originals/{ID}"
TREE = f"{SESSION}/collected/site-1"


def put(store: FileStore, key: str, data: bytes) -> None:
    file = store.staging(key.partition("/")[0]) / ".incoming-x"
    file.write_bytes(data)
    store.put(key, file)
    assert not file.exists()
