"""A request to collect: held to what is allowed, and the name of the source that it asks for."""

from __future__ import annotations

from dataclasses import replace

from core.config import Settings
from core.errors import InvalidRequest
from core.ids import digest
from core.types import CollectKind, CollectRequest
from core.urls import canonical_url

_MOST_ADDRESSES = 20


def checked(request: CollectRequest, settings: Settings) -> CollectRequest:
    """The request with canonical addresses, within what the operator allows.

    Raises `InvalidUrl` and `InvalidRequest`.
    """
    most = settings.collect_pages
    if request.kind.reads_files and not request.files:
        raise InvalidRequest("No file was chosen.", "Choose a file or upload one.")
    if request.kind is CollectKind.DOCUMENTATION_FILE:
        return replace(request, urls=(), files=request.files[:1])
    if request.kind is CollectKind.STACK_EXCHANGE:
        limit = min(request.limit or most, most)
        return replace(request, urls=(), limit=limit, tag=request.tag.strip())
    urls = tuple(dict.fromkeys(canonical_url(url) for url in request.urls if url.strip()))
    if not urls:
        raise InvalidRequest("No address was given.", "Give the address of its first page.")
    if len(urls) > _MOST_ADDRESSES:
        raise InvalidRequest(f"At most {_MOST_ADDRESSES} addresses can be collected at once.")
    return replace(
        request,
        urls=urls[:1] if request.kind is CollectKind.PYTHON_DOCS else urls,
        pages=min(max(request.pages, 1), most),
        depth=min(max(request.depth, 0), 100),
    )


def source_name(request: CollectRequest) -> str:
    """The name of what is collected: the same for a run with other limits."""
    parts = [*request.urls, str(request.whole_host), str(request.whats_new)]
    if request.kind is CollectKind.STACK_EXCHANGE:
        parts = [*request.files, request.tag.lower(), request.site]
    elif request.kind is CollectKind.DOCUMENTATION_FILE:
        parts = [*request.files]
    return f"{request.kind}-{digest(*parts)[:16]}"
