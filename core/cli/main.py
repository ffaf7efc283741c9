"""The command `footnote` of an installed program.

```
footnote serve                     # the pages, the API and MCP
footnote evaluate COMMAND ...      # what `eval_custom.py` does in a checkout
footnote collect SOURCE ...        # python-docs, stack-overflow, site, documentation-file
footnote maintain COMMAND ...      # what `python -m core.maintenance` does
```
"""

from __future__ import annotations

import importlib
import runpy
import sys
from collections.abc import Mapping, Sequence

from core.config import shipped

COMMANDS = {
    "serve": "start the pages, the API and MCP",
    "evaluate": "measure answers and searches on questions with known answers",
    "collect": "write a documentation, a dump or a site into a file",
    "maintain": "check, rebuild, back up, restore",
}
COLLECTORS = {
    "python-docs": "a documentation made by Sphinx, Python's by default",
    "stack-overflow": "a Stack Exchange dump",
    "site": "any site",
    "documentation-file": "a documentation that another crawler stored as JSON",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 2 for a command that does not exist."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    command, rest = (given[0], given[1:]) if given else ("", [])
    match command:
        case "serve":
            return _script("serve.py", rest)
        case "evaluate":
            return _script("eval_custom.py", rest)
        case "collect" if rest and rest[0] in COLLECTORS:
            return _module(f"scraper.{rest[0].replace('-', '_')}", rest[1:])
        case "collect":
            return _usage("footnote collect", COLLECTORS, rest)
        case "maintain":
            return _module("core.maintenance.__main__", rest)
    return _usage("footnote", COMMANDS, given)


def _script(name: str, arguments: Sequence[str]) -> int:
    """Run a script of the program as `python NAME` does."""
    sys.argv = [name, *arguments]
    runpy.run_path(str(shipped() / name), run_name="__main__")
    return 0


def _module(name: str, arguments: Sequence[str]) -> int:
    status: int = importlib.import_module(name).main(list(arguments))
    return status


def _usage(program: str, commands: Mapping[str, str], given: Sequence[str]) -> int:
    """Print the commands; 0 where help was asked for, 2 where the command is wrong."""
    asked = bool(given) and given[0] in ("-h", "--help")
    lines = [f"usage: {program} COMMAND ...", ""]
    lines += [f"  {name:20}{about}" for name, about in commands.items()]
    print("\n".join(lines), file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2
