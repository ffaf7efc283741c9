"""Any site: its pages by its own links and sitemaps, written as one JSON.

`python -m scraper.site https://example.org/docs/ --out data_main --pages 200` writes
`site-NAME.json`. Called again, it goes on where it was stopped, or fetches what has changed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from core.config import Settings, load_settings
from core.urls import canonical_url, parse_url
from scraper.collection import (
    Collected,
    CollectReport,
    sections_of,
    state_folder,
    write_json,
)
from scraper.console import CrawlBar, print_report, run_job
from scraper.crawl import crawl
from scraper.crawl_plan import NOBODY, Limits, Observer, Plan
from scraper.crawl_state import CrawlState
from scraper.pdf_pages import PdfFolder


def collect(
    urls: Sequence[str],
    out: Path,
    settings: Settings,
    observer: Observer = NOBODY,
    *,
    limits: Limits | None = None,
    sitemaps: bool = True,
    whole_host: bool = False,
    refresh: bool = False,
) -> CollectReport:
    """Read the sites that begin at `urls` and write their pages to `result_file(out, urls)`.

    Only pages below the folder of each address are read, or all of its host with `whole_host`.
    Raises `InvalidUrl` and `DataDirectoryInUse`.
    """
    starts = tuple(canonical_url(url) for url in urls)
    plan = Plan(starts, limits or Limits(), sitemaps=sitemaps, whole_host=whole_host)
    folder = state_folder(out, "site", *starts)
    run = crawl(plan, folder, settings, observer, refresh=refresh)
    with closing(CrawlState(folder)) as state:
        pages = [
            Collected(parse_url(page.url).authority, position, page)
            for position, page in enumerate(state.pages())
        ]
    PdfFolder(folder, settings).sweep({page.page.file for page in pages})
    if pages:
        write_json(pages, result_file(out, urls), source=starts[0])
    return CollectReport(run, sections_of(pages), run.left_out)


def result_file(out: Path, urls: Sequence[str]) -> Path:
    """The file that a collection from these addresses is written to."""
    starts = [canonical_url(url) for url in urls]
    name = parse_url(starts[0]).authority.replace(":", "-").replace("[", "").replace("]", "")
    return out / f"site-{name}-{state_folder(out, '', *starts).stem[1:7]}.json"


def main(arguments: list[str] | None = None) -> int:
    """The command line; 0 when the run came to its end."""
    usual = Limits()
    parser = argparse.ArgumentParser(prog="python -m scraper.site", description=__doc__)
    parser.add_argument("urls", nargs="+", metavar="URL")
    parser.add_argument("--out", type=Path, default=Path("data_main"), metavar="DIR")
    parser.add_argument("--pages", type=int, default=usual.pages, help="at most so many")
    parser.add_argument("--depth", type=int, default=usual.depth, help="links from the start")
    parser.add_argument("--seconds", type=float, default=usual.seconds, help="at most so long")
    parser.add_argument("--delay", type=float, default=usual.delay, help="between two requests")
    parser.add_argument("--no-sitemaps", action="store_true", help="follow links alone")
    parser.add_argument("--whole-host", action="store_true", help="not only below the address")
    parser.add_argument("--refresh", action="store_true", help="begin again: what has changed?")
    given = parser.parse_args(arguments)
    limits = replace(
        usual, pages=given.pages, depth=given.depth, seconds=given.seconds, delay=given.delay
    )

    def work(bar: CrawlBar) -> int:
        report = collect(
            given.urls,
            given.out,
            load_settings(),
            Observer(on_progress=bar.show, cancelled=bar.cancelled),
            limits=limits,
            sitemaps=not given.no_sitemaps,
            whole_host=given.whole_host,
            refresh=given.refresh,
        )
        bar.close()
        print_report(report.run, report.left_out)
        if report.sections:
            print(f"Written to {result_file(given.out, given.urls)}")
        return 1 if report.run.stopped or not report.sections else 0

    return run_job(work)


if __name__ == "__main__":
    raise SystemExit(main())
