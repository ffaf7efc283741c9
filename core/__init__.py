"""Footnote: answers from your own documents, with citations that can be checked."""

__version__ = "1.0.0"
