"""Behind a real nginx with TLS, as docs/operations.md sets it up: page, WebSocket, upload, REST,
streaming and login, at the top of a host and below a path."""

from __future__ import annotations

import re
import shutil
import ssl
import subprocess
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html.parser import HTMLParser
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urljoin

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from tests.browser.servers import ROOT, Server, footnote_in, free_port
from tests.standins.openid import Account, OpenIdStandin

pytestmark = pytest.mark.K06

NGINX = shutil.which("nginx") or "/usr/sbin/nginx"
IDA = Account("7", "Ida Holm", "ida@example.org")
HOST = "docs.example.org"


def documented(port: int, public_port: int, folder: Path, prefix: str) -> str:
    """The configuration of docs/operations.md for a server on `port`."""
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")
    found = re.search(r"<!-- nginx: begin -->\n```nginx\n(.*?)```", page, re.DOTALL)
    assert found
    own = {
        "listen 443 ssl": f"listen 127.0.0.1:{public_port} ssl",
        "/etc/ssl/docs.example.org.pem": str(folder / "cert.pem"),
        "/etc/ssl/docs.example.org.key": str(folder / "key.pem"),
        "location /footnote/": f"location {prefix}/",
        "127.0.0.1:8501": f"127.0.0.1:{port}",
    }
    text = found[1]
    for written, put in own.items():
        assert written in text, written
        text = text.replace(written, put)
    return text


def certificate(folder: Path) -> None:
    """A certificate for `HOST` that is signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    names = x509.SubjectAlternativeName(
        [x509.DNSName(HOST), x509.IPAddress(ip_address("127.0.0.1"))]
    )
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    (folder / "cert.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


@contextmanager
def nginx(folder: Path, server_block: str) -> Iterator[None]:
    """nginx with this server, in the foreground, ended by its id."""
    folder.mkdir(exist_ok=True)
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log;\n"
        f"events {{ worker_connections 256; }}\n"
        f"http {{ access_log off;\n{temporary}{server_block}}}"
    )
    command = [NGINX, "-p", str(folder), "-e", f"{folder}/error.log", "-c", f"{folder}/nginx.conf"]
    process = subprocess.Popen(command)
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


@dataclass(frozen=True)
class Site:
    """A server behind nginx, at the address that people type."""

    url: str
    server: Server
    provider: OpenIdStandin
    trusted: ssl.SSLContext

    def browser(self) -> httpx.Client:
        return httpx.Client(verify=self.trusted, trust_env=False, timeout=60)

    def origin(self) -> str:
        return "/".join(self.url.split("/")[:3])

    @contextmanager
    def page(self, browser: httpx.Client, origin: str = "") -> Iterator[ClientConnection]:
        """The WebSocket of a page of that browser."""
        cookies = "; ".join(f"{one.name}={one.value}" for one in browser.cookies.jar)
        token = browser.cookies.get("_streamlit_xsrf", "")
        with connect(
            self.url.replace("https", "wss", 1) + "/_stcore/stream",
            subprotocols=["streamlit", token],
            additional_headers={"Cookie": cookies},
            origin=origin or self.origin(),
            ssl=self.trusted,
            max_size=None,
            proxy=None,
        ) as socket:
            asked = BackMsg()
            asked.rerun_script.query_string = ""
            socket.send(asked.SerializeToString())
            yield socket


@dataclass
class Run:
    """What one run of a page sends."""

    page: str = ""
    text: bytes = b""
    buttons: dict[str, str] = field(default_factory=dict)
    redirect: str = ""


def run(socket: ClientConnection, found: Run | None = None) -> Run:
    """Follow a run of the page to its end, or to where it sends the browser."""
    found = found or Run()
    for raw in socket:
        assert isinstance(raw, bytes)
        message = ForwardMsg.FromString(raw)
        kind = message.WhichOneof("type")
        found.text += raw
        if kind == "new_session":
            found.page = message.new_session.initialize.session_id
        elif kind == "delta" and message.delta.new_element.WhichOneof("type") == "button":
            button = message.delta.new_element.button
            found.buttons[button.label] = button.id
        elif kind == "auth_redirect":
            found.redirect = message.auth_redirect.url
            return found
        elif kind == "script_finished":
            return found
    raise AssertionError("the page did not run")


def click(socket: ClientConnection, found: Run, label: str) -> Run:
    """Press a button of the page."""
    asked = BackMsg()
    asked.rerun_script.query_string = ""
    state = asked.rerun_script.widget_states.widgets.add()
    state.id, state.trigger_value = found.buttons[label], True
    socket.send(asked.SerializeToString())
    return run(socket, found)


@pytest.fixture(scope="module", params=["", "/footnote"], ids=["top", "path"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    prefix: str = request.param
    folder = tmp_path_factory.mktemp("proxy")
    certificate(folder)
    port, public_port = free_port(), free_port()
    url = f"https://127.0.0.1:{public_port}{prefix}"
    trusted = ssl.create_default_context(cafile=str(folder / "cert.pem"))
    with OpenIdStandin(IDA) as provider:
        home = folder / "home"
        (home / ".streamlit").mkdir(parents=True)
        (home / ".streamlit" / "secrets.toml").write_text(provider.secrets(url))
        own = {"HOME": str(home), "LOGIN": "required", "PUBLIC_URL": url, "MIN_FREE_MB": "1"}
        with (
            footnote_in(folder, port, **own) as server,
            nginx(folder / "nginx", documented(port, public_port, folder, prefix)),
        ):
            site = Site(url, server, provider, trusted)
            _wait(site)
            yield site


def _wait(site: Site) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            if httpx.get(f"{site.url}/api/health", verify=site.trusted, trust_env=False).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("nginx does not pass anything on")


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "script" and (source := dict(attributes).get("src")):
            self.found.append(source)


def opened(site: Site, browser: httpx.Client) -> None:
    """Open the page in a browser, with the token that its uploads need."""
    browser.get(f"{site.url}/")
    browser.get(f"{site.url}/_stcore/health")
    browser.headers["X-Xsrftoken"] = browser.cookies["_streamlit_xsrf"]


def upload(site: Site, browser: httpx.Client, page: str) -> int:
    """The status with which a small file is answered."""
    address = f"{site.url}/_stcore/upload_file/{page}/{uuid.uuid4()}"
    own = {"Origin": site.origin()}
    return browser.put(address, files={"file": ("a.txt", b"text")}, headers=own).status_code


def test_the_page_and_its_scripts_come_from_the_public_address(site: Site) -> None:
    with site.browser() as browser:
        page = browser.get(f"{site.url}/")
        assert page.status_code == 200
        cookie = page.headers["set-cookie"]
        assert cookie.startswith("__Host-footnote_owner_")
        assert "Secure" in cookie
        scripts = _Scripts()
        scripts.feed(page.text)
        assert scripts.found
        for source in scripts.found:
            got = browser.get(urljoin(f"{site.url}/", source))
            assert got.status_code == 200
            assert "javascript" in got.headers["content-type"]


def test_the_websocket_is_the_own_origins_alone(site: Site) -> None:
    with site.browser() as browser:
        opened(site, browser)
        for origin in ("https://evil.example", site.origin().replace("https", "http"),
                       site.server.url):  # fmt: skip
            with pytest.raises(InvalidStatus) as refused, site.page(browser, origin):
                pass
            assert refused.value.response.status_code == 403


def test_people_sign_in_and_only_they_upload(site: Site) -> None:
    with site.browser() as browser:
        opened(site, browser)
        with site.page(browser) as socket:
            before = run(socket)
            assert upload(site, browser, before.page) == 403
            there = click(socket, before, "Sign in").redirect
        at_provider = browser.get(urljoin(f"{site.url}/", there))
        back = httpx.get(at_provider.headers["location"], trust_env=False)
        assert back.headers["location"].startswith(f"{site.url}/oauth2callback")
        link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
        done = browser.get(back.headers["location"], headers=link)
        assert done.status_code == 302
        with site.page(browser) as socket:
            after = run(socket)
            assert b"Ida Holm" in after.text
            assert upload(site, browser, after.page) in (200, 204)


def test_the_api_asks_for_a_key_and_its_pages_know_where_they_are(site: Site) -> None:
    with site.browser() as browser:
        assert browser.get(f"{site.url}/api/health").json() == {"status": "ok"}
        assert browser.get(f"{site.url}/api/sessions").status_code == 401
        foreign = {"Origin": "https://evil.example"}
        refused = browser.post(f"{site.url}/api/sessions", json={"name": "x"}, headers=foreign)
        assert refused.status_code == 403
        assert browser.get(f"{site.url}/_stcore/metrics").status_code == 404
