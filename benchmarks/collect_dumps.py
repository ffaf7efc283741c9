"""Dumps: every row, accepted answer and code block against the file; time and memory."""

from __future__ import annotations

import hashlib
import html
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

from scraper.dumps import read_rows
from scraper.pair_selection import Choice
from scraper.qa_pairs import body_draft
from scraper.stack_overflow import collect, read_json


def dumps(files: list[Path]) -> None:
    """Rows against the file, accepted answers against the rows, code against all bodies."""
    for path in files:
        lines = sum(line.lstrip().startswith(b"<row ") for line in path.open("rb"))
        with tempfile.TemporaryDirectory() as name:
            out = Path(name) / "pairs.json"
            choice = Choice(tag="", limit=0, min_score=-(10**6), answers="accepted")
            began = time.monotonic()
            report = collect([path], out, choice)
            seconds = time.monotonic() - began
            linked = {pair.question.id: pair.answer.id for pair in read_json(out)}
        rows: dict[str, Mapping[str, str]] = {}
        read_rows(path, lambda row, rows=rows: rows.update({row["id"]: row}))
        accepted = {
            own: row["acceptedanswerid"]
            for own, row in rows.items()
            if row.get("acceptedanswerid", "") in rows
        }
        blocks, whole = code_of(row.get("body", "") for row in rows.values())
        print(
            f"{path.parent.name}: {lines} rows in the file, {report.rows} read in {seconds:.2f} s;"
            f" {len(accepted)} accepted answers, {len(linked)} linked,"
            f" all right: {linked == accepted};"
            f" {blocks} code blocks in all posts, {whole} whole by hash and in the text"
        )


def code_of(bodies: Iterable[str]) -> tuple[int, int]:
    """How many code blocks the HTML of posts has, and how many are kept as they are."""
    from lxml import html as lxml_html

    blocks = whole = 0
    for body in filter(None, bodies):
        draft, kept = body_draft(body)
        hashes = [sha(code) for code in kept if code in draft.text]
        root = lxml_html.fragment_fromstring(body, create_parent="div")
        for element in root.iter("code"):
            code = element.text_content().replace("\r\n", "\n").strip("\n")
            if len(code.splitlines()) >= 2 and len(code.strip()) > 10:
                blocks += 1
                whole += sha(code) in hashes
    return blocks, whole


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def big_dump(gigabytes: float) -> None:
    """A generated dump: time and peak memory of this process, by the size of the file."""
    with tempfile.TemporaryDirectory() as name:
        path, out = Path(name) / "Posts.xml", Path(name) / "pairs.json"
        for size in (gigabytes / 20, gigabytes):
            rows = generate(path, int(size * 1e9))
            began = time.monotonic()
            run = subprocess.run(
                [sys.executable, "-m", "scraper.stack_overflow", "--posts", str(path),
                 "--tag", "python", "--limit", "500", "--out", str(out)],
                check=True, capture_output=True, text=True,
            )  # fmt: skip
            seconds = time.monotonic() - began
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            megabytes = path.stat().st_size / 1e6
            print(run.stdout.strip())
            print(
                f"{megabytes:,.0f} MB with {rows:,} rows, read twice: {seconds:.1f} s"
                f" ({2 * megabytes / seconds:.0f} MB/s), peak {peak:.0f} MB"
            )


def generate(path: Path, size: int) -> int:
    """A dump of about `size` bytes: questions of two tags, each with two answers."""
    body = html.escape(
        "<p>" + "some words of a post " * 40 + "</p><pre><code>a = 1\nb = 2\n</code></pre>"
    )
    body = body.replace("\n", "&#xA;")
    number = written = 0
    with path.open("w", encoding="utf-8") as file:
        file.write('<?xml version="1.0" encoding="utf-8"?>\n<posts>\n')
        while written < size:
            number += 3
            tag = "python" if number % 2 else "java"
            written += file.write(
                f'  <row Id="{number}" PostTypeId="1" AcceptedAnswerId="{number + 2}"'
                f' CreationDate="2016-08-02T15:39:14.947" Score="{number % 97}" Body="{body}"'
                f' Title="Question {number}" Tags="&lt;{tag}&gt;" OwnerUserId="8" />\n'
            )
            for answer in (1, 2):
                written += file.write(
                    f'  <row Id="{number + answer}" PostTypeId="2" ParentId="{number}"'
                    f' CreationDate="2016-08-02T15:39:14.947" Score="{answer}" Body="{body}" />\n'
                )
        file.write("</posts>\n")
    return number
