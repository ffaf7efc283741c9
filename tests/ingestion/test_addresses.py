"""A single address: fetched by the worker, read as a web page, cited with its address."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from core.config import Settings
from core.service import Service
from core.types import AddOutcome, DocumentKind, DocumentState
from tests.conftest import answer_of, settled

PAGE = """<!doctype html><html lang="en"><head><title>Port Amber</title></head><body>
<nav><a href="/">Home</a> <a href="/shop">Shop for umbrellas</a></nav><main><article>
<h1>Port Amber</h1><h2 id="fees">Fees</h2>
<p>The harbour fee of Port Amber is 12 crowns a night, and it is paid at the north gate.</p>
<p>Boats that stay for a whole week pay for six nights only, whatever their length may be.</p>
</article></main><footer>Copyright of nobody</footer></body></html>"""


class Site(BaseHTTPRequestHandler):
    """One page, and nothing else."""

    def do_GET(self) -> None:
        """The page at /amber.html, 404 elsewhere."""
        found = self.path == "/amber.html"
        body = (PAGE if found else "<p>Not here.</p>").encode()
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()


def test_an_address_becomes_a_document(settings: Settings, site: str) -> None:
    service = Service(settings.model_copy(update={"allowed_private_hosts": site}))
    try:
        session = service.sessions.create(service.owners.for_token("x"))
        address = f"http://{site}/amber.html"
        good, gone = service.documents.add_urls(session, [address, f"http://{site}/missing.html"])
        assert (good.outcome, gone.outcome) == (AddOutcome.ACCEPTED, AddOutcome.ACCEPTED)
        page, missing = settled(service, session)
        assert (page.state, page.kind) == (DocumentState.READY, DocumentKind.WEB)
        assert page.title == "Port Amber"
        assert missing.state is DocumentState.FAILED
        assert "404" in missing.reason
        answer = answer_of(service, session, "What is the harbour fee of Port Amber?")
        citation = answer.citations[0]
        assert "12 crowns" in citation.quote
        assert citation.url == address
        assert f"{address}#" in service.documents.evidence(session, citation).link
        assert ":~:text=" in service.documents.evidence(session, citation).link
        text = service.documents.pages(session, page.id)[0].text
        assert "umbrellas" not in text
    finally:
        service.close()


def test_a_private_address_is_refused(settings: Settings, site: str) -> None:
    service = Service(settings)
    try:
        session = service.sessions.create(service.owners.for_token("x"))
        results = service.documents.add_urls(session, [f"http://{site}/amber.html"])
        documents = settled(service, session)
        reasons = [r.reason for r in results] + [d.reason for d in documents]
        assert any("not allowed" in reason or "private" in reason for reason in reasons)
        assert all(d.state is DocumentState.FAILED for d in documents)
    finally:
        service.close()
