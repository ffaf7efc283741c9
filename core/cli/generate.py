"""`eval_custom.py generate`: a golden set made of a folder of documents."""

from __future__ import annotations

import argparse
from pathlib import Path

from core.cli.library import filled, library
from core.cli.options import provider_and_model
from core.cli.shell import failed, progress
from core.config import load_settings
from core.errors import AppError, InvalidRequest
from core.evaluation.golden.formats import as_csv
from core.evaluation.golden.sets import as_jsonl
from core.types import ModelChoice


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `eval_custom.py generate`."""
    parser.add_argument("--documents", type=Path, help="the folder to ask about")
    parser.add_argument("--library", type=Path, help="keep the read documents in this folder")
    parser.add_argument("--out", type=Path, required=True, help="the .jsonl or .csv to write")
    parser.add_argument("--count", type=int, default=50, help="how many questions are wanted")
    parser.add_argument(
        "--model", default="", help="PROVIDER/MODEL that writes and criticises; none: by rule"
    )
    parser.add_argument("--audience", default="", help="whom the questions should be useful to")


def run(arguments: argparse.Namespace) -> int:
    """Generate and write; 0, or 2 with a message where that is not possible."""
    try:
        provider, name = provider_and_model(arguments.model)
        model = ModelChoice(provider, name) if provider else None
        with library(load_settings(), arguments.library) as (service, session):
            filled(service, session, arguments.documents)
            evaluations = service.evaluations
            title = arguments.out.stem
            making = evaluations.generate(
                session, title, arguments.count, model, arguments.audience
            )
            while not making.wait(0.5):
                now = making.progress()
                progress(f"kept {now.kept} of {now.wanted}", last=False)
            now = making.progress()
            if now.problem:
                raise InvalidRequest(now.problem)
            items = evaluations.items(session, evaluations.sets(session)[0].id)
    except AppError as error:
        return failed(error)
    text = as_csv(items) if arguments.out.suffix == ".csv" else as_jsonl(items)
    arguments.out.write_text(text, "utf-8")
    print(f"{len(items)} questions written to {arguments.out}, {len(now.dropped)} dropped.")
    return 0
