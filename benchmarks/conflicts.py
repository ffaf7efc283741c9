"""Sources that disagree: how often it is seen, and how often it is seen where there is nothing.

    python -m benchmarks.conflicts --data DIR [--show] [--none 400]

DIR holds `qa/rgb`: questions with passages that answer them, the same passages with another answer
put in, and passages beside the point. Three cases of each question: one passage in both versions
(a disagreement), one passage and the changed version of another (a disagreement in other words),
and all unchanged passages with those beside the point (none). With `--none` also so many questions
of `golden/nq` and `golden/squad`, whose paragraphs do not disagree: BM25's first eight, each as a
document of its own.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.bm25 import BM25
from core.answering.conflicts import Conflict, find_conflicts
from core.types import Chunk, Document, DocumentState, Hit

_LEAST = 80  # characters of a paragraph


def hits(texts: Sequence[str]) -> list[Hit]:
    """Each text as the only passage of a document of its own."""
    found = []
    for number, text in enumerate(texts):
        name = f"source {number + 1}"
        document = Document(str(number), "s", name, name, None, DocumentState.READY)
        chunk = Chunk(f"{number}:0", str(number), 0, 0, None, 0, len(text), text)
        found.append(Hit(chunk, document))
    return found


def cases(row: dict[str, Any]) -> Iterator[tuple[str, list[str]]]:
    """The cases of one question: their names, and their passages."""
    right, wrong, beside = row["positive"], row["positive_wrong"], row["negative"][:3]
    if wrong and right and wrong[0] != right[0]:
        yield "both versions", [right[0], wrong[0], *beside]
    if len(wrong) > 1 and wrong[1] != right[min(1, len(right) - 1)]:
        yield "in other words", [right[0], wrong[1], *beside]
    yield "none", [*right[:4], *beside]


def named(conflict: Conflict, row: dict[str, Any]) -> bool:
    """Whether what is shown are the two answers."""
    answers = [_first(row["answer"]), _first(row["fakeanswer"])]
    shown = " ".join((conflict.first.text, conflict.second.text)).casefold()
    return all(answer.casefold() in shown for answer in answers)


def _first(value: Any) -> str:
    return value if isinstance(value, str) else _first(value[0])


def where_none_is(data: Path, name: str, count: int, show: bool) -> None:
    """Print how often a disagreement is said among paragraphs that do not disagree."""
    folder = data / "golden" / name
    parts = r"\n## " if name == "nq" else r"\n\n"
    files = sorted((folder / "documents").iterdir())
    texts = [part for file in files for part in re.split(parts, file.read_text("utf-8"))]
    texts = [text.strip() for text in texts if len(text.strip()) > _LEAST]
    index = BM25(texts)
    lines = (folder / "golden.jsonl").read_text("utf-8").splitlines()
    said = 0
    for line in lines[:: max(1, len(lines) // count)][:count]:
        question = json.loads(line)["question"]
        found = find_conflicts(question, hits([texts[at] for at in index.best(question, 8)]))
        said += bool(found)
        if show and found:
            print(name, "|", question, "|", [conflict.values for conflict in found])
    print(f"{name:16} {count:3} questions, a disagreement is said in {said}")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--show", action="store_true", help="print what was missed or wrong")
    parser.add_argument("--none", type=int, default=0, help="questions where nothing disagrees")
    arguments = parser.parse_args()
    lines = (arguments.data / "qa/rgb/en_fact.json").read_text("utf-8").splitlines()
    seen: dict[str, list[bool]] = {}
    right = 0
    for number, row in enumerate(map(json.loads, lines)):
        half = 1 + (2 * number >= len(lines))
        for case, texts in cases(row):
            found = find_conflicts(row["query"], hits(texts))
            for name in (case, f"{case}, half {half}"):
                seen.setdefault(name, []).append(bool(found))
            right += case != "none" and any(named(conflict, row) for conflict in found)
            if arguments.show and bool(found) == (case == "none"):
                print(case, "|", row["query"], "|", [c.values for c in found] or texts[:2])
    for case, found_ in seen.items():
        print(f"{case:24} {len(found_):3} cases, a disagreement is said in {sum(found_)}")
    said = sum(sum(found_) for case, found_ in seen.items() if ", " not in case)
    true = said - sum(seen["none"])
    print(
        f"precision {true / said:.3f} ({true} of {said}); {right} show both answers word for word"
    )

    for name in ("nq", "squad") if arguments.none else ():
        where_none_is(arguments.data, name, arguments.none, arguments.show)


if __name__ == "__main__":
    main()
