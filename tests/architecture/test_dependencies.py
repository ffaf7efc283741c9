"""Which way the arrows run: the map of docs/architecture.md, held by reading the imports."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEAVES = {"core.types", "core.errors", "core.config", "core.ids"}
PURE = {
    "core.retrieval.fusion",
    "core.retrieval.diversity",
    "core.retrieval.ambiguity",
    "core.retrieval.second_hop",
    "core.retrieval.interleave",
    "core.planning.lost_words",
    "core.planning.parsing",
    "core.planning.rules",
    "core.planning.prompts",
    "core.llm.replies",
    "core.answering.recall",
    "core.retrieval.named_documents",
    "core.retrieval.agreement",
    "core.text.sentence_ends",
    "core.answering.extractive.candidates",
    "core.citations.stream",
    "core.verification.comparison",
    "core.verification.contradiction",
    "core.text.lines",
    "core.citations.mark",
    "core.citations.mark_parser",
    "core.citations.passages",
    "core.text.sentences",
    "core.citations.source_list",
    "core.answering.generative.prompts",
    "core.answering.generative.context",
    "core.retrieval.presets",
    "core.ingestion.chunking",
    "core.ingestion.code_chunks",
    "core.parsing.boxes",
    "core.ingestion.names",
    "core.ui.answer.markdown",
    "core.evaluation.measures.answer",
    "core.evaluation.measures.ranking",
    "core.evaluation.measures.matching",
    "core.evaluation.measures.grounding",
    "core.evaluation.measures.statistics",
    "core.evaluation.measures.aggregate",
    "core.evaluation.runs.comparing",
    "core.evaluation.runs.exporting",
    "core.evaluation.measures.registry",
    "core.evaluation.golden.formats",
    "core.evaluation.golden.by_rule",
    "core.evaluation.runs.presets",
    "core.evaluation.golden.documents",
}
FACES = ("core.ui", "core.api", "core.mcp")
FRAMEWORKS = {
    "streamlit", "fastapi", "starlette", "chromadb", "tantivy", "sqlalchemy", "langchain",
    "langchain_core", "langchain_ollama", "langchain_openai", "langchain_google_genai", "httpx",
    "torch", "sentence_transformers", "onnxruntime", "requests", "pypdfium2", "pandas",
}  # fmt: skip


def modules() -> dict[str, Path]:
    """Every module of ours by its dotted name."""
    files = [*ROOT.glob("core/**/*.py"), *ROOT.glob("scraper/**/*.py"), *ROOT.glob("pages/*.py")]
    files += [ROOT / name for name in ("app.py", "serve.py", "eval_custom.py")]
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in files
        if path.is_file()
    }


def imports(path: Path) -> set[str]:
    """The dotted names that a file imports, wherever in the file."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def ours(names: set[str]) -> set[str]:
    """Those of our own modules."""
    known = set(modules())
    return {name for name in names if name in known}


MODULES = modules()
LEAF_MODULES = {name for name in MODULES if name in LEAVES or name.startswith("core.types.")}


@pytest.mark.parametrize("leaf", sorted(LEAF_MODULES))
def test_leaves_import_only_leaves(leaf: str) -> None:
    assert ours(imports(MODULES[leaf])) - {"core"} <= LEAF_MODULES


@pytest.mark.parametrize(
    ("library", "allowed"),
    [
        ("streamlit", ("core.ui.", "app", "pages.", "serve")),
        ("chromadb", ("core.storage.vectors.chroma.",)),
        ("tantivy", ("core.storage.lexical.",)),
        ("sqlalchemy", ("core.storage.sql.",)),
        ("fastapi", ("core.api", "core.mcp")),
        ("mcp", ("core.mcp",)),
    ],
)
def test_a_library_has_one_room(library: str, allowed: tuple[str, ...]) -> None:
    users = {n for n, p in MODULES.items() if any(_of(library, i) for i in imports(p))}
    assert {user for user in users if not user.startswith(allowed)} == set()


@pytest.mark.parametrize("name", sorted(PURE & set(MODULES)))
def test_pure_modules_import_no_framework(name: str) -> None:
    used = {i.partition(".")[0] for i in imports(MODULES[name])}
    assert used & FRAMEWORKS == set()


def test_only_the_faces_know_the_service() -> None:
    faces = ("core.ui.", "core.api", "core.maintenance.__main__", "core.cli.", "core.mcp")
    faces += ("app", "pages.", "serve", "eval_custom", "scraper.__main__")
    users = {n for n, p in MODULES.items() if "core.service" in imports(p)}
    assert {user for user in users if not user.startswith(faces)} == set()


def test_the_core_does_not_know_its_faces() -> None:
    for name, path in MODULES.items():
        if name.startswith(("core.", "scraper")) and not name.startswith(FACES):
            assert not {i for i in imports(path) if i.startswith(FACES)}, name


def test_storage_and_models_do_not_know_the_stages() -> None:
    stages = ("core.retrieval", "core.answering", "core.evaluation", "core.service")
    for name, path in MODULES.items():
        if name.startswith(("core.storage", "core.models", "scraper")):
            assert not {i for i in ours(imports(path)) if i.startswith(stages)}, name


def test_nothing_of_the_project_swallows_every_exception() -> None:
    places = {
        name
        for name, path in MODULES.items()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id == "Exception"))
    }
    assert places <= {"core.ingestion.worker"}


def _of(library: str, imported: str) -> bool:
    return imported == library or imported.startswith(f"{library}.")
