"""Questions with their answers out of a dump of Stack Overflow or another Stack Exchange site.

`python -m scraper.stack_overflow --posts Posts.xml.gz --tag python --limit 500 --out pairs.json`
reads the dump twice: once to choose, once to take what was chosen. What it remembers meanwhile
lies on disk, so a dump of any size takes the same memory.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pydantic import TypeAdapter

from core.errors import AppError, DamagedFile
from core.types import LoadedDocument
from scraper.pair_selection import Choice, DumpReport, Selection
from scraper.qa_pairs import Pair, to_loaded

_SITE = re.compile(
    r"(?:[\w-]+\.)*(?:stackexchange|stackoverflow|superuser|serverfault|askubuntu|stackapps"
    r"|mathoverflow)\.(?:com|net)"
)
_PAIR: TypeAdapter[Pair] = TypeAdapter(Pair)
_FORMAT = "footnote-pairs-1"


def collect(
    files: Sequence[Path],
    out: Path,
    choice: Choice,
    *,
    site: str = "",
    users: Path | None = None,
    on_progress: Callable[[str, float], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> DumpReport:
    """Choose pairs from the files (a dump, or exports) and write them to `out` as JSON.

    `users` is the dump's `Users.xml`, for the names of authors. `on_progress` gets the step
    and its share, 0 to 1. Raises `DamagedFile`, `UnsupportedType` and `Interrupted` (when
    `cancelled` said so); an earlier `out` is replaced only by a whole new one.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".pairs-") as folder:
        selection = Selection(Path(folder), choice, on_progress, cancelled)
        try:
            report = selection.choose(files)
            selection.take(files)
            selection.name_authors(users)
            site = site or guess_site(files)
            head = {"format": _FORMAT, "site": site, "sources": [path.name for path in files]}
            pairs, code_blocks = write_json(selection.pairs(site), out, head)
            return replace(report, pairs=pairs, code_blocks=code_blocks)
        finally:
            selection.close()


def guess_site(files: Sequence[Path]) -> str:
    """The site that a dump belongs to, by the names of its file and folder."""
    for path in files:
        for part in (path.name, path.resolve().parent.name):
            if found := _SITE.search(part):
                return found[0]
    return "stackoverflow.com"


def write_json(pairs: Iterable[Pair], out: Path, head: Mapping[str, object]) -> tuple[int, int]:
    """Write one pair a line under the `head`; gives how many there were, and their listings."""
    count = code_blocks = 0
    fresh = out.with_name(out.name + ".new")
    with fresh.open("w", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(head, ensure_ascii=False)[:-1] + ', "pairs": [')
        for count, pair in enumerate(pairs, start=1):
            file.write(("," if count > 1 else "") + "\n" + _PAIR.dump_json(pair).decode())
            code_blocks += len(pair.question.code) + len(pair.answer.code)
        file.write("\n]}\n")
    fresh.replace(out)
    return count, code_blocks


def read_json(path: Path) -> Iterator[Pair]:
    """The pairs of a file that `collect` wrote, one after another. Raises `DamagedFile`."""
    ended = False
    try:
        with path.open(encoding="utf-8") as file:
            head = json.loads(next(file, "") + "]}")
            if head["format"] != _FORMAT:
                raise ValueError
            for line in file:
                if ended := line.startswith("]}"):
                    break
                yield _PAIR.validate_json(line.rstrip(",\n"))
    except (OSError, ValueError, KeyError, TypeError):
        raise DamagedFile(f"{path.name} is not what this program writes.") from None
    if not ended:
        raise DamagedFile(f"{path.name} is cut off.")


def read_head(path: Path) -> dict[str, object]:
    """What stands above the pairs of a file that `collect` wrote. Raises `DamagedFile`."""
    try:
        with path.open(encoding="utf-8") as file:
            head = dict(json.loads(next(file, "") + "]}"))
    except (OSError, ValueError, TypeError):
        raise DamagedFile(f"{path.name} is not what this program writes.") from None
    head.pop("pairs", None)
    return head


def loaded_pairs(pairs: Iterable[Pair]) -> Iterator[tuple[str, str, LoadedDocument]]:
    """(name, address, document) of each pair, as the worker takes them in."""
    for pair in pairs:
        yield pair.title, pair.question.url, to_loaded(pair)


def main(arguments: list[str] | None = None) -> int:
    """The command line; 0 when pairs were found."""
    from tqdm import tqdm

    given = _parser().parse_args(arguments)
    limit = {"total": 100, "unit": "%", "dynamic_ncols": True, "disable": None}
    choice = Choice(given.tag, given.limit, given.min_score, given.answers)
    try:
        with tqdm(**limit) as bar:

            def show(step: str, share: float) -> None:
                bar.set_description(step)
                bar.n = round(share * 100)
                bar.refresh()

            report = collect(
                given.posts,
                given.out,
                choice,
                site=given.site,
                users=given.users,
                on_progress=show,
            )
    except AppError as error:
        print(error.message, error.cure, sep="\n", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{error.filename or given.out}: {error.strerror}", file=sys.stderr)
        return 2
    print(
        f"{report.rows:,} rows ({report.questions:,} questions, {report.answers:,} answers),"
        f" {report.matching:,} questions fit; {report.pairs:,} pairs with"
        f" {report.code_blocks:,} code blocks written to {given.out}."
    )
    return 0 if report.pairs else 1


def _parser() -> argparse.ArgumentParser:
    usual = Choice()
    parser = argparse.ArgumentParser(prog="python -m scraper.stack_overflow", description=__doc__)
    parser.add_argument("--posts", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--users", type=Path, metavar="FILE", help="Users.xml, for names")
    parser.add_argument("--tag", default=usual.tag, help="empty for all")
    parser.add_argument("--limit", type=int, default=usual.limit, help="pairs; 0 for all")
    parser.add_argument("--min-score", type=int, default=usual.min_score, help="of the question")
    parser.add_argument("--answers", choices=("accepted", "best"), default=usual.answers)
    parser.add_argument("--site", default="", help="such as ai.stackexchange.com, for links")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.json")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
