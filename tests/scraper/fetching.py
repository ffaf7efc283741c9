"""What the tests of part A share: an address that must be refused, and a decoy that sees it."""

from __future__ import annotations

import socket
from collections.abc import Callable

import pytest

from core.config import Settings
from core.errors import AddressNotAllowed
from scraper.fetch import fetch

Answers = list[tuple[object, ...]]


def answers(*ips: str, port: int = 80) -> Answers:
    """What `socket.getaddrinfo` gives for these addresses."""
    families = [socket.AF_INET6 if ":" in ip else socket.AF_INET for ip in ips]
    return [
        (family, socket.SOCK_STREAM, 6, "", (ip, port))
        for family, ip in zip(families, ips, strict=True)
    ]


def must_be_private(url: str) -> None:
    """The address is refused as private, in plain words, with a cure."""
    with pytest.raises(AddressNotAllowed) as caught:
        fetch(url, Settings())
    assert "private network" in caught.value.message
    assert caught.value.cure


class Dialled:
    """Stands in for the network: answers names from a list, notes what is dialled."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, replies: list[Answers]) -> None:
        self.resolved: list[str] = []
        self.dialled: list[tuple[str, int]] = []
        self._replies = replies
        monkeypatch.setattr(socket, "getaddrinfo", self._resolve)
        monkeypatch.setattr(socket.socket, "connect", self._connect())

    def _resolve(self, host: str, *args: object, **kwargs: object) -> Answers:
        self.resolved.append(host)
        return self._replies[min(len(self.resolved), len(self._replies)) - 1]

    def _connect(self) -> Callable[[socket.socket, tuple[str, int]], None]:
        def connect(_: socket.socket, address: tuple[str, int]) -> None:
            self.dialled.append(address[:2])
            raise ConnectionRefusedError

        return connect
