"""The handbook: built the same twice, shipped as built, true to the defaults of the program."""

from __future__ import annotations

import re
import unicodedata

import pypdfium2
import pytest

from core.config import Settings
from core.retrieval.fusion import standard
from core.types import DocumentState, SearchOptions, Support
from core.ui.chat.preset_choice import LABELS
from docs.handbook.build import CHAPTERS, TARGET, build
from docs.handbook.figures import FIGURES
from docs.handbook.golden import page_texts

REBUILD = "run `python -m docs.handbook.build`"


@pytest.fixture(scope="module")
def pages() -> list[str]:
    return page_texts(TARGET)


@pytest.fixture(scope="module")
def text(pages: list[str]) -> str:
    return " ".join(pages)


@pytest.fixture(scope="module")
def outline() -> list[tuple[int, str, int]]:
    """Bookmarks as (level, title, page from 1)."""
    with pypdfium2.PdfDocument(TARGET) as document:
        return [(b.level, b.get_title(), b.get_dest().get_index() + 1) for b in document.get_toc()]


def test_two_builds_are_the_same_and_the_shipped_text_is_theirs(pages, tmp_path) -> None:
    first = build()
    assert first == build()
    built = tmp_path / "built.pdf"
    built.write_bytes(first)
    assert page_texts(built) == pages, f"The handbook is not what its sources say: {REBUILD}."


def test_the_presets_are_those_of_the_page(text: str) -> None:
    told = text.partition("presets are there, to be chosen in the side bar:")[2].partition(".")[0]
    assert re.split(r", | and ", told.strip()) == [one.partition(":")[0] for one in LABELS.values()]


def test_it_is_a_manual_of_less_than_thirty_pages(pages) -> None:
    assert 18 <= len(pages) < 30
    assert all(len(page) > 150 for page in pages[1:])


def test_every_page_but_the_cover_has_its_head_and_its_number(pages, outline) -> None:
    chapters = [(page, title) for level, title, page in outline if level == 0]
    for number, page in enumerate(pages[1:], 2):
        assert page.startswith("Footnote Handbook")
        assert page.endswith(f" {number}")
        here = [title for start, title in chapters if start == number]
        before = [title for start, title in chapters if start < number]
        if here or before:
            assert (here or before[-1:])[0] in page[:80]


def test_the_text_is_clean(text) -> None:
    odd = {
        c
        for c in text
        if unicodedata.category(c) in ("Co", "Cc", "Cn") or c in "ﬀﬁﬂﬃﬄ\u00ad\ufffe\ufffd"
    }
    assert odd == set()


def test_every_heading_is_a_bookmark_on_its_page(pages, outline) -> None:
    sources = "\n".join(path.read_text("utf-8") for path in sorted(CHAPTERS.glob("*.md")))
    sources = re.sub(r"^```.*?^```", "", sources, flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^(##?) (.+)$", sources, re.MULTILINE)
    assert [(len(marks) - 1, title) for marks, title in headings] == [
        (level, title.partition(" ")[2]) for level, title, _ in outline
    ]
    for _, title, page in outline:
        assert title in pages[page - 1]


def test_the_contents_name_the_pages_of_the_chapters(pages, outline) -> None:
    entries = re.findall(r"(\d+ [A-Z][^.]+?) [ .]+ (\d+)", pages[1])
    assert entries == [(title, str(page)) for level, title, page in outline if level == 0]


def test_every_figure_and_table_is_numbered_in_order(text) -> None:
    figures = [int(n) for n in re.findall(r"Figure (\d+)\. [A-Z]", text)]
    tables = [int(n) for n in re.findall(r"Table (\d+)\. [A-Z]", text)]
    assert figures == list(range(1, len(FIGURES) + 1))
    assert tables == list(range(1, len(tables) + 1))
    assert len(tables) >= 12


def test_the_defaults_of_the_search_are_those_of_the_program(text) -> None:
    table = text.partition("The defaults of a search.")[2][:900]
    options = SearchOptions()
    for name in ("mode", "candidates", "fusion", "dense_weight", "fetch_k", "mmr_lambda", "top_k"):
        assert f"{name} {getattr(options, name)} " in table
    assert f"From {options.fetch_k} candidates it picks {options.top_k}" in text


def test_the_limits_are_those_of_the_settings(text) -> None:
    settings = {name: field.default for name, field in Settings.model_fields.items()}
    for row in (
        f"Size of one file {settings['max_file_mb']} MB",
        f"Documents in one session {settings['max_files']:,}",
        f"Time to read one file {settings['parse_seconds']} seconds",
        f"Processor time to read one file {settings['parse_cpu_seconds']} seconds",
        f"Time for the OCR of one file {settings['ocr_seconds']} seconds",
        f"Memory to read one file {settings['parse_memory_mb']:,} MB",
        f"Free disk space that is left untouched {settings['min_free_mb']} MB",
        f"A passage is at most {settings['chunk_size']:,} characters long",
        f"share up to {settings['chunk_overlap']} characters",
        f"No first word within {settings['first_token_seconds']:g} seconds",
        f"Silence of {settings['between_tokens_seconds']:g} seconds",
        f"{settings['fetch_seconds']:g} seconds FETCH_SECONDS",
        f"{settings['fetch_max_mb']} MB FETCH_MAX_MB",
    ):
        assert row in text


def test_every_setting_stands_in_the_table(text) -> None:
    table = text.rpartition("Every setting.")[2]
    for name, field in Settings.model_fields.items():
        assert f"{name.upper()} " in table, f"{name}: {REBUILD}"
        assert str(field.description).replace("`", "") in table, f"{name}: {REBUILD}"


def test_states_and_results_of_the_check_have_their_names(text) -> None:
    for word in [*DocumentState, *Support]:
        assert word.value in text


def test_the_example_of_the_fusion_is_computed_rightly(text) -> None:
    dense = [("A", 0.62), ("B", 0.58), ("C", 0.41), ("D", 0.30)]
    lexical = [("B", 14.2), ("E", 11.0), ("A", 9.1), ("D", 6.2)]
    table = text.partition("Fused Rank")[2][:300]
    for rank, (name, score) in enumerate(standard(dense, lexical, 0.6), 1):
        fused = f"{score:.2f}".replace("-", "−")
        assert re.search(rf"\b{name} [^A-E]*? {fused} {rank}\b", table), name


def test_the_example_of_mmr_is_computed_rightly(text) -> None:
    assert f"{0.5 * 0.85 - 0.5 * 0.95:.2f}".replace("-", "−") in text
    assert f"0.5 · 0.60 − 0.5 · 0.20 = {0.5 * 0.60 - 0.5 * 0.20:.2f}" in text
