"""The `requirements*.txt` of the program list what is imported: no more, no less."""

from __future__ import annotations

import ast
import re
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILES = (
    "requirements.txt",
    "requirements-models.txt",
    "requirements-grown.txt",
    "requirements-milvus.txt",
)
IMPORTED_AS = {
    "PyYAML": "yaml",
    "markdown-it-py": "markdown_it",
    "pillow": "PIL",
    "pytrec_eval-terrier": "pytrec_eval",
    "python-docx": "docx",
    "python-dotenv": "dotenv",
}
NEVER_IMPORTED = {
    "Authlib": "Streamlit signs people in with it",
    "kubernetes": "a floor for what chromadb requires",
    "langchain-ollama": "LangChain loads it by the name of the provider",
    "langchain-openai": "LangChain loads it by the name of the provider",
    "lxml_html_clean": "justext imports it, which trafilatura requires",
    "psycopg": "SQLAlchemy loads it by the name of the driver",
}
COMES_WITH = {
    "anyio": "mcp",
    "cv2": "rapidocr",
    "google": "langchain-google-genai",
    "grpc": "pymilvus",
    "langchain_core": "langchain",
    "ollama": "langchain-ollama",
    "openai": "langchain-openai",
    "pydantic_core": "pydantic",
    "starlette": "fastapi",
    "transformers": "sentence-transformers",
}
"""Modules of a package that a listed one requires: its types and errors are imported."""


def listed() -> set[str]:
    lines = "\n".join((ROOT / file).read_text("utf-8") for file in FILES).splitlines()
    return {
        found.group(0) for line in lines if (found := re.match(r"[A-Za-z][\w.-]*", line.strip()))
    }


@cache
def imported() -> set[str]:
    files = [*ROOT.glob("core/**/*.py"), *ROOT.glob("scraper/**/*.py"), *ROOT.glob("pages/*.py")]
    files += [ROOT / name for name in ("app.py", "serve.py", "eval_custom.py")]
    found: set[str] = set()
    for path in files:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found.update(alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found - set(sys.stdlib_module_names) - {"core", "scraper"}


def module_of(distribution: str) -> str:
    return IMPORTED_AS.get(distribution, distribution.replace("-", "_"))


def test_every_listed_package_is_imported() -> None:
    unused = {name for name in listed() if module_of(name) not in imported()}
    assert unused == NEVER_IMPORTED.keys() & listed()


def test_every_imported_package_is_listed() -> None:
    assert imported() - {module_of(name) for name in listed()} <= COMES_WITH.keys()


def test_what_is_never_imported_has_a_comment_above_it() -> None:
    reason, explained = False, set[str]()
    lines = "\n".join((ROOT / file).read_text("utf-8") for file in FILES).splitlines()
    for line in lines:
        name = re.split(r"[\[>]", line)[0]
        reason = line.startswith("#") or (reason and name in NEVER_IMPORTED)
        explained |= {name} if reason else set()
    assert NEVER_IMPORTED.keys() <= explained


def test_every_exception_is_still_one() -> None:
    assert NEVER_IMPORTED.keys() <= listed()
    assert COMES_WITH.keys() <= imported()
    assert set(COMES_WITH.values()) <= listed()
