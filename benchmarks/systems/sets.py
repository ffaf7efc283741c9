"""The sets that systems are compared on: documents, and questions with their answers and places.

Of the dumps a question's title is asked, and its post is stored without the title: every system
would find that one, word for word.
"""

from __future__ import annotations

import tarfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchmarks.clapnq_golden import main as write_clapnq
from core.citations.mark import plain_words
from core.evaluation.golden.sets import GoldenItem, GoldenSource, even_sample, read_golden
from core.types import LoadedDocument
from scraper.pair_selection import Choice
from scraper.qa_pairs import Pair, to_loaded
from scraper.stack_overflow import collect, read_json


@dataclass(frozen=True)
class Bed:
    """Questions, and documents by the names that the sources of the questions use.

    `files` are read as uploads are, `pages` were read before, by their addresses.
    """

    name: str
    items: Sequence[GoldenItem]
    files: Mapping[str, Path] = field(default_factory=dict)
    pages: Mapping[str, LoadedDocument] = field(default_factory=dict)


@dataclass(frozen=True)
class Size:
    """How much of a set is taken: documents and questions on these; 0 is all."""

    documents: int
    questions: int
    smallest: bool = False


@dataclass(frozen=True)
class Source:
    """How a set is read, its usual size, and the measure of an answer that holds the expected one.

    `holds` is "" where expected answers are longer than an answer can repeat.
    """

    read: Callable[[Path, Path], Bed]
    size: Size
    holds: str = ""


def read_bed(data: Path, name: str, work: Path, size: Size) -> Bed:
    """One of `SETS` below `data`, cut to a size; what must be written first goes to `work`."""
    return replace(kept(SETS[name].read(data, work), size), name=name)


def kept(bed: Bed, size: Size) -> Bed:
    """Return so many documents of those that questions name, and so many questions on them.

    Both are taken at even distances, or the smallest files where the size says so. A question is
    kept where all of its places are; of questions without an answer there is one to four others.
    """
    named = sorted({source.document for item in bed.items for source in item.sources})
    if size.smallest:
        named.sort(key=lambda name: bed.files[name].stat().st_size)
    there = set(named[: size.documents] if size.smallest else even_sample(named, size.documents))
    asked = [i for i in bed.items if i.sources and all(s.document in there for s in i.sources)]
    asked = even_sample(asked, size.questions)
    unanswerable = [item for item in bed.items if not item.answerable]
    return replace(
        bed,
        items=asked + even_sample(unanswerable, max(1, len(asked) // 4)),
        files={key: path for key, path in bed.files.items() if key in there},
        pages={key: page for key, page in bed.pages.items() if key in there},
    )


def _golden(name: str) -> Callable[[Path, Path], Bed]:
    def read(data: Path, work: Path) -> Bed:
        return _folder(name, data / "golden" / name / "golden.jsonl", None)

    return read


def _folder(name: str, golden: Path, documents: Path | None) -> Bed:
    root = documents or golden.parent / "documents"
    files = {path.relative_to(root).as_posix(): path for path in root.rglob("*") if path.is_file()}
    return Bed(name, read_golden(golden), files)


def _python_docs(data: Path, work: Path) -> Bed:
    root = work / "python-docs"
    if not root.is_dir():
        with tarfile.open(data / "archives/python-docs-html.tar.xz") as archive:
            archive.extractall(root, filter="data")
    return _folder("python-docs", data / "golden/python-docs/golden.jsonl", root / "html")


def _clapnq(data: Path, work: Path) -> Bed:
    folder = work / "clapnq"
    if not folder.is_dir():
        write_clapnq(["--data", str(data / "qa/clapnq"), "--out", str(folder)])
    return _folder("clapnq", folder / "golden.jsonl", None)


def _dump(name: str) -> Callable[[Path, Path], Bed]:
    def read(data: Path, work: Path) -> Bed:
        out = work / f"{name}.json"
        if not out.is_file():
            posts = data / "stackexchange" / name / "Posts.xml"
            collect([posts], out, Choice(tag="", limit=0, answers="accepted"))
        pairs = list(read_json(out))
        return Bed(
            name,
            [item_of(pair) for pair in pairs],
            pages={pair.question.url: to_loaded(untitled(pair)) for pair in pairs},
        )

    return read


def item_of(pair: Pair) -> GoldenItem:
    """The title of a pair as a question, with its answer as what is expected."""
    return GoldenItem(
        pair.question.id,
        pair.title,
        (plain_words(pair.answer.text),),
        sources=(GoldenSource(pair.question.url, quote=None),),
    )


def untitled(pair: Pair) -> Pair:
    """The pair under its number instead of its title."""
    return replace(pair, title=f"Question {pair.question.id}")


SETS: dict[str, Source] = {
    "squad": Source(_golden("squad"), Size(6, 40), "contains"),
    "python-docs": Source(_python_docs, Size(20, 40)),
    "coffee": Source(_dump("coffee"), Size(0, 40)),
    "ai": Source(_dump("ai.stackexchange.com"), Size(0, 40)),
    "financebench": Source(_golden("financebench"), Size(5, 0, smallest=True), "numeric"),
    "clapnq": Source(_clapnq, Size(60, 40)),
}
"""The sets by name, with the sizes that a run of a quarter of an hour has."""
