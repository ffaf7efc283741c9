"""`eval_custom.py talks`: whole conversations asked as people ask, and what satisfies in them."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from core.cli.library import library, read_all
from core.cli.shell import failed, progress
from core.config import load_settings
from core.errors import AppError, InvalidRequest
from core.evaluation.golden.talks import Turn, conversations, read_talks
from core.evaluation.measures import talks as measured
from core.evaluation.measures.talks import Reply
from core.evaluation.runs.talks import as_json, ask_talk, merit
from core.types import Session

if TYPE_CHECKING:
    from core.service import Service


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `eval_custom.py talks`."""
    parser.add_argument("--golden", type=Path, required=True, help="a file of JSON lines")
    parser.add_argument("--documents", type=Path, required=True, help="the folder they name")
    parser.add_argument("--library", type=Path, help="keep the read documents in this folder")
    parser.add_argument("--half", choices=("even", "odd"), help="every other conversation alone")
    parser.add_argument("--json", type=Path, help="write measures and every reply to this file")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the N worst turns")


def run(arguments: argparse.Namespace) -> int:
    """Ask every conversation and print the measures; 0, or 2 where it is not possible."""
    try:
        talks = list(conversations(read_talks(arguments.golden)).values())
        if arguments.half:
            talks = talks[arguments.half == "odd" :: 2]
        with tempfile.TemporaryDirectory(prefix="footnote-talks-") as folder:
            kept = arguments.library or Path(folder)
            replies = list(_ask_all(talks, arguments.documents, kept))
    except AppError as error:
        return failed(error)
    values = measured.measures(replies)
    print(f"{len(talks)} conversations, {len(replies)} turns")
    for name, value in values.items():
        print(f"{name:14} {'-' if value is None else f'{value:.3f}'}")
    for reply in sorted(replies, key=merit)[: arguments.show]:
        _print(reply)
    if arguments.json:
        arguments.json.write_text(as_json(replies), "utf-8")
    return 0


def _ask_all(talks: list[list[Turn]], documents: Path, kept: Path) -> Iterator[Reply]:
    asked, total = 0, sum(map(len, talks))
    with library(load_settings(), kept) as (service, first):
        sessions = _sessions(service, first, talks, documents)
        for talk in talks:
            session = sessions[talk[0].library]
            for reply in ask_talk(service, session, talk):
                yield reply
                asked += 1
                progress(f"asked {asked} of {total}", last=asked == total)


def _sessions(
    service: Service, first: Session, talks: list[list[Turn]], documents: Path
) -> Mapping[tuple[str, ...], Session]:
    """One session for each library, made where it is not there yet."""
    there = {one.name: one for one in service.sessions.list(first.owner_id)}
    sessions = {}
    for names in dict.fromkeys(talk[0].library for talk in talks):
        name = ", ".join(names)[:60]
        session = there.get(name) or service.sessions.create(first.owner_id, name)
        missing = [path for path in (documents / file for file in names) if not path.is_file()]
        if missing:
            raise InvalidRequest(f"{missing[0].name} is not in the folder of documents.")
        if name not in there:
            read_all(service, session, {file: documents / file for file in names})
        sessions[names] = session
    return sessions


def _print(reply: Reply) -> None:
    turn = reply.turn
    print(f"\n{turn.conversation}.{turn.turn} [{turn.kind}] {turn.question}")
    print(f"  wanted: {' / '.join(turn.ideal) or '(a refusal)'}")
    print(f"  answer: {'(refused) ' if reply.refused else ''}{reply.text}")
