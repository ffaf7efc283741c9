"""Imports that code uses: by hand."""

from __future__ import annotations

import pytest

from core.text.imports import used_imports


@pytest.mark.parametrize(
    ("before", "code", "found"),
    [
        (["import csv\nimport json"], "csv.reader(f)", ("import csv",)),
        (["import os.path"], "os.path.join(a, b)", ("import os.path",)),
        (["import numpy as np"], "x = np.zeros(3)", ("import numpy as np",)),
        (["from a import (\n    b,\n    c as d,\n)"], "d(1)", ("from a import c as d",)),
        ([">>> import re\n>>> re.match('a', 'b')\n"], ">>> re.sub()", ("import re",)),
        (["def f():\n    import re\n"], "re.sub()", ("import re",)),
        (["import csv"], "import csv\ncsv.reader(f)", ()),  # it has its own
        (["import csv"], "self.csv = reader", ()),  # an attribute
        (["import csv"], "csvs = 1", ()),
        (["from a import *", "from . import b"], "b.c()", ()),
        (["import csv\nprint 'old'\nif"], "csv.reader(f)", ("import csv",)),  # does not parse
        (["import a", "import b", "from c import b"], "b(a)", ("import a", "from c import b")),
        (["imported from csv", "from here to csv"], "csv", ()),
        ([], "csv.reader(f)", ()),
        (["import " + "x" * 30_000], "x", ()),
    ],
)
def test_what_is_used_is_found(before: list[str], code: str, found: tuple[str, ...]) -> None:
    assert used_imports(before, code) == found
