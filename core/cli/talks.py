"""`eval_custom.py talks`: whole conversations asked as people ask, and what satisfies in them."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from core.citations.mark import plain_words
from core.cli.library import library, read_all
from core.cli.shell import failed, progress
from core.config import load_settings
from core.errors import AppError, InvalidRequest
from core.evaluation.golden.talks import Turn, conversations, read_talks
from core.evaluation.measures import talks as measured
from core.evaluation.measures.talks import Reply
from core.types import Answer, AskRequest, Session

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
    for reply in sorted(replies, key=_merit)[: arguments.show]:
        _print(reply)
    if arguments.json:
        rows = {"measures": values, "turns": [_row(reply) for reply in replies]}
        arguments.json.write_text(json.dumps(rows, ensure_ascii=False, indent=1), "utf-8")
    return 0


def _ask_all(talks: list[list[Turn]], documents: Path, kept: Path) -> Iterator[Reply]:
    asked, total = 0, sum(map(len, talks))
    with library(load_settings(), kept) as (service, first):
        sessions = _sessions(service, first, talks, documents)
        for talk in talks:
            session = sessions[talk[0].library]
            conversation = service.conversations.create(session, talk[0].question)
            for turn in talk:
                yield _reply(service, session, conversation.id, turn)
                asked += 1
                progress(f"asked {asked} of {total}", last=asked == total)
            service.conversations.delete(session, conversation.id)


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


def _reply(service: Service, session: Session, conversation: str, turn: Turn) -> Reply:
    events = service.ask(AskRequest(session, turn.question, conversation))
    answer = next(event for event in events if isinstance(event, Answer))
    first = answer.claims[0] if answer.claims else None
    opening = answer.text[first.start : first.end] if first else answer.text.partition("\n")[0]
    plan = answer.search.plan if answer.search else None
    return Reply(
        turn,
        plain_words(answer.text),
        plain_words(opening),
        " ".join(plain_words(answer.text[start:end]) for start, end in answer.highlights),
        answer.abstention is not None,
        answer.route,
        plan is not None and plan.goal != " ".join(plan.question.split()),
    )


def _merit(reply: Reply) -> float:
    turn = reply.turn
    if turn.answerable and turn.ideal:
        return measured.f1(reply) + measured.first_is_right(reply)
    wanted = reply.route == "smalltalk" if turn.kind == "smalltalk" else reply.refused
    return 2.0 * wanted


def _print(reply: Reply) -> None:
    turn = reply.turn
    print(f"\n{turn.conversation}.{turn.turn} [{turn.kind}] {turn.question}")
    print(f"  wanted: {' / '.join(turn.ideal) or '(a refusal)'}")
    print(f"  answer: {'(refused) ' if reply.refused else ''}{reply.text}")


def _row(reply: Reply) -> dict[str, object]:
    turn = reply.turn
    return {
        "conversation": turn.conversation,
        "turn": turn.turn,
        "kind": turn.kind,
        "question": turn.question,
        "ideal": turn.ideal,
        "answer_span": turn.answer_span,
        "text": reply.text,
        "first": reply.first,
        "marked": reply.marked,
        "refused": reply.refused,
        "route": reply.route,
        "leaned": reply.leaned,
        "follows": turn.follows,
        "f1": measured.f1(reply) if turn.ideal else None,
    }
