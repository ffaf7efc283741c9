"""Which way the arrows run: the map of docs/architecture.md, held by reading the imports."""

from __future__ import annotations

import ast
from collections import defaultdict

import pytest

from tests.architecture.modules import (
    MODULES,
    TREES,
    arrows,
    circles,
    folder,
    libraries,
    our_imports,
)

LEAVES = ("core", "errors", "types", "config", "ids", "urls", "supervision")
"""What everything may import; among themselves they import `errors` only."""

MAY_IMPORT = {
    "text": "",
    "telemetry": "",
    "steps": "",
    "step_text": "",
    "turns": "",
    "parsing": "text",
    "llm": "text",
    "models": "llm",
    "storage": "models",
    "access": "storage text",
    "scraper": "parsing text",
    "ingestion": "models parsing scraper storage telemetry text",
    "maintenance": "llm models parsing storage",
    "collecting": "access ingestion maintenance parsing scraper storage text",
    "planning": "llm text",
    "citations": "models parsing storage text turns",
    "verification": "citations llm models text",
    "web_search": "ingestion llm models parsing scraper storage text",
    "retrieval": "citations models planning steps storage text",
    "answering": "citations llm models planning text verification",
    "library": """access answering citations ingestion llm maintenance retrieval storage text
        web_search""",
    "pipeline": "answering citations llm models planning retrieval steps storage web_search",
    "evaluation": "access citations llm models pipeline retrieval storage text web_search",
    "service": """access answering citations collecting evaluation ingestion library llm
        maintenance models pipeline retrieval steps storage telemetry turns
        web_search""",
    "api": "access answering citations ingestion retrieval service step_text telemetry text",
    "mcp": "access api service",
    "cli": "evaluation models parsing retrieval service storage",
    "ui": """access answering citations collecting evaluation llm retrieval scraper service
        step_text telemetry text""",
    "entry": "access api maintenance mcp service storage telemetry ui",
}
"""The folders from the floor up, each with those below it that it may import."""

PLACES = {
    # the faces
    "streamlit": "core.ui app pages serve",
    "altair": "core.ui.evaluation",
    "fastapi": "core.api core.mcp",
    "starlette": "core.api core.mcp core.access serve",
    "uvicorn": "core.access.connections serve",
    "python_multipart": "core.api",
    "PIL": "core.api core.parsing",
    "mcp": "core.mcp",
    "anyio": "core.mcp",
    "prometheus_client": "core.telemetry",
    # stores
    "chromadb": "core.storage.vectors",
    "obstore": "core.storage.files",
    "tantivy": "core.storage.lexical",
    "sqlalchemy": "core.storage",
    "pymilvus": "core.storage.milvus",
    "grpc": "core.storage.milvus",
    # models
    "httpx2": "core.models",
    "huggingface_hub": "core.models",
    "onnx": "core.models",
    "onnxruntime": "core.models",
    "safetensors": "core.models",
    "sentence_transformers": "core.models",
    "tokenizers": "core.models",
    "torch": "core.models",
    "transformers": "core.models",
    "google": "core.llm",
    "langchain": "core.llm",
    "langchain_core": "core.llm",
    "langchain_google_genai": "core.llm",
    "ollama": "core.llm",
    "openai": "core.llm",
    # documents and pages
    "bs4": "core.parsing.html scraper",
    "charset_normalizer": "core.parsing",
    "cv2": "core.parsing.pdf",
    "docx": "core.answering.exports",
    "lxml": "core.parsing",
    "markdown_it": "core.parsing core.answering.exports core.ui.answer",
    "markdownify": "core.parsing.html",
    "pptx": "core.parsing.office",
    "py3langid": "core.parsing",
    "pypdf": "core.parsing.pdf",
    "pypdfium2": "core.parsing.pdf",
    "rapidocr": "core.parsing.pdf",
    "trafilatura": "core.parsing.html",
    "defusedxml": "scraper core.parsing",
    "yaml": "core.parsing.data",
    "httpcore": "scraper",
    "httpx": "core.llm core.mcp core.storage.vectors",
    "idna": "core.urls",
    "protego": "scraper",
    "py7zr": "scraper",
    "tqdm": "scraper",
    # measures
    "pytrec_eval": "core.evaluation core.cli",
    "rouge_score": "core.evaluation",
    "scipy": "core.evaluation",
    # small tools
    "dotenv": "core.config",
    "filelock": "core.models scraper",
    "json_repair": "core.text core.llm",
    "numpy": "core",
    "pydantic": "core scraper",
    "pydantic_core": "core.config",
}
"""The places of each library: nothing else imports it. So what is pure stays pure."""


def test_no_folder_imports_one_that_is_not_below_it() -> None:
    wrong = [
        f"{name} imports {imported}"
        for one, other, name, imported in arrows()
        if other not in (*LEAVES, *MAY_IMPORT.get(one, "").split())
        and not (one in LEAVES and other in LEAVES)
    ]
    assert wrong == []


def test_every_folder_stands_in_the_table_above_what_it_imports() -> None:
    assert {folder(name) for name in MODULES} == set(MAY_IMPORT) | set(LEAVES)
    order = list(MAY_IMPORT)
    for at, (name, below) in enumerate(MAY_IMPORT.items()):
        assert set(below.split()) <= set(order[:at]), name


def test_every_arrow_of_the_table_is_used() -> None:
    used = {(one, other) for one, other, _, _ in arrows()}
    table = {(one, other) for one, below in MAY_IMPORT.items() for other in below.split()}
    assert table - used == set()


def test_leaves_import_errors_only() -> None:
    found = {(one, other) for one, other, _, _ in arrows() if one in LEAVES}
    assert found <= {(leaf, "errors") for leaf in LEAVES}


def test_no_folder_is_part_of_a_circle() -> None:
    graph = defaultdict(set)
    for one, other, _, _ in arrows():
        graph[one].add(other)
    assert circles(graph) == []


def test_no_module_is_part_of_a_circle() -> None:
    graph = {name: our_imports(name) for name in MODULES}
    assert circles(graph) == []


def test_circles_are_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a"}}) == [{"b", "c"}]


@pytest.mark.parametrize("library", sorted({used for name in MODULES for used in libraries(name)}))
def test_a_library_has_its_places(library: str) -> None:
    places = tuple(PLACES.get(library, "").split())
    users = {name for name in MODULES if library in libraries(name)}
    assert {name for name in users if not _is_in(name, places)} == set()


def test_nothing_of_the_project_swallows_every_exception() -> None:
    places = {
        name
        for name, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id == "Exception"))
    }
    assert places == {"core.supervision"}


def _is_in(name: str, places: tuple[str, ...]) -> bool:
    return any(name == place or name.startswith(f"{place}.") for place in places)
