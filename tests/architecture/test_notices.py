"""What notices say: in words that a person knows, none of the program's own."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import core.errors
from tests.conftest import ROOT

_OWN_WORDS = re.compile(
    r"\b(?:hits?|chunks?|rerank(?!er\b)\w*|fus(?:ed|ion)|candidates?|top_k|planner|rewriter"
    r"|embedd(?!ing models?\b)\w*|dense|lexical|BM25|schema|JSON|boundary|retriever|corpus"
    r"|quer(?:y|ies) (?:lost|dropped))\b"
)
"""The reranker and the embedding model have these names where a person chooses them."""
_WOVEN = (core.errors.ModelError, core.errors.StorageError, core.errors.WebSearchError)
"""The errors whose message and cure are words of notices too."""


def makers() -> dict[str, slice]:
    """What makes words of a notice, with the places of its arguments that hold them."""
    errors = vars(core.errors).items()
    woven = (n for n, one in errors if isinstance(one, type) and issubclass(one, _WOVEN))
    return {"Notice": slice(1, 3), **dict.fromkeys((*woven, "PlanningFailed"), slice(2))}


def texts(source: str) -> Iterator[str]:
    """The words of each notice and of each error that becomes one, also where they have a name."""
    made = makers()
    tree = ast.parse(source)
    scopes = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for scope in [*scopes, tree]:
        named: dict[str, list[str]] = {}
        for node in ast.walk(scope):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                named.setdefault(node.targets[0].id, []).extend(_strings(node.value))
        for node in ast.walk(scope):
            if isinstance(node, ast.Call) and (places := made.get(getattr(node.func, "id", ""))):
                for argument in node.args[places]:
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


def test_no_cure_of_an_error_that_becomes_a_notice_does() -> None:
    cures = {
        one.cure
        for one in vars(core.errors).values()
        if inspect.isclass(one) and issubclass(one, _WOVEN)
    }
    assert len(cures) > 10
    assert {cure for cure in cures if _OWN_WORDS.search(cure)} == set()


def test_the_words_of_a_notice_are_found() -> None:
    source = 'def f():\n    text = f"The {n} queries lost it."\n    return Notice("code", text)\n'
    (said,) = {text for text in texts(source) if _OWN_WORDS.search(text)}
    assert said == " queries lost it."
    assert list(texts('Notice("hits", "The model kept none.", "Ask again.", "chunk")')) == [
        "The model kept none.",
        "Ask again.",
    ]
    assert list(texts('raise IndexDamaged("The lexical index is damaged.")')) == [
        "The lexical index is damaged."
    ]
