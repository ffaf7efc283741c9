"""No call that runs what it reads, trusts what it must not, or draws HTML of others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.K02

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("core", "scraper", "pages", "docs")
"""What runs; benchmarks load the systems that they compare with, on files of whoever runs them."""
FILES = sorted(
    [*(p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py")), *ROOT.glob("*.py")]
)
CALLS = {
    "pickle.load", "pickle.loads", "cPickle.load", "dill.load", "joblib.load", "shelve.open",
    "marshal.load", "marshal.loads", "torch.load", "yaml.load", "yaml.unsafe_load", "eval", "exec",
    "os.system", "os.popen", "subprocess.getoutput", "tempfile.mktemp", "xml.sax.parse",
    "trafilatura.fetch_url", "feedparser.parse", "ssl._create_unverified_context",
    "tarfile.extractall", "zipfile.extractall", "shutil.unpack_archive",
}  # fmt: skip
KEYWORDS = {
    "allow_pickle": True,
    "trust_remote_code": True,
    "allow_dangerous_deserialization": True,
    "verify": False,
    "unsafe_allow_html": True,
    "unsafe_allow_javascript": True,
    "shell": True,
    "resolve_entities": True,
    "weights_only": False,
}
IMPORTS = {
    "langchain_community", "langchain_classic", "google.generativeai", "xml.etree",
    "xml.dom.minidom", "pickle", "shelve", "PyPDF2", "bleach",
}  # fmt: skip
ALLOWED = {
    # The name of the error that defusedxml, which does the reading there, raises.
    ("scraper/sitemap.py", "import xml.etree.ElementTree"),
}


def name_of(node: ast.expr) -> str:
    """`a.b.c` of a call's function, "" for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        before = name_of(node.value)
        return f"{before or '?'}.{node.attr}"
    return ""


def forbidden(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Every forbidden call, keyword and import with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = name_of(node.func)
            if name in CALLS or name.endswith(".extractall"):
                yield node.lineno, name
            for keyword in node.keywords:
                value = keyword.value
                if keyword.arg in KEYWORDS and isinstance(value, ast.Constant):
                    if value.value is KEYWORDS[keyword.arg]:
                        yield node.lineno, f"{keyword.arg}={value.value}"
                elif keyword.arg in ("unsafe_allow_html", "trust_remote_code", "allow_pickle"):
                    yield node.lineno, f"{keyword.arg}=..."
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                if any(name == bad or name.startswith(f"{bad}.") for bad in IMPORTS):
                    yield node.lineno, f"import {name}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_nothing_forbidden(path: Path) -> None:
    found = set(forbidden(ast.parse(path.read_text("utf-8"))))
    where = str(path.relative_to(ROOT))
    assert {(line, what) for line, what in found if (where, what) not in ALLOWED} == set()


def test_the_lint_sees_what_it_should() -> None:
    code = """
import pickle, langchain_community.loaders
from xml.etree import ElementTree
pickle.loads(b"")
np.load(path, allow_pickle=True)
AutoModel.from_pretrained("x", trust_remote_code=flag)
httpx.get(url, verify=False)
st.markdown(answer, unsafe_allow_html=True)
archive.extractall(folder)
eval(text)
"""
    found = {what for _, what in forbidden(ast.parse(code))}
    assert found == {
        "import pickle", "import langchain_community.loaders", "import xml.etree", "pickle.loads",
        "allow_pickle=True", "trust_remote_code=...", "verify=False", "unsafe_allow_html=True",
        "archive.extractall", "eval",
    }  # fmt: skip
