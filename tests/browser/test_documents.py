"""The Documents page in a real browser: folders dropped, many documents selected and tagged."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenBrowser
from tests.browser.servers import Server
from tests.browser.test_accessibility import findings


def test_a_folder_is_added_and_many_are_tagged(
    pages: Server, open_browser: OpenBrowser, artifacts: Path, tmp_path: Path
) -> None:
    for name in [f"2023/report-{number}.md" for number in range(20)] + [
        f"2024/report-{number}.md" for number in range(20, 30)
    ]:
        path = tmp_path / "reports" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}")
    page = open_browser()
    page.goto(f"{pages.url}/Documents")
    page.get_by_text("A folder", exact=True).click()
    page.locator("input[type=file][webkitdirectory]").set_input_files(tmp_path / "reports")
    expect(page.get_by_text("30 documents added.")).to_be_visible()
    expect(page.locator(".row.ready")).to_have_count(25)
    expect(page.locator(".row").first.locator(".tag").first).to_have_text("reports")
    page.screenshot(path=artifacts / "documents-1440.png")

    page.get_by_role("combobox", name="Tag").click()
    page.get_by_role("option", name="2024", exact=True).click()
    expect(page.locator(".row")).to_have_count(10)
    page.get_by_label("Select reports/2024/report-20.md").check()
    bar = page.locator(".selection")
    expect(bar).to_contain_text("1 selected")
    page.get_by_label("Select all on this page").click()
    expect(bar).to_contain_text("10 selected")
    bar.get_by_role("button", name="Leave out of search").click()
    expect(page.locator(".row.out")).to_have_count(10)
    expect(bar).to_contain_text("10 selected")

    bar.get_by_role("button", name="Tags").click()
    dialog = page.get_by_test_id("stDialog")
    dialog.get_by_role("combobox", name="Add").fill("checked")
    page.keyboard.press("Enter")
    page.screenshot(path=artifacts / "documents-tags.png")
    dialog.get_by_text("and 5 other documents").click()  # closes the list of tags
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Show documents tagged checked")).to_have_count(10)

    page.get_by_role("button", name="Show documents tagged reports").first.click()
    expect(page.locator(".row")).to_have_count(25)
    expect(bar).to_contain_text("Select")
    expect(bar).not_to_contain_text("selected")
    page.get_by_label("Select all on this page").check()
    bar.get_by_role("button", name="Select all 30").click()
    expect(bar).to_contain_text("30 selected")
    page.screenshot(path=artifacts / "documents-selected.png")
    bar.get_by_role("button", name="Include in search").click()
    expect(page.locator(".row.out")).to_have_count(0)
    bar.get_by_role("button", name="Remove").click()
    dialog.get_by_role("button", name="Remove", exact=True).click()
    expect(page.get_by_text("No documents yet.")).to_be_visible()


@pytest.mark.parametrize("look", ["light", "dark", "phone"])
def test_documents_are_grouped_by_origin(
    pages: Server, open_browser: OpenBrowser, artifacts: Path, look: str
) -> None:
    page = open_browser(dark=look == "dark", phone=look == "phone")
    page.goto(f"{pages.url}/Documents")
    page.get_by_text("Add web pages").click()
    addresses = "\n".join(f"https://example.org/{number}" for number in range(8))
    page.get_by_label("Addresses, one per line").fill(addresses)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".row.ready")).to_have_count(8)
    files = [
        {"name": f"report-{number}.md", "mimeType": "text/plain", "buffer": f"{number}".encode()}
        for number in range(20)
    ]
    page.locator("input[type=file]").set_input_files(files)
    expect(page.locator(".row.ready")).to_have_count(25)
    rows = page.locator(".row .label")
    expect(rows.first).to_have_text("https://example.org/0")

    box = page.get_by_role("checkbox", name="Group by origin")
    box.focus()
    page.keyboard.press("Space")
    heads = page.locator(".documents").get_by_role("heading")
    expect(heads).to_have_text(["Files (20)", "Web pages (8)"])
    expect(rows.first).to_have_text("report-0.md")
    of_web = page.locator(".documents").get_by_role("list", name="Web pages (8)")
    expect(of_web.locator(".row")).to_have_count(5)
    page.get_by_label("Select all on this page").check()
    bar = page.locator(".selection")
    expect(bar).to_contain_text("25 selected")
    page.screenshot(path=artifacts / f"documents-grouped-{look}.png", full_page=True)
    assert findings(page) == []
    page.get_by_test_id("stPaginationNext").click()
    expect(heads).to_have_text(["Web pages (8)"])
    expect(of_web.locator(".row")).to_have_count(3)
    expect(bar).to_contain_text("25 selected")
    page.get_by_label("Select https://example.org/7").check()
    expect(bar).to_contain_text("26 selected")
    bar.get_by_role("button", name="Leave out of search").click()
    expect(page.locator(".row.out")).to_have_count(1)
    page.get_by_test_id("stPaginationPrev").click()
    expect(page.locator(".row.out")).to_have_count(25)

    only = page.get_by_role("button", name="Show only these: Web pages")
    only.focus()
    page.keyboard.press("Enter")
    expect(heads).to_have_text(["Web pages (8)"])
    expect(page.locator(".row")).to_have_count(8)
    expect(bar).not_to_contain_text("selected")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_the_list_fits_a_phone_and_the_dark(
    pages: Server, open_browser: OpenBrowser, artifacts: Path
) -> None:
    page = open_browser(phone=True, dark=True)
    page.goto(f"{pages.url}/Documents")
    files = [
        {"name": f"report-{number}.md", "mimeType": "text/plain", "buffer": f"{number}".encode()}
        for number in range(14)
    ]
    page.locator("input[type=file]").set_input_files(files)
    expect(page.locator(".row.ready")).to_have_count(14)
    page.get_by_label("Select report-3.md", exact=True).tap()
    expect(page.locator(".selection")).to_contain_text("1 selected")
    page.locator(".selection").scroll_into_view_if_needed()
    page.screenshot(path=artifacts / "documents-phone-dark.png")
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390
