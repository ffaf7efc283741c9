"""The command `footnote`: which program each of its words starts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.cli import main as cli

SCRIPT = """
import sys
from pathlib import Path
print(__name__, Path(sys.argv[0]).name, *sys.argv[1:])
sys.exit(3)
"""


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "shipped", lambda: tmp_path)
    monkeypatch.setattr(sys, "argv", ["footnote"])
    for name in ("serve.py", "eval_custom.py"):
        (tmp_path / name).write_text(SCRIPT, "utf-8")


@pytest.mark.usefixtures("scripts")
@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["serve"], "__main__ serve.py\n"),
        (["evaluate", "run", "--limit", "1"], "__main__ eval_custom.py run --limit 1\n"),
    ],
)
def test_scripts_run_with_their_arguments(
    given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(given)
    assert (ended.value.code, capsys.readouterr().out) == (3, said)


@pytest.mark.parametrize(
    ("given", "program"),
    [
        (["maintain", "--help"], "core.maintenance"),
        (["collect", "python-docs", "--help"], "scraper.python_docs"),
        (["collect", "stack-overflow", "--help"], "scraper.stack_overflow"),
        (["collect", "site", "--help"], "scraper.site"),
        (["collect", "documentation-file", "--help"], "scraper.documentation_file"),
    ],
)
def test_modules_run_with_their_arguments(
    given: list[str], program: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(given)
    assert ended.value.code == 0
    assert program in capsys.readouterr().out


@pytest.mark.parametrize(
    ("given", "status", "named"),
    [
        ([], 2, "serve"),
        (["fly"], 2, "maintain"),
        (["--help"], 0, "evaluate"),
        (["collect"], 2, "python-docs"),
        (["collect", "-h"], 0, "stack-overflow"),
    ],
)
def test_other_words_print_what_there_is(
    given: list[str], status: int, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(given) == status
    said = capsys.readouterr()
    assert named in (said.out if status == 0 else said.err)
    assert not (said.err if status == 0 else said.out)
