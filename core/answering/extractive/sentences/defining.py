"""Sentences that say what a thing is, or what it does: "A lens is a glass" (pure)."""

from __future__ import annotations

import re
from collections.abc import Collection

from core.text.acronyms import spelled_out
from core.text.terms import content_keys, terms

IS_A = re.compile(r"\b(?:is|are|was|were|means?|refers? to|ist|sind|war|bezeichnet)\b", re.I)
_OF_SOME = re.compile(
    r"\W*(?:those|these|this|that|such|some|many|most|all|both|other|no|not|if|when|where|while|since"
    r"|as|because|although|once|diese[rs]?|solche|manche|einige|viele|alle|wenn|weil)\b",
    re.I,
)
"""What begins a sentence that speaks of some of them, or of what was said before."""
_SAYS_MORE = re.compile(r"\s+(?:also|not|still|already|auch|nicht|noch)\b", re.I)
"""What makes of "is" something else than a definition: "is also", "is not"."""
_AT = re.compile(
    r"\W*(?:beim?|im|mit|für|vo[nm]|zu[mr]?|auf|durch|nach|seit|unter|über|vor)\s", re.I
)
_PRONOUN = re.compile(r"\b(?:i|you|we|they|he|she|there|which|who|that|er|sie|wir|ihr)\s*$", re.I)
_CALLED = re.compile(
    r"(?:\bwe (?:will )?(?:call|term|name|refer to)|(?P<passive>\b(?:is|are|was|were|also|often"
    r"|commonly|usually|generally) (?:called|termed|named|known as|referred to as)"
    r"|(?<=\w )(?:known|referred to) as|\bhei(?:ßt|ßen)"
    r"|\bwird als|\bnennt man))\s(?P<name>[^.;:,()]{2,120})",
    re.I,
)
"""What gives a thing its name: "we call such a sequence a trace"."""
_IN_BRACKETS = re.compile(r"\s?[(\[](?:also |or |abbreviated )?(?P<short>[^()\[\]]{1,30})[)\]]\s?$")
_BRACKETS = re.compile(r"\s?(?:\([^()]*\)|\[[^\[\]]*\])")
_PUT_IN = re.compile(
    r"(?:an?|the|being|also|or|sometimes|often|known|called|formerly|short)\b", re.I
)
_COMPOUND = re.compile(r"[^\W\d_]{2,}(?:-[^\W_]+)+")
_IS_ONE = re.compile(
    r"\b(?:is|are|was|were|means?|ist|sind|war|waren|refers? to|called?)\s(?:\w+ly\s)?"
    r"(?:an?|the|one|ein\w{0,2}|der|die|das)\b",
    re.I,
)
"""What says which kind of thing it is: "is a gas", not "is cheap"."""
_LOOKS_BACK = re.compile(
    r"\b(?:is|are|was|were|ist|sind|war|waren)\s(?:also\s)?(?:(?:the|der|die|das)\s)?"
    r"(?:other|another|same|latter|former|its|their|his|her|one of (?:th[eo]se|them)"
    r"|andere|dieselbe|derselbe|dasselbe|sein|seine|ihr|ihre)\b"
    r"|\b(?:is|are|was|were)\b[^,;:.]{1,60}\bof (?:this|that|these|those|such)\b"
    r"|\b(?:ist|sind|war)\b[^,;:.]{1,60}\bdieser (?:Art|Sorte)\b",
    re.I,
)
"""What tells which of some it is, to who knows these: "is the other method"."""
_ARTICLE = re.compile(r"\W*(?:(?:an?|the)\s+)?", re.I)
_LONGEST_NAME = 80
"""Characters of what a sentence opens with."""
_INSERTION = re.compile(r"(?:\s?[(\[][^()\[\]]{1,80}[)\]])?(?:,\s[^,;:.]{2,80},)?\s+")
"""What may stand behind a subject before its verb: "(OCR)", ", short for ... ,"."""
_DOES = re.compile(
    r"(?!(?:is|was|has|does|as|its|this|plus|across|always|sometimes|perhaps|versus|thus)\b)"
    r"(?:\w+ly\s)?[a-z]+[^\Ws]s\s(?!(?:is|are|was|were|has|have|had|can|may|must|will)\b)"
)
"""What a thing does, in the present: "measures", not "less" nor "optics is"."""


def says_what_it_is(text: str, asked: Collection[str]) -> bool:
    """Whether a sentence is a definition: all that is asked for, and hardly more, is its subject.

    `asked` are keys of terms.

    >>> says_what_it_is("A tuple is a list that stays.", content_keys("tuple"))
    True
    >>> says_what_it_is("It is the older relative of a tuple.", content_keys("tuple"))
    False
    """
    return _calls_it(text, set(asked)) or bool(_defined(text, set(asked)))


def _defined(text: str, asked: set[str]) -> str:
    """What a definition of all that is asked for, and hardly more, is of; "" where it is none."""
    verb = IS_A.search(text)
    if verb is None or _OF_SOME.match(text) or _SAYS_MORE.match(text, verb.end()):
        return ""
    if _PRONOUN.search(text, 0, verb.start()):
        return ""  # "after you lit the lens, you are responsible"
    if _AT.match(text) and "," not in text[: verb.start()]:
        return ""  # German: "Bei Linsen ist Vorsicht geboten" has its subject behind
    subject = _subject(text[: verb.start()].strip(), asked)
    head = content_keys(subject)
    parts = (found.group().split("-") for found in _COMPOUND.finditer(subject))
    if any(len(asked) < len(part) for part in parts):
        return ""  # "mochitest-other" is another thing than "mochitest"
    return subject if asked <= set(head) and len(head) <= len(asked) + 2 else ""


def _subject(head: str, asked: set[str]) -> str:
    """What a sentence speaks of, of all before its verb: "By the sea, the Pier (BLP), an old one,".

    Of a long form with its short one in brackets the one that is asked for; nothing of what stands
    before the last comma that opens it, nor of what is put in behind it.
    """
    if short := _IN_BRACKETS.search(head):
        inside = short["short"]
        long = content_keys(head[: short.start()].rpartition(", ")[2])
        is_short = asked <= set(content_keys(inside)) and not asked <= set(long)
        if asked and is_short and len(long) <= len(inside) + 2:
            return inside
    parts = _BRACKETS.sub("", head).split(", ")
    named = [part for part in parts if asked <= set(content_keys(part))]
    insertion = len(parts) > 1 and (_PUT_IN.match(parts[-1]) or parts[-1].endswith(","))
    opening = len(parts) == 2 and named == [parts[1]]
    inserted = insertion and named[:1] == parts[:1]
    return named[0] if named and (opening or inserted) else ", ".join(parts)


def _calls_it(text: str, asked: Collection[str]) -> bool:
    """Whether a sentence ends a clause in "we call it X" or "is known as X"."""
    for found in _CALLED.finditer(text):
        said = content_keys(found["name"])
        if asked and list(said[-len(asked) :]) and set(said[-len(asked) :]) == set(asked):
            return found["passive"] is None or len(said) == len(asked)
    return False


def says_which_kind(text: str, asked: Collection[str]) -> bool:
    """Return whether a sentence is a definition that says which kind of thing it is.

    >>> asked = content_keys("lens")
    >>> says_which_kind("A lens is a glass.", asked), says_which_kind("A lens is cheap.", asked)
    (True, False)
    >>> says_which_kind("The lens is the other part.", asked)
    False
    """
    one = _IS_ONE.search(text) is not None and _LOOKS_BACK.search(text) is None
    return one and says_what_it_is(text, asked)


def is_narrower(text: str, asked: Collection[str]) -> bool:
    """Return whether a definition is of one kind of what is asked for, or of a part of it.

    A name may have more words.

    >>> is_narrower("A fish lens is a glass.", content_keys("lens"))
    True
    >>> is_narrower("Ida Lens was a nurse.", content_keys("lens"))
    False
    """
    subject = _defined(text, set(asked))
    words = [term for term in terms(subject) if term.kind != "stop"]
    if all(term.key in asked for term in words):
        return False
    is_name = all(term.form[0].isupper() for term in words) and words[-1].key in asked
    return not is_name


def what_it_does(text: str, asked: Collection[str], short: str = "") -> int | None:
    """Return where a sentence that opens with a thing says what it does, or None.

    `asked` are the keys of its name, `short` is that name where it is a short form, which may
    stand behind the long one.

    >>> text = "A lens (or glass) bends light."
    >>> text[what_it_does(text, content_keys("lens")):]
    'bends light.'
    """
    article = _ARTICLE.match(text)
    begin = article.end() if article else 0
    long = spelled_out(text, short)
    if long is not None and long[0] == begin:
        end = long[1]
    else:
        words = list(re.finditer(r"[\w-]+", text[begin : begin + _LONGEST_NAME]))
        ends = [begin + word.end() for word in words if content_keys(words[0].group())]
        end = next((at for at in ends if set(content_keys(text[begin:at])) == set(asked)), begin)
    behind = _INSERTION.match(text, end)
    if end == begin or behind is None or not _DOES.match(text, behind.end()):
        return None
    return behind.end()
