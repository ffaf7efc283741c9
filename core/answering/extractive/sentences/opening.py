"""Which sentence opens the answer: of the wanted kind, or what shows more than it says (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.answering.extractive.question.answer_types import (
    STRICT,
    Wanted,
    asked_keys,
    contact,
    countable,
    says_price,
    states,
    wanted,
)
from core.answering.extractive.question.happenings import names_happening
from core.answering.extractive.question.kinds import (
    asks_for_list,
    asks_for_tips,
    asks_how,
    asks_yes_or_no,
    questions_of,
)
from core.answering.extractive.question.measures import COUNT, DURATION, FREQUENCY, counts, measure
from core.answering.extractive.sentences.candidates import (
    Candidate,
    code_below,
    is_sentence,
    runs_on,
)
from core.answering.extractive.sentences.quotable import without_number
from core.answering.extractive.sentences.scoring import continues, says_what_it_is
from core.answering.extractive.spans import BEGINS, ENDS, YEAR
from core.answering.extractive.structures.lists import leads_in
from core.answering.extractive.structures.quotes import leads_to_more, steps_title
from core.answering.extractive.structures.tables import cells, has_column, label
from core.planning.paraphrases import beside, formal_words
from core.text.acronyms import short_form_asked, spelled_out
from core.text.sentences import SentenceKind
from core.text.signatures import is_signature
from core.text.terms import content_keys, terms
from core.text.word_lists import MONTHS
from core.types import Hit

TYPE_MARGIN = 4.0
"""How much worse the opening may be where only it holds a date, an amount, a person, a count."""
NAME_MARGIN = 2.0
"""The same where only it names something and one of a kind is asked for: "which engine"."""
PRICE_MARGIN = 6.0
"""The same where only it says what something costs, or how dear it is."""
CELL_MARGIN = 8.0
"""The same where only it is the row, and has the column, that the question names."""
LIST_MARGIN = 1.5
"""The same where it leads into the list that is asked for."""
OWN_WORDS = 8.0
"""What the words of one question of several count for the sentence that answers it."""
_IN_WORDS = frozenset({Wanted.DEFINITION, Wanted.PERSON, Wanted.PLACE, Wanted.REASON})
_YEAR_ASKED = re.compile(
    r"(?:\b(?:in|for|during|im|für|en|nel|em) (?:(?:the )?year |jahre? )?"
    r"|(?<!from )(?<!since )(?<!after )(?<!before )(?<!until )(?<!till )(?<!to )(?<!and )(?<!seit )"
    r"(?<!nach )(?<!vor )(?<!bis )(?<!und )\b(?=\d{4}\W*$))((?:19|20)\d\d)\b",
    re.I,
)
_LIGHT = frozenset(content_keys("got get make made show give list tell total number amount value"))
"""Words of a question that name nothing by themselves: "have they got", "show me"."""
_WHAT_IS_THE = re.compile(
    r"\W*(?:(?:and|so|ok),? )*(?:what|which)(?:['’]?s| is| are| was| were) (?:the|your|their|its"
    r"|our|his|her)\b",
    re.I,
)
_WHICH = re.compile(  # one thing of a kind: "which engine", not "what is" nor "which engines"
    r"\W*(?:(?:and|so|ok|und),? )*(?:which|what|welche[mnrs]?) "
    r"(?!(?:are|were|do|did|if|can)\b)\w+(?<!s)\b",
    re.I,
)
_VERBS = (
    "(?:is|are)", "(?:was|were)", "(?:can|could|may)", "must", "(?:does|do|did)", "(?:has|have)",
    "will", "should", "(?:ist|sind)", "(?:kann|können)", "darf", "muss", "(?:wird|werden)",
    "(?:hat|haben)",
)  # fmt: skip
"""What a question begins with that yes or no answers."""
_DENIES = re.compile(r"\b(?:not|never|nicht|nie|kein\w{0,2}|without|ohne)\b|n['’]t\b", re.I)
_WHAT_IS = re.compile(r"(?:what|was) (?:is|are|ist|sind)\b", re.I)
_IS_ONE = re.compile(
    r"\b(?:is|are|was|were|means?|ist|sind|war|waren|refers? to|called?)\s(?:\w+ly\s)?"
    r"(?:an?|the|one|ein\w{0,2}|der|die|das)\b",
    re.I,
)
"""What says which kind of thing it is: "is a gas", not "is cheap"."""
_WHO_IS = re.compile(
    r"\W*(?:(?:and|so|ok|und),? )*(?:who(?:['’]?s| is| was)|wer (?:ist|war)) "
    r"(?!(?:the|an?|in|its?|their|his|her|our|your|der|die|das|eine?)\b)\w+ \w+\W*$",
    re.I,
)
"""Who somebody is that is called by name."""
_MORE = re.compile(
    r"\b(?:more|further|additional|weitere\w?)\b(?! than\b| als\b)(?: ([\w-]+))?", re.I
)
_IF = re.compile(r"\b(?:if|unless|falls|sofern)\b", re.I)
_WO = re.compile(r"\b(?:wo|woher|wohin)\b", re.I)
_IS_TIME = re.compile(rf"(?:{'|'.join(MONTHS)}|\w+(?:day|tag)s?)\b", re.I)
_PLACED = re.compile(
    r"\b(?:[Ii]n|[Aa]t|[Nn]ear|[Oo]n|[Ff]rom|[Tt]o|[Bb]ei|[Nn]ahe|[Aa]us|[Nn]ach)"
    r"(?: (?:the|a|an|der|den))?(?: (?:journal|magazine|newspaper|city|town|village|county|district"
    r"|port)(?: of)?)? ([^\W\d_a-zß-ÿ][\w'’-]+(?: [^\W\d_a-zß-ÿ][\w'’-]+)*)"
    r"|\b(?i:addresse?|adresse|located|headquarters?|sitz):? (\S+)"
)
_NAME_WORDS = 3
"""Words of the name of a thing: more ask for something of it."""
PLACE_MARGIN = 3.0
"""How much worse the opening may be where only it has a place: in German, which no reader reads,
and after what was carried over."""
VERB_MARGIN = 2.0
"""The same where only it has the verb that is asked for."""
_WHO_IS_THE = re.compile(
    r"\W*(?:who(?:['’]s| is| are| was)|wer (?:ist|war)) (?:(?:the|der|die|das) )?"
    r"(?P<office>\w+)\W*$",
    re.I,
)
_AHEAD = re.compile(
    r"\s*(?:in advance|ahead|beforehand|earlier|before|ago|prior|im voraus|vorher|zuvor)\b", re.I
)
_STUDY = r"(?:study|trial|paper|work|research|review|analysis|survey|article|experiments?)"
_LOOKS = (
    r"(?:examine[sd]?|investigate[sd]?|explore[sd]?|assess(?:es|ed)?|evaluate[sd]?|test(?:s|ed)?)"
)
_AIM = re.compile(
    r"^\W*(?:(?:objectives?|aims?|purpose|ziele?):?\s+)?to (?:determine|assess|evaluate"
    r"|investigate|examine|compare|explore|estimate|study|find out|test|see)\b[^,]*$"
    rf"|\b(?:aims?|objectives?|purpose|goal) (?:of (?:this|the|our) (?:\w+ ){{0,2}}?{_STUDY} )?"
    r"(?:was|were|is)\b.*\bto\b"
    rf"|\b(?:we|{_STUDY}|authors?) (?:\w+ )?(?:aim(?:s|ed)?|s[eo]ught|set out|wanted) to\b"
    rf"|\b(?:we|(?:this|the|our) {_STUDY}) {_LOOKS} (?:whether|if|how)\b"
    r"|\bziele? (?:der|dieser|des|unserer) (?:\w+ )?(?:studie|untersuchung|arbeit|analyse|umfrage"
    r"|forschung)\w* (?:ist|war|sind|waren)\b"
    r"|\b(?:wurde|wird|werden|sollte) (?:\w+ ){0,4}(?:untersucht|geprüft|geklärt|ermittelt),"
    r" (?:ob|wie|inwieweit)\b",
    re.I,
)
_TIPS = re.compile(
    r"\b(?:tips|advice|steps|ways|methods|things|tipps|hinweise|schritte|möglichkeiten)\b", re.I
)
"""What leads into a list of how something is done."""
_AIM_ASKED = re.compile(
    r"\b(?:aims?|objectives?|purpose|goals?|why|find out|wanted|trying|try|studied|study"
    r"|investigat\w+|examin\w+|ziele?|zweck|warum|untersuch\w*|herausfinden)\b",
    re.I,
)
_BEFOREHAND = re.compile(
    r"(?:background|objectives?|aims?|purpose|hintergrund|ziel(?:e|setzung)?)\W*$", re.I
)
_FOUND = re.compile(
    r"(?:(?:main )?(?:results?|findings?|conclusions?|interpretation)|ergebnisse?|fazit"
    r"|schlussfolgerung(?:en)?)\W*$",
    re.I,
)
"""The headings of an abstract before and behind what was found."""
AIM_MARGIN = 4.0
"""How much worse what was found may be than what was to be found out."""
_BRACKETED = re.compile(r"\s\([^()]*\)")
_QUESTION_SIGN = re.compile(r"(?:q|f|question|frage)\s?\d*\s?[:.)]\s+", re.I)
_BY_THAT = re.compile(
    r"(?:this|these|that|those|doing (?:so|this|that)|dies|das|so|dazu|damit|dadurch|in this way"
    r"|this way|thus)\s(?:also\s)?(?:will|can|may|k[öo]nnten?|w[äa]ren?"
    r"|should|helps?|prevents?|keeps?|makes?|allows?|stops?|ensures?|avoids?|wird|kann|hilft|verhindert)\b",
    re.I,
)
"""What opens a sentence about the effect of what the one before it says."""
_NAME_FIELD = re.compile(r"(?:^|[:\n] ?)(?:\w+ )?names?:\s", re.I)
"""The line of a form that holds a name."""


def means_before(
    best: tuple[Candidate, float], order: Sequence[tuple[Candidate, float]]
) -> tuple[Candidate, float] | None:
    """The sentence before one that only says what that leads to: "Dry them. This keeps them"."""
    one = best[0]
    if not _BY_THAT.match(one.sentence.text):
        return None
    return next(
        (
            other
            for other in order
            if other[0].hit == one.hit and other[0].sentence.text == one.before
        ),
        None,
    )


def cell_asked_for(
    part: str, order: Sequence[tuple[Candidate, float]], best: float, hits: Sequence[Hit]
) -> tuple[Candidate, float] | None:
    """The row whose label and whose column the question names: "revenue in 2015"; None without.

    What else is asked for must stand in what its document or its section is called. Of several the
    first of the document: the whole comes before its parts.
    """
    asked = set(content_keys(part))
    found: list[tuple[Candidate, float]] = []
    for one, score in order:
        if score < best - CELL_MARGIN:
            break
        row = one.sentence.text
        fits = one.sentence.kind is SentenceKind.ROW and has_column(part, one.above, row)
        named = set(content_keys(label(row))) if fits else set()
        if not named or not named <= asked:
            continue
        hit = hits[one.hit]
        called = (hit.document.title, hit.document.label, *hit.chunk.headings, one.under)
        if asked - _LIGHT <= named | set(content_keys(" ".join((one.before, *called)))):
            found.append((one, score))
    same = (
        one for one in found if hits[one[0].hit].document.id == hits[found[0][0].hit].document.id
    )
    return min(same, key=lambda one: _place(one[0], hits), default=None)


def _place(candidate: Candidate, hits: Sequence[Hit]) -> tuple[int, int]:
    return hits[candidate.hit].chunk.page_ordinal, candidate.sentence.start


def is_row_asked_for(question: str, candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the row of a table whose label the question names, and no words are wanted."""
    if candidate.sentence.kind is not SentenceKind.ROW or wanted(question) in _IN_WORDS:
        return False
    named = set(content_keys(label(candidate.sentence.text)))
    return bool(named) and named <= asked


def _is_its_row(part: str, candidate: Candidate) -> bool:
    """Whether it is the row of a table that is called just what is asked for: "the fees"."""
    if candidate.sentence.kind is not SentenceKind.ROW or not _WHAT_IS_THE.match(part):
        return False
    named = set(content_keys(label(candidate.sentence.text)))
    return bool(named) and named == set(content_keys(part)) - _LIGHT


def opening(
    part: str,
    question: str,
    order: Sequence[tuple[Candidate, float]],
    chosen: Sequence[tuple[Candidate, float]],
    *,
    alone: bool,
) -> tuple[Candidate, float] | None:
    """The sentence that answers one part best, of the wanted type where one is there."""
    ranked = sorted(of_its_year(question, order), key=lambda one: runs_on(one[0]))
    ranked = _findings_first(question, ranked)
    if alone and (below := [one for one in ranked if asks_just_this(one[0].under, part)]):
        ranked = below
        if wanted(part) not in STRICT:
            ranked.sort(key=lambda one: not one[0].opens)
    top = max(score for _, score in ranked)
    kind = wanted(part)
    asked = set(content_keys(question))
    rows = (one for one in ranked if one[1] >= top - TYPE_MARGIN and _is_its_row(part, one[0]))
    if alone and (row := next(rows, None)):
        return row
    if not alone:
        rest = [other for other in questions_of(question) if other != part]
        others = set(content_keys(" . ".join(rest)))
        own = set(content_keys(part)) - others or set(content_keys(part))
        ranked.sort(
            key=lambda one: -one[1] - OWN_WORDS * (_covered(own, one[0]) - _covered(others, one[0]))
        )
        top = ranked[0][1]
    near = [one for one in ranked if one[1] >= top - TYPE_MARGIN]
    short, long = short_form_asked(part)
    written = [one for one in ranked if short and spelled_out(one[0].sentence.text, short)]
    about = [one for one in near if _WHO_IS.match(part) and _is_its_subject(one[0], asked)]
    if shape := contact(part):
        near = [one for one in ranked if shape.search(one[0].sentence.text)]
    elif kind is Wanted.DEFINITION or about:
        defined = asked_keys(part)
        near = [one for one in near if says_what_it_is(one[0].sentence.text, defined)]
        kinds = [one for one in near if _IS_ONE.search(one[0].sentence.text)]
        close = [one for one in ranked if one[1] >= top - CELL_MARGIN and is_sentence(one[0])]
        asks = [
            one for one in close if one[1] >= top - TYPE_MARGIN and _asks_the_same(one[0], defined)
        ]
        entry = [one for one in close if _is_entry(one[0], defined)]
        section = [one for one in close if _is_its_section(one[0], defined)]
        near = asks or entry or kinds or section or about or near
    elif alone and kind is Wanted.OTHER and _WHICH.match(part):
        near = [
            one
            for one in ranked
            if (one[1] >= top - CELL_MARGIN and _has_such_cell(one[0], asked))
            or (one[1] >= top - NAME_MARGIN and _names_one(one[0], asked))
        ]
    elif alone and asks_yes_or_no(part) and not _decides(part, ranked[0][0]):
        named = names_happening(question)[0] or asked  # "use" need not be said
        near = [one for one in near if named <= _keys(one[0]) and _decides(part, one[0])]
    elif alone and kind is Wanted.PLACE and (_WO.search(part) or _BRACKETED.search(part)):
        near = [
            one
            for one in ranked
            if one[1] >= top - PLACE_MARGIN and _says_where(one[0].sentence.text, asked)
        ]
    else:
        near = [
            one
            for one in near
            if kind in STRICT and states(kind, countable(part, _told(one[0])), asked)
        ]
        if kind is Wanted.TIME and not _IF.search(part):
            near.sort(key=lambda one: _only_if(_told(one[0])))
        near = _of_its_verb(part, near)
        if kind is Wanted.PERSON:
            near.sort(
                key=lambda one: not (_NAME_FIELD.search(_told(one[0])) or _is_field(one[0], asked))
            )
    if alone and (kind in STRICT or kind is Wanted.PLACE) and _BRACKETED.search(part):
        # Any date is one, also of what was not carried over.
        plain = _BRACKETED.sub("", part)
        typed = set(content_keys(beside(plain, formal_words(plain)))) | names_happening(plain)[1]
        near.sort(key=lambda one: (not _has_any(typed, one[0]), not _speaks_of(asked, one[0])))
    priced = [one for one in ranked if says_price(part, one[0].sentence.text)]
    near = [one for one in priced if one[1] >= top - PRICE_MARGIN] or near
    if shape := measure(part):
        close = (
            near if shape is DURATION else [one for one in ranked if one[1] >= top - CELL_MARGIN]
        )
        said = [one for one in close if shape.search(one[0].sentence.text)]
        said.sort(key=lambda one: shape is DURATION and _is_ahead(one[0].sentence.text))
        near = said or ([] if shape is FREQUENCY else near)
    elif counts(part):
        near.sort(key=lambda one: COUNT.search(_told(one[0])) is None)
        if not _MORE.search(part):
            near.sort(key=lambda one: _came_on_top(_told(one[0]), asked))
    if near or written:
        return [*written, *near][0] if long else [*near, *written][0]
    return ranked[0] if alone or ranked[0] not in chosen else None


def _of_its_verb(part: str, near: list[tuple[Candidate, float]]) -> list[tuple[Candidate, float]]:
    """What is near, first what says itself that something begins or ends, where that is asked for.

    To "who is the X" it is what says "X is", to "the X" of somebody else it only belongs.
    """
    said = next((verb for verb in (BEGINS, ENDS) if verb.search(part)), None)
    who = _WHO_IS_THE.match(part)
    if who:
        noun = re.escape(who["office"])
        said = re.compile(
            rf"\b{noun} (?:is|are|was|ist|war|:)|\b(?:is|ist|war|was) (?:the |der |die )?{noun}\b",
            re.I,
        )
    if said is None or not near:
        return near
    close = near[0][1] - VERB_MARGIN
    return sorted(near, key=lambda one: one[1] < close or not said.search(one[0].sentence.text))


def _came_on_top(text: str, asked: set[str]) -> bool:
    """Whether a text counts more of what is asked for, and not all: "two more caps"."""
    return any(asked & set(content_keys(found[1] or "")) for found in _MORE.finditer(text))


def _is_ahead(text: str) -> bool:
    """Whether a text only says how long before something: "three weeks in advance"."""
    spans = [found.end() for found in DURATION.finditer(text)]
    return bool(spans) and all(_AHEAD.match(text, end) for end in spans)


def _findings_first(
    question: str, ranked: list[tuple[Candidate, float]]
) -> list[tuple[Candidate, float]]:
    """The candidates, what only says that something was to be found out behind what is near.

    "The aim was to see whether X helps" does not say whether it does. Who asks for the aim gets it.
    """
    if not ranked or _AIM_ASKED.search(question):
        return ranked
    first, top = ranked[0]
    near = [one for one in ranked if one[1] >= top - AIM_MARGIN and not _is_of_aims(one[0])]
    if _BEFOREHAND.match(first.under):
        near = [one for one in near if _FOUND.match(one[0].under)]
    if not near or not _is_of_aims(first):
        return ranked
    return [*near, *(one for one in ranked if one not in near)]


def _is_of_aims(candidate: Candidate) -> bool:
    """Whether it is told before anything was found: by what it says, or by its heading."""
    return says_aim(candidate.sentence.text) or _BEFOREHAND.match(candidate.under) is not None


def says_aim(text: str) -> bool:
    """Return whether a sentence says what a study was to find out, and not what it found.

    >>> says_aim("To determine whether tea helps."), says_aim("Tea helps to determine the hour.")
    (True, False)
    """
    return _AIM.search(text) is not None


def asks_just_this(heading: str, part: str) -> bool:
    """Whether a heading is the question itself, as in a list of frequent questions.

    >>> asks_just_this("Q3: Can I cancel my order?", "can i cancel my order")
    True
    >>> asks_just_this("Cancelling", "can i cancel"), asks_just_this("When may I?", "may i?")
    (False, False)
    """
    plain = _BRACKETED.sub("", part)
    asked = set(content_keys(plain))
    if not heading.endswith("?") or not asked or wanted(heading) is not wanted(plain):
        return False
    return asked == set(content_keys(_QUESTION_SIGN.sub("", without_number(heading))))


def _asks_the_same(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the first below a heading that asks the question: "What is a lens?"."""
    heading = candidate.under
    asks = candidate.opens and _WHAT_IS.match(heading) is not None
    return asks and bool(asked) and asked == set(content_keys(heading))


def _is_its_subject(candidate: Candidate, asked: set[str]) -> bool:
    """Whether a sentence begins with the name that is asked for: "Jo Reed runs the mill"."""
    first = [one for one in terms(candidate.sentence.text) if one.kind != "stop"][: len(asked) + 1]
    return bool(asked) and asked <= {one.key for one in first if one.form[0].isupper()}


def _only_if(text: str) -> bool:
    """Whether a sentence has no date but in what it says for a case: "if it fails by May 2022"."""
    case = _IF.search(text, 1)
    return case is not None and not states(Wanted.TIME, text[: case.start()], ())


def _is_its_section(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the first sentence below a heading that is just what is asked for: "Liens".

    Where nothing says what that is, its own section does.
    """
    titled = 0 < len(asked) <= _NAME_WORDS and asked == set(
        content_keys(without_number(candidate.under))
    )
    return candidate.opens and titled and not is_signature(candidate.under)


def _is_entry(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the entry of a glossary for just what is asked for: "Lien: a claim on land"."""
    term, sign, meaning = candidate.sentence.text.partition(": ")
    return bool(sign and asked) and set(content_keys(term)) == asked and " " in meaning.strip()


def _says_where(text: str, asked: set[str]) -> bool:
    """Whether a text has a place: "in Graz", "at the Old Mill", which the question lacks."""
    named = (found[1] or found[2] for found in _PLACED.finditer(text))
    return any(asked.isdisjoint(content_keys(name)) and not _IS_TIME.match(name) for name in named)


def only_lasts(candidate: Candidate) -> bool:
    """Whether it says how long, and not how often."""
    text = candidate.sentence.text
    return DURATION.search(text) is not None and FREQUENCY.search(text) is None


def _is_field(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the line of a form whose label is asked for: "Present: Jo Reed, Ann Bell"."""
    label, sign, _ = candidate.sentence.text.partition(": ")
    named = set(content_keys(label))
    return bool(sign and named) and named <= asked


def _told(candidate: Candidate) -> str:
    """What is told with a sentence: what leads in has its first line with it."""
    text = candidate.sentence.text
    return f"{text} {candidate.after}" if leads_in(text) else text


def _has_such_cell(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the row of a table of which one cell is what is asked for: "critical"."""
    if candidate.sentence.kind is not SentenceKind.ROW:
        return False
    said = (set(content_keys(cell)) for cell in cells(candidate.sentence.text)[1:])
    return any(keys and keys <= asked for keys in said)


def _names_one(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it has a name or a code that the question lacks: "which engine" wants one."""
    found = terms(candidate.sentence.text)
    return any(term.kind == "name" and term.key not in asked for term in found)


def shows_how(
    part: str,
    order: Sequence[tuple[Candidate, float]],
    best: float,
    candidates: Sequence[Candidate],
    hits: Sequence[Hit],
) -> tuple[Candidate, float] | None:
    """What shows more than it says: what leads into a list that is asked for, or to "how do I" the
    steps, what stands below the heading that names it, the sentence above an example. None where
    nothing near does.
    """
    listed, how = asks_for_list(part) or asks_for_tips(part), asks_how(part)
    if not listed and not how:
        return None
    near = [one for one in order if one[1] >= best - TYPE_MARGIN]
    steps = [one for one in near if how and steps_title(part, one[0], hits[one[0].hit])]
    if steps:  # carried words, in brackets, only tell apart what those typed do not
        typed, asked = set(content_keys(_BRACKETED.sub("", part))), set(content_keys(part))
        titles = [set(content_keys(steps_title(part, one, hits[one.hit]))) for one, _ in steps]
        shared = [(len(keys & typed), len(keys & asked)) for keys in titles]
        return steps[shared.index(max(shared))]
    section = [one for one in order if how and says_how(one[0].under, part, hits[one[0].hit])]
    if section:
        lists = (one for one in section if leads_to_more(part, one[0], hits[one[0].hit]))
        return next(lists, section[0])
    for one, score in order:
        leads = score >= best - LIST_MARGIN and leads_in(one.sentence.text)
        shows = leads and (listed or _TIPS.search(one.sentence.text))
        if shows and leads_to_more(part, one, hits[one.hit]):
            return one, score
        if not listed and leads and code_below(one, candidates):
            return one, score
    return None


def says_how(heading: str, part: str, hit: Hit) -> bool:
    """Whether a heading says what a question asks how to do, and hardly more: "Retiring".

    What the document is called need not stand in it.
    """
    named, asked = set(content_keys(without_number(heading))), set(content_keys(part))
    asked -= set(content_keys(hit.document.title)) - named
    return bool(asked) and asked <= named and len(named) <= len(asked) + 1


def of_its_side(
    question: str, order: Sequence[tuple[Candidate, float]]
) -> Sequence[tuple[Candidate, float]]:
    """Those that do not stand below the opposite of a heading that is asked for.

    Of "What we liked" and "What we did not like" one is meant.
    """
    asked = set(content_keys(question))
    titles = {one.under: frozenset(content_keys(one.under)) & asked for one, _ in order}
    denied = {title for title in titles if _DENIES.search(title)}
    both = {titles[title] for title in denied} & {titles[title] for title in titles.keys() - denied}
    against = _DENIES.search(question) is not None
    return [
        one
        for one in order
        if not titles[one[0].under]
        or titles[one[0].under] not in both
        or (one[0].under in denied) == against
    ]


def of_its_year(
    question: str, order: Sequence[tuple[Candidate, float]]
) -> Sequence[tuple[Candidate, float]]:
    """Those that can be about the year asked for: what names only later or earlier ones cannot."""
    found = _YEAR_ASKED.search(_BRACKETED.sub("", question))  # what was carried over is behind
    if found is None:
        return order
    return [one for one in order if _may_be_of(found[1], one[0].sentence.text)] or order


def _may_be_of(year: str, text: str) -> bool:
    named = YEAR.findall(text)
    return not named or min(named) <= year <= max(named)


def _has_any(keys: set[str], candidate: Candidate) -> bool:
    return not keys.isdisjoint(content_keys(candidate.sentence.text))


def _speaks_of(asked: set[str], candidate: Candidate) -> bool:
    """Whether it has a word of the question, or goes on with what stands before or above it."""
    text = candidate.sentence.text
    around = f"{candidate.before} . {text}" if continues(terms(text)) else text
    return not asked.isdisjoint(content_keys(f"{candidate.under} . {around}"))


def _decides(question: str, candidate: Candidate) -> bool:
    """Whether it has the verb of a question that yes or no answers, or a "not"."""
    text = candidate.sentence.text
    verb = next(
        (one for one in _VERBS if re.match(rf"\W*(?:and |so )?{one}\b", question, re.I)), ""
    )
    return bool(verb and re.search(rf"\b{verb}\b", text, re.I)) or _DENIES.search(text) is not None


def _keys(candidate: Candidate) -> set[str]:
    return set(content_keys(candidate.sentence.text))


def _covered(asked: set[str], candidate: Candidate) -> float:
    return len(asked & set(content_keys(candidate.sentence.text))) / max(1, len(asked))
