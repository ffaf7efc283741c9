"""Each fault of the catalogue has a test that provokes it; docs/operations.md lists them."""

from __future__ import annotations

from docs.handbook import faults


def test_every_fault_of_the_catalogue_has_a_test() -> None:
    tested = {code for row in faults.rows() for code in row.codes}
    assert tested == set(faults.names())


def test_results_of_long_runs_belong_to_tests_that_exist() -> None:
    written = faults.page()
    assert "not run yet" not in written


def test_the_table_is_that_of_the_markers() -> None:
    assert faults.PAGE.read_text("utf-8") == faults.page()
