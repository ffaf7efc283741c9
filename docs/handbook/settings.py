"""The settings as rows of a table, read from `core/config.py` and grouped as they stand there.

`python -m docs.handbook.settings` writes the table of the README anew.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from pathlib import Path

from pydantic import SecretStr

from core.config import Settings

Row = tuple[str, str, str]  # name in the environment, default, description

README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- settings: begin -->", "<!-- settings: end -->"


def settings_table() -> list[tuple[str, list[Row]]]:
    """Groups of settings: (title, rows), in the order of the class.

    >>> settings_table()[0][1][0][:2]
    ('DATA_DIR', 'data_main')
    """
    groups: list[tuple[str, list[Row]]] = []
    for line in inspect.getsource(Settings).splitlines():
        if title := re.match(r"^    # ([A-Z].+)$", line):
            groups.append((title[1], []))
        elif (found := re.match(r"^    (\w+): ", line)) and found[1] in Settings.model_fields:
            if not groups:
                groups.append(("General", []))
            groups[-1][1].append(_row(found[1]))
    return [(title, rows) for title, rows in groups if rows]


def markdown_table(groups: Sequence[tuple[str, Sequence[Row]]]) -> str:
    """The table of the README: one table for all groups, names and defaults as code."""
    lines = ["| Setting | Default | What it is |", "|---|---|---|"]
    for title, rows in groups:
        lines.append(f"| **{title}** | | |")
        lines += [f"| `{n}` | {f'`{d}`' if d else 'empty'} | {text} |" for n, d, text in rows]
    return "\n".join(lines)


def _row(name: str) -> Row:
    field = Settings.model_fields[name]
    default = field.default
    if isinstance(default, SecretStr):
        default = default.get_secret_value()
    elif isinstance(default, bool):
        default = str(default).lower()
    elif isinstance(default, float):
        default = f"{default:g}"
    return name.upper(), str(default), field.description or ""


def with_table(readme: str) -> str:
    """The text of the README with the table between its two marks made anew."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{markdown_table(settings_table())}\n{END}{after}"


if __name__ == "__main__":
    README.write_text(with_table(README.read_text("utf-8")), "utf-8")
