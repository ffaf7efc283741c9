"""The vector figures of the handbook, each a function that returns a drawing."""

from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType

from reportlab.graphics.shapes import (
    Circle,
    Drawing,
    Line,
    PolyLine,
    Rect,
)
from reportlab.pdfbase.pdfmetrics import stringWidth

from docs.handbook.drawing import BOLD, FONT, arrow, box, chip, grey_lines, label, sheet
from docs.handbook.layout import (
    ACCENT,
    ACCENT_DARK,
    GREEN,
    INK,
    LINE,
    QUIET,
    RED,
    SAND,
    TEXT_WIDTH,
    TINT,
    TINT_STRONG,
    WHITE,
)


def overview() -> Drawing:
    """Documents above, a question below, the catalogue and the indexes between them."""
    d = Drawing(TEXT_WIDTH, 172)
    w, h, gap = 92.0, 36.0, (TEXT_WIDTH - 4 * 92) / 3
    x = [i * (w + gap) for i in range(4)]
    top, bottom, middle = 132.0, 4.0, 70.0
    above = (
        ("Your documents", "files, web pages"),
        ("Read", "text, pages, places"),
        ("Cut", "into passages"),
        ("Index", "vectors and words"),
    )
    below = (
        ("Your question", "in the browser"),
        ("Search", "two ways, one list"),
        ("Answer", "each claim cited"),
        ("Evidence", "the marked page"),
    )
    for i in range(4):
        box(d, x[i], top, w, h, above[i], fill=WHITE)
        box(d, x[i], bottom, w, h, below[i], fill=TINT)
        if i:
            arrow(d, x[i - 1] + w, top + h / 2, x[i] - 1, top + h / 2)
            arrow(d, x[i - 1] + w, bottom + h / 2, x[i] - 1, bottom + h / 2, ACCENT, 1.2)
    left = x[1]
    box(
        d,
        left,
        middle,
        x[3] + w - left,
        32,
        ("Catalogue and indexes", "one set for each session, on your own disk"),
        fill=TINT_STRONG,
    )
    arrow(d, x[3] + w / 2, top, x[3] + w / 2, middle + 33)
    arrow(d, x[1] + w / 2, middle, x[1] + w / 2, bottom + h + 1, ACCENT, 1.2)
    return d


def screen() -> Drawing:
    """The Chat page with its four parts marked by letters."""
    height = 196.0
    d = Drawing(TEXT_WIDTH, height)
    d.add(Rect(0, 0, TEXT_WIDTH, height, rx=6, ry=6, fillColor=WHITE, strokeColor=QUIET))
    side = 92.0
    d.add(Rect(0.5, 0.5, side, height - 1, fillColor=TINT, strokeColor=None, rx=6, ry=6))
    label(d, 12, height - 22, "Footnote", 9, anchor="start", font=BOLD, colour=ACCENT_DARK)
    for i, name in enumerate(("Chat", "Documents", "Search", "Status")):
        weight = BOLD if i == 0 else FONT
        label(d, 12, height - 42 - i * 13, name, 7.2, anchor="start", font=weight)
    label(d, 12, height - 106, "Conversations", 6.6, anchor="start", colour=QUIET)
    grey_lines(d, 12, height - 118, (62, 52, 58), step=10)
    x, split = side + 14, TEXT_WIDTH - 136
    d.add(Rect(x + 58, height - 34, split - x - 72, 18, rx=6, ry=6, fillColor=TINT_STRONG,
               strokeColor=None))  # fmt: skip
    grey_lines(d, x + 66, height - 26.5, (split - x - 92,))
    grey_lines(d, x, height - 52, (split - x - 22, split - x - 40), step=11)
    chip(d, split - 34, height - 64, "1")
    grey_lines(d, x, height - 79, (split - x - 16, split - x - 74), step=11)
    chip(d, split - 68, height - 91, "2")
    label(d, x, height - 116, "Cited", 6.6, anchor="start", font=BOLD, colour=QUIET)
    grey_lines(d, x, height - 127, (104, 92), step=9)
    d.add(Line(x, 50, split - 14, 50, strokeColor=LINE, strokeWidth=0.5))
    label(d, x, 40, "How it searched", 6.6, anchor="start", colour=QUIET)
    d.add(Rect(x, 10, split - x - 14, 20, rx=6, ry=6, fillColor=WHITE, strokeColor=ACCENT,
               strokeWidth=0.8))  # fmt: skip
    grey_lines(d, x + 8, 18.5, (86,))
    d.add(Line(split, 0, split, height, strokeColor=LINE, strokeWidth=0.5))
    sheet(d, split + 20, 14, 96, height - 36, marked=(3, 4))
    for letter, cx, cy in (
        ("a", 78, height - 18),
        ("b", split - 46, height - 90),
        ("c", split + 10, height - 18),
        ("d", split - 28, 20),
    ):
        d.add(Circle(cx, cy, 6.5, fillColor=ACCENT_DARK, strokeColor=None))
        label(d, cx, cy - 2.6, letter, 7.4, font=BOLD, colour=WHITE)
    return d


def states() -> Drawing:
    """The states of a document and what leads from one to the next."""
    d = Drawing(TEXT_WIDTH, 112)
    w, h = 78.0, 30.0
    gap = (TEXT_WIDTH - 4 * w) / 3
    x = [i * (w + gap) for i in range(4)]
    top, low = 76.0, 8.0
    for i, name in enumerate(("waiting", "reading", "indexing", "ready")):
        last = i == 3
        box(d, x[i], top, w, h, (name,), fill=TINT if not last else GREEN,
             stroke=ACCENT if not last else GREEN, size=8.4,
             colour=INK if not last else WHITE)  # fmt: skip
        if i:
            arrow(d, x[i - 1] + w, top + h / 2, x[i] - 1, top + h / 2)
    box(d, x[0], low, w, h, ("stopped",), fill=WHITE, stroke=SAND, size=8.4)
    box(d, x[2], low, w, h, ("failed",), fill=WHITE, stroke=RED, size=8.4)
    arrow(d, x[0] + w * 0.35, top, x[0] + w * 0.35, low + h + 1, SAND)
    arrow(d, x[0] + w * 0.65, low + h, x[0] + w * 0.65, top - 1)
    label(d, x[0] + w * 0.35 - 4, 50, "Stop", 7, anchor="end", colour=QUIET)
    label(d, x[0] + w * 0.65 + 5, 50, "Resume", 7, anchor="start", colour=QUIET)
    arrow(d, x[1] + w * 0.7, top, x[2] - 1, low + h * 0.7, RED)
    arrow(d, x[2] + w * 0.6, top, x[2] + w * 0.6, low + h + 1, RED)
    label(d, x[2] + w * 0.6 + 5, 55, "a reason and a cure", 7, anchor="start", colour=QUIET)
    y = low + h * 0.35
    d.add(PolyLine([x[2], y, x[0] + w + 26, y, x[0] + w + 26, 64, x[0] + w - 8, 64],
                   strokeColor=QUIET, strokeWidth=1))  # fmt: skip
    arrow(d, x[0] + w - 8, 63.5, x[0] + w - 8, top - 1)
    label(d, x[1] + w / 2 - 6, y + 5, "Retry", 7, colour=QUIET)
    return d


def evidence() -> Drawing:
    """From a chip over the stored place to the marked page."""
    d = Drawing(TEXT_WIDTH, 138)
    d.add(Rect(0, 42, 118, 66, rx=5, ry=5, fillColor=WHITE, strokeColor=QUIET, strokeWidth=0.8))
    label(d, 9, 92, "The answer", 7.6, anchor="start", font=BOLD)
    grey_lines(d, 9, 79, (98, 74), step=11)
    chip(d, 88, 66, "1")
    grey_lines(d, 9, 55, (92,))
    d.add(Rect(158, 28, 122, 94, rx=5, ry=5, fillColor=TINT, strokeColor=ACCENT, strokeWidth=0.8))
    label(d, 167, 106, "The stored place", 7.6, anchor="start", font=BOLD)
    for i, (name, value) in enumerate(
        (
            ("document", "lease.pdf"),
            ("page", "4"),
            ("heading", "Notice"),
            ("characters", "1,210 to 1,385"),
            ("boxes", "2 lines"),
        )
    ):
        label(d, 167, 90 - i * 13, name, 7, anchor="start", colour=QUIET)
        label(d, 214, 90 - i * 13, value, 7, anchor="start")
    sheet(d, TEXT_WIDTH - 102, 4, 102, 130, marked=(4, 5))
    arrow(d, 120, 75, 156, 75, ACCENT, 1.2)
    arrow(d, 282, 75, TEXT_WIDTH - 104, 75, ACCENT, 1.2)
    label(d, 138, 80, "click", 7, colour=QUIET)
    label(d, (282 + TEXT_WIDTH - 102) / 2, 80, "mark", 7, colour=QUIET)
    return d


def pipeline() -> Drawing:
    """The stages of a search from the question to the hits."""
    d = Drawing(TEXT_WIDTH, 190)
    w, h = 106.0, 34.0
    left, mid, right = 0.0, (TEXT_WIDTH - w) / 2, TEXT_WIDTH - w
    rows = (150.0, 84.0, 14.0)
    box(d, left, rows[0], w, h, ("Question", "as understood"), fill=WHITE)
    box(d, mid, rows[0] + 2, w, h, ("Dense search", "100 candidates"))
    box(d, mid, rows[0] - 44, w, h, ("Lexical search", "100 candidates"))
    box(d, right, rows[0] - 20, w, h, ("Fusion", "standard scores, 0.6"))
    arrow(d, left + w, rows[0] + h / 2, mid - 1, rows[0] + 2 + h / 2)
    arrow(d, left + w, rows[0] + h / 2 - 6, mid - 1, rows[0] - 44 + h / 2)
    arrow(d, mid + w, rows[0] + 2 + h / 2, right - 1, rows[0] - 20 + h * 0.7)
    arrow(d, mid + w, rows[0] - 44 + h / 2, right - 1, rows[0] - 20 + h * 0.3)
    y = 24.0
    box(d, right, y, w, h, ("Reranking", "where a model is there"))
    box(d, mid, y, w, h, ("Diversification", "MMR, 7 of 30"))
    box(d, left, y, w, h, ("Joining", "neighbours on a page"))
    arrow(d, right + w / 2, rows[0] - 20, right + w / 2, y + h + 1)
    arrow(d, right, y + h / 2, mid + w + 1, y + h / 2)
    arrow(d, mid, y + h / 2, left + w + 1, y + h / 2)
    arrow(d, left + w / 2, y, left + w / 2, 8, ACCENT, 1.2)
    label(d, left + w / 2 + 12, 8, "hits, best first, with all their scores", 7, anchor="start",
          colour=QUIET)  # fmt: skip
    return d


_COLLECTIONS = ("SciFact", "Cranfield", "MEDLINE", "CoSQA")
_NDCG = (
    ("dense", (0.645, 0.382, 0.788, 0.603), TINT_STRONG),
    ("lexical", (0.687, 0.368, 0.704, 0.383), LINE),
    ("rank fusion (RRF)", (0.711, 0.417, 0.794, 0.532), SAND),
    ("normalised sum", (0.728, 0.418, 0.800, 0.563), ACCENT),
)


def fusion_chart() -> Drawing:
    """Bars of nDCG@10 by collection and method; the figures are those of docs/decisions.md."""
    d = Drawing(TEXT_WIDTH, 178)
    base, top, left = 34.0, 150.0, 26.0
    for step in range(0, 9, 2):
        y = base + (top - base) * step / 8
        d.add(Line(left, y, TEXT_WIDTH, y, strokeColor=LINE, strokeWidth=0.4))
        label(d, left - 5, y - 2.5, f"0.{step}", 6.8, anchor="end", colour=QUIET)
    group = (TEXT_WIDTH - left) / len(_COLLECTIONS)
    bar = group * 0.2
    for g, name in enumerate(_COLLECTIONS):
        x = left + g * group + group * 0.1
        for b, (_, values, colour) in enumerate(_NDCG):
            height = (top - base) * values[g] / 0.8
            d.add(Rect(x + b * bar, base, bar - 2, height, fillColor=colour, strokeColor=None))
            label(d, x + b * bar + bar / 2 - 1, base + height + 2.5, f"{values[g]:.3f}"[1:], 6,
                  colour=QUIET)  # fmt: skip
        label(d, x + group * 0.4, base - 11, name, 7.6, font=BOLD)
    x = left
    for name, _, colour in _NDCG:
        d.add(Rect(x, 3, 8, 8, fillColor=colour, strokeColor=None))
        label(d, x + 12, 4.2, name, 7.2, anchor="start")
        x += 30 + stringWidth(name, FONT, 7.2)
    return d


def emblem() -> Drawing:
    """The cover's picture: a page whose marked line carries a footnote number."""
    d = Drawing(TEXT_WIDTH, 210)
    sheet(d, 8, 6, 150, 196, marked=(5, 6))
    chip(d, 116, 109, "1", 9)
    d.add(Line(18, 40, 70, 40, strokeColor=QUIET, strokeWidth=0.8))
    label(d, 18, 28, "1", 7, anchor="start", font=BOLD, colour=ACCENT)
    grey_lines(d, 26, 29, (92,))
    return d


FIGURES: MappingProxyType[str, Callable[[], Drawing]] = MappingProxyType(
    {
        "overview": overview,
        "screen": screen,
        "states": states,
        "evidence": evidence,
        "pipeline": pipeline,
        "fusion-chart": fusion_chart,
    }
)
