"""How the handbook looks: fonts, colours, styles, pages with running heads, the outline.

The fonts (STIX for text, DejaVu for headings and code) come from the installed matplotlib
package; their licences allow embedding, and subsets of them are embedded in the PDF.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.enums import TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

WIDTH, HEIGHT = A4
MARGIN_X, MARGIN_TOP, MARGIN_BOTTOM = 82.0, 86.0, 78.0
TEXT_WIDTH = WIDTH - 2 * MARGIN_X

INK = HexColor("#23211d")
QUIET = HexColor("#67625a")
ACCENT = HexColor("#1f5f5b")
ACCENT_DARK = HexColor("#123f3c")
TINT = HexColor("#edf3f1")
TINT_STRONG = HexColor("#cde0dc")
MARK = HexColor("#ffe08a")
LINE = HexColor("#d2cec3")
GREEN = HexColor("#2f7f78")
RED = HexColor("#a8433a")
SAND = HexColor("#b9852f")
WHITE = HexColor("#ffffff")

TITLE = "Footnote Handbook"

_FONTS = {
    "Text": "STIXGeneral.ttf",
    "Text-Bold": "STIXGeneralBol.ttf",
    "Text-Italic": "STIXGeneralItalic.ttf",
    "Text-BoldItalic": "STIXGeneralBolIta.ttf",
    "Sans": "DejaVuSans.ttf",
    "Sans-Bold": "DejaVuSans-Bold.ttf",
    "Mono": "DejaVuSansMono.ttf",
}


def register_fonts() -> None:
    """Make the fonts known to reportlab (once a process).

    Raises `RuntimeError` if matplotlib, which carries the font files, is not installed.
    """
    if "Text" in pdfmetrics.getRegisteredFontNames():
        return
    spec = find_spec("matplotlib")
    if spec is None or not spec.submodule_search_locations:
        raise RuntimeError("Building the handbook needs `pip install -r requirements-dev.txt`.")
    folder = Path(next(iter(spec.submodule_search_locations))) / "mpl-data" / "fonts" / "ttf"
    for name, file in _FONTS.items():
        pdfmetrics.registerFont(TTFont(name, str(folder / file)))
    pdfmetrics.registerFontFamily(
        "Text", normal="Text", bold="Text-Bold", italic="Text-Italic", boldItalic="Text-BoldItalic"
    )
    pdfmetrics.registerFontFamily("Sans", normal="Sans", bold="Sans-Bold")


def _style(name: str, font: str, size: float, leading: float, **more: Any) -> ParagraphStyle:
    more.setdefault("textColor", INK)
    more.setdefault("alignment", TA_LEFT)
    return ParagraphStyle(
        name,
        fontName=font,
        fontSize=size,
        leading=leading,
        bulletFontName="Text",
        bulletFontSize=size,
        allowWidows=0,
        allowOrphans=0,
        **more,
    )


class Styles:
    """The paragraph styles by use."""

    body = _style("body", "Text", 10.3, 13.6, spaceAfter=6)
    item = _style("item", "Text", 10.3, 13.6, spaceAfter=3, leftIndent=17, bulletIndent=4)
    chapter = _style(
        "chapter", "Sans-Bold", 19, 24, spaceAfter=14, textColor=ACCENT_DARK, keepWithNext=1
    )
    section = _style(
        "section",
        "Sans-Bold",
        11.5,
        15,
        spaceBefore=9,
        spaceAfter=4,
        textColor=ACCENT,
        keepWithNext=1,
    )
    caption = _style("caption", "Sans", 8, 11, textColor=QUIET)
    figure_caption = _style(
        "figure_caption", "Sans", 8, 11, spaceBefore=4, spaceAfter=12, textColor=QUIET
    )
    cell = _style("cell", "Text", 9.4, 11.4)
    head_cell = _style("head_cell", "Sans-Bold", 8, 11, textColor=ACCENT_DARK)
    code = _style("code", "Mono", 8.4, 12)
    formula = _style("formula", "Text-Italic", 12, 16, leftIndent=26, spaceBefore=2, spaceAfter=8)
    note = _style("note", "Text", 10.4, 14)


class Heading(Paragraph):
    """A heading that puts itself into the PDF's outline and the table of contents."""

    def __init__(self, text: str, plain: str, key: str, level: int, style: ParagraphStyle) -> None:
        super().__init__(text, style)
        self.plain, self.key, self.level = plain, key, level

    def draw(self) -> None:
        canvas = self.canv
        _, top = canvas.absolutePosition(0, self.height)
        canvas.bookmarkPage(self.key, fit="XYZ", left=0, top=top + 8, zoom=0)
        canvas.addOutlineEntry(self.plain, self.key, level=self.level, closed=self.level == 0)
        super().draw()


class Handbook(BaseDocTemplate):
    """A4 pages: a cover without furniture, then pages with a running head and a number."""

    def __init__(self, target: Any) -> None:
        super().__init__(
            target,
            pagesize=A4,
            title=TITLE,
            author="The Footnote project",
            subject="Manual of Footnote: answers from your own documents, with checkable citations",
            keywords=["Footnote", "manual", "retrieval", "citations"],
            lang="en",
            invariant=1,
            allowSplitting=1,
        )
        frame = Frame(
            MARGIN_X,
            MARGIN_BOTTOM,
            TEXT_WIDTH,
            HEIGHT - MARGIN_TOP - MARGIN_BOTTOM,
            leftPadding=0,
            rightPadding=0,
            topPadding=0,
            bottomPadding=0,
        )
        self.addPageTemplates(
            [
                PageTemplate("cover", [frame], autoNextPageTemplate="page"),
                PageTemplate("page", [frame], onPage=_running_head, onPageEnd=_page_number),
            ]
        )
        self.chapter_starts: list[tuple[int, str]] = []  # (page, chapter) of this pass
        self.chapters_before: list[tuple[int, str]] = []  # the same of the pass before

    def afterFlowable(self, flowable: Any) -> None:
        """Collect the table of contents and where each chapter begins."""
        if isinstance(flowable, Heading):
            self.notify("TOCEntry", (flowable.level, flowable.plain, self.page, flowable.key))
            if flowable.level == 0:
                self.chapter_starts.append((self.page, flowable.plain))

    def _startBuild(self, *args: Any, **kwargs: Any) -> None:
        self.chapters_before, self.chapter_starts = self.chapter_starts, []
        super()._startBuild(*args, **kwargs)

    def chapter_of(self, page: int) -> str:
        """The first chapter that begins on a page, or the one that goes on there."""
        begins = [chapter for start, chapter in self.chapters_before if start == page]
        goes_on = [chapter for start, chapter in self.chapters_before if start < page]
        return begins[0] if begins else goes_on[-1] if goes_on else ""


def _running_head(canvas: Any, doc: Handbook) -> None:
    y = HEIGHT - 50
    canvas.saveState()
    canvas.setFont("Sans", 7.6)
    canvas.setFillColor(QUIET)
    canvas.drawString(MARGIN_X, y, TITLE)
    canvas.drawRightString(WIDTH - MARGIN_X, y, doc.chapter_of(canvas.getPageNumber()))
    _rule(canvas, y - 7, LINE)
    canvas.restoreState()


def _page_number(canvas: Any, doc: Handbook) -> None:
    canvas.saveState()
    canvas.setFont("Sans", 8)
    canvas.setFillColor(QUIET)
    canvas.drawCentredString(WIDTH / 2, 44, str(canvas.getPageNumber()))
    canvas.restoreState()


def _rule(canvas: Any, y: float, colour: Color) -> None:
    canvas.setStrokeColor(colour)
    canvas.setLineWidth(0.5)
    canvas.line(MARGIN_X, y, WIDTH - MARGIN_X, y)
