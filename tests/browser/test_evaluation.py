"""The evaluation as a person does it: upload, run, leave, come back, compare, download."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.chat import load_samples
from tests.browser.conftest import OpenBrowser
from tests.browser.servers import ROOT, Server

SLOW = 240_000  # milliseconds
QUESTIONS = 3


def open_tab(page: Page, name: str) -> None:
    tab = page.get_by_role("tab", name=name, exact=True)
    expect(tab).to_be_visible(timeout=SLOW)
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true", timeout=SLOW)


def picture(page: Page, path: Path) -> None:
    page.wait_for_timeout(1500)  # charts and tables have come to rest
    page.screenshot(path=path, full_page=True)


@pytest.mark.timeout(900)
def test_upload_run_leave_come_back_compare_download(
    footnote: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser()
    load_samples(page, footnote)

    page.goto(f"{footnote.url}/Evaluation")
    samples = ROOT / "data_main" / "samples" / "golden.jsonl"
    lines = samples.read_text("utf-8").splitlines()[: QUESTIONS * 12 : 12]
    content = "\n".join(lines).encode()
    golden = {"name": "mine.jsonl", "mimeType": "application/json", "buffer": content}
    page.locator("input[type=file]").first.set_input_files([golden])
    expect(page.get_by_text(f"{QUESTIONS} questions · changed")).to_be_visible(timeout=SLOW)
    picture(page, artifacts / "evaluation-1-set.png")

    open_tab(page, "Run")
    page.get_by_text("BERTScore", exact=True).click()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_text("mine.jsonl · Documents").first).to_be_visible(timeout=SLOW)
    picture(page, artifacts / "evaluation-2-running.png")

    page.goto(f"{footnote.url}/Search")  # the run goes on
    expect(page.get_by_label("Query")).to_be_visible(timeout=SLOW)
    page.goto(f"{footnote.url}/Evaluation")
    open_tab(page, "Run")
    expect(page.get_by_text("Done · mine.jsonl · Documents")).to_be_visible(timeout=SLOW)

    ways = page.get_by_test_id("stButtonGroup")
    ways.get_by_text("Documents", exact=True).click()
    ways.get_by_text("Preset documents", exact=True).click()
    page.get_by_text("BERTScore", exact=True).click()
    page.get_by_role("button", name="Start").click()
    second = page.get_by_text("Done · mine.jsonl · Preset documents")
    expect(second).to_be_visible(timeout=SLOW)
    picture(page, artifacts / "evaluation-3-runs.png")

    open_tab(page, "Results")
    expect(page.get_by_test_id("stMetric").first).to_be_visible(timeout=SLOW)
    picture(page, artifacts / "evaluation-4-measures.png")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="evaluated_output.csv").click()
    table = Path(waiting.value.path()).read_text("utf-8")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert len(rows) == QUESTIONS
    assert {"question", "answer", "contains", "cited_document"} <= rows[0].keys()

    open_tab(page, "Plots")
    expect(page.locator("[data-testid=stVegaLiteChart]").first).to_be_visible(timeout=SLOW)
    picture(page, artifacts / "evaluation-5-plots.png")
    open_tab(page, "Questions")
    expect(page.get_by_text("Expected", exact=True)).to_be_visible(timeout=SLOW)
    expect(page.locator(".sheet .question").first).to_be_visible(timeout=SLOW)
    picture(page, artifacts / "evaluation-6-questions.png")

    open_tab(page, "Compare")
    expect(page.get_by_text(f"{QUESTIONS} questions in both")).to_be_visible(timeout=SLOW)
    picture(page, artifacts / "evaluation-7-compare.png")
    assert "Traceback" not in footnote.said()
