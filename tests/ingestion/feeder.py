"""A process to be killed: opens the service, adds the PDFs of a folder, reports, goes on working.

`python -m tests.ingestion.feeder FOLDER DATA_DIR CHROMA_DIR MODELS_DIR`
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from core.config import Settings
from core.service import Service
from core.types import AddOutcome


def main(folder: str, data: str, chroma: str, models: str) -> None:
    """Add every file (those already there change nothing), then wait to be killed."""
    service = Service(
        Settings(
            data_dir=Path(data),
            chroma_dir=Path(chroma),
            models_dir=Path(models),
            min_free_mb=1,
            reranker_model="",
        )
    )
    owner = service.owners.for_token("somebody")
    session = (service.sessions.list(owner) or [service.sessions.create(owner, "Killed")])[0]
    print("open", flush=True)
    for path in sorted(Path(folder).glob("*.pdf")):
        result = service.documents.add_file(session, path.name, path)
        assert result.outcome in (AddOutcome.ACCEPTED, AddOutcome.DUPLICATE), result
        print("added", path.name, flush=True)
    while True:
        states = sorted(str(document.state) for document in service.documents.list(session))
        print("states", *states, flush=True)
        time.sleep(0.2)


if __name__ == "__main__":
    main(*sys.argv[1:])
