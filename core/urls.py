"""Which web addresses this program may contact: strict parsing, and the check of each IP address.

One parse decides the host, the port and the target that are used from there on; nothing parses
the address a second time. A name is judged by every address that it resolves to, at the moment
of the connection (`fetch.py`), never before it.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

import idna

from core.errors import AddressNotAllowed, InvalidUrl, SettingsError

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
AllowedHosts = frozenset[tuple[str, int | None]]
"""Pairs of host and port that the operator listed; the port None stands for the usual ones."""

USUAL_PORTS = frozenset({80, 443, 8080, 8443})
LONGEST_URL = 8192

_DEFAULT_PORT = {"http": 80, "https": 443}
_LABEL = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)")
_NETLOC = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\[\]:@%]+)(?::(?P<port>[0-9]{0,5}))?")
_SECRET_PARAMETER = re.compile(
    r"(?i)(access|auth|id|refresh|session|csrf|xsrf)?[-_]?token|api[-_]?key|auth|authorization"
    r"|client[-_]?secret|jwt|pass(word|wd|phrase)?|pwd|secret|sig|signature"
    r"|x-(amz|goog)-(signature|credential|security-token)"
)
_VISIT_PARAMETER = re.compile(
    r"(?i)utm_\w+|gclid|fbclid|msclkid|mc_[ce]id|_ga|phpsessid|jsessionid|aspsessionid\w*"
)
_NOT_PUBLIC_4 = tuple(
    ipaddress.IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # "this" network: Linux connects it to itself
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT; some clouds keep their metadata there
        "127.0.0.0/8",
        "169.254.0.0/16",  # link-local: cloud metadata
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_PUBLIC_6 = ipaddress.IPv6Network("2000::/3")
"""All that is handed out as global unicast; mapped, link-local and the rest lie outside."""
_NOT_PUBLIC_6 = tuple(
    ipaddress.IPv6Network(network)
    for network in (
        "2001::/23",  # Teredo, ORCHID, benchmarks
        "2001:db8::/32",
        "2002::/16",  # 6to4: an IPv4 address in disguise
        "3fff::/20",
    )
)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
"""What IPv6-only networks give for every IPv4 site: judged by the IPv4 address inside."""


@dataclass(frozen=True, slots=True)
class WebAddress:
    """A parsed http(s) address. `host` is lower-case ASCII, an IPv6 address without brackets.

    `target` is the path with the query, percent-encoded; there are no credentials and no
    fragment in it.
    """

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """Host and port as they stand in an address, the port only where it is unusual."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORT[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"


def parse_url(url: str) -> WebAddress:
    """Parse a web address strictly. Raises `InvalidUrl`.

    What two parsers could read in two ways is refused: backslashes, white space and control
    characters inside, percent signs in the host. User name and password are dropped.

    >>> parse_url("HTTP://user:pw@EXAMPLE.com:80/a b#top".replace(" ", "%20")).url
    'http://example.com/a%20b'
    """
    url = url.strip(" \t\r\n")
    if len(url) > LONGEST_URL:
        raise InvalidUrl(f"The address is longer than {LONGEST_URL:,} characters.")
    if re.search(r"[\x00-\x20\x7f\\]", url) or any(0xD800 <= ord(c) <= 0xDFFF for c in url):
        raise InvalidUrl("The address holds characters that no web address may hold.")
    try:
        parts = urlsplit(url)
    except ValueError:
        raise InvalidUrl("The address cannot be read as a web address.") from None
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORT:
        raise InvalidUrl("Only http and https links can be added.")
    match = _NETLOC.fullmatch(parts.netloc.rpartition("@")[2])
    if match is None:
        raise InvalidUrl("The address names no host that can be read.")
    port = int(match["port"]) if match["port"] else _DEFAULT_PORT[scheme]
    if not 0 < port < 65536:
        raise InvalidUrl("The address names a port that does not exist.")
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=-._~")
    query = quote(parts.query, safe="/?%:@!$&'()*+,;=-._~[]|")
    return WebAddress(scheme, _host(match["host"]), port, f"{path}?{query}" if query else path)


def _host(host: str) -> str:
    """The host in one spelling: IP addresses canonical, names in lower-case ASCII."""
    if host.startswith("["):
        try:
            return str(ipaddress.IPv6Address(host[1:-1]))
        except ValueError:
            raise InvalidUrl("The address holds an IPv6 address that cannot be read.") from None
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except (idna.IDNAError, UnicodeError):
            raise InvalidUrl("The host's name holds characters that no name may hold.") from None
    host = host.lower().removesuffix(".")
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise InvalidUrl("The host's name holds characters that no name may hold.")
    if labels[-1].isdigit() or re.fullmatch(r"0x[0-9a-f]*", labels[-1]):
        # 127.1, 2130706433 and 0x7f000001 are IPv4 addresses to the system's resolver.
        try:
            return str(ipaddress.IPv4Address(socket.inet_aton(host)))
        except OSError:
            raise InvalidUrl("The address holds an IPv4 address that cannot be read.") from None
    return host


def shown_url(url: str) -> str:
    """The address as it may be logged, stored and cited: no credentials, no secret parameters.

    >>> shown_url("https://me:pw@example.com/a?page=2&token=abc")
    'https://example.com/a?page=2'
    """
    address = parse_url(url)
    path, mark, query = address.target.partition("?")
    if not mark:
        return address.url
    pairs = parse_qsl(query, keep_blank_values=True)
    kept = [(name, value) for name, value in pairs if not _SECRET_PARAMETER.fullmatch(name)]
    if len(kept) == len(pairs):
        return address.url
    path = f"{path}?{urlencode(kept)}" if kept else path
    return WebAddress(address.scheme, address.host, address.port, path).url


def canonical_url(url: str) -> str:
    """The one spelling of an address under which a page is stored and compared.

    As `shown_url`, and without parameters that only track or number visits or stand there twice,
    with dot segments resolved. Raises `InvalidUrl`.

    >>> canonical_url("https://Example.com/a/../b?utm_source=x&amp;page=2#part")
    'https://example.com/b?page=2'
    """
    address = parse_url(url)
    path, _, query = address.target.partition("?")
    path = _without_dots(re.sub(r"(?i);jsessionid=[^/]*", "", path))
    pairs: dict[str, None] = {}
    for pair in filter(None, query.split("&")):
        pair = re.sub(r"^(amp;)+", "", pair)  # links of badly escaped pages grow by one each time
        name, _, value = pair.partition("=")
        if pair and not _VISIT_PARAMETER.fullmatch(name) and not _is_visit(name, value):
            pairs[pair] = None
    target = f"{path}?{'&'.join(pairs)}" if pairs else path
    return shown_url(WebAddress(address.scheme, address.host, address.port, target).url)


def _without_dots(path: str) -> str:
    """Resolve the segments "." and "..", as RFC 3986 (5.2.4) says."""
    kept: list[str] = []
    segments = path.split("/")[1:]
    for place, segment in enumerate(segments):
        if segment == ".." and kept:
            kept.pop()
        if segment not in (".", ".."):
            kept.append(segment)
        elif place == len(segments) - 1:
            kept.append("")
    return "/" + "/".join(kept)


def _is_visit(name: str, value: str) -> bool:
    """Whether a parameter numbers the visit: a session's name with a long random value."""
    known = re.fullmatch(r"(?i)s|sid|sess|session|session_?id", name)
    return bool(known and re.fullmatch(r"[0-9A-Za-z_-]{16,}", value))


def parse_allowed(listed: str) -> AllowedHosts:
    """Read `ALLOWED_PRIVATE_HOSTS`: "host" or "host:port", separated by commas.

    A host without a port may be reached on the usual ports. Raises `SettingsError`.

    >>> sorted(parse_allowed("wiki.local, 127.0.0.1:8000"), key=str)
    [('127.0.0.1', 8000), ('wiki.local', None)]
    """
    allowed = set()
    for entry in filter(None, (part.strip() for part in listed.split(","))):
        match = _NETLOC.fullmatch(entry)
        if match is None:
            raise SettingsError(f"ALLOWED_PRIVATE_HOSTS: {entry!r} is no host or host:port.")
        try:
            host = _host(match["host"])
        except InvalidUrl as error:
            raise SettingsError(f"ALLOWED_PRIVATE_HOSTS: {entry!r}. {error.message}") from None
        allowed.add((host, int(match["port"]) if match["port"] else None))
    return frozenset(allowed)


def is_listed(host: str, port: int, allowed: AllowedHosts) -> bool:
    """Whether the operator listed this host for this port."""
    return (host, port) in allowed or ((host, None) in allowed and port in USUAL_PORTS)


def check_port(address: WebAddress, allowed: AllowedHosts) -> None:
    """Raise `AddressNotAllowed` for a port on which no web pages are served."""
    if address.port not in USUAL_PORTS and not is_listed(address.host, address.port, allowed):
        raise AddressNotAllowed(f"This address is not allowed (port {address.port}).")


def check_ip(ip: str, host: str, port: int, allowed: AllowedHosts) -> None:
    """Raise `AddressNotAllowed` unless the program may connect to `ip` for `host`."""
    address = ipaddress.ip_address(ip.partition("%")[0])
    if is_public(address):
        return
    if is_listed(host, port, allowed) and (ip == host or not _never(address)):
        return
    raise AddressNotAllowed("This address is not allowed (private network).")


def is_public(address: IPAddress) -> bool:
    """Whether an IP address belongs to the public internet, by the registries of IANA.

    `ipaddress.is_global` is not enough: it passes NAT64, 6to4 and multicast addresses.

    >>> is_public(ipaddress.ip_address("64:ff9b::7f00:1"))
    False
    """
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_4)
    if address in _NAT64:
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address in _PUBLIC_6 and not any(address in network for network in _NOT_PUBLIC_6)


def _never(address: IPAddress) -> bool:
    """Addresses that a listed name must not lead to: no intranet serves its pages there."""
    return address.is_link_local or address.is_multicast or address.is_unspecified
