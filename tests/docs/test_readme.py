"""The README and the pages beside it: the table of settings, the links, the first commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import SecretStr

from core.config import Settings
from docs.handbook.settings import with_table

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = ["README.md", "CHANGELOG.md", *(f"docs/{p.name}" for p in (ROOT / "docs").glob("*.md"))]
MADE_BY_TESTS = {"docs/screenshot.png"}


def _rows() -> dict[str, tuple[str, str]]:
    """The settings of the table: name -> (default, description)."""
    rows = re.findall(r"^\| `([A-Z_]+)` \| (.+?) \| (.+?) \|$", README, re.MULTILINE)
    return {name: (default, text) for name, default, text in rows}


def test_the_table_names_every_setting_with_its_default() -> None:
    rows = _rows()
    assert set(rows) == {name.upper() for name in Settings.model_fields}
    for name, field in Settings.model_fields.items():
        default, text = rows[name.upper()]
        value = field.default
        value = value.get_secret_value() if isinstance(value, SecretStr) else value
        shown = default.strip("`")
        if value in ("", None):
            assert shown == "empty"
        elif isinstance(value, bool):
            assert shown == str(value).lower()
        else:
            assert type(value)(shown) == value
        assert text == field.description


def test_the_table_is_made_by_its_command() -> None:
    assert with_table(README) == README, "run `python -m docs.handbook.settings`"


def test_the_two_commands_come_first() -> None:
    code = re.search(r"```\n(.*?)```", README, re.DOTALL)
    assert code is not None
    first, second = code[1].strip().splitlines()
    assert first.startswith("git clone ")
    assert second == "make run"
    assert README.index(code[0]) < 40


def test_the_screenshot_has_its_place() -> None:
    assert "(docs/screenshot.png)" in README


def test_make_knows_the_commands_that_are_named() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    for target in set(re.findall(r"\bmake ([a-z-]+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    for link in re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", text):
        if not link.startswith(("http", "mailto")):
            target = (ROOT / page).parent / link
            name = target.resolve().relative_to(ROOT).as_posix()
            assert target.exists() or name in MADE_BY_TESTS, f"{page} links to {link}"


def test_the_licence_is_whole() -> None:
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert "Apache License" in text
    assert "END OF TERMS AND CONDITIONS" in text
