"""Collecting, measured: a documentation, dumps, and main text beside trafilatura's own.

    python benchmarks/collect.py docs     DATA/archives/python-docs-html.tar.xz
    python benchmarks/collect.py text     DATA/archives/web-pages.tar.xz --pages 200
    python benchmarks/collect.py dumps    DATA/stackexchange/*/Posts.xml
    python benchmarks/collect.py big-dump --gigabytes 2

Everything is served on loopback; nothing is fetched from elsewhere. Figures depend on the machine
and on what else it does, so both sides of a comparison run in the same process.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import html
import http.server
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from core.config import Settings
from core.errors import AppError
from scraper.collection import read_json, state_folder
from scraper.crawl_plan import Limits
from scraper.crawl_state import CrawlState
from scraper.dumps import read_rows
from scraper.extract import page as read_page
from scraper.markdown import listing_text
from scraper.pair_selection import Choice
from scraper.python_docs import DEFAULT_LIMITS, collect
from scraper.qa_pairs import body_draft
from scraper.stack_overflow import collect as collect_pairs
from scraper.stack_overflow import read_json as read_pairs

# ------------------------------------------------------------------------- documentation


class Counted(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, counting requests and the bytes of bodies."""

    requests = 0
    bodies = 0

    def do_GET(self) -> None:
        type(self).requests += 1
        super().do_GET()

    def send_header(self, keyword: str, value: str) -> None:
        if keyword == "Content-Length":
            type(self).bodies += int(value)
        super().send_header(keyword, value)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The folder on loopback; gives host and port."""
    handler = functools.partial(Counted, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def docs(archive: Path) -> None:
    """One crawl, one killed and resumed, one again, one with a changed page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        site = folder / "html"
        with served(site) as host:
            one_crawl(host, folder / "whole", site)
            killed_and_resumed(host, folder / "killed")
            again(host, folder / "whole", site)


def command(host: str, out: Path) -> list[str]:
    return [
        sys.executable, "-m", "scraper.python_docs",
        "--base-url", f"http://{host}/", "--out", str(out), "--delay", "0",
    ]  # fmt: skip


def environment(host: str) -> dict[str, str]:
    return os.environ | {"ALLOWED_PRIVATE_HOSTS": host}


def one_crawl(host: str, out: Path, site: Path) -> None:
    Counted.requests = Counted.bodies = 0
    began = time.monotonic()
    run = subprocess.Popen(command(host, out), env=environment(host), stdout=subprocess.PIPE)
    peak = 0
    while run.poll() is None:
        peak = max(peak, memory_of(run.pid))
        time.sleep(0.2)
    assert run.stdout is not None
    print(run.stdout.read().decode())
    print(
        f"whole crawl: {time.monotonic() - began:.1f} s, {Counted.requests} requests,"
        f" {Counted.bodies / 1e6:.1f} MB of bodies, {peak / 1024:.0f} MB of memory"
        " (program and reader together, peak)"
    )
    pages = read_json(out / "python_docs.json")
    urls = [page.page.url for page in pages]
    print(f"pages: {len(urls)}, none twice: {len(set(urls)) == len(urls)}")
    left_out(site, {url.removeprefix(f"http://{host}/") or "index.html" for url in urls})
    lost(site, {url.removeprefix(f"http://{host}/") or "index.html": page.page.markdown
                for url, page in zip(urls, pages, strict=True)})  # fmt: skip


def memory_of(process: int) -> int:
    """Resident memory of a process and its children, in KB."""
    total = 0
    for pid in [process, *children(process)]:
        try:
            status = Path(f"/proc/{pid}/status").read_text()
        except OSError:
            continue
        found = re.search(r"VmRSS:\s+(\d+)", status)
        total += int(found[1]) if found else 0
    return total


def children(process: int) -> list[int]:
    try:
        return [
            int(p) for p in Path(f"/proc/{process}/task/{process}/children").read_text().split()
        ]
    except OSError:
        return []


def left_out(site: Path, kept: set[str]) -> None:
    """Why each file of the archive is not among the pages."""
    reasons: dict[str, list[str]] = {}
    for path in sorted(site.rglob("*.html")):
        name = str(path.relative_to(site))
        if name in kept:
            continue
        if name.startswith("genindex") or name in ("py-modindex.html", "search.html"):
            reason = "index or search"
        elif name.startswith("whatsnew/"):
            reason = "What's New, not asked for"
        elif name == "contents.html":
            reason = "list of all pages, no text of its own"
        else:
            reason = "no table of contents and no page before it leads there"
        reasons.setdefault(reason, []).append(name)
    for reason, names in reasons.items():
        shown = ", ".join(names[:6]) + (", ..." if len(names) > 6 else "")
        print(f"{len(names):5} left out: {reason} ({shown})")


def lost(site: Path, texts: dict[str, str]) -> None:
    """Paragraphs, list items, cells, terms and listings of the HTML that the text lacks."""
    from lxml import html as lxml_html

    counts: Counter[str] = Counter()
    missing: list[str] = []
    for name, text in texts.items():
        root = lxml_html.document_fromstring((site / name).read_bytes())
        main = root.xpath("//div[@role='main']")[0]
        for unwanted in main.xpath(".//a[@class='headerlink'] | .//nav | .//*[@role='navigation']"):
            unwanted.drop_tree()
        flat = flattened(text)
        for element in main.iter("p", "li", "td", "th", "dt", "dd", "h1", "h2", "h3", "h4"):
            wanted = flattened(own_text(element))
            counts["pieces"] += bool(wanted)
            if wanted not in flat:
                counts["lost pieces"] += 1
                missing.append(f"{name}: {wanted[:80]}")
        for listing in main.iter("pre"):
            counts["listings"] += 1
            if listing_text(listing).rstrip() not in text:
                counts["changed listings"] += 1
                missing.append(f"{name}: {listing_text(listing)[:60]!r}")
    print(dict(counts))
    print(*missing[:12], sep="\n")


def own_text(element: Any) -> str:
    """The text of an element up to the first element of a kind that is counted by itself."""
    inner = "p li td th dt dd ul ol dl table pre div section blockquote".split()
    pieces = [element.text or ""]
    for child in element:
        if child.tag in inner:
            break
        pieces.append("".join(child.itertext()) + (child.tail or ""))
    return "".join(pieces)


def flattened(text: str) -> str:
    """Letters and digits alone: marks of Markdown and line ends do not count."""
    return "".join(re.findall(r"\w+", text)).replace("_", "")


def killed_and_resumed(host: str, out: Path) -> None:
    Counted.requests = 0
    run = subprocess.Popen(command(host, out), env=environment(host), stdout=subprocess.DEVNULL)
    while Counted.requests < 101 and run.poll() is None:
        time.sleep(0.005)
    run.send_signal(signal.SIGKILL)
    run.wait()
    before = Counted.requests
    state = CrawlState(state_folder(out, "python_docs", f"http://{host}/"))
    kept = [page.url for page in state.pages()]
    state.close()
    asked: list[str] = []
    original = Counted.do_GET

    def noted(self: Counted) -> None:
        asked.append(f"http://{host}{self.path}")
        original(self)

    Counted.do_GET = noted
    subprocess.run(command(host, out), env=environment(host), check=True, capture_output=True)
    Counted.do_GET = original
    pages = read_json(out / "python_docs.json")
    print(
        f"killed after {before} requests with {len(kept)} pages kept; resumed with {len(asked)}"
        f" requests, {len(set(asked) & set(kept))} of them for kept pages; {len(pages)} pages"
    )


def again(host: str, out: Path, site: Path) -> None:
    settings = Settings(allowed_private_hosts=host)
    limits = Limits(pages=DEFAULT_LIMITS.pages, depth=DEFAULT_LIMITS.depth, delay=0.0)

    def run(what: str) -> None:
        Counted.requests = Counted.bodies = 0
        report = collect(f"http://{host}/", out, settings, limits=limits).run
        print(
            f"{what}: {report.seconds:.1f} s, {Counted.requests} requests,"
            f" {Counted.bodies / 1e6:.3f} MB of bodies, {report.changed} changed,"
            f" {report.unchanged} as before, {len(report.gone)} gone"
        )

    run("second run")
    path = site / "library" / "os.html"
    text = path.read_text("utf-8")
    path.write_text(text.replace("</h1>", "</h1><p>This sentence is new.</p>", 1), "utf-8")
    os.utime(path, (time.time() + 2, time.time() + 2))
    run("one page changed")


# ----------------------------------------------------------------------------- main text


def text(archive: Path, pages: int) -> None:
    """Wanted and unwanted segments in what trafilatura gives and in what is kept here."""
    import trafilatura

    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        with tarfile.open(archive) as packed:
            packed.extractall(name, filter="data")
        folder = Path(name) / "web" / "trafilatura"
        entries = json.loads((folder / "evaldata.json").read_text("utf-8"))
        urls = sorted(entries)
        random.Random(0).shuffle(urls)
        sides = {"trafilatura": [0, 0, 0, 0], "this program": [0, 0, 0, 0]}
        for url in urls[:pages]:
            body = (folder / "html" / entries[url]["file"]).read_bytes()
            address = url if url.startswith("http") else "http://page.example/"
            try:
                own = read_page(body, address, "text/html").markdown
            except AppError:
                own = ""
            theirs = trafilatura.extract(body, url=url, include_comments=False) or ""
            for side, found in (("trafilatura", theirs), ("this program", own)):
                count_segments(sides[side], entries[url], found)
    for side, (hits, misses, wrong, right) in sides.items():
        print(
            f"{side:13} precision {hits / (hits + wrong):.4f}  recall {hits / (hits + misses):.4f}"
            f"  ({hits} wanted found, {misses} not; {wrong} unwanted kept, {right} not)"
        )


def count_segments(counts: list[int], entry: dict[str, list[str]], found: str) -> None:
    """White space and the marks of inline code aside, as both sides write them."""
    flat = " ".join(found.replace("`", "").split())
    for place, wanted in ((0, entry["with"]), (2, entry["without"])):
        inside = sum(" ".join(part.replace("`", "").split()) in flat for part in wanted)
        counts[place] += inside
        counts[place + 1] += len(wanted) - inside


# --------------------------------------------------------------------------------- dumps


def dumps(files: list[Path]) -> None:
    """Rows against the file, accepted answers against the rows, code against all bodies."""
    for path in files:
        lines = sum(line.lstrip().startswith(b"<row ") for line in path.open("rb"))
        with tempfile.TemporaryDirectory() as name:
            out = Path(name) / "pairs.json"
            choice = Choice(tag="", limit=0, min_score=-(10**6), answers="accepted")
            began = time.monotonic()
            report = collect_pairs([path], out, choice)
            seconds = time.monotonic() - began
            linked = {pair.question.id: pair.answer.id for pair in read_pairs(out)}
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    tasks = parser.add_subparsers(dest="task", required=True)
    tasks.add_parser("docs").add_argument("archive", type=Path)
    of_text = tasks.add_parser("text")
    of_text.add_argument("archive", type=Path)
    of_text.add_argument("--pages", type=int, default=200)
    tasks.add_parser("dumps").add_argument("files", type=Path, nargs="+")
    tasks.add_parser("big-dump").add_argument("--gigabytes", type=float, default=2.0)
    given = parser.parse_args()
    if given.task == "docs":
        docs(given.archive)
    elif given.task == "text":
        text(given.archive, given.pages)
    elif given.task == "dumps":
        dumps(given.files)
    else:
        big_dump(given.gigabytes)


if __name__ == "__main__":
    main()
