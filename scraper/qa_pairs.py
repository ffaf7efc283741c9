"""A question with its answer: text as Markdown, code whole, and who is to be named for it.

The licence of Stack Exchange asks for the authors, the links and its own name beside what is
quoted: every pair carries them, and `to_loaded` hands them on to be shown with citations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from core.parsing.builder import Draft, TextBuilder, split_parts
from core.parsing.html.load import parse_html
from core.parsing.html.to_markdown import listing_text, to_markdown
from core.parsing.notices import hidden_notice, notices
from core.text.invisible import clean
from core.types import Block, DocumentKind, Heading, LoadedDocument

_LEAST_LINES = 2
_LEAST_CHARACTERS = 10
_HTML = re.compile(r"</?(p|pre|code|a|ul|ol|li|br|em|strong|h[1-6]|blockquote|div)\b[^>]*>", re.I)
_LICENCES = (
    (date(2018, 5, 2), "CC BY-SA 4.0"),
    (date(2011, 4, 8), "CC BY-SA 3.0"),
    (date(1, 1, 1), "CC BY-SA 2.5"),
)
"""Since when new posts stand under which licence, newest first."""


@dataclass(frozen=True, slots=True)
class Post:
    """A question or an answer. `text` is Markdown, `blocks` its tables and listings in it.

    `code` holds the text of each code block of two lines and more, whole, in their order.
    `date` is YYYY-MM-DD, `score` None when the source does not say.
    """

    id: str
    text: str
    code: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ()
    score: int | None = None
    author: str = ""
    date: str = ""
    licence: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """A question and the answer that was chosen for it."""

    title: str
    question: Post
    answer: Post
    tags: tuple[str, ...] = ()
    accepted: bool = False
    site: str = field(default="stackoverflow.com")


def post(row: Mapping[str, str], *, site: str, author: str = "") -> Post:
    """A post from a row of a dump (keys as `dumps.read_rows` gives them)."""
    identity = row.get("id", "")
    owner, written = row.get("owneruserid", ""), row.get("creationdate", "")[:10]
    draft, code = body_draft(row.get("body", ""))
    kind = "a" if row.get("posttypeid") == "2" else "questions"
    return Post(
        id=identity,
        text=draft.text,
        code=code,
        blocks=draft.blocks,
        score=_number(row.get("score", "")),
        author=author or row.get("ownerdisplayname", "") or (f"user {owner}" if owner else ""),
        date=written if re.fullmatch(r"\d{4}-\d\d-\d\d", written) else "",
        licence=row.get("contentlicense", "") or licence_of(written),
        url=f"https://{site}/{kind}/{identity}" if re.fullmatch("[0-9]+", identity) else "",
    )


def body_draft(body: str) -> tuple[Draft, tuple[str, ...]]:
    """The Markdown of a post's body (HTML, or text as it is) and its code blocks."""
    root = parse_html(body) if _HTML.search(body) else None
    if root is None:
        return Draft(clean(body).text.strip()), ()
    return to_markdown(root, links=True), tuple(code_blocks(root))


def code_blocks(root: Any) -> Iterable[str]:
    """The text of each `code` with at least two lines and more than ten characters."""
    for element in root.iter("code"):
        text = listing_text(element).replace("\r\n", "\n")
        if len(text.splitlines()) >= _LEAST_LINES and len(text.strip()) > _LEAST_CHARACTERS:
            yield text


def tags_of(text: str) -> tuple[str, ...]:
    """Tags as any source writes them.

    >>> tags_of("<python><list>"), tags_of("|python|list|"), tags_of("python, list")
    (('python', 'list'), ('python', 'list'), ('python', 'list'))
    """
    return tuple(dict.fromkeys(re.findall(r"[^\s<>|,;\"'\[\]]+", text)))


def licence_of(written: str) -> str:
    """The licence of a post by its date (YYYY-MM-DD...), "" when there is none."""
    try:
        day = date.fromisoformat(written[:10])
    except ValueError:
        return ""
    return next(name for since, name in _LICENCES if day >= since)


def to_loaded(pair: Pair) -> LoadedDocument:
    """The pair as one document of one page: title, question, answer, with their anchors."""
    builder = TextBuilder()
    builder.headings.append(Heading(0, 1, pair.title, None))
    builder.paragraph(f"# {pair.title}")
    if pair.tags:
        builder.paragraph(f"Tags: {', '.join(pair.tags)}")
    blocks: list[Block] = []
    for name, one in (("Question", pair.question), (_answer_title(pair), pair.answer)):
        if span := builder.paragraph(f"## {name}"):
            builder.headings.append(Heading(span[0], 2, name, one.id or None))
        if span := builder.paragraph(one.text):
            blocks.extend(
                Block(block.start + span[0], block.end + span[0], block.kind)
                for block in one.blocks
            )
    draft = Draft(builder.draft().text, tuple(builder.headings), tuple(blocks))
    return LoadedDocument(
        DocumentKind.WEB,
        split_parts(draft),
        title=pair.title,
        notices=notices(hidden_notice(builder.hidden)),
        attribution=attribution(pair),
    )


def attribution(pair: Pair) -> str:
    """Who asked and who answered, when, under which licence, and where it stands."""
    asked, answered = pair.question, pair.answer
    said = [_credit("Question", asked), _credit("answer", answered)]
    licences = dict.fromkeys(filter(None, (asked.licence, answered.licence)))
    link = answered.url or asked.url
    return ", ".join(filter(None, (*said, " and ".join(licences), link or pair.site)))


def _credit(what: str, one: Post) -> str:
    score = f"score {one.score}" if one.score is not None else ""
    details = ", ".join(filter(None, (one.date, score)))
    return f"{what} by {one.author or 'an unnamed user'}" + (f" ({details})" if details else "")


def _answer_title(pair: Pair) -> str:
    remarks = ["accepted"] if pair.accepted else []
    if pair.answer.score is not None:
        remarks.append(f"score {pair.answer.score}")
    return f"Answer ({', '.join(remarks)})" if remarks else "Answer"


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
