"""Questions that lean on the conversation, and how each reads when it is put whole (pure).

A pronoun points back unless its antecedent stands before it in the same message, and so does a verb
of a language that needs none ("Kdaj se je rodila?", `dropped_subject.py`). What it takes
over is the topic of the last question that was answered: the names in it that the answer's own
sources write as names, else its content words. "They" is nothing that is one: after "what is the
net debt?" it is whom the conversation named before, else the name in the document's title. A
question that names only what is new ("and in 2014?") takes the question before it with the like
part replaced; "the year before" is the one before that question's. Nothing is taken from a question
that was refused, and of an answer only the person that "he" or "she" needs, and its one year.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from core.planning.dropped_subject import drops_subject
from core.planning.numbered_questions import number_asked, with_number_of
from core.planning.routes import Route
from core.planning.table_questions import extreme_in
from core.text.languages import language_of
from core.text.terms import content_keys, fold, folded_words, terms
from core.text.word_lists import MONTHS
from core.types import Answer, Message

CARRIED_OVER = "words-carried-over"
"""The code of the notice on a question to which words of the conversation were added."""
_PERSON = frozenset("he she him his her hers himself herself er ihm ihn sein seine seinen".split())
_THING = folded_words(
    "it its they them their theirs there this these those seiner sie ihr ihre ihren es "
    "dies diese dieser dieses davon dazu dort dabei damit darin darüber il elle ils elles lui "
    "leur leurs cela celui celle ceux él ella ellos ellas su sus esto eso aquello allí ele ela "
    "isso questo questa quello quella loro он она оно они его её ее их это этот эта эти"
)
_POSSESSIVE = frozenset("its their his her seine seinen seiner sein ihr ihre ihren".split())
_OWNER = re.compile(
    r"\b(?:the|an?|der|die|das|eine?)\s+(?P<noun>[\w-]+)"
    r"|\b(?:do|did|can|have|are|will|must|should)\s+(?P<several>[^\W\d_]+s)\b",
    re.I,
)
"""What something can belong to: "the kiln", "do tilers"."""
_PLACE = frozenset("there here dort hier dorthin".split())
_MANY = frozenset("they them their theirs".split())
"""Pronouns of several, or of people: a thing that is one is never meant."""
_LOOSE = frozenset({"that", "one", "ones"})
"""Pronouns that are other words as well."""
_EMPTY = folded_words(
    "more else further example detail mean meant reason continue exactly again question okay "
    "ok yes thank thanks please pls know want need tell sure help information talk talking "
    "idea good thing anything something heard show list full all whats ppl"
)
"""Words that ask on, but name nothing."""
_HOW_MUCH = re.compile(
    r"\bhow (?:much|many)(?: (?:more|less|fewer|longer))?"
    r"(?: (?:days?|weeks?|months?|years?|hours?|minutes?|times|percent|euros?|dollars?|pounds?))?\b"
    r"|\bhow (?:often|long|far|come)\b"
    r"|\b(?:since|until|till) when\b|\bat (?:the )?(?:most|least)\b|\bwhat now\b"
    r"|\bwie (?:oft|lange|weit)\b|\b(?:seit|bis) wann\b|\bwas nun\b",
    re.I,
)
"""What only asks, and names nothing: "how often?"."""
_IMPERSONAL = re.compile(
    r"\b(?:is|was|does|did|will|would|can) it\b(?=.*\b(?:that|to|for)\b)"
    r"|\b(?:is|are|was|were|will|would|can|could) there\b|\bthere (?:is|are|was|were)\b"
    r"|\bil (?:y a|faut|est)\b|\bes gibt\b|\b(?:gibt|geht|ist) es\b",
    re.I,
)
_SINCE_WHEN = re.compile(r"\b(?:since|until|till|from|by|for) (?:when|what|how long)\b", re.I)
_ROMANCE = re.compile(r"¿|\b(?:el|la|los|las|cuál|qué|quién|dónde|est|sont|quel\w*)\b", re.I)
"""Of languages in which "es" is a verb."""
_BREAK = re.compile(
    r"[?.!,;:](?=\s)|\b(?:and|or|but|when|while|because|if|after|before|und|oder|aber|wenn|weil"
    r"|et|ou|y|o|и)\b",
    re.I,
)
"""Where a clause may end: what stands before it can be what a pronoun after it means."""
_DOING = re.compile(r"\b(?:i|you|we|he|she|it|they|ich|du|wir|er|sie|es)\s+\w+", re.I)
"""A pronoun and its verb: nothing that another pronoun could mean."""
_GENERAL = folded_words(
    "company firm business organisation organization city town village country state region "
    "place area building house person man woman author writer founder owner team group party "
    "club event war battle deal agreement contract transaction merger project programme "
    "program plan law act court case study paper article book report document text chapter "
    "section film movie song album game product model method approach algorithm system "
    "function module class list name title number amount price cost value date year result "
    "default version file table figure process problem solution idea word term rule song "
    "firma unternehmen stadt dorf land ort gebäude haus person mann frau autor buch bericht "
    "dokument text film spiel produkt modell methode funktion liste name zahl preis kosten "
    "jahr ergebnis vertrag gesetz krieg gruppe verein system verfahren"
)
"""Nouns so general that "the ..." with nothing more means one named before."""
_DEFINITE = re.compile(
    r"\b(?:the|der|die|das|den|dem|des)\s+([^\W\d_]+)\b(?!\s+(?:of|for|against|about|that|which|between|von|vom|zu|zum|zur|fürs?|gegen|über|zwischen)\b)",
    re.I,
)
_PREPOSITION = (
    "in|at|on|for|from|by|with|under|during|near|per|pro|im|am|bei|für|aus|mit|von|en|dans|à"
)
_PART_OF = re.compile(
    rf"\b(?:{_PREPOSITION}|of|about|to) (?:the|der|die|das|den|dem) [^\W\d_]+ "
    r"(?!(?:is|was|are|were|do|does|did|has|have|had|in|on|at|of|for|and|or|to|by)\b)[^\W\d_]+",
    re.I,
)
"""A noun behind a preposition with another behind it: "from the state lottery"."""
_DER = re.compile(
    r"^\W*(?:(?:und|aber|so|ok)\W+)*(?:was|wer|wie|wo|wann|warum|welche\w?|ist|sind|hat|kann|gibt)\b.*"
    r"\b(?:der|die|das|den|dem|denen)\W*$"
    r"|\b(?:kann|darf|muss|soll(?:te)?|könnte|will|möchte) (?:ich|man|wir|du) (?:den|die|das|der) "
    r"(?:(?:auch|noch|schon|vorher|selbst|selber|einfach|wieder|nochmal|sofort|später|jetzt|dann|hier"
    r"|online|nicht|vorzeitig|jederzeit) )*\w+(?:en|ern|eln|tun)\W*$"
    r"|\b(?:ist|sind|war|waren|wird|bleibt) (?:das|die|der) (?:\w+ )?"
    r"\w{3,}(?:ig|lich|isch|bar|sam|los|haft|iell|iv)\W*$"
    r"|\bha(?:t|ben) (?:das|die|den) (?:ge\w+t|(?:ent|ver|be|er|zer)\w+(?:t|en))\W*$",
    re.I,
)
"""A German question with an article for a pronoun: "was kostet der?", "ist das giftig?"."""
_MEASURE = re.compile(
    r"\b(?:how|wie) \w+(?= (?:is|are|was|were|do|does|did|can|will|ist|sind|war|waren|hat|kann|muss"
    r"|dauert)\b)",
    re.I,
)
"""What asks how much of something a thing is, and says nothing of the thing: "how tall was"."""
_ADDITIVE = re.compile(r"\b(?:too|as well|either|also|auch|ebenfalls|aussi|también)\W*$", re.I)
_NO_NOUN = re.compile(
    r"^\W*how many (?:did|do|does|have|has|had|are|were|was|of (?:them|these|those))\b"
    r"|^\W*wie viele (?:hat|haben|hatte|hatten|sind|waren|davon)\b|^\W*(?:what|und was) if\b",
    re.I,
)
_AND = re.compile(
    r"^\W*(?:(?:ok(?:ay)?|so|well|then|and|und|aber|but|et|y|or|oder|pa"
    r"|in(?= (?:leta|v|na|pri|iz|kaj)\b))\b[\s,]*)*"
    r"(?:(?:what|how) about|was ist mit|wie (?:ist|sieht) es mit|kaj pa|et pour|y)?\s*",
    re.I,
)
_ASKS = re.compile(
    r"(?:who|whom|whose|what|whats|which|why|how|w(?:er|en|em|as|ie|o|arum|ann|elche[mnrs]?"
    r"|ieviel\w*|oher)|qu\w+|où|comment|кто|что|как|kdo|koga|kaj|kdaj|kje|kako|koliko|zakaj|kater\w+)\b"
    r"|(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|must|ist|sind"
    r"|war|hat|haben|kann|wird|list|show|give|tell|name|explain|describe|find|nenne|zeige?)\b"
    r"|(?:when|where) (?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b",
    re.I,
)
_ATTRIBUTE = re.compile(
    rf"\W*(?:(?:ok|and|so|und)\W+)*(?:(?:at|in|on|with|for|from|to|bei|mit|auf|aus|zu) )?"
    rf"(?:what|which|welche[rsmn]?)"
    rf"(?: (?!(?:{_ASKS.pattern}))[^\W\d_]+){{0,2}} (?!(?:{_ASKS.pattern}))\w+[^\Ws]\W*",
    re.I,
)
"""A question without a verb: "what batch size" asks for one of what was spoken of."""
_ASKS_FOR = re.compile(
    r"(?:who|whom|whose|what|which|how|when|where|wie\w*|wem|wen|wann|was|welche\w*)\b", re.I
)
_ASKS_BEHIND = re.compile(rf"[,;:]\s*(?:{_ASKS.pattern})", re.I)
_YEAR = re.compile(r"\b(?:1[5-9]|20|21)\d\d\b")
_MONTH = re.compile(rf"\b(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b", re.I)
_NUMBER = re.compile(r"\b\d+(?:[.,]\d+)*\b")
_BEFORE = (
    r"(?:the|a|one) year (?:before|earlier|prior|previously)|(?:im|das) jahr (?:davor|zuvor)"
    r"|ein jahr (?:zuvor|davor|früher)|im vorjahr"
)
_AFTER = (
    r"(?:the|a|one) year (?:after|later|afterwards)|(?:im|das) jahr (?:danach|darauf)"
    r"|ein jahr (?:danach|später)"
)
_OTHER_YEAR = re.compile(
    rf"\b(?:(?:in|for|from) )?(?:(?P<before>{_BEFORE})|(?P<after>{_AFTER}))\b"
    # Not "the year before she died", which tells itself from what.
    r"(?! (?!(?:how|what|who|which|where|why|did|was|were|is)\b)[a-z]\w* \w)",
    re.I,
)
"""A year that is told from another one."""
_NEXT_YEAR = re.compile(
    r"\b(?:(?:in|for|from) )?(?:the )?(?:(?P<before>last|previous|prior|preceding)"
    r"|(?P<after>next|following)) year\b",
    re.I,
)
"""The same where the question is an ellipsis; else it may be told from today."""
_ARTICLE = re.compile(r"(?:the|a|an|der|die|das|den|dem|le|la|el) ", re.I)
_PHRASE = re.compile(rf"^(?P<preposition>{_PREPOSITION}|leta|v|na|pri|iz)\s+(?P<rest>.+)$", re.I)
_OBJECT = re.compile(r"\b(?:i|you|we|they|to) \w+ ((?:the|an?|my|your) \w+)", re.I)
_PLURAL = re.compile(r"[^s]s$", re.I)
_WORD = re.compile(r"[^\s?!,;:()\"“”„]+")
_ALIKE = 0.6
_SHORT = 6  # words of an ellipsis
_FEW = 6  # content words of a question that points back
_MOST = 8
_WHO = re.compile(r"\b(?:who|whom|whose|wer|wen|wem|qui|quién|chi|кто|kdo|koga)\b|\bname\b", re.I)
_ONE_NAME = re.compile(r"[^\W\d_a-zß-ÿ][^\W\d_]+[a-zß-ÿ]")
_CAPITALISED = r"[^\W\d_a-zß-ÿ][\w'’-]*[a-zß-ÿ]"
_THING_OF = r"\b(?:[Tt]he|[Aa]n?|[Dd]er|[Dd]ie|[Dd]as|[Dd]e[mns]|[Ee]ine?[mnrs]?|[Ii]m|[Aa]m) "
_TITLE_OF = r"(?:Mr|Mrs|Ms|Dr|Prof|Sir|Dame|Frau|Herrn?|Mme)\.? "
_PEOPLE = re.compile(r"(?:[^\W\d_a-zß-ÿ][\w'’-]*\.?\s+){1,3}[^\W\d_a-zß-ÿ][\w'’-]+")


_CARRIED = re.compile(r"\s\([^()]*\)$")
"""What was carried over into a question, behind it."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A question put whole: `goal` in words, `query` for the search, and the words `carried`."""

    goal: str
    query: str
    carried: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Turn:
    """An earlier question that was answered: as it was typed, and as it was read."""

    typed: str
    goal: str
    answer: Answer | None
    text: str


def leans(question: str) -> bool:
    """Return whether a question says of itself that it leans on something before it.

    >>> leans("How is it calculated?"), leans("What does MMR do and how is it calculated?")
    (True, False)
    >>> leans("and in 2014?"), leans("and what is the capital of Peru?")
    (True, False)
    """
    return bool(
        only_asks(question)
        or ellipsis(question)
        or _OTHER_YEAR.search(question)
        or _NO_NOUN.search(question)
        or asks_attribute(question)
        or is_only_number(question)
        or (points_back(question) and len(_content(question)) <= _FEW)
        or _is_general(question)
    )


def only_asks(question: str) -> bool:
    """Return whether a question names nothing at all, so that it asks on about what was asked.

    >>> only_asks("how often?"), only_asks("and by whom?"), only_asks("how often does it rain?")
    (True, True, False)
    """
    return not _content(_HOW_MUCH.sub(" ", question))


def asks_attribute(question: str) -> bool:
    """Return whether a question has no verb and no name: one of what was spoken of is asked for.

    >>> asks_attribute("what temperature?"), asks_attribute("what temperature is best?")
    (True, False)
    """
    named = any(term.kind == "name" or _is_code(term.form) for term in terms(question))
    return _ATTRIBUTE.fullmatch(question) is not None and not named


def is_only_number(question: str) -> bool:
    """Return whether one of a list is asked for, and nothing that was typed says of which list.

    >>> is_only_number("and number 9? (the stand)"), is_only_number("rule 9 of the house?")
    (True, False)
    """
    asked = number_asked(_CARRIED.sub("", question))
    return asked is not None and not _content(asked.rest)


def may_lean(question: str) -> bool:
    """Return whether a question could lean on the conversation: short, and it names nothing."""
    own = _content(question)
    return (
        len(own) <= _FEW
        and not _has_antecedent(question)
        and not any(term.kind == "name" or _is_code(term.form) for term in terms(question))
    )


def needs_question(question: str) -> bool:
    """Return whether an ellipsis says only when, where or which number: it asks nothing alone.

    >>> needs_question("and in Graz?"), needs_question("what about RRF?")
    (True, False)
    """
    part = ellipsis(question)
    if not part:
        return False
    if _OTHER_YEAR.search(part) or _NEXT_YEAR.search(part):
        return True
    rest = _NUMBER.sub(" ", _MONTH.sub(" ", part))
    return bool(_PHRASE.match(part)) or not _content(rest)


def ellipsis(question: str) -> str:
    """Return the new part of a question that has no predicate, "" for a whole question.

    >>> ellipsis("ok, and in Graz?"), ellipsis("what about RRF?"), ellipsis("and who is she?")
    ('in Graz', 'RRF', '')
    """
    typed = " ".join(question.split())
    opening = _AND.match(typed)
    rest = typed[opening.end() :] if opening else typed
    rest = rest.strip(" ?!.,;:")
    led = opening is not None and any(ch.isalpha() for ch in opening.group())
    words = rest.split()
    if not (_content(rest) or _MONTH.search(rest)) or len(words) > _SHORT or _ASKS.match(rest):
        return ""
    phrase = _PHRASE.match(rest)
    if _ATTRIBUTE.fullmatch(rest) or (phrase and _ASKS_FOR.match(phrase["rest"])):
        return ""  # "at what temperature"
    if _ASKS_BEHIND.search(rest):
        return ""  # "the year before, how much sales?"
    return rest if led or (len(words) <= 4 and _PHRASE.match(rest)) else ""


def whole(question: str, history: Sequence[Message]) -> Reading | None:
    """Return the question put whole by what was asked and answered before, None without that."""
    typed = " ".join(question.split())
    turns = list(_answered(history))
    if not turns:
        return None
    typed = _with_year(typed, turns[0])
    year = _YEAR.search(typed)
    if is_only_number(typed) and (goal := with_number_of(turns[0].goal, typed)):
        return Reading(goal, goal, tuple(_words(goal)))
    part = ellipsis(typed) or (f"in {year.group()}" if year and _only_year(typed) else "")
    if part and not is_only_number(typed):
        goal = _replaced(turns[0], part)
        carried = tuple(w for w in _words(goal) if fold(w) not in set(map(fold, _words(typed))))
        return Reading(goal, goal, carried)
    own = set(content_keys(typed))
    words = _carried(typed, turns)
    new = [word for word in words if not own.issuperset(content_keys(word))]
    words = tuple(word for word in new if not (year and _YEAR.fullmatch(word)))[:_MOST]
    if not words:
        return Reading(typed, typed, ()) if typed != " ".join(question.split()) else None
    added = " ".join(words)
    return Reading(f"{typed} ({added})", f"{typed} {added}", words)


def _with_year(question: str, turn: _Turn) -> str:
    """The question with the year that "the year before" means after this turn, where it has one."""
    pattern = _NEXT_YEAR if ellipsis(question) else _OTHER_YEAR
    found = pattern.search(question) or _OTHER_YEAR.search(question)
    years = _YEAR.findall(turn.goal)[-1:] or set(_YEAR.findall(_quoted(turn)))
    if found is None or len(years) != 1:
        return question
    year = int(*years) + (-1 if found["before"] else 1)
    return f"{question[: found.start()]}in {year}{question[found.end() :]}"


def _only_year(question: str) -> bool:
    """Whether a question asks for nothing but a year of what was asked: "what was it in 2022"."""
    return not _content(_YEAR.sub(" ", question))


def _quoted(turn: _Turn) -> str:
    return turn.answer.citations[0].quote if turn.answer and turn.answer.citations else ""


def _carried(question: str, turns: Sequence[_Turn]) -> tuple[str, ...]:
    """The person that the question needs, and the topic of the last question that stood alone."""
    pronouns = {fold(word.strip(".,;:!?'\"")) for word in question.split()}
    begun = next((turn for turn in turns if _begins_topic(turn)), turns[-1])
    if only_asks(question):  # "and by whom?" asks on about what was asked last
        asks = _ASKS.search(question)
        return tuple(_content_words(turns[0] if asks else begun))
    topic = [*_owner(begun, turns), *_topic(begun)]
    if _content(question):  # "and why?" asks on about the measure too
        measures = {found.group().split()[-1] for found in _MEASURE.finditer(begun.goal)}
        topic = [word for word in topic if word not in measures] or topic
    if pronouns & _MANY and not pronouns & _PERSON and not _is_several(begun):
        named = (_names(turn) for turn in turns[turns.index(begun) :])
        topic = next(filter(None, named), []) or _names_in_title(begun)
    if pronouns & _PLACE and not _names(begun):  # "there" is a place, whatever was asked about it
        topic = next(filter(None, map(_names, turns)), topic)
    of_person = pronouns & _PERSON or drops_subject(question)
    if of_person and (person := _person(turns[0])):
        return (*person.split(), *topic)
    return tuple(topic)


def _owner(begun: _Turn, turns: Sequence[_Turn]) -> list[str]:
    """The names of before that the title of the document has which answered a question without.

    "Who is the ceo", after "what is Lumenta", asks for the one of Lumenta.
    """
    if _names(begun) or begun.answer is None:
        return []
    titles = " . ".join(f"{one.title} {one.label}" for one in begun.answer.citations[:1])
    called = set(content_keys(titles))
    before = turns[turns.index(begun) + 1 :]
    names = ([w for w in _names(turn) if called.issuperset(content_keys(w))] for turn in before)
    return next(filter(None, names), [])


def _begins_topic(turn: _Turn) -> bool:
    """Whether a question stood alone, or named another subject ("and RRF?")."""
    part = ellipsis(turn.typed)
    if part:
        return not (_PHRASE.match(part) or _OTHER_YEAR.search(part) or _NEXT_YEAR.search(part))
    plan = turn.answer.search.plan if turn.answer and turn.answer.search else None
    carried = plan is not None and any(one.code == CARRIED_OVER for one in plan.notices)
    return not carried and not leans(turn.typed) and not _ATTRIBUTE.fullmatch(turn.typed)


_FILES = frozenset(
    content_keys(
        "file files document documents docs pdf pdfs upload uploads uploaded library collection"
        " stuff things contents datei dateien dokument dokumente unterlagen sammlung inhalt"
    )
)
"""What a question on all documents speaks of, which is no topic to go on with."""


def _answered(history: Sequence[Message]) -> Iterator[_Turn]:
    """The questions that were answered from documents, the last one first."""
    following: Message | None = None
    for message in reversed(history):
        if message.role == "assistant":
            following = message
            continue
        answer = following.answer if following else None
        refused = answer is not None and answer.abstention is not None
        if following is not None and not refused and _content(message.text):
            searched = answer is None or answer.search is not None
            of_files = answer is not None and answer.route == Route.OVERVIEW
            if searched and not (of_files and set(_content(message.text)) <= _FILES):
                plan = answer.search.plan if answer and answer.search else None
                goal = plan.goal if plan else message.text
                yield _Turn(message.text, goal, answer, following.text)
        following = None


def _topic(turn: _Turn) -> list[str]:
    """What a turn is about: its names, else its content words."""
    return _names(turn) or _content_words(turn)


def _names(turn: _Turn) -> list[str]:
    """The words of a question that it or its sources write as names, with the kind behind it."""
    words = _words(turn.goal)
    named = _names_in_sources(turn)
    names = {word for word in words if _content(word) and set(content_keys(word)) & named}
    typed = {word for word in words if _is_name(word, turn.goal)}
    kind = {after for name, after in pairwise(words) if name in typed and _content(after)}
    found = [word for word in words if word in names | typed | kind]
    return list(dict.fromkeys(found))[:_MOST]


def _is_several(turn: _Turn) -> bool:
    """Whether "they" can be what a turn is about: it has a name, a plural, or "a tuple"."""
    words = _content_words(turn)
    kind = re.search(r"\b(?:an?|ein\w*)\s", turn.goal, re.I)
    return bool(_names(turn) or kind or not words or any(map(_PLURAL.search, words)))


def _names_in_title(turn: _Turn) -> list[str]:
    """The first name in the title of what was cited that its passage writes as a name too."""
    for citation in turn.answer.citations[:1] if turn.answer else ():
        named = {term.key for term in terms(citation.passage) if term.kind == "name"}
        words = _words(f"{citation.title} {citation.label.rpartition('.')[0]}")
        return [word for word in words if set(content_keys(word)) & named][:1]
    return []


def _content_words(turn: _Turn) -> list[str]:
    return list(dict.fromkeys(w for w in _words(turn.goal) if _content(w)))[:_MOST]


def _names_in_sources(turn: _Turn) -> set[str]:
    """The keys of what the quotes write as names only, and of titles and names of the sources."""
    citations = turn.answer.citations if turn.answer else ()
    found: set[str] = set()
    for citation in citations:
        for term in terms(citation.quote):
            if term.kind != "stop" and term.form[0].isupper():
                found.add(term.key)
    titles = " . ".join(f"{one.title} {one.label.rpartition('.')[0]}" for one in citations)
    return found - _written_small(turn) | set(content_keys(titles))


def _written_small(turn: _Turn) -> set[str]:
    """The keys of what the sources of an answer write in small letters: common words."""
    citations = turn.answer.citations if turn.answer else ()
    texts = [text for one in citations for text in (one.quote, one.passage)]
    read = (term for text in texts for term in terms(text))
    return {term.key for term in read if term.kind != "stop" and term.form[0].islower()}


def _is_name(word: str, text: str) -> bool:
    keys = set(content_keys(word))
    named = {term.key for term in terms(text) if term.kind == "name"}
    return bool(keys & named) or _is_code(word)


def _is_code(word: str) -> bool:
    return any(ch.isdigit() for ch in word) and any(ch.isalpha() for ch in word)


def _person(turn: _Turn) -> str:
    """The person whom an answer to "who" names: what it sets off, else its first name of people.

    Of another answer it is the one name that its first quote has and the question has not.
    """
    if turn.answer is None:
        return ""
    if not _WHO.search(turn.typed):
        return _only_name(turn)
    marked = [turn.answer.text[start:end] for start, end in turn.answer.highlights]
    own = set(content_keys(turn.typed))
    singles = (text for text in marked if _ONE_NAME.fullmatch(text))
    if single := next((name for name in singles if _may_be_person(name, turn)), ""):
        return single
    for text in (*marked, *(citation.quote for citation in turn.answer.citations[:1])):
        for found in _PEOPLE.finditer(f" {text} "):
            words = [word for word in found.group().split() if content_keys(word)]
            if len(words) > 1 and not own & set(content_keys(" ".join(words))):
                return " ".join(words)
    return ""


def _may_be_person(name: str, turn: _Turn) -> bool:
    """Whether a name of one word can be somebody's in the text that was quoted.

    An article says that it is a thing's ("the Premiership"). In German every noun is written like
    a name: there it needs another beside it somewhere in the passage, as "Jo" in "Jo Reed", or
    a title.
    """
    first = turn.answer.citations[0] if turn.answer and turn.answer.citations else None
    if first is None:
        return True
    text = f"{first.passage} {first.quote}"
    word = re.escape(name)
    if re.search(rf"{_THING_OF}(?:\S*\d\S* )?{word}\b", text):
        return False
    if language_of(text) != "de":
        return True
    full = rf"\b{_CAPITALISED} {word}\b|\b{word} {_CAPITALISED}|\b{_TITLE_OF}{word}\b"
    return re.search(full, text) is not None


def _only_name(turn: _Turn) -> str:
    """The one name in the first quote of an answer that is not in the question, "" without."""
    own, quote = set(content_keys(turn.goal)), _quoted(turn)
    found = [term for term in terms(quote) if term.kind == "name"]
    names = {term.form for term in found if term.key not in own and fold(term.form) not in MONTHS}
    name = names.pop() if len(names) == 1 else ""
    return name if name and _may_be_person(name, turn) else ""


def _other_extreme(base: str, part: str) -> str:
    """A question after the most of something, asked after the least: "and the lowest?"."""
    new, old = extreme_in(part), extreme_in(base)
    if new is None or old is None or _content(f"{part[: new[0]]} {part[new[1] :]}"):
        return ""
    return f"{base[: old[0]]}{part[slice(*new)]}{base[old[1] :]}?"


def _replaced(turn: _Turn, part: str) -> str:
    """The question of a turn with the part that is like `part` replaced by it."""
    base = turn.goal.rstrip(" ?!.")
    for pattern in (_YEAR, _MONTH, _NUMBER):
        new, old = pattern.search(part), list(pattern.finditer(base))
        if new and old:
            return f"{base[: old[-1].start()]}{new.group()}{base[old[-1].end() :]}?"
    if other := _other_extreme(base, part):
        return other
    phrase = _PHRASE.match(part)
    if phrase:
        old = list(
            re.finditer(rf"\b{phrase['preposition']}\s+[^()?]+?(?=\s+(?:{_PREPOSITION})\b|\s*\(|$)",
                        base, re.I)
        )  # fmt: skip
        return (
            f"{base[: old[-1].start()]}{part}{base[old[-1].end() :]}?" if old else f"{base} {part}?"
        )
    for one in _words(part):
        for word in _words(base):
            alike = SequenceMatcher(None, one.casefold(), word.casefold()).ratio() >= _ALIKE
            if alike and fold(one) != fold(word) and _content(word) and len(one) > 4:
                return f"{_with(base, word, one)}?"
    for word in base.split():
        if fold(word.strip(".,")) in _PERSON | _THING and not _is_of_the_source(part, turn):
            return f"{_with(base, word, part)}?"
    names = _names(turn) or (_content_words(turn) if len(_content(base)) == 1 else [])
    if _ARTICLE.match(part) and (object_ := _OBJECT.search(base)):
        return f"{base[: object_.start(1)]}{part}{base[object_.end(1) :]}?"
    if _content(part) and set(_content(part)) <= _written_small(turn):  # "and profit?"
        names = [word for word in _content_words(turn) if word not in names] or names
    elif _content(part) and _is_of_the_source(part, turn):
        common = _common_in_sources(turn)
        words = [word for word in _content_words(turn) if not word.isdigit()]
        names = [word for word in words if common.issuperset(content_keys(word))] or names
    span = _span(base, names)
    if span is None:
        return f"{part}: {base}?"
    before = base[: span[0]]
    part = _ARTICLE.sub("", part, count=1) if _ARTICLE.search(before[-4:]) else part
    return f"{before}{part}{base[span[1] :]}?"


def _is_of_the_source(part: str, turn: _Turn) -> bool:
    """Whether a passage of the answer has what is asked now, which was typed as no name.

    After "how many employees did they have in 2010", "and revenue?" is another column.
    """
    return part.islower() and set(_content(part)) <= _common_in_sources(turn)


def _common_in_sources(turn: _Turn) -> set[str]:
    """The keys of the words that the passages of an answer never write as names."""
    found = terms(" ".join(one.passage for one in turn.answer.citations)) if turn.answer else []
    return {term.key for term in found} - {term.key for term in found if term.kind == "name"}


def _span(text: str, words: Sequence[str]) -> tuple[int, int] | None:
    """Where the first of `words` stands in a text, with those of them right behind it."""
    places = [(m.start(), m.end()) for m in _WORD.finditer(text) if m.group() in words]
    if not places:
        return None
    start, end = places[0]
    for first, last in places[1:]:
        if text[end:first].strip():
            break
        end = last
    return start, end


def _with(text: str, word: str, new: str) -> str:
    return re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", lambda found: new, text, count=1)


def points_back(question: str) -> bool:
    """Return whether a pronoun of a question has no antecedent before it in the same message.

    >>> points_back("When was she born?"), points_back("Kdaj se je rodila?")
    (True, True)
    """
    if drops_subject(question):
        return True
    if _DER.search(question):
        return True
    text = _IMPERSONAL.sub(lambda found: " " * len(found.group()), question)
    text = _SINCE_WHEN.sub(lambda found: "when".rjust(len(found.group())), text)
    found = [
        (m.start(), m.end(), m.group().strip("'’\".")) for m in re.finditer(r"[^\s?!,;:()]+", text)
    ]
    for place, (start, _, word) in enumerate(found):
        folded = fold(word)
        polite = word in ("Sie", "Ihr", "Ihre", "Ihnen", "Ihren") and place > 0
        if folded not in _PERSON | _THING | _LOOSE or polite:
            continue
        if folded == "es" and _ROMANCE.search(text):
            continue
        behind = found[place + 1][2] if place + 1 < len(found) else ""
        if folded in _POSSESSIVE and _has_owner(folded, text[:start], behind):
            continue
        if folded in _LOOSE and not _is_pronoun(folded, found, place):
            continue
        if not _at_home(text, start):
            return True
    return False


def _has_owner(word: str, before: str, behind: str) -> bool:
    """Whether the words before "its" in a clause name whose it is; `behind` is what is owned.

    "How does the kiln dry its tiles?" tells whose. In "what do critics say about its end" others do
    it, and "sein" with nothing behind it is the German verb.
    """
    if word == "sein" and not _content(behind):
        return True
    if word in _PERSON and any(term.kind == "name" for term in terms(before)):
        return True
    if re.search(rf"\b(?:{_PREPOSITION}|of|about|to)\s+$", before, re.I):
        return False
    nouns = [found["noun"] or found["several"] for found in _OWNER.finditer(before)]
    several = word == "their" or word.startswith("ihr")
    return any(
        fold(noun) not in _GENERAL
        and bool(_content(noun))
        and (several or not _PLURAL.search(noun))
        and not (word == "their" and not _PLURAL.search(noun))
        for noun in nouns
    )


def _is_pronoun(word: str, found: Sequence[tuple[int, int, str]], place: int) -> bool:
    before = found[place - 1][2] if place else ""
    after = found[place + 1][2] if place + 1 < len(found) else ""
    if word == "that":
        return not _content(before) and fold(before) not in ("true", "so", "is it")
    return word == "ones" or (not _content(after) and fold(after) != "of")


def _has_antecedent(question: str) -> bool:
    """Whether a question has a pronoun that means something in the same message."""
    words = {fold(word.strip("'’\".,;:!?")) for word in _IMPERSONAL.sub(" ", question).split()}
    return bool(words & (_PERSON | _THING)) and not points_back(question)


def _at_home(text: str, start: int) -> bool:
    """Whether a clause that ended before `start` names something."""
    ends = [found.start() for found in _BREAK.finditer(text, 0, start)]
    return bool(ends) and bool(_content(_DOING.sub(" ", text[: ends[-1]])))


def _is_general(question: str) -> bool:
    """Whether a question speaks of "the company", and of nothing by name."""
    nouns = {fold(noun) for noun in _DEFINITE.findall(_PART_OF.sub(" ", question))}
    named = any(term.kind == "name" for term in terms(question) if fold(term.form) not in _GENERAL)
    additive = _ADDITIVE.search(question) is not None
    return (bool(nouns & _GENERAL) or additive) and not named and len(_content(question)) <= _FEW


def _words(text: str) -> list[str]:
    return [word.strip(".'’") for word in _WORD.findall(text) if word.strip(".'’")]


def _content(text: str) -> dict[str, str]:
    """The words that name something, by their stem, in order."""
    found: dict[str, str] = {}
    for term in terms(text):
        if term.kind != "stop" and fold(term.form) not in _EMPTY:
            found.setdefault(term.key, term.form)
    return found
