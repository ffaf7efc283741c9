"""Lists that stand below a heading which a question names, or below "Instructions" (pure).

"What ingredients do I need?" is answered by what is listed under "Ingredients", and "how do I make
it?" by the items under "Instructions" of a document that is called after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile

from core.answering.extractive.question.kinds import asks_for_tips, asks_how
from core.answering.extractive.sentences.candidates import Candidate, headed
from core.answering.extractive.sentences.quotable import without_number
from core.answering.extractive.structures.lists import MOST_ITEMS, is_item, items_of
from core.answering.extractive.structures.quotes import Quote
from core.answering.extractive.structures.records import listed_records
from core.answering.extractive.structures.tables import MOST_ROWS, header_of, label, table_around
from core.citations.passages import passage_of
from core.text.sentences import Sentence, SentenceKind, split_sentences
from core.text.signatures import name_of, name_parts
from core.text.terms import content_keys
from core.types import ChunkKind, Hit

_THINGS = re.compile(
    r"\b(?:what|which|welche) (?:are (?:the|all the) )?"
    r"(?P<things>(?:(?!(?:is|was|does|has|did|do|are|were|ist|sind)\b)[^\W\d_]+ )?"
    r"(?!(?:does|this)\b)[^\W\d_]{3,}s)\b"
    r"|\b(?:list|show|give me) (?:me )?(?:all )?(?:the )?"
    r"(?P<listed>(?:(?!(?:from|in|of|for|on|at|with|by|to)\b)[^\W\d_]+ ){0,4}[^\W\d_]{3,}s)\b"
    r"|^\W*(?:(?:all|the|some) )*(?P<bare>[^\W\d_]{3,}s) (?:to|of|for)\b"
    r"|\bwhat (?:do|will|would|should) (?:i|we|you) need (?:for|in) (?:the |an? |my )?"
    r"(?P<for_it>(?:[^\W\d_]+ )?[^\W\d_]{3,})\W*$"
    r"|\bwelche[srn]? (?P<german>[^\W\d_]{4,})\b"
    r"|\bwas (?:brauch|benötig)\w* (?:ich|man|wir|ihr) (?:alles )?(?:für|an) "
    r"(?P<needed>[^\W\d_]{4,})\b",
    re.I,
)


_CONTENTS_OF = re.compile(
    r"\W*(?:(?:and|so|ok|und)\W+)*(?:what|who|was|wer)(?:['’]s| is| are| was| were| ist| sind| war"
    r"| steht| gehört) (?:in|inside|on|at|under|included|auf|im|zu[mr]?|unter|dabei)\b",
    re.I,
)
"""What asks for all of something: "who is on the list", "was steht auf dem Zettel"."""


def _keys_of(words: str) -> frozenset[str]:
    """The keys of words of several languages, each as it is read alone."""
    return frozenset(key for word in words.split() for key in content_keys(word))


_KINDS = tuple(
    (re.compile(rf"\W*(?:the )?(?:{pattern})\W*", re.I), _keys_of(word))
    for pattern, word in (
        (r"cons|drawbacks|disadvantages|downsides|weaknesses"
         r"|what (?:we|i) (?:do|did) ?n['’o]t (?:like|love)|nachteile"
         r"|was (?:uns|mir) nicht gef(?:ällt|iel)", "drawbacks"),
        (r"pros|benefits|advantages|upsides|strengths|what (?:we|i) (?:liked?|loved?)|vorteile"
         r"|was (?:uns|mir) gef(?:ällt|iel)", "advantages"),
    )
)  # fmt: skip
"""What headings, and people, call what speaks for something and what speaks against it."""


_STEPS = _keys_of(
    "instruction instructions direction directions method steps step procedure preparation"
    " how to make it making guide zubereitung anleitung durchführung préparation instrucciones"
)
"""Words of headings below which something is told step by step."""
_MAKING = _keys_of(
    "make making cook bake prepare do go build create get start recipe steps step instructions"
    " directions please own home scratch ich man wir machen mache macht backen backe backt"
    " kochen koche kocht zubereiten bereite zu bitte geht gehen selber"
    " richtig"
)
"""Words of a question that say no more than that it is to be done."""
_LIGHT = _keys_of(
    "need needed required want get buy have has use used using list show give all full there gibt"
    " make recipe ich man wir brauche brauchen braucht benötige benötigt"
)
_NEEDED = _keys_of("ingredients materials equipment requirements tools prerequisites")
"""Words of headings below which it is listed what something needs."""
_ON_A_LIST = _keys_of("list checklist overview liste checkliste übersicht")
"""Words of headings that say only that something is listed."""
_MINDING = _keys_of(
    "look out watch consider check mind pay attention careful tips advice should must before"
    " worauf darauf achten beachten wissen soll sollte sollten muss müssen kann tipps tipp hinweise"
    " ich man wir sie you we"
)
"""Words of a question, and of a heading, that say no more than that something is to be minded."""
_TIPS = re.compile(
    r"\b(?:tips|advice|look for|watch (?:out )?for|tipps|hinweise|(?:wor|dar)auf|(?:be)?achten)\b",
    re.I,
)
"""What says of a heading that tips stand below it."""
_LEAST_SHARED = 0.5
"""The share of the other words that the document, its headings and its items need to have."""
_MOST_LISTS = 3
_HASHES = re.compile(r"[ \t]{0,3}(#{1,6})[ \t]+")
_WORD = re.compile(r"[^\W\d_]{2}")
_NUMBERED = re.compile(r"\s*\(?\d{1,3}[.)]")
_NUMBER_OF_TITLE = re.compile(
    r"(?:(?:step|schritt|stage|tip|tipp|way)\s+#?(?P<named>\d{1,2})\b\s*[.:)–-]*\s*"
    r"|\(?(?P<plain>\d{1,2})[.)]\s+)(?=\S)",
    re.I,
)
"""What counts a heading among its like: "2. Peel the seeds", "Step 2: Peel"."""
_HOW_TO = re.compile(r"\bhow to\b|\bso (?:geht|wird)\b|\bwie (?:man|du|sie)\b", re.I)
_ASKS_STEPS = re.compile(r"\b(?:steps?|schritte?n?)\b", re.I)
_FOLLOWING = re.compile(r"\b(?:following|folgende\w?)\s((?:[\w-]+\s){0,3}[\w-]+)", re.I)
_FEWEST_TITLES = 2
_LONGEST_TITLE = 120  # characters
_DEEPEST = 99


@dataclass(slots=True)
class _List:
    """The items of one list, the headings above it from the outermost on, and the nearest one."""

    hit: int
    path: tuple[str, ...]
    title: Sentence | None
    is_first: bool  # below its heading
    items: list[Sentence]
    near: tuple[str, ...]  # the heading above, and that of the section where it is a bold line
    numbered: bool = False  # its items are headings that count


def section_quotes(question: str, hits: Sequence[Hit]) -> list[Quote]:
    """Return the lists that a question asks for by the heading above them, [] without such."""
    found = _steps(question, hits) if _asks_for_steps(question) else _things(question, hits)
    found = found or _contents(question, hits) or _tips(question, hits)
    if not found and (table := _table_of(question, hits)):
        return [table]
    quotes: list[Quote] = []
    for n, one in enumerate(found[:_MOST_LISTS]):
        again = n > 0 and one.title is not None and one.title == found[n - 1].title
        leads = () if one.title is None or again else (one.title,)
        kept = one.items[:MOST_ITEMS]
        candidate = Candidate(one.hit, one.items[0], under=one.path[-1] if one.path else "")
        more = len(one.items) - len(kept)
        numbered = one.numbered or (asks_how(question) and len(found) == 1)
        quotes.append(Quote(candidate, "list", (*leads, *kept), len(leads), more, steps=numbered))
    return quotes


def asks_for_section(question: str) -> bool:
    """Return whether what stands below a heading or what leads in may be asked for whole.

    >>> [asks_for_section(one) for one in ("what are the steps?", "which lamps are lit?", "why?")]
    [True, True, False]
    """
    return _asks_for_steps(question) or _THINGS.search(question) is not None


def _asks_for_steps(question: str) -> bool:
    return asks_how(question) or _ASKS_STEPS.search(question) is not None


def section_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a stretch of a page widened to headings that count or are led in, and to tables.

    So it is where it has a part of them, or the sentence that leads in.
    """
    pieces = split_sentences(text)
    for one in _titles(pieces, text, 0, (), 0):
        first = one.title.start if one.title else one.items[0].start
        if first < end and start < one.items[-1].end:
            start, end = min(start, first), max(end, one.items[-1].end)
    for n, lead in enumerate(pieces):
        items = list(_labelled(pieces[n + 1 :], text, 0)) if _FOLLOWING.search(lead.text) else []
        if len(items) >= _FEWEST_TITLES and lead.start < end and start < items[-1].end:
            start, end = min(start, lead.start), max(end, items[-1].end)
    return table_around(text, start, end)


def _things(question: str, hits: Sequence[Hit]) -> list[_List]:
    """The lists below a heading that says just what is asked for: "Ingredients"."""
    asked = _THINGS.search(question)
    if asked is None:
        return []
    things = _titled(_named_things(asked))
    named = _titles_asked_for(question, hits) if asked["listed"] else ()
    things = max(named, key=len, default=things)
    if not things:
        return []  # "what does it mean"
    rest = set(content_keys(question)) - set(content_keys(_named_things(asked))) - things - _LIGHT
    if found := _below_heading(things, rest, hits):
        return found
    if asked["for_it"]:
        return _needed(things, hits)
    return _named_in_a_lead(things, hits) or _counted_below(question, things, hits)


def _needed(things: set[str], hits: Sequence[Hit]) -> list[_List]:
    """What something needs: below a heading with its name, else below "Ingredients"."""
    titles = (title for at, hit in enumerate(hits) for one in _lists(hit, at) for title in one.near)
    keys = (set(content_keys(title)) for title in titles)
    called = min((one for one in keys if things < one), key=len, default=set[str]())
    found = _below_heading(called, set(), hits) if called and len(things) > 1 else []
    return found or next(filter(None, (_below_heading({one}, things, hits) for one in _NEEDED)), [])


def _below_heading(things: set[str], rest: set[str], hits: Sequence[Hit]) -> list[_List]:
    """The lists below a heading of `things` in what has most of the `rest` of a question."""
    best: tuple[float, list[_List]] = 0.0, []
    for at, hit in enumerate(hits):
        below = (one for one in _lists(hit, at) if _depth(one.path, things) is not None)
        lists = [one for one in below if one.is_first]  # numbers below the ingredients are steps
        said = set(content_keys(" . ".join((_called(hit), *_words(lists)))))
        shared = len(rest & said) / len(rest) if rest else 1.0
        if lists and shared >= _LEAST_SHARED and shared > best[0]:
            best = shared, lists
    fits = [_fit(one.path, things, rest) for one in best[1]]
    return [one for one, fit in zip(best[1], fits, strict=True) if fit == max(fits)]


def _fit(path: Sequence[str], things: set[str], rest: set[str]) -> tuple[int, int, int]:
    """How well the headings below and right above the one that is asked for are named.

    Of "Lamp" and "Lamp Pro" the first is meant by "cons of the lamp".
    """
    depth = _depth(path, things) or 0
    below = set(content_keys(" . ".join(path[depth + 1 :])))
    above = set(content_keys(" . ".join(path[max(0, depth - 1) : depth])))
    named = len(above & rest)
    return len(below & rest), named, -len(above - rest) if named else 0


def _named_things(asked: re.Match[str]) -> str:
    return next(filter(None, asked.groups()), "")


def _tips(question: str, hits: Sequence[Hit]) -> list[_List]:
    """The list below the heading "What to look for when buying" of what is asked about."""
    asked = set(content_keys(question)) - _MINDING
    if not asked or not asks_for_tips(question):
        return []
    for at, hit in enumerate(hits):
        for one in _lists(hit, at):
            title = one.near[-1] if one.near else ""
            named = set(content_keys(title)) & asked
            said = set(content_keys(_called(hit))) | named
            if _TIPS.search(title) and named and asked <= said and len(one.items) > 1:
                return [one]
    return []


def _contents(question: str, hits: Sequence[Hit]) -> list[_List]:
    """The list below the heading of what is asked to be told whole: "what is in the box"."""
    asked = set(content_keys(question)) if _CONTENTS_OF.match(question) else set()
    for at, hit in enumerate(hits):
        for one in _lists(hit, at):
            named = set(content_keys(without_number(one.near[-1]))) if one.near else set()
            if asked and named == asked and one.is_first and len(one.items) > 1:
                return [one]
    return []


def _named_in_a_lead(things: set[str], hits: Sequence[Hit]) -> list[_List]:
    """What a sentence leads in by name and headings tell, each with its sentence.

    "It defines the following flags." over "FLAG_A", "Lights the lamp.", "FLAG_B", ... Which of its
    kind they are ("flag constants") may stand in their names alone.
    """
    for at, hit in enumerate(hits):
        text, base = passage_of(hit)
        split = split_sentences(text, code=hit.chunk.kind is ChunkKind.CODE, offset=base)
        for n, lead in enumerate(split):
            said = _FOLLOWING.search(lead.text)
            kind = things & set(content_keys(said[1])) if said else set()
            if not kind:
                continue
            items = list(_labelled(split[n + 1 :], text, base))
            names = [set(content_keys(" ".join(name_parts(one.text.split()[0])))) for one in items]
            if len(items) >= _FEWEST_TITLES and all(things - kind <= keys for keys in names):
                return [_List(at, hit.chunk.headings, lead, True, items, hit.chunk.headings[-1:])]
    return []


def _labelled(pieces: Sequence[Sentence], text: str, base: int) -> Iterator[Sentence]:
    """The headings that follow, each with the sentence below it, up to the next that leads in.

    Where the first is the name of a function or a constant, all are.
    """
    of_program = bool(pieces) and bool(name_of(pieces[0].text))
    for name, said in pairwise(pieces):
        if _FOLLOWING.search(name.text):
            return
        if name.kind is SentenceKind.HEADING and of_program and not name_of(name.text):
            return
        if name.kind is SentenceKind.HEADING and said.kind is SentenceKind.PROSE:
            start, end = name.start, said.end
            yield Sentence(start, end, text[start - base : end - base])
        elif name.kind is SentenceKind.HEADING:
            return


def _counted_below(question: str, things: set[str], hits: Sequence[Hit]) -> list[_List]:
    """The headings that count below one, or in a document, that names what is asked for."""
    asked = set(content_keys(question)) - _LIGHT
    for at, hit in enumerate(hits):
        for one in _titles_of(hit, at):
            called = set(content_keys(" . ".join((_called(hit), *one.path))))
            if things and things <= called and asked <= called:
                if one.title is not None and not things <= set(content_keys(one.title.text)):
                    one.title = None
                return [one]
    return []


def _table_of(question: str, hits: Sequence[Hit]) -> Quote | None:
    """The table whose first column is what a question asks for: "which methods are there"."""
    asked = _THINGS.search(question)
    things = set(content_keys(_named_things(asked))) if asked else set()
    wanted = set(content_keys(question)) - _LIGHT
    for at, hit in enumerate(hits):
        text, base = passage_of(hit)
        pieces = split_sentences(text, code=hit.chunk.kind is ChunkKind.CODE, offset=base)
        for n, (header, row) in enumerate(pairwise(pieces)):
            if row.kind is not SentenceKind.ROW or header_of(pieces, n + 1) != (header,):
                continue
            first = set(content_keys(label(header.text)))
            lead = " . ".join((_called(hit), *hit.chunk.headings, pieces[n - 1].text if n else ""))
            if first and first <= things and wanted <= first | set(content_keys(lead)):
                rows = list(takewhile(lambda one: one.kind is SentenceKind.ROW, pieces[n + 1 :]))
                candidate = Candidate(at, row, under=" ".join(hit.chunk.headings[-1:]))
                if names := listed_records(rows[1:]):
                    more = len(names[MOST_ITEMS:])
                    return Quote(candidate, "list", (header, *names[:MOST_ITEMS]), 1, more)
                return Quote(
                    candidate, "table", (header, *rows[:MOST_ROWS]), more=len(rows[MOST_ROWS:])
                )
    return None


def _titles_asked_for(question: str, hits: Sequence[Hit]) -> list[set[str]]:
    """The keys of headings of several words that a question names whole: "mobile only"."""
    asked = set(content_keys(question)) - _LIGHT
    titles = {title for at, hit in enumerate(hits) for one in _lists(hit, at) for title in one.near}
    named = (set(content_keys(title)) for title in titles if len(title.split()) > 1)
    return [keys for keys in named if keys and keys <= asked]


def _steps(question: str, hits: Sequence[Hit]) -> list[_List]:
    """The items below "Instructions" in what is called after all that the question names.

    A long section is cut into passages: all of one document's that were found, in its order.
    """
    asked = set(content_keys(question)) - _MAKING
    if titles := _steps_in_titles(asked, hits):
        return titles
    found: list[_List] = []
    for at, hit in enumerate(hits):
        if found and hit.document.id != hits[found[0].hit].document.id:
            continue
        for one in _lists(hit, at):
            called = set(content_keys(" . ".join((_called(hit), *one.path))))
            if not (asked and asked <= called and len(one.items) > 1):
                continue
            if any(_is_steps(title, hit.document.title) for title in one.near):
                if one.title is not None and not _is_steps(one.title.text, hit.document.title):
                    one.title = None
                found.append(one)
    found.sort(key=lambda one: (hits[one.hit].chunk.page_ordinal, one.items[0].start))
    return list(_without_overlaps(found, hits))


def _steps_in_titles(asked: set[str], hits: Sequence[Hit]) -> list[_List]:
    """The headings that count below one, or in a document, that says how to do what is asked."""
    found: list[_List] = []
    for at, hit in enumerate(hits):
        if found and hit.document.id != hits[found[0].hit].document.id:
            continue
        for one in _titles_of(hit, at):
            names = " . ".join((_called(hit), *one.path))
            called, first = set(content_keys(names)), hit.document.id == hits[0].document.id
            says_how = called & _STEPS or _HOW_TO.search(names)
            if (asked or first) and asked <= called and says_how:
                found.append(one)
    found.sort(key=lambda one: (hits[one.hit].chunk.page_ordinal, one.items[0].start))
    return list(_without_overlaps(found, hits))


def _titles_of(hit: Hit, at: int) -> list[_List]:
    text, base = passage_of(hit)
    split = split_sentences(text, code=hit.chunk.kind is ChunkKind.CODE, offset=base)
    return _titles(headed(split, hit.chunk.headings), text, base, _above(hit), at)


def _above(hit: Hit) -> tuple[str, ...]:
    """The headings above a passage; where it was widened back, others may stand above it now."""
    headings = hit.chunk.headings
    return headings if passage_of(hit)[1] >= hit.chunk.start else headings[:1]


def _titles(
    pieces: Sequence[Sentence], text: str, base: int, above: Sequence[str], at: int
) -> list[_List]:
    """The runs of headings that count from 1 on at one level; questions are no steps."""
    over: list[tuple[int, str, Sentence | None]] = [
        (n, name, None) for n, name in enumerate(above, 1)
    ]
    found: list[_List] = []
    depth, last = 0, -1
    for n, piece in enumerate(pieces):
        line = _line_of(piece, text, base)
        plain = piece.kind is SentenceKind.PROSE and _is_plain_title(line, pieces, n)
        if piece.kind is not SentenceKind.HEADING and not plain:
            continue
        level = _level(piece, text, base)
        counted = _NUMBER_OF_TITLE.match(line)
        if counted is None:
            over = [one for one in over if one[0] < level and one[1] != piece.text]
            over.append((level, piece.text, piece))
            last = -1 if level <= depth and level != _DEEPEST else last
            continue
        number = int(counted["named"] or counted["plain"])
        start = piece.end - len(line) + counted.end()
        item = Sentence(start, piece.end, line[counted.end() :], piece.kind)
        if number == 1:
            over = [one for one in over if one[0] <= level]
            names = tuple(name for _, name, _ in over)
            title = over[-1][2] if over else None
            found.append(_List(at, names, title, True, [item], names[-1:], numbered=True))
            depth, last = level, 1
        elif number == last + 1 and level == depth:
            found[-1].items.append(item)
            last = number
        else:
            last = -1
    told = (one for one in found if not any(item.text.endswith("?") for item in one.items))
    return [one for one in told if len(one.items) >= _FEWEST_TITLES]


def _line_of(piece: Sentence, text: str, base: int) -> str:
    """The line of a piece up to its end, from its number on; hashes are left out."""
    first, last = piece.start - base, piece.end - base
    start = text.rfind("\n", 0, first) + 1
    hashes = _HASHES.match(text, start, last)
    return text[hashes.end() if hashes else start : last]


def _is_plain_title(line: str, pieces: Sequence[Sentence], at: int) -> bool:
    """Whether a line that counts is a title in plain text: what follows it does not count."""
    short = len(line) <= _LONGEST_TITLE and line[-1:] not in ".!?:;,"
    if not short or _NUMBER_OF_TITLE.match(line) is None:
        return False
    after = pieces[at + 1] if at + 1 < len(pieces) else None  # a passage is widened up to the last
    return after is None or (after.kind is SentenceKind.PROSE and len(after.text) > len(line))


def _is_steps(title: str, called: str) -> bool:
    """Whether a heading says that steps stand below it, and of what the document is called after.

    "Decanting wine: instructions and tips" in "Decanting wine".
    """
    named = set(content_keys(title))
    return not named.isdisjoint(_STEPS) and named <= _STEPS | _MINDING | set(content_keys(called))


def _without_overlaps(lists: Sequence[_List], hits: Sequence[Hit]) -> Iterator[_List]:
    """The lists, without items of a page that one before has: passages overlap."""
    page, end = -1, -1
    for one in lists:
        if (ordinal := hits[one.hit].chunk.page_ordinal) != page:
            page, end = ordinal, -1
        one.items = [item for item in one.items if item.start >= end]
        if one.items:
            end = one.items[-1].end
            yield one


def _called(hit: Hit) -> str:
    return " . ".join((hit.document.title, hit.document.label, *hit.chunk.headings[:1]))


def _words(lists: Sequence[_List]) -> Iterator[str]:
    for one in lists:
        yield from one.path
        yield from (item.text for item in one.items)


def _depth(path: Sequence[str], things: set[str]) -> int | None:
    """Where in a path of headings the one stands that says just this, None without it."""
    named = map(_titled, path)
    return next((n for n, keys in enumerate(named) if things in (keys, keys - _ON_A_LIST)), None)


def _titled(title: str) -> set[str]:
    """The keys of a heading, the same for headings that say the same: "Cons", "Drawbacks"."""
    kinds = (keys for pattern, keys in _KINDS if pattern.fullmatch(title))
    return set(next(kinds, None) or content_keys(title))


def _lists(hit: Hit, at: int) -> list[_List]:
    """The lists of a passage, each with the headings that it stands under."""
    text, base = passage_of(hit)
    split = split_sentences(text, code=hit.chunk.kind is ChunkKind.CODE, offset=base)
    path = [(level, title) for level, title in enumerate(_above(hit), 1)]
    found: list[_List] = []
    title: Sentence | None = None
    open_: list[Sentence] = []

    def close() -> None:
        names = tuple(name for _, name in path)
        near = names[-2:] if path and path[-1][0] == _DEEPEST else names[-1:]
        for n, items in enumerate(_runs(open_, text, base)):
            found.append(_List(at, names, title, n == 0, items, near))
        open_.clear()

    for piece in headed(split, hit.chunk.headings):
        if piece.kind is not SentenceKind.HEADING:
            open_.append(piece)
            continue
        close()
        title = piece
        above = [name for _, name in path]
        level = above.index(piece.text) + 1 if piece.text in above else _level(piece, text, base)
        path = [one for one in path if one[0] < level and one[1] != piece.text]
        path.append((level, piece.text))
    close()
    return found


def _level(heading: Sentence, text: str, base: int) -> int:
    """How deep a heading stands by its hashes; without them below all others."""
    start = heading.start - base
    hashes = _HASHES.fullmatch(text, text.rfind("\n", 0, start) + 1, start)
    return len(hashes[1]) if hashes else _DEEPEST


def _runs(pieces: Sequence[Sentence], text: str, base: int) -> Iterator[list[Sentence]]:
    """The lists among the pieces below one heading: bullets and numbers are not one list."""
    at = 0
    while at < len(pieces):
        if not is_item(text, base, pieces[at]):
            at += 1
            continue
        numbered = _is_numbered(pieces[at], text, base)
        stop = at + 1
        while stop < len(pieces) and (
            not is_item(text, base, pieces[stop])
            or _is_numbered(pieces[stop], text, base) == numbered
        ):
            stop += 1
        items = items_of(pieces[at:stop], text, base)
        end = items[-1].end
        if said := [item for item in items if _WORD.search(item.text)]:  # a number may be an item
            yield said
        at = next((n for n in range(at + 1, len(pieces)) if pieces[n].start >= end), len(pieces))


def _is_numbered(piece: Sentence, text: str, base: int) -> bool:
    start = piece.start - base
    return _NUMBERED.match(text, text.rfind("\n", 0, start) + 1, start) is not None
