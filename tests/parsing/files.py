"""Small real documents for tests: PDFs by reportlab, office files by their own libraries."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

from pypdf import PdfReader, PdfWriter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from core.parsing import load
from core.types import LoadedDocument

A4 = (595.0, 842.0)
Draw = Callable[[Canvas], None]


def read(path: Path, *, name: str = "", ocr: bool = False) -> LoadedDocument:
    """Load in this process."""
    return load(path, name=name or path.name, ocr=ocr, progress=lambda share: None)


def written(path: Path, data: bytes | str) -> Path:
    """A file with these bytes."""
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def pdf(path: Path, *pages: Draw | Sequence[str], size: tuple[float, float] = A4) -> Path:
    """A PDF with a page for each argument: lines of text, or a function that draws."""
    canvas = Canvas(str(path), pagesize=size, invariant=1)
    for page in pages:
        if callable(page):
            page(canvas)
        else:
            lines(canvas, page)
        canvas.showPage()
    canvas.save()
    return path


def lines(
    canvas: Canvas,
    texts: Sequence[str],
    *,
    top: float = 780,
    left: float = 72,
    font: str = "Helvetica",
    size: float = 11,
    step: float = 14,
) -> None:
    """Lines of text one under the other."""
    canvas.setFont(font, size)
    for number, text in enumerate(texts):
        canvas.drawString(left, top - number * step, text)


def picture_of(source: Path, size: tuple[float, float], turns: int = 0) -> Draw:
    """A page that is a picture of the first page of a PDF, as scanners make it.

    The picture is turned anticlockwise by `turns` quarters; `size` is that of the turned page.
    """
    import pypdfium2

    with pypdfium2.PdfDocument(source) as document:
        image = document[0].render(scale=2, grayscale=True).to_pil()
    image = image.rotate(90 * turns, expand=True)

    def draw(canvas: Canvas) -> None:
        canvas.drawImage(ImageReader(image), 0, 0, *size)

    return draw


def encrypted(source: Path, path: Path, user: str, owner: str, algorithm: str) -> Path:
    """A copy with passwords."""
    writer = PdfWriter(clone_from=PdfReader(source))
    writer.encrypt(user, owner, algorithm=algorithm)
    writer.write(path)
    return path


def package(path: Path, parts: dict[str, bytes | str]) -> Path:
    """A ZIP with these parts."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def with_part(source: Path, path: Path, name: str, change: Callable[[str], str]) -> Path:
    """A copy of a package with one part changed."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            data = old.read(entry)
            if entry.filename == name:
                data = change(data.decode()).encode()
            new.writestr(entry.filename, data)
    return path


def docx(path: Path, build: Callable[..., None]) -> Path:
    """A Word document that `build` fills."""
    from docx import Document

    document = Document()
    build(document)
    stream = io.BytesIO()
    document.save(stream)
    path.write_bytes(stream.getvalue())
    return path
