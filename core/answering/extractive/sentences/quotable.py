"""Which pieces of a passage can be quoted as an answer, and which only surround one (pure)."""

from __future__ import annotations

import re

from core.text.page_furniture import CONTENTS_LINE, COPYRIGHT, PAGE
from core.text.sentences import Sentence, SentenceKind
from core.text.signatures import is_signature

_CAPTION = re.compile(
    r"(?:figure|fig\.|table|chart|exhibit|plate|abbildung|abb\.|tabelle|tab\.|figura|tableau|tabla)"
    r"\s+(?:(?:[A-Z]{1,3}-?)?\d+(?:[.\-]\d+)*[a-z]?|[IVX]+)\b(?:[.:–—]|\s*$)",
    re.I,
)
_PICTURE = re.compile(
    r"(?i:(?:media|image|photo|picture|video|foto|bild) (?:caption|credits?|copyright|source)):?"
    r" (?=[^\Wa-z])"
    r"|(?i:(?:photo(?:graph)?|picture|image|foto|bild)(?::| by| courtesy of| von)) "
    r"[^\W\d_a-z][^.]{1,80}\.?$"
)
"""What says what a picture shows, or who took it."""
_REFERENCE = re.compile(
    r"\[\d{1,3}\]\s+\S.*\b(?:19|20)\d\d\b|\^\s|.*\b(?:doi:|ISBN|arXiv:)"
    r"|.*\b(?:Retrieved|Archived from|Archived \([^)]{0,400}\) from)\b.*\d{4}"
    r"|.*\bAvailable (?:from|at|online|on)\b.*(?:https?://|www\.|[Ii]nternet)"
    r"|.*\[(?:[Cc]ited|[Aa]ccessed|[Vv]iewed)\b"
    r"|[\"“][^\"”]{4,120}[\"”],? \(https?://"
)
_TEMPLATE = re.compile(
    r"find sources: |.*\bneeds additional citations\b|.*\blearn how and when to remove\b"
    r"|.*\bplease help improve this article\b",
    re.I,
)
"""What an encyclopaedia says to those who write it."""
_ASKER = re.compile(
    r"(?:I|We)\b.*\b(?:(?:am|are) curious|wonder(?:ed|ing)?|would like to know|want to know)\b",
    re.S,
)
"""What opens the question of somebody else, without a question mark."""
_NAVIGATION = re.compile(
    r"(?:next|previous|prev|home|back|back to (?:the )?top|skip to .*|see also|main article:?.*|"
    r"read more|(?:related|check out|read (?:also|next|on)|more (?:on|about|from)|source|"
    r"(?:photo|image)(?: credit| by)?|question|frage|q)\b[^.:]{0,30}: .*|"
    r"(?:accepted )?answer(?: \(.*\))?|table of contents|contents|"
    r"inhaltsverzeichnis|edit|jump to .*|on this page)\W*$",
    re.I,
)
_REFERS = re.compile(
    r"(?:for (?:more|further|full|details|examples|a|the)\b[^.]*, )?(?:please )?"
    r"(?:see(?: also)?|refer to|consult)\b"
    r"|(?:\S+ ){1,9}(?:is|are) (?:\w+ly )?(?:described|explained|discussed|documented|covered"
    r"|listed|given|shown|defined)(?: \w+)? (?:in (?:the|this|section|chapter|appendix)|below"
    r"|later)\b"
    r"(?: \S+){0,5}$"
    r"|(?:table|figure|fig\.|tabelle|abbildung) [A-Z]?\d+(?:\.\d+)? "
    r"(?:lists|shows|gives|says|contains|summari[sz]es|works through|zeigt|enthält)"
    r"(?! that| dass)(?: [^\s\d]+){1,9}$",
    re.I,
)
"""What only says where else to look."""
_KEYWORDS = re.compile(
    r"(?:Keywords|Key ?[Ww]ords|KEYWORDS|Index [Tt]erms|General [Tt]erms|"
    r"Categories and Subject Descriptors|Schlüsselwörter|Schlagwörter|Mots[- ]clés)"
    r"\s*(?:[:—–]|(?=[A-Z\d]))"
)
"""The line of a paper that lists what it is about."""
_NUMBERED = re.compile(
    r"^(?:(?:§|Section|Article|Clause|Chapter|Part|Appendix|Annex|Artikel|Kapitel|Abschnitt|Teil"
    r"|Anhang)\s*(?:\d{1,3}(?:\.\d{1,3})*|[IVXLC]{1,6}|[A-Z])[.:]?"
    r"|(?:\d{1,3}|[A-Z])(?:\.\d{1,3})+\.?|\d{1,3}\.)\s+(?=[^\W\d_a-z])"
)
"""The number of a section, before its title."""
_LEADERS = re.compile(r"(?:\. ?){5,}\s*$|(?:\. ){8}")
"""What leads from a title to its page, which may be cut off, or to the next title."""
_BACK_MATTER = re.compile(
    r"(?:\d+(?:\.\d+)*\.?\s+)?(?:references|bibliography|works cited|further reading|external links"
    r"|see also|notes and references|literaturverzeichnis|literatur|einzelnachweise|weblinks"
    r"|siehe auch|related (?:articles|posts|stories)|you may also like)\W*(?:\[edit\])?",
    re.I,
)
_QUALIFIED = re.compile(
    r"\((?:optional|required|recommended|not \w+|nicht \w+|empfohlen|freiwillig)\)", re.I
)
"""What a title says besides naming: "Peel the seeds (optional)"."""
_NUMBER = re.compile(r"[-–+(]?[$€£]?\d[\d.,]*%?\)?[*†‡]?")
_MOST_NUMBERS = 8
_QUESTION = "?？؟"
_TITLE_WORDS = 12


def is_quotable(piece: Sentence) -> bool:
    """Return whether a piece says something; what only names, numbers or asks does not.

    Headings, captions, lines of a table of contents, entries of a bibliography, navigation, page
    numbers, labels of axes and questions are not quotable. A heading is where it holds a figure, a
    name with its value ("Office: second floor") or a function's parameters.

    >>> is_quotable(Sentence(0, 0, "Figure 3: Oxygen in the air")), is_quotable(
    ...     Sentence(0, 0, "Oxygen is a gas.")
    ... )
    (False, True)
    """
    text = " ".join(piece.text.split())
    if piece.kind is SentenceKind.CODE:
        return True
    if piece.kind is SentenceKind.HEADING:
        title = without_number(text)
        return is_signature(title) or (
            len(title.split()) > 2
            and (
                any(ch.isdigit() for ch in title) or ": " in title or bool(_QUALIFIED.search(title))
            )
            and not _is_furniture(text)
        )
    return text.rstrip("*_")[-1:] not in _QUESTION and not _is_furniture(text)


def without_number(title: str) -> str:
    """Return the title of a section without its number.

    >>> without_number("3.2.5. Retiring"), without_number("§ 1. Scope"), without_number("3.5 %")
    ('Retiring', 'Scope', '3.5 %')
    >>> without_number("A rise of 3.5 Percent")
    'A rise of 3.5 Percent'
    """
    return _NUMBERED.sub("", title, count=1)


def is_back_matter(heading: str) -> bool:
    """Return whether what stands below a heading only points elsewhere.

    >>> is_back_matter("External links[edit]"), is_back_matter("Sources of light")
    (True, False)
    """
    return _BACK_MATTER.fullmatch(heading.strip()) is not None


def is_caption(text: str) -> bool:
    """Return whether a piece is the caption of a figure or a table.

    >>> is_caption("Table 3: Lamps by town"), is_caption("Table 3 lists them.")
    (True, False)
    """
    return bool(_CAPTION.match(text.strip()))


def is_caption_number(text: str) -> bool:
    """Return whether a piece is only the number of a caption; what follows it is the caption.

    >>> is_caption_number("Table 3."), is_caption_number("Table 3 lists them.")
    (True, False)
    """
    return bool(_CAPTION.fullmatch(text.strip()))


def _is_furniture(text: str) -> bool:
    return bool(
        CONTENTS_LINE.search(text)
        or _LEADERS.search(text)
        or _CAPTION.match(text)
        or _PICTURE.match(text)
        or _REFERENCE.match(text)
        or _NAVIGATION.match(text)
        or _TEMPLATE.match(text)
        or _ASKER.match(text)
        or _REFERS.match(text)
        or COPYRIGHT.match(text)
        or _KEYWORDS.match(text)
        or PAGE.fullmatch(text)
        or _is_label(text)
        or _is_figures(text)
        or _is_shouted(text)
    )


def _is_shouted(text: str) -> bool:
    """A title or a running head in capitals: "ANNUAL REPORT OF ACME, INC."."""
    bare = not any(ch in "|:" or ch.isdigit() for ch in text)
    return bare and text.isupper() and 2 < len(text.split()) <= _TITLE_WORDS


def _is_label(text: str) -> bool:
    """The numbers along an axis: hardly a letter in many signs."""
    signs = [ch for ch in text if not ch.isspace()]
    letters = sum(ch.isalpha() for ch in signs)
    return "|" not in text and len(signs) > 3 and letters < 0.15 * len(signs)


def _is_figures(text: str) -> bool:
    """Cells of a table without its lines: many numbers, and as many as words.

    >>> _is_figures("None BM25 59.1 66.9 55.0 70.9 68.8 Single DPR 78.4 79.4 73.2 79.8")
    True
    """
    words = text.split()
    numbers = sum(_NUMBER.fullmatch(word) is not None for word in words)
    apart = "|" not in text and ": " not in text  # rows and records are shown as such
    return apart and numbers >= _MOST_NUMBERS and 2 * numbers >= len(words)
