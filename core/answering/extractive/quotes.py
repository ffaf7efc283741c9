"""A sentence with what belongs to it: the items of a list, the header of a row, a signature (pure).

Every part is a stretch of the page, quoted word for word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from typing import Literal

from core.answering.extractive.answer_types import Wanted, wanted
from core.answering.extractive.candidates import Candidate
from core.answering.extractive.quotable import is_signature
from core.answering.extractive.tables import MOST_ROWS, cells, header_of, rows_below, rows_led_to
from core.citations.passages import passage_of
from core.text.lines import FIELD
from core.text.sentences import Sentence, SentenceKind, split_sentences
from core.text.terms import content_keys
from core.types import ChunkKind, Hit

MOST_ITEMS = 12
"""Items of one list that are quoted; the answer says how many more there are."""
MOST_LINES = 12
"""Lines of one block of code that are quoted whole; of a longer one, those around the match."""
_AROUND = 3
_NEAR = 5  # sentences between "the following table" and the table

_ITEM = re.compile(r"\s*(?:[-*+•‣◦▪●○∙·–—➢➤✓■□]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\([ivx]{1,5}\))\s*")
_STEP = re.compile(r"\s*(?:step )?\(?\d{1,2}[.):]?\s*", re.I)
_FIRST_STEP = re.compile(r"\s*(?:step )?\(?1[.):]?\s*", re.I)
_FEWEST_STEPS = 2
_TITLE_WORDS = 2
_CONTENTS = re.compile(
    r"\b(?:in this (?:article|post|guide|chapter|section|tutorial|document|video)"
    r"|(?:we|i)(?:['’]ll| will) (?:cover|discuss|explain|look)|contents|topics|covers?)\b.*:\s*$",
    re.I,
)
"""What leads into a list of what follows later."""
_HOW_TO = re.compile(
    r"\bhow (?:do|can|could|to|should|would)\b|\bwie (?:kann|geht|(?!lange)\w+e ich|\w+t man)\b"
    r"|\bwhat (?:do|should|must|shall) (?:i|we|you) (?:(?:have|need) to )?do\b"
    r"|\b(?:steps|instructions?) (?:to|for)\b|\banleitung (?:zum|zur|für)\b",
    re.I,
)
_ITEM_END = re.compile(r";(?:\s*(?:and|or|und|oder))?\s*$")
_LIST_ASKED = re.compile(
    r"^(?:\W|(?:ok|and|now|please|pls|(?:can|could|would) (?:you|u))\b)*list\b"
    r"|\b(?:an?|the) (?:\w+ )?list of\b|\ball (?:of )?(?:the|them)\b"
    r"|\bwhich (?:\w+ )?\w+s\b(?! (?:me|us|you|the|an?|it|them)\b)"
    r"|\bwhat (?:are|\w+s are|(?:\w+ ){1,3}(?:is|are) there)\b|"
    r"\bname (?:all|the)\b|\bfull list\b|\bsteps?\b|\bliste\b|\bwelche\b|\balle\b|\bzähle\b",
    re.I,
)

_FOLLOWS = re.compile(
    r"\b(?:following (?:table|list)|(?:table|list) below|as follows|listed below)\W*$", re.I
)

_ANNOUNCES = re.compile(
    r"\b(?:(?:two|three|four|five|several|some|many|following|zwei|drei|vier|mehrere|einige)\s"
    r"(?:\w+\s){0,2}?\w{3,}|(?:two|three|four)-?fold|as follows|(?:zwei|drei|vier)fach)\b",
    re.I,
)
_ANNOUNCES_ITEMS = re.compile(
    r"\b(?:two|three|four|five|six|several|some|few|many|following|these|zwei|drei|vier|einige"
    r"|folgende)\s(?:\w+\s){0,2}?(?:steps?|reasons?|ways?|things|rules|points|options|types|kinds|methods"
    r"|conditions|requirements|tips|examples|parts|stages|factors|features|advantages|schritte|gründe"
    r"|punkte|regeln|möglichkeiten)\b",
    re.I,
)
_FIRST = re.compile(r"(?:first(?:ly| of all)?|erstens|zunächst|zum einen)\b", re.I)
_LATER = re.compile(
    r"(?:second(?:ly)?|third(?:ly)?|fourth(?:ly)?|fifth(?:ly)?|next|finally|last(?:ly)?|zweitens"
    r"|drittens|viertens|schließlich|zuletzt|zum anderen)\b",
    re.I,
)
_FIELD_WORDS = 25
_BETWEEN = 3  # sentences that the first of two reasons may take

Form = Literal["prose", "code", "list", "table", "lines"]


@dataclass(frozen=True, slots=True)
class Quote:
    """What is quoted of one passage at one place: `parts` in the order of the page.

    A "list" begins with its `leads` sentences that lead in; a "table" with its header row, where
    there is one. `more` items or rows were left out; `steps` says that the items are numbered.
    """

    candidate: Candidate
    form: Form
    parts: tuple[Sentence, ...]
    leads: int = 0
    more: int = 0
    steps: bool = False

    @property
    def hit(self) -> int:
        """The index of the hit that is quoted."""
        return self.candidate.hit


def whole(question: str, candidate: Candidate, hit: Hit) -> Quote:
    """Return the quote of a candidate with the items, header or signature that belong to it."""
    sentence = candidate.sentence
    if sentence.kind is SentenceKind.CODE:
        return Quote(candidate, "code", (_excerpt(question, sentence),))
    text, base = passage_of(hit)
    pieces = split_sentences(text, code=hit.chunk.kind is ChunkKind.CODE, offset=base)
    at = next((n for n, piece in enumerate(pieces) if piece.start == sentence.start), None)
    if at is None:
        return Quote(candidate, "prose", (sentence,))
    if sentence.kind is SentenceKind.ROW:
        return _as_table(candidate, pieces, at)
    titled = False
    if is_item(text, base, sentence):
        first = _first_of_list(pieces, at, text, base)
        titled = _is_asked_for(question, pieces[first], sentence)
        if titled or (asks_for_list(question) and leads_in(pieces[first].text)):
            at = first
    if asks_how(question) and (steps := _as_steps(question, candidate, pieces, at, text, base)):
        return steps
    if found := _with_items(candidate, pieces, at, text, base, titled=titled) or _with_rows(
        candidate, pieces, at
    ):
        return found
    before = pieces[at - 1] if at else None
    if before is not None and is_signature(before.text) and not is_signature(sentence.text):
        return Quote(candidate, "lines", (before, sentence))
    after = pieces[at + 1] if at + 1 < len(pieces) else None
    if is_signature(sentence.text) and after is not None and after.kind is SentenceKind.PROSE:
        return Quote(candidate, "lines", (sentence, after))
    return Quote(candidate, "prose", (sentence,))


def whole_quotes(question: str, chosen: Sequence[Candidate], hits: Sequence[Hit]) -> list[Quote]:
    """Return the quotes of the chosen candidates; what an earlier one holds is not quoted again."""
    quotes: list[Quote] = []
    for candidate in chosen:
        quote = whole(question, candidate, hits[candidate.hit])
        taken = {(q.hit, part.start) for q in quotes for part in q.parts}
        fresh = tuple(part for part in quote.parts if (quote.hit, part.start) not in taken)
        if fresh == quote.parts:
            quotes.append(quote)
        elif (candidate.hit, candidate.sentence.start) not in taken:
            quotes.append(Quote(candidate, "prose", (candidate.sentence,)))
    if quotes and asks_for_list(question) and _is_whole_list(quotes[0]):
        return [quote for quote in quotes if _is_whole_list(quote)]
    return quotes


def _is_whole_list(quote: Quote) -> bool:
    return quote.form in ("list", "table") and len(quote.parts) > 2


def leads_to_more(question: str, candidate: Candidate, hit: Hit) -> bool:
    """Return whether the items of a list or the rows of a table are quoted with a candidate."""
    if not leads_in(candidate.sentence.text):
        return False
    quote = whole(question, candidate, hit)
    return len(quote.parts) > 2 and quote.form in ("list", "table", "lines")


def asks_how(question: str) -> bool:
    """Return whether a question asks how something is done.

    >>> asks_how("how do i clean it?"), asks_how("how long is it?")
    (True, False)
    """
    return bool(_HOW_TO.search(question))


def steps_title(question: str, candidate: Candidate, hit: Hit) -> str:
    """Return the heading of the numbered steps that are quoted with a candidate, "" without."""
    quote = whole(question, candidate, hit)
    if not (quote.steps and asks_how(question)):
        return ""
    return quote.parts[0].text if quote.leads else candidate.under


def asks_for_list(question: str) -> bool:
    """Return whether a question asks for several things.

    >>> asks_for_list("list all the ceos"), asks_for_list("who is the ceo")
    (True, False)
    """
    return bool(_LIST_ASKED.search(question))


def is_item(text: str, base: int, piece: Sentence, sign: re.Pattern[str] = _ITEM) -> bool:
    """Return whether a bullet or a number stands before the piece on its line."""
    start = piece.start - base
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return bool(before.strip()) and bool(sign.fullmatch(before))


def _is_asked_for(question: str, title: Sentence, item: Sentence) -> bool:
    """Whether a question asks for the list below a heading: "what can I see?", "What to see".

    An item that has more of its words than the heading is asked for by itself.
    """
    if title.kind is not SentenceKind.HEADING or wanted(question) is not Wanted.OTHER:
        return False
    asked, named = set(content_keys(question)), set(content_keys(title.text))
    return bool(named) and named <= asked and asked & set(content_keys(item.text)) <= named


def _as_steps(
    question: str,
    candidate: Candidate,
    pieces: Sequence[Sentence],
    at: int,
    text: str,
    base: int,
) -> Quote | None:
    """The numbered steps below a heading that names what is to be done, with the heading.

    The piece at `at` stands above them or is one of them, and is not asked for by itself.
    """
    above = next((n for n in range(at, -1, -1) if pieces[n].kind is SentenceKind.HEADING), None)
    title = candidate.under if above is None else pieces[above].text
    asked, named = set(content_keys(question)), set(content_keys(title))
    if not asked & named:
        return None
    if is_item(text, base, pieces[at]) and not asked & set(content_keys(pieces[at].text)) <= named:
        return None
    section = takewhile(
        lambda piece: piece.kind is not SentenceKind.HEADING,
        pieces[0 if above is None else above + 1 :],
    )
    items = items_of(
        list(dropwhile(lambda piece: not is_item(text, base, piece, _FIRST_STEP), section)),
        text, base, _STEP,
    )  # fmt: skip
    first = next(
        (n for n, piece in enumerate(pieces) if items and piece.start == items[0].start), 0
    )
    if first and _CONTENTS.search(pieces[first - 1].text):
        return None  # what an article is going to tell
    if len(items) < _FEWEST_STEPS or any(_is_titled(item.text) for item in items):
        return None
    leads = () if above is None else (pieces[above],)
    kept = items[:MOST_ITEMS]
    return Quote(candidate, "list", (*leads, *kept), len(leads), len(items) - len(kept), steps=True)


def _is_titled(item: str) -> bool:
    """Whether an item opens with a title of its own: "Rent. The rent is ..." is a clause."""
    first, _, rest = item.partition(". ")
    return bool(rest) and len(first.split()) <= _TITLE_WORDS


def _first_of_list(pieces: Sequence[Sentence], at: int, text: str, base: int) -> int:
    """The piece right above the list in which the piece at `at` is an item."""
    first = at
    while first > 0 and (
        is_item(text, base, pieces[first])
        or (
            not leads_in(pieces[first].text)
            and _runs_on(text, base, pieces[first - 1], pieces[first])
        )
    ):
        first -= 1
    return first


def _runs_on(text: str, base: int, before: Sentence, after: Sentence) -> bool:
    return "\n" not in text[before.end - base : after.start - base]


def _with_items(
    candidate: Candidate,
    pieces: Sequence[Sentence],
    at: int,
    text: str,
    base: int,
    *,
    titled: bool,
) -> Quote | None:
    """The sentence or title at `at`, or it with the next, as what leads into the items below."""
    leads = [pieces[at]]
    following = pieces[at + 1 :]
    announced = _announces_items(leads[0], following, text, base)
    if not (titled or announced or leads_in(leads[0].text)):
        if not following or not (
            leads_in(following[0].text) and _runs_on(text, base, leads[0], following[0])
        ):
            return None
        leads.append(following[0])
        following = following[1:]
    items = (
        items_of(following, text, base)
        or _told_in_turn(leads[-1], following, text, base)
        or _fields(following)
    )
    if not items:
        return None
    kept = items[:MOST_ITEMS]
    return Quote(candidate, "list", (*leads, *kept), len(leads), len(items) - len(kept))


def items_of(
    following: Sequence[Sentence], text: str, base: int, sign: re.Pattern[str] = _ITEM
) -> list[Sentence]:
    """Return the items that these pieces begin with; all that an item says is one of them."""
    items: list[Sentence] = []
    for piece in following:
        unmarked = piece.kind is SentenceKind.PROSE and bool(_ITEM_END.search(piece.text))
        after_unmarked = bool(items) and bool(_ITEM_END.search(items[-1].text))
        if is_item(text, base, piece, sign) or (unmarked and (not items or after_unmarked)):
            items.append(piece)
        elif items and _runs_on(text, base, items[-1], piece):
            start, end = items[-1].start, piece.end
            items[-1] = Sentence(start, end, text[start - base : end - base], piece.kind)
        else:
            break
    return items


def _fields(following: Sequence[Sentence]) -> list[Sentence]:
    """The filled-in lines of a form that these pieces begin with: "Name: Jo Reed"."""
    filled = takewhile(lambda piece: FIELD.match(piece.text), following)
    return [piece for piece in filled if len(piece.text.split()) <= _FIELD_WORDS]


def _announces_items(lead: Sentence, following: Sequence[Sentence], text: str, base: int) -> bool:
    """Whether a sentence announces what follows it in turn, or in a list right below."""
    if _told_in_turn(lead, following, text, base):
        return True
    listed = bool(following) and is_item(text, base, following[0])
    return listed and _ANNOUNCES_ITEMS.search(lead.text) is not None


def _told_in_turn(
    lead: Sentence, following: Sequence[Sentence], text: str, base: int
) -> list[Sentence]:
    """What a sentence announces and the next tell: "for two reasons. First, ... Second, ..."."""
    if not following or not (_ANNOUNCES.search(lead.text) and _FIRST.match(following[0].text)):
        return []
    items: list[Sentence] = []
    end = 0
    for at, piece in enumerate(following):
        if piece.kind is not SentenceKind.PROSE or at - end > _BETWEEN:
            break
        if at == 0 or _LATER.match(piece.text):
            if items:
                start, stop = items[-1].start, following[at - 1].end
                items[-1] = Sentence(start, stop, text[start - base : stop - base])
            items.append(piece)
            end = at
    return items if len(items) > 1 else []


def leads_in(text: str) -> bool:
    """Return whether a sentence says that a list or a table follows.

    >>> leads_in("The levels are in the following table."), leads_in("A table follows a list.")
    (True, False)
    """
    return text.rstrip().endswith((":", "：")) or _FOLLOWS.search(text) is not None


def _begins_rows(pieces: Sequence[Sentence], at: int) -> bool:
    return at < len(pieces) and pieces[at].kind is SentenceKind.ROW


def _with_rows(candidate: Candidate, pieces: Sequence[Sentence], at: int) -> Quote | None:
    """A sentence that leads in with the rows of the table below."""
    if not leads_in(pieces[at].text):
        return None
    header, rows = rows_led_to(pieces, at)
    if not rows and _FOLLOWS.search(pieces[at].text):  # what a table shows may be said before it
        table = next((n for n in range(at + 1, at + _NEAR) if _begins_rows(pieces, n)), at)
        header, rows = rows_led_to(pieces, table - 1) if table > at else ((), ())
    if not rows:
        return None
    kept, more = rows[:MOST_ROWS], len(rows[MOST_ROWS:])
    if len(cells(rows[0].text)) > 1:
        return Quote(candidate, "table", kept, more=more)
    return Quote(candidate, "lines", (pieces[at], *header, *kept), more=more)


def _as_table(candidate: Candidate, pieces: Sequence[Sentence], at: int) -> Quote:
    """A row with what names its columns; a row that names them with those below it."""
    row = pieces[at]
    columns = len(cells(row.text))
    if columns > 1 and all(":" in cell for cell in cells(row.text)):
        return Quote(candidate, "lines", (row,))  # each cell names its column
    if below := rows_below(pieces, at):
        same = all(len(cells(piece.text)) == columns for piece in below)
        return Quote(candidate, "table" if same else "lines", (row, *below))
    header = header_of(pieces, at)
    aligned = len(header) == 1 and columns > 1 and len(cells(header[0].text)) == columns
    return Quote(candidate, "table" if aligned else "lines", (*header, row))


def _excerpt(question: str, block: Sentence) -> Sentence:
    """The lines of a block of code around the one that shares the most with the question."""
    lines = block.text.split("\n")
    if len(lines) <= MOST_LINES:
        return block
    asked = set(content_keys(question))
    shared = [len(asked & set(content_keys(line))) for line in lines]
    best = shared.index(max(shared))
    first, last = max(0, best - _AROUND), min(len(lines), best + _AROUND + 1)
    start = block.start + sum(len(line) + 1 for line in lines[:first])
    text = "\n".join(lines[first:last])
    return Sentence(start, start + len(text), text, SentenceKind.CODE)
