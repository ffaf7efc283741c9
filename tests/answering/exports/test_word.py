"""A conversation as a Word document, read back."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any

from docx import Document

from core.answering.exports import word
from tests.answering.exports.material import FIRST, MESSAGES, exported


def opened(text: str = "") -> Any:
    made = exported()
    if text:
        answer = replace(FIRST, text=text)
        made = replace(made, messages=(replace(MESSAGES[1], answer=answer),))
    return Document(BytesIO(word.write(made)))


def lines(document: Any) -> list[tuple[str, str]]:
    return [(one.style.name, one.text) for one in document.paragraphs]


def test_questions_answers_and_sources_stand_in_their_order() -> None:
    found = lines(opened())
    assert found[0] == ("Title", "On towers")
    assert found[1] == ("Heading 1", "When was it built?")
    assert found[2][1] == "It was built in 1889 [1]. [2] is no mark, [9] neither."
    at = found.index(("Heading 2", "Sources"))
    assert found[at - 1][1] == "The prompt was cut."
    assert found[at + 1][1] == "[1] Türme & 50%.pdf, page 5"
    assert found[at + 2] == ("Quote", "built in 1889.")


def test_lists_tables_and_emphasis_keep_their_form() -> None:
    document = opened()
    texts = [text for _, text in lines(document)]
    assert [text for text in texts if "\t" in text] == ["3.\tfirst [2]", "•\twithin", "4.\tsecond"]
    (table,) = document.tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["tower", "metres"],
        ["Eiffel", "330"],
    ]
    (bold,) = [run.text for run in document.paragraphs[2].runs if run.bold]
    assert bold == "built"


def test_text_from_right_to_left_is_set_so() -> None:
    document = opened("وقعت المعاهدة [1].\n\nIn English.")
    arabic, english = document.paragraphs[1:3]
    assert "<w:bidi/>" in arabic._p.xml
    assert arabic.runs[0].font.rtl
    assert "<w:bidi/>" not in english._p.xml


def test_the_file_is_not_said_to_be_by_anybody_else() -> None:
    about = opened().core_properties
    assert (about.title, about.author, about.comments) == ("On towers", "", "")
    assert about.created.year == 2026
