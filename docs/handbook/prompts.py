"""docs/prompts.md: every prompt in full, worked examples, and what each part costs in tokens.

`python -m docs.handbook.prompts` writes it anew; a test holds that it is what the program sends.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from pathlib import Path

from core.answering.generative import prompts as answering
from core.answering.generative.context import Context, build_context
from core.evaluation.golden import generating
from core.evaluation.measures import judge
from core.evaluation.runs import ask
from core.llm.framing import BOUNDARY_BYTES, source_block, text_block
from core.planning import prompts as planning
from core.text.token_estimate import estimate
from core.types import Chunk, Document, DocumentKind, DocumentState, Hit, Message
from core.verification import prompts as verification
from core.verification.judges import judge_messages
from core.web_search import prompts as web

PAGE = Path(__file__).parents[1] / "prompts.md"
_BOUNDARY = "0" * 2 * BOUNDARY_BYTES
_TASKS = (
    ("Answering", "core/answering/generative/prompts.py", answering.VERSION, (
        ("Cited answer (presets `balanced`, `documents`, `python-docs`)", answering.CITED),
        ("Code example (preset `stack-overflow`)", answering.CODE_EXAMPLE),
        ("Live web (preset `live-web`)", answering.LIVE_WEB),
        ("Notes on a part of the sources, where not all fit", answering.TREE_LEAF),
        ("Joining the notes", answering.TREE_JOIN),
        ("The last message of each", answering.TASK),
        ("A model's summary of the sources, before them (`DEPTH_SUMMARY`)", answering.SUMMARY),
    )),
    ("Understanding the question, and grading hits", "core/planning/prompts.py", planning.VERSION, (
        ("One query that stands by itself", planning.REWRITE),
        ("Several queries", planning.SEVERAL),
        ("The level and the queries, in Automatic", planning.CHOOSE),
        ("The sections of a report, in depth", planning.SECTIONS),
        ("One query in a plain line, where no JSON came", planning.PLAIN),
        ("Grading what was found, in depth", planning.GRADE),
        ("A summary of what was found", planning.SUMMARY),
    )),
    ("Checking sentences (`SUPPORT_JUDGE=model`)", "core/verification/prompts.py",
     verification.VERSION, (
        ("Verdicts", verification.JUDGE),
        ("The last message", verification.JUDGE_TASK),
    )),
    ("Searching the live web", "core/web_search/prompts.py", None, (
        ("Queries for a search engine", web.WEB_QUERIES),
    )),
    ("Judging answers of an evaluation", "core/evaluation/measures/judge.py", None, (
        ("Is the answer right", judge.GRADE_PROMPT),
        ("Does it say only what the passages say", judge.FAITHFUL_PROMPT),
        ("Does it answer the question", judge.RELEVANT_PROMPT),
        ("Are its marks right", judge.CITED_PROMPT),
        ("Do the passages hold the answer", judge.HOLDS_PROMPT),
        ("The model alone, to compare with", ask.PLAIN),
    )),
    ("Writing questions for an evaluation", "core/evaluation/golden/generating.py", None, (
        ("A question and its answer", generating.FACTOID_PROMPT),
        ("A follow-up question", generating.FOLLOW_UP_PROMPT),
        ("A question without an answer", generating.UNANSWERABLE_PROMPT),
        ("Can it be answered", generating.GROUNDED_PROMPT),
        ("Is it useful", generating.USEFUL_PROMPT),
    )),
)  # fmt: skip
_SENTENCE = "The pump of the second hall moves 40 litres of water a minute and is checked in May. "
_QUESTION = "And how much does it move?"
_GOAL = "How much water does the pump of the second hall move?"
_DAY = date(2026, 11, 22)


def page() -> str:
    """The whole page."""
    parts = [
        "# Prompts\n\n"
        "Every text that a language model is sent, in full. The words in braces are filled in; a\n"
        "`{boundary}` is random in each request. This page is written by\n"
        "`python -m docs.handbook.prompts`.\n"
    ]
    for task, module, version, prompts in _TASKS:
        told = f"`{module}`" + (f", version {version}" if version else "")
        parts.append(f"## {task}\n\n{told}.\n")
        parts += [f"### {name}\n\n```text\n{text}\n```\n" for name, text in prompts]
    example = _context(_hits(2, 1))
    parts.append(
        "## Worked examples\n\nA follow-up question, with two passages of one document, as the "
        f"model that answers is sent it:\n\n```text\n{example.text}\n```\n\n"
        "Of the other prompts the last message; the one before it stands above.\n"
    )
    parts += [f"### {name}: an example\n\n```text\n{text}\n```\n" for name, text in _examples()]
    parts.append(_table(_context(_hits(7, 12))))
    return "\n".join(parts)


def _examples() -> list[tuple[str, str]]:
    """A worked example of each other prompt: its name, and the last message."""
    hits, now = _hits(2, 1), datetime(2026, 11, 22, tzinfo=UTC)
    talk = [Message(1, "user", "What does the manual say of the second hall?", now)]
    asked = (_QUESTION, talk, _BOUNDARY, [hits[0].document])
    queries = ("pump second hall litres a minute",)
    requests = {
        "One query that stands by itself": planning.rewrite_request(*asked),
        "Several queries": planning.several_request(*asked),
        "The level and the queries, in Automatic": planning.choose_request(*asked),
        "The sections of a report, in depth": planning.sections_request(*asked, 4),
        "One query in a plain line": planning.plain_request(*asked),
        "Grading what was found, in depth": planning.grade_request(
            _GOAL, hits[:1], hits[1:], queries, _BOUNDARY
        ),
        "A summary of what was found": planning.summary_request(_GOAL, hits, _BOUNDARY),
    }
    said = "The pump of the second hall moves 40 litres a minute."
    data = {"question": _GOAL, "expected answers": "40 litres", "answer": said}
    context = {"context": hits[0].chunk.text}
    return [
        *((name, request.messages[-1].text) for name, request in requests.items()),
        ("Verdicts", judge_messages([(said, (hits[0].chunk.text,))], 8_000, _BOUNDARY)[-1].text),
        ("Queries for a search engine", web.WEB_QUERIES.format(
            most=3, today=_DAY.isoformat(), question=_GOAL,
            schema=json.dumps(web.WEB_QUERIES_SCHEMA),
        )),
        ("Is the answer right", _data(judge.GRADE_PROMPT, data)),
        ("A question and its answer", _data(generating.FACTOID_PROMPT, context)),
    ]  # fmt: skip


def _data(prompt: str, parts: dict[str, str]) -> str:
    """What a judge is given, with a boundary that does not change."""
    return re.sub(r"data-[0-9a-f]{8}", f"data-{_BOUNDARY}", judge.marked(prompt, parts)[1])


def _table(context: Context) -> str:
    """What each part of a prompt with seven sources is for, and its tokens."""
    user = context.messages[-1].text
    about = " ".join(_attributes(hit, number) for number, hit in enumerate(context.sources, 1))
    passages = sum(map(estimate, context.passages))
    task = estimate(user[user.rindex("</sources-") :].partition("\n")[2])
    told = estimate(about)
    tags = estimate(user) - passages - task - told
    rows = (
        (
            "rules",
            "what an answer is, and that sources are data",
            estimate(context.messages[0].text),
        ),
        ("tags and boundaries", "where a source begins and ends, and its number", tags),
        ("about each source", "title and date once a document; page and section", told),
        ("passages", "what is answered from", passages),
        ("question", "as typed, what it means, the day; the form of an answer", task),
    )
    lines = [f"| {name} | {what} | {tokens:,} |" for name, what, tokens in rows]
    share = tags / estimate(user)
    return (
        "## What each part costs\n\nSeven passages of about 1,000 characters of three documents, "
        "by the program's own estimate.\n"
        f"Tags and boundaries are {share:.1%} of the last message.\n\n"
        "| part | what for | tokens |\n|---|---|---|\n" + "\n".join(lines) + "\n"
    )


def _attributes(hit: Hit, number: int) -> str:
    known = {} if number in (1, 4, 6) else {hit.document.id: 1}
    block = source_block(number, hit, "", known)
    bare = text_block(number, "")
    return block.partition("\n")[0][len(bare.partition("\n")[0]) - 1 : -1]


def _context(hits: list[Hit]) -> Context:
    prompt = answering.PRESETS["balanced"]
    about = answering.about_question(_QUESTION, _GOAL, hits, _DAY)
    return build_context(_QUESTION, hits, prompt, budget=8_000, boundary=_BOUNDARY, about=about)


def _hits(count: int, sentences: int) -> list[Hit]:
    hits = []
    for n in range(count):
        name = ("Pump manual", "Annual report", "Supplier terms")[min(2, max(0, n - 1) // 2)]
        text = (_SENTENCE * sentences).strip()
        chunk = Chunk(f"{name}:{n}", name, n, n, n + 1, 0, len(text), text, ("Operation",))
        owner = Document(
            name, "s", f"{name}.pdf", f"{name}.pdf", DocumentKind.PDF, DocumentState.READY,
            title=name, published="2025-03-04",
        )  # fmt: skip
        hits.append(Hit(chunk, owner, fused=0.9, rank=n + 1))
    return hits


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
