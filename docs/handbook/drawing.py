"""What the figures are drawn with: boxes, arrows, labels, pages with marked lines."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, cos, pi, sin

from reportlab.graphics.shapes import (
    Drawing,
    Line,
    Polygon,
    Rect,
    String,
)
from reportlab.lib.colors import Color
from reportlab.pdfbase.pdfmetrics import stringWidth

from docs.handbook.layout import (
    ACCENT,
    ACCENT_DARK,
    INK,
    LINE,
    MARK,
    QUIET,
    SAND,
    TINT,
    TINT_STRONG,
    WHITE,
)

FONT, BOLD = "Sans", "Sans-Bold"


def label(
    d: Drawing,
    x: float,
    y: float,
    text: str,
    size: float = 7.6,
    *,
    anchor: str = "middle",
    font: str = FONT,
    colour: Color = INK,
) -> None:
    """A line of text at a point."""
    d.add(String(x, y, text, fontName=font, fontSize=size, fillColor=colour, textAnchor=anchor))


def box(
    d: Drawing,
    x: float,
    y: float,
    width: float,
    height: float,
    lines: Sequence[str],
    *,
    fill: Color = TINT,
    stroke: Color = ACCENT,
    bold: bool = True,
    size: float = 7.6,
    colour: Color = INK,
) -> None:
    """A rounded box with centred lines, the first of them bold."""
    d.add(
        Rect(x, y, width, height, rx=4, ry=4, fillColor=fill, strokeColor=stroke, strokeWidth=0.8)
    )
    leading = size * 1.38
    top = y + height / 2 + leading * (len(lines) - 1) / 2 - size * 0.36
    for i, line in enumerate(lines):
        font = BOLD if bold and i == 0 else FONT
        label(d, x + width / 2, top - i * leading, line, size, font=font, colour=colour)


def arrow(
    d: Drawing, x1: float, y1: float, x2: float, y2: float, colour: Color = QUIET, width: float = 1
) -> None:
    """A line from one point to another, with a head."""
    angle = atan2(y2 - y1, x2 - x1)
    head = 5.0
    d.add(
        Line(
            x1,
            y1,
            x2 - head * 0.8 * cos(angle),
            y2 - head * 0.8 * sin(angle),
            strokeColor=colour,
            strokeWidth=width,
        )
    )
    points = [x2, y2]
    for side in (pi - 0.42, pi + 0.42):
        points += [x2 + head * cos(angle + side), y2 + head * sin(angle + side)]
    d.add(Polygon(points, fillColor=colour, strokeColor=None))


def chip(d: Drawing, x: float, y: float, text: str, size: float = 6.6) -> None:
    """A citation chip."""
    width = stringWidth(text, BOLD, size) + 6
    d.add(
        Rect(
            x, y - 2.2, width, size + 3.4, rx=3, ry=3, fillColor=TINT_STRONG, strokeColor=ACCENT,
            strokeWidth=0.5,
        )
    )  # fmt: skip
    label(d, x + width / 2, y, text, size, font=BOLD, colour=ACCENT_DARK)


def grey_lines(
    d: Drawing, x: float, y: float, widths: Sequence[float], step: float = 8, height: float = 2.6
) -> None:
    """Bars that stand for lines of text."""
    for i, width in enumerate(widths):
        d.add(
            Rect(x, y - i * step, width, height, fillColor=LINE, strokeColor=None, rx=1.2, ry=1.2)
        )


def sheet(
    d: Drawing, x: float, y: float, width: float, height: float, marked: Sequence[int]
) -> None:
    """A page with grey lines for text, the `marked` ones of them in the colour of the mark."""
    d.add(Rect(x, y, width, height, fillColor=WHITE, strokeColor=QUIET, strokeWidth=0.8))
    d.add(Rect(x + 10, y + height - 16, width * 0.5, 4, fillColor=ACCENT, strokeColor=None))
    lines = int((height - 34) // 10)
    for i in range(lines):
        ly = y + height - 30 - i * 10
        length = (width - 20) * (0.62 if i in (max(marked), lines - 1) else 1)
        if i in marked:
            d.add(Rect(x + 8, ly - 2.2, length + 4, 7.6, fillColor=MARK, strokeColor=SAND,
                       strokeWidth=0.5))  # fmt: skip
        d.add(Rect(x + 10, ly, length, 2.8, rx=1.2, ry=1.2, strokeColor=None,
                   fillColor=QUIET if i in marked else LINE))  # fmt: skip
