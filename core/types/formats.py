"""The formats that can be read: the registry of loaders.

A format is one line of `DocumentKind` and one module of `core.parsing` with a function
`load(source: Source) -> LoadedDocument`. Detection, loading, the upload box, the errors and the
schema of the API read the list from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath
from typing import Self


@dataclass(frozen=True, slots=True)
class Format:
    """What is known of a format before a file is read.

    `label` is its name for people, `loader` the module in `core.parsing` that reads it. `part` is
    a member that only ZIP files of this format have, `magic` the bytes that a file begins with. A
    format with neither is text; only its `suffixes` (lower case, with the dot) tell it from others.
    """

    label: str
    loader: str
    suffixes: tuple[str, ...] = ()
    part: str = ""
    magic: bytes = b""

    @property
    def is_text(self) -> bool:
        """Whether only the name distinguishes a file of this format from plain text."""
        return not self.part and not self.magic


class DocumentKind(StrEnum):
    """The format of a document, recognised by its content."""

    spec: Format

    PDF = "pdf", Format("PDF", "pdf.load", (".pdf",), magic=b"%PDF-")
    TEXT = "text", Format("text", "text", (".txt",))
    MARKDOWN = "markdown", Format("Markdown", "markdown", (".md", ".markdown"))
    HTML = "html", Format("HTML", "html.load", (".html", ".htm", ".xhtml"))
    DOCX = "docx", Format("Word (DOCX)", "office.docx", (".docx",), part="word/document.xml")
    PPTX = (
        "pptx",
        Format("PowerPoint (PPTX)", "office.pptx", (".pptx",), part="ppt/presentation.xml"),
    )
    XLSX = (
        "xlsx",
        Format("Excel (XLSX)", "office.xlsx", (".xlsx", ".xlsm"), part="xl/workbook.xml"),
    )
    CSV = "csv", Format("CSV", "csv", (".csv", ".tsv"))
    DATA = (
        "data",
        Format(
            "JSON (YAML, INI)",
            "data",
            (".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".ini", ".cfg", ".conf"),
        ),
    )
    WEB = "web", Format("web page", "html.web_page")

    def __new__(cls, value: str, spec: Format | None = None) -> Self:
        kind = str.__new__(cls, value)
        kind._value_ = value
        kind.spec = spec or Format(value, value)
        return kind

    @classmethod
    def of_name(cls, name: str) -> DocumentKind | None:
        """Return the format that the ending of a file's name stands for, if any.

        >>> DocumentKind.of_name("notes/README.MD")
        <DocumentKind.MARKDOWN: 'markdown'>
        """
        suffix = PurePosixPath(name.lower()).suffix
        return next((kind for kind in cls if suffix in kind.spec.suffixes), None)

    @classmethod
    def files(cls) -> str:
        """Return the formats that a file may have, as a sentence names them.

        >>> print(DocumentKind.files())  # doctest: +NORMALIZE_WHITESPACE
        PDF, text, Markdown, HTML, Word (DOCX), PowerPoint (PPTX), Excel (XLSX), CSV or
        JSON (YAML, INI)
        """
        *labels, last = [kind.spec.label for kind in cls if kind.spec.suffixes]
        return f"{', '.join(labels)} or {last}"
