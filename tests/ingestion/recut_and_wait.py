"""A process to be killed in the middle of indexing a session again.

`python -m tests.ingestion.recut_and_wait DATA_DIR CHROMA_DIR MODELS_DIR` fills a library, chooses a
preset, and waits to be killed when four documents are indexed for it.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

from core.config import Settings
from tests.conftest import settled
from tests.support.small_library import HashEmbedder, fill, opened


def main(data: str, chroma: str, models: str) -> None:
    """Fill, choose, and stop for good before the fifth document."""
    model = HashEmbedder("one")
    calls: list[str] = []

    def wait() -> None:
        if threading.current_thread().name == "recutting":
            calls.append("embed")
            if len(calls) > 4:
                print("in the middle", flush=True)
                time.sleep(600)

    settings = Settings(
        data_dir=Path(data),
        chroma_dir=Path(chroma),
        models_dir=Path(models),
        database_url=os.environ.get("DATABASE_URL", ""),
        min_free_mb=1,
        reranker_model="",
    )
    with opened(settings, model) as service:
        session = fill(service)
        for number in range(3):
            text = f"Of {number} a sentence of some words stands here, and it says little. " * 60
            service.documents.add_file(session, f"long-{number}.txt", text.encode())
        settled(service, session)
        model.before = wait
        service.sessions.choose_preset(session, "documents")
        time.sleep(600)


if __name__ == "__main__":
    main(*sys.argv[1:])
