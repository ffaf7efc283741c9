"""A process of its own that opens a library and looks for the three facts in both ways.

`python -m tests.maintenance.reader DATA_DIR CHROMA_DIR MODELS_DIR` ends with 0 when all is
found and a check is clean. Damaged files may end it by a signal.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from core.config import Settings
from core.service import Service
from tests.conftest import ROOT
from tests.support.small_library import all_found, the_session, troubles


def read(settings: Settings, seconds: float = 120) -> subprocess.CompletedProcess[str]:
    """What came of it."""
    places = [settings.data_dir, settings.chroma_dir, settings.models_dir]
    command = [sys.executable, "-m", "tests.maintenance.reader", *map(str, places)]
    return subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, timeout=seconds, check=False
    )


def main(data: str, chroma: str, models: str) -> int:
    """Open, look, close; 0 when all is well."""
    service = Service(
        Settings(
            data_dir=Path(data),
            chroma_dir=Path(chroma),
            models_dir=Path(models),
            min_free_mb=1,
            reranker_model="",
        )
    )
    try:
        if not service.wait_ready(100):
            print("not ready")
            return 3
        print(*service.upkeep.state().lines, sep="\n")
        found = all_found(service, the_session(service))
        wrong = troubles(service)
        print(found, wrong)
        return 0 if found and not wrong else 1
    finally:
        service.close()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
