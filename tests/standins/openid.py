"""A provider of OpenID Connect that lets in whoever `who` says, without a question.

Discovery, an authorize endpoint that redirects at once, a token endpoint with PKCE that signs its
ID tokens, the keys to check them with, and the end of a session.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

from tests.standins.loopback import Loopback

CLIENT_ID, CLIENT_SECRET = "footnote", "secret-of-the-client"


@dataclass(frozen=True)
class Account:
    """Somebody who has an account at the provider."""

    subject: str
    name: str
    email: str
    verified: bool = True


class OpenIdStandin(Loopback):
    """The provider. A context manager; `who` is let in by the next sign-in.

    >>> with OpenIdStandin(Account("1", "Ida", "ida@example.org")) as provider:  # doctest: +SKIP
    ...     write_secrets(provider.secrets("http://127.0.0.1:8501"))
    """

    def __init__(self, who: Account, port: int = 0) -> None:
        self.who = who
        self.ended: list[str] = []
        self.key = RSAKey.generate_key(2048, {"kid": "1", "use": "sig", "alg": "RS256"})
        self.codes: dict[str, dict[str, Any]] = {}
        super().__init__(_handler_for(self), port)

    @property
    def url(self) -> str:
        """The issuer."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def secrets(self, app: str) -> str:
        """What `.streamlit/secrets.toml` of an app at this address has to say."""
        return (
            "[auth]\n"
            f'redirect_uri = "{app}/oauth2callback"\n'
            f'cookie_secret = "{secrets.token_hex(32)}"\n'
            f'client_id = "{CLIENT_ID}"\n'
            f'client_secret = "{CLIENT_SECRET}"\n'
            f'server_metadata_url = "{self.url}/.well-known/openid-configuration"\n'
        )

    def discovery(self) -> dict[str, Any]:
        """The metadata of the provider."""
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/jwks",
            "end_session_endpoint": f"{self.url}/logout",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def authorize(self, asked: dict[str, str]) -> str:
        """Where the browser goes: back to the app with a code for whoever is let in."""
        assert asked["client_id"] == CLIENT_ID
        assert "openid" in asked["scope"]
        code = secrets.token_urlsafe(16)
        self.codes[code] = {"asked": asked, "who": self.who}
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, asked: dict[str, str]) -> dict[str, Any]:
        """The tokens for a code, which is good once and for whoever began the sign-in."""
        given = self.codes.pop(asked["code"])
        who: Account = given["who"]
        begun = given["asked"]
        verifier = hashlib.sha256(asked["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(verifier).rstrip(b"=").decode()
        assert challenge == begun["code_challenge"]
        now = int(time.time())
        claims = {
            "iss": self.url, "aud": CLIENT_ID, "sub": who.subject, "iat": now, "exp": now + 600,
            "nonce": begun["nonce"], "name": who.name, "email": who.email,
            "email_verified": who.verified,
        }  # fmt: skip
        claims = {name: value for name, value in claims.items() if value is not None}
        id_token = jwt.encode({"alg": "RS256", "kid": "1"}, claims, self.key)
        return {
            "access_token": secrets.token_urlsafe(16), "token_type": "Bearer", "expires_in": 600,
            "id_token": id_token,
        }  # fmt: skip


def _handler_for(provider: OpenIdStandin) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            address = urlsplit(self.path)
            asked = {name: values[0] for name, values in parse_qs(address.query).items()}
            match address.path:
                case "/.well-known/openid-configuration":
                    self._json(provider.discovery())
                case "/jwks":
                    self._json({"keys": [provider.key.as_dict(private=False)]})
                case "/authorize":
                    self._go(provider.authorize(asked))
                case "/logout":
                    provider.ended.append(asked.get("id_token_hint", ""))
                    self._go(asked["post_logout_redirect_uri"])
                case _:
                    self.send_error(404)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0"))).decode()
            asked = {name: values[0] for name, values in parse_qs(body).items()}
            basic = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
            by_body = asked.get("client_secret") == CLIENT_SECRET
            if by_body or self.headers.get("Authorization") == f"Basic {basic}":
                self._json(provider.token(asked))
            else:
                self.send_error(401)

        def _json(self, data: dict[str, Any]) -> None:
            body = json.dumps(data).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _go(self, where: str) -> None:
            self.send_response(302)
            self.send_header("Location", where)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    return Handler
