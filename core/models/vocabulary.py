"""The words of the bundled model's vocabulary: what is no rare name (WordPiece, 30,522 tokens)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

_TOKENIZER = Path(__file__).parent / "bundled" / "all-MiniLM-L6-v2" / "tokenizer.json"


@cache
def common_words() -> frozenset[str]:
    """Return the whole words of the vocabulary, in lower case; read at the first use."""
    tokens = json.loads(_TOKENIZER.read_text("utf-8"))["model"]["vocab"]
    return frozenset(token for token in tokens if token.isalpha() and len(token) > 2)
