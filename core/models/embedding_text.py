"""What is embedded of a chunk."""

from __future__ import annotations

from core.types import Chunk
from core.types.documents import MOST_TITLE, shortened


def embedding_text(chunk: Chunk, title: str) -> str:
    """Return the title and the heading path, then the text of the chunk."""
    title = shortened(title, MOST_TITLE)
    path = [title, *(heading for heading in chunk.headings if heading != title)]
    above = " > ".join(part for part in path if part)
    return f"{above}\n\n{chunk.text}" if above else chunk.text
