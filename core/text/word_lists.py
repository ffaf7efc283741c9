"""Word lists for splitting sentences and reading questions in several languages (pure data).

They improve precision; texts in other languages are processed without them.
"""

from __future__ import annotations

import unicodedata


def _set(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


def _bare(word: str) -> str:
    """The word without accents."""
    apart = unicodedata.normalize("NFKD", word).casefold()
    return "".join(ch for ch in apart if not unicodedata.combining(ch))


ABBREVIATIONS = _set(
    "mr mrs ms dr prof rev v mt gen col maj capt cpt lt sgt cmdr adm gov sen rep hon supt messrs",
    "vs eg ie cf approx ca figs eqs chap vols nos nr pp eds repr dept univ assn ave blvd rd",
    "jan feb apr jun jul aug sep sept oct nov mon tue wed thu fri avg viz ibid refs resp",
    # German
    "bzw evtl ggf vgl zb dh ua uä bspw hrsg jh jhd geb gest gegr dipl mio mrd tel abb bd anm",
    "inkl zzgl abs sog",
    # French, Spanish, Italian, Portuguese, Dutch
    "mme mlle mm env sra srta dra ud uds pág págs núm av ej sig sigg dott pag pagg bijv blz mevr",
    # Russian, Greek, Turkish, Romanian, Polish
    "в вв н э им ул др тыс млн млрд руб стр рис см напр проф акад т п д πχ βλ κ κα δρ αρ σελ",
    "vb yy dk doç bkz örn dl dna tzn tj np itd itp ul",
)
"""Abbreviations whose dot does not end a sentence, without dots, in lower case."""

SOFT_ABBREVIATIONS = _set(
    "st etc inc ltd co corp llc plc jr sr al bros usw г гг pres ft ges evtl inkl zzgl mind exkl"
)
"""As `ABBREVIATIONS`, but often the last word of a sentence: the next word decides."""

NUMBERED_ABBREVIATIONS = _set(
    "c no nos art fig eq sec ch vol est min max ed op p pp s abs kap bd nr dec mar sat sun may ref",
    "fr frs ffr sfr bfr hfl rs kr skr nkr dkr ptas",
)
"""Words that are abbreviations only before a number."""

MONTHS = _set(
    "january february march april may june july august september october november december",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "gennaio febbraio aprile maggio giugno luglio agosto settembre ottobre dicembre",
    "janeiro fevereiro março maio junho julho setembro outubro novembro dezembro",
    "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie",
    "decembrie ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
    "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    "январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре",
    "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου",
    "οκτωβρίου νοεμβρίου δεκεμβρίου يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر",
    "نوفمبر ديسمبر",
)

STOP_WORDS = _set(
    # English
    "a an the this that these those it its he she they them his her their we you i my your our",
    "is are was were be been being am do does did done has have had having will would shall should",
    "can could may might must of in on at by for from to with into onto as than then and or but if",
    "not no nor so such there here what which who whom whose when where why how about many much",
    "name named called any some all each also between among during s t d ll re ve please tell me",
    "give describe explain according us up out off over",
    "isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't won't wouldn't",
    "can't cannot couldn't shouldn't mustn't isnt arent wasnt werent dont doesnt didnt havent",
    "hasnt hadnt wont wouldnt cant couldnt shouldnt mustnt i'm i've i'll i'd you're you've",
    "you'll you'd we're we've we'll we'd they're they've they'll they'd he'll he'd she'll",
    "she'd it'll it'd that'll there'll",
    # German
    "der die das den dem des ein eine einer eines",
    "einem einen und oder aber ist sind war waren wird",
    "werden wurde wurden hat haben hatte hatten in im an",
    "am auf aus bei mit nach von vom zu zum zur",
    "für über unter um durch als wie was wer wen wem wessen wo wann warum welche welcher welches",
    "welchen welchem viele viel es er sie man sich nicht auch so dass ob wodurch womit wofür worin",
    "ich du wir ihr mich dich uns euch ihm ihn ihnen mein meine meinen meinem meiner dein deine",
    "sein seine seinen seinem seiner ihre ihren ihrem ihrer unser unsere unseren kein keine keinen",
    "keinem keiner dieser diese dieses diesen diesem jeder jede jedes jeden jedem kann kannst",
    "können könnte könnten muss musst müssen darf darfst dürfen soll sollen sollte sollten möchte",
    "worauf woran wozu woher wohin woraus wobei wonach wieviel wieviele beim nur noch schon sehr",
    "wenn weil dann damit dafür davon dazu daran darauf darin dabei hier dort etwas",
    # French
    "le la les l un une des du de d et ou est sont était étaient a ont dans en au aux par pour sur",
    "avec que qui quoi quel quelle quels quelles où quand comment pourquoi combien ce cette ces il",
    "elle ils elles se ne pas y son sa ses leur leurs",
    # Spanish, Portuguese, Italian
    "el los las lo unos unas del al y o es son era eran fue fueron ha han había por para con sin",
    "sobre qué quién quiénes cuál cuáles cuándo dónde cómo cuánto cuántos cuánta cuántas que se su",
    "sus no en o os as um uma da do das dos",
    "na no nas nos ao à com como quem qual quais quando onde",
    "quanto quantos foi foram são il i gli uno di che chi cosa quale quali dove perché è sono nel",
    "nella dal dalla sul sulla e si",
    # Dutch, Romanian
    "het een van op te met voor zijn wordt werd",
    "wie wat waar wanneer waarom hoe welke hoeveel și sau",
    "este sunt a au fost fi în din pe la cu de",
    "care ce cine când unde cum cât câți câte cui lui ale",
    "al ai prin pentru o un unei unui s-a cel cea mai",
    # Slovenian
    "je se kdo koga kaj kdaj kje kako koliko zakaj čemu kateri katera katero katere kakšen",
    "kakšna kakšno bil bila bilo bili sta",
    # Russian
    "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее из от был",
    "была были было быть есть кто где когда",
    "почему сколько какой какая какое какие каком какого каких",
    "какую какую чем чего чему это этот эта эти их о об для при до или ли",
    # Greek
    "ο η το οι τα του της των τον την τις τους και ή είναι ήταν σε στο στη στην στον στα στις από",
    "με για που τι ποιος ποια ποιο ποιοι ποιες πότε",
    "πού γιατί πώς πόσο πόσα πόσοι πόσες ένα μια ένας",
    "θα να δεν ως κατά ποιον ποια ποιου",
    # Turkish
    "ve veya ile bir bu şu o da de mi mı",
    "mu mü için gibi kadar ne kim kime kimin nerede nereye neden",
    "nasıl hangi kaç olan olarak olduğu oldu nedir kimdir midir ise daha",
    # Arabic
    "في من على إلى عن مع هو هي هم ما ماذا متى أين كيف لماذا كم أي هل الذي التي الذين و أو كان كانت",
    "أن إن هذا هذه ذلك تلك لا لم قد تم بين عند",
)
"""Function words and question words, in lower case; they carry no content."""

ENGLISH_WORDS = _set("ale care cat comment con dove era hat man met par pour sin son van war")
"""Those of other languages that say something in English."""

IRREGULAR = {
    form: line.split()[0]
    for line in (
        "pay paid", "buy bought", "sell sold", "build built", "make made", "give gave given",
        "take took taken", "go went gone", "come came", "become became", "begin began begun",
        "write wrote written", "win won", "lose lost", "find found", "keep kept", "leave left",
        "meet met", "lead led", "hold held", "stand stood", "bring brought", "teach taught",
        "think thought", "catch caught", "fight fought", "seek sought", "say said", "tell told",
        "know knew known", "grow grew grown", "fall fell fallen", "rise rose risen",
        "speak spoke spoken", "break broke broken", "choose chose chosen", "drive drove driven",
        "eat ate eaten", "fly flew flown", "get got gotten", "hear heard", "hide hid hidden",
        "lay laid", "lend lent", "mean meant", "run ran", "see saw seen", "send sent",
        "shoot shot", "show shown", "sing sang sung", "sink sank sunk", "sleep slept",
        "spend spent", "steal stole stolen", "throw threw thrown", "wear wore worn",
        "bear bore borne", "draw drew drawn", "feel felt", "swim swam swum", "forget forgot",
        "beat beaten", "forbid forbade forbidden", "withdraw withdrew withdrawn", "shrink shrank",
        "drink drank drunk", "ride rode ridden", "strike struck",
    )
    for form in line.split()
}  # fmt: skip
"""English verbs whose forms no stem brings together, by their base form."""

AUXILIARIES = _set("is are was were be been being has have had will can may must should did does")
"""English auxiliary verbs."""

DENYING_NOUNS = _set(
    "no none neither kein keine keiner keinen keinem keines keinerlei aucun aucune ningún ninguna",
    "nessun nessuna nenhum nenhuma",
)
"""Negations that stand before a noun and deny what is said of it."""

NEGATIONS = _set(
    "not no never none neither nor nobody nothing nowhere without cannot hardly",
    "nicht kein keine keiner keinen keinem keines keinerlei nie niemals ohne weder noch nichts",
    "niemand ne pas jamais aucun aucune sans rien personne no nunca ningún ninguna nadie nada sin",
    "jamás non mai nessun nessuna nulla senza não nunca",
    "nenhum nenhuma sem ninguém niet geen nooit zonder",
    "не нет ни никогда никто ничего без δεν μην",
    "ούτε ποτέ χωρίς κανένας κανένα değil yok hiç olmadan",
    "nu niciodată niciun nicio fără لا لم لن ليس غير دون بدون",
)
"""Words that turn a statement into its opposite."""

SOFT_NEGATIONS = _set(
    "avoid avoids avoided avoiding unable difficult fail fails failed lack lacks lacked free",
    "refuse refuses refused prevent prevents prevented unlikely rarely seldom impossible unless",
    "vermeiden vermeidet kaum selten unmöglich verhindert éviter évite rarement evitar evita",
)
"""Words that may say in other words what a negation says: "avoid it" and "do not use it"."""

AVOIDING = _set(
    "avoid avoids avoided avoiding refrain refrains instead rather",
    "vermeiden vermeidet vermeide éviter évite évitez evitar evita evite evitare",
)
"""Words that say what is not done: "avoid it", "this rather than that"."""

STARTERS = _set(
    "the in it he she they this these that those a an however but and on at for from as we you his",
    "her its their when while after before since if there some most many both by to thus other",
    "der die das ein eine es er sie le la les il elle el los las",
)
"""Words that often begin a sentence, in lower case."""

GERMAN_ORDINAL_BEFORE = _set(
    "am im vom zum zur bis ab seit den der die das dem des beim einem einer und"
)
"""Words before a German ordinal number ("am 7. Januar")."""

GERMAN_ORDINAL_AFTER = _set(
    "jahrhundert jahrhunderts jahrhunderte jh jahrtausend",
    "weltkrieg weltkriegs auflage platz kapitel",
)
"""Nouns that follow an ordinal number with a dot."""

CONTINUING = _set(
    "it he she they this these that those such his her its their him them one both here there then",
    "also another other similarly however therefore thus moreover furthermore",
    "er sie es dies diese dieser dieses jener seine ihre ihr sein dabei damit dort dazu dann auch",
    "il elle ils elles ce cette ces cela son sa ses leur leurs él ella ellos ellas este esta estos",
    "estas esto su sus también ele ela eles elas isso isto lui lei essi questo questa questi",
    "он она оно они это этот эта эти его ее их там также αυτός αυτή αυτό αυτοί αυτές αυτά bu",
    "bunlar onlar وهو وهي هذا هذه كما el ea ei acest această acestea aceasta hij zij het deze dit",
)
"""Words that refer to the previous sentence when they begin one, in lower case."""

_COUNTING = (
    ("0", "zero zeros zeroes null zéro cero"),
    ("2", "two zwei deux dos due dois twee два две doua"),
    ("3", "three drei trois tres tre três drie три trei"),
    ("4", "four vier quatre cuatro quattro quatro четыре patru"),
    ("5", "five fünf cinq cinco cinque vijf пять cinci"),
    ("6", "six sechs seis sei zes шесть șase"),
    ("7", "seven sieben sept siete sette sete zeven семь șapte"),
    ("8", "eight acht huit ocho otto oito восемь opt"),
    ("9", "nine neun neuf nueve nove negen девять nouă"),
    ("10", "ten zehn dix diez dieci dez tien десять zece"),
    ("11", "eleven elf onze once undici одиннадцать"),
    ("12", "twelve zwölf douze doce dodici doze twaalf двенадцать"),
    ("13", "thirteen dreizehn treize trece tredici treze dertien тринадцать"),
    ("14", "fourteen vierzehn quatorze catorce quattordici quatorze veertien четырнадцать"),
    ("15", "fifteen fünfzehn quinze quince quindici quinze vijftien пятнадцать"),
    ("16", "sixteen sechzehn seize dieciséis sedici dezesseis zestien шестнадцать"),
    ("17", "seventeen siebzehn diecisiete diciassette zeventien семнадцать"),
    ("18", "eighteen achtzehn dieciocho diciotto dezoito achttien восемнадцать"),
    ("19", "nineteen neunzehn diecinueve diciannove dezenove negentien девятнадцать"),
    ("20", "twenty zwanzig vingt veinte venti vinte twintig двадцать"),
    ("30", "thirty dreißig trente treinta trenta тридцать"),
    ("40", "forty vierzig quarante cuarenta quaranta сорок"),
    ("50", "fifty fünfzig cinquante cincuenta cinquanta пятьдесят"),
    ("60", "sixty sechzig soixante sesenta sessanta"),
    ("70", "seventy siebzig setenta settanta"),
    ("80", "eighty achtzig ochenta ottanta"),
    ("90", "ninety neunzig noventa novanta"),
    ("100", "hundred hundert cent cien ciento cento honderd сто"),
    ("1000", "thousand tausend mille mil mila duizend тысяча"),
)
NUMBER_VALUES = {
    form: value
    for value, line in _COUNTING
    for word in line.split()
    for form in (word, _bare(word))
}
"""Number words as digits, with and without their accents; words that are articles as well ("one",
"ein", "un") are left out."""

_ORDINALS = (
    ("3", "third dritte dritten dritter drittes troisième tercero tercera tercer terzo terza"),
    ("4", "fourth vierte vierten vierter viertes quatrième cuarto cuarta quarto quarta"),
    ("5", "fifth fünfte fünften fünfter fünftes cinquième quinto quinta"),
    ("6", "sixth sechste sechsten sechster sechstes sixième sexto sexta sesto sesta"),
    ("7", "seventh siebte siebten siebter siebtes septième séptimo séptima settimo settima"),
    ("8", "eighth achte achten achter achtes huitième octavo octava ottavo ottava"),
    ("9", "ninth neunte neunten neunter neuntes neuvième noveno novena nono nona"),
    ("10", "tenth zehnte zehnten zehnter zehntes dixième décimo décima decimo decima"),
    ("11", "eleventh elfte elften elfter elftes onzième"),
    ("12", "twelfth zwölfte zwölften zwölfter zwölftes douzième"),
    ("13", "thirteenth"), ("14", "fourteenth"), ("15", "fifteenth"), ("16", "sixteenth"),
    ("17", "seventeenth"), ("18", "eighteenth"), ("19", "nineteenth"), ("20", "twentieth"),
    ("30", "thirtieth"),
)  # fmt: skip
ORDINAL_VALUES = {_bare(word): value for value, line in _ORDINALS for word in line.split()}
"""Ordinals from the third on as digits, without accents: the first and the second have more
meanings than one."""

_MONTHS_IN_ORDER = (
    "january jan januar janvier enero gennaio janeiro ianuarie января январе ocak",
    "february feb februar février fevrier febrero febbraio fevereiro februarie февраля феврале",
    "march mar märz mars marzo março martie марта марте",
    "april apr avril abril aprile aprilie апреля апреле nisan",
    "may mai mayo maggio maio мая мае mayıs",
    "june jun juni juin junio giugno junho iunie июня июне haziran",
    "july jul juli juillet julio luglio julho iulie июля июле temmuz",
    "august aug août agosto августа августе ağustos",
    "september sep sept septembre septiembre settembre setembro septembrie сентября сентябре eylül",
    "october oct oktober okt octobre octubre ottobre outubro octombrie октября октябре ekim",
    "november nov novembre noviembre novembro noiembrie ноября ноябре kasım",
    "december dec dezember dez décembre diciembre dicembre dezembro decembrie декабря декабре",
)
MONTH_NUMBERS = {
    _bare(word): number for number, line in enumerate(_MONTHS_IN_ORDER, 1) for word in line.split()
}
"""The names of the months, without accents, as their numbers."""

AMBIGUOUS_MONTHS = frozenset({"may", "mai", "march", "mars", "august", "ocak", "ekim"})
"""Names of months that are other words too: they are read as months in dates only."""

SCALE_VALUES = {
    word: power
    for power, line in (
        (3, "thousand thousands k tausend mille mila mil milliers тысяч"),
        (6, "million millions m mio millionen millones milioni milhoes миллион миллионов млн"),
        (
            9,
            "billion billions bn b mrd milliarde milliarden milliard milliards miliardi миллиардов",
        ),
        (12, "trillion trillions tn"),
    )
    for word in line.split()
}
"""Words after a number that scale it, without accents, as powers of ten."""

UNITS = {
    word: unit
    for unit, line in (
        ("%", "% percent prozent pourcent"),
        ("points", "points punkte"),
        ("$", "$ us$ usd dollar dollars"), ("€", "€ eur euro euros"), ("£", "£ gbp pounds"),
        ("¥", "¥ jpy yen"), ("chf", "chf francs franken"),
        ("mm", "mm millimeter millimeters millimetre millimetres"),
        ("cm", "cm centimeter centimeters centimetre centimetres zentimeter"),
        ("km", "km kilometer kilometers kilometre kilometres kilometern"),
        ("meters", "meter meters metre metres metern"), ("feet", "feet foot ft"),
        ("inches", "inch inches"), ("miles", "mile miles meilen"), ("mg", "mg milligram"),
        ("g", "g gram grams gramm"), ("kg", "kg kilogram kilograms kilogramm"),
        ("tons", "ton tons tonne tonnes tonnen"), ("ml", "ml milliliter milliliters"),
        ("l", "l liter liters litre litres"), ("ms", "ms millisecond milliseconds millisekunden"),
        ("seconds", "s sec secs seconds sekunden"), ("minutes", "min mins minute minutes minuten"),
        ("hours", "h hour hours stunden stunde"), ("days", "day days tage tagen jours"),
        ("weeks", "week weeks wochen"), ("months", "month months monate monaten mois"),
        ("years", "year years jahre jahren ans anos"), ("kb", "kb kilobytes"),
        ("mb", "mb megabytes"), ("gb", "gb gigabytes"), ("tb", "tb terabytes"),
        ("°c", "°c celsius"), ("°f", "°f fahrenheit"), ("kw", "kw kilowatts"),
        ("mw", "mw megawatts"), ("kwh", "kwh"), ("mwh", "mwh"), ("hz", "hz"), ("mhz", "mhz"),
    )
    for word in line.split()
}  # fmt: skip
"""Units as they stand beside a number, in lower case, by one name for all of their spellings."""

FALLING = (
    r"\bdecreas", r"\bdeclin", r"\bfell\b", r"\bfall", r"\bdrop", r"\bloss", r"\blost\b",
    r"\breduc", r"\bdown\b", r"\bmissing\b", r"\bshort", r"\black", r"\bdeficit",
    r"\bfehl", r"\bminus\b", r"\bnegative", r"\bbelow\b", r"\bless\b", r"\blower",
    r"\bshr[aiu]nk",
    r"\bsank|\bgesunken|\bverlust|\brückgang|\bperte|\bbaisse|\bpérdida",
)  # fmt: skip
"""Beginnings of words that say in words what a minus sign says."""

GOING_UP = (
    r"\bincreas\w*", r"\bros(?:e|en)\b", r"\bris(?:e|es|en|ing)\b", r"\bgr[eo]w\w*", r"\bgain\w*",
    r"\bclimb\w*", r"\bstieg\b|\bgestiegen|\banstieg|\bzunahme|\bhausse",
)  # fmt: skip
GOING_DOWN = (
    r"\bdecreas\w*", r"\bdeclin\w*", r"\bfell\b", r"\bfall(?:s|en|ing)?\b", r"\bdrop\w*",
    r"\breduc\w*", r"\bshr[aiu]nk\w*", r"\bsank\b|\bgesunken|\brückgang|\bbaisse",
)  # fmt: skip
"""Words for a change upwards and downwards."""

SCALES = _set(
    "thousand thousands million millions billion billions trillion bn mio mrd tausend millionen",
    "millionen milliarde milliarden millones milliers milliard milliards mila milioni miliardi",
    "mil milhões тысяч миллион миллионов миллиард миллиардов",
    "χιλιάδες εκατομμύρια bin milyon milyar",
)
"""Words that scale a number."""

BOTH_WAYS = _set(
    "married marries marry divorced met meets meet borders border bordered adjoins neighbours",
    "neighbors equals equal resembles resemble merged merge differs differ differed cooperated",
    "collaborated adjacent alike heirateten heiratete traf grenzt épousa rencontra",
)
"""Words of which both sides may change places: "Peru borders Chile", "Chile borders Peru"."""

OPPOSITES = (
    ("increase", "decrease"), ("increased", "decreased"), ("increases", "decreases"),
    ("rise", "fall"), ("rose", "fell"), ("rises", "falls"), ("grew", "shrank"),
    ("more", "less"), ("more", "fewer"), ("most", "least"), ("higher", "lower"),
    ("highest", "lowest"), ("high", "low"), ("better", "worse"), ("best", "worst"),
    ("larger", "smaller"), ("largest", "smallest"), ("longer", "shorter"),
    ("before", "after"), ("above", "below"), ("first", "last"), ("always", "never"),
    ("maximum", "minimum"), ("true", "false"), ("allowed", "forbidden"), ("win", "lose"),
    ("won", "lost"), ("success", "failure"), ("positive", "negative"), ("north", "south"),
    ("east", "west"), ("northern", "southern"), ("eastern", "western"), ("male", "female"),
    ("internal", "external"), ("profit", "loss"), ("early", "late"), ("earlier", "later"),
    ("oldest", "youngest"), ("older", "younger"), ("possible", "impossible"), ("legal", "illegal"),
    ("father", "mother"), ("son", "daughter"), ("brother", "sister"), ("husband", "wife"),
    ("left", "right"), ("upper", "lower"), ("open", "closed"), ("bought", "sold"),
    ("buyer", "seller"), ("lender", "borrower"), ("employer", "employee"), ("export", "import"),
    ("strong", "weak"), ("hot", "cold"), ("warm", "cold"), ("wet", "dry"), ("hard", "soft"),
    ("heavy", "light"), ("fast", "slow"), ("faster", "slower"), ("cheap", "expensive"),
    ("winter", "summer"), ("mandatory", "optional"), ("required", "optional"),
    ("with", "without"), ("all", "none"), ("everyone", "nobody"), ("like", "unlike"),
    ("mehr", "weniger"), ("höher", "niedriger"), ("größer", "kleiner"), ("vor", "nach"),
    ("stieg", "sank"), ("immer", "nie"), ("erste", "letzte"), ("alle", "keine"),
)  # fmt: skip
"""Pairs of words that say the opposite of each other, in lower case."""

OPPOSITE_VERBS = (
    ("accept", "reject"), ("accept", "decline"), ("accept", "refuse"), ("approve", "reject"),
    ("allow", "forbid"), ("allow", "prohibit"), ("allow", "ban"), ("permit", "forbid"),
    ("permit", "prohibit"), ("permit", "ban"), ("include", "exclude"), ("add", "remove"),
    ("support", "oppose"), ("strengthen", "weaken"), ("enable", "disable"), ("confirm", "deny"),
    ("encourage", "discourage"), ("gain", "lose"), ("win", "lose"), ("open", "close"),
    ("raise", "lower"), ("expand", "shrink"), ("increase", "reduce"), ("increase", "decrease"),
    ("begin", "end"), ("start", "stop"), ("enter", "leave"), ("join", "leave"),
    ("attract", "repel"), ("absorb", "emit"), ("praise", "criticise"), ("praise", "criticize"),
    ("love", "hate"), ("remember", "forget"), ("succeed", "fail"), ("beat", "lose"),
    ("accelerate", "slow"), ("import", "export"), ("buy", "sell"), ("lend", "borrow"),
    ("genehmigen", "ablehnen"), ("bewilligt", "abgelehnt"), ("genehmigt", "abgelehnt"),
    ("erlaubt", "verboten"), ("steigt", "sinkt"), ("gewann", "verlor"), ("kauft", "verkauft"),
)  # fmt: skip
"""Pairs of verbs that say the opposite of each other, in any form."""
