"""What a model is given: numbered sources within a budget of tokens, then the question (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.answering.generative.prompts import SUMMARY, Prompt
from core.citations.mark import without_marks
from core.citations.passages import passage_of
from core.errors import ContextTooLong
from core.llm.framing import defused, flagged_text, frame, prompt_tokens, source_block
from core.llm.port import ChatMessage
from core.text.page_furniture import without_furniture
from core.text.token_estimate import estimate, least
from core.types import Hit, Message, Notice

_HISTORY_TURNS = 6
_HISTORY_SHARE = 0.2
"""At most this part of the budget goes to earlier questions and answers."""
_SUMMARY_SHARE = 0.25
"""A summary that takes more of the room for passages is left out."""
_MESSAGE_CHARACTERS = 1_200
_LEAST_PASSAGE = 200
"""A passage cut shorter than this many characters says nothing any more."""


@dataclass(frozen=True, slots=True)
class Context:
    """The messages for a model. `sources[i]` has the number i + 1; `passages[i]` is its text.

    `found` is how many passages there were; `tokens` is the careful estimate of the whole prompt,
    `least_tokens` what it takes at least.
    """

    messages: tuple[ChatMessage, ...]
    sources: tuple[Hit, ...]
    passages: tuple[str, ...]
    found: int
    tokens: int
    least_tokens: int
    shortened: bool = False

    @property
    def text(self) -> str:
        """The exact prompt, for reading."""
        return "\n\n".join(f"[{message.role}]\n{message.text}" for message in self.messages)

    def notices(self) -> tuple[Notice, ...]:
        """What did not fit, for the person."""
        cure = "Raise CONTEXT_TOKENS, or choose a model with a longer context."
        given = len(self.sources)
        if given < self.found:
            text = f"{given} of {self.found} passages fitted into the model's context."
            return (Notice("passages-left-out", text, cure),)
        if self.shortened:
            text = "The passage was longer than the model's context; only its beginning was given."
            return (Notice("passage-shortened", text, cure),)
        return ()


def build_context(
    question: str,
    hits: Sequence[Hit],
    prompt: Prompt,
    *,
    budget: int,
    boundary: str,
    history: Sequence[Message] = (),
    first_number: int = 1,
    in_order: bool = False,
    about: Sequence[str] = (),
    summary: str = "",
) -> Context:
    """The best of `hits`, as many as fit into `budget` tokens with everything around them.

    A hit that does not fit is left out and shorter ones after it may still come in; `in_order`
    stops at the first that does not fit, so that the caller can continue there. `about` are lines
    that stand below the question: what it means, the day, the languages. `summary` is what a model
    wrote about the hits; it stands with them, as it is made of their text.
    Raises `ContextTooLong` when not even the question with a piece of one passage fits.
    """
    budget = min(budget, prompt.most_tokens or budget)
    system = ChatMessage("system", prompt.system_text(boundary))
    asked = "\n".join((question, *about))
    bare = ChatMessage("user", prompt.task_text(frame([], boundary), asked))
    earlier = _history(history, int(budget * _HISTORY_SHARE))
    left = budget - prompt_tokens((system, *earlier, bare))
    above: list[str] = []
    short = SUMMARY.format(summary=defused(summary))
    if summary and estimate(short) <= left * _SUMMARY_SHARE:
        left -= estimate(short)
        above.append(short)
    given, shortened = _fitting(hits, asked, left, first_number, in_order=in_order)
    blocks = [*above, *(one.block for one in given)]
    task = replace(bare, text=prompt.task_text(frame(blocks, boundary), asked))
    messages = (system, *earlier, task)
    lowest = sum(least(message.text) for message in messages)
    return Context(
        messages,
        tuple(one.hit for one in given),
        tuple(one.passage for one in given),
        len(hits),
        prompt_tokens(messages),
        lowest,
        shortened,
    )


class _Given(NamedTuple):
    """A hit, its passage as a model is given it, and the same in its tag."""

    hit: Hit
    passage: str
    block: str


def _fitting(
    hits: Sequence[Hit], asked: str, left: int, first_number: int, *, in_order: bool
) -> tuple[list[_Given], bool]:
    """The hits that fit into `left` tokens, and whether the only one had to be shortened."""
    given: list[_Given] = []
    known: dict[str, int] = {}
    shortened = False
    for hit in hits:
        number = first_number + len(given)
        text = passage_text(hit, asked)
        block = source_block(number, hit, text, known)
        if estimate(block) > left and not given:
            text, shortened = _shortened(hit, text, left, number), True
            block = source_block(number, hit, text)
        if estimate(block) > left and in_order:
            break
        if estimate(block) <= left:
            left -= estimate(block)
            known.setdefault(hit.document.id, number)
            given.append(_Given(hit, text, block))
    return given, shortened


def passage_text(hit: Hit, asked: str = "") -> str:
    """What of a hit is given: the imports of its code, the chunk with its neighbours, defused.

    What only stands around it on its page is left out, unless the question `asked` names it.
    """
    text = without_furniture(passage_of(hit)[0], hit.chunk.page_number, asked)
    return defused("\n".join((*hit.imports, text))).strip()


def _shortened(hit: Hit, text: str, left: int, number: int) -> str:
    """The longest beginning of the passage that fits, ended at a space; by halving."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        fits = estimate(source_block(number, hit, text[:middle])) <= left
        low, high = (middle, high) if fits else (low, middle - 1)
    if low < min(_LEAST_PASSAGE, len(text)):
        raise ContextTooLong("The question and one passage do not fit into the model's context.")
    cut = text[:low]
    return cut[: cut.rfind(" ")] if " " in cut[low // 2 :] else cut


def _history(history: Sequence[Message], budget: int) -> tuple[ChatMessage, ...]:
    """The last turns without their citation marks, whose numbers mean nothing here."""
    kept: list[ChatMessage] = []
    for message in reversed(history[-_HISTORY_TURNS:]):
        text = defused(without_marks(flagged_text(message)))[:_MESSAGE_CHARACTERS].strip()
        turn = ChatMessage(message.role, text)
        if not text:
            continue
        if (budget := budget - prompt_tokens((turn,))) < 0:
            break
        kept.append(turn)
    while kept and kept[-1].role != "user":  # a conversation begins with a question
        kept.pop()
    return tuple(reversed(kept))
