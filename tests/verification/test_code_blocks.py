"""Python in an answer: what does not parse is said, with what it imports."""

from __future__ import annotations

import pytest

from core.verification.code_blocks import Listing, code_notices, quoted_notices
from tests.standins.ollama import OllamaStandin
from tests.standins.scripts import Reply
from tests.support.asking import ask


def said(*codes: str, language: str = "python") -> list[str]:
    blocks = [f"Like this [1].\n\n```{language}\n{code}\n```\n" for code in codes]
    return [notice.text for notice in code_notices("\n".join(blocks))]


@pytest.mark.parametrize(
    "code",
    [
        "import json\n\nwith open('a.json') as file:\n    data = json.load(file)",
        "    return [x for x in xs]",  # a fragment, indented as in its function
        "await asyncio.sleep(1)",
        "def f(*args): ...",
        ">>> import json\n>>> json.dumps(1)\n'1'\n>>> for x in y:\n...     f(x)\n...\n2 rows found",
        "import os.path\nfrom .near import sibling\nfrom __future__ import annotations",
        r"re.match('\d+', text)",
    ],
)
def test_code_that_parses_needs_no_word(code: str) -> None:
    assert said(code) == []


def test_a_fault_is_told_with_its_line() -> None:
    [text] = said("import json\nprint(json.dumps({1: 2})\n")
    assert text.startswith("The code does not parse as Python: line 2, ")
    assert "'(' was never closed" in text


def test_the_block_with_the_fault_is_named() -> None:
    [text] = said("x = 1", "y = ")
    assert text.startswith("Code block 2 does not parse as Python: line 1, ")


def test_a_session_of_the_interpreter_keeps_its_lines() -> None:
    [text] = said(">>> x = 1\n>>> x\n1\n>>> f(\n")
    assert ": line 4, " in text


def test_packages_outside_the_standard_library_are_named_once() -> None:
    first = "import numpy as np, json\nfrom numpy.linalg import norm"
    [text] = said(first, "from PIL import Image\nimport numpy")
    assert text == "The code imports numpy and PIL, which are not in Python's standard library."


def test_many_packages_are_counted() -> None:
    [text] = said("\n".join(f"import p{number}" for number in range(9)))
    assert text.startswith("The code imports p0, p1, p2, p3, p4, p5 and 3 more, which are ")


@pytest.mark.parametrize("language", ["", "sh", "js", "pythonic"])
def test_a_block_of_something_else_is_not_read(language: str) -> None:
    assert said("x = (", language=language) == []


@pytest.mark.parametrize("language", ["py", "Python3", "pycon", 'python title="a.py"'])
def test_every_spelling_of_python_is_read(language: str) -> None:
    assert len(said("x = (", language=language)) == 1


def test_a_block_of_a_list_item_and_one_without_an_end_are_read() -> None:
    assert len(code_notices("1. So:\n\n   ```python\n   x = (\n   ```\n")) == 1
    assert code_notices("1. So:\n\n   ```python\n   x = 1\n   y = 2\n   ```\n") == ()
    assert len(code_notices("~~~py\nx = (\n")) == 1


@pytest.mark.parametrize("code", ["(" * 5_000, "x = " + "-" * 15_000 + "1", "a\0b", "f(" * 90])
def test_hostile_code_is_told_and_harms_nothing(code: str) -> None:
    [text] = said(code)
    assert "does not parse" in text


def test_a_flood_of_code_is_left_alone() -> None:
    assert said("x = 1\n" * 10_000 + "(") == []


def test_a_model_s_code_is_read_when_its_answer_ends() -> None:
    code = "```python\nimport towers\nprint(towers.height(\n```"
    with OllamaStandin() as standin:
        asked = ask(standin, Reply(text=f"The tower was built in 1889 [Source 1].\n\n{code}\n"))
    assert "The code does not parse as Python: line 2, '(' was never closed." in asked.told


def test_quoted_code_has_its_imports_said_and_its_packages() -> None:
    used, packages = quoted_notices(
        [Listing("x = np.zeros(3)", ("import numpy as np",)), Listing("import yaml\nyaml.load(f)")]
    )
    assert (used.code, packages.code) == ("code-uses-imports", "code-imports")
    assert used.text.endswith("above it: import numpy as np.")
    assert "numpy and yaml" in packages.text


@pytest.mark.parametrize(
    "code", ["print 'hello'", "def f(x):\n    exec x", "try:\n    pass\nexcept E, e:\n    pass"]
)
def test_quoted_code_that_does_not_parse_is_said(code: str) -> None:
    (notice,) = quoted_notices([Listing(code)])
    assert notice.code == "code-does-not-parse"
    assert "another Python" in notice.cure
    assert quoted_notices([Listing(code, whole=False)]) == ()


@pytest.mark.parametrize(
    "code",
    [
        "import React from 'react';", "class A { }", "for (i = 0; i < 3; i++) {", "@Override",
        "$ pip install x", "SELECT a FROM b", "x = 1", "def f(x)\n  x\nend",
    ],
)  # fmt: skip
def test_quoted_code_of_other_languages_is_left_alone(code: str) -> None:
    assert quoted_notices([Listing(code)]) == ()
