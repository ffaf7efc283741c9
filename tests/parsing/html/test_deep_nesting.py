"""Pages nested without end, or with attributes of megabytes, are read quickly."""

from __future__ import annotations

import time

import pytest

from core.errors import TooComplex
from core.parsing.html.load import load_html

pytestmark = pytest.mark.C18


def test_a_hundred_thousand_nested_elements() -> None:
    data = b"<html><body>" + b"<div>" * 100_000 + b"deep" + b"</div>" * 100_000 + b"<p>after"
    began = time.thread_time()
    text = load_html(data).pages[0].text
    assert time.thread_time() - began < 5
    assert text.split() == ["deep", "after"]


def test_an_attribute_of_five_megabytes() -> None:
    began = time.thread_time()
    text = load_html(b"<p title='" + b"x" * 5_000_000 + b"'>short</p>").pages[0].text
    assert time.thread_time() - began < 5
    assert text == "short"


def test_a_paragraph_of_five_megabytes() -> None:
    began = time.thread_time()
    pages = load_html(b"<p>" + b"word " * 1_000_000).pages
    assert time.thread_time() - began < 5
    assert sum(len(page.text) for page in pages) > 4_900_000


def test_tables_in_tables_without_end_are_refused() -> None:
    began = time.thread_time()
    with pytest.raises(TooComplex, match="nested"):
        load_html(b"<table><tr><td>x" * 20_000)
    assert time.thread_time() - began < 5
