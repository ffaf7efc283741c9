"""The sample library: golden questions, first questions, glossary, worked examples."""

from __future__ import annotations

import json
import math
import re
from itertools import pairwise, product
from pathlib import Path
from statistics import mean, stdev

import pytest

from core.config import Settings
from core.ingestion.samples import sample_files, sample_questions
from docs.handbook.golden import page_texts

SAMPLES = Settings().samples_dir
HANDBOOK, GLOSSARY, MEASURES = (
    "footnote-handbook.pdf", "glossary-of-retrieval.md", "evaluation-measures.html",
)  # fmt: skip


def _items() -> list[dict]:
    return [json.loads(line) for line in (SAMPLES / "golden.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture(scope="module")
def texts() -> dict[str, list[str]]:
    """The pages of each sample document, white space normalised."""
    html = re.sub(
        r"<style>.*?</style>|<[^>]+>", " ", (SAMPLES / MEASURES).read_text("utf-8"), flags=re.S
    )
    return {
        HANDBOOK: page_texts(SAMPLES / HANDBOOK),
        GLOSSARY: [" ".join((SAMPLES / GLOSSARY).read_text("utf-8").split())],
        MEASURES: [" ".join(html.split())],
    }


def test_the_library_is_its_three_documents() -> None:
    assert {path.name for path in sample_files(Settings())} == {HANDBOOK, GLOSSARY, MEASURES}


def test_six_questions_to_begin_with() -> None:
    questions = sample_questions(Settings())
    assert len(set(questions)) == 6
    assert all(question.endswith("?") for question in questions)


def test_the_golden_set_has_its_form() -> None:
    items = _items()
    assert len({item["id"] for item in items}) == len({i["question"] for i in items}) == len(items)
    answerable = [item for item in items if item["answerable"]]
    assert len(answerable) >= 60
    assert len(items) - len(answerable) >= 15
    for item in items:
        assert set(item) == {"id", "question", "answers", "answerable", "sources", "tags"}
        assert bool(item["answers"]) == bool(item["sources"]) == item["answerable"]
        for source in item["sources"]:
            assert set(source) == {"document", "page", "anchor", "quote"}
            assert (source["page"] is not None) == source["document"].endswith(".pdf")


@pytest.mark.parametrize("item", [i for i in _items() if i["answerable"]], ids=lambda i: i["id"])
def test_every_quotation_stands_on_its_page(item: dict, texts: dict[str, list[str]]) -> None:
    for source in item["sources"]:
        pages = texts[source["document"]]
        assert source["quote"] in pages[(source["page"] or 1) - 1]
        nearby = pages[(source["page"] or 1) - 1]
        assert any(answer in nearby for answer in item["answers"])


def test_anchors_exist() -> None:
    ids = set(re.findall(r'id="([\w-]+)"', (SAMPLES / MEASURES).read_text("utf-8")))
    anchors = {s["anchor"] for item in _items() for s in item["sources"] if s["anchor"]}
    assert anchors
    assert anchors <= ids


def test_the_glossary_is_in_order_and_defines_each_term() -> None:
    text = (SAMPLES / GLOSSARY).read_text("utf-8")
    entries = re.findall(r"^### (.+)\n(.+)$", text, re.MULTILINE)
    terms = [term for term, _ in entries]
    assert 70 <= len(terms) <= 100
    assert [term.casefold() for term in terms] == sorted(term.casefold() for term in terms)
    for letter, body in re.findall(r"^## (\w)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL):
        found = re.findall("^### (.+)$", body, re.M)
        assert all(term.casefold().startswith(letter.casefold()) for term in found)
    for term, definition in entries:
        assert term.casefold() in definition.partition(". ")[0].casefold(), term


# ---------------------------------------------------------------- the worked examples, again

GRADES, ALL_GRADES = [0, 2, 1, 0, 1], [2, 1, 1, 1]
DIFFERENCES = [0.2, 0.1, -0.1, 0.3, 0.0, 0.2, 0.1, 0.0]


def _dcg(grades: list[int]) -> float:
    return sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall)


def _pairs(words: list[str]) -> set[tuple[str, str]]:
    return set(pairwise(words))


def _common_subsequence(a: list[str], b: list[str]) -> int:
    row = [0] * (len(b) + 1)
    for word in a:
        above = row
        row = [0]
        for j, other in enumerate(b, 1):
            row.append(above[j - 1] + 1 if word == other else max(row[-1], above[j]))
    return row[-1]


def test_the_examples_of_rankings(texts: dict[str, list[str]]) -> None:
    page = texts[MEASURES][0]
    found = [rank for rank, grade in enumerate(GRADES, 1) if grade]
    precision, recall = len(found) / 5, len(found) / len(ALL_GRADES)
    average = sum(n / rank for n, rank in enumerate(found, 1)) / len(ALL_GRADES)
    dcg, ideal = _dcg(GRADES), _dcg(ALL_GRADES)
    for sentence in (
        f"precision@5 is 3 / 5 = {precision:.3f}",
        f"recall@5 is 3 / 4 = {recall:.3f}",
        f"(0.600 + 0.750) = {_f1(precision, recall):.3f}",
        f"the reciprocal rank is 1 / 2 = {1 / found[0]:.3f}",
        f"/ 3 = {mean([1 / found[0], 1, 1 / 4]):.3f}",
        f"(1/2 + 2/3 + 3/5) / 4 = {average:.3f}",
        f"= {dcg:.3f}.",
        f"= {ideal:.3f}.",
        f"= {dcg / ideal:.3f}.",
    ):
        assert sentence in page


def test_the_examples_of_answers(texts: dict[str, list[str]]) -> None:
    page = texts[MEASURES][0]
    reference = "the tenant may leave after three months".split()
    answer = "after three months the tenant may leave".split()
    shared_pairs = len(_pairs(reference) & _pairs(answer))
    longest = _common_subsequence(reference, answer)
    similar = [[0.9, 0.3, 0.2], [0.4, 0.8, 0.5]]
    precision = mean(map(max, similar))
    recall = mean(map(max, zip(*similar, strict=True)))
    f1 = _f1(precision, recall)
    for sentence in (
        f"and F1 is {_f1(2 / 3, 1):.3f}",
        f"ROUGE-2 is {shared_pairs} / {len(_pairs(reference))} = {shared_pairs / 6:.3f}",
        f"ROUGE-L is {longest} / 7 = {longest / 7:.3f}",
        f"= {precision:.3f}, recall",
        f"= {recall:.3f}, and F1 is {f1:.3f}",
        f"= {(f1 - 0.83) / (1 - 0.83):.2f}".replace("-", "−"),
        f"abstention precision is 4 / 6 = {4 / 6:.3f}",
        f"wrong abstentions is 2 / 15 = {2 / 15:.3f}",
    ):
        assert sentence in page


def test_the_examples_of_tests(texts: dict[str, list[str]]) -> None:
    page = texts[MEASURES][0]
    moved = [abs(d) for d in DIFFERENCES if d]
    signs = list(product((1, -1), repeat=len(moved)))
    far = sum(
        abs(sum(s * d for s, d in zip(flip, moved, strict=True))) >= sum(DIFFERENCES) - 1e-9
        for flip in signs
    )
    deviation = stdev(DIFFERENCES)
    t = mean(DIFFERENCES) / (deviation / math.sqrt(8))
    assert f"Their mean is {mean(DIFFERENCES):.3f}" in page
    assert f"The p-value is {far} / {len(signs)} = {far / len(signs):.3f}" in page
    assert f"s is {deviation:.3f} and t is 0.100 / (0.131 / √8) = {t:.3f}" in page


def test_samples_name_no_path_of_a_machine() -> None:
    for path in Path(SAMPLES).glob("*"):
        if path.suffix != ".pdf":
            assert not re.search(r"/(home|work|root|Users)/", path.read_text("utf-8")), path.name
