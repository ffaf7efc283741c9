"""Pages to collect, and waiting for the runs that collect them."""

from __future__ import annotations

import threading
from pathlib import Path

from core.config import Settings
from core.service import Service
from core.types import (
    CollectKind,
    CollectRequest,
    CollectRun,
    CollectState,
    DocumentState,
    Session,
)
from tests.conftest import eventually, settings_in, settled
from tests.scraper.site import Reply, Site

ENDED = (CollectState.DONE, CollectState.STOPPED, CollectState.FAILED)
BOATS = "Boats leave at nine from the western pier."


def text_page(title: str, text: str, *links: str) -> str:
    anchors = "".join(f'<p>See <a href="{link}">{link}</a> as well.</p>' for link in links)
    return (
        f"<html lang='en'><head><title>{title}</title></head><body><main><h1>{title}</h1>"
        f"<p>{text}</p><p>{text} Said twice, so that there is text enough.</p>{anchors}"
        "</main></body></html>"
    )


class Gate:
    """A page that is served once the gate is opened."""

    def __init__(self, title: str, text: str) -> None:
        self._page = text_page(title, text)
        self._opened = threading.Event()

    def __call__(self, path: str, headers: object) -> Reply:
        self._opened.wait(10)
        return Reply(self._page)

    def open(self) -> None:
        """Let everybody have the page."""
        self._opened.set()


def collecting(folder: Path, site: Site) -> Settings:
    """Settings that let the program collect from `site`, and from dumps below `folder`."""
    own = {"collect_delay": 0.0, "dumps_dir": str(folder / "dumps")}
    return settings_in(folder, allowed_private_hosts=site.host, **own)


def of_site(site: Site, path: str = "/docs/", **values: object) -> CollectRequest:
    return CollectRequest(CollectKind.SITE, (f"{site.url}{path}",), **values)


def ended(service: Service, session: Session, run: CollectRun) -> CollectRun:
    """Wait for the end of a run."""
    there = eventually(lambda: service.collecting.run(session, run.id).state in ENDED, 90)
    found = service.collecting.run(session, run.id)
    assert there, found
    return found


def titles(service: Service, session: Session) -> set[str]:
    return {d.title for d in settled(service, session) if d.state is DocumentState.READY}
