"""The default install has no torch: nothing imports it unless a model needs it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("torch", "transformers", "sentence_transformers")
EXTRA = (*HEAVY, "onnx", "safetensors")


@pytest.mark.parametrize(
    "program",
    [
        "import core.service",
        "from core.config import Settings; from core.models.embedding import load_embedder;"
        "load_embedder(Settings()).embed_query('a')",
        "from core.models.token_states import TokenStates; TokenStates()('a')",
        "import core.models.reranking, core.models.nli, core.models.quality",
    ],
)
def test_neither_torch_nor_the_builder_is_imported(program: str) -> None:
    check = f"{program}; import sys; sys.exit(str([n for n in {EXTRA} if n in sys.modules] or ''))"
    done = subprocess.run(
        [sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stderr.strip() == ""


def test_one_module_imports_torch() -> None:
    importing = set()
    for path in ROOT.glob("core/**/*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if any(name.split(".")[0] in HEAVY for name in names):
                importing.add(path.relative_to(ROOT).as_posix())
    assert importing == {"core/models/torch_models.py"}


def test_the_default_requirements_have_neither() -> None:
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith(("torch", "sentence-", "transformers"))] == []
