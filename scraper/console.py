"""What the commands of the scraper share: a progress bar, Ctrl-C, and errors in plain words."""

from __future__ import annotations

import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from core.errors import AppError
from scraper.crawl_plan import Progress, Report


class CrawlBar:
    """A progress bar for a crawl. Ctrl-C stops the run; what was read stays."""

    def __init__(self) -> None:
        from tqdm import tqdm

        self._bar: Any = tqdm(unit=" pages", dynamic_ncols=True, disable=None)
        self._stopped = threading.Event()
        signal.signal(signal.SIGINT, lambda *_: self._stopped.set())

    def show(self, progress: Progress) -> None:
        """Show where the run stands."""
        self._bar.total = progress.visited + progress.queued
        self._bar.n = progress.visited
        self._bar.set_postfix_str(
            f"{progress.megabytes:,.1f} MB, {progress.left_out:,} left out", refresh=True
        )

    def cancelled(self) -> bool:
        """Whether Ctrl-C was pressed."""
        return self._stopped.is_set()

    def close(self) -> None:
        """Leave the bar as it is."""
        self._bar.close()


def run_job(work: Callable[[CrawlBar], int]) -> int:
    """Do the work; our errors become two lines on standard error and the exit status 2."""
    bar = CrawlBar()
    try:
        return work(bar)
    except AppError as error:
        print(error.message, error.cure, sep="\n", file=sys.stderr)
        return 2
    finally:
        bar.close()


def print_report(report: Report, left_out: Iterable[tuple[str, str]]) -> None:
    """What a crawl did, and how many addresses were left out for which reason."""
    print(
        f"{report.pages:,} pages ({report.changed:,} new or changed, {report.unchanged:,} as"
        f" before, {len(report.gone):,} gone); {report.requests:,} requests,"
        f" {report.received / 1024 / 1024:,.1f} MB, {report.seconds:,.1f} seconds."
    )
    if report.stopped:
        print(f"{report.stopped} The same command goes on from here.")
    for reason, count in Counter(reason for _, reason in left_out).most_common():
        print(f"{count:6,}  left out: {reason}")
