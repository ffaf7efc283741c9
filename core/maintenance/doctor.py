"""The doctor: every part of the program asked whether it works, with the cure where it does not."""

from __future__ import annotations

import importlib.util
import shutil
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.errors import AppError
from core.maintenance.checking import healthy
from core.types import Health, Verdict

if TYPE_CHECKING:
    from core.service import Service

_PROBED = 50
"""Sessions that the doctor looks into; a check looks into all."""


def examine(service: Service) -> list[Health]:
    """One `Health` for each part, in the order in which a question passes through them."""
    parts: dict[str, Callable[[Service], Verdict]] = {
        "Catalogue": _catalogue,
        "Disk": _disk,
        "Embedding model": _embedding,
        "Indexes": _indexes,
        "Reranker": _reranker,
        "OCR": _ocr,
        "Language model": _language_model,
        "Live web": _web,
        "Login": _login,
    }
    return [_examined(name, check, service) for name, check in parts.items()]


def _examined(name: str, check: Callable[[Service], Verdict], service: Service) -> Health:
    began = time.monotonic()
    try:
        state, detail, cure = check(service)
    except AppError as error:
        state, detail, cure = "error", error.message, error.cure
    return Health(name, state, detail, cure, time.monotonic() - began)


def _catalogue(service: Service) -> Verdict:
    sessions = len(service.catalogue.sessions.ids())
    if not service.catalogue.database.erased():
        return (
            "warning",
            "Deleted text is not yet overwritten in its file.",
            "It is as soon as nothing is being read and the disk has room for a copy of the file.",
        )
    noun = "session" if sessions == 1 else "sessions"
    return "ok", f"{sessions} {noun} in {service.settings.data_dir}", ""


def _disk(service: Service) -> Verdict:
    free = shutil.disk_usage(service.settings.data_dir).free // 1_000_000
    least = service.settings.min_free_mb
    if free < least:
        return "error", f"{free} MB free, {least} MB needed", "Free some space on this disk."
    return "ok", f"{free / 1000:.1f} GB free", ""


def _embedding(service: Service) -> Verdict:
    embedder = service.embedder()
    embedder.embed_query("Does it answer?")
    return "ok", f"{embedder.name}, {embedder.dimension} dimensions", ""


def _indexes(service: Service) -> Verdict:
    state = service.upkeep.state()
    if state.running and state.task != "backup":
        share = f": {state.done} of {state.total}" if state.total else ""
        cure = "Questions are answered meanwhile, by words alone where vectors are made again."
        return "warning", f"{state.doing or 'Being checked'}{share}.", cure
    if not service.ready():
        return "warning", "Being checked against the catalogue.", "Wait until it is done."
    if state.failure is not None:
        return "error", state.failure.text, state.failure.cure
    if other := len(service.upkeep.of_another_model()):
        noun = "session was" if other == 1 else "sessions were"
        return (
            "warning",
            f"{other} {noun} indexed with another embedding model: searched by words alone.",
            "Rebuild the indexes (below), or set EMBEDDING_MODEL back. Nothing is lost until then.",
        )
    sessions = service.catalogue.sessions.ids()[:_PROBED]
    if not all(healthy(service.stores, session_id) for session_id in sessions):
        return (
            "error",
            "Sampled passages do not find themselves.",
            "Check everything (below): what is damaged is made again from the catalogue.",
        )
    return "ok", "Sampled passages find themselves.", ""


def _reranker(service: Service) -> Verdict:
    reranker = service.reranker()
    if reranker is None:
        return "off", "None is set; results keep the fused order.", ""
    return reranker.state()


def _ocr(service: Service) -> Verdict:
    if not service.settings.ocr:
        return "off", "Pages without text are only counted.", "Set OCR=true to read them."
    if importlib.util.find_spec("rapidocr_onnxruntime") is None:
        return (
            "error",
            "rapidocr-onnxruntime is not installed.",
            "Run `pip install -r requirements.txt` again.",
        )
    return "ok", "Pages without text are read by OCR.", ""


def _language_model(service: Service) -> Verdict:
    provider = service.settings.chat_provider
    if not provider:
        return (
            "off",
            "None is set: answers quote the sources word for word.",
            "Choose one in the side bar, or set CHAT_PROVIDER and CHAT_MODEL.",
        )
    from core.llm.choice import check_provider

    return check_provider(service.settings)


def _web(service: Service) -> Verdict:
    if not service.settings.searxng_url:
        return "off", "No SearXNG is set.", "Set SEARXNG_URL to search the live web."
    from core.llm.transport import shown_address

    service.web.searxng.check()
    return "ok", f"SearXNG at {shown_address(service.settings.searxng_url)} answers in JSON.", ""


def _login(service: Service) -> Verdict:
    if service.settings.login == "required":
        return "ok", "Everybody signs in, and can share sessions by e-mail address.", ""
    return (
        "off",
        "Browsers are known by a cookie, so sessions can be shared with nobody by name.",
        "Set LOGIN=required; docs/operations.md, Login and sharing, has an example.",
    )
