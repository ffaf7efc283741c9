"""Collecting a documentation: citations lead to the anchor, and one changed page is one page."""

from __future__ import annotations

import pytest

from core.service import Service
from core.types import CollectKind, CollectRequest, CollectState, Session
from tests.collecting.runs import ended
from tests.conftest import answer_of, settled
from tests.scraper.site import Site
from tests.scraper.test_python_docs import contents, sphinx, toctree


@pytest.fixture
def docs(site: Site) -> CollectRequest:
    listed = (
        '<dl><dt id="os.system">os.system(command)</dt>'
        "<dd><p>Executes the command in a {}.</p></dd></dl>"
    )
    site.pages |= {
        "/3/": sphinx("Welcome", contents(Library="library/index.html", News="whatsnew/3.html")),
        "/3/library/index.html": sphinx("Library", toctree("os.html", "re.html")),
        "/3/library/os.html": sphinx("os", listed.format("subshell")),
        "/3/library/re.html": sphinx("re", "<p>Regular expressions match text.</p>"),
        "/3/whatsnew/3.html": sphinx("News", "<p>New things.</p>"),
    }
    return CollectRequest(CollectKind.PYTHON_DOCS, (f"{site.url}/3/",))


def test_citations_of_a_documentation_lead_to_the_anchor(
    service: Service, session: Session, site: Site, docs: CollectRequest
) -> None:
    run = ended(service, session, service.collecting.start(session, docs))
    assert run.state is CollectState.DONE
    assert service.collecting.outcome(session, run.id).sections == (("Welcome", 1), ("Library", 3))
    settled(service, session)
    found = answer_of(service, session, "Which function executes the command in a subshell?")
    citation = found.citations[0]
    assert (citation.url, citation.anchor) == (f"{site.url}/3/library/os.html", "os.system")
    link = service.documents.evidence(session, citation).link
    assert link.startswith(f"{site.url}/3/library/os.html#os.system:~:text=")


def test_one_changed_page_is_indexed_alone(
    service: Service, session: Session, site: Site, docs: CollectRequest
) -> None:
    first = ended(service, session, service.collecting.start(session, docs))
    before = {d.url: d.ready_at for d in settled(service, session)}
    site.pages["/3/library/re.html"] = sphinx("re", "<p>Patterns match text in other ways.</p>")
    run = ended(service, session, service.collecting.again(session, first.id))
    assert (run.progress.changed, run.progress.same, run.progress.gone) == (1, 3, 0)
    after = {d.url: d.ready_at for d in settled(service, session)}
    assert [url for url in after if after[url] != before[url]] == [f"{site.url}/3/library/re.html"]
