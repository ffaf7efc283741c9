"""docs/prompts.md: every prompt in full, a worked example, and what each part costs in tokens.

`python -m docs.handbook.prompts` writes it anew; a test holds that it is what the program sends.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path

from core.answering.generative import prompts as answering
from core.answering.generative.context import Context, build_context
from core.llm.framing import BOUNDARY_BYTES, source_block, text_block
from core.planning import prompts as planning
from core.text.token_estimate import estimate
from core.types import Chunk, Document, DocumentKind, DocumentState, Hit
from core.verification import prompts as verification

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
        parts.append(f"## {task}\n\n`{module}`, version {version}.\n")
        parts += [f"### {name}\n\n```text\n{text}\n```\n" for name, text in prompts]
    example = _context(_hits(2, 1))
    parts.append(
        "## A worked example\n\nA follow-up question, with two passages of one document:\n\n"
        f"```text\n{example.text}\n```\n"
    )
    parts.append(_table(_context(_hits(7, 12))))
    return "\n".join(parts)


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
