"""Answers by a language model: citations are resolved, claims checked, and cuts reported."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from datetime import date

from core.answering.extractive.refusing import refusal
from core.answering.generative.context import Context, build_context
from core.answering.generative.draft import Draft
from core.answering.generative.prompts import PRESETS, Prompt, about_question
from core.answering.generative.standing import UNSOURCED, Standing, standing
from core.answering.generative.tree import condensed
from core.answering.port import Answerer
from core.citations.locate import cite
from core.citations.passages import distinct, passage_key, unused
from core.config import Settings
from core.errors import ContextTooLong, EmptyAnswer, ModelError
from core.llm.framing import BOUNDARY_BYTES
from core.llm.port import ChatEnd, ChatModel, Restart
from core.models.port import Embedder
from core.types import (
    Answer,
    Citation,
    Claim,
    Event,
    Hit,
    Message,
    Notice,
    SearchResult,
    Step,
    TextPiece,
    Usage,
)
from core.types.steps import ByMethod, ContextBuilt
from core.verification.code_blocks import code_notices
from core.verification.judges import judged_claims

_SHARES = (1.0, 0.5, 0.25)
"""Parts of the context that are tried in turn while a server says that the prompt is too long."""
_SPARE_TOKENS = 64
"""Kept free besides prompt and answer, for what chat templates add."""


class GenerativeAnswerer:
    """Answers with `model`; if it fails before its first word, `fallback` answers, with a notice.

    The marks in the pieces of text are already renumbered. If the stream breaks later, the answer
    so far is kept and marked as incomplete.
    """

    def __init__(
        self,
        model: ChatModel,
        embedder: Embedder,
        fallback: Answerer,
        settings: Settings,
        cancelled: Callable[[], bool] = lambda: False,
        *,
        prompt: Prompt = PRESETS["balanced"],
    ) -> None:
        self.name = f"{model.name} ({model.provider})"
        self._model = model
        self._embedder = embedder
        self._fallback = fallback
        self._settings = settings
        self._cancelled = cancelled
        self._prompt = prompt

    def answer(
        self,
        question: str,
        result: SearchResult,
        history: Sequence[Message] = (),
        *,
        searched: tuple[int, int] = (0, 0),
    ) -> Iterator[Event]:
        """Yield steps, text, then exactly one `Answer`. Without hits no model is called."""
        if not result.hits:
            yield refusal(question, result, 0.0, searched)
            return
        try:
            yield from self._written(question, result, history, searched)
        except ModelError as error:
            yield from self._quoted(error, question, result, history, searched)

    def _quoted(
        self,
        error: ModelError,
        question: str,
        result: SearchResult,
        history: Sequence[Message],
        searched: tuple[int, int],
    ) -> Iterator[Event]:
        """The fallback's answer, which says that it is one."""
        text = f"{error.message} So the sources were searched for quotes instead."
        notice = Notice(f"model-failed:{error.code}", text, error.cure)
        for event in self._fallback.answer(question, result, history, searched=searched):
            if isinstance(event, Answer):
                event = replace(event, notices=(notice, *event.notices))
            yield event

    def _written(
        self,
        question: str,
        result: SearchResult,
        history: Sequence[Message],
        searched: tuple[int, int],
    ) -> Iterator[Event]:
        """The model's answer; raises `ModelError` as long as no text was given out."""
        hits = distinct(result.hits)
        for share in _SHARES:
            context = yield from self._context(question, hits, history, share, result)
            if not context.sources:
                yield refusal(question, result, 0.0, searched)
                return
            given = len(context.sources)
            detail = ContextBuilt(given, context.found, context.tokens)
            yield Step("context", detail, count=given)
            draft = Draft(context.sources)
            try:
                yield from self._streamed(context, draft)
            except ContextTooLong:
                if share == _SHARES[-1]:
                    raise
                continue
            if self._settings.support_judge and draft.complete and draft.order:
                yield Step("judging", ByMethod(self._model.name))
            answer = self._finished(question, result, context, draft, searched)
            if answer.abstention and draft.text.strip():
                yield TextPiece("", withdraws=True)
            yield answer
            return

    def _context(
        self,
        question: str,
        hits: Sequence[Hit],
        history: Sequence[Message],
        share: float,
        result: SearchResult,
    ) -> Generator[Step, None, Context]:
        """What is sent; with a tree prompt, notes on all passages where not all of them fit."""
        length = self._model.context_length
        budget = int((length - self._answer_tokens() - _SPARE_TOKENS) * share)
        boundary = secrets.token_hex(BOUNDARY_BYTES)
        context = build_context(
            question, hits, self._prompt, budget=budget, boundary=boundary, history=history,
            about=about_question(question, result.plan.goal, hits, date.today()),
            summary=result.summary,
        )  # fmt: skip
        if not self._prompt.tree or len(context.sources) == context.found:
            return context
        return (
            yield from condensed(
                self._model,
                question,
                hits,
                budget=budget,
                max_tokens=self._answer_tokens(),
                boundary=boundary,
                cancelled=self._cancelled,
            )
        )

    def _answer_tokens(self) -> int:
        return min(self._settings.answer_tokens, self._model.context_length // 3)

    def _streamed(self, context: Context, draft: Draft) -> Iterator[Event]:
        began = time.monotonic()
        stream = self._model.stream(
            context.messages, max_tokens=self._answer_tokens(), cancelled=self._cancelled
        )
        with stream:
            try:
                for piece in stream:
                    if began:
                        yield Step(
                            "first word", ByMethod(self._model.name), time.monotonic() - began
                        )
                        began = 0.0
                    if isinstance(piece, Restart):
                        draft.restart()
                        yield TextPiece("", withdraws=True)
                    if text := draft.feed(piece):
                        yield TextPiece(text)
            except ModelError as error:
                if not draft.text:
                    raise
                draft.failure = error
            draft.end = stream.end
        if text := draft.finish():
            yield TextPiece(text)
        if not (draft.text.strip() or draft.refused or draft.stopped):
            if draft.text:
                yield TextPiece("", withdraws=True)  # white space, before another answer
            raise EmptyAnswer("The model returned nothing but marks of sources that do not exist.")

    def _finished(
        self,
        question: str,
        result: SearchResult,
        context: Context,
        draft: Draft,
        searched: tuple[int, int],
    ) -> Answer:
        """The whole answer from what was written: citations, claims, notices, usage."""
        notices = (*result.notices, *_prompt_notices(context, draft.end))
        refused = replace(
            refusal(question, result, 0.0, searched),
            answerer=self.name,
            confidence=None,
            notices=notices,
            usage=self._usage(context, draft.end),
            prompt=context.text,
        )
        if draft.refused:
            return refused
        citations = cite(draft.text, draft.order, context.sources, self._embedder)
        used = {passage_key(context.sources[source - 1]) for source in draft.order}
        others = unused(result.hits, used, len(citations))
        claims, unjudged = judged_claims(
            draft.text, citations, others, self._embedder, question,
            self._model, self._settings, self._cancelled,
        )  # fmt: skip
        stands = standing(draft.text, claims, says_not_found=draft.says_not_found)
        if stands is Standing.REFUSAL and draft.complete:
            return refused
        if not draft.stopped:  # with the answer its judge was stopped
            notices += unjudged
        notices += draft.notices()
        if draft.complete:
            notices += (*_unsourced(citations, claims, stands), *code_notices(draft.text))
        return Answer(
            question=question,
            text=draft.text,
            citations=citations,
            unused=others,
            claims=claims,
            search=result,
            answerer=self.name,
            notices=notices,
            usage=refused.usage,
            prompt=context.text,
            complete=draft.complete,
        )

    def _usage(self, context: Context, end: ChatEnd | None) -> Usage:
        length = self._model.context_length
        return Usage(
            provider=self._model.provider,
            model=self._model.name,
            prompt_tokens=end.prompt_tokens if end else None,
            prompt_tokens_estimated=context.tokens,
            answer_tokens=end.answer_tokens if end else None,
            context_length=(end.context_length if end else None) or length,
            passages_given=len(context.sources),
            passages_found=context.found,
        )


def _prompt_notices(context: Context, end: ChatEnd | None) -> tuple[Notice, ...]:
    """What of the prompt the server cut, and what did not fit into it."""
    cut = _cut(context, end)
    # A cut prompt asks for a lower CONTEXT_TOKENS: what was left out does not ask for a higher.
    left_out = tuple(replace(one, cure="") if cut else one for one in context.notices())
    return (*cut, *left_out)


def _cut(context: Context, end: ChatEnd | None) -> tuple[Notice, ...]:
    """The notice where the server read fewer tokens than the prompt has: it cut in silence."""
    read = end.prompt_tokens if end else None
    cure = "Give the model a longer context at its server, or lower CONTEXT_TOKENS to its own."
    if read and read < context.least_tokens:
        text = (
            f"The model's server read only {read:,} of about {context.tokens:,} tokens: it cut "
            "the prompt in silence, so passages or instructions were lost."
        )
        return (Notice("prompt-cut", text, cure, "error"),)
    given = end.context_length if end else None
    if given and given < context.tokens:
        text = (
            f"The model's server has room for {given:,} tokens only, the prompt takes up to "
            f"{context.tokens:,}: a part of it may have been cut."
        )
        return (Notice("prompt-may-be-cut", text, cure),)
    return ()


def _unsourced(
    citations: Sequence[Citation], claims: Sequence[Claim], stands: Standing
) -> tuple[Notice, ...]:
    """The notice where no part of an answer comes from the sources."""
    if stands is not Standing.UNSUPPORTED:
        return ()
    text = "No source supports this answer: it comes from the model's memory, not your documents."
    if not claims:
        text = "This answer names no source, and nothing of it could be compared with one."
    if citations:
        text = "No sentence of this answer is supported by the sources that it names."
    return (Notice(UNSOURCED, text, "Check it elsewhere, or ask about the documents.", "error"),)
