"""What can be quoted as an answer, and what only stands around one."""

from __future__ import annotations

import pytest

from core.answering.extractive.sentences.quotable import is_quotable
from core.text.sentences import Sentence, SentenceKind


@pytest.mark.parametrize(
    "text",
    [
        "Figure 3: Oxygen in the air",
        "Table 2. Results by year",
        "Table CA3. | Cases by country",
        "Abbildung 4: Aufbau der Anlage",
        "2.1 Scope of the survey .......... 14",
        "Scope of the survey ..........",
        "1 What it is . . . . . . . . . . . . 3 2 The first minute . . . . . . . . . . 4 3 How it",
        "[12] A. Author, On Lighthouses, 1994.",
        "Retrieved from the archive on 3 May 2014",
        "Archived (https://a.example/ web/2019/https://b.example/jo-r eed) from 18 April 2019.",
        "Archived (https://archive.example/2005 1/http://n.example/) from the site on 8 May 2005.",
        '"Keeper eyes a revival" (http://news.example/lamps.stm).',
        "Who discovered oxygen?",
        "**Who discovered oxygen?**",
        "Table 12 lists every use of oil.",
        "Figure 3.1 shows the parts of a lamp",
        "See also",
        "I just got some oil and am curious what the best way to store it is",
        "Answer (score 15)",
        "Find sources: news, books (Learn how and when to remove this message)",
        "Available from Internet: http://www.example.org/lamps in English; [cited 10.7.2006].",
        "The structure of lamp files is described in the following section.",
        "See Lamp Oils for a list of oils.",
        "For more details, refer to the table of oils.",
        "Back to top",
        "Check Out: 12 Tips on Watering Beans",
        "Question: I need some help with my beans and with watering.",
        "Page 4 of 12",
        "© Copyright 2001-2026, Lamp Oil Foundation.",
        "Copyright 2026 Acme, Inc.",
        "Keywords JavaScript, just-in-time compilation, trace trees.",
        "Index Terms—lamp oil, lighthouses",
        "0 20 40 60 80 100",
        "ANNUAL REPORT OF ACME, INC.",
        "Media caption The keeper told the paper that oil was his biggest cost",
        "Image copyright Harbour Museum",
        "Photo by Jo Reed",
        "Foto: Harbour Museum.",
        "Retriever Top-20 None BM25 59.1 66.9 55.0 70.9 68.8* Single DPR 78.4% 79.4 (73.2) 79.8",
    ],
)
def test_what_surrounds_an_answer_is_not_quoted(text: str) -> None:
    assert not is_quotable(Sentence(0, len(text), text))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Oxygen was discovered in 1773.", SentenceKind.PROSE),
        ("Keywords are compared by their stems.", SentenceKind.PROSE),
        ("Table 3 shows that lamps need oil.", SentenceKind.PROSE),
        ("Table 3 gives 40 lamps for the year.", SentenceKind.PROSE),
        ("2010 | 62,484 | 18,760", SentenceKind.ROW),
        ("Image credits expire after a year.", SentenceKind.PROSE),
        ("Photo by photo the tower was mapped.", SentenceKind.PROSE),
        ("time.sleep(secs)", SentenceKind.HEADING),
        ("Code 605: Science Proposal Support Office", SentenceKind.HEADING),
        ("Trim the wick (optional)", SentenceKind.HEADING),
        ("Lamps are listed in the books of the harbour, which is a large one.", SentenceKind.PROSE),
        ("12 34 56", SentenceKind.CODE),
        ("2010 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9", SentenceKind.ROW),
        ("day: 1 2 3 4 5 6 7 8 9 10", SentenceKind.PROSE),
        ("Subtotal 100,629 Sales Tax 10.20% 10264.158", SentenceKind.PROSE),
        (
            "They won in 1 2 3 4 5 6 7 8 of the years that the league of the town was held at all",
            SentenceKind.PROSE,
        ),
    ],
)
def test_what_says_something_is(text: str, kind: SentenceKind) -> None:
    assert is_quotable(Sentence(0, len(text), text, kind))


@pytest.mark.parametrize(
    "text", ["The discovery of oxygen", "3.2.5. When and how to find it", "§ 1. Finding all of it"]
)
def test_a_heading_is_not(text: str) -> None:
    assert not is_quotable(Sentence(0, len(text), text, SentenceKind.HEADING))
