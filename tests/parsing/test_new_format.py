"""A new format is one module and one line: EPUB, added to a copy of the program."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from core.types import DocumentKind
from tests.parsing.files import package

ROOT = Path(__file__).resolve().parents[2]
LINE = '    EPUB = "epub", Format("EPUB", "epub", (".epub",), part="META-INF/container.xml")\n'
MODULE = """
from core.parsing.html.load import load_html
from core.parsing.office.ooxml import open_package
from core.types import DocumentKind


def load(source):
    archive = open_package(source.path).archive
    loaded = load_html(archive.read("chapter.xhtml"))
    return type(loaded)(DocumentKind.EPUB, loaded.pages, loaded.title)
"""
PROGRAM = """
import json, sys
from pathlib import Path
from pydantic import TypeAdapter
from core.parsing import load
from core.parsing.detect import READABLE
from core.types import DocumentKind
loaded = load(Path(sys.argv[1]), name="book.epub", progress=lambda share: None)
kinds = TypeAdapter(DocumentKind).json_schema()["enum"]
print(json.dumps([loaded.kind, loaded.pages[0].text, len(loaded.notices), kinds, READABLE]))
"""


def test_a_format_is_one_module_and_one_line(tmp_path: Path) -> None:
    shutil.copytree(
        ROOT / "core", tmp_path / "core", ignore=shutil.ignore_patterns("__pycache__", "*.onnx")
    )
    registry = tmp_path / "core" / "types" / "formats.py"
    lines = registry.read_text("utf-8")
    assert lines.count('    WEB = "web"') == 1
    registry.write_text(lines.replace('    WEB = "web"', LINE + '    WEB = "web"'), "utf-8")
    (tmp_path / "core" / "parsing" / "epub.py").write_text(MODULE, "utf-8")
    book = package(
        tmp_path / "book.epub",
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": "<container/>",
            "chapter.xhtml": "<html><h1>Loomings</h1><p>Call me Ishmael.</p></html>",
        },
    )
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(book)],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert '["epub", "Loomings\\n\\nCall me Ishmael.", 0, ' in done.stdout
    assert '"epub", "web"]' in done.stdout
    assert "EPUB" in done.stdout


@pytest.mark.parametrize("kind", list(DocumentKind))
def test_every_format_has_its_loader(kind: DocumentKind) -> None:
    assert callable(import_module(f"core.parsing.{kind.spec.loader}").load)


def test_a_file_belongs_to_one_format() -> None:
    suffixes = [suffix for kind in DocumentKind for suffix in kind.spec.suffixes]
    assert len(suffixes) == len(set(suffixes))


@pytest.mark.parametrize("path", ["README.md", "docs/handbook/chapters/03-documents.md"])
def test_the_documentation_names_every_format(path: str) -> None:
    text = (ROOT / path).read_text("utf-8").lower()
    missing = [kind for kind in DocumentKind if kind.spec.label.lower().split(" (")[0] not in text]
    short = [kind for kind in missing if kind.value not in text]
    assert short == []
