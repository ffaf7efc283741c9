"""What notices say: in words that a person knows, none of the program's own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

_OWN_WORDS = re.compile(
    r"\b(?:hits?|chunks?|rerank\w*|fus(?:ed|ion)|candidates?|top_k|planner|rewriter|embedd\w*|dense"
    r"|lexical|BM25|schema|JSON|boundary|retriever|corpus|quer(?:y|ies) (?:lost|dropped))\b"
)


def texts(source: str) -> Iterator[str]:
    """The words of each notice that is made, and its cure, also where they have a name there."""
    tree = ast.parse(source)
    scopes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for scope in [*scopes, tree]:
        named: dict[str, list[str]] = {}
        for node in ast.walk(scope):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                named.setdefault(node.targets[0].id, []).extend(_strings(node.value))
        for node in ast.walk(scope):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Notice":
                for argument in node.args[1:3]:
                    yield from _strings(argument)
                    if isinstance(argument, ast.Name):
                        yield from named.get(argument.id, [])


def _strings(node: ast.AST) -> list[str]:
    return [
        one.value
        for one in ast.walk(node)
        if isinstance(one, ast.Constant) and isinstance(one.value, str)
    ]


def test_no_notice_speaks_in_the_programs_own_words() -> None:
    found: dict[Path, set[str]] = {}
    for path in sorted((ROOT / "core").rglob("*.py")):
        said = {text for text in texts(path.read_text("utf-8")) if _OWN_WORDS.search(text)}
        if said:
            found[path.relative_to(ROOT)] = said
    assert found == {}


def test_the_words_of_a_notice_are_found() -> None:
    source = 'def f():\n    text = f"The {n} queries lost it."\n    return Notice("code", text)\n'
    (said,) = {text for text in texts(source) if _OWN_WORDS.search(text)}
    assert said == " queries lost it."
    assert list(texts('Notice("hits", "The model kept none.", "Ask again.", "chunk")')) == [
        "The model kept none.",
        "Ask again.",
    ]
