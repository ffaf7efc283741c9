"""Names that people give, and the tags made of the folders of their files."""

from __future__ import annotations

import pytest

from core.text.names import MOST_TAG, clean_tag, folder_tags


def test_a_tag_is_one_line_of_what_can_be_seen() -> None:
    assert clean_tag("  Annual \n reports\u202e ") == "Annual reports"
    assert clean_tag("\u200b") == ""
    assert len(clean_tag("x" * 300)) == MOST_TAG


@pytest.mark.parametrize(
    ("path", "tags"),
    [
        ("rent.pdf", ()),
        ("contracts/rent.pdf", ("contracts",)),
        ("contracts/2024/rent.pdf", ("contracts", "2024")),
        ("contracts\\2024\\rent.pdf", ("contracts", "2024")),
        ("/../.././contracts//contracts/rent.pdf", ("contracts",)),
        ("a/b/c/d/e/f/g.txt", ("a", "b", "c", "d", "e")),
    ],
)
def test_folders_become_tags(path: str, tags: tuple[str, ...]) -> None:
    assert folder_tags(path) == tags
