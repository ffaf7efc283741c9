"""Whether a sentence tells what is asked for: a place, a name, a yes or no, a time (pure)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.answering.extractive.question.answer_types import Wanted, states
from core.answering.extractive.question.measures import AGE, DURATION, FREQUENCY
from core.answering.extractive.sentences.candidates import Candidate, Rated
from core.answering.extractive.sentences.scoring import continues
from core.answering.extractive.structures.lists import leads_in
from core.text.lines import LABEL
from core.text.terms import content_keys, terms
from core.text.word_lists import MONTHS

_VERBS = (
    "(?:is|are)", "(?:was|were)", "(?:can|could|may)", "must", "(?:does|do|did)", "(?:has|have)",
    "will", "should", "(?:ist|sind)", "(?:kann|können)", "darf", "muss", "(?:wird|werden)",
    "(?:hat|haben)",
)  # fmt: skip
"""What a question begins with that yes or no answers."""
DENIES = re.compile(r"\b(?:not|never|nicht|nie|kein\w{0,2}|without|ohne)\b|n['’]t\b", re.I)
ASKS_WHETHER = re.compile(
    r"\b(?:ask(?:ed|s)|(?:in|en)quired|wondered|want(?:s|ed)? to know|fragten?|wollten? wissen)\b"
    r"(?: \w+){0,2},? (?:whether|if|ob)\b",
    re.I,
)
"""What tells of the question of somebody, and not the answer to it."""
MORE = re.compile(
    r"\b(?:more|further|additional|weitere\w?)\b(?! than\b| als\b)(?: ([\w-]+))?", re.I
)
_EITHER = re.compile(
    r"\W*(?:(?:and|so|ok|but),? )*(?:is|are|was|were|ist|sind|war|waren)"
    r"(?: (?:the|an?|der|die|das))?"
    r" (?P<thing>\w[\w -]{0,40}?)(?: (?:an?|the|eine?|der|die|das))? (?P<one>[\w.-]+)"
    r",? (?:or|oder)(?: (?:an?|the|eine?|der|die|das))? (?P<other>[\w.-]*\w)(?: \([^()]*\))?\W*$",
    re.I,
)
"""What asks which of two a thing is: "is Monday 0 or 1"."""
_ONLY_HOW_MANY = re.compile(
    r"\W*(?:(?:and|und|or|also),? )*(?:how many|wie ?viele)(?: \([^()]*\))?\W*", re.I
)
_SAYS = "(?:is|are|was|were|means|=|ist|sind|war|waren)(?: (?:an?|the|eine?|der|die|das))?"
IF = re.compile(r"\b(?:if|unless|falls|sofern)\b", re.I)
WO = re.compile(r"\b(?:wo|woher|wohin)\b", re.I)
_IS_TIME = re.compile(rf"(?:{'|'.join(MONTHS)}|\w+(?:day|tag)s?)\b", re.I)
_PLACED = re.compile(
    r"\b(?:[Ii]n|[Aa]t|[Nn]ear|[Oo]n|[Ff]rom|[Tt]o|[Bb]ei|[Nn]ahe|[Aa]us|[Nn]ach)"
    r"(?: (?:the|a|an|der|den))?(?: (?:journal|magazine|newspaper|city|town|village|county|district"
    r"|port)(?: of)?)? ([^\W\d_a-zß-ÿ][\w'’-]+(?: [^\W\d_a-zß-ÿ][\w'’-]+)*)"
    r"|\b(?i:addresse?|adresse|located|headquarters?|sitz):? (\S+)"
)
_ITEM = r"[^\s,;:.]+(?: [^\s,;:.]+){0,2}"
_ROW = re.compile(
    r"(?:(?::|\b(?:such as|including|include[ds]?|namely|are|were|be|one of|und zwar|nämlich|sind"
    r"|waren))\s(?:[^,;:.]{2,60},\s){2,}(?:[^,;:.]{2,60}\s)?"
    rf"|\b(?:are|were|be|one of|sind|waren)\s(?:{_ITEM}, )+{_ITEM} )(?:and|or|und|oder)\b"
)
"""Three things or more in a row, behind what leads into them."""
_THE_MOST = re.compile(
    r"\b(?!(?:w|t|r|n|b|l|v|z|p|qu|gu|ch|cr|inter|for|requ|conqu|harv|cont|prot|manif|arr|dig|inv"
    r"|mod|hon|pri|beh|earn|lat)est\b)[^\W\d_]+est\b",
    re.I,
)
"""What one of all is: "oldest"."""
_LAST_WORDS = 4
_AHEAD = re.compile(
    r"\s*(?:in advance|ahead|beforehand|earlier|before|ago|prior|im voraus|vorher|zuvor)\b", re.I
)
_CAPITAL = r"[^\W\d_a-zß-ÿ][\w-]*"
_INTRODUCED = re.compile(
    r"(?:(?:\b(?:[Tt]he|[Aa]n?|[Hh]is|[Hh]er|[Tt]heir)\s+"
    r"|^(?!(?:While|Although|Though|Because|Since|Once|After|Before|Until|Unless|Whenever)\b))"
    r"(?P<noun>(?:[\w-]+\s+){0,3}?[a-zß-ÿ][\w-]+)\s+)?"
    rf"(?P<name>(?:(?:{_CAPITAL}|de|la|du|di|da|van|von|der|den|al|bin)\s+){{0,3}}{_CAPITAL})"
    r"(?=(?P<behind>,\s(?:an?|the|who|aged)\b)?)"
)
"""A name with what somebody is before it, "the miller Jo Reed", or behind: "Jo Reed, a miller"."""
_OF_OTHERS = re.compile(r"\b(?:besides|apart from|aside from|other than|außer|neben)\b", re.I)
_THIRD_PERSON = re.compile(r"[^\Ws]s$")


def came_on_top(text: str, asked: set[str]) -> bool:
    """Whether a text counts more of what is asked for, and not all: "two more caps"."""
    return any(asked & set(content_keys(found[1] or "")) for found in MORE.finditer(text))


def counts_off(text: str, of: set[str]) -> bool:
    """Return whether a sentence names several of a kind in a row, given the keys of its name.

    >>> counts_off("It has three mills: the Old, the New, and the Low Mill.", {"mil"})
    True
    >>> counts_off("It has three mills.", {"mil"})
    False
    """
    row = _ROW.search(text)
    return row is not None and of <= set(content_keys(text[: row.start()]))


def names_last(text: str, of: set[str]) -> bool:
    """Return whether what leads into a list says right there of what, given the keys of its name.

    >>> names_last("It is prey to many garden pests, including:", {"pest"})
    True
    >>> names_last("Pests are told from each other by these signs:", {"pest"})
    False
    """
    last = " ".join(text.split()[-_LAST_WORDS:])
    return leads_in(text) and of <= set(content_keys(last))


def is_ahead(text: str) -> bool:
    """Whether a text only says how long before something: "three weeks in advance"."""
    spans = [found.end() for found in DURATION.finditer(text)]
    return bool(spans) and all(_AHEAD.match(text, end) for end in spans)


def is_its_age(text: str, question: str) -> bool:
    """Return whether an age in a text is that of the one who is asked for, and not of another.

    >>> is_its_age("Reed, 75, came late.", "how old is reed")
    True
    >>> is_its_age("Reed's 22-year-old son came.", "how old is reed")
    False
    """
    asked = set(content_keys(question))
    for found in AGE.finditer(text):
        if found.group().endswith("-old"):  # "the 22-year-old Reed", and not "her 22-year-old son"
            noun = next(iter(text[found.end() :].split()), "").strip(".,;:")
            if re.search(rf"\b{re.escape(noun)}\b", question, re.I):
                return True
        elif not asked.isdisjoint(content_keys(" ".join(text[: found.start()].split()[-3:]))):
            return True
    return False


def is_the_most(question: str, text: str) -> bool:
    """Whether a text says that something is what is asked for of all: "the oldest", not "old".

    >>> is_the_most("which is the oldest pier", "The oldest stands in Rye.")
    True
    >>> is_the_most("which is the oldest pier", "Old piers stand in Rye.")
    False
    """
    found = _THE_MOST.search(question)
    return found is not None and re.search(rf"\b{found.group()}\b", text, re.I) is not None


def is_its_subject(candidate: Candidate, asked: set[str]) -> bool:
    """Whether a sentence begins with the name that is asked for: "Jo Reed runs the mill"."""
    first = [one for one in terms(candidate.sentence.text) if one.kind != "stop"][: len(asked) + 1]
    return bool(asked) and asked <= {one.key for one in first if one.form[0].isupper()}


def is_name(word: str, near: Iterable[Rated]) -> bool:
    """Whether a word stands within sentences as a name does, with a capital, and never without."""
    shape = re.compile(rf"(?<=[\w,] ){re.escape(word)}\b", re.I)
    said = [found.group() for one, _ in near for found in shape.finditer(one.sentence.text)]
    return bool(said) and all(form[0].isupper() for form in said)


def introduces(text: str, asked: set[str]) -> bool:
    """Return whether a text says who somebody is beside the name: "the miller Jo Reed", "Jo, who".

    >>> introduces("In 2012 the old miller Jo Reed sold it.", {"jo", "reed"})
    True
    >>> introduces("In 2012 the mill, says Jo Reed, was sold.", {"jo", "reed"})
    False
    """
    return any(
        asked <= set(content_keys(found["name"]))
        and (
            found["behind"]
            or (
                found["noun"]
                and all(t.kind != "stop" for t in terms(found["noun"]))
                and not _THIRD_PERSON.search(found["noun"])  # "President Holm sees Jo Reed"
            )
        )
        for found in _INTRODUCED.finditer(text)
    )


def only_if(text: str) -> bool:
    """Whether a sentence has no date but in what it says for a case: "if it fails by May 2022"."""
    case = IF.search(text, 1)
    return case is not None and not states(Wanted.TIME, text[: case.start()], ())


def says_where(text: str, asked: set[str]) -> bool:
    """Whether a text has a place: "in Graz", "at the Old Mill", which the question lacks."""
    named = (found[1] or found[2] for found in _PLACED.finditer(text))
    return any(asked.isdisjoint(content_keys(name)) and not _IS_TIME.match(name) for name in named)


def counts_those_of(part: str, question: str, text: str) -> bool:
    """Return whether a text has a figure and, in the plural, a thing that a question names.

    For a part that asks only "how many", and so means what another part names.

    >>> asked = "max file size? and how many"
    >>> counts_those_of("and how many", asked, "MAX_FILES 5000")
    True
    >>> counts_those_of("and how many", asked, "MAX_FILE_MB 200")
    False
    """
    if not _ONLY_HOW_MANY.fullmatch(part):
        return False
    named = (term.form.casefold() for term in terms(question) if term.kind != "stop")
    things = "|".join(re.escape(one.removesuffix("s")) for one in named if one != "many")
    plural = rf"(?<![^\W_])(?:{things})s(?![^\W_])"
    return bool(things) and bool(re.search(plural, text, re.I)) and bool(re.search(r"\d", text))


def says_which_of(question: str, text: str) -> bool:
    """Return whether a text says one of the two of a thing that a question asks about.

    >>> asked = "is noon am or pm?"
    >>> says_which_of(asked, "Here noon is PM."), says_which_of(asked, "Noon, then 1 PM")
    (True, False)
    """
    asked = _EITHER.match(question)
    if asked is None:
        return False
    thing, two = (
        re.escape(asked["thing"]),
        f"(?:{re.escape(asked['one'])}|{re.escape(asked['other'])})",
    )
    said = rf"\b{thing} {_SAYS} {two}\b(?![.,]\d)|(?<![\w.,]){two} {_SAYS} {thing}\b"
    return re.search(said, text, re.I) is not None


def only_lasts(candidate: Candidate) -> bool:
    """Whether it says how long, and not how often."""
    text = candidate.sentence.text
    return DURATION.search(text) is not None and FREQUENCY.search(text) is None


def is_field(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it is the line of a form whose label is asked for: "Present: Jo Reed, Ann Bell"."""
    label = LABEL.match(candidate.sentence.text)
    named = set(content_keys(label["label"])) if label else set()
    return bool(named) and named <= asked


def told_with(candidate: Candidate) -> str:
    """What is told with a sentence: what leads in has its first line with it."""
    text = candidate.sentence.text
    return f"{text} {candidate.after}" if leads_in(text) else text


def names_one(candidate: Candidate, asked: set[str]) -> bool:
    """Whether it has a name or a code that the question lacks: "which engine" wants one.

    What names others ("besides sail, oars are used") leaves the one that is meant out.
    """
    if _OF_OTHERS.search(candidate.sentence.text):
        return False
    found = terms(candidate.sentence.text)
    return any(term.kind == "name" and term.key not in asked for term in found)


def has_any(keys: set[str], candidate: Candidate) -> bool:
    """Whether it has one of some words, given by their stems."""
    return not keys.isdisjoint(content_keys(candidate.sentence.text))


def has_words_of(question: str, asked: set[str], candidate: Candidate) -> bool:
    """Whether it has the words of a question themselves, and not others with their keys.

    "Pharmacy" is not what somebody wants to know of a pharmacist.
    """
    said = f"{candidate.under} {candidate.sentence.text}".casefold()
    forms = (one.form.casefold() for one in terms(question) if one.key in asked)
    return all(re.search(rf"\b{re.escape(form.removesuffix('s'))}", said) for form in forms)


def speaks_of(asked: set[str], candidate: Candidate) -> bool:
    """Whether it has a word of the question, or goes on with what stands before or above it."""
    text = candidate.sentence.text
    around = f"{candidate.before} . {text}" if continues(terms(text)) else text
    return not asked.isdisjoint(content_keys(f"{candidate.under} . {around}"))


def decides(question: str, candidate: Candidate) -> bool:
    """Whether it has the verb of a question that yes or no answers, or a "not"."""
    text = candidate.sentence.text
    verb = next(
        (one for one in _VERBS if re.match(rf"\W*(?:and |so )?{one}\b", question, re.I)), ""
    )
    return bool(verb and re.search(rf"\b{verb}\b", text, re.I)) or DENIES.search(text) is not None
