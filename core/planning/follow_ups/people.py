"""The person whom an answer names: whom "he" and "she" mean behind it (pure)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.planning.follow_ups.pronouns import PERSON, points_back
from core.planning.follow_ups.turns import Turn, names_of, quote_of, refused_last
from core.text.languages import language_of
from core.text.terms import content_keys, fold, terms
from core.text.word_lists import MONTHS
from core.types import Message

NOBODY_MEANT = "nobody-meant"
"""The code of the notice on a question of him or her where nobody was found that it could mean."""
_WHO = re.compile(r"\b(?:who|whom|whose|wer|wen|wem|qui|quién|chi|кто|kdo|koga)\b|\bname\b", re.I)
_ONE_NAME = re.compile(r"[^\W\d_a-zß-ÿ][^\W\d_]+[a-zß-ÿ]")
_CAPITALISED = r"[^\W\d_a-zß-ÿ][\w'’-]*[a-zß-ÿ]"
_THING_OF = r"\b(?:[Tt]he|[Aa]n?|[Dd]er|[Dd]ie|[Dd]as|[Dd]e[mns]|[Ee]ine?[mnrs]?|[Ii]m|[Aa]m) "
_TITLE_OF = r"(?:Mr|Mrs|Ms|Dr|Prof|Sir|Dame|Frau|Herrn?|Mme)\.? "
_PEOPLE = re.compile(r"(?:[^\W\d_a-zß-ÿ][\w'’-]*\.?\s+){1,3}[^\W\d_a-zß-ÿ][\w'’-]+")

_WHO_IS = re.compile(
    r"\W*(?:(?:and|so|ok|und),? )*(?:who(?:['’]?s| is| was| were| are)?|wer (?:ist|war))\b"
    r"(?!.*['’]s\b)",
    re.I,
)
"""What asks for somebody who is not told by another: not "who was Acme's founder"."""


def means_nobody(question: str, history: Sequence[Message]) -> bool:
    """Return whether "he" or "she" is whom the question before asked for, and did not find."""
    refused = refused_last(history)
    if refused is None or not _WHO_IS.match(refused.goal) or not points_back(question):
        return False
    said = {fold(word.strip(".,;:!?")) for word in question.split()}
    before = {fold(word.strip(".,;:!?")) for word in refused.typed.split()}
    return bool(said & PERSON) and PERSON.isdisjoint(before)


def person_of(turn: Turn) -> str:
    """The person whom an answer to "who" names: what it sets off, else its first name of people.

    Of another answer it is the one name that its first quote has and the question has not.
    """
    if turn.answer is None:
        return ""
    if not _WHO.search(turn.typed):
        return _only_name(turn)
    marked = [turn.answer.text[start:end] for start, end in turn.answer.highlights]
    own = set(content_keys(turn.typed))
    named = own == set(content_keys(" ".join(names_of(turn))))
    if named and not any(_ONE_NAME.fullmatch(one) or _PEOPLE.search(one) for one in marked):
        return ""  # "who is Jo Reed?" names the person
    singles = (text for text in marked if _ONE_NAME.fullmatch(text))
    if single := next((name for name in singles if _may_be_person(name, turn)), ""):
        return single
    for text in (*marked, *(citation.quote for citation in turn.answer.citations[:1])):
        for found in _PEOPLE.finditer(f" {text} "):
            words = [word for word in found.group().split() if content_keys(word)]
            while words and own.issuperset(content_keys(words[0])):
                words = words[1:]  # "Director Jo Reed"
            if len(words) > 1 and not own & set(content_keys(" ".join(words))):
                return " ".join(words)
    return ""


def _may_be_person(name: str, turn: Turn) -> bool:
    """Whether a name of one word can be somebody's in the text that was quoted.

    An article says that it is a thing's ("the Premiership"), "in" and "from" that it is a place's.
    In German every noun is written like a name: there it needs another beside it somewhere in the
    passage, as "Jo" in "Jo Reed", or a title.
    """
    first = turn.answer.citations[0] if turn.answer and turn.answer.citations else None
    if first is None:
        return True
    text = f"{first.passage} {first.quote}"
    word = re.escape(name)
    if re.search(rf"{_THING_OF}(?:\S*\d\S* )?{word}\b|\b(?:in|at|near|from) {word}\b", text):
        return False
    if language_of(text) != "de":
        return True
    full = rf"\b{_CAPITALISED} {word}\b|\b{word} {_CAPITALISED}|\b{_TITLE_OF}{word}\b"
    return re.search(full, text) is not None


def _only_name(turn: Turn) -> str:
    """The one name in the first quote of an answer that is not in the question, "" without."""
    own, quote = set(content_keys(turn.goal)), quote_of(turn)
    found = [term for term in terms(quote) if term.kind == "name"]
    names = {term.form for term in found if term.key not in own and fold(term.form) not in MONTHS}
    name = names.pop() if len(names) == 1 else ""
    return name if name and _may_be_person(name, turn) else ""
