"""The doctor: every part of the program asked whether it works, with the cure where it does not."""

from __future__ import annotations

import importlib.util
import shutil
import time
from collections.abc import Callable
from typing import Protocol

from core.config import Settings
from core.errors import AppError, ModelError
from core.maintenance.checking import healthy
from core.maintenance.tasks import Upkeep
from core.models.lazy_embedder import LazyEmbedder
from core.models.port import Embedder
from core.models.reader import reader_state
from core.models.reranking import Rerankers
from core.models.served import ServedEmbedder
from core.parsing.confinement import holds
from core.storage.stores import Stores
from core.supervision import failures
from core.types import Health, Verdict

_PROBED = 50
"""Sessions that the doctor looks into; a check looks into all."""


class Program(Protocol):
    """The parts of the running program that are examined."""

    settings: Settings
    stores: Stores
    upkeep: Upkeep

    def ready(self) -> bool: ...
    @property
    def rerankers(self) -> Rerankers: ...
    def check_web_search(self) -> None: ...
    def check_watch(self) -> Verdict: ...


def examine(program: Program) -> list[Health]:
    """Return a `Health` for each part, in the order in which a question passes through them."""
    parts: dict[str, Callable[[Program], Verdict]] = {
        "Catalogue": _catalogue,
        "Disk": _disk,
        "Embedding model": _embedding,
        "Indexes": _indexes,
        "Reranker": _reranker,
        "Reader": lambda program: reader_state(program.settings),
        "OCR": _ocr,
        "Reading files": _confinement,
        "Language model": _language_model,
        "Ollama": _ollama,
        "Live web": _web,
        "Watched folder": lambda program: program.check_watch(),
        "Login": _login,
        "Background work": _background,
    }
    return [_examined(name, check, program) for name, check in parts.items()]


def _examined(name: str, check: Callable[[Program], Verdict], program: Program) -> Health:
    began = time.monotonic()
    try:
        state, detail, cure = check(program)
    except AppError as error:
        state, detail, cure = "error", error.message, error.cure
    return Health(name, state, detail, cure, time.monotonic() - began)


def _catalogue(program: Program) -> Verdict:
    sessions = len(program.stores.catalogue.sessions.ids())
    if not program.stores.catalogue.database.erased():
        return (
            "warning",
            "Deleted text is not yet overwritten in its file.",
            "It is as soon as nothing is being read and the disk has room for a copy of the file.",
        )
    noun = "session" if sessions == 1 else "sessions"
    if not program.stores.catalogue.database.is_sqlite:
        return "ok", f"{sessions} {noun} in PostgreSQL, which keeps deleted text for a while", ""
    return "ok", f"{sessions} {noun} in {program.settings.data_dir}", ""


def _disk(program: Program) -> Verdict:
    free = shutil.disk_usage(program.settings.data_dir).free // 1_000_000
    least = program.settings.min_free_mb
    if free < least:
        return "error", f"{free} MB free, {least} MB needed", "Free some space on this disk."
    program.stores.originals.files.check()
    there = f"; originals in {program.settings.originals_url}" if program.settings.in_bucket else ""
    return "ok", f"{free / 1000:.1f} GB free{there}", ""


def _embedding(program: Program) -> Verdict:
    found: list[Verdict] = []
    for name in ("", *sorted(program.stores.catalogue.cuts.models())):
        try:
            embedder = program.stores.embedder(name)
            embedder.embed_query("Does it answer?")
            detail = f"{embedder.name}, {embedder.dimension} dimensions{_indexing(embedder)}"
            found.append(("ok", detail, ""))
        except ModelError as error:
            if not name:
                raise
            text = f"{name}, which a session chose: {error.message} It is searched by words alone."
            found.append(("warning", text, error.cure))
    return _together(found)


def _indexing(embedder: Embedder) -> str:
    """What the passages took of a model at a server; nothing is kept of earlier starts."""
    served = embedder.loaded if isinstance(embedder, LazyEmbedder) else embedder
    taken = served.indexing() if isinstance(served, ServedEmbedder) else None
    if taken is None:
        return ""
    about = "about " if taken.estimated else ""
    cost = "" if taken.cost is None else f" ({about}${taken.cost:.2g})"
    return f", {about}{taken.prompt_tokens:,} tokens{cost} of passages since it was loaded"


def _indexes(program: Program) -> Verdict:
    state = program.upkeep.state()
    if state.running and state.task != "backup":
        share = f": {state.done} of {state.total}" if state.total else ""
        cure = "Questions are answered meanwhile, by words alone where vectors are made again."
        return "warning", f"{state.doing or 'Being checked'}{share}.", cure
    if not program.ready():
        return "warning", "Being checked against the catalogue.", "Wait until it is done."
    if state.failure is not None:
        return "error", state.failure.text, state.failure.cure
    if other := len(program.upkeep.of_another_model()):
        noun = "session was" if other == 1 else "sessions were"
        return (
            "warning",
            f"{other} {noun} indexed with another embedding model: searched by words alone.",
            "Rebuild the indexes (below), or set EMBEDDING_MODEL back. Nothing is lost until then.",
        )
    sessions = program.stores.catalogue.sessions.ids()[:_PROBED]
    if not all(healthy(program.stores, session_id) for session_id in sessions):
        return (
            "error",
            "A search for the words of some passages does not find them.",
            "Check everything (below): what is damaged is made again from the catalogue.",
        )
    return "ok", "Passages are found by their own words (a sample was tried).", ""


def _reranker(program: Program) -> Verdict:
    return _together(program.rerankers.states())


def _together(found: list[Verdict]) -> Verdict:
    """The state of several models in one: the worst of them, and each by its name."""
    worst = next((one for one in found if one[0] not in ("ok", "off")), found[0])
    return worst[0], " · ".join(detail for _, detail, _ in found), worst[2]


def _ocr(program: Program) -> Verdict:
    if not program.settings.ocr:
        return "off", "Pages without text are only counted.", "Set OCR=true to read them."
    if importlib.util.find_spec("rapidocr") is None:
        return "error", "rapidocr is not installed.", "Run `pip install -r requirements.txt` again."
    return "ok", "Pages without text are read by OCR.", ""


def _confinement(program: Program) -> Verdict:
    held = holds()
    named = {
        "other files": held.files,
        "the network": held.connections,
        "other processes": held.processes,
    }
    if all(named.values()):
        first, second, last = named
        detail = f"The process that reads files has no access to {first}, {second} or {last}."
        return "ok", detail, ""
    open_ = ", ".join(name for name, is_kept in named.items() if not is_kept)
    return (
        "warning",
        f"The process that reads files is limited, but not kept from {open_}.",
        "Use Linux 6.7 or later with Landlock, and a container that allows it and seccomp.",
    )


def _language_model(program: Program) -> Verdict:
    provider = program.settings.chat_provider
    if not provider:
        return (
            "off",
            "None is set: answers quote the sources word for word.",
            "Choose one in the side bar, or set CHAT_PROVIDER and CHAT_MODEL.",
        )
    from core.llm.choice import check_provider

    return check_provider(program.settings)


def _ollama(program: Program) -> Verdict:
    from core.llm.offers import own_server

    return own_server(program.settings)


def _web(program: Program) -> Verdict:
    if not program.settings.searxng_url:
        return "off", "No SearXNG is set.", "Set SEARXNG_URL to search the live web."
    from core.llm.transport import shown_address

    program.check_web_search()
    return "ok", f"SearXNG at {shown_address(program.settings.searxng_url)} answers in JSON.", ""


def _background(program: Program) -> Verdict:
    ended = failures().all()
    if not ended:
        return "ok", "Everything that works in the background runs.", ""
    times = [f"{one.thread}: {one.times} times, by {one.error}" for one in ended[:5]]
    return (
        "warning",
        f"Threads ended by a fault and were started again ({'; '.join(times)}).",
        "Look in the log for what they worked on.",
    )


def _login(program: Program) -> Verdict:
    if program.settings.login == "required":
        return "ok", "Everybody signs in, and can share sessions by e-mail address.", ""
    return (
        "off",
        "Browsers are known by a cookie, so sessions can be shared with nobody by name.",
        "Set LOGIN=required; docs/operations.md, Login and sharing, has an example.",
    )
