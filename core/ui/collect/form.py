"""What to collect: a tab for each kind, a look before the large run, and the start."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st
from streamlit.typing import UploadedFile

from core.types import CollectKind, CollectRequest
from core.ui.collect.formatting import look_words, sections_words
from core.ui.shell.addresses import addresses_in
from core.ui.shell.context import PageContext
from core.ui.shell.errors import show_errors
from core.ui.shell.escaping import escape_markdown, printable
from core.ui.shell.folding import is_wanted

_DOCS = "https://docs.python.org/3/"
_LOOK = "collect-look"
_UPLOADED = "collect-uploaded"
_DUMPS = ["xml", "gz", "7z", "csv", "json", "jsonl"]


def show_form(context: PageContext) -> None:
    """The tabs; each ends with the same two buttons."""
    forms = {
        "Python documentation": _of_docs,
        "Stack Exchange": _of_questions,
        "Web site": _of_site,
        "Documentation file": _of_file,
    }
    tabs = st.tabs(list(forms), on_change="rerun", key="collect-tab")
    for tab, (name, form) in zip(tabs, forms.items(), strict=True):
        if is_wanted(tab, f"collect-{name}"):
            with tab:
                _buttons(context, form(context))


def _of_docs(context: PageContext) -> CollectRequest:
    url = st.text_input(
        "Start page",
        _DOCS,
        key="docs-url",
        help="The documentation of Python, a mirror of it, or another one made by Sphinx.",
    )
    news = st.toggle("Include What's New", key="docs-news")
    request = CollectRequest(
        CollectKind.PYTHON_DOCS, tuple(addresses_in(url)), pages=1_000, whats_new=news
    )
    return _limits(context, request, "docs")


def _of_site(context: PageContext) -> CollectRequest:
    urls = st.text_area(
        "Start pages, one per line",
        key="site-urls",
        height=90,
        placeholder="https://example.org/handbook/",
        help="Reads the pages below the folder of each address, by links and by sitemap.",
    )
    with st.container(horizontal=True):
        sitemaps = st.toggle("Use sitemaps", value=True, key="site-maps")
        whole = st.toggle("Whole site, not only pages below the address", key="site-whole")
    request = CollectRequest(
        CollectKind.SITE, tuple(addresses_in(urls)), sitemaps=sitemaps, whole_host=whole
    )
    return _limits(context, request, "site")


def _limits(context: PageContext, request: CollectRequest, key: str) -> CollectRequest:
    """The limits of a run; the operator's are above them."""
    most = context.service.settings.collect_pages
    block = st.expander("Limits", icon=":material/tune:", key=f"{key}-limits", on_change="rerun")
    if not is_wanted(block, f"{key}-limits"):
        return replace(request, pages=min(request.pages, most))
    with block, st.container(horizontal=True):
        pages = st.number_input("Pages", 1, most, min(request.pages, most), key=f"{key}-pages")
        depth = request.depth
        if request.kind is CollectKind.SITE:
            depth = st.number_input("Link depth", 0, 100, depth, key=f"{key}-depth")
        megabytes = st.number_input("Megabytes", 1, 10_000, request.megabytes, key=f"{key}-mb")
        minutes = st.number_input("Minutes", 1, 1_440, request.minutes, key=f"{key}-minutes")
    return replace(request, pages=pages, depth=depth, megabytes=megabytes, minutes=minutes)


# ------------------------------------------------------------------------------------ dumps


def _of_questions(context: PageContext) -> CollectRequest:
    names = context.service.collecting.dumps()
    chosen: str | None = None
    if names:
        chosen = st.selectbox(
            "Dump on the server",
            names,
            index=None,
            key="dump-name",
            placeholder="Choose one, or upload below",
        )
    files = st.file_uploader(
        "Posts.xml of a Stack Exchange dump (plain, .gz, .7z), or a table of questions and answers",
        type=_DUMPS,
        accept_multiple_files=True,
        key="dump-files",
        help="Add Users.xml as well to show the names of the authors.",
    )
    st.caption(
        "Dumps are at archive.org/details/stackexchange. For a dump that is too large to upload, "
        "the operator sets DUMPS_DIR to a folder on the server."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        tag = st.text_input("Tag", key="dump-tag", placeholder="All tags")
        most = context.service.settings.collect_pages
        limit = st.number_input("Questions", 1, most, min(500, most), key="dump-limit")
        score = st.number_input("Minimum score", -100, 100_000, 0, key="dump-score")
        site = st.text_input("Site", key="dump-site", placeholder="stackoverflow.com")
    accepted = st.toggle(
        "Only accepted answers",
        key="dump-accepted",
        help="Otherwise the answer with the highest score is used where none was accepted.",
    )
    request = CollectRequest(
        CollectKind.STACK_EXCHANGE,
        tag=tag,
        limit=limit,
        min_score=score,
        accepted_only=accepted,
        site=site,
    )
    return _with_files(context, request, chosen, names, files or [])


def _with_files(
    context: PageContext,
    request: CollectRequest,
    chosen: str | None,
    names: Sequence[str],
    files: Sequence[UploadedFile],
) -> CollectRequest:
    """The request with its dump: what was uploaded, else what was chosen on the server."""
    uploaded = {file.name: _kept(context, file) for file in files}
    users = next((at for name, at in uploaded.items() if name.lower().startswith("users")), "")
    posts = tuple(at for at in uploaded.values() if at and at != users)
    if posts or not chosen:
        return replace(request, files=posts, users=users)
    beside = chosen.replace("Posts.xml", "Users.xml")
    found = beside in names and beside != chosen
    return replace(request, files=(chosen,), users=beside if found else "")


def _kept(context: PageContext, file: UploadedFile) -> str:
    """The name under which an upload is kept; each upload is kept once."""
    kept: dict[str, str] = st.session_state.setdefault(_UPLOADED, {})
    key = f"{context.session.id}:{file.file_id}"
    if key not in kept:
        with show_errors():
            file.seek(0)
            kept[key] = context.service.collecting.keep_upload(context.session, file.name, file)
    return kept.get(key, "")


def _of_file(context: PageContext) -> CollectRequest:
    names = [name for name in context.service.collecting.dumps() if name.endswith(".json")]
    chosen: str | None = None
    if names:
        chosen = st.selectbox(
            "File on the server",
            names,
            index=None,
            key="documentation-name",
            placeholder="Choose one, or upload below",
        )
    file = st.file_uploader(
        "A documentation that another crawler stored as JSON",
        type=["json"],
        key="documentation-file",
        help="Sections with text and address, nested by name or in lists. Nothing is fetched.",
    )
    kept = _kept(context, file) if file else chosen
    return CollectRequest(CollectKind.DOCUMENTATION_FILE, files=(kept,) if kept else ())


# -------------------------------------------------------------------------- look and start


def _buttons(context: PageContext, request: CollectRequest) -> None:
    with st.container(horizontal=True):
        start = st.button(
            "Collect", type="primary", icon=":material/download:", key=f"start-{request.kind}"
        )
        look = st.button("Preview", icon=":material/visibility:", key=f"look-{request.kind}")
    if look:
        st.session_state.pop(_LOOK, None)
        with show_errors(), st.spinner("Loading the preview"):
            found = context.service.collecting.preview(context.session, request)
            st.session_state[_LOOK] = (context.session.id, request.kind, found)
    if start:
        st.session_state.pop(_LOOK, None)
        with show_errors():
            context.service.collecting.start(context.session, request)
            st.rerun()
    seen = st.session_state.get(_LOOK)
    if seen and seen[:2] == (context.session.id, request.kind):
        _preview(seen[2])


def _preview(look: Any) -> None:
    """What the first page, or the first questions, would give."""
    with st.container(border=True):
        head, *lines = look_words(look)
        st.markdown(f"**{escape_markdown(head)}**")
        st.caption("  \n".join(escape_markdown(line) for line in lines))
        if sections := sections_words(look):
            with st.expander("Sections"):
                st.text(printable("\n".join(sections)))
        if look.text:
            with st.container(height=200, border=False):
                st.text(printable(look.text))
