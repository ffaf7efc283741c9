"""The public sets and the project's own, as questions about paragraphs."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training import newcomers
from training.nearest import Nearest
from training.queries import key_of, placed
from training.windows import Span


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a paragraph. `answers` is empty where the paragraph holds none."""

    source: str
    document: str
    text: str
    paragraph: str
    answers: tuple[str, ...]
    place: Span | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a public set, with the document that it is of and what it stands under."""

    document: str
    title: str
    text: str


def squad(data: Path) -> Iterator[Question]:
    """SQuAD 1.1's questions, and 2.0's unanswerable ones with the paragraph nearest to them.

    The unanswerable ones stand in the order of their articles but name none: each is given to the
    article that most of its neighbours are nearest to.
    """
    folder = data / "golden" / "squad"
    rows = lines(folder / "golden.jsonl")
    paragraphs: dict[str, dict[str, None]] = {}
    for row in rows:
        for source in row["sources"]:
            paragraphs.setdefault(source["document"], {})[source["quote"]] = None
            answers = tuple(row["answers"])
            yield Question(
                "squad",
                source["document"],
                row["question"],
                source["quote"],
                answers,
                title=_title(source["document"]),
            )
    nearest = Nearest(
        [(paragraph, name) for name, found in paragraphs.items() for paragraph in found]
    )
    open_ = [row["question"] for row in rows if not row["sources"]]
    guesses = [nearest(question)[0][1] for question in open_]
    for at, question in enumerate(open_):
        near = Counter(guesses[max(0, at - 10) : at + 11])
        article = near.most_common(1)[0][0]
        found = next(text for text, name in nearest(question) if name == article)
        yield Question("squad", article, question, found, (), title=_title(article))


def _title(document: str) -> str:
    return Path(document).stem.replace("_", " ")


def natural_questions(data: Path, *, checking: bool = False) -> Iterator[Question]:
    """Questions typed into a search engine, of every second volume; the rest is for checking."""
    folder = data / "golden" / "nq"
    volumes = sorted(path.name for path in (folder / "documents").glob("*.md"))
    wanted = volumes[1::2] if checking else volumes[::2]
    texts = {name: (folder / "documents" / name).read_text("utf-8") for name in wanted}
    for row in lines(folder / "golden.jsonl"):
        source = row["sources"][0]
        text = texts.get(source["document"], "")
        paragraph = next((p for p in text.split("\n\n") if source["quote"] in p), None)
        if paragraph is not None:
            start = paragraph.index(source["quote"])
            place = next(places(row["answers"], source["quote"]), None)
            found = (start + place[0], start + place[1]) if place else None
            answers = tuple(row["answers"])
            above = text[: text.index(paragraph)].rpartition("\n## ")[2]
            yield Question(
                "nq",
                source["document"],
                row["question"],
                paragraph,
                answers,
                found,
                above.partition("\n")[0].strip(),
            )


def covid(data: Path) -> Iterator[Question]:
    """Spans in scientific papers."""
    for row in lines(data / "qa" / "covid" / "train.jsonl"):
        text, answer = row["context"], row["answer"].strip()
        start = text.find(answer, max(0, row["start"] - 2))
        if start >= 0:
            place = start, start + len(answer)
            yield Question("covid", text[:200], row["question"], text, (answer,), place)


def multihop(data: Path) -> Iterator[Question]:
    """HotpotQA: the paragraph that holds the answer, and the other one that leads to it."""
    for row in _multihop(data):
        right = {title for title, _ in row["supporting_facts"]}
        for title, parts in row["context"]:
            paragraph = "".join(parts).strip()
            answer = row["answer"]
            if title in right and answer in paragraph and answer not in ("yes", "no"):
                yield Question("hotpot", title, row["question"], paragraph, (answer,), title=title)


def _multihop(data: Path) -> list[dict[str, Any]]:
    path = data / "qa" / "multihop" / "hotpotqa_train.json"
    rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.is_file() else []
    return rows


def everyday(written: Path) -> Iterator[Question]:
    """Everyday documents of the project's own: each question standing alone, and as typed."""
    return _written(written / "documents", "everyday")


def articles(written: Path) -> Iterator[Question]:
    """Articles of the project's own, with questions as typed into a search engine."""
    return _written(written / "articles", "articles")


def _written(folder: Path, source: str) -> Iterator[Question]:
    for document in newcomers.documents(folder):
        paragraphs = document.paragraphs
        nearest = Nearest([(one.text, str(at)) for at, one in enumerate(paragraphs)])
        for one in document.asked:
            found = [part for part in paragraphs if one.sentence and one.sentence in part.text]
            if one.answer and not found:
                continue
            part = found[0] if found else paragraphs[int(nearest(one.alone)[0][1])]
            start = part.text.index(one.sentence) + one.sentence.index(one.answer)
            yield from (
                Question(
                    source,
                    document.name,
                    text,
                    part.text,
                    (one.answer,) if one.answer else (),
                    (start, start + len(one.answer)) if one.answer else None,
                    ". ".join(filter(None, (document.title, part.heading))),
                )
                for text in dict.fromkeys((one.typed, one.alone))
            )


def queries(data: Path) -> Iterator[Question]:
    """Questions as typed into a search engine about paragraphs of the sets above."""
    found = {key_of(one.text): one for one in paragraphs(data)}
    for one, text in placed({key: paragraph.text for key, paragraph in found.items()}):
        of = found[one.key]
        place = (one.start, one.start + len(one.answer)) if one.answer else None
        answers = (one.answer,) if one.answer else ()
        yield Question("queries", of.document, one.text, text, answers, place, of.title)


def paragraphs(data: Path) -> Iterator[Paragraph]:
    """The paragraphs of Natural Questions, SQuAD, HotpotQA, ClapNQ and MTRAG, with their titles."""
    golden = data / "golden"
    for path in sorted((golden / "nq" / "documents").glob("*.md")):
        heading = ""
        for part in path.read_text("utf-8").split("\n\n"):
            if part.startswith("#"):
                heading = part.lstrip("# ").strip()
            elif part.strip():
                yield Paragraph(path.name, heading, part.strip())
    for path in sorted((golden / "squad" / "documents").glob("*.txt")):
        for part in path.read_text("utf-8").split("\n\n"):
            yield Paragraph(path.name, _title(path.name), part.strip())
    for row in _multihop(data):
        for title, sentences in row["context"]:
            yield Paragraph(title, title, "".join(sentences).strip())
    for kind in ("answerable", "unanswerable"):
        for row in lines(data / "qa" / "clapnq" / f"clapnq_dev_{kind}.jsonl"):
            passage = row["passages"][0]
            yield Paragraph(passage["title"], passage["title"], " ".join(passage["sentences"]))
    for row in lines(data / "conversation" / "mtrag_un" / "reference.jsonl"):
        for passage in row["contexts"]:
            page = re.sub(r"(?:-\d+)+$", "", passage["document_id"])
            yield Paragraph(page, "", passage["text"])


def places(answers: Iterable[str], text: str) -> Iterator[Span]:
    for answer in answers:
        pattern = r"\s+".join(map(re.escape, answer.split()))
        for found in re.finditer(rf"(?<!\w){pattern}(?!\w)", text) if pattern else ():
            yield found.span()


def lines(path: Path) -> list[dict[str, Any]]:
    """The objects in a file of JSON lines; none where there is no such file."""
    text = path.read_text("utf-8") if path.is_file() else ""
    return [json.loads(line) for line in text.split("\n") if line]
