"""No file of the repository holds a secret: keys by their forms, and words given to their names.

Without a tool of its own: detect-secrets had its last release in May 2024, and this has to run
without a network, in a moment, on what git tracks.
"""

from __future__ import annotations

import math
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.K08

FORMS = {
    "private key": r"-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\s*\n[A-Za-z0-9+/=\s]{100,}",
    "AWS": r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    "GitHub": r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{60,})",
    "OpenAI and its like": r"\bsk-(?:proj-|ant-|or-)?[A-Za-z0-9_-]{32,}",
    "Google": r"\bAIza[A-Za-z0-9_-]{35}\b",
    "Hugging Face": r"\bhf_[A-Za-z]{34}\b",
    "Slack": r"\bxox[abprs]-[A-Za-z0-9-]{20,}",
    "PyPI": r"\bpypi-AgE[A-Za-z0-9_-]{50,}",
    "of this program": r"\bfn_[A-Za-z0-9_-]{43}\b",
}
NAMED = re.compile(
    r"(?i)(?:secret|passw(?:or)?d|token|api_?key)\w*[\"']?\s*[:=]\s*[\"']([A-Za-z0-9+/=_-]{20,})[\"']"
)
CHANCE = "a value of chance"
LONGEST = 2_000_000
BINARY = {".png", ".pdf", ".onnx", ".zip", ".docx", ".pptx", ".ico", ".woff2", ".gz", ".7z"}


def tracked() -> list[Path]:
    """The files that git tracks, or would."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    paths = [ROOT / name for name in names.decode().split("\0") if name]
    return [path for path in paths if path.is_file() and path.suffix.lower() not in BINARY]


def entropy(word: str) -> float:
    """Bits for each character: 3 for words, above 4 for what chance made."""
    counts = Counter(word).values()
    return -sum(n / len(word) * math.log2(n / len(word)) for n in counts)


def secrets_in(text: str) -> list[str]:
    """What looks like a secret, by the name of its form."""
    found = [name for name, form in FORMS.items() if re.search(form, text)]
    random = [m[1] for m in NAMED.finditer(text) if entropy(m[1]) > 4.0 and re.search(r"\d", m[1])]
    return found + [CHANCE for _ in random]


def test_no_tracked_file_holds_a_secret() -> None:
    found = {}
    for path in tracked():
        name = path.relative_to(ROOT).as_posix()
        whole = path.stat().st_size <= LONGEST
        secrets = secrets_in(path.read_text("utf-8", "replace")) if whole else []
        if name.startswith("tests/"):  # attackers are played there, with made-up values
            secrets = [secret for secret in secrets if secret != CHANCE]
        if secrets:
            found[name] = secrets
    assert found == {}


@pytest.mark.parametrize(
    "planted",
    [
        "AKIA" + "QWERTYUIOPASDFGH",
        "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8",
        "sk-" + "proj-a1B2c3D4e5F6g7H8i9J0k1L2m3N4",
        "AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
        "client_" + 'secret = "q8Zr3LmN0vXc7TyB2wKd"',
        "fn_" + "316xPF_971jeBT2Zbb8NfPm_Pf63fLQSgNqEEq8tXhY",
        "-----BEGIN PRIVATE KEY-----\n" + "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" * 5,
    ],
)
def test_a_planted_secret_is_found(planted: str) -> None:
    assert secrets_in(f"before\n{planted}\nafter")
