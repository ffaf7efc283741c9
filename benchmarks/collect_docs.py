"""A documentation, crawled whole, killed and resumed, and again after a change."""

from __future__ import annotations

import functools
import http.server
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from core.config import Settings
from core.parsing.html.to_markdown import listing_text
from scraper.collection import read_json, state_folder
from scraper.crawl_plan import Limits
from scraper.crawl_state import CrawlState
from scraper.python_docs import DEFAULT_LIMITS, collect


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
    with closing(CrawlState(state_folder(out, "python_docs", f"http://{host}/"))) as state:
        kept = [page.url for page in state.pages()]
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
