"""A proxy before the servers of models: used, told apart from them, and cut with the rest."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from core.config import Settings
from core.errors import ModelUnreachable
from core.llm.port import ChatMessage, complete
from core.llm.providers import list_models, make_chat_model
from core.llm.proxy import proxy_for
from tests.standins.gemini import GeminiStandin
from tests.standins.providers import choice_for, settings_for
from tests.standins.scripts import Reply
from tests.standins.server import Standin

HOST = "models.example"
ASKED = [ChatMessage("user", "Which?")]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a certificate for `HOST`, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = tmp_path_factory.mktemp("tls") / "models.pem"
    pem = serialization.Encoding.PEM
    plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file.write_bytes(made.public_bytes(pem) + key.private_bytes(pem, *plain))
    return file


class Proxy:
    """Takes CONNECT, ends the encryption itself, and passes on to `standin`; or refuses."""

    def __init__(self, standin: Standin, certificate: Path, refuse: bool = False) -> None:
        self.targets: list[str] = []
        self._standin, self._refuse = standin, refuse
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(certificate)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._serving = threading.Thread(target=self._serve, daemon=True)
        self._serving.start()

    @property
    def url(self) -> str:
        return f"http://me:pass@127.0.0.1:{self._listening.getsockname()[1]}"

    def close(self) -> None:
        """End the thread first: it would accept for whoever gets the closed socket's number."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._serving.join(10)
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                threading.Thread(target=self._talk, args=(client,), daemon=True).start()

    def _talk(self, client: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            head += client.recv(1024)
        self.targets.append(head.decode().split()[1])
        assert b"Proxy-Authorization: Basic" in head
        if self._refuse:
            client.sendall(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            client.close()
            return
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        inside = self._tls.wrap_socket(client, server_side=True)
        server = socket.create_connection(("127.0.0.1", self._standin.port))
        back = threading.Thread(target=_pass, args=(server, inside), daemon=True)
        back.start()
        _pass(inside, server)
        back.join(10)
        inside.close()
        server.close()


def _pass(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(4096):
            target.sendall(data)
    with suppress(OSError):
        socket.socket.shutdown(target, socket.SHUT_RDWR)


@pytest.fixture
def gemini(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Standin]:
    trusting = ssl.create_default_context(cafile=certificate)
    monkeypatch.setattr("core.llm.transport.certificates", lambda: trusting)
    with GeminiStandin(replies=[Reply(text="It is 42.")]) as standin:
        yield standin


def behind(standin: Standin, proxy: str, **changes: object) -> Settings:
    return settings_for(standin, gemini_url=f"https://{HOST}", https_proxy=proxy, **changes)


def test_a_server_behind_the_proxy_answers(gemini: Standin, certificate: Path) -> None:
    with closing(Proxy(gemini, certificate)) as proxy:
        settings = behind(gemini, proxy.url)
        model = make_chat_model(choice_for(gemini), settings)
        assert complete(model, ASKED, max_tokens=50) == "It is 42."
        assert list_models(choice_for(gemini), settings)
        assert set(proxy.targets) == {f"{HOST}:443"}


def test_a_stop_ends_the_request_behind_it(gemini: Standin, certificate: Path) -> None:
    gemini.queue(Reply("hang-middle", text="It is 42."))
    with closing(Proxy(gemini, certificate)) as proxy:
        model = make_chat_model(choice_for(gemini), behind(gemini, proxy.url))
        with model.stream(ASKED, max_tokens=50) as stream:
            assert next(stream)
        assert gemini.wait_gone() is not None


def test_a_proxy_that_refuses_is_named(gemini: Standin, certificate: Path) -> None:
    with closing(Proxy(gemini, certificate, refuse=True)) as proxy:
        model = make_chat_model(choice_for(gemini), behind(gemini, proxy.url))
        with pytest.raises(ModelUnreachable, match="through the proxy") as caught:
            complete(model, ASKED, max_tokens=50)
    assert "HTTPS_PROXY" in caught.value.cure
    assert "pass" not in caught.value.message + caught.value.cure


def test_a_proxy_that_is_not_there_is_named(gemini: Standin) -> None:
    model = make_chat_model(choice_for(gemini), behind(gemini, "http://127.0.0.1:9"))
    with pytest.raises(ModelUnreachable, match="through the proxy"):
        complete(model, ASKED, max_tokens=50)


def test_this_machine_is_reached_without_it(gemini: Standin) -> None:
    settings = settings_for(gemini, https_proxy="http://127.0.0.1:9")
    assert complete(make_chat_model(choice_for(gemini), settings), ASKED, max_tokens=50)


@pytest.mark.parametrize(
    ("address", "named", "through"),
    [
        ("https://api.example.com/v1", "", True),
        ("https://api.example.com/v1", "example.com", False),
        ("https://api.example.com/v1", ".example.com, other", False),
        ("https://api.example.com/v1", "*.example.com:443", False),
        ("https://api.example.com/v1", "ample.com", True),
        ("https://api.example.com/v1", "*", False),
        ("http://10.0.0.5:11434", "", False),
        ("https://localhost:8000/v1", "", False),
        ("https://127.0.0.2/v1", "", False),
        ("https://[::1]/v1", "", False),
    ],
)
def test_who_is_reached_through_it(address: str, named: str, through: bool) -> None:
    proxy = "http://proxy.example:3128"
    assert proxy_for(address, proxy, named) == (proxy if through else None)
    assert proxy_for(address, "", named) is None


@pytest.mark.parametrize("proxy", ["socks5://p:1", "http://", "http://p:port"])
def test_what_is_no_proxy_says_so(proxy: str) -> None:
    with pytest.raises(ModelUnreachable, match="HTTPS_PROXY"):
        proxy_for("https://api.example.com", proxy, "")
