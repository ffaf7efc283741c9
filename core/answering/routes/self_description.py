"""The sentences in which a document says what it is, what it found, or what its tables hold."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from core.answering.extractive.sentences.quotable import (
    is_caption,
    is_caption_number,
    is_quotable,
)
from core.answering.routes.names import name_words, without_site
from core.text.sentences import Sentence, SentenceKind, split_sentences
from core.text.terms import content_keys, terms
from core.types import Document, Page

_READ = 60_000  # characters from the beginning in which a document says what it is
_PAGES = 25
_ABSTRACT = re.compile(
    r"\W*(?:\d+\W+)?(?:(?P<whole>(?:executive )?summary|abstract|highlights|kurzfassung"
    r"|zusammenfassung|résumé)|overview|introduction|purpose|about(?: [\w.&-]+){0,3}"
    r"|scope|background|überblick|einleitung|einführung|zweck|resumen|sommario|introducción"
    r"|(?:part \w+ )?(?:item 1\W+)?(?:description of )?(?:the |our )?(?:business|company)"
    r"(?: (?:overview|profile|description))?|who we are|über uns|wer wir sind)"
    r"(?: (?:of|to|dieses|dieser) .{1,40})?\W*",
    re.I,
)
_CONCLUSIONS = tuple(
    re.compile(rf"\W*(?:(?:[\d.]+|[ivx]+)\W+)?{title}\W*", re.I)
    for title in (
        r"(?:(?:summary|discussions?|results) and )?(?:conclusions?|concluding remarks)"
        r"(?: and .{1,40})?|fazit|schluss(?:folgerung(?:en)?|betrachtung)?",
        r"(?:(?:main|key|principal) )?findings|(?:executive )?summary|zusammenfassung",
        r"discussion|abstract",
    )
)
"""Headings below which a work says what it found, the surest first."""
_LEANING = re.compile(
    r"(?:for (?:instance|example)|so|however|moreover|furthermore|therefore|thus|hence|but|also"
    r"|and|then|we do (?:this|that|so)|\w+ly(?=,)"
    r"|in (?:addition|particular|fact|contrast|other words|short)(?=,)"
    r"|zum beispiel|jedoch|daher|außerdem)\b",
    re.I,
)
"""What a sentence opens with that says little without the one before it."""
_WHEN = re.compile(r"(?:in|on|for) (?!(?:this|our)\b|[a-z]+(?:ics|gy|try), an? )[\w ]{3,70},", re.I)
"""What leads on in the middle of a text; an article may open with it ("On Thursday, ...")."""
_PRONOUN = re.compile(
    r"(?:it(?! is \w+ that)|they|he|she|its|their|his|her|(?:these|those) (?:are|were|have|can)"
    r"|you|if you|your|please|take|er|sie|es|bitte)\b",
    re.I,
)
"""What opens a sentence that speaks of what was named before, or to the reader."""
_DEFINES = re.compile(
    r"\b(?:is|are|was|were|has become|ist|sind|war|waren|est|sont|es|son|è|é)\b(?: \w+ly)? "
    r"(?:an?|the|one|ein\w{0,2}|der|die|das|une?|una?|les?|las?|el)\b",
    re.I,
)
_WE_ARE = re.compile(r"we are (?:one of the|an?) ", re.I)
"""How a company says in its own report what it is."""
_OF_ITSELF = re.compile(
    r"(?<!\brest of )\b(?:(?:this|the|our|an? new|dies\w{1,2}|das|der|die|ce|cette|este|esta)\s"
    r"(?!rest\b)"
    r"(?:(?:(?!\ban?\b)[\w.§&\s-]){0,90}?\s)??"  # "the SEC has a website" is another's
    r"(?<!to )(?:document|paper|article|report|book|handbook|manual|guide|module|chapter|study"
    r"|thesis|page|post|package|library|policy|agreement|contract|presentation|tutorial|glossary"
    r"|dictionary|brochure|leaflet|website|specification|dokument|bericht|glossar"
    r"|handbuch|artikel|arbeit|studie|buch|vertrag|modul))\b.{0,80}?\b(?:describ\w+|explain\w*|present\w*"
    r"|establish\w*|provid(?:e|es|ed|ing)\b|cover\w*|introduc\w+|creat\w+|propos\w+|defin\w+|contain\w*"
    r"|implement\w*|supplies|explor\w+|discuss\w*|examin\w+|investigat\w+|review\w*"
    r"|show\w*|sets? out|beschreib\w+|erklär\w+|stell\w+|behandel\w+|enthält|regelt)\b"
    r"|(?:^|[,;:] )we (?:present|propose|introduce|describe|show|study)\b"
    r"|^in this (?:paper|article|report),? (?:we|i)\b"
    r"|\bwe\b.{0,80}\bin this (?:paper|article|report)\b"
    r"|\b(?:objective|purpose|aim|goal|focus)s? of (?:this|the|our) (?:\w+ )?(?:analysis|study"
    r"|report|paper|survey|assessment|work|review|guid\w+|article|research|project)\b",
    re.I | re.S,
)
_FORMAL = re.compile(
    r"forward-looking|\bpursuant\b|\bregistrant\b|\bcheck mark\b|\bcertif(?:y|ication)|\bexhibit\b"
    r"|\bcopyright\b|©|all rights reserved|\bsee also\b|\bclick\b|\bcookies?\b"
    r"|\btable of contents\b"
    r"|\bas used herein\b|\bset forth\b|\bthe terms?\b.{0,160}\bmeans?\b|\breferences (?:in|to)\b"
    r"|\bunless (?:the context|otherwise|explicitly)\b"
    r"|\bticker symbol\b|\bincorporated (?:in|under)\b"
    r"|\bforms? 10-?[kq]\b|\bsecurities\b|\bhereby\b|\bitem \d|\bpersonal use\b|\blicen[cs]e\b",
    re.I,
)
_ADDRESSES = re.compile(
    r"\W*(?:follow|see|watch|check out|read|download|subscribe|share|scroll|join|sign up"
    r"|question:|q:|note[:,]|disclaimer:|[\"“„]"
    r"|(?:hi|hello|dear)\b|i (?:need|want|have|am|was)\b|folgen sie|lesen sie)",
    re.I,
)
"""What speaks to readers, or for one of them."""
_LONGEST_SUBJECT = 10  # words
_EARLY = 3_000  # characters: here an article says what it is about, whatever its file is called
_EARLY_SHARE = 0.03  # of a long document: a report has its formalities first
_CLAUSE = re.compile(
    r"(?:if|once|when|where|as|because|while|then|finally|however|except|subject to|although|though"
    r"|wenn|falls|als|weil|dann|obwohl|nachdem)\b",
    re.I,
)
_SETTING = re.compile(
    r"(?:in|on|at|by|for|from|since|during|after|before|here|there|today|now|then|what|one of"
    r"|im|am|an|auf|bei|nach|seit|vor|auch|damals|heute|hier|dort|es|dies|this|that|it|wer|was)\b"
    r"[^,]*",
    re.I,
)
"""Where and when, before a verb: the sentence defines nothing."""
_BRACKETS = re.compile(
    r"\([^()]*\)|, (?:often|also|or|sometimes|commonly|usually|abbreviated|known as)\b[^,]{0,60},"
)
_TITLE_WORDS = 12
_LONG_TITLE = 4  # words of a title that a sentence hardly has all of by chance
_CENTRAL = 2.0
"""What a sentence counts more that has all the words that a document says most, others a part."""
_MOST_SAID = 10  # words
_OFTEN = 3  # times
_UNNAMED = 2.0
"""What one counts less that opens with "it", "they" or "you"."""
_TITLE = 2.0
_LEAST_WORTH = -1.5
_LEAST_FURTHER = 0.8
_LEAD = 0.8  # for the first sentence that is fit: what an article opens with
_ENDS = ".!?:;…。！？।؟”\"’'»)]"
_REFERENCES = re.compile(r"(?:\s?\[[\w ,-]{1,12}\])+$")
"""Marks of footnotes behind the full stop, as encyclopaedias have them."""
_NAMED_ROW = re.compile(r"[^|:\n]+: [^|]+(?: \| [^|:\n]+: [^|]+)+")
"""A row as those of CSV and JSON are read: "name: Jo | town: Graz"."""
_WORD = re.compile(r"\w+")
_NAMES = re.compile(r"\w[^\W\d_]|[^\W\d_]\w")
"""A letter beside another or a digit ("3M"); years and "10-K" name no subject."""
_OPENS = re.compile(r"[A-Z\"'“„]|[^\x00-\x7f]|\d+[A-Z]")
"""How a whole sentence begins; "3M" is a name."""


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence in which a document says what it is."""

    page: Page
    sentence: Sentence
    heading: str
    worth: float = 0.0


def self_description(document: Document, pages: Sequence[Page], most: int) -> list[Told]:
    """Return the sentences in which a document says best what it is, in their order."""
    candidates = list(_beginning(document, pages))
    if not candidates:
        return []
    best = max(candidates, key=lambda told: told.worth)
    if best.worth < _LEAST_WORTH:
        return []  # a form says what it is in its heading alone
    found, at = [best], candidates.index(best)
    for following in candidates[at + 1 : at + most]:
        same = following.page is best.page and following.heading == best.heading
        if (
            same
            and following.worth > _LEAST_FURTHER
            and not _LEANING.match(following.sentence.text)
        ):
            found.append(following)
    return found


def findings(pages: Sequence[Page], most: int) -> list[Told]:
    """Return the first sentences of the section in which a work concludes, [] without one."""
    sentences = [told for told in _prose(pages) if told.heading]
    for conclusion in _CONCLUSIONS:
        below = [told for told in sentences if conclusion.fullmatch(told.heading)]
        if below:
            own = next((n for n, t in enumerate(below) if _OF_ITSELF.search(t.sentence.text)), 0)
            return below[own : own + most]
    return []


def captions(pages: Sequence[Page], most: int) -> list[Told]:
    """Return the first captions of a document of tables, which say what these hold; else []."""
    read = [(page, one) for page in pages[:_PAGES] for one in split_sentences(page.text)]
    found: list[Told] = []
    for at, (page, one) in enumerate(read):
        if is_caption_number(one.text) and read[at + 1 : at + 2]:
            title = read[at + 1][1]  # "Table 1." ends as a sentence does
            span = page.text[one.start : title.end]
            found.append(Told(page, Sentence(one.start, title.end, span), ""))
        elif is_caption(one.text):
            found.append(Told(page, one, ""))
    rows = sum(one.kind is SentenceKind.ROW for _, one in read)
    of_tables = len(found) > 1 and 2 * rows > len(read)
    return found[:most] if of_tables else []


def columns(pages: Sequence[Page]) -> list[Told]:
    """Return a row that tells what a table holds: the first whose cells have names, else the
    header of a document that begins with a table; none without a table.
    """
    for page in pages[:1]:
        sentences = split_sentences(page.text)
        named = (one for one in sentences if _NAMED_ROW.fullmatch(one.text))
        first = next(named, None) or next(iter(sentences), None)
        if first is not None and first.kind is SentenceKind.ROW:
            return [Told(page, first, "")]
    return []


def _beginning(document: Document, pages: Sequence[Page]) -> Iterator[Told]:
    """The sentences at the beginning, each with how well it says what the document is."""
    subject = name_words(replace(document, title=without_site(document.title)))
    named = {key for key in content_keys(subject) if _NAMES.search(key)}
    glued = re.sub(r"[\W\d_]+", "", name_words(document).casefold())
    titled = set(content_keys(without_site(document.title)))
    read = pages[:_PAGES]
    lengths = accumulate((len(page.text) for page in read), initial=0)
    begins = {page.ordinal: begin for page, begin in zip(read, lengths, strict=False)}
    early = max(_EARLY, _EARLY_SHARE * sum(len(page.text) for page in pages))
    led = False
    said = _most_said(read)
    if named & said.keys():
        said = {}  # its name says what it is about
    for told in _prose(read):
        at = begins[told.page.ordinal] + told.sentence.start
        if at > _READ:
            return
        text = " ".join(told.sentence.text.split())
        worth = _worth(text, at, early, told.heading, named, glued)
        # "Here are the ten ways to fold a sail" under "The ten ways to fold a sail"
        keys = set(content_keys(told.sentence.text))
        if len(titled) >= _LONG_TITLE:
            worth += _TITLE * len(titled & keys) / len(titled)
        worth += _CENTRAL * sum(share for key, share in said.items() if key in keys)
        worth -= _UNNAMED * (_PRONOUN.match(told.sentence.text) is not None)
        leads = not led and worth >= _LEAST_WORTH
        worth -= 3.0 * (not leads and _WHEN.match(text) is not None)
        led = led or leads
        article = leads and not _OF_ITSELF.search(told.sentence.text)
        yield replace(told, worth=worth + _LEAD * article)


def _most_said(pages: Sequence[Page]) -> Mapping[str, float]:
    """The words that pages say most, each with its share in them: what they are about."""
    text = "\n".join(page.text for page in pages)[:_READ]
    named = (term.key for term in terms(text) if term.kind != "stop" and _NAMES.search(term.key))
    often = Counter(named).most_common(_MOST_SAID)
    found = [(key, count) for key, count in often if count >= _OFTEN]
    total = sum(count for _, count in found)
    return {key: count / total for key, count in found}


def _prose(pages: Sequence[Page]) -> Iterator[Told]:
    """The whole sentences of these pages, each once, with the heading that they stand under."""
    seen = set[str]()
    for page in pages:
        titles = sorted((h.offset, h.title) for h in page.headings)
        before: Sentence | None = None
        for sentence in split_sentences(page.text):
            last, before = before, sentence
            if last is not None and _is_cut(last) and not _begins(page, last, sentence):
                continue  # the rest of a sentence that a line end has cut
            words = _WORD.findall(sentence.text)
            key = " ".join(words).casefold()
            if key in seen or not _is_prose(sentence, words):
                continue
            seen.add(key)
            heading = next((t for o, t in reversed(titles) if o <= sentence.start), "")
            yield Told(page, sentence, heading)


def _is_cut(sentence: Sentence) -> bool:
    many = len(sentence.text.split()) > _TITLE_WORDS
    return many and sentence.kind is SentenceKind.PROSE and sentence.text[-1:] not in _ENDS


def _begins(page: Page, last: Sentence, sentence: Sentence) -> bool:
    """Whether it begins a paragraph. On a printed page an empty line may stand within one."""
    between = page.text[last.end : sentence.start]
    return page.number is None and "\n\n" in between and sentence.text[:1].isupper()


def _is_prose(sentence: Sentence, words: Sequence[str]) -> bool:
    text = _REFERENCES.sub("", sentence.text.strip())
    return bool(
        sentence.kind is SentenceKind.PROSE
        and 6 <= len(words) <= 70
        and (text[-1:] in ".!。！।" or (text[-1:] == ":" and _DEFINES.search(text, 0, 180)))
        and _OPENS.match(text) is not None
        and is_quotable(sentence)
        and sum(word[0].isupper() for word in words) <= 0.6 * len(words)
        and sum(any(ch.isdigit() for ch in word) for word in words) <= 0.3 * len(words)
    )


def _share(named: set[str], head: Sequence[str]) -> float:
    """How much of what is defined is the document's name: "the X trunk network" is no X."""
    return len(named & set(head)) / max(1, len(set(head)))


def _worth(text: str, at: int, early: float, heading: str, named: set[str], glued: str) -> float:
    """How well a sentence says what its document is: of itself or its name, and early."""
    words = _WORD.findall(text)
    opening = " ".join(words[:9])
    said = named & set(content_keys(text))
    joined = ("".join(words[n : n + 2]).casefold() for n in range(min(8, len(words) - 1)))
    # A word of a longer name ("Debian") is not yet its subject ("Debian Developer's Reference").
    subject = min(1.0, 2 * len(named & set(content_keys(opening))) / max(1, len(named)))
    if any(len(pair) > 7 and pair in glued for pair in joined) or _WE_ARE.match(text):
        subject = 1.0
    verb = _DEFINES.search(text, 0, 180)
    head = _BRACKETS.sub("", text[: verb.start()]) if verb else ""
    clause = (_CLAUSE.match(text) or _PRONOUN.match(text)) is not None
    defines = 0 < len(head.split()) <= _LONGEST_SUBJECT and not clause
    defines = defines and not _SETTING.fullmatch(head)
    worth = 2.0 * subject + (1.5 if at < early else 0.5) * defines + len(said) / max(1, len(named))
    share = 0.6 if _WE_ARE.match(text) else _share(named, content_keys(head))
    worth += 2.5 * subject * defines * share
    worth += 4.0 * (not clause and _OF_ITSELF.search(text) is not None)
    if found := _ABSTRACT.fullmatch(heading):
        worth += 4.0 if found["whole"] else 2.0
    unfit = bool(_FORMAL.search(text) or _ADDRESSES.match(text))
    half_quoted = text.count("“") > text.count("”") or text.count('"') % 2 == 1
    worth -= 3.0 * (bool(_LEANING.match(text)) or half_quoted) + 6.0 * unfit
    worth -= 1.0 * text.endswith(":")
    worth -= at > early and not found and not _OF_ITSELF.search(text)
    return worth - 0.6 * math.log2(1 + at / 1_500)
