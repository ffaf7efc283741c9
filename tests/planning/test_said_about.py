"""What documents are asked to say of something."""

from __future__ import annotations

import pytest

from core.planning.said_about import SaidAbout, said_about


@pytest.mark.parametrize(
    ("question", "who", "topic"),
    [
        ("and what do the minutes say about parking?", "the minutes", "parking"),
        ("What did the 2019 report tell us about wages", "the 2019 report", "wages"),
        ("what does it mention on parking", "", "parking"),
        ("what do these documents say about parking?", "", "parking"),
        ("does the policy say anything about pets", None, ""),
        ("what does she say", None, ""),
        ("what did he think about parking", None, ""),
    ],
)
def test_the_topic_and_the_documents(question: str, who: str | None, topic: str) -> None:
    expected = None if who is None else SaidAbout(who, f"tell me about {topic}")
    assert said_about(question) == expected
