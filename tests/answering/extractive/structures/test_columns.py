"""The columns of rows that stand in a text without bars, told by the line above them."""

from __future__ import annotations

import pytest

from core.answering.extractive.structures.columns import columns_of


def told(above: list[str], row: str) -> tuple[list[str], list[str]] | None:
    found = columns_of(above, row)
    if found is None:
        return None
    line = above[found.line]
    return [line[a:b] for a, b in found.names], [row[a:b] for a, b in found.cells]


@pytest.mark.parametrize(
    ("above", "row", "names", "cells"),
    [
        ("Harbour Ferries Cars", "South Linz 17 21", "Harbour/Ferries/Cars", "South Linz/17/21"),
        ("Town Lit (%) All (n)", "Graz 99.2 24,137", "Town/Lit (%)/All (n)", "Graz/99.2/24,137"),
        ("In all 2022 $ million 2023 $ million", "Net sales (5) 14,694",
         "In all/2022 $ million/2023 $ million", "Net sales/(5)/14,694"),
        ("2022 $ million 2023 $ million currency ∆%", "Net sales 11 12 — 1",
         "/2022 $ million/2023 $ million/currency/∆%", "Net sales/11/12/—/1"),
        ("OIL to air kg/year to water kg/year to land kg/year", "Methane (CH4) 100 000 - -",
         "OIL/to air kg/year/to water kg/year/to land kg/year", "Methane (CH4)/100 000/-/-"),
        ("2019 2018", "Linz $ 17 $ 21", "/2019/2018", "Linz/$ 17/$ 21"),
        ("2019 2018", "Linz 17 21 (21)%", "/2019/2018/", "Linz/17/21/(21)%"),
        ("May 21, 2009 FY 2010 Sept. 30, 2011", "Data sets 0 12 2,348",
         "/May 21, 2009/FY 2010/Sept. 30, 2011", "Data sets/0/12/2,348"),
        ("Town Town no. p/day p/day", "Graz 12 25.25 54.69", "Town/Town no./p/day/p/day",
         "Graz/12/25.25/54.69"),
        ("Sorts n = %", "Red lamps 12 25.5", "Sorts/n =/%", "Red lamps/12/25.5"),
        ("| Town | Lamps |", "| Graz | |", "Town/Lamps", "Graz/"),
    ],
)  # fmt: skip
def test_a_line_that_parts_as_the_row_names_its_columns(
    above: str, row: str, names: str, cells: str
) -> None:
    found = told([above, "Part two of it"], row)
    assert found is not None
    assert "/".join(found[0]) == names
    assert "/".join(found[1]) == cells


@pytest.mark.parametrize(
    ("above", "row"),
    [
        ("Heavy metals", "Lead 200 20"),
        ("Criterion of the species in the report", "Mink 2880 1038"),
        ("Ferries of Linz and their cars", "Linz 17 21 12"),
        ("Harbour Ferries Cars", "17 21"),
        ("Harbour Ferries Cars", "Linz 17"),
        ("2019 2018 and more of it", "Linz 17 21 12"),
        ("Old Notes $ 600 $ 12", "New Notes $ 500 $ 11"),
        ("12 shares on May 26, 2015 and 13 shares on May 27, 2014", "Stock 17 21"),
        ("Income From Operations", "Net sales 1 2"),
        ("INCOME FROM TRADE", "Net sales 1 2"),
        ("Results 2022 $ million 2023 $ million currency ∆%", "Net cash 1,066 848"),
        ("Three Months Ended June Twelve Months Ended June", "Net sales 1 2 3 4 5 6 7"),
        ("% of the currency — 1 — 2", "Net sales 1 2"),
        ("Rigid\nPackaging Other Total", "Net sales 1 2"),
        ("U.S. Oak Lamps\nCentres\nSold", "Utah 12 — 4"),
        ("Town | Lamps | Oil", "Graz | 12"),
    ],
)
def test_where_it_does_not_part_no_column_is_told(above: str, row: str) -> None:
    assert told(above.split("\n"), row) is None
