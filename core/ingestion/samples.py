"""The sample library that ships with the program."""

from __future__ import annotations

import json
from pathlib import Path

from core.config import Settings

_FORMATS = {".pdf", ".md", ".html"}


def sample_files(settings: Settings) -> list[Path]:
    """The documents of the sample library, in a fixed order."""
    return sorted(p for p in settings.samples_dir.iterdir() if p.suffix in _FORMATS)


def sample_questions(settings: Settings) -> list[str]:
    """Questions that the sample library answers, for the first screen."""
    path = settings.samples_dir / "questions.json"
    questions: list[str] = json.loads(path.read_text("utf-8")) if path.is_file() else []
    return questions
