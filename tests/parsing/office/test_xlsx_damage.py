"""Workbooks that are damaged or made to do harm: what happened is said, and what to do."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from core.errors import DamagedFile, NoReadableText, PasswordProtected, TooLarge, UnsupportedType
from tests.parsing.files import package, read, with_part, written

MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SHEET = "xl/worksheets/sheet1.xml"
TEXTS = "xl/sharedStrings.xml"
ROWS = (
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
    '<row r="2"><c r="A2" t="inlineStr"><is><t>Tea</t></is></c><c r="B2"><v>2</v></c></row>'
)
Parts = dict[str, bytes | str]


def parts(rows: str = ROWS, behind: str = "") -> Parts:
    """The parts of a workbook with one sheet."""
    links = "".join(
        f'<Relationship Id="r{at}" Type="{LINKS}/{kind}" Target="{target}"/>'
        for at, (kind, target) in enumerate(
            [("worksheet", "worksheets/sheet1.xml"), ("sharedStrings", "sharedStrings.xml")]
        )
    )
    return {
        "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{LINKS}"><sheets>'
        '<sheet name="Goods" sheetId="1" r:id="r0"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": "<Relationships xmlns="
        f'"http://schemas.openxmlformats.org/package/2006/relationships">{links}</Relationships>',
        SHEET: f"<worksheet {MAIN}><sheetData>{rows}</sheetData>{behind}</worksheet>",
        TEXTS: f"<sst {MAIN}><si><t>Item</t></si><si><r><t>Pri</t></r><r><t>ce</t></r>"
        "<rPh><t>read aloud</t></rPh></si></sst>",
    }


def book(tmp_path: Path, changed: Parts) -> Path:
    return package(tmp_path / "a.xlsx", changed)


def text(tmp_path: Path, rows: str, behind: str = "") -> str:
    return read(book(tmp_path, parts(rows, behind))).pages[0].text


def test_a_workbook_written_by_hand_is_read(tmp_path: Path) -> None:
    assert text(tmp_path, ROWS) == "Goods\n\nItem | Price\nItem: Tea | Price: 2"


def test_cells_without_a_place_follow_each_other(tmp_path: Path) -> None:
    bare = ROWS.replace(' r="1"', "").replace(' r="2"', "")
    for place in ("A1", "B1", "A2", "B2"):
        bare = bare.replace(f' r="{place}"', "")
    assert text(tmp_path, bare) == "Goods\n\nItem | Price\nItem: Tea | Price: 2"


def test_a_file_that_was_cut_short_is_damaged(tmp_path: Path) -> None:
    data = book(tmp_path, parts()).read_bytes()
    with pytest.raises(DamagedFile, match="cut short") as caught:
        read(written(tmp_path / "cut.xlsx", data[:-200]))
    assert "save it again" in caught.value.cure


def test_a_sheet_that_was_cut_short_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    source = with_part(
        book(tmp_path, parts()),
        tmp_path / "b.xlsx",
        SHEET,
        lambda xml: xml.replace("</row>", "", 1),
    )
    loaded = read(source)
    assert "Item" in loaded.pages[0].text
    assert [notice.code for notice in loaded.notices] == ["parts-unreadable"]


@pytest.mark.parametrize("broken", ["", "<workbook", "<workbook/>"])
def test_a_workbook_without_sheets_is_damaged(tmp_path: Path, broken: str) -> None:
    with pytest.raises(DamagedFile, match=r"main part|no sheets") as caught:
        read(book(tmp_path, {**parts(), "xl/workbook.xml": broken}))
    assert caught.value.cure


def test_a_workbook_without_text_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoReadableText):
        read(book(tmp_path, parts(rows="")))


def test_a_sheet_without_its_part_is_said(tmp_path: Path) -> None:
    changed = parts()
    changed["xl/workbook.xml"] = str(changed["xl/workbook.xml"]).replace(
        "</sheets>", '<sheet name="Gone" r:id="r9"/></sheets>'
    )
    changed["xl/_rels/workbook.xml.rels"] = str(changed["xl/_rels/workbook.xml.rels"]).replace(
        "</Relationships>",
        f'<Relationship Id="r9" Type="{LINKS}/worksheet" Target="none.xml"/></Relationships>',
    )
    loaded = read(book(tmp_path, changed))
    assert loaded.pages[0].text.startswith("Goods")
    assert [notice.code for notice in loaded.notices] == ["parts-unreadable"]


@pytest.mark.parametrize("data", [None, f"<sst {MAIN}><si><t>Item"])
def test_texts_that_are_missing_are_said(tmp_path: Path, data: str | None) -> None:
    changed = {name: part for name, part in parts().items() if name != TEXTS}
    loaded = read(book(tmp_path, {**changed, **({TEXTS: data} if data else {})}))
    assert "Tea" in loaded.pages[0].text
    notices = {notice.code: notice for notice in loaded.notices}
    assert set(notices) == {"parts-unreadable", "cells-unreadable"}
    assert notices["cells-unreadable"].text.startswith("2 cells refer to text")
    assert notices["cells-unreadable"].cure


def test_formulas_without_results_are_counted(tmp_path: Path) -> None:
    rows = ROWS + '<row r="3"><c r="A3"><f>SUM(B2)</f></c><c r="B3"><f>B2</f></c></row>'
    loaded = read(book(tmp_path, parts(rows)))
    (notice,) = loaded.notices
    assert notice.text == "2 formulas were saved without a result and were left out."
    assert "save it" in notice.cure


@pytest.mark.parametrize(
    "cell", ['<c r="C2" t="n"><v>NaN</v></c>', '<c r="C2" s="99"><v>x</v></c>']
)
def test_a_number_that_is_none_is_read_as_it_stands(tmp_path: Path, cell: str) -> None:
    value = "NaN" if "NaN" in cell else "x"
    assert text(tmp_path, ROWS.replace("<v>2</v></c>", f"<v>2</v></c>{cell}")).endswith(value)


def test_places_that_no_sheet_has_are_left_out(tmp_path: Path) -> None:
    rows = ROWS + '<row r="9999999"><c r="ZZZ9999999"><v>7</v></c><c r="XFE3"><v>8</v></c></row>'
    loaded = read(book(tmp_path, parts(rows)))
    assert loaded.pages[0].text.endswith("Price: 2")
    assert [notice.code for notice in loaded.notices] == ["cells-unreadable"]


# ---------------------------------------------------------------------------------- attacks


@pytest.mark.C13
def test_a_sheet_that_claims_a_million_columns_takes_no_room(tmp_path: Path) -> None:
    rows = ROWS + '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    behind = '<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>'
    changed = parts(rows, behind)
    changed[SHEET] = str(changed[SHEET]).replace(
        "<sheetData>",
        '<dimension ref="A1:XFD1048576"/><cols><col min="1" max="999999999" hidden="1"/></cols>'
        "<sheetData>",
    )
    source = book(tmp_path, changed)
    tracemalloc.start()
    loaded = read(source)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()
    assert "Item: Tea | Price: 2" in loaded.pages[0].text


@pytest.mark.C13
def test_a_sheet_that_swells_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    too_large(book(tmp_path, {**parts(), SHEET: b"<worksheet>" + b"a" * 30_000_000}))


def too_large(path: Path) -> None:
    """Assert that a file is refused before its rows are written."""
    tracemalloc.start()
    with pytest.raises(TooLarge) as caught:
        read(path)
    assert tracemalloc.get_traced_memory()[1] < 20_000_000
    tracemalloc.stop()
    assert caught.value.cure


@pytest.mark.C13
def test_one_text_in_very_many_cells_is_too_large(tmp_path: Path) -> None:
    cell = '<c r="{}" t="s"><v>0</v></c>'
    rows = (
        f'<row r="{at}">{cell.format(f"A{at}")}{cell.format(f"B{at}")}</row>'
        for at in range(1, 2_000)
    )
    changed = parts("".join(rows))
    changed[TEXTS] = f"<sst {MAIN}><si><t>{'word ' * 6_000}</t></si></sst>"
    too_large(book(tmp_path, changed))


@pytest.mark.C13
def test_a_long_text_beside_very_many_rows_is_too_large(tmp_path: Path) -> None:
    long = f'<c r="A1" t="inlineStr"><is><t>{"word " * 6_000}</t></is></c>'
    cells = "".join(f'<row r="{at}"><c r="B{at}"><v>1</v></c></row>' for at in range(2, 2_000))
    behind = '<mergeCells><mergeCell ref="A1:A2000"/></mergeCells>'
    too_large(book(tmp_path, parts(f'<row r="1">{long}</row>{cells}', behind)))


@pytest.mark.C14
def test_entities_are_not_followed(tmp_path: Path) -> None:
    secret = written(tmp_path / "secret.txt", "the secret")
    changed = parts()
    changed[SHEET] = (
        f'<!DOCTYPE x [<!ENTITY s SYSTEM "{secret.as_uri()}"><!ENTITY a "aaaaaaaaaa">'
        '<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
        + str(changed[SHEET]).replace("Tea", "Tea &s;&b;")
    )
    loaded = read(book(tmp_path, changed))
    assert loaded.pages[0].text.endswith("Item: Tea | Price: 2")
    assert [notice.code for notice in loaded.notices] == ["entities-left-out"]


def test_a_protected_workbook_needs_a_password(tmp_path: Path) -> None:
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(PasswordProtected) as caught:
        read(written(tmp_path / "a.xlsx", data))
    assert "without a password" in caught.value.cure


@pytest.mark.parametrize(
    ("name", "words"),
    [("xl/workbook.bin", "binary form"), ("xl/worksheets/sheet1.xml", "damaged Excel file")],
)
def test_other_workbooks_are_refused_with_what_to_do(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(UnsupportedType, match=words) as caught:
        read(book(tmp_path, {name: ""}))
    assert "ave it" in caught.value.cure
