"""Fixed replies to messages that ask nothing: a greeting, thanks, "ok" (pure)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from core.answering.routes.names import shown_name
from core.planning.routes import Route, Smalltalk
from core.text.markdown_quoting import escape_markdown
from core.types import Answer, Document

_GERMAN = re.compile(
    r"\b(?:hallo|guten|moin|servus|wie geht|danke?|dank|schön|ja|nein|gut|genau|alles klar|prima"
    r"|verstanden|tschü\w+|wiedersehen|bis|kannst|bist|kann|hilfe)\b",
    re.I,
)
_REPLIES: Mapping[str, Mapping[Smalltalk, str]] = {
    "en": {
        Smalltalk.GREETING: "Hello! Ask me something about your documents.",
        Smalltalk.THANKS: "You are welcome. Ask on whenever you like.",
        Smalltalk.NOD: "Good. What would you like to know next?",
        Smalltalk.FAREWELL: "Goodbye. Your documents and this conversation stay here.",
        Smalltalk.ABILITIES: (
            "I answer questions from your documents, and every sentence has a mark that opens the "
            "page it stands on. I can also summarise a document, compare two things, and list "
            "where something is mentioned."
        ),
    },
    "de": {
        Smalltalk.GREETING: "Hallo! Fragen Sie mich etwas zu Ihren Dokumenten.",
        Smalltalk.THANKS: "Gern geschehen. Fragen Sie einfach weiter.",
        Smalltalk.NOD: "Gut. Was möchten Sie als Nächstes wissen?",
        Smalltalk.FAREWELL: "Auf Wiedersehen. Dokumente und Gespräch bleiben hier.",
        Smalltalk.ABILITIES: (
            "Ich beantworte Fragen aus Ihren Dokumenten, und jeder Satz hat eine Marke, die seine "
            "Seite öffnet. Ich kann auch ein Dokument zusammenfassen, zwei Dinge vergleichen und "
            "auflisten, wo etwas erwähnt wird."
        ),
    },
}
_SUGGESTED = 3


def reply(
    question: str,
    says: Smalltalk,
    documents: Sequence[Document],
    suggested: Sequence[str] = (),
) -> Answer:
    """Return the reply to a message that `says` something, with questions to ask next.

    `suggested` are questions that the documents answer; without one, a summary is suggested.
    """
    language = "de" if _GERMAN.search(question) else "en"
    text = _REPLIES[language][says]
    if says in (Smalltalk.GREETING, Smalltalk.ABILITIES) and documents:
        summaries = [_suggestion(document, language) for document in documents]
        lead = "Zum Beispiel:" if language == "de" else "For example:"
        text += f"\n\n{lead}\n\n" + "\n".join(
            f"- {escape_markdown(suggestion)}"
            for suggestion in list(suggested or summaries)[:_SUGGESTED]
        )
    elif not documents and says is not Smalltalk.FAREWELL:
        text += (
            " Noch kann kein Dokument gefragt werden: Fügen Sie eines hinzu, oder warten Sie, bis "
            "es gelesen ist."
            if language == "de"
            else " No document can be asked yet: add one, or wait until it is read."
        )
    return Answer(question, text, route=Route.SMALLTALK)


def said_before_suggestions(answer: Answer) -> str:
    """Return what a fixed reply says before its suggestions, "" of any other answer."""
    return answer.text.partition("\n\n")[0] if answer.route == Route.SMALLTALK else ""


def _suggestion(document: Document, language: str) -> str:
    name = shown_name(document)
    return f"Fass das Dokument {name} zusammen" if language == "de" else f"Summarise {name}"
