"""A question word by word in the language of the documents (pure)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from core.text.glossary import english, german, romance
from core.text.glossary.table import LONGEST_PHRASE, is_known, table
from core.text.terms import content_keys, fold, terms

_WORD = re.compile(r"(?<!\w)[^\W\d_]+(?:[-'’][^\W\d_]+)*(?!\w)")
_CLAUSE_END = re.compile(r"\W*(?:$|[.,;:?!]|\b(?:und|oder|and|or)\b)")
_MOST_OTHERS = 4
"""Other translations of a word that are looked for."""

Parts = tuple[tuple[str, ...], ...]
"""Of each part of a word its translations, the best first."""


@dataclass(frozen=True, slots=True)
class Gloss:
    """A question word by word in another language.

    `also` gives for a word of `text` others that it may be as well, and `words` has those of
    `text` that are not as they were typed, function words left out.
    """

    text: str
    also: tuple[tuple[str, tuple[str, ...]], ...] = ()
    words: tuple[str, ...] = ()


def gloss(
    question: str,
    source: str,
    target: str,
    holds: Callable[[str], bool],
    like: Callable[[str], str | None] = lambda word: None,
    is_word: Callable[[str], bool] = lambda word: False,
) -> Gloss | None:
    """Return a question in `target`, None where there is no table of the two languages.

    Of the translations of a word the first is taken that the documents hold (`holds`), else the
    first. A word that no table and no document has is a word from Latin or Greek that they spell
    otherwise or that one of theirs is `like`, else it stays as it was typed; `is_word` knows words
    of English.

    >>> found = gloss("Wer gründete die Stadt?", "de", "en", lambda word: word != "city")
    >>> found.text, found.words, found.also
    ('who found the town?', ('found', 'town'), (('found', ('establish',)),))
    """
    if not is_known(source, target):
        return None
    question = romance.apart(question, source)
    out, last = "", 0
    also: dict[str, tuple[str, ...]] = {}
    words: list[str] = []
    for start, end, parts in _units(question, source, target):
        typed = question[start:end]
        if source in romance.LANGUAGES and _is_name(question, start) and holds(typed):
            parts = ()
        out, last = out + question[last:start], end
        if not parts:
            alike = source in romance.LANGUAGES and target == "en" and typed.islower()
            instead = typed
            if alike and not (is_word(typed) and holds(typed)):
                instead = romance.in_english(typed, source, holds, is_word) or typed
            if instead == typed and not holds(typed):
                instead = _unknown(typed, source, target, holds, like)
            out += instead
            words += [instead] if instead != typed else []
            continue
        chosen = []
        for part in parts:
            best, *others = _held(part, holds)
            chosen.append(best)
            more = tuple(one for one in others if holds_all(one, holds))[:_MOST_OTHERS]
            if more and content_keys(best):
                also[best] = (*also.get(best, ()), *more)
        said = " ".join(chosen)
        out += said
        if fold(said) != fold(typed) and content_keys(said):
            words.append(said)
    return Gloss(_spaced(out + question[last:]), tuple(also.items()), tuple(dict.fromkeys(words)))


def _units(question: str, source: str, target: str) -> Iterator[tuple[int, int, Parts]]:
    """The words and phrases of a question with what they are in the other language."""
    known = table(source, target)
    found = list(_WORD.finditer(question))
    apart = _apart(question, found, target) if source == "de" else {}
    at = 0
    while at < len(found):
        for many in range(min(LONGEST_PHRASE, len(found) - at), 1, -1):
            start, end = found[at].start(), found[at + many - 1].end()
            if there := known.of(" ".join(question[start:end].split())):
                yield start, end, (there,)
                at += many
                break
        else:
            start, end = found[at].span()
            if at in apart:
                yield start, end, ((apart[at],) if apart[at] else (("",),))
            else:
                yield start, end, _parts(question, start, end, source, target)
            at += 1


def _parts(question: str, start: int, end: int, source: str, target: str) -> Parts:
    word = question[start:end]
    if source == "de":
        return german.translations(word, target)
    if source in romance.LANGUAGES:
        return (there,) if (there := romance.translations(word, source, target)) else ()
    there = () if _is_name(question, start) else english.translations(word, target)
    if not there or (_is_stop(word) and content_keys(there[0])):
        return (("",),) if there else ()  # "do" and "have" are no words to look for
    return (there,)


def _is_name(question: str, start: int) -> bool:
    return any(term.kind == "name" and term.start == start for term in terms(question))


def _is_stop(word: str) -> bool:
    return not content_keys(word)


def _unknown(
    word: str,
    source: str,
    target: str,
    holds: Callable[[str], bool],
    like: Callable[[str], str | None],
) -> str:
    """A word that no table has as the documents spell it; the word itself where they do not."""
    if source in romance.LANGUAGES and target == "en":
        spelled = romance.english_spellings(word, source)
    elif source == "de":
        spelled = german.english_spellings(word) if target == "en" else ()
    else:
        return like(word) or word
    if found := next(filter(holds, spelled), None):
        return found
    near = like(word) or next(filter(None, map(like, spelled[:_MOST_OTHERS])), None)
    heads = german.head(word, target) if source == "de" else ()
    return near or next(iter(_held(heads, holds)), word)


def _apart(
    question: str, found: Sequence[re.Match[str]], target: str
) -> dict[int, tuple[str, ...]]:
    """Verbs whose particle stands at the end of the clause, by place: the particle has ()."""
    there: dict[int, tuple[str, ...]] = {}
    for at, word in enumerate(found):
        particle = word.group().lower()
        if particle not in german.SEPARABLE or not _CLAUSE_END.match(question, word.end()):
            continue
        for before in range(at - 1, -1, -1):
            if verb := german.verb(particle, found[before].group(), target):
                there |= {before: verb, at: ()}
                break
    return there


def _held(options: Sequence[str], holds: Callable[[str], bool]) -> list[str]:
    """The translations, those first that the documents hold."""
    if not content_keys(" ".join(options)):
        return list(options)
    return sorted(options, key=lambda one: not holds_all(one, holds))


def holds_all(phrase: str, holds: Callable[[str], bool]) -> bool:
    """Whether the documents hold all words of a phrase but function words."""
    return all(holds(term.form) for term in terms(phrase) if term.kind != "stop")


def _spaced(text: str) -> str:
    return re.sub(r"\s+([?!.,;:])", r"\1", " ".join(text.split()))
