"""Short forms: read out of questions, and found where a text writes them out."""

from __future__ import annotations

import pytest

from core.text.acronyms import short_form_asked, spelled_out


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("what is dpr?", ("dpr", False)),
        ("what's RAG", ("RAG", False)),
        ("and what does MMR mean?", ("MMR", False)),
        ("what does mmr stand for?", ("mmr", True)),
        ("What is the full form of OCR?", ("OCR", True)),
        ("RAG stands for?", ("RAG", True)),
        ("was ist RRF?", ("RRF", False)),
        ("explain MMR", ("MMR", False)),
        ("Wofür steht BGE?", ("BGE", True)),
        ("what is the capital of Peru?", ("", False)),
        ("who is Ida Holm?", ("", False)),
        ("what does NBT stand for (minecraft bug)", ("NBT", True)),
    ],
)
def test_what_a_question_asks_the_meaning_of(question: str, asked: tuple[str, bool]) -> None:
    assert short_form_asked(question) == asked


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("Our Dense Passage Retriever (DPR) is trained.", "dpr", "Dense Passage Retriever"),
        ("In retrieval-augmented generation (RAG), ...", "rag", "retrieval-augmented generation"),
        ("RRF (reciprocal rank fusion) needs no scores.", "RRF", "reciprocal rank fusion"),
        ('the Bureau of Lamp Oil ("BLO")', "BLO", "Bureau of Lamp Oil"),
        ("many large language models (LLMs)", "LLM", "large language models"),
        ("known as Named Binary Tag (NBT), which", "nbt", "Named Binary Tag"),
        ("one named binary tag (NBT), which", "nbt", None),
        ("Wick level fusion, WLF for short, adds", "wlf", "Wick level fusion"),
        ("WLF, short for wick level fusion, adds", "wlf", "wick level fusion"),
        ("The lamp (DPR) burns.", "DPR", None),
        ("Dense Passage Retriever without it.", "DPR", None),
        ("A Delayed Paper Report (XPR).", "DPR", None),
        ("", "DPR", None),
    ],
)
def test_where_a_text_writes_it_out(text: str, short: str, long: str | None) -> None:
    span = spelled_out(text, short)
    assert (span and text[slice(*span)]) == long
