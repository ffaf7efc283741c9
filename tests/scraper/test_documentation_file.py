"""A documentation in one JSON file of another crawler: its pages, and what is refused."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from core.errors import DamagedFile, TooLarge, UnsupportedType
from scraper import documentation_file
from scraper.collection import read_json
from scraper.documentation_file import EXPECTED, Documentation, main, read

BASE = "https://docs.e.org/3/"
PUBLISHED = {
    "Tutorial": {
        "introduction": {
            "text": "Python is easy to learn.",
            "metadata": {"source": "Python Documentation", "url": f"{BASE}tutorial/intro.html"},
        },
        "classes": {"text": "Classes bundle data.", "metadata": {"url": f"{BASE}tutorial/c.html"}},
    },
    "Library": {
        "text": "The library.",
        "metadata": {"url": f"{BASE}library/"},
        "os": {"text": "The os module.", "metadata": {"url": f"{BASE}library/os.html"}},
    },
}
"""Sections by name, as `python_docs.json` of the published system has them."""
LISTS = {
    "title": "Guide",
    "url": "https://e.org/guide/",
    "text": "A guide.",
    "children": [
        {"title": "Set up", "url": "#set-up", "content": "Install it.", "children": [
            {"title": "On Windows", "url": "#windows", "text": "Run the installer."},
            {"heading": "Notes", "text": "No address of its own."},
        ]},
        {"title": "Use", "url": "use.html", "text": "Start it."},
    ],
}  # fmt: skip
"""Sections in lists, with addresses relative to that of the section around them."""


def of(value: Any) -> Documentation:
    return read(BytesIO(json.dumps(value).encode()))


def test_sections_by_name_are_pages_with_address_and_trail() -> None:
    found = of(PUBLISHED)
    assert [(page.section, page.page.title, page.page.url) for page in found.pages] == [
        ("Tutorial", "introduction", f"{BASE}tutorial/intro.html"),
        ("Tutorial", "classes", f"{BASE}tutorial/c.html"),
        ("Library", "Library", f"{BASE}library/"),
        ("Library", "os", f"{BASE}library/os.html"),
    ]
    assert [page.position for page in found.pages] == [0, 1, 2, 3]
    first = found.pages[0].page
    assert first.markdown == "Tutorial\n\nintroduction\n\nPython is easy to learn."
    assert [(h.level, h.title, h.anchor) for h in first.headings] == [
        (1, "Tutorial", None),
        (2, "introduction", None),
    ]
    assert all(first.markdown[h.offset :].startswith(h.title) for h in first.headings)
    assert first.site == "Python Documentation"
    assert found.left_out == ()


def test_sections_of_one_page_have_their_anchors() -> None:
    guide, use = (page.page for page in of(LISTS).pages)
    assert (guide.url, use.url) == ("https://e.org/guide/", "https://e.org/guide/use.html")
    assert [(h.level, h.title, h.anchor) for h in guide.headings] == [
        (1, "Guide", None),
        (2, "Set up", "set-up"),
        (3, "On Windows", "windows"),
        (3, "Notes", None),
    ]
    assert guide.markdown.endswith(
        "On Windows\n\nRun the installer.\n\nNotes\n\nNo address of its own."
    )
    assert [h.title for h in use.headings] == ["Guide", "Use"]


def test_a_list_of_pages_without_nesting() -> None:
    found = of([{"url": "https://e.org/a", "title": "A", "text": "First."},
                {"url": "https://e.org/b", "text": "Second."}])  # fmt: skip
    assert [(p.page.title, p.section) for p in found.pages] == [
        ("A", "A"),
        ("https://e.org/b", "https://e.org/b"),
    ]


def test_what_has_no_place_is_left_out_with_its_reason() -> None:
    found = of({"A": {"text": "Nowhere.", "B": {"text": "Here.", "url": "https://e.org/b"}},
                "C": {"text": "A script.", "url": "javascript:alert(1)"}})  # fmt: skip
    assert [page.page.url for page in found.pages] == ["https://e.org/b"]
    assert found.left_out == (
        ("A", "It has no address."),
        ("javascript:alert(1)", "Only http and https links can be added."),
    )


def test_links_and_repetitions_are_no_sections() -> None:
    link = {"text": "Next page", "url": "https://e.org/next"}
    page = {"text": "The text.", "url": "https://e.org/a", "links": [link]}
    found = of({"One": page, "Two": page})
    assert [(p.page.url, p.page.markdown) for p in found.pages] == [
        ("https://e.org/a", "One\n\nThe text.")
    ]


def test_what_cannot_be_seen_or_written_is_taken_out() -> None:
    (page,) = of({"A\u200b\nb": {"text": "x\ud800\u202ey", "url": "https://e.org/a#%C3%A9"}}).pages
    assert (page.page.title, page.page.markdown) == ("A b", "A b\n\nx\ufffdy")
    assert page.page.headings[0].anchor == "é"


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b'{"A": {"text": "cut', DamagedFile),
        (b"no JSON", DamagedFile),
        (b"\xff\xfe\x00", DamagedFile),
        (b"[" * 100_000, DamagedFile),
        (b"9" * 5_000, DamagedFile),
        (b"[]", UnsupportedType),
        (b'"a text"', UnsupportedType),
        (b'{"name": "left-pad", "version": "1.0.0"}', UnsupportedType),
        (b'{"A": {"text": "No address."}}', UnsupportedType),
        (b'{"A": {"url": "https://e.org/", "text": 3}}', UnsupportedType),
    ],
)
def test_a_bad_file_is_told_what_was_expected(
    data: bytes, error: type[DamagedFile | UnsupportedType]
) -> None:
    with pytest.raises(error) as raised:
        read(BytesIO(data))
    assert raised.value.cure == EXPECTED
    assert '"url": "https://..."' in EXPECTED


def test_deep_nesting_is_read_without_recursion() -> None:
    value: Any = {"text": "Deep.", "url": "https://e.org/deep"}
    for _ in range(900):
        value = [value]
    assert len(of(value).pages) == 1


def test_a_file_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documentation_file, "_MOST_BYTES", 10)
    with pytest.raises(TooLarge):
        of(PUBLISHED)


def test_the_command_writes_pages_and_text(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "python_docs.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps({**PUBLISHED, "X": {"text": "Lost."}}).encode())
    assert main([str(file), "--out", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert "4 pages written to" in said
    assert "     2  Library" in said
    assert "left out: X: It has no address." in said
    assert read_json(tmp_path / "out" / "documentation.json") == list(of(PUBLISHED).pages)
    assert "Classes bundle data." in (tmp_path / "out" / "documentation.txt").read_text("utf-8")


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.json"
    assert main([str(file)]) == 2
    assert "No such file" in capsys.readouterr().err
    file.write_text("{}")
    assert main([str(file), "--out", str(tmp_path)]) == 2
    assert EXPECTED in capsys.readouterr().err
