"""Pages that are stored for an answer: all of them, or nothing that stays in the way."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.config import Settings
from core.errors import NotEnoughSpace
from core.service import Service
from core.storage.files.originals import Originals
from core.storage.sql.content import Content
from core.storage.sql.documents import Documents
from core.types import DocumentKind, DocumentState, LoadedDocument, Page, Session
from core.web_search.page_store import LivePage, live_page

pytestmark = pytest.mark.F27


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    """A service without threads."""
    service = Service(settings, background=False)
    yield service
    service.close()


def page(name: str) -> LivePage:
    text = f"The {name} of Port Amber was built in 1874."
    loaded = LoadedDocument(DocumentKind.WEB, (Page(0, text),), title=name, language="en")
    return live_page(f"https://example.org/{name}", loaded)


@pytest.mark.parametrize("removing", ["works", "fails too"])
@pytest.mark.parametrize(("kind", "name"), [(Originals, "write"), (Content, "save")])
def test_a_disk_that_runs_full_at_the_second_page(
    service: Service,
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
    kind: type,
    name: str,
    removing: str,
) -> None:
    pages, works, count = [page("lighthouse"), page("harbour")], getattr(kind, name), [0]

    def full(*_: object) -> None:
        raise NotEnoughSpace("The disk is full.")

    def second_fails(*args: object) -> object:
        count[0] += 1
        return works(*args) if count[0] == 1 else full()

    with monkeypatch.context() as patch:
        patch.setattr(kind, name, second_fails)
        if removing == "fails too":
            patch.setattr(Documents, "remove", full)
        with pytest.raises(NotEnoughSpace):
            service.live.add(session.id, pages)
    assert service.live.add(session.id, pages) == 2
    found = service.catalogue.documents.list(session.id)
    assert [one.state for one in found] == [DocumentState.READY] * 2
    assert {one.url for one in found} == {one.url for one in pages}
    assert service.stores.originals.ids(session.id) == {one.id for one in pages}
