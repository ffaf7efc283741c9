"""Encrypted PDFs open with an empty password, or say that they need one."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import PasswordProtected
from core.parsing.pdf.fallback import load_with_pypdf
from core.parsing.pdf.load import load_pdf
from tests.parsing.files import encrypted, pdf, read

pytestmark = pytest.mark.C09

ALGORITHMS = ["RC4-40", "RC4-128", "AES-128", "AES-256-R5", "AES-256"]


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    return pdf(tmp_path / "plain.pdf", ["Behind the lock."])


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_password_for_the_owner_alone_does_not_hinder(
    tmp_path: Path, plain: Path, algorithm: str
) -> None:
    source = encrypted(plain, tmp_path / "a.pdf", "", "owner", algorithm)
    assert read(source).pages[0].text == "Behind the lock."
    assert load_with_pypdf(source, lambda share: None).pages[0].text == "Behind the lock."


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_password_for_the_reader_is_said(tmp_path: Path, plain: Path, algorithm: str) -> None:
    source = encrypted(plain, tmp_path / "a.pdf", "user", "owner", algorithm)
    with pytest.raises(PasswordProtected, match="password") as caught:
        read(source)
    assert "without a password" in caught.value.cure
    with pytest.raises(PasswordProtected):
        load_with_pypdf(source, lambda share: None)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_password_opens_it(tmp_path: Path, plain: Path, algorithm: str) -> None:
    source = encrypted(plain, tmp_path / "a.pdf", "user", "owner", algorithm)
    for password in ("user", "owner"):
        assert load_pdf(source, ignored, password=password).pages[0].text == "Behind the lock."
        assert load_with_pypdf(source, ignored, password).pages[0].text == "Behind the lock."
    with pytest.raises(PasswordProtected, match="does not open"):
        load_pdf(source, ignored, password="wrong")


def ignored(share: float) -> None:
    """Progress that nobody follows."""
