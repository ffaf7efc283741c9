"""Listings are cut between definitions; a definition that fits into a chunk is whole."""

from __future__ import annotations

import ast
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.ingestion.chunking import chunk_document
from core.ingestion.code_chunks import code_pieces
from core.types import Block, Chunk, ChunkKind, DocumentKind, LoadedDocument, Page

PYTHON = textwrap.dedent(
    '''
    import os
    from pathlib import Path

    LIMIT = 7


    # Says how large a folder is.
    @cached
    def size_of(folder: Path) -> int:
        """The bytes of all files."""
        total = 0

        for name in os.listdir(folder):
            total += (folder / name).stat().st_size
        return total


    class Counter:
        """Counts."""

        def __init__(self) -> None:
            self.found = {}

        @property
        def total(self) -> int:
            return sum(self.found.values())

        async def add(self, name: str) -> None:
            self.found[name] = self.found.get(name, 0) + 1


    def main() -> None:
        print(size_of(Path(".")))
    '''
).strip()
JAVASCRIPT = textwrap.dedent(
    """
    // Adds two numbers.
    export function add(a, b) {
      const sum = a + b

      return sum
    }

    class Shelf {
      put(book) {
        this.books.push(book)
      }
    }
    """
).strip()


def chunks(text: str, size: int) -> list[Chunk]:
    page = Page(0, text, blocks=(Block(0, len(text), ChunkKind.CODE),))
    return chunk_document(LoadedDocument(DocumentKind.WEB, (page,)), "d", size=size, overlap=20)


def functions(source: str) -> list[str]:
    """Every function of a Python source with its decorators, as it stands."""
    tree = ast.parse(source)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = source.splitlines()
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            found.append("\n".join(lines[first - 1 : node.end_lineno]).strip())
    return found


@pytest.mark.parametrize("size", [220, 260, 330, 420, 2_000])
def test_no_definition_that_fits_is_cut(size: int) -> None:
    found = chunks(PYTHON, size)
    for definition in functions(PYTHON):
        assert len(definition) <= size
        assert any(definition in chunk.text for chunk in found), definition
    assert all(len(chunk.text) <= size for chunk in found)


def test_comments_and_decorators_stay_with_their_definition() -> None:
    found = next(chunk for chunk in chunks(PYTHON, 240) if "def size_of" in chunk.text)
    assert "# Says how large a folder is.\n@cached\ndef size_of" in found.text


def test_a_class_that_does_not_fit_is_cut_between_its_methods() -> None:
    texts = [chunk.text for chunk in chunks(PYTHON, 150)]
    assert any(text.startswith("@property") for text in texts)
    assert any(text.startswith("async def add") for text in texts)


@pytest.mark.parametrize("size", [90, 120, 150])
def test_braces_are_understood_by_their_indentation(size: int) -> None:
    texts = [chunk.text for chunk in chunks(JAVASCRIPT, size)]
    whole = (
        "// Adds two numbers.\nexport function add(a, b) {\n  const sum = a + b\n\n  return sum\n}"
    )
    assert any(whole in text for text in texts)


def test_small_definitions_share_a_chunk() -> None:
    code = "\n\n".join(f"def f{n}():\n    return {n}" for n in range(12))
    found = chunks(code, 200)
    assert len(found) < 4
    assert all(chunk.text.startswith("def ") for chunk in found)


def test_what_has_no_definitions_is_cut_between_lines() -> None:
    code = "\n".join(f"print({n})" for n in range(80))
    assert all(chunk.text.startswith("print(") for chunk in chunks(code, 100))


@settings(max_examples=150, derandomize=True, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["def a():", "  x = 1", "    y", "", "class B:", "  def c(self):", "\tt", "}", "# n"]
        ),
        max_size=30,
    ),
    st.integers(3, 60),
)
def test_pieces_hold_everything_in_order(lines: list[str], size: int) -> None:
    text = "\n".join(lines)
    position, kept = 0, ""
    for start, end, _ in code_pieces(text, 0, len(text), size):
        assert position <= start < end
        assert not text[position:start].strip()
        kept += text[start:end]
        position = end
    assert not text[position:].strip()
    assert "".join(kept.split()) == "".join(text.split())
