"""What kind of answer a question wants, and whether a text holds something of that kind (pure)."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from enum import StrEnum

from core.text.terms import Term, fold
from core.text.word_lists import MONTHS


class Wanted(StrEnum):
    """The expected type of the answer."""

    TIME = "time"
    NUMBER = "number"
    PLACE = "place"
    PERSON = "person"
    REASON = "reason"
    DEFINITION = "definition"
    OTHER = "other"


_PATTERNS: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        Wanted.NUMBER,
        re.compile(
            r"\bhow (?:many|much|long|far|old|large|big|tall|high|deep|fast|often|wide|heavy)\b"
            r"|\b(?:what|which) (?:\w+ ){0,2}(?:percent|percentage|number|amount|proportion|"
            r"fraction|ratio|population|price|cost|age|rate|temperature|distance|size)\b"
            r"|\b(?:wie ?viele?|wieviel\w*|wie (?:lange|hoch|groß|alt|weit|oft|schnell|tief)|"
            r"wie viel|welche[rsn]? (?:anzahl|prozentsatz|anteil))\b"
            r"|\bcombien\b|\bcu[aá]nt[oa]s?\b|\bquant[oiea]s?\b|\bhoeveel\b|\bc[aâ]te?\b|\bcâți\b"
            r"|сколько|какое количество|какой процент|πόσ[αοεη]|\bkaç\b|ne kadar|\bكم\b|多少|[几幾]"
        ),
    ),
    (
        Wanted.TIME,
        re.compile(
            r"\bwhen\b|\b(?:what|which) (?:\w+ ){0,2}(?:year|date|day|month|century|decade|time)\b"
            r"|\bwann\b|\bwelche[mnsr]? (?:jahr\w*|tag|datum|monat|jahrzehnt)\b|\bquand\b"
            r"|quelle (?:année|date)|\bcuándo\b|qué (?:año|fecha|día|mes|siglo)|\bquando\b"
            r"|que ano|\bwanneer\b|\bcând\b|\bce an\b|когда|как(?:ом|ой) (?:году|год|веке|дата)"
            r"|πότε|ποι[αο] (?:χρονιά|έτος|ημερομηνία)|ne zaman|hangi (?:yıl|tarih)|متى|أي عام"
            r"|أي سنة|何时|什么时候|[哪何]一?年|什么时间"
        ),
    ),
    (Wanted.REASON, re.compile(r"\bwhy\b|\bwarum\b|\bweshalb\b|pourquoi|por qué|perché|\bwaarom\b"
                               r"|почему|γιατί|\bneden\b|\bniçin\b|لماذا|为什么|为何|\bde ce\b")),
    (Wanted.PLACE, re.compile(
        r"\bwhere\b|\b(?:what|which) (?:\w+ )?(?:city|country|state|place|region|location|town)\b"
        r"|\bwo\b|\bwoher\b|\bwohin\b|\boù\b|\bdónde\b|\bonde\b|\bdove\b|\bwaar\b|\bunde\b|\bгде\b"
        r"|откуда|куда|\bπού\b|nerede|أين|哪里|何处|在哪|哪个(?:城市|国家)")),
    (Wanted.PERSON, re.compile(
        r"\bwho(?:m|se)?\b|\bwer\b|\bwen\b|\bwem\b|\bwessen\b|\bqui\b|\bquiéne?s?\b|\bquem\b|\bchi\b"
        r"|\bwie\b(?= (?:is|was|heeft))|\bcine\b|\bкто\b|\bкого\b|\bкем\b|\bποι(?:ος|οι|ον)\b"
        r"|\bkim(?:ler|in)?\b|谁|誰")),
    (Wanted.DEFINITION, re.compile(
        r"^\W*(?:what (?:is|are|was|were)|what does .* (?:mean|stand for)|define|was (?:ist|sind)|"
        r"qu'est-ce que?|qué (?:es|son)|o que é|что такое|τι είναι)\b"
        r"|什么是|是什么|nedir\b|ما ه[وي]")),
)  # fmt: skip

_CAUSE = re.compile(
    r"\bbecause\b|\bdue to\b|\bsince\b|\btherefore\b|\bso that\b|\bin order to\b|\bcaused?\b"
    r"|\breasons?\b|\bresult|\bas a\b|\bweil\b|\bdenn\b|\bwegen\b|\bdamit\b|\bum\b.*\bzu\b"
    r"|\baufgrund\b|parce qu|\bcar\b|porque|debido|perché|потому|из-за|поскольку|διότι|επειδή"
    r"|λόγω|çünkü|nedeniyle|لأن|بسبب|因为|由于",
    re.I,
)
_COPULA = re.compile(
    r"\b(?:is|are|was|were|refers?|means?|denotes?|called|known as|defined|ist|sind|heißt|"
    r"bezeichnet|est|sont|es|son|é|são|è|sono)\b|—|–|это|является|είναι|[是即]"
)
_NUMBER_WORDS = frozenset(
    fold(word)
    for word in (
        "one two three four five six seven eight nine ten eleven twelve dozen hundred hundreds "
        "thousand thousands million millions billion billions trillion half third quarter twice "
        "percent once zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert tausend "
        "millionen milliarden prozent hälfte drittel viertel deux trois quatre cinq six sept huit "
        "neuf dix cent mille millions milliards moitié tiers dos tres cuatro cinco seis siete "
        "ocho nueve diez cien ciento mil millones mitad tercio due tre quattro cinque sei sette "
        "otto nove dieci cento mila milioni metà dois três quatro sete oito dez milhões metade "
        "два две три четыре пять шесть семь восемь девять десять сто тысяч миллионов половина "
        "δύο τρεις τρία τέσσερα τέσσερις πέντε έξι επτά οκτώ εννέα δέκα εκατό χιλιάδες "
        "εκατομμύρια iki üç dört beş altı yedi sekiz dokuz on yüz bin milyon milyar yarı yüzde"
    ).split()
)
_ERA = frozenset(
    fold(word)
    for word in (
        "century centuries decade decades monday tuesday wednesday thursday friday saturday "
        "sunday ago yesterday jahrhundert jahrhunderts jahren siècle siglo século secolo века "
        "веке век году года αιώνα yüzyıl yılında عام سنة القرن"
    ).split()
)
_MONTHS = frozenset(fold(month) for month in MONTHS)
_CJK_NUMBER = re.compile(r"[一二三四五六七八九十百千万亿两]")
_CJK_TIME = re.compile(r"[年月日]|世纪")


def wanted(question: str) -> Wanted:
    """The expected type of the answer to `question`.

    >>> wanted("In what year did Tesla die?").value, wanted("Wer war das?").value
    ('time', 'person')
    """
    folded = question.casefold()
    for kind, pattern in _PATTERNS:
        if pattern.search(folded):
            return kind
    return Wanted.OTHER


def holds(kind: Wanted, text: str, found: Sequence[Term], asked: Collection[str]) -> bool:
    """Whether `text`, whose terms are `found`, holds something of `kind` that is not `asked`.

    `asked` are the keys of the question's own terms: they cannot be the answer.
    """
    fresh = [term for term in found if term.key not in asked]
    if kind is Wanted.TIME:
        return bool(_CJK_TIME.search(text)) or any(_is_time(term) for term in fresh)
    if kind is Wanted.NUMBER:
        return bool(_CJK_NUMBER.search(text)) or any(
            term.kind == "number" or fold(term.form) in _NUMBER_WORDS for term in fresh
        )
    if kind in (Wanted.PLACE, Wanted.PERSON):
        return any(term.kind == "name" for term in fresh)
    if kind is Wanted.REASON:
        return bool(_CAUSE.search(text))
    if kind is Wanted.DEFINITION:
        return bool(_COPULA.search(text))
    return bool(fresh)


def _is_time(term: Term) -> bool:
    if term.kind == "number":
        return len(term.key) in (3, 4) and term.key.isdigit() and 100 <= int(term.key) <= 2150
    return fold(term.form) in _MONTHS or fold(term.form) in _ERA
