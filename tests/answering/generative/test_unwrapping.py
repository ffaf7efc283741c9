"""An answer that a small model put into a JSON object or a fence is shown as its text."""

from __future__ import annotations

import pytest

from core.answering.generative.unwrapping import FenceFilter, JsonFilter

WRAPPED = [
    ('{"answer": "It is so [1]."}', "It is so [1]."),
    ('```json\n{"answer": "It is so [1]."}\n```', "It is so [1]."),
    ('```\n{\n  "response": "A \\"b\\" [1].\\n\\nC\\u00e9."\n}\n```\n', 'A "b" [1].\n\nCé.'),
    ('{"answer": "It is so.", "sources": [1, 2]}', "It is so."),
    ('{"answer": "It is cut', "It is cut"),
    ('{"answer": "It ends\\', "It ends"),
    ('{"answer": "a\\u12 b"}', "au12 b"),
    ('{"answer": "\\ud83d\\ude00!"}', "!"),
    ('{"answer": ""}', ""),
]
PLAIN = [
    "It is so [1].",
    "`code` is so.",
    "```python\nprint(1)\n```",
    '```json\n{"port": 80}\n```',
    '{"port": 80, "host": "a host with a name that is longer than what is held back at first"}',
    "{x} is a set.",
    "{",
    "",
    'He wrote {"answer": "x"}.',
]


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
@pytest.mark.parametrize(("said", "shown"), [*WRAPPED, *((text, text) for text in PLAIN)])
def test_texts_however_they_are_split(said: str, shown: str, size: int) -> None:
    unwrapped = JsonFilter()
    parts = [unwrapped.feed(said[at : at + size]) for at in range(0, len(said), size)]
    assert "".join(parts) + unwrapped.finish() == shown


def test_plain_text_is_not_held_back() -> None:
    assert JsonFilter().feed("It") == "It"
    assert JsonFilter().feed("```py\n") == "```py\n"
    other = '{"port": ' + 60 * "1"
    assert JsonFilter().feed(other) == other


FENCED = [
    ("```markdown\nIt is so [1].\n\n- b\n```", "It is so [1].\n\n- b\n"),
    ("```md\nA\n```py\nx\n```\nB\n```\nC", "A\n```py\nx\n```\nB\nC"),
    ("~~~markdown\nA\n~~~", "A\n"),
    ("```\nIt is so [1].\n```\n", "It is so [1].\n"),
    ("```text\nIt is so [Source 2].\nB\n```", "It is so [Source 2].\nB\n"),
    ("```markdown\nA `b` c\n``d`` e", "A `b` c\n``d`` e"),
]
CODE = [
    "```\nx = a[1]\n```",
    "```python\nx = a [1]\n```",
    "A\n```markdown\nx\n```",
    "`code` is",
    "```markdown",
    "``",
    "",
]


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
@pytest.mark.parametrize(("said", "shown"), [*FENCED, *((text, text) for text in CODE)])
def test_a_fence_around_a_whole_reply_goes(said: str, shown: str, size: int) -> None:
    unfenced = FenceFilter()
    parts = [unfenced.feed(said[at : at + size]) for at in range(0, len(said), size)]
    assert "".join(parts) + unfenced.finish() == shown
