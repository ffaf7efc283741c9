"""Where a citation leads: a page of a PDF, or the words in a page of the web."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.citations.evidence import evidence_link
from core.service import Service
from core.types import Citation, DocumentKind, Session
from tests.conftest import settled
from tests.parsing.files import pdf

WEB = Citation(
    1, "d:0", "d", "page", DocumentKind.HTML, 0, None, 0, 10, "It was built in 1889.",
    headings=("The tower",),
)  # fmt: skip
URL = "https://example.org/tower"


def test_a_page_of_a_pdf_is_counted_from_one() -> None:
    pdf = replace(WEB, kind=DocumentKind.PDF, page_ordinal=4)
    assert evidence_link(f"{URL}#old", pdf) == f"{URL}#page=5"


@pytest.mark.parametrize(
    ("quote", "fragment"),
    [
        ("It was built in 1889.", "#:~:text=It%20was%20built%20in%201889."),
        ("The tower\nIt was built.", "#:~:text=It%20was%20built."),
        ("well-known", "#:~:text=well%2Dknown"),
        ("a, b", "#:~:text=a%2C%20b"),
    ],
)
def test_the_quote_is_marked_in_a_page(quote: str, fragment: str) -> None:
    assert evidence_link(URL, replace(WEB, quote=quote)) == URL + fragment


def test_a_long_quote_is_named_by_its_ends() -> None:
    quote = " ".join(f"w{n}" for n in range(40))
    link = evidence_link(URL, replace(WEB, quote=quote))
    assert link.endswith("text=w0%20w1%20w2%20w3%20w4%20w5,w34%20w35%20w36%20w37%20w38%20w39")


def test_the_anchor_of_the_chunk_comes_first() -> None:
    assert evidence_link(f"{URL}#top", replace(WEB, anchor="s2")).startswith(f"{URL}#s2:~:text=")
    assert evidence_link(f"{URL}#top", WEB).startswith(f"{URL}#top:~:text=")
    assert evidence_link("", WEB) == ""


def test_each_claim_has_its_own_boxes_and_what_is_not_quoted_has_none(
    service: Service, session: Session, tmp_path: Path
) -> None:
    made = pdf(tmp_path / "lines.pdf", ["One stands here.", "Two.", "Three."])
    service.documents.add_file(session, "lines.pdf", made)
    (document,) = settled(service, session)
    (page,) = service.documents.pages(session, document.id)
    one, two, three = (
        (at, at + len(words))
        for words in ("One stands here.", "Two.", "Three.")
        for at in [page.text.index(words)]
    )
    citation = replace(
        WEB, document_id=document.id, kind=document.kind, start=one[0], end=three[1],
        spans=(one, three),
    )  # fmt: skip
    whole = service.documents.evidence(session, citation)
    assert (len(whole.boxes), whole.other_boxes) == (2, ())
    claim = service.documents.evidence(session, citation, [three])
    assert (claim.boxes, claim.other_boxes) == (whole.boxes[1:], whole.boxes[:1])
    assert (claim.spans, claim.pages) == ((three,), 1)
    (between,) = service.documents.evidence(session, replace(citation, spans=(two,)), [two]).boxes
    assert not {between} & {*whole.boxes}
