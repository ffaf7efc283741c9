"""Numbers as their formats show them."""

from __future__ import annotations

import pytest

from core.parsing.office.xlsx_formats import shown


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (1234.5, '_(* #,##0.00_);_(* (#,##0.00);_(* "-"??_);_(@_)', "1,234.50"),
        (-1234.5, '"$"#,##0.00_);[Red]("$"#,##0.00)', "-$1,234.50"),
        (1234567, '0.0,,"M"', "1.2M"),
        (1234567, "#,##0,", "1,235"),
        (2.5, "0", "3"),  # half is rounded up, as Excel does
        (1.25, "0.##", "1.25"),
        (3, "0.##", "3"),
        (-0.001, "0.0", "0.0"),
        (12345, "0.00E+00", "1.23E+04"),
        (1.5, "# ?/?", "1.5"),
        (12.5, r"0.0\ \k\g", "12.5 kg"),
        (5, '"yes";"no"', "yes"),
        (1e300, "#,##0", "1e+300"),
        (2019, "@", "2019"),
        (1.5, "[Blue]General", "1.5"),
    ],
)
def test_numbers(value: float, code: str, text: str) -> None:
    assert shown(value, code) == text


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (44621.6, "yyyy-mm-dd hh:mm", "2022-03-01 14:24"),
        (44621, r"[$-409]d\. mmmm yyyy;@", "2022-03-01"),
        (44621, "mmm-yy", "March 2022"),
        (44621, "yyyy", "2022"),
        (44621, "mmmm", "March"),
        (44621, 'yyyy"年"m"月"d"日"', "2022-03-01"),
        (0.604, "h:mm AM/PM", "14:29"),
        (0.604, "hh:mm:ss", "14:29:46"),
        (1.5, "[h]:mm", "36:00"),
        (59, "d/m/yy", "1900-02-28"),  # before the leap day that never was
        (61, "d/m/yy", "1900-03-01"),
        (-1, "d/m/yy", "-1"),
        (1e12, "d/m/yy", "1000000000000"),
        (0.5, "yyyy-mm-dd", "0.5"),
    ],
)
def test_days_and_times(value: float, code: str, text: str) -> None:
    assert shown(value, code) == text
