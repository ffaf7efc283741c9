"""What kind of answer a question wants, and whether a text holds something of that kind (pure)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from enum import StrEnum

from core.answering.extractive.question.happenings import names_happening
from core.answering.extractive.question.measures import AGE
from core.answering.extractive.spans import DATE, DURATION, HOUR_WORDS, MONEY, spans_of
from core.text.terms import Term, content_keys, fold, folded_words, terms
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


STRICT = (Wanted.TIME, Wanted.NUMBER, Wanted.PERSON)
"""Types that a text clearly has or has not."""
_TELL = (
    r"(?:please )?(?:can you |could you )?(?:explain|describe|tell me (?:more |something )?about)"
    r"(?! (?:how|why|what|wh?en|where|which|who)\b)"
)
"""What asks for a definition, and for more than that."""

_IN_WHICH_CASE = (
    r" (?:(?:should|would|do|can|might) (?:i|we|you|one|people)|to) (?:use|choose|prefer|pick)\b"
)
"""What follows a "when" that asks for no date: "when should I use a mean"."""

_PATTERNS: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    (
        Wanted.NUMBER,
        re.compile(
            r"\bhow (?:many|much|long|far|old|large|big|tall|high|deep|fast|often|wide|heavy"
            r"|loud)\b"
            r"|\b(?:what|which) (?:\w+ ){0,2}(?:percent|percentage|number|amount|proportion|"
            r"fraction|ratio|population|price|cost|age|rate|temperature|distance|size)\b"
            r"|\bwhat (?:is|are|was|were) .* set to\b"
            r"|\b(?:wie ?viele?|wieviel\w*"
            r"|wie (?:lange?|hoch|gro(?:ß|ss)|alt|weit|oft|schnell|tief|schwer|laut|breit|dick)|"
            r"wie viel|welche[rsn]? (?:anzahl|prozentsatz|anteil|temperatur|menge))\b"
            r"|\bcombien\b|\bcu[aá]nt[oa]s?\b|\bquant[oiea]s?\b|\bhoeveel\b|\bcâte?\b|^\W*cate?\b|\bcâți\b"
            r"|сколько|какое количество|какой процент|πόσ[αοεη]|\bkaç\b|ne kadar|\bكم\b|多少|[几幾]"
        ),
    ),
    (
        Wanted.TIME,
        re.compile(
            rf"\bwhen\b(?!{_IN_WHICH_CASE})"
            r"|\b(?:what|which) (?:\w+ ){0,2}(?:year|date|day|month|century|decade|time)\b"
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
        r"|\bwo\b|\bwoher\b|\bwohin\b|\boù\b|\bdónde\b|\bonde\b|^\W*(?:e )?dove\b"
        r"|\bwaar\b|\bunde\b|\bгде\b|откуда|куда|\bπού\b|nerede|أين|哪里|何处|在哪|哪个(?:城市|国家)")),
    (Wanted.PERSON, re.compile(
        r"\bwho(?:m|se|s)?\b|\bwer\b|\bwen\b|\bwem\b|\bwessen\b|\bqui\b|\bquiéne?s?\b|\bquem\b"
        r"|^\W*(?:e )?chi\b|\bwie\b(?= (?:is|was|heeft)\b)|\bcine\b"
        r"|\bкто\b|\bкого\b|\bкем\b|\bποι(?:ος|οι|ον)\b|\bkim(?:ler|in)?\b|谁|誰")),
    (Wanted.DEFINITION, re.compile(
        r"^\W*(?:what(?:'?s| is| are| was| were)"
        r"|what (?:(?:exactly|precisely|really|actually) )?do(?:es)? .* "
        r"(?:mean|stand for|do)\b|define|"
        rf"{_TELL}|"
        r"was (?:ist|sind|bedeute[nt]|hei(?:ss|ß)t|meint man mit|versteht man unter)|wofür steht"
        r"|que signifie|qué significa|qu'est-ce que?|qué (?:es|son)|o que é|что такое|τι είναι)\b"
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
_NUMBER_WORDS = folded_words(  # without "on", "due", "sei", "bin", "once": common words elsewhere
    "one two three four five six seven eight nine ten eleven twelve dozen hundred hundreds "
    "thousand thousands million millions billion billions trillion half third quarter twice "
    "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty "
    "sixty seventy eighty ninety single several few none "
    "percent zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert tausend "
    "millionen milliarden prozent hälfte drittel viertel deux trois quatre cinq six sept huit "
    "neuf dix cent mille millions milliards moitié tiers dos tres cuatro cinco seis siete "
    "ocho nueve diez cien ciento mil millones mitad tercio tre quattro cinque sette "
    "otto nove dieci cento mila milioni metà dois três quatro sete oito dez milhões metade "
    "два две три четыре пять шесть семь восемь девять десять сто тысяч миллионов половина "
    "δύο τρεις τρία τέσσερα τέσσερις πέντε έξι επτά οκτώ εννέα δέκα εκατό χιλιάδες "
    "εκατομμύρια iki üç dört beş altı yedi sekiz dokuz yüz milyon milyar yarı yüzde"
)
_ERA = folded_words(
    "century centuries decade decades monday tuesday wednesday thursday friday saturday "
    "sunday ago yesterday jahrhundert jahrhunderts jahren siècle siglo século secolo века "
    "веке век году года αιώνα yüzyıl yılında عام سنة القرن"
)
_MONTHS = folded_words(*MONTHS)
_VERBS = frozenset({"may", "march"})
"""Written small, they are no months."""
_OFFICES = folded_words(
    "chief executive financial operating technology information legal officer officers ceo cfo "
    "coo cto president chairman chairwoman chair director directors board management manager "
    "committee company corporation group inc department office secretary treasurer counsel "
    "mayor minister council government audit senior vice head"
)
"""What is written as a name is and is nobody's: "the Chief Executive Officer of the Company"."""
_CJK_NUMBER = re.compile(r"[一二三四五六七八九十百千万亿两]")
_FREE = re.compile(
    r"(?:^|[|:]\s*|\b(?:is|are|be|was|were|for|always|also|completely|entirely|and|or)\s)free\b"
    r"(?! (?:of|from)\b)|\bfree (?:of (?:charge|cost)|admission|entry|entrance)\b"
    r"|\b(?:kostenlos|gratis|no (?:fee|charge|cost))\b",
    re.I,
)
"""What says that nothing is to be paid: not "free of pests"."""
_DEARNESS = re.compile(
    r"\b(?:(?:in)?expensive|costly|pricey|cheap(?:er|est)?|affordable|teuer|günstig|billig)\b",
    re.I,
)
"""What says how dear something is where no price is given."""
_IT = re.compile(r"\W*(?:it|they|this|these|that|those|es|sie|er|das|dies\w*)\b", re.I)
_HOLDER = re.compile(
    r"\b(?:who(?:['’]?s| is| was)|wer (?:ist|war)) (?:[\w'’]+ ){0,2}?(?P<office>mayor|president"
    r"|minister|king|queen|chairman|captain|c[efot]o|boss|director|manager|treasurer|editor"
    r"|bürgermeister(?:in)?|geschäftsführer(?:in)?"
    r"|chef(?:in)?)\b"
)
_ASKED_FOR = (
    r"^\W*(?!(?:what|was)(?:['’]?s| is| ist) (?:an?|eine?) )(?:(?:and|so|ok),? )?"
    r"(?:(?:what|which|was|wie)(?:['’]?s| is| are| ist| lautet)? |is there "
    r"|(?:do|does|has|have) (?:\w+ ){1,3}?have |(?:give|tell|show) me |can i (?:have|get) )?"
    r"(?:(?!(?:is|are|was|were|do|does|did|can|will|has|have|how|when|where|who|why|whose|many"
    r"|much|of|on|in|for|by|to|with|from|about|if)\b)[\w'’.-]+ ){0,3}?"
)
"""What stands before the thing that a question asks for: "what's the", "Ana's", nothing."""
_NOTHING_BUT = (
    r"(?=\W*$| \(| (?:please|bitte|of|der|des|vo[nm]|für|for|at|to|in|i|we|you|do|does|should|can"
    r"|could|must)\b)"
)
_PHONE = "(?:(?:tele)?phone|mobile|fax|hotline|telefon|handy)"
_CONTACTS = (
    (
        re.compile(
            rf"{_ASKED_FOR}{_PHONE}(?:[- ]?nu\w+)?{_NOTHING_BUT}"
            rf"|^\W*{_PHONE}[- ]?nu\w+(?: [\w.-]+){{1,4}}\W*$"
            r"|\bwhat number\b.*\bcall\b|\bhow (?:do|can) (?:i|we) call\b",
        ),
        re.compile(
            r"(?<![\w.,/$€£-])(?!\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\b)(?!\d+[.,]\d\d?(?!\d))"
            r"(?=(?:\D{0,3}\d){6})\+?\(?\d[\d()/ .–-]{4,}\d(?![\w%€$£])(?<!\d{3}-\d{3})"
        ),
    ),
    (
        re.compile(rf"{_ASKED_FOR}e-?mails?(?: addr\w+)?{_NOTHING_BUT}"),
        re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    ),
    (
        re.compile(rf"{_ASKED_FOR}(?:web ?(?:site|page)|homepage|url)(?: addr\w+)?{_NOTHING_BUT}"),
        re.compile(
            r"\bhttps?://[^\s)>\]]*[^\s)>\].,;]|(?<![@\w.])(?:[\w-]+\.)+(?:com|org|net|edu|gov|io|eu|de|uk)\b"
        ),
    ),
)
"""How somebody can be reached, by what is asked for, and what a text that says it has."""
_WHEN = r"\b(?:when|(?:what|which) year|wann|in welchem jahr)\b.*"
_SAID_SO = (
    (
        re.compile(rf"{_WHEN}\b(?:founded|gegründet)\b"),
        re.compile(
            r"\b(?:found(?:ed|ing|ation|er)|establish|incorporat|formed|formation|creat|set up"
            r"|beg[aiu]n|start|origin|since|inception|launch|organi[sz]ed|opened|charter|built"
            r"|dat(?:es|ed|ing) (?:back|from)|gegründet|gründ|seit)",
            re.I,
        ),
    ),
    (
        re.compile(rf"{_WHEN}\b(?:born|birth|geboren)\b"),
        re.compile(r"\b(?:born|birth|geb(?:\.|oren)|b\.)|\([^()]*\d{4}\s*[–—-]|\*\s?\d", re.I),
    ),
    (
        re.compile(
            r"\bhow many (?:\w+ )?(?:people|persons|residents|inhabitants)\b.*\bliv(?:e|ing)\b"
            r"|\b(?:what|how (?:big|large|high))\b.{0,20}\bpopulation\b"
            r"|\bwie ?viele (?:menschen|leute|personen)\b.*\b(?:leben|wohnen)\b"
            r"|\bwie ?viele einwohner\b"
        ),
        re.compile(
            r"\b(?:populat|inhabit|resident|resid(?:e|es|ed|ing)\b|souls\b|census|dwell|households"
            r"|liv(?:e|es|ed|ing)\b|home (?:to|of)\b|einwohner|bevölkerung|leb(?:en|ten)\b"
            r"|wohn(?:en|ten)\b)",
            re.I,
        ),
    ),
)
"""When something began, and how many live somewhere: what a text that says so has."""
# Who did it need not have a name: "built by the guild of net makers".
_AGENT = re.compile(
    r"\b(?:\w+ed|borne|bought|built|chosen|done|drawn|found|given|held|kept|led|made|met|paid|run"
    r"|sent|set|sold|taken|taught|won|written)\b[^.,;]{0,30}?"
    r"\bby (?:the|an?|his|her)\s",
    re.I,
)
_MEASURE = re.compile(
    r"\bhow (?:long|often|far|old|much|many|late|soon)\b|\bwie (?:lange|oft|weit|alt|spät)\b", re.I
)
_MEANING = re.compile(
    r"(?<=\w )(?:mean|stand for|bedeuten)(?=\W*$)"
    r"|(?<=\w )(?:mean|bedeuten) (?:exactly|precisely|really|actually|genau)(?=\W*$)"
    r"|(?<=\bwhat )(?:exactly|precisely|really|actually)\b|(?<=\bwas )(?:genau|eigentlich)\b"
    rf"|^\W*(?:define|{_TELL}"
    r"|was (?:bedeute[nt]|hei(?:ss|ß)t"
    r"|meint man mit|versteht man unter)|wofür steh(?:t|en))\b",
    re.I,
)
"""What only asks for the meaning of what stands beside it."""
_HOW_MANY_THERE_ARE = re.compile(
    r"(?<=\bare the )(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) "
    r"(?=[a-z])"
    r"|(?<=\bsind die )(?:\d{1,2}|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf) "
    r"(?=\w)",
    re.I,
)
"""The number of what is asked for: "the 4 seasons" are "the four seasons" and "the seasons"."""
_TELLS = re.compile(rf"\W*{_TELL}\b", re.I)
_ADVICE = re.compile(
    r"^\W*(?:(?:so|and|but|ok|then),? )*(?:should|shall|ought) (?:i|we|one)\b"
    r"|\b(?:would|do|can) (?:you|u) (?:buy|recommend|advise|suggest)\b"
    r"|\b(?:is|are) .*\b(?:worth (?:it|buying|reading)|a buy"
    r"|a (?:good|bad) (?:buy|idea|investment))\b"
    r"|^\W*(?:und )?soll(?:te)?n? (?:ich|wir|man)\b",
    re.I,
)
_ADVISES = re.compile(
    r"\b(?:should|must|ought|recommend\w*|advis\w+|suggest\w*|never|avoid\w*|prefer\w*|better"
    r"|do not|don't|discourag\w+|encourag\w+|worth|soll(?:te)?n?|empf\w+|besser|nie(?:mals)?)\b",
    re.I,
)
_TITLED = re.compile(r"\b(?:Mr|Mrs|Ms|Dr|Prof|Sir|Dame|Frau|Herr|Mme)\.?\s[^\W\d_a-zß-ÿ]")
_CODE_BEHIND = re.compile(r"(?:\S+ )?(?=[A-Z]*[a-z]?\d)(?=\w*[A-Za-z])\w+")
"""The code of a thing with its name: "Zenith K40"."""
_PART_OF_COMPOUND = re.compile(r"-[a-zß-ÿ]")
_INTO = re.compile(r"\b(?:in|at|near|into|im|nach|près de|à|en)\s+(?:the\s+)?$", re.I)
_YEAR = re.compile(r"(?!..00)(?:19|20)\d\d")
_ONE_ONLY = re.compile(r"\b(?:an?|one|only)\s+$", re.I)
_CENTURY = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)[\s-]century\b|\b\d{1,2}\. Jahrhundert", re.I)
_EARLY_YEAR = re.compile(
    r"\b(?:in|since|until|around|about|by|from|year|AD|im Jahre?|seit|um|anno|en|vers) [1-9]\d\d\b"
    r"(?! \w+s\b)|\bAD [1-9]\d{0,2}\b|\b[1-9]\d{0,2} (?:AD|BC|CE|BCE|[nv]\. ?Chr)"
)
"""A year of three digits, which else count something."""
_CLOCK = re.compile(
    r"\b\d{1,2}(?:[:.]\d\d)?\s?(?:[ap]\.?m\b|o['’]clock\b|uhr\b)"
    rf"|\b{HOUR_WORDS} (?:o['’]clock|uhr)\b"
    r"|\b(?:[01]?\d|2[0-3]):[0-5]\d\b"
    r"|\b(?:noon|midnight|mittags?|mitternacht)\b",
    re.I,
)
_SPELL = (
    "(?:day|week|month|quarter|year|hour|minute|monday|tuesday|wednesday|thursday|friday|saturday"
    "|sunday|tag|woche|monat|jahr|stunde)"
)
_FEW = (
    r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|\w+ßig|\w+zig|ein\w*|zwei|drei"
    r"|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf)"
)
TERM = re.compile(
    r"\b(?:(?:erste|zweite|dritte|vierte|fünfte|letzte|(?:über)?nächste)[nrms]?|\d{1,2}\.)\s+(?:\w+\s+)?"
    rf"(?:werk|arbeits|kalender|bank|lebens)?{_SPELL}\w*\b"
    rf"|\b{_FEW}\s+{_SPELL}\w*\s+(?:after|before|nach|vor)\b"
    rf"|\b(?:first|second|third|fourth|last|\d{{1,2}}(?:st|nd|rd|th))\s+(?:\w+\s+)?{_SPELL}s?\b"
    r"|\b(?:in|during|by) (?:the )?(?:early |late )?(?:morning|afternoon|evening|spring|summer"
    r"|autumn|winter)s?\b|\bat (?:night|bedtime)\b"
    r"|\bim (?:Frühling|Frühjahr|Sommer|Herbst|Winter)\b"
    rf"|\b(?:every|each|jede[nrsm]?)\s+(?:\w+\s+)?{_SPELL}\w*\b|\b(?:daily|weekly|monthly|yearly)\b"
    rf"|\b(?:within|after|before|from|innerhalb von|nach|binnen|ab)\s+{_FEW}\s+"
    rf"(?:(?:to|bis)\s+{_FEW}\s+|\w+\s+)?{_SPELL}\w*\b",
    re.I,
)
"""A day that comes again, and a time that is counted from another: "within six weeks"."""
_CJK_TIME = re.compile(r"[年月日]|世纪")
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+", re.I)


_CONJUNCTIONS = frozenset({"when", "quand", "quando"})
_ASKS = re.compile(r"\b(?:what|which|who|whom|whose|where|why|how|qui|que|quoi|quel\w*|où)\b")
_ASKS_BEHIND = re.compile(r",\s*(?:what|which|who|whom|whose|where|why|how|qui|quel\w*|où)\b")
MADE = (
    "(?:invent|found|creat|discover|develop|design|establish|introduc|wrote|written|writer|author"
    "|compos|paint|direct|built|build|propos|coin|c[ao]me up with|(?:thought|dream(?:ed|t)) up)"
)
OFFICE = (
    "(?:ceo|cfo|coo|cto|president|chair(?:man|woman|person)?|director|manager|mayor|minister|king"
    "|queen|leader|head|owner|editor|captain|winner|wife|husband|mother|father|architect)"
)
_PRICE = re.compile(
    r"\bhow much (?:is|are|was|were|do|does|did|will)\b.*\b(?:fees?|costs?|price|pay|paid|earn"
    r"|salary|rent|charge\w*|spen[dt]|owe|tax)\b|\bhow much (?:money|cash)\b"
    r"|\bhow much (?:is|are|was|were) (?:(?:an?|one) \w+(?: \w+)?|it|that|this|they|these|those)"
    r"(?: there| here| again)?\W*(?:\(|$)"
    r"|\bwhat(?:['’]?s| is| was) the (?:price|cost) of (?:an?|one)\b"
    r"|\bwhat (?:do|does|did) .*\bcosts?\b"
    r"|\b(?:do|does|did|will) .*\bcosts? (?:\w+ )?(?:anything|something|money|extra)\b"
    r"|\b(?:kostet|kosten) .*\b(?:etwas|was|geld|extra)\b"
    r"|\b(?:was|wie ?viel) (?:kostet|kosten|kostete)\b"
    r"|\bwie (?:teuer|hoch .*(?:preis|miete|gebühr))"
    r"|\bwie ?viel (?:geld|euro)\b"
)
_AGE_ASKED = re.compile(r"\bhow old (?:is|are|was|were)\b|\bwie alt (?:ist|sind|war|waren)\b")
_SINCE_WHEN = re.compile(
    r"\b(?:born|birth|found\w*|establish\w*|built|opened|launch\w*|since|dat(?:es|ing|ed)|ages?"
    r"|cent\w+|geboren|geb\.|gegründet|gebaut|erbaut|eröffnet|seit|alter|jahrhundert\w*)\b",
    re.I,
)
"""What tells how old somebody or something is without an age."""
_HOW_MANY = re.compile(r"\b(?:how many|wie ?viele?)\b", re.I)
_HOW_MUCH = re.compile(r"\bhow much (?:is|are|was|were)\b", re.I)
OF_MONEY = frozenset(content_keys("cost costs price pay paid charge worth kostet kosten preis"))
"""Words that only say that an amount of money is asked for."""
_AMOUNT_ASKED = re.compile(
    r"\bhow much\b|\bcosts?\b|\bprice\b|\bpa(?:y|id|ying)\b|\bworth\b|\brevenue\b|\bfees?\b"
    r"|\bkoste\w*|\bpreis\w*|\bteuer\b|\bwie ?viel (?:geld|euro)\b",
    re.I,
)
_WHO_IS_NAMED = re.compile(
    r"\W*(?:(?:and|so|ok|but|und),? )*"
    r"(?:who(?:'?s| is| was| are| were)|wer (?:ist|war|sind|waren)) "
    r"(?P<name>[\w.'’-]+(?: [\w.'’-]+){0,3}?)\W*",
    re.I,
)
_NO_NAME = re.compile(
    r"\b(?:the|an?|in|on|at|it|that|this|these|those|there|here|s?he|they|them|we|you|your|my|his|her"
    r"|their|our|to|not|also|of|for|by|from|with|behind|about|allowed|responsible|eligible|chief|next"
    r"|first|last|der|die|das|den|dem|er|sie|es|im|am|von|f[uü]r)\b|\w(?:ed|ing|ible|able|ers?)\b",
    re.I,
)
_INSISTING = {
    Wanted.PERSON: re.compile(
        rf"\bwho (?:\w+ )?{MADE}"
        rf"|\bwho(?:'?s| is| was| are| were) (?:\w+ ){{0,2}}?(?:{MADE}|{OFFICE}\b)"
        r"|\bwer (?:hat .*)?(?:er|ge)(?:fand|fund|gründet|schrieben|baut)"
        r"|\bwer (?:ist|war) (?:\w+ ){0,2}?(?:bürgermeister|geschäftsführer|chef)(?:in)?\b"
    ),
    Wanted.TIME: re.compile(
        r"\b(?:what|which) (?:\w+ ){0,2}(?:year|date|century|decade)\b"
        rf"|\bwhen (?:was|were) .*\b(?:born|{MADE}\w*|signed|opened|completed|released)\b"
        r"|\bwelche[mnsr]? (?:jahr\w*|datum|jahrzehnt)\b|\bwann (?:wurde|ist) "
    ),
    Wanted.NUMBER: re.compile(
        r"\bhow many\b|\b(?:what|which) (?:\w+ ){0,2}(?:percent|percentage|population|price)\b"
        rf"|{_PRICE.pattern}|\bwie ?viele\b|{_AGE_ASKED.pattern}"
    ),
}
"""Questions of each kind that no description answers."""


def wanted(question: str) -> Wanted:
    """The expected type of the answer to `question`.

    >>> wanted("In what year did Tesla die?").value, wanted("Wer war das?").value
    ('time', 'person')
    """
    if _asks_who_a_name_is(question):
        return Wanted.DEFINITION
    folded = question.casefold()
    for kind, pattern in _PATTERNS:
        if any(not _joins_a_clause(found, folded) for found in pattern.finditer(folded)):
            return kind
    return Wanted.OTHER


def _asks_who_a_name_is(question: str) -> bool:
    """Whether what somebody was is asked for, not who: "who was Ada Lovelace?"."""
    found = _WHO_IS_NAMED.fullmatch(question)
    if found is None or _NO_NAME.search(found["name"]):
        return False
    name = found["name"]
    if re.search(rf"\b{OFFICE}\b", name, re.I):
        return False
    return " " in name or name[0].isupper()


def insists(question: str) -> bool:
    """Whether nothing but a person, a date or a count can answer `question`.

    "Who invented it?" wants a name; "who may vote?" is answered by a description too.

    >>> insists("Who is the inventor of BM25?"), insists("Who may vote?")
    (True, False)
    """
    pattern = _INSISTING.get(wanted(question))
    asked = pattern is not None and pattern.search(question.casefold()) is not None
    return asked or contact(question) is not None or asks_price(question)


def _joins_a_clause(found: re.Match[str], question: str) -> bool:
    """Whether a "when" asks for no time: "who led it when ..." or "when it rains, what ..."."""
    if found.group() not in _CONJUNCTIONS:
        return False
    return bool(
        _ASKS.search(question, 0, found.start()) or _ASKS_BEHIND.search(question, found.end())
    )


def holds(kind: Wanted, text: str, found: Sequence[Term], asked: Collection[str]) -> bool:
    """Whether `text`, whose terms are `found`, holds something of `kind` that is not `asked`.

    `asked` are the keys of the question's own terms: they cannot be the answer.
    """
    fresh = [term for term in found if term.key not in asked]
    if kind is Wanted.TIME:
        patterns = (_CJK_TIME, _CENTURY, _CLOCK, TERM, _EARLY_YEAR)
        return any(pattern.search(text) for pattern in patterns) or any(
            _is_time(term) for term in fresh
        )
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


def states(kind: Wanted, text: str, asked: Collection[str]) -> bool:
    """Whether `text` can answer a question of `kind`: as `holds`, and more exactly.

    An abbreviation, a month and what stands behind "in" are no person; a year, the digit of a name
    ("B2B") and "the single-file form" count nothing.
    """
    found = terms(_ADDRESS.sub(" ", text))
    if kind is Wanted.PERSON:
        if _AGENT.search(text) or _TITLED.search(text):
            return True
        found = list(_maybe_people(text, found))
    elif kind is Wanted.PLACE:
        found = [term for term in found if fold(term.form) not in _MONTHS]
    elif kind is Wanted.NUMBER:
        found = [
            term
            for term in found
            if not (_YEAR.fullmatch(term.form) or text[: term.start][-1:].isalpha())
            and (term.form.casefold() != "single" or _ONE_ONLY.search(text, 0, term.start))
        ]
    return holds(kind, text, found, asked)


def _maybe_people(text: str, found: Sequence[Term]) -> Iterator[Term]:
    """The terms without abbreviations, months, and places: "in Albuquerque, New Mexico"."""
    place_end = -1
    for term in found:
        if term.kind == "name":
            if _PART_OF_COMPOUND.match(text, term.end) or _CODE_BEHIND.match(text, term.start):
                continue  # "the Rutgers-led team", "the Zenith K40"
            begins = _INTO.search(text, 0, term.start) is not None
            if begins or (place_end >= 0 and text[place_end : term.start].strip(" ") in ("", ",")):
                place_end = term.end
                continue
            if term.form[1:].isupper() or fold(term.form) in _MONTHS | _OFFICES:
                continue
        yield term


def asked_keys(question: str) -> set[str]:
    """Return the keys of the words of a question, without those that only ask: "how long".

    >>> sorted(asked_keys("how long is the lease?")), sorted(asked_keys("the long lease"))
    (['leas'], ['leas', 'long'])
    >>> asked_keys("what does a lien mean?") == asked_keys("Was bedeutet Lien?") == {"lien"}
    True
    >>> asked_keys("what does a lien mean exactly?"), sorted(asked_keys("what are the 4 seasons?"))
    ({'lien'}, ['season'])
    """
    plain = _HOW_MANY_THERE_ARE.sub("", _MEASURE.sub(" ", question))
    return set(content_keys(_MEANING.sub(" ", plain)))


def asks_for_more(question: str) -> bool:
    """Return whether a question wants to be told of something, and not only what it is.

    >>> asks_for_more("tell me about BM25"), asks_for_more("define BM25")
    (True, False)
    """
    return _TELLS.match(question) is not None


def asks_advice(question: str) -> bool:
    """Return whether a question wants to be told what to do.

    >>> asks_advice("should i buy the stock?"), asks_advice("When should a form be sent?")
    (True, False)
    """
    return _ADVICE.search(question) is not None


def advises(text: str) -> bool:
    """Return whether a text tells what to do.

    >>> advises("Never unpickle data from a stranger."), advises("The stock rose in May.")
    (True, False)
    """
    return _ADVISES.search(text) is not None


def asks_price(question: str) -> bool:
    """Return whether a question asks what something costs.

    >>> asks_price("How much does a scan cost?"), asks_price("How much does it rain?")
    (True, False)
    """
    return _PRICE.search(question.casefold()) is not None


def says_price(question: str, text: str) -> bool:
    """Return whether a price is asked for and a text says one, or how dear it is without.

    >>> says_price("How much does a scan cost?", "Scans are expensive where there are any.")
    True
    """
    if not asks_price(question):
        return False
    if MONEY.search(text) or _FREE.search(text):
        return True
    about = _IT.match(text) or set(content_keys(question)) & set(content_keys(text))
    return bool(about) and _DEARNESS.search(text) is not None


def asks_amount(question: str) -> bool:
    """Return whether an amount of money may be asked for.

    >>> asks_amount("what did they pay"), asks_amount("how many paid"), asks_amount("how long")
    (True, True, False)
    """
    return _AMOUNT_ASKED.search(question) is not None


def says_amount(question: str, text: str) -> bool:
    """Return whether how much something is, is asked for, and a text has an amount of money.

    >>> says_amount("how much is the fine", "The fine is £90."), says_amount("how long", "£90")
    (True, False)
    """
    return _HOW_MUCH.search(question) is not None and MONEY.search(text) is not None


def names_what_is_asked(question: str, text: str) -> bool:
    """Whether `text` speaks of the price, the office, the beginning or the inhabitants asked for.

    A price is an amount of money or says that there is none; a telephone number is one; who holds
    an office is said with it; when something was founded, somebody born, or how many live there, is
    said as that or in other words for it.

    >>> names_what_is_asked("How much is the fee?", "The fee depends on section 330.")
    False
    >>> names_what_is_asked("Who is the mayor?", "Jo Reed became mayor in May.")
    True
    >>> names_what_is_asked("How many people live there?", "It trains 900 people.")
    False
    """
    folded = question.casefold()
    if asks_price(question):
        return says_price(question, text)
    if asks_age(question):
        return says_age(text)
    for asked, said in _SAID_SO:
        if asked.search(folded):
            return said.search(text) is not None
    if shape := contact(question):
        return shape.search(text) is not None
    office = _HOLDER.search(folded)
    return office is None or not names_happening(office["office"])[1].isdisjoint(content_keys(text))


def asks_age(question: str) -> bool:
    """Return whether a question asks how old somebody or something is."""
    return _AGE_ASKED.search(question.casefold()) is not None


def says_age(text: str) -> bool:
    """Return whether a text says how old something is, or since when it is there.

    >>> says_age("Jo is 40 years old."), says_age("Jo took over on 1 March 2025.")
    (True, False)
    """
    return AGE.search(text) is not None or _SINCE_WHEN.search(text) is not None


def asks_count(question: str) -> bool:
    """Return whether a question asks how many there are.

    >>> asks_count("How many dogs are there?"), asks_count("How much is it?")
    (True, False)
    """
    return _HOW_MANY.search(question) is not None


def countable(question: str, text: str) -> str:
    """Return a text without the amounts, durations and dates that are not counted for "how many".

    >>> countable("how many dogs are there", "They pay 30 euros for 2 dogs.")
    'They pay   for 2 dogs.'
    """
    if not _HOW_MANY.search(question):
        return text
    asked = set(content_keys(question))
    for form in (MONEY, DURATION, DATE):
        for start, end in reversed(spans_of(form, text)):
            if asked.isdisjoint(content_keys(text[start:end])):
                text = f"{text[:start]} {text[end:]}"
    return text


def contact(question: str) -> re.Pattern[str] | None:
    """Return what the number or the address looks like that a question asks for, None without.

    >>> pattern = contact("what's the phone number?")
    >>> bool(pattern and pattern.search("Call 0800 555 210.")), contact("how many people?")
    (True, None)
    """
    folded = question.casefold()
    return next((said for asked, said in _CONTACTS if asked.search(folded)), None)


def _is_time(term: Term) -> bool:
    if term.kind == "number":
        return len(term.key) == 4 and term.key.isdigit() and 1000 <= int(term.key) <= 2150
    is_month = fold(term.form) in _MONTHS and term.form not in _VERBS
    return is_month or fold(term.form) in _ERA
