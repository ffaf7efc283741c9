"""A conversation to export: two answers, one document cited twice, a page of the web."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from core.answering.exports.port import Exported
from core.types import Answer, Citation, Conversation, DocumentKind, Evidence, Message, Notice

WHEN = datetime(2026, 1, 2, tzinfo=UTC)
TALK = Conversation("c", "s", "On towers", WHEN, WHEN)
PDF = Citation(
    1, "d:0", "d", "Türme & 50%.pdf", DocumentKind.PDF, 4, 5, 0, 13, "built in 1889.",
    title="All about {Towers}",
)  # fmt: skip
WEB = Citation(
    2, "w:0", "w", "https://example.org/t_1", DocumentKind.WEB, 0, None, 0, 5, "A view.",
    title="A view", url="https://example.org/t_1", attribution="A. Bee, CC BY 4.0",
    published="2024-05-01", read_at="2026-01-02T23:30:00+00:00",
)  # fmt: skip
TEXT = """It was **built** in 1889 [1]. \\[2\\] is no mark, [9] neither.

3. first [2]
   - within
4. second

| tower | metres |
|-------|--------|
| Eiffel | `330` |

    code <b>
"""
FIRST = Answer("When?", TEXT, (PDF, WEB), notices=(Notice("cut", "The prompt was cut."),))
SECOND = Answer("Where?", "On page 7 [1].", (replace(PDF, page_ordinal=6, page_number=7),))
MESSAGES = (
    Message(1, "user", "When was it built?", WHEN),
    Message(2, "assistant", TEXT, WHEN, FIRST),
    Message(3, "user", "Where?", WHEN),
    Message(4, "assistant", SECOND.text, WHEN, SECOND),
)
BAD = "![x](https://evil.example/p.png) <img src=y> [here](https://evil.example) \x00\ud800"


def evidence(citation: Citation) -> Evidence:
    """The page of a PDF, or nothing to show."""
    if citation.kind is DocumentKind.PDF:
        return Evidence(citation, "", b"png", 10, 10, ((0.1, 0.2, 0.5, 0.25),))
    return Evidence(citation, "A view.")


def exported() -> Exported:
    """The conversation."""
    return Exported(TALK, MESSAGES, evidence)


def hostile() -> Exported:
    """A conversation in which a document and a model wrote markup everywhere."""
    citation = replace(
        PDF, label=BAD, title=BAD, quote=BAD, headings=(BAD,), attribution=BAD, published=BAD,
        url=f"javascript:{BAD}",
    )  # fmt: skip
    text = f"{BAD} [1]\n\n[1]: https://evil.example\n\n<script>alert(1)</script>"
    answer = Answer("q", text, (citation,), notices=(Notice("n", BAD),))
    messages = (Message(1, "user", BAD, WHEN), Message(2, "assistant", text, WHEN, answer))
    return Exported(replace(TALK, title=BAD), messages, evidence)
