"""The ways of asking in a run, and published figures to compare with (pure)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from core.evaluation.runs.results import RunSettings
from core.types import Level

WAYS: dict[str, str] = {
    "documents": "Documents",
    "plain": "Language model without documents",
    "web": "Live web and documents",
    "web filtered": "Live web with quality filter, and documents",
}
"""The sources of answers, with their titles."""

NEEDS_MODEL = "Choose a language model: this needs one."
NEEDS_WEB = "Set SEARXNG_URL: this needs the live web."


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the matrix: its name, and what it changes in the settings of a run."""

    name: str
    way: str = "documents"
    level: Level = Level.AS_TYPED
    preset: str = "session"

    @property
    def needs_model(self) -> bool:
        """Whether it needs a language model."""
        return self.way == "plain" or self.level is not Level.AS_TYPED

    @property
    def needs_web(self) -> bool:
        """Whether it needs the live web."""
        return self.way.startswith("web")

    def of(self, settings: RunSettings) -> RunSettings:
        """Return the settings of a run in this column."""
        return replace(settings, way=self.way, level=str(self.level), preset=self.preset)


MATRIX: dict[str, Column] = {
    column.name: column
    for column in (
        Column("Documents"),
        Column("Plain model", "plain"),
        Column("Web", "web"),
        Column("Filtered web", "web filtered"),
        Column("Rewritten", level=Level.REWRITTEN),
        Column("Several queries", level=Level.SEVERAL),
        Column("In depth", level=Level.IN_DEPTH),
        Column("Preset documents", preset="documents"),
        Column("Preset python-docs", preset="python-docs"),
        Column("Preset stack-overflow", preset="stack-overflow"),
        Column("Preset live-web", preset="live-web"),
    )
}


@dataclass(frozen=True, slots=True)
class Published:
    """A published figure of one of the united systems, and what is needed to measure ours."""

    about: str
    measure: str
    value: float
    way: str = "documents"
    needs: str = ""


PUBLISHED: tuple[Published, ...] = (
    Published("Three difficulty groups, ROUGE-1", "rouge1", 0.24),
    Published("Three difficulty groups, ROUGE-L", "rougeL", 0.19),
    Published("Three difficulty groups, BERTScore (rescaled)", "bertscore_rescaled", -0.32),
    Published("SimpleQA accuracy, plain model", "correct", 0.182, "plain", NEEDS_MODEL),
    Published("SimpleQA accuracy, web", "correct", 0.726, "web", NEEDS_WEB),
    Published("SimpleQA accuracy, filtered web", "correct", 0.666, "web filtered", NEEDS_WEB),
    Published("Answer correctness", "correct", 0.87, needs=NEEDS_MODEL),
    Published("Citation precision", "citation_precision", 0.92),
    Published("Relevant retrieval", "document_hit", 0.89),
    Published("Free of hallucination", "flag_tokens", 0.95),
    Published("Source matching", "cited_document", 0.90),
)


def ours(published: Published, summary: dict[str, float | None], way: str) -> float | None:
    """Return our figure for a published one; None if this run did not measure it."""
    if way != published.way:
        return None
    value = summary.get(published.measure)
    if value is not None and published.measure.startswith("flag"):
        return 1 - value  # published as the share without the flag
    return value
