"""Everyday documents with the questions that newcomers type about them.

    python -m training.newcomers --out DIR [--part PART]

`documents/*.txt` hold four hundred documents of many kinds, made up for this project by a language
model, each with a dozen questions as people type them: in other words than the text's, in a hurry,
some leaning on what was asked before, some that the text does not answer. The command writes them
(one part by `training.parts.part_of`: "learned", "choices", "held out") as golden conversations:
`documents/` and `golden.jsonl`, for `eval_custom.py talks`.

In a file documents are parted by a line of `=====`, a document and its questions by `-----`. Of a
question `Q:` is what is typed, `T:` the same made to stand alone, `S:` the sentence that answers,
`A:` the words in it that do; `N` stands where nothing in the document answers.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.parts import Part, part_of

WRITTEN = Path(__file__).parent
"""The folder of `documents`, and of `articles` in the same form, which are not for newcomers."""
DOCUMENTS = WRITTEN / "documents"
LIBRARY = 3
"""Documents that a conversation is asked of."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a document: as typed, standing alone, and where its answer is.

    `sentence` and `answer` are empty where the document does not answer.
    """

    typed: str
    alone: str
    sentence: str
    answer: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph with the heading that it stands under, "" before the first."""

    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """A document: its name (kind and number), title, text in Markdown, and its questions."""

    name: str
    title: str
    text: str
    asked: tuple[Asked, ...]

    @property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """What stands between empty lines, each on one line, with the heading above it."""
        found, heading = [], ""
        for part in re.split(r"\n\s*\n", self.text):
            first, _, rest = part.strip().partition("\n")
            if first.startswith("#"):
                heading, part = first.lstrip("# "), rest
            if part.strip():
                found.append(Paragraph(heading, " ".join(part.split())))
        return tuple(found)


def documents(folder: Path | None = None) -> Iterator[Document]:
    """All documents of the files in a folder, in the order of the files' names."""
    for path in sorted((folder or DOCUMENTS).glob("*.txt")):
        parts = re.split(r"(?m)^=====\s*$", path.read_text("utf-8"))
        for number, part in enumerate((part for part in parts if part.strip()), 1):
            head, _, asked = part.strip().partition("\n-----\n")
            title, _, text = head.partition("\n")
            blocks = re.split(r"(?m)^(?=Q: )", asked.strip())
            yield Document(
                f"{path.stem}-{number:03}",
                title.lstrip("# ").strip(),
                text.strip(),
                tuple(_asked(block) for block in blocks if block.strip()),
            )


def _asked(block: str) -> Asked:
    rows = {row[:1]: row[3:].strip() for row in block.strip().splitlines() if row.strip()}
    sentence = " ".join(rows.get("S", "").split())
    return Asked(rows["Q"], rows.get("T", rows["Q"]), sentence, rows.get("A", ""))


def write_golden(found: Sequence[Document], out: Path) -> int:
    """Write the documents and one conversation for each; how many questions there are.

    A conversation is all questions of a document as typed, asked of a library of `LIBRARY`
    documents that follow each other.
    """
    (out / "documents").mkdir(parents=True, exist_ok=True)
    names = [f"{document.name}.md" for document in found]
    rows = []
    for at, (document, name) in enumerate(zip(found, names, strict=True)):
        text = f"# {document.title}\n\n{document.text}\n"
        (out / "documents" / name).write_text(text, "utf-8")
        first = at - at % LIBRARY
        for number, one in enumerate(document.asked, 1):
            place = {"document": name, "page": None, "quote": one.sentence}
            row = {
                "conversation": document.name,
                "turn": number,
                "library": names[first : first + LIBRARY],
                "question": one.typed,
                "kind": document.name.partition("-")[0],
                "follows": one.alone != one.typed,
                "standalone": one.alone,
                "answerable": bool(one.answer),
                "ideal": [place] if one.answer else [],
                "answer_span": one.answer,
            }
            rows.append(json.dumps(row, ensure_ascii=False) + "\n")
    (out / "golden.jsonl").write_text("".join(rows), "utf-8")
    return len(rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m training.newcomers", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--part", type=Part, choices=list(Part))
    given = parser.parse_args(arguments)
    found = [one for one in documents() if given.part in (None, part_of(one.name))]
    asked = write_golden(found, given.out)
    print(f"{len(found)} documents, {asked} questions in {given.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
