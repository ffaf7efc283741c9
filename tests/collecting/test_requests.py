"""A request to collect stays within what the operator allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.collecting.dumps import dump_names
from core.collecting.requests import checked, source_name
from core.config import Settings
from core.errors import InvalidRequest
from core.types import CollectKind, CollectRequest

LIMIT = Settings(collect_pages=50)


def site(*urls: str, pages: int = 10) -> CollectRequest:
    return CollectRequest(CollectKind.SITE, urls=urls, pages=pages)


def test_pages_and_pairs_are_held_to_the_operators_limit() -> None:
    assert checked(site("https://example.org/", pages=1_000_000), LIMIT).pages == 50
    for asked, allowed in ((0, 50), (20, 20), (1_000_000, 50)):
        dump = CollectRequest(CollectKind.STACK_EXCHANGE, files=("Posts.xml",), limit=asked)
        assert checked(dump, LIMIT).limit == allowed


def test_addresses_are_canonical_and_few() -> None:
    twice = site("https://Example.org/a?utm_source=x", "https://example.org/a")
    assert checked(twice, LIMIT).urls == ("https://example.org/a",)
    with pytest.raises(InvalidRequest, match="At most"):
        checked(site(*(f"https://example.org/{n}" for n in range(21))), LIMIT)


def test_another_limit_is_the_same_source() -> None:
    few, many = site("https://example.org/", pages=1), site("https://example.org/", pages=9)
    assert source_name(few) == source_name(many)


def test_links_in_the_folder_of_dumps_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_text("<posts/>")
    folder = tmp_path / "dumps"
    folder.mkdir()
    (folder / "Posts.xml").write_text("<posts/>")
    (folder / "Users.xml").symlink_to(tmp_path / "secret.xml")
    assert dump_names(str(folder)) == ["Posts.xml"]
