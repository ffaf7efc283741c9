"""The formats in which a conversation or an answer is exported: another one is a line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from core.answering.exports import bibtex, csl, data, markdown, page, word
from core.answering.exports.port import Form

FormName = Literal["markdown", "html", "docx", "json", "bibtex", "csl-json"]

FORMS: Mapping[FormName, Form] = {
    "markdown": Form(
        "Markdown",
        "Plain text with the sources below each answer.",
        "md",
        "text/markdown; charset=utf-8",
        markdown.write,
    ),
    "html": Form(
        "Web page",
        "One HTML file with images of the cited pages, marked. It needs no network.",
        "html",
        "text/html; charset=utf-8",
        page.write,
    ),
    "docx": Form(
        "Word",
        "A DOCX file with the sources below each answer.",
        "docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        word.write,
    ),
    "json": Form(
        "JSON",
        "For programs: every citation with its document, page and place.",
        "json",
        "application/json",
        data.write,
    ),
    "bibtex": Form(
        "BibTeX",
        "The cited documents, for LaTeX and reference managers.",
        "bib",
        "application/x-bibtex; charset=utf-8",
        bibtex.write,
    ),
    "csl-json": Form(
        "CSL JSON",
        "The cited documents, for Zotero, Pandoc and others.",
        "json",
        "application/vnd.citationstyles.csl+json",
        csl.write,
    ),
}
"""In the order in which they are offered."""
