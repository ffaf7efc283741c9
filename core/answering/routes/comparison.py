"""Two things compared: a sentence that sets them against each other, or one of each (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import replace

from core.answering.routes.quotes import Quotes
from core.answering.routes.sides import entries_of_both, section_on_both
from core.citations.mark import mark
from core.citations.passages import sentences_of
from core.planning.paraphrases import formally
from core.planning.routes import Route
from core.text.lines import FIELD
from core.text.markdown_quoting import escape_markdown
from core.text.sentences import Sentence, SentenceKind
from core.text.signatures import is_signature
from core.text.terms import content_keys
from core.types import Answer, Citation, Claim, Hit

_CONTRASTS = re.compile(
    r"\bcontrast\w*|\bwhereas\b|\bwhile\b|\bunlike\b|\bcompared (?:to|with)\b|\brather than\b"
    r"|\bon the other hand\b|\bdifferences?\b.*(?:\b(?:is|are) that\b|:\W*$)|\bdiffers?\b"
    r"|\b(?:except|apart from|besides|instead of|as opposed to|opposite|in addition to)\b"
    r"|\b(?:identical|similar|same|equivalent)\b.*\b(?:but|that|though)\b"
    r"|\bin different ways\b|\bdifferent(?:ly)? (?:from|than|to)\b"
    r"|\b(?:more|less|\w{3,}er) than\b|\bwährend\b|\bhingegen\b|\bdagegen\b|\bim gegensatz\b"
    r"|\banders als\b|\bunterscheide\w*|\balors que\b|\bmientras\b",
    re.I | re.S,
)
_LIKENS = re.compile(r"\b(?:identical|similar|same|equivalent)\b", re.I)
"""What says that two things are alike as well, and less of where they differ."""
_TABLE = "| --- |"
"""What a quoted table has in it."""
_MOST_WORDS = 45
"""Words of a sentence that compares two things; longer ones say much else."""


def sides_asked(subjects: Sequence[str], aspect: str) -> tuple[str, ...]:
    """Return the question for each side of a comparison.

    >>> sides_asked(("tea", "coffee"), "price"), sides_asked(("tea", "coffee"), "")
    (('price of tea', 'price of coffee'), ('What is tea?', 'What is coffee?'))
    >>> sides_asked(("fixed term", "open term contract"), "")
    ('What is fixed term contract?', 'What is open term contract?')
    """
    subjects = _with_shared_words(subjects)
    return tuple(f"{aspect} of {one}" if aspect else f"What is {one}?" for one in subjects)


def _with_shared_words(subjects: Sequence[str]) -> Sequence[str]:
    """The sides, the first with what is said once for both: "white box and black box testing"."""
    if len(subjects) != 2:
        return subjects
    first, second = (one.split() for one in subjects)
    last = [one.casefold() for one in second]
    at = last.index(first[-1].casefold()) if first and first[-1].casefold() in last else 0
    return (" ".join([*first, *second[at + 1 :]]), subjects[1]) if at else subjects


def contrasts(answer: Answer, subjects: Sequence[str]) -> bool:
    """Return whether the opening of an answer sets both subjects against each other."""
    if answer.abstention is not None or not answer.claims:
        return False
    opening = answer.text[answer.claims[0].start : answer.claims[0].end]
    if is_signature(opening.replace("\\", "")):  # a function is quoted with the sentence below it
        opening += " ".join(answer.text[one.start : one.end] for one in answer.claims[1:2])
    named = all(
        set(content_keys(subject)) & set(content_keys(text)) and _has_name(text, subject)
        for subject, text in zip(subjects, _apart(opening, subjects), strict=True)
    )
    return named and _CONTRASTS.search(opening) is not None


def told_of_both(whole: Answer, subjects: Sequence[str], aspect: str = "") -> Answer | None:
    """Return what of all that was found tells of both subjects, or None.

    That are the sentences on each in a section on both, else the one that sets them against each
    other, else what is said of each below its own name.
    """
    named = _with_shared_words(subjects)
    quotes = (
        (None if aspect else section_on_both(whole, named))
        or _contrasting(whole, subjects, aspect)
        or (None if aspect else entries_of_both(whole, named))
    )
    if quotes is None:
        return None
    return _in_place_of(whole, quotes.text, quotes.claims, quotes.citations)


def _contrasting(whole: Answer, subjects: Sequence[str], aspect: str) -> Quotes | None:
    """The sentence that sets both against each other, in a passage whose others may fit better."""
    about = set(content_keys(aspect))
    found: list[tuple[Hit, Sentence]] = []
    for hit in whole.search.hits if whole.search else ():
        pieces = sentences_of(hit)
        found += ((hit, one) for one in pieces if _compares(one, subjects, about))
    if not found:
        return None
    hit, best = min(found, key=lambda pair: _LIKENS.search(pair[1].text) is not None)
    quotes = Quotes()
    quotes.quote(hit, best.start, best.end)
    return quotes


def _compares(sentence: Sentence, subjects: Sequence[str], about: Set[str]) -> bool:
    text = sentence.text
    brief = len(text.split()) <= _MOST_WORDS and text[-1:] not in ":?"
    if sentence.kind is not SentenceKind.PROSE or not brief or FIELD.match(text):
        return False
    named = all(map(_names, _apart(text, subjects), subjects))
    return named and about <= set(content_keys(text)) and _CONTRASTS.search(text) is not None


def _apart(text: str, subjects: Sequence[str]) -> tuple[str, ...]:
    """The text in which each subject is looked for: "tea" not in what is said of "green tea"."""
    found = []
    for subject in subjects:
        rest = text
        for other in subjects:
            if set(content_keys(subject)) < set(content_keys(other)):
                rest = re.sub(rf"\b{re.escape(other)}\b", " ", rest, flags=re.I)
        found.append(rest)
    return tuple(found)


def _names(text: str, subject: str) -> bool:
    return set(content_keys(subject)) <= set(content_keys(text)) and _has_name(text, subject)


def _has_name(text: str, subject: str) -> bool:
    """Whether a text has what a dotted name ends in: "json.dump" is no "dumps"."""
    _, dot, name = subject.rstrip("()").rpartition(".")
    return not dot or re.search(rf"\b{re.escape(name)}\b", text) is not None


def side_by_side(
    whole: Answer, subjects: Sequence[str], sides: Sequence[Answer], aspect: str = ""
) -> Answer:
    """Return the first sentence of each side under its name, else the answer to the `whole`.

    A sentence counts for its side if its passage has the words of the side, and if it has those of
    the `aspect` itself. What only leads into a list is no side.
    """
    text, claims = "", []
    citations: list[Citation] = []
    for n, (subject, side) in enumerate(zip(subjects, sides, strict=True)):
        if side.abstention is not None or not side.claims or not _speaks_of(side, subject):
            return replace(whole, route=Route.COMPARISON)
        if _TABLE in side.text and _aspect_in(side.text, aspect) <= set(content_keys(side.text)):
            table = _table_of(side, len(citations) + 1)
            text += ("\n\n" if text else "") + f"**{escape_markdown(subject)}**\n\n"
            claims += [
                replace(c, start=c.start + len(text), end=c.end + len(text)) for c in table[1]
            ]
            text, citations = text + table[0], [*citations, table[2]]
            continue
        claim = _claim_of(side, subjects, n, aspect)
        if claim is None:
            return replace(whole, route=Route.COMPARISON)
        cited = next((c for c in side.citations if c.number in claim.numbers), None)
        quote = side.text[claim.start : claim.end]
        below = next((one for one in side.claims if one.start > claim.start), None)
        named = " " not in quote.strip() or is_signature(quote.replace("\\", ""))
        if below is not None and named:  # what it is stands below its name
            claim, quote = below, side.text[below.start : below.end]
        cited = _narrowed(cited, quote) if cited is not None else None
        if cited is None or any(c.quote == cited.quote for c in citations):
            return replace(whole, route=Route.COMPARISON)
        number = len(citations) + 1
        citations.append(replace(cited, number=number))
        text += ("\n\n" if text else "") + f"**{escape_markdown(subject)}**\n\n"
        start = len(text)
        claims.append(Claim(start, start + len(quote), (number,), claim.support, score=claim.score))
        text += quote + ("\n" if quote.startswith("```") else " ") + mark(number)
    return _in_place_of(whole, text, claims, citations)


def _table_of(side: Answer, number: int) -> tuple[str, list[Claim], Citation]:
    """The table that a side opens with, its claims, and its citation under a new number."""
    first = side.citations[0]
    end = side.text.index(mark(first.number)) + len(mark(first.number))
    end = side.text.find("\n", end) if "\n" in side.text[end:] else len(side.text)
    text = side.text[:end].replace(mark(first.number), mark(number))
    claims = [replace(c, numbers=(number,)) for c in side.claims if c.end <= end]
    return text, claims, replace(first, number=number)


def _in_place_of(
    whole: Answer, text: str, claims: Sequence[Claim], citations: Sequence[Citation]
) -> Answer:
    """The answer with another text; what it cited besides is listed as unused."""
    keys = {(c.document_id, c.page_ordinal, c.start) for c in citations}
    left = [
        c
        for c in (*whole.citations, *whole.unused)
        if (c.document_id, c.page_ordinal, c.start) not in keys
    ]
    unused = tuple(replace(c, number=n) for n, c in enumerate(left, len(citations) + 1))
    return replace(
        whole,
        text=text,
        citations=tuple(citations),
        unused=unused,
        claims=tuple(claims),
        highlights=(),
        abstention=None,
        route=Route.COMPARISON,
    )


def _claim_of(side: Answer, subjects: Sequence[str], at: int, aspect: str) -> Claim | None:
    """The sentence that speaks of a side: the first with its words, else the first at all."""
    asked = set(content_keys(subjects[at]))
    texts = {claim: side.text[claim.start : claim.end] for claim in side.claims}
    able = [
        claim
        for claim, text in texts.items()
        if _aspect_in(text, aspect) <= set(content_keys(text)) and not text.rstrip().endswith(":")
    ]
    own = (one for one in able if asked <= set(content_keys(_apart(texts[one], subjects)[at])))
    return next(own, able[0] if able else None)


def _aspect_in(text: str, aspect: str) -> set[str]:
    """The keys of what is compared, in the words that a text has for it: "sales" for "revenue"."""
    asked = f"{aspect} of it" if aspect else ""
    return set(content_keys(formally(asked, content_keys(text))))


def _narrowed(citation: Citation, quote: str) -> Citation:
    """The citation with the one of its stretches that reads `quote`."""
    for start, end in citation.spans:
        text = citation.quote[start - citation.start : end - citation.start]
        if escape_markdown(text) == quote:
            return replace(citation, start=start, end=end, quote=text, spans=())
    return citation


def _speaks_of(answer: Answer, subject: str) -> bool:
    cited = answer.citations[0]
    around = " ".join((cited.passage, cited.quote, cited.title, cited.label, *cited.headings))
    asked = set(content_keys(subject))
    glued = re.sub(r"\W+", "", subject.casefold()) in re.sub(r"[\W_]+", "", around.casefold())
    return glued or asked <= set(content_keys(around))
