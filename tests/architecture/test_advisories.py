"""Of what is installed, nothing has a known hole that is not explained.

Offline, against `advisories.json`, which is kept by hand: it says what it covers.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from core.config import Settings
from core.storage.vectors.chroma import client as chroma

pytestmark = pytest.mark.K01

ROOT = Path(__file__).resolve().parents[2]
KNOWN = json.loads((Path(__file__).parent / "advisories.json").read_text("utf-8"))["advisories"]
EXPLAINED = {
    "CVE-2026-45829": "Only Chroma's Python server is affected. Footnote starts no server of "
    "Chroma, and docs/operations.md says to use `chroma run` (Rust) on loopback alone.",
}


def requirements(name: str) -> list[Requirement]:
    """The lines of a requirements file."""
    lines = (ROOT / name).read_text("utf-8").splitlines()
    kept = [line.partition(" #")[0].strip() for line in lines]
    return [Requirement(line) for line in kept if line and not line.startswith(("#", "-"))]


def canonical(name: str) -> str:
    """A package's name in the one form that names are compared in."""
    return re.sub(r"[-_.]+", "-", name).lower()


def closure() -> dict[str, Version]:
    """What is installed of the requirements and of all that they require."""
    found: dict[str, Version] = {}
    waiting = [
        line
        for name in (
            "requirements.txt",
            "requirements-models.txt",
            "requirements-grown.txt",
            "requirements-milvus.txt",
        )
        for line in requirements(name)
    ]
    while waiting:
        requirement = waiting.pop()
        name = canonical(requirement.name)
        if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        try:
            installed = distribution(name)
        except PackageNotFoundError:
            continue  # an extra of somebody, not installed
        found[name] = Version(installed.version)
        waiting += [Requirement(line) for line in installed.requires or []]
    return found


INSTALLED = closure()


def test_much_is_looked_at() -> None:
    assert len(INSTALLED) > 100
    assert len({advisory["package"] for advisory in KNOWN} & INSTALLED.keys()) > 20


@pytest.mark.parametrize("advisory", KNOWN, ids=lambda a: f"{a['id']}-{a['package']}")
def test_no_known_hole_is_installed(advisory: dict[str, str]) -> None:
    version = INSTALLED.get(canonical(advisory["package"]))
    if version is not None and version in SpecifierSet(advisory["affected"], prereleases=True):
        assert advisory["id"] in EXPLAINED, f"{advisory['package']} {version}: {advisory['what']}"


def test_what_is_explained_is_still_affected() -> None:
    """An explanation that nothing needs any more is taken out."""
    for advisory in KNOWN:
        if advisory["id"] in EXPLAINED:
            assert INSTALLED[advisory["package"]] in SpecifierSet(advisory["affected"])


def test_every_requirement_has_an_upper_or_lower_bound() -> None:
    for requirement in requirements("requirements.txt"):
        assert requirement.specifier, f"{requirement.name} may be anything"


def test_the_explanation_holds(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    """No module of Chroma's Python server is loaded by opening the store."""
    import sys

    chroma.connect(settings.chroma_dir).close()
    assert "chromadb.server.fastapi" not in sys.modules
