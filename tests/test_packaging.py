"""The wheel holds what an installed program needs, and `footnote` finds it there."""

from __future__ import annotations

import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from core import __version__
from core.config import default_places, shipped

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation",
         "--no-index", "--wheel-dir", str(folder), str(ROOT)],
        check=True,
    )  # fmt: skip
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture
def held(wheel: Path) -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(wheel) as opened:
        yield opened


def tracked(*folders: str) -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]


def test_the_wheel_holds_every_file_that_is_needed(held: zipfile.ZipFile) -> None:
    names = set(held.namelist())
    packages = tracked("core", "scraper")
    beside = tracked("app.py", "pages", "serve.py", "eval_custom.py", ".streamlit/config.toml")
    beside += tracked("data_main/samples")
    assert len(packages) > 200
    assert set(packages) | {f"footnote_app/{name}" for name in beside} <= names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/", "training/"))]


def test_the_wheel_says_what_it_needs(held: zipfile.ZipFile) -> None:
    text = held.read(f"footnote-{__version__}.dist-info/METADATA").decode()
    said = [line for line in text.splitlines() if line.startswith("Requires-Dist: ")]
    extras = ("models", "grown", "milvus")
    for name, extra in (("", ""), *((f"-{one}", f"extra == '{one}'") for one in extras)):
        lines = (ROOT / f"requirements{name}.txt").read_text("utf-8").splitlines()
        wanted = sum(bool(line) and not line.startswith("#") for line in lines)
        found = [line for line in said if (extra in line if extra else "extra ==" not in line)]
        assert len(found) == wanted


def test_the_command_finds_its_files_where_it_is_installed(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv")
    [packages] = (tmp_path / "venv").glob("lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(packages)
    here = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "tests.pth").write_text("\n".join(here), "utf-8")
    python = tmp_path / "venv" / "bin" / "python"
    code = (
        "import core.cli.main as cli, core.config as config\n"
        "settings = config.load_settings({}, None)\n"
        "print(config.shipped()); print(settings.data_dir); print(settings.samples_dir.is_dir())\n"
        "raise SystemExit(cli.main(['evaluate', 'report', 'none.json']))"
    )
    home = {"HOME": str(tmp_path / "home")}
    done = subprocess.run(
        [python, "-c", code], cwd=tmp_path, env=home, capture_output=True, text=True, check=False
    )
    place, data, samples = done.stdout.splitlines()
    assert Path(place) == packages / "footnote_app"
    assert Path(data) == tmp_path / "home" / ".footnote" / "data"
    assert samples == "True"
    assert (done.returncode, "no saved run" in done.stderr) == (2, True)


def test_a_checkout_keeps_its_folders() -> None:
    assert shipped() == ROOT
    assert default_places(shipped(), Path("/home/ida")) == {}
