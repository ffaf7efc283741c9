"""Read golden sets from CSV, JSON Lines, and a zip in BEIR's layout (pure).

CSV needs a column "question"; optional are "answer" or "answers" (separated by `|`), "document",
"page", "passage" (or "quote"), "anchor", "answerable" (yes, no, true, false, 1, 0), "tags"
(separated by `,` or `|`) and "id". In BEIR's layout each query is a question, and the documents
that are judged relevant are its sources, by id.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from core.errors import InvalidRequest
from core.evaluation.golden.sets import GoldenItem, GoldenSource, golden_lines

MOST_ITEMS = 50_000
_MOST_BYTES = 200 << 20
_NO = {"no", "false", "0", "n", "nein", "non"}
_FORMS = "Give a .csv, a .jsonl, or a .zip with queries.jsonl and qrels/SPLIT.tsv (BEIR's layout)."
COLUMNS = (
    "id", "question", "answers", "answerable", "document", "page", "passage", "anchor", "tags",
    "origin",
)  # fmt: skip


def read_golden_file(name: str, data: bytes) -> list[GoldenItem]:
    """Return the items of an uploaded file, in the format of its name. Raises `InvalidRequest`."""
    lower = name.lower()
    if lower.endswith(".zip"):
        items = _beir(name, data)
    elif lower.endswith((".csv", ".tsv")):
        items = _table(name, _text(name, data), "\t" if lower.endswith(".tsv") else None)
    elif lower.endswith((".jsonl", ".json", ".ndjson")):
        items = golden_lines(_text(name, data), name)
    else:
        raise InvalidRequest(f"{name} is no set of questions.", _FORMS)
    return checked(items, name)


def checked(items: Iterable[GoldenItem], name: str) -> list[GoldenItem]:
    """Return the items with a question, with unique ids. Raises `InvalidRequest`."""
    kept = [item for item in items if item.question.strip()]
    if not kept:
        raise InvalidRequest(f"{name} has no questions.", _FORMS)
    if len(kept) > MOST_ITEMS:
        raise InvalidRequest(f"{name} has more than {MOST_ITEMS:,} questions.", "Split it.")
    return list(_unlike(kept))


def _unlike(items: Iterable[GoldenItem]) -> Iterator[GoldenItem]:
    seen: set[str] = set()
    for at, item in enumerate(items, 1):
        key = item.id.strip() or str(at)
        while key in seen:
            key += "'"
        seen.add(key)
        yield item if key == item.id else replace(item, id=key)


def as_csv(items: Iterable[GoldenItem]) -> str:
    """Return a set as a table that `read_golden_file` reads; only the first source is included."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat_row(item) for item in items)
    return out.getvalue()


def flat_row(item: GoldenItem) -> dict[str, Any]:
    """Return one row of a table: lists are joined by `|`, only the first source is included."""
    source = item.sources[0] if item.sources else GoldenSource("")
    return {
        "id": item.id,
        "question": item.question,
        "answers": " | ".join(item.answers),
        "answerable": item.answerable,
        "document": source.document,
        "page": source.page,
        "passage": source.quote or "",
        "anchor": source.anchor or "",
        "tags": " | ".join(item.tags),
        "origin": item.origin,
    }


def item_of_row(row: Mapping[str, Any], at: int, kept: GoldenItem | None = None) -> GoldenItem:
    """Return the item of a table row. Fields that are not columns are taken from `kept`.

    Raises `ValueError` for a page that is not a number.
    """
    cells = {str(key).strip().lower(): _cell(value) for key, value in row.items() if key}
    answers = cells.get("answers") or cells.get("answer") or cells.get("expected answer") or ""
    document = cells.get("document", "")
    quote = cells.get("passage") or cells.get("quote") or None
    page = cells.get("page", "")
    number = int(float(page)) if page else None
    first = GoldenSource(document, number, cells.get("anchor") or None, quote) if document else None
    more = kept.sources[1:] if kept and first else ()
    return GoldenItem(
        id=cells.get("id") or str(at),
        question=cells.get("question") or cells.get("query") or "",
        answers=_parts(answers, "|"),
        answerable=cells.get("answerable", "").lower() not in _NO,
        sources=((first,) if first else ()) + more,
        tags=_parts(cells.get("tags", "").replace(",", "|"), "|"),
        context=kept.context if kept else "",
        follows=kept.follows if kept else (),
        origin=cells.get("origin", ""),
        critiques=kept.critiques if kept else (),
    )


def _cell(value: Any) -> str:
    """Return the text of a cell; NaN is an empty cell."""
    return "" if value is None or value != value else str(value).strip()


def _parts(text: str, mark: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(mark) if part.strip())


def _table(name: str, text: str, delimiter: str | None) -> list[GoldenItem]:
    head = text.partition("\n")[0]
    mark = delimiter or max(",;\t", key=head.count)
    rows = csv.DictReader(io.StringIO(text), delimiter=mark)
    try:
        names = {(field or "").strip().lower() for field in rows.fieldnames or ()}
        if not names & {"question", "query"}:
            raise InvalidRequest(f"{name} has no column named question.", _FORMS)
        return [item_of_row(row, at) for at, row in enumerate(rows, 1)]
    except (csv.Error, ValueError):
        raise InvalidRequest(
            f"{name}, line {rows.line_num}: cannot be read.", "A page is a number."
        ) from None


def _beir(name: str, data: bytes) -> list[GoldenItem]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(info.file_size for info in archive.infolist()) > _MOST_BYTES:
                raise InvalidRequest(f"{name} is too large when unpacked.", "Split it.")
            queries = _member(archive, "queries.jsonl")
            tables = [one for one in archive.namelist() if one.endswith(".tsv")]
            qrels = [archive.read(one).decode("utf-8") for one in sorted(tables)]
    except (zipfile.BadZipFile, KeyError, UnicodeDecodeError, RuntimeError, OSError):
        raise InvalidRequest(f"{name} is not in BEIR's layout.", _FORMS) from None
    relevant: dict[str, list[str]] = {}
    for table in qrels:
        for line in table.splitlines():
            cells = line.split("\t")
            if len(cells) == 3 and cells[2].strip().isdigit() and int(cells[2]) > 0:
                relevant.setdefault(cells[0], []).append(cells[1])
    return [
        GoldenItem(key, text, sources=tuple(GoldenSource(one) for one in relevant[key]))
        for key, text in _queries(name, queries)
        if key in relevant
    ]


def _member(archive: zipfile.ZipFile, name: str) -> str:
    found = next((one for one in archive.namelist() if one.split("/")[-1] == name), name)
    return archive.read(found).decode("utf-8")


def _queries(name: str, text: str) -> Iterator[tuple[str, str]]:
    for line in filter(str.strip, text.splitlines()):
        try:
            row = json.loads(line)
            yield str(row["_id"]), str(row["text"])
        except (ValueError, RecursionError, KeyError, TypeError):
            raise InvalidRequest(f"{name} is not in BEIR's layout.", _FORMS) from None


def _text(name: str, data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidRequest(f"{name} is not in UTF-8.", "Save it as UTF-8.") from None
