"""JSON, YAML and INI: each value with its name, below its heading; objects of a list as rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.parsing.data import load_data
from core.types import ChunkKind, DocumentKind
from tests.parsing.files import read

PRINTERS = [
    {"name": "Laser", "net": {"ip": "10.0.0.1"}, "trays": ["A4", "A5"], "on": True},
    {"name": "Ink", "net": {"ip": "10.0.0.2"}, "trays": [], "on": False, "note": None},
]


def test_objects_of_a_list_are_rows_with_what_is_nested_behind_its_name() -> None:
    loaded = load_data(json.dumps({"site": "Graz", "printers": PRINTERS}).encode())
    page = loaded.pages[0]
    assert page.text == (
        "site: Graz\n\nprinters\n\nname | net ip | trays | on\n"
        "name: Laser | net ip: 10.0.0.1 | trays: A4, A5 | on: true\n"
        "name: Ink | net ip: 10.0.0.2 | on: false"
    )
    assert [(one.level, one.title) for one in page.headings] == [(1, "printers")]
    assert [one.kind for one in page.blocks] == [ChunkKind.TABLE]


def test_lines_of_json_are_one_table() -> None:
    lines = "\n".join(json.dumps({"id": n, "price": 2.50}) for n in (1, 2))
    text = load_data(lines.encode()).pages[0].text
    assert text == "id | price\nid: 1 | price: 2.5\nid: 2 | price: 2.5"


def test_long_objects_of_a_list_are_sections() -> None:
    told = [{"title": f"Part {n}", "text": f"{n} is told at length. " * 30} for n in (1, 2)]
    page = load_data(json.dumps(told).encode()).pages[0]
    assert [one.title for one in page.headings] == ["Part 1", "Part 2"]


@pytest.mark.parametrize(
    "text",
    [
        '; remarks\n[server]\nport = 8443\nname = "A b"\n[mail]\nretries=4',
        "# remarks\nserver:\n  port: 8443 # behind\n  name: 'A b'\nmail:\n  retries: 4\n",
        '{"server": {"port": 8443, "name": "A b"}, "mail": {"retries": 4}}',
    ],
)
def test_settings_are_lines_below_their_section(text: str) -> None:
    page = load_data(text.encode()).pages[0]
    assert page.text == "server\n\nport: 8443\nname: A b\n\nmail\n\nretries: 4"


def test_blocks_and_several_documents_of_yaml() -> None:
    text = "kind: a\ntext: |\n  Two lines\n  of it\n---\nkind: b\ntext: 'on'\n"
    assert load_data(text.encode()).pages[0].text == (
        "kind | text\nkind: a | text: Two lines of it\nkind: b | text: on"
    )


def test_lists_of_yaml() -> None:
    text = "on:\n- pay\n- wait\nlamps:\n  - name: A\n    watts: 4\n  - name: B\n    watts: 6\n"
    assert load_data(text.encode()).pages[0].text == (
        "on: pay, wait\n\nlamps\n\nname | watts\nname: A | watts: 4\nname: B | watts: 6"
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1',
        "server {\n  listen 80;\n}",
        "a: &one [x, x]\nb: [*one, *one]\n",
        "[" * 5000,
        '{"a": ' * 5000 + "1" + "}" * 5000,
        '[{"a": ' * 470 + "1" + "}]" * 470,
        "a: " + "[" * 150 + "]" * 150,
        "Just words.",
        "[]",
    ],
)
def test_what_is_no_plain_data_is_read_as_text(text: str) -> None:
    loaded = load_data(text.encode())
    assert loaded.kind is DocumentKind.TEXT
    assert loaded.pages[0].text == text


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("a.json", '{"a": 1}', DocumentKind.DATA),
        ("a.txt", '[{"a": 1}]', DocumentKind.DATA),
        ("a.txt", "[1] A note.", DocumentKind.TEXT),
        ("a.txt", "name: Jo", DocumentKind.TEXT),
        ("a.yml", "name: Jo", DocumentKind.DATA),
    ],
)
def test_json_is_told_by_its_content_and_the_rest_by_name(
    tmp_path: Path, name: str, content: str, kind: DocumentKind
) -> None:
    (tmp_path / name).write_text(content, "utf-8")
    assert read(tmp_path / name).kind is kind
