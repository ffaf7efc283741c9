"""What a conversation adds to a question, in brackets behind it (pure)."""

from __future__ import annotations

import re

CARRIED = re.compile(r"\s\([^()]*\)$")
"""The words that were carried over: " (lamps)" of "what do they cost (lamps)"."""
