"""Figures as tables: for the screen, and in Markdown for docs/evaluation.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from benchmarks.speed.parts import Figures


def side_by_side(title: str, figures: Figures) -> str:
    """A table of what was measured: ours, the chain, and the chain as a multiple of ours."""
    ours, chain = figures.get("ours", {}), figures.get("chain", {})
    head = ("", "ours", "LangChain chain", "chain / ours") if chain else ("", "ours")
    rows = []
    for name in dict.fromkeys([*ours, *chain]):
        row = [name, _number(ours.get(name)), _number(chain.get(name))]
        row.append(_ratio(ours.get(name), chain.get(name)))
        rows.append(row[: len(head)])
    return f"**{title}**\n\n{_table(head, rows)}\n"


def growth(by_count: dict[int, Figures]) -> str:
    """How much more each measure is in the largest library than in the smallest."""
    counts = sorted(by_count)
    if len(counts) < 2:
        return ""
    least, most = by_count[counts[0]], by_count[counts[-1]]
    rows = [
        [name, *(_ratio(least[side].get(name), most.get(side, {}).get(name)) for side in least)]
        for name in least["ours"]
    ]
    title = f"Growth from {counts[0]:,} to {counts[-1]:,} chunks, {counts[-1] / counts[0]:g} times"
    return f"**{title}**\n\n{_table(('', *least), rows)}\n"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value >= 1 else f"{value:.3f}"


def _ratio(below: float | None, above: float | None) -> str:
    return f"{above / below:.2f}" if below and above else "-"
