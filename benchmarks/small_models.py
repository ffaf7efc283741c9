"""What reaches a person when a small model speaks: thousands of answers, put together at random.

    python -m benchmarks.small_models [--answers 2000] [--seed 7]

Marks are wrong or missing, JSON is wrapped in talk, sentences loop, thoughts stand before the
answer, the phrase of refusal follows prose, the language changes, links and images lead away. Each
answer passes the whole of the program (`GenerativeAnswerer` on the guards of a stream) and leaves
by every face: the page, the REST API, the protocol of OpenAI (whole and streamed), MCP, and every
form of export, of a conversation in which it was said twice. Printed is how many were malformed,
how many had a mark outside the list, and how many had a live foreign link.
"""

from __future__ import annotations

import argparse
import io
import json
import random
import re
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import docx
from markdown_it import MarkdownIt
from markdown_it.token import Token

from benchmarks.learn_extractive import Remembering
from core.answering.exports.port import Exported
from core.answering.exports.registry import FORMS
from core.answering.exports.review import Checked, Reviewed, review_html
from core.answering.extractive.answerer import ExtractiveAnswerer
from core.answering.generative.answerer import GenerativeAnswerer
from core.answering.generative.prompts import NOT_FOUND
from core.answering.inert import inert_events
from core.api.answers import AnswerOut
from core.api.openai_compatible import contents, whole
from core.citations.uses import uses
from core.config import Settings, load_settings
from core.llm.port import ChatEnd, ChatMessage, ChatStream, ModelInfo
from core.llm.stream import Delta, Limits, guarded
from core.llm.transport import Wire
from core.mcp.tools import Answered
from core.models.embedding import load_embedder
from core.models.port import Embedder
from core.types import (
    Answer,
    Chunk,
    Conversation,
    Document,
    DocumentKind,
    DocumentState,
    Event,
    Evidence,
    Hit,
    Message,
    QueryPlan,
    SearchResult,
    TextPiece,
)
from core.ui.answer.views import answer_view

FOREIGN = "evil.example"
_TEXTS = (
    "The tower was built in 1889. It is 330 metres high. It has three floors.",
    "The bridge was opened in 1932. It is painted every year.",
    "The canal is 80 kilometres long. Forty ships pass it each day.",
)
_SAID = (
    "The tower was built in 1889", "It is 330 metres high", "The bridge was opened in 1932",
    "The canal is 80 miles long", "Forty ships pass it each day", "The tower was built in 1898",
    "Der Turm wurde 1889 gebaut", "La torre fue construida en 1889", "塔は1889年に建てられた",
    "The sources do not mention the price", "I love this tower", "Would you like to know more",
)  # fmt: skip
_MARKS = (
    "[1]", "[2]", "[3]", "[Source 1]", "[Source 7]", "(Source 2)", "[99]", "【1】", "[1][2]",
    "[1, 3]", "[^1]", "<source 1>", "[Source", "[", "Source: [1] [2]", "",
)  # fmt: skip
_AWAY = (
    f"![x](https://{FOREIGN}/p.png?q=secret)", f"[here](https://{FOREIGN}/a)",
    f"<img src=https://{FOREIGN}/p>", f"https://{FOREIGN}/b", f"[1](https://{FOREIGN})",
    f"[1]: https://{FOREIGN}\n", f"<a href='https://{FOREIGN}'>go</a>", f"<https://{FOREIGN}>",
)  # fmt: skip
_SHORT = ("It is high", "See above", "Yes", "Forty ships")
_BEFORE = (
    "Let me think about this.", "Okay, let me look at the sources.", "Thinking: which year.\n",
    "<|im_start|>assistant\n", "<|start_header_id|>assistant<|end_header_id|>\n", "<s>",
    "<answer>", "[INST]",
)  # fmt: skip
_AFTER = (
    "[1", "[Source 2", "[Source", " [", "{mark}", "[Source {n}]", "</s>", "<|im_end|>", "</answer>",
    "<|endoftext|><|user|>And the bridge?", "\n\nReferences:\n1. 0.pdf\n2. A report",
    "\n\nSources:\n- 1.pdf, page 2", "\nNote: the other source is not relevant.",
    "\nSource 2 is not relevant.",
)  # fmt: skip
_LEFT_OVER = re.compile(
    r"<\|(?:im_|end|start_header|user|eot)|\A\s*</?(?:s|answer)>|</?(?:s|answer)>\s*\Z|\{marks?\}"
    r"|\{n\}|\A(?:Let me think|Okay, let me)|(?<=\s)\[(?:Source)?\s*\d*\s*\Z"
    r"|\A\s*```markdown",
    re.M,
)
"""What is of the model's template or its habits, and never of an answer."""
_WRAPPED = (
    "Sure! Here is the JSON:\n```json\n{{\"answer\": \"{0}\"}}\n```", '{{"answer": "{0} [1]"}}',
    "Answer: {0}", "```\n{0}\n```", "\n```\n{0}", "\n~~~ json\n{0}\n",
    "| a | b |\n|---|---|\n| {0} | 1 |", "# {0}", "**{0}**",
)  # fmt: skip
_PARSERS = (
    MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]),
    MarkdownIt("commonmark", {"html": True}),
)
_LIVE = {"link_open", "image", "html_inline", "html_block"}
_MARK = re.compile(r"\[(\d+)\]")
_CODE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)|`[^`\n]+`", re.M | re.S)
_FENCE = re.compile(r"^[ \t]*(?:`{3}|~{3})", re.M)
_LOOP = re.compile(r"(\b\w[^.\n]*\.)(?:\s+\1){3}")
"""A sentence four times in a row."""


def spoken(chance: random.Random) -> str:
    """What a small model says, put together at random."""
    parts: list[str] = []
    if chance.random() < 0.15:
        began = chance.choice(("<think>", "")) + chance.choice(("", "\n```\n", "\n~~~\n"))
        thought = f"{began}{chance.choice(_SAID)} {chance.choice(_AWAY)}"
        parts.append(thought + chance.choice(("</think>", "</think>\n", "</thinking>", "")))
    for _ in range(chance.randint(0, 6)):
        said = chance.choice(_SAID)
        if chance.random() < 0.2:
            said = chance.choice(_WRAPPED).format(said)
        end = chance.choice((".", "?", "", ":", "。"))
        parts.append(f"{said} {chance.choice(_MARKS)}{end}".replace(" .", "."))
        if chance.random() < 0.15:
            parts.append(chance.choice(_AWAY))
        if chance.random() < 0.1:
            parts += [parts[-1]] * chance.randint(1, 40)
        if chance.random() < 0.1:
            parts += [f"{chance.choice(_SHORT)}."] * chance.randint(3, 12)
    if chance.random() < 0.15:
        parts.insert(chance.randint(0, len(parts)), NOT_FOUND + chance.choice((".", "", ": so")))
    said = chance.choice((" ", "\n", "\n\n")).join(parts)
    if "`" not in said and "~" not in said and "think" not in said and chance.random() < 0.1:
        return f"```markdown\n{said}\n```{chance.choice(('', '<|im_end|>'))}"
    if "think" not in said and chance.random() < 0.15:
        said = f"{chance.choice(_BEFORE)}{chance.choice(('', ' '))}{said}"
    if not said.endswith(("[", "[Source")) and chance.random() < 0.25:
        said += chance.choice(("", " ")) + chance.choice(_AFTER)
    return said


class Small:
    """A chat model that says one text, in pieces cut at random."""

    provider = "small"
    name = "small"
    context_length = 8_192

    def __init__(self, text: str, chance: random.Random) -> None:
        self._text = text
        self._chance = chance

    def stream(
        self,
        messages: Sequence[ChatMessage],
        *,
        max_tokens: int,
        json_schema: Mapping[str, Any] | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> ChatStream:
        """The text under the guards that every provider's answer passes."""
        return ChatStream(self._pieces(max_tokens, cancelled))

    def _pieces(
        self, max_tokens: int, cancelled: Callable[[], bool]
    ) -> Generator[str, None, ChatEnd]:
        return guarded(self._read, Limits(30.0, 30.0, max_tokens), cancelled)

    def _read(self, wire: Wire) -> Iterator[Delta]:
        at = 0
        while at < len(self._text):
            size = self._chance.randint(1, 24)
            yield Delta(self._text[at : at + size])
            at += size
        yield Delta(finish="stop")

    def models(self) -> list[ModelInfo]:
        """No list: there is one model."""
        return []

    def preload(self) -> None:
        """Nothing to load."""


def asked(text: str, chance: random.Random, embedder: Embedder, settings: Settings) -> set[str]:
    """What is wrong with the answer that a person gets of `text`; nothing where all is well."""
    answerer = GenerativeAnswerer(
        Small(text, chance), embedder, ExtractiveAnswerer(embedder), settings
    )
    result = SearchResult(
        QueryPlan("When was it built?", "When was it built?", ("built",)), _hits()
    )
    events = list(answerer.answer("When was it built?", result, searched=(3, 3)))
    answers = [event for event in events if isinstance(event, Answer)]
    if len(answers) != 1 or not isinstance(events[-1], Answer):
        return {"malformed"}
    found = {"malformed"} if _malformed(events, answers[0]) else set()
    if not _listed(answers[0]):
        found.add("mark outside the list")
    return found | _left(events, answers[0])


def _malformed(events: Sequence[Event], answer: Answer) -> bool:
    """Whether an answer is empty, is not what was streamed, or shows what is the program's own."""
    written = ""
    for event in events:
        if isinstance(event, TextPiece):
            written = event.text if event.withdraws else written + event.text
    return (
        not answer.text.strip()
        or (answer.abstention is None and written != answer.text)
        or NOT_FOUND in answer.text.upper()
        or "<think" in answer.text
        or bool(_LEFT_OVER.search(_prose(answer.text)))
        or bool(_LOOP.search(_prose(answer.text)))
        or any(claim.end > len(answer.text) or claim.start >= claim.end for claim in answer.claims)
    )


def _prose(text: str) -> str:
    """The text without its code, in which all this may stand; "" where it has blocks of code."""
    return _CODE.sub("", text) if _FENCE.search(text) is None else ""


def _hits() -> tuple[Hit, ...]:
    hits = []
    for n, text in enumerate(_TEXTS):
        chunk = Chunk(f"d{n}:0", f"d{n}", 0, 0, 1, 0, len(text), text, ())
        owner = Document(
            f"d{n}", "s", f"{n}.pdf", f"{n}.pdf", DocumentKind.PDF, DocumentState.READY
        )
        hits.append(
            Hit(chunk, owner, fused=0.9 - n / 10, rank=n + 1, context=text, context_end=len(text))
        )
    return tuple(hits)


def _listed(answer: Answer) -> bool:
    numbers = [citation.number for citation in answer.citations]
    inline = [token for token in _PARSERS[0].parse(answer.text) if token.type == "inline"]
    prose = "\n".join(
        "".join(child.content if child.type == "text" else " " for child in token.children or [])
        for token in inline
    )
    cited = {int(number) for number in _MARK.findall(prose)}
    return numbers == list(range(1, len(numbers) + 1)) and cited <= set(numbers)


def _left(events: Sequence[Event], answer: Answer) -> set[str]:
    """What is wrong with the answer as it leaves by each face."""
    found = {"live link"} if _linked(answer_view(answer)) else set()
    if any(_live(markdown) for markdown in _replies(events)):
        found.add("live link")
    now = datetime(2026, 1, 1, tzinfo=UTC)
    said = [Message(n, "assistant", answer.text, now, answer) for n in (1, 2)]
    exported = Exported(Conversation("c", "s", "t", now, now), said, lambda one: Evidence(one, ""))
    files = {name: form.write(exported) for name, form in FORMS.items()}
    texts = [message["text"] for message in json.loads(files["json"])["messages"]]
    if any(map(_live, [*texts, files["markdown"].decode()])):
        found.add("live link")
    checked = [
        Checked(use, answer.citations[use.number - 1], None)
        for use in uses(answer.text, answer.citations)
    ]
    one = Reviewed("When?", answer, checked)
    reviews = (review_html(several, "Nobody") for several in ([one], [one, one]))
    for page in (files["html"].decode(), *reviews):
        if _leads_away(page):
            found.add("live link")
    if not _is_word(files["docx"]):
        found.add("malformed")
    return found


def _replies(events: Sequence[Event]) -> Iterator[str]:
    """The Markdown that programs get: by REST, by MCP, and by the protocol of OpenAI."""
    sent = list(inert_events(iter(events)))
    answer = next(event for event in sent if isinstance(event, Answer))
    out = AnswerOut.of(answer, "/api/sessions/s")
    yield from (out.answer, out.answer_without_citations)
    yield from (claim.reason for claim in out.claims)
    passed_on = Answered.of("s", out.model_dump(mode="json"))
    yield from (passed_on.answer, *passed_on.notices)
    yield whole(answer)
    yield "".join(said for said, _ in contents(iter(sent)))


def _is_word(file: bytes) -> bool:
    """Whether it is a Word document that every reader opens, and that leads nowhere."""
    opened = docx.Document(io.BytesIO(file))
    return not any(relation.is_external for relation in opened.part.rels.values())


class _Addresses(HTMLParser):
    """Collects what the elements of a page load or lead to."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value or "" for name, value in attrs if name in ("href", "src")]


def _leads_away(page: str) -> bool:
    """Whether a page of HTML has a link or an image that is not its own."""
    addresses = _Addresses()
    addresses.feed(page)
    addresses.close()
    return not all(one.startswith(("#", "data:")) for one in addresses.found)


def _live(text: str) -> bool:
    return any(t.type in _LIVE for parser in _PARSERS for t in _tokens(parser.parse(text)))


def _tokens(found: list[Token]) -> Iterator[Token]:
    for token in found:
        yield token
        yield from _tokens(token.children or [])


def _linked(view: Any) -> bool:
    """Whether the page's tree has a link or an image that leads away."""
    if isinstance(view, dict):
        leads = FOREIGN in str(view.get("href", "")) or FOREIGN in str(view.get("src", ""))
        return leads or any(map(_linked, view.values()))
    return isinstance(view, list | tuple) and any(map(_linked, view))


def measured(answers: int, seed: int, embedder: Embedder, settings: Settings) -> Counter[str]:
    """How often each thing was wrong."""
    chance = random.Random(seed)
    found: Counter[str] = Counter()
    for _ in range(answers):
        text = spoken(chance)
        wrong = asked(text, chance, embedder, settings)
        if wrong and not found:
            print(f"{sorted(wrong)}: {text!r}")
        found.update(wrong)
    return found


def main() -> None:
    """Make the answers and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--answers", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    settings = load_settings()
    embedder = Remembering(load_embedder(settings))
    found = measured(arguments.answers, arguments.seed, embedder, settings)
    for wrong in ("malformed", "mark outside the list", "live link"):
        print(f"{wrong}: {found[wrong]} of {arguments.answers}")


if __name__ == "__main__":
    main()
