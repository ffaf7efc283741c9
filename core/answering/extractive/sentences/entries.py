"""Which entry of reference documentation answers: a function, its parameters, its result (pure).

An entry is a signature or a name with what is said of it; its first sentence says what it does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import islice

from core.answering.extractive.question.answer_types import Wanted, wanted
from core.answering.extractive.question.kinds import asks_for_list, asks_how, asks_yes_or_no
from core.answering.extractive.sentences.candidates import Candidate, Rated
from core.text.markdown_quoting import collapse
from core.text.sentences import SentenceKind
from core.text.signatures import default_of, name_of, name_parts, parameters_of
from core.text.terms import content_keys, terms
from core.types import Hit

Ranked = Sequence[Rated]

TASK_MARGIN = 8.0
"""How much worse than the best sentence of all the entry may be that does what is asked for."""
LEAST_COVERED = 0.5
"""The share of the question's words that an entry has to have."""
SHARE = 0.4
"""What the score of its first sentence counts beside how well an entry fits."""
NAMED = 0.8
"""The share of its name that the question's words make, from which on half of them are enough."""
MOST_ENTRIES = 20
"""Passages of functions that are read besides, for what they do."""
MOST_GIVEN = 3
"""Such passages for the default of a parameter."""
AS_GOOD = 0.5
"""How much less another entry may fit that is named as well."""
_ASKS_OF_NAME = re.compile(
    r"\W*(?:(?:and|so|ok),? )*(?:what|which \w+|what kind of \w+) (?:does|do|will|would|can)"
    r" (?:the )?(?:(?:function|method|class|funktion|methode) )?`?(?P<name>[A-Za-z_][\w.]*)"
    r"(?:\(\))?`?(?: (?:function|method|class))?"
    r" (?P<aspect>return|give|raise|throw)s?\b(?: back| me)?(?P<rest>.*)$",
    re.I,
)
_IS_NAME = re.compile(
    r"\W*(?:what (?:does|is)|what['’]?s|explain|describe|was macht|was ist) (?:the )?"
    r"(?:(?:function|method|class|funktion|methode|klasse) )?`?(?P<name>[A-Za-z_][\w.]*)(?:\(\))?`?"
    r"(?: (?:function|method|class))?(?: (?:do|mean|for))?\W*$",
    re.I,
)
_FUNCTION = r"(?:the )?(?:(?:function|method|class|funktion|methode|klasse) )?`?{}(?:\(\))?`?"
_CALLED = r"(?P<{}>[A-Za-z_][\w.]*)"
_ASKS_OF_PARAMETERS = re.compile(
    r"\b(?:arg(?:ument)?s|param(?:eter)?s|argumente|parameter)\b"
    r"(?: \w+)*? (?:of|for|to|in|does|do|can|will|von|für|hat) "
    rf"{_FUNCTION.format(_CALLED.format('of'))}"
    r"(?: (?:function|method|class))?(?: (?:take|accept|have|need|expect|want|get)s?)?\W*$"
    rf"|\bwhat (?:does|do|can) {_FUNCTION.format(_CALLED.format('taking'))} (?:take|accept)\W*$",
    re.I,
)
"""What asks for all parameters of a function: they stand in its signature."""
_OF_PARAMETERS = re.compile(r"\b(?:arg|param|option)", re.I)
"""What the column is called in which a table names parameters."""
_EXAMPLE = re.compile(
    r"\W*(?:(?:show|give|need|want|is|are|there|me|us|i|an?|the|some|any|please|can|could|you)\s)*"
    r"(?:(?:code )?examples?|sample code|snippet) (?:code )?(?:of|for|with|how|using)\b(?P<of>.*)$",
    re.I,
)
_INSTRUCTS = re.compile(r"To \w+[^,.]*(?=, )")
"""What opens a sentence that says how something is done, without a function."""
_ASPECTS = {
    "return": (_RETURNS := re.compile(r"\b(?:return(?! values? of\b)|yield)", re.I)),
    "give": _RETURNS,
    "raise": re.compile(r"\braise|\bexception\b", re.I),
    "throw": re.compile(r"\braise|\bexception\b", re.I),
}
_PARAMETER = (
    re.compile(
        r"\bwhat (?:does|do|is|are) (?:the )?`?(?!default\b)(?P<name>[A-Za-z_]\w*)`?(?:=\S+)?"
        r" (?:arg(?:ument)?|param(?:eter)?|option|flag|keyword|(?:do|mean)\W*$|in\b|for\b)",
        re.I,
    ),
    re.compile(
        r"\bdefault (?:value )?(?:of |for )?(?:the )?`?(?P<name>[A-Za-z_]\w*)`?\W*"
        r"(?:(?:in|of|for) (?:\S+\W*){1,3})?$",
        re.I,
    ),
    re.compile(r"\W*`?(?P<name>[A-Za-z_]\w*)`? (?:arg(?:ument)?|param(?:eter)?)\b", re.I),
)
_OF_IT = re.compile(r"(?:it|the default)\b", re.I)
_SAME_AS = re.compile(r"\bsame (?:meaning )?as (?:in|for|of|those)\b", re.I)
"""What leaves it to another entry to say what something means."""
_DEFAULT = re.compile(r"\bdefaults?\b", re.I)
_FUNCTION_ASKED = re.compile(
    r"\b(?:which|what(?:['’]?s| is the)?) (?:\w+ )?(?:function|method|class|constant|command)\b",
    re.I,
)
_ASKS = re.compile(
    r"\W*(?:(?:and|so|ok),? )*(?:what|who|when|where|why|which|whats|difference|default|examples?"
    r"|explain|compare|is|are|was|does|do|did|has|have|should|list of|how (?!do|can|to|could|would"
    r"|should))\b",
    re.I,
)
"""What opens a question that no function answers by what it does."""
_LIGHT = frozenset(
    content_keys(
        "get got make do does use using return give want need function method class constant python"
        " way new given example code thing things something tell tells know program call"
    )
)
"""Words of a question, or of a description, that tell no function from another."""
_PREPOSITION = re.compile(
    r"\b(?:of|from|to|in|into|for|with|as|by|at|on|that|which|between|using|if|and|whose|where)\b"
)
_WHERE_TO = re.compile(r"\b(?:into|to|from) (?:(?:an?|the|my|this) )?(?P<what>\w+)")
"""What something is done into or from: "write it to a file"."""
_SENTENCE = re.compile(r"[.:;]\s")
_PREDICATE = re.compile(r"Returns? (?:True|true|whether)\b|(?:True|true) if\b")
_ASKS_WHETHER = re.compile(r"\b(?:if|whether|check|test|is|are|exists?|can|detect|verify)\b", re.I)
_A_NAME = re.compile(r"\S\s+names?\b", re.I)
_UNDONE = re.compile(r"(?:re|un|de)")
"""What makes another word of one: "rename" gives no name."""
_BRACKETED = re.compile(r"\s\([^()]*\)")


def entry_asked_for(
    question: str, order: Ranked, *, typed: str = "", said: str = ""
) -> list[Candidate]:
    """Return the sentences of entries that answer a question, the best first; empty without.

    What a named function does, returns or raises, what a parameter is for, or which function does
    what is asked for. `typed` are the words of a question that follows on, and `said` is what was
    quoted before it.
    """
    if example := _example(question, order):
        return example
    if not any(one.entry for one, _ in order):
        return []
    fresh = [pair for pair in order if collapse(pair[0].sentence.text) not in said]
    return (
        _of_name(question, order)
        or _of_parameter(question, order)
        or _of_task(question, fresh, typed or question)
    )


def further_entries(question: str, hits: Sequence[Hit]) -> list[Hit]:
    """The passages that begin with a function, where one is looked for: many are as near.

    The default of a parameter stands in the signature of its function.
    """
    if _DEFAULT.search(question) and (name := _parameter_named(question)):
        given = (one for one in hits if _begins_entry(one))
        return [one for one in given if default_of(one.chunk.headings[-1], name)][:MOST_GIVEN]
    if not _asks_for_function(question):
        return []
    return [one for one in hits if _begins_entry(one)][:MOST_ENTRIES]


def _begins_entry(hit: Hit) -> bool:
    heading = hit.chunk.headings[-1] if hit.chunk.headings else ""
    named = name_of(heading)
    return bool(named) and named in hit.chunk.text[: len(heading)]


def _asks_for_function(question: str) -> bool:
    """Whether a question can ask for what a function does: "copy a file", "how do I"."""
    plain = _BRACKETED.sub("", question)
    if _FUNCTION_ASKED.search(plain) or asks_how(plain):
        return True
    other = _ASKS.match(plain) or asks_yes_or_no(plain) or asks_for_list(plain)
    return not other and wanted(plain) is Wanted.OTHER


def is_gloss(candidate: Candidate) -> bool:
    """Whether it is the first sentence below a function or a name: it says what that does."""
    prose = candidate.sentence.kind is SentenceKind.PROSE
    return prose and candidate.opens and candidate.under == candidate.entry != ""


def _is_called(candidate: Candidate, name: str) -> bool:
    return bool(candidate.entry) and f".{name_of(candidate.entry)}".endswith(f".{name}")


def _example(question: str, order: Ranked) -> list[Candidate]:
    """The listing in which what an example is asked of stands."""
    found = _EXAMPLE.match(question)
    asked = set(content_keys(found["of"])) - _LIGHT if found else set()
    code = (one for one, _ in order if one.sentence.kind is SentenceKind.CODE)
    fits = (one for one in code if asked and asked <= set(content_keys(one.sentence.text)))
    return list(islice(fits, 1))


def _of_name(question: str, order: Ranked) -> list[Candidate]:
    """What is said of a named function: what it does, returns or raises, or its signature.

    What it returns and no sentence says may be told by its first, which says what it does.
    """
    if found := _IS_NAME.match(question):
        return _glosses(order, found["name"])
    if name := asks_for_parameters(question):
        return [] if _has_table(order, name) else _glosses(order, name)
    found = _ASKS_OF_NAME.match(question)
    if found is None:
        return []
    aspect, rest = _ASPECTS[found["aspect"].casefold()], set(content_keys(found["rest"]))
    said = [
        one
        for one, _ in order
        if _is_called(one, found["name"])
        and one.sentence.kind is SentenceKind.PROSE
        and aspect.search(one.sentence.text)
    ]
    said.sort(key=lambda one: (-len(rest & set(content_keys(one.sentence.text))), _place(one)))
    return said[:1] or (_glosses(order, found["name"]) if aspect is _RETURNS and not rest else [])


def asks_for_parameters(question: str) -> str:
    """Return the name of the function whose parameters are asked for, "" without one.

    >>> asks_for_parameters("what are the arguments of json.dump"), asks_for_parameters("why?")
    ('json.dump', '')
    """
    found = _ASKS_OF_PARAMETERS.search(question)
    return (found["of"] or found["taking"]) if found else ""


def _glosses(order: Ranked, name: str) -> list[Candidate]:
    """The first sentence of the entry of this name, one at most."""
    return [one for one, _ in order if is_gloss(one) and _is_called(one, name)][:1]


def _has_table(order: Ranked, name: str) -> bool:
    """Whether a table below a function tells of its parameters one by one."""
    return any(
        _is_called(one, name) and any(_OF_PARAMETERS.search(line) for line in one.above)
        for one, _ in order
    )


def _of_parameter(question: str, order: Ranked) -> list[Candidate]:
    """What is said of a parameter, first where its function is named.

    A default that no sentence tells stands in the signature; what means the same as elsewhere is
    followed by what is said there.
    """
    name = _parameter_named(question)
    if not name:
        return []
    own = [
        one
        for one, _ in order
        if one.sentence.kind is SentenceKind.PROSE
        and (name in parameters_of(one.entry) or _is_called(one, name))
    ]
    named = re.compile(rf"\b{re.escape(name)}\b")
    speak = [one for one in own if named.search(one.sentence.text) or _is_called(one, name)]
    functions = [word.strip("?.,`()") for word in question.split()]
    opens = re.compile(
        rf"(?:(?:if|when|with|the|setting|an?)\s+)?(?:\w+\s+){{0,2}}?`?{re.escape(name)}\b", re.I
    )

    def is_asked_of(one: Candidate) -> bool:
        return any(_is_called(one, word) for word in functions if word != name)

    if _DEFAULT.search(question):
        case = re.compile(rf"\bif\b[^.;]*\b{re.escape(name)}\b", re.I)  # on it another depends
        told = [
            one
            for one in speak
            if (default := _DEFAULT.search(one.sentence.text))
            and not case.search(one.sentence.text, default.start())
        ]
        given = [one for one in own if is_gloss(one) and default_of(one.entry, name)]
        speak = [one for one in given if is_asked_of(one)] or told or given[:1]
    speak.sort(
        key=lambda one: (
            not (opens.match(one.sentence.text) or is_gloss(one)),
            not is_asked_of(one),
            one.hit,
            _place(one),
        )
    )
    return _around(speak[0], own, opens) if speak else []


def _around(said: Candidate, own: Sequence[Candidate], opens: re.Pattern[str]) -> list[Candidate]:
    """What is said of a parameter, with what "it" is before it, and behind it what it leaves open.

    "mtime has the same meaning as in GzipFile" is followed by what is said of it there.
    """
    if _OF_IT.match(said.sentence.text):
        same = (one for one in own if is_gloss(one) and one.entry == said.entry)
        return [*islice(same, 1), said]
    elsewhere = _SAME_AS.search(said.sentence.text)
    behind = said.sentence.text[elsewhere.end() :] if elsewhere else ""
    meant = (
        one
        for one in own
        if opens.match(one.sentence.text)
        and name_of(one.entry).rpartition(".")[2] in behind.split()
    )
    return [said, *islice(meant, 1)] if elsewhere else [said]


def asks_for_default(question: str) -> bool:
    """Return whether the default of something is asked for."""
    return _DEFAULT.search(question) is not None


def default_asked_for(question: str, signature: str) -> tuple[int, int] | None:
    """Return where a signature has the default that a question asks for, or None.

    >>> start, end = default_asked_for("default level of pack", "pack(data, level=9)") or (0, 0)
    >>> "pack(data, level=9)"[start:end]
    '9'
    """
    plain = _BRACKETED.sub("", question)
    name = _DEFAULT.search(plain) and _parameter_named(plain)
    return default_of(signature, name) if name else None


def _parameter_named(question: str) -> str:
    """The parameter that a question asks about, "" without one."""
    plain = _BRACKETED.sub("", question)
    found = next((one for pattern in _PARAMETER if (one := pattern.search(plain))), None)
    return found["name"] if found else ""


def _place(one: Candidate) -> int:
    return one.sentence.start


def _of_task(question: str, order: Ranked, typed: str) -> list[Candidate]:
    """The entries whose description says that they do what is asked for; of several the plainest.

    As in a search of documentation: the words of its name count, its description counts by its
    first words, and what it says beyond the question counts against it.
    """
    if not order or not _asks_for_function(question):
        return []
    top = order[0][1]
    plain = _BRACKETED.sub("", question)
    keys = {key for key in content_keys(plain) if key not in _LIGHT}
    near = (one.sentence.text for one, _ in order if not one.entry)
    told = any(keys <= set(content_keys(one[0])) for one in map(_INSTRUCTS.match, near) if one)
    glosses = [(one, score) for one, score in order if is_gloss(one) and score >= top - TASK_MARGIN]
    fits = sorted(
        (
            (score * SHARE + fit, one)
            for one, score in glosses
            if (fit := _fit(question, typed, one, whole=told)) > 0
        ),
        key=lambda pair: -pair[0],
    )
    best = fits[0][0] if fits else 0.0
    return [one for value, one in fits if value >= best - AS_GOOD][:2]


def _fit(question: str, words_typed: str, gloss: Candidate, *, whole: bool) -> float:
    """How well an entry does what is asked for; 0 where it has too few of the words, or not all
    where it has to be the `whole`.

    What was not typed was carried over, or is another word for what was.
    """
    plain = _BRACKETED.sub("", words_typed)
    typed = {key for key in _keys(plain) if not key.isdigit()}
    carried = set(_keys(question)) - typed - _LIGHT
    *context, name = name_of(gloss.entry).split(".")
    parts = name_parts(name)
    told = _SENTENCE.split(gloss.sentence.text, maxsplit=1)[0]
    said = set(_keys(told)) - _LIGHT
    around = set(_keys(" ".join(word for one in context for word in name_parts(one))))

    def held(key: str) -> float:
        return 1.0 if key in said or _letters(key, parts) else 0.5 if key in around else 0.0

    asked = typed - _LIGHT
    own = sum(map(held, asked))
    more = sum(map(held, carried))
    letters = sum(len(part) for part in parts)
    words = {term.key for term in terms(question) if not term.key.isdigit()}
    named = min(1.0, sum(_letters(key, parts) for key in words) / max(1, letters))
    share = (own + more) / max(1, len(asked) + len(carried))
    if not asked or not own or share < LEAST_COVERED or (share == LEAST_COVERED and named < NAMED):
        return 0.0
    if whole and own < len(asked):
        return 0.0
    where = _WHERE_TO.search(plain.casefold())  # half of the words are not the half that tells
    if where and share == LEAST_COVERED and not any(map(held, content_keys(where["what"]))):
        return 0.0
    heads, head = _head(told), _head(plain)
    same = 2 * len(heads & head) / max(1, len(heads) + len(head))
    if not same and not named:
        return 0.0
    fit = 4 * own / len(asked) + 3 * named + 2 * same - 0.3 * math.log1p(len(said - typed))
    if carried:
        fit += 3 * more / len(carried)
    if named:  # a qualifier that nobody asked for: "TemporaryDirectory"
        fit -= sum(
            len(part) > 2 and not any(_letters(key, [part]) for key in words) for part in parts
        )
    if _PREDICATE.match(told) and not _ASKS_WHETHER.search(question):
        fit -= 2
    if "(" not in gloss.entry and asks_how(question) and named < NAMED:
        return 0.0
    if "(" not in gloss.entry:
        fit -= 2  # to do something a function is looked for
    if any(part[:1].isupper() for part in context) and around.isdisjoint(typed):
        fit -= 1  # nor something that only an object of some class can do
    return fit if not gloss.entry.startswith("exception ") else 0.0


def _keys(text: str) -> list[str]:
    """The keys of what a text is about; a name is something, where nobody is asked to name it."""
    return [*content_keys(text), *(["name"] if _A_NAME.search(text) else [])]


def _letters(key: str, parts: Sequence[str]) -> int:
    """How many letters of a name are a word: "copyfile" has "copy" and "file"."""
    if len(key) < 3:
        return 0
    found = (
        part for part in parts if key in part and not _UNDONE.fullmatch(part.partition(key)[0])
    )
    return max((len(part if len(part) - len(key) <= 2 else key) for part in found), default=0)


def _head(text: str) -> set[str]:
    """The words before the first preposition: what is done, and to what."""
    parts = (set(_keys(part)) - _LIGHT for part in _PREPOSITION.split(text.casefold()))
    return next(filter(None, parts), set())
