"""What the tests of models share."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def default_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without sentence-transformers, as requirements.txt installs the program."""
    for module in ("embedding", "classifier", "hub"):
        monkeypatch.setattr(f"core.models.{module}.torch_is_installed", lambda: False)
