"""The cited documents as CSL JSON and as BibTeX."""

from __future__ import annotations

import json
from dataclasses import replace

from core.answering.exports import bibtex, csl
from core.answering.exports.references import references
from tests.answering.exports.material import FIRST, MESSAGES, PDF, exported


def test_csl_has_each_document_once_with_its_pages() -> None:
    assert json.loads(csl.write(exported())) == [
        {
            "id": "turme-50-pdf",
            "type": "document",
            "title": "All about {Towers}",
            "note": "File: Türme & 50%.pdf. Cited: pages 5, 7.",
        },
        {
            "id": "https-example-org-t-1",
            "type": "webpage",
            "title": "A view",
            "URL": "https://example.org/t_1",
            "issued": {"date-parts": [[2024, 5, 1]]},
            "accessed": {"date-parts": [[2026, 1, 2]]},
            "note": "A. Bee, CC BY 4.0.",
        },
    ]


def test_bibtex_escapes_what_latex_reads() -> None:
    assert bibtex.write(exported()).decode() == "\n".join(
        (
            "@misc{turme-50-pdf,",
            r"  title = {{All about \{Towers\}}},",
            r"  note = {File: Türme \& 50\%.pdf. Cited: pages 5, 7.},",
            "}",
            "",
            "@online{https-example-org-t-1,",
            "  title = {{A view}},",
            "  year = {2024},",
            "  date = {2024-05-01},",
            "  url = {https://example.org/t_1},",
            "  urldate = {2026-01-02},",
            "  note = {A. Bee, CC BY 4.0.},",
            "}",
            "",
        )
    )


def test_keys_are_plain_and_never_the_same() -> None:
    labels = ["塔.pdf", "塔!", "Tower (1).pdf", "tower 1 pdf"]
    cited = tuple(replace(PDF, document_id=str(n), label=one) for n, one in enumerate(labels))
    answer = replace(FIRST, citations=cited)
    keys = [one.key for one in references([replace(MESSAGES[1], answer=answer)])]
    assert keys == ["pdf", "source", "tower-1-pdf", "tower-1-pdf-2"]


def test_an_address_stays_one_field_of_bibtex() -> None:
    odd = replace(PDF, url="https://e.org/a}b{c\\d é")
    answer = replace(FIRST, citations=(odd,))
    made = replace(exported(), messages=(replace(MESSAGES[1], answer=answer),))
    assert "url = {" not in bibtex.write(made).decode(), "it has a space: no address"
    odd = replace(odd, url="https://e.org/a}b{c\\dé")
    made = replace(made, messages=(replace(MESSAGES[1], answer=replace(FIRST, citations=(odd,))),))
    assert "url = {https://e.org/a%7Db%7Bc%5Cd%C3%A9}," in bibtex.write(made).decode()
