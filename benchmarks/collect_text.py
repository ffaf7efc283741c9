"""Main text: wanted and unwanted segments, beside trafilatura in the same process."""

from __future__ import annotations

import json
import random
import tarfile
import tempfile
import warnings
from pathlib import Path

from core.errors import AppError
from core.parsing.html.elements import visible_text
from core.parsing.html.load import decode_html, load_html, parse_html
from core.parsing.html.web_page import page as read_page


def text(archive: Path, pages: int) -> None:
    """Wanted and unwanted segments in what trafilatura gives and in what is kept here.

    "As a file" is the same page uploaded, of which more is kept; "all visible" is its whole text.
    """
    import trafilatura

    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        with tarfile.open(archive) as packed:
            packed.extractall(name, filter="data")
        folder = Path(name) / "web" / "trafilatura"
        entries = json.loads((folder / "evaldata.json").read_text("utf-8"))
        urls = sorted(entries)
        random.Random(0).shuffle(urls)
        names = ("trafilatura", "this program", "as a file", "all visible")
        sides = {name: [0, 0, 0, 0] for name in names}
        for url in urls[:pages]:
            body = (folder / "html" / entries[url]["file"]).read_bytes()
            address = url if url.startswith("http") else "http://page.example/"
            try:
                own = read_page(body, address, "text/html").markdown
            except AppError:
                own = ""
            theirs = trafilatura.extract(body, url=url, include_comments=False) or ""
            root = parse_html(decode_html(body).text)
            shown = "" if root is None else visible_text(root)
            file = "\n".join(part.text for part in load_html(body).pages)
            for side, found in zip(names, (theirs, own, file, shown), strict=True):
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
