"""Two things compared: a sentence that sets them against each other, or one of each (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from core.citations.mark import mark
from core.planning.routes import Route
from core.text.markdown_quoting import escape_markdown
from core.text.signatures import is_signature
from core.text.terms import content_keys
from core.types import Answer, Citation, Claim

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


def sides_asked(subjects: Sequence[str], aspect: str) -> tuple[str, ...]:
    """Return the question for each side of a comparison.

    >>> sides_asked(("tea", "coffee"), "price"), sides_asked(("tea", "coffee"), "")
    (('price of tea', 'price of coffee'), ('What is tea?', 'What is coffee?'))
    """
    return tuple(f"{aspect} of {one}" if aspect else f"What is {one}?" for one in subjects)


def contrasts(answer: Answer, subjects: Sequence[str]) -> bool:
    """Return whether the opening of an answer sets both subjects against each other."""
    if answer.abstention is not None or not answer.claims:
        return False
    opening = answer.text[answer.claims[0].start : answer.claims[0].end]
    if is_signature(opening.replace("\\", "")):  # a function is quoted with the sentence below it
        opening += " ".join(answer.text[one.start : one.end] for one in answer.claims[1:2])
    said = set(content_keys(opening))
    named = all(
        said & set(content_keys(subject)) and _has_name(opening, subject) for subject in subjects
    )
    return named and _CONTRASTS.search(opening) is not None


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
    for subject, side in zip(subjects, sides, strict=True):
        if side.abstention is not None or not side.claims or not _speaks_of(side, subject):
            return replace(whole, route=Route.COMPARISON)
        claim = _claim_of(side, subject, aspect)
        if claim is None:
            return replace(whole, route=Route.COMPARISON)
        cited = next((c for c in side.citations if c.number in claim.numbers), None)
        quote = side.text[claim.start : claim.end]
        below = next((one for one in side.claims if one.start > claim.start), None)
        if below is not None and is_signature(quote.replace("\\", "")):
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


def _claim_of(side: Answer, subject: str, aspect: str) -> Claim | None:
    """The sentence that speaks of a side: the first with its words, else the first at all."""
    asked, about = set(content_keys(subject)), set(content_keys(aspect))
    said = {claim: set(content_keys(side.text[claim.start : claim.end])) for claim in side.claims}
    able = [
        claim
        for claim, keys in said.items()
        if about <= keys and not side.text[claim.start : claim.end].rstrip().endswith(":")
    ]
    return next((claim for claim in able if asked <= said[claim]), able[0] if able else None)


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
