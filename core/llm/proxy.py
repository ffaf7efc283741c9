"""Which proxy leads to a model's server (pure): company networks often let nothing else out.

Only encrypted requests to other machines go through one; pages are never fetched through it.
"""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from core.errors import ModelUnreachable


def proxy_for(address: str, proxy: str, no_proxy: str) -> str | None:
    """The proxy for an address, None for a direct connection; `proxy` and `no_proxy` as in curl.

    Raises `ModelUnreachable` for a proxy that cannot be one.

    >>> proxy_for("https://models.example/v1", "proxy.example:3128", "localhost,.corp.example")
    'http://proxy.example:3128'
    >>> proxy_for("https://llm.corp.example/v1", "proxy.example:3128", "localhost,.corp.example")
    >>> proxy_for("http://127.0.0.1:11434", "proxy.example:3128", "")
    """
    parts = urlsplit(address)
    host = (parts.hostname or "").lower()
    if not proxy or parts.scheme != "https" or _is_here(host) or _is_named(host, no_proxy):
        return None
    url = proxy if "://" in proxy else f"http://{proxy}"
    if urlsplit(url).scheme not in ("http", "https") or not _port_is_sane(url):
        raise ModelUnreachable(
            "HTTPS_PROXY is not the address of a proxy.",
            "Set it to http://host:port, with user:password@ before the host if it wants them.",
        )
    return url


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _is_named(host: str, no_proxy: str) -> bool:
    """Whether a list names the host or a domain above it; "*" names all."""
    for entry in no_proxy.lower().split(","):
        name = entry.strip().removeprefix("*").lstrip(".").partition(":")[0]
        if entry.strip() == "*" or (name and (host == name or host.endswith(f".{name}"))):
            return True
    return False


def _port_is_sane(url: str) -> bool:
    try:
        return bool(urlsplit(url).hostname) and urlsplit(url).port != 0
    except ValueError:
        return False
