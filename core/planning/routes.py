"""In which way a question is answered, decided before any search (pure).

Most questions are searched. A greeting is not, a question about whole documents or about their
authors is answered from their beginnings, a comparison from both of its sides, and a question about
the wording of the documents ("how many times", "where is X mentioned") by reading every passage.
What is to be computed from a table (`table_questions.py`) is, where one has the column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from core.planning.spelling import written_out


class Route(StrEnum):
    """The ways in which a question is answered."""

    SEARCH = "search"
    SMALLTALK = "smalltalk"
    OVERVIEW = "overview"
    AUTHORS = "authors"
    COMPARISON = "comparison"
    LEDGER = "ledger"
    TABLE = "table"


PARTS, FINDINGS = "parts", "findings"
"""What an overview may be asked for alone: the table of contents, or what a work concludes."""


class Smalltalk(StrEnum):
    """What a message that asks nothing says."""

    GREETING = "greeting"
    THANKS = "thanks"
    NOD = "nod"
    FAREWELL = "farewell"
    ABILITIES = "abilities"


@dataclass(frozen=True, slots=True)
class Routed:
    """A route with what it works on.

    `subjects` are the two sides of a comparison, the phrase that a ledger looks for, or the
    document that an overview or its authors are asked of (() is all of them). `aspect` is what a
    comparison compares ("total revenue"), or of an overview `PARTS` or `FINDINGS`, "" for the
    things themselves. `without` is a ledger of
    the documents that do not have the phrase. `scope` names the document that a ledger is to read
    ("" is all of them); of an overview or its authors it only may: where no document is called so,
    the question is searched.
    """

    route: Route = Route.SEARCH
    subjects: tuple[str, ...] = ()
    aspect: str = ""
    says: Smalltalk | None = None
    without: bool = False
    scope: str = ""


_OPENING = re.compile(
    r"^(?:(?:ok(?:ay)?|so|well|hey|hi|hello|please|pls|bitte|(?:can|could|would"
    r"|will) you(?: please)?"
    r"|(?:kannst|könntest) du|können sie|i(?: woul|')d like (?:to|you to)|let'?s"
    r"|i want(?: you)? to|in (?:one|a) sentence|in short|briefly|kurz)"
    r"[\s,.!:]+)+(?=\S)",
    re.I,
)
_CLOSING = re.compile(
    r"(?:[\s,]+(?:please|pls|plz|bitte|for me|in short|briefly|shortly|kurz|thanks|thank you"
    r"|danke))+$",
    re.I,
)

_GREETING = (
    r"hi+|hiya|hey+|hello+|hallo+|howdy|greetings|moin|servus|gr[uü][eß]zi|guten (?:tag|morgen"
    r"|abend)"
    r"|good (?:morning|afternoon|evening|day)|bonjour|bonsoir|salut|hola|buen[oa]s "
    r"(?:d[ií]as|tardes|noches)|ciao|buongiorno|olá|привет|здравствуйте|merhaba"
)
_HOW_ARE_YOU = (
    r"how are (?:you|u)(?: doing)?(?: today)?|how'?s it going|wie geht(?:'?s| es)(?: dir)?"
)
_THANKS = (
    r"(?:many |much )?(?:thanks|thank you|thank u|thx|ty)(?: (?:a lot|so much|very much|again|a ton"
    r"|for (?:that|this|the help|your help|the answer)))*|(?:vielen |besten |herzlichen )?dank(?:e"
    r"|eschön)?(?: (?:schön|sehr|dir|ihnen|vielmals))*|merci(?: beaucoup)?|(?:muchas )?gracias"
    r"|grazie(?: mille)?|obrigad[oa]|спасибо|cheers"
)
_NOD = (
    r"ok(?:ay)?|k|alright|all right|right|yes|yep|yeah|no|nope|sure|fine|great|good|nice|cool"
    r"|perfect"
    r"|awesome|got it|i see|understood|makes sense|super|gut|ja|nein|genau|alles klar|verstanden"
    r"|schön|prima|toll|hm+|aha|oui|non|sí|vale|d'accord|хорошо|да|нет|lol|wow|interesting"
    r"|interessant|never ?mind|egal|that helps|das hilft"
)
_FAREWELL = (
    r"(?:good ?)?bye(?: bye)?|see you(?: later| soon)?|tschü(?:ss|ß)|auf wiedersehen|bis (?:bald"
    r"|später|dann)|au revoir|adi[oó]s|good night|gute nacht|have a (?:nice|good) (?:day|one"
    r"|evening)"
)
_ABILITIES = (
    r"what (?:can|could) (?:you|u|i|this) (?:do|ask)(?: (?:you|here|for me|with (?:this|you)))*"
    r"|(?:what|who) are you(?: for)?|what is this (?:app|program|tool|site)(?: for)?"
    r"|how do(?:es)? (?:you|this(?: app| tool| program)?) work|help(?: me)?"
    r"|how can you help(?: me)?"
    r"|what (?:kind of |sort of )?questions can i ask(?: you)?|was kannst du(?: alles)?(?: tun"
    r"| machen"
    r"| für mich tun)?|wer bist du|was (?:kann|darf) ich (?:dich |hier )?fragen|hilfe"
    r"|que (?:peux|sais)-tu faire|qué puedes hacer"
)
_MIXED = rf"(?:(?:{_GREETING}|{_NOD})[\s,.!]+)*"
_SMALLTALK = tuple(
    (kind, re.compile(pattern, re.I))
    for kind, pattern in (
        (Smalltalk.NOD, rf"(?:(?:{_NOD})[\s,.!]*)+"),
        (Smalltalk.THANKS, rf"{_MIXED}(?:{_THANKS})(?:[\s,.!]+(?:{_NOD}|{_FAREWELL}))*"),
        (Smalltalk.FAREWELL, rf"{_MIXED}(?:{_FAREWELL})"),
        (Smalltalk.ABILITIES, rf"{_MIXED}(?:{_ABILITIES})"),
        (
            Smalltalk.GREETING,
            rf"{_MIXED}(?:(?:{_GREETING})(?: (?:there|all|everyone|again|you|zusammen))?"
            rf"(?:[\s,.!]+(?:{_HOW_ARE_YOU}))?|{_HOW_ARE_YOU})",
        ),
    )
)

_DOCUMENT = (
    r"(?:documents?|docs?|files?|pdfs?|texts?|papers?|articles?|reports?|books?|handbooks?|manuals?"
    r"|pages?|guides?|contracts?|slides?|decks?|presentations?|thes[ie]s|stud(?:y|ies)|essays?"
    r"|letters?|websites?|chapters?|agreements?|polic(?:y|ies)|brochures?|leaflets?|library"
    r"|collection|sources?|uploads?"
    r"|dokumente?[ns]?|dateie?n?|artikeln?|berichte?[ns]?|büchern?|buch|handb[uü]ch(?:er)?"
    r"|anleitung(?:en)?|seiten?|vertr[aä]ge?|präsentation(?:en)?|unterlagen?|quellen?|bibliothek"
    r"|sammlung|studien?|texte?n?)"
)
_THIS = (
    r"(?:(?:all|both|each|every)(?: of)? )?(?:th(?:is|ese|e|at|ose)|my|our|all|both|each|every"
    r"|dies(?:e[mrsn]?)?|de[mnr]|das|die|mein(?:e[mnr]?)?|alle[nr]?|ce|cette|ces|este|esta|estos)"
)
_ALL = (
    r"(?:(?:all (?:of )?)?(?:it|th(?:is|at|ese|ose)(?: stuff| things)?|them|here|hier|das)"
    r"|everything|alles)"
)
_WHICH_OF_THEM = (
    r"(?:the |my |d(?:as|ie|er|en|em) )?(?:first|second|third|last|other|next|1st|2nd|3rd"
    r"|(?:erst|zweit|dritt|letzt|ander)e[nsmr]?) (?:documents?|docs?|files?|pdfs?|papers?"
    r"|dokumente?[ns]?|dateie?n?)"
)
"""By its place: all are told of, as no order is meant that the program could know."""
_WHOLE = rf"(?:(?:{_THIS} )?{_DOCUMENT}|{_ALL}|{_WHICH_OF_THEM})"
_ONE = rf"(?:{_THIS} )?(?P<subject>[^?.!]{{1,60}}?) (?:{_DOCUMENT}|one)"
_ON = rf"(?:{_THIS} )?{_DOCUMENT} (?:on|about|of|über|zu|von|sur|sobre) (?P<topic>[^?.!]{{1,60}}?)"
_TARGET = rf"(?:{_WHOLE}|{_ONE}|{_ON})"
_SUMMARY = (
    r"(?:short |brief |quick |kurze[rn]? )?(?:summary|overview|outline|abstract|gist|tl;?dr"
    r"|zusammenfassung|überblick|übersicht|résumé|resumen)"
)
_MAIN = (
    r"(?:(?:main|key|central|core|big|overall|general|basic|most important) (?:ideas?|points?"
    r"|messages?|topics?|themes?|subjects?|takeaways?|take-aways?|highlights|content)|gist|topic|takeaways?"
    r"|kernaussagen?|hauptaussagen?|hauptthem(?:a|en)|kernpunkte?)"
)
_PARTS = r"(?:chapters|sections|headings|contents|kapitel|abschnitte)"
_CONCLUSION = (
    r"(?:(?:main |key |major |final |overall )?(?:findings?|conclusions?)"
    r"|(?:main|key|major|final|overall) (?:results?|contributions?)"
    r"|fazit|schlussfolgerung(?:en)?|(?:wichtigste\w*|haupt)-? ?ergebnisse?)"
)
_OVERVIEW = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"what(?:'?s|s| is| are| was)? {_TARGET} (?:is |are )?(?:all |mainly )?about",
        rf"what(?:'?s|s| is| are) {_THIS} {_DOCUMENT} for",
        r"what(?:'?s|s| is| are) (?:all (?:of )?)?th(?:is|ese)(?: stuff| things)?(?: here)?",
        rf"what(?:'?s|s| is| are) th(?:is|ese) {_DOCUMENT}",
        rf"what (?:kind|type|sort) of {_DOCUMENT} (?:is|are) {_WHOLE}",
        r"what (?:have i uploaded|did i (?:upload|add)|have i added|do you (?:have|know))",
        r"what(?:'?s| is) (?:all )?here|what (?:do|have) (?:i|we|you) (?:have|got) (?:in )?here",
        rf"(?:tell me (?:more )?about|explain(?: to me)?) {_THIS} {_DOCUMENT}",
        rf"(?:(?:what(?:'?s|s| is| are)|give me|list|show me|was (?:ist|sind)) )?"
        rf"(?:the |die |das )?{_MAIN}(?: (?:of|in|behind|from|here|von|in) {_TARGET}| here)?",
        rf"(?:(?:show(?: me)?|give me|list|what(?:'?s|s| is| are)) )?(?:the |a )?"
        rf"(?P<parts>table of contents|toc|inhaltsverzeichnis|structure|{_PARTS})"
        rf"(?: of {_TARGET})?",
        rf"(?:what|which) (?P<parts>{_PARTS}) are there(?: in {_TARGET})?",
        rf"(?:what|which) (?P<parts>{_PARTS}) (?:does|do|has|have|are in) {_TARGET}(?: have)?",
        rf"how (?:is|are) {_TARGET} (?P<parts>structured|organi[sz]ed)",
        rf"(?:(?:what(?:'?s|s| is| are| were)|give me|list|show me|was (?:ist|sind)) )?(?:the "
        rf"|their |its |das |die )?(?P<findings>{_CONCLUSION})(?: (?:of|in|from|von) {_TARGET})?",
        rf"what (?:did|do|does) (?:they|the authors?|we|{_TARGET}) "
        r"(?P<findings>find|conclude|discover|show)(?: out)?",
        rf"how long (?:is|are) {_THIS} {_DOCUMENT}",
        r"what(?:'?s|s| is| are) (?:th(?:e|at|is|ese|ose)|my) (?:documents?|docs?|files?|pdfs?)",
        rf"how many pages(?: (?:do(?:es)?|ha(?:s|ve)|is|are|there|in|of|{_ALL}|{_THIS}"
        rf"|{_DOCUMENT}))*",
        rf"wie ?viele seiten(?: (?:hat|haben|hier|gibt|sind|es|{_THIS}|{_DOCUMENT}))*",
        rf"what (?:do|does) {_TARGET} (?:talk about|deal with|cover|contain|say|discuss|describe)",
        rf"what(?:'?s|s| is| are) (?:in|inside) {_TARGET}",
        rf"(?:summari[sz]e|sum up|outline|describe|résume[rz]?|resum[ae]n?)(?: {_TARGET})?",
        rf"(?:(?:give|write|make|show)(?: me)? )?(?:an? |the )?{_SUMMARY}"
        rf"(?: (?:of|on|for|von|über|zu|de) {_TARGET})?",
        rf"(?:gib|geben sie)(?: mir)? eine?n? {_SUMMARY}(?: (?:von|über|zu) {_TARGET})?",
        rf"fasse?(?: mir)? {_TARGET} zusammen",
        rf"(?:worum|um was) (?:geht|handelt)(?:'?s| es)?(?: sich)?"
        rf"(?: (?:(?:in|bei) {_TARGET}|hier))?",
        rf"(?:wovon handel[tn]|was enth[aä]lt|was enthalten|was steht in|was ist in) {_TARGET}",
        rf"(?:which|what|list|show(?: me)?)(?: all)?(?: of)?(?: the| my)? {_DOCUMENT}"
        r"(?: (?:do|are|is|have|you|i|we|there|here|available|uploaded|got|loaded|know|added|read"
        r"|in|this|the|library|session))*",
        rf"(?:welche|zeige?(?: mir)?(?: alle)?(?: die)?) {_DOCUMENT}"
        r"(?: (?:hast|habe|haben|gibt|sind|du|ich|wir|sie|es|da|hier|vorhanden|geladen))*",
        rf"(?:de quoi (?:parle|traite)(?:nt)?|de qué tratan?) {_TARGET}",
        r"de quoi (?:parle-t-(?:il|elle|on)|s'agit-il|ça parle)|c'est quoi",
        rf"(?:quel(?:s|le|les)? (?:est|sont)|cuál es) (?:le |la |les |el )?(?:sujet|thème|tema"
        rf"|idée principale|idea principal)(?: (?:de|du|del) {_TARGET})?",
    )
)
_NAMED_OVERVIEW = re.compile(
    rf"(?:(?:summari[sz]e|sum up|outline|describe|fasse?)"
    rf"|(?:(?:give|write)(?: me)? )?(?:an? |the )?{_SUMMARY} (?:of|on|for|von|über|zu|de))"
    r" (?P<scope>[^?.!]{1,60}?)(?: zusammen)?",
    re.I,
)
"""Of something that may be the name of a document."""
_WORK = rf"(?:{_WHOLE}|{_ONE})"
_WRITER = r"(?:authors?|writers?|editors?)"
_AUTHORS = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?:and )?who (?:wrote|has written|authored|edited) {_WORK}",
        rf"(?:and )?who(?:'?s|s| is| are| was| were) (?:the )?{_WRITER}(?: of {_WORK})?",
        rf"(?:(?:list|name|give me|show(?: me)?) )?(?:all )?(?:the )?{_WRITER}(?: of {_WORK})?",
        rf"who (?:is|was|were) {_WORK} (?:written|authored) by",
        rf"by whom (?:is|was|were) {_WORK} (?:written|authored)",
        rf"qui (?:a|ont) (?:écrit|rédigé) (?:ça|{_WORK})",
        r"(?:qui|quels?) (?:est|sont) (?:l['’]|les? )auteurs?(?: (?:de|du) .{1,40})?",
        rf"(?:und )?wer hat (?:das|{_WORK}) (?:geschrieben|verfasst)",
        rf"(?:und )?wer (?:ist|sind|war|waren) (?:der|die) (?:autor(?:in|en)?|verfasser(?:in)?)"
        rf"(?: (?:von )?{_WORK})?",
    )
)

_NAMED_AUTHORS = re.compile(
    rf"(?:and )?who (?:wrote|has written|authored|(?:is|are) the {_WRITER} of) "
    r"(?P<scope>[^?.!]{1,60})",
    re.I,
)

_SIDE = r"[^?,;]{1,80}?"
_AND = r"(?:and|und|vs\.?|versus|with|to|mit|from|gegenüber|et|y|&)"
_MORE = r"(?:\w{2,}er|more|less|better|worse)"
_TYPO_DIFFERENCE = r"diff|diff?e?r+[ea]n?[cs]e?s?|unterschiede?|différences?|diferencias?"
_COMPARISON = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"(?:what(?:'?s|s| is| are) )?(?:the )?(?:main |key )?(?:{_TYPO_DIFFERENCE}) "
        rf"(?:between|of|zwischen|entre) (?P<a>{_SIDE}) (?:and|und|et|y|vs\.?|&) (?P<b>{_SIDE})",
        rf"(?:was|worin|welche[rn]?) (?:ist|sind|liegt|besteht)(?: de[rn]| die)?"
        rf" (?:{_TYPO_DIFFERENCE})"
        rf" zwischen (?P<a>{_SIDE}) und (?P<b>{_SIDE})",
        rf"(?:compare|vergleiche?|contrast)(?: (?P<aspect>{_SIDE}) (?:of|for|between|von|in))?"
        rf" (?P<a>{_SIDE}) {_AND} (?P<b>{_SIDE})",
        rf"how (?:do|does|is|are) (?P<a>{_SIDE}) (?:differ(?:ent)?|compare[d]?) "
        rf"(?:from|to|with|than) (?P<b>{_SIDE})",
        rf"how (?:do|are) (?P<a>{_SIDE}) and (?P<b>{_SIDE}) (?:differ|different|compare)",
        rf"(?:wie|worin) unterscheide[nt]+(?: sich)? (?P<a>{_SIDE}) (?:und|von) (?P<b>{_SIDE})",
        rf"what(?:'?s|s| is) (?:an? )?(?P<a>{_SIDE}),? and how (?:is|does) (?:it|that|this) "
        rf"(?:different|differ|compare)(?: from| to| with| than) (?P<b>{_SIDE})",
        rf"(?P<a>{_SIDE}) (?:vs\.?|versus) (?P<b>{_SIDE})",
        rf"(?:which|what)(?: one)?(?:'?s|s| is| are)(?: the)? (?:better|best)[,:]? "
        rf"(?P<a>{_SIDE}),? or (?P<b>{_SIDE})",
        rf"(?:whose|which|what) (?P<aspect>{_SIDE}) (?:is|are|was|were) {_MORE}[,:]? "
        rf"(?P<a>{_SIDE}),? or (?P<b>{_SIDE})",
        rf"(?:was|welche[rs]?) ist (?:besser|am besten)[,:]? (?P<a>{_SIDE}) oder (?P<b>{_SIDE})",
        rf"(?:should|do) (?:i|we) (?:use|choose|pick|take) (?P<a>{_SIDE}),? or (?P<b>{_SIDE})",
    )
)
_NEXT_PAIR = re.compile(
    rf"(?:and|und|what about|was ist mit) (?:between |zwischen )?(?P<a>{_SIDE}) "
    rf"(?:and|und|vs\.?|versus) (?P<b>{_SIDE})",
    re.I,
)

_SOURCE = (
    r"(?:passages?|documents?|docs?|files?|pdfs?|texts?|papers?|articles?|reports?|books?|sources?"
    r"|uploads?|contracts?|letters?|polic(?:y|ies)|manuals?|handbooks?|chapters?|pages?|slides?"
    r"|dokumente?[ns]?|dateie?n?|artikeln?|berichte?[ns]?|texte?n?|büchern?|quellen?|vertr[aä]ge?n?"
    r"|stellen?|passagen?|unterlagen)"
)
_TERM = (
    r"(?:(?:the |das |der |den |die )?(?:exact )?(?:words?|terms?|names?|phrase|expression|acronym"
    r"|abbreviation|wort|wörter|begriff|namen?|ausdruck|abkürzung) )"
)
_PHRASE = r"(?P<phrase>[^?]{1,120}?)"
_WORDING = rf"(?:{_TERM}{_PHRASE}|(?P<quoted>[\"“„«'‘].{{1,120}}?[\"”“»'’]))"
"""A phrase that is said to be a word, or stands in quotation marks."""
_SAID = r"(?:mentioned|referred to|erwähnt|genannt)"
_STANDS = r"(?:occurs?|appears?|comes? up|shows? up|stands?|used|found|mentioned|written)"
_MENTIONS = r"(?:mentions?|mentioning|refers? to|referring to|talks? about|speaks? (?:of|about))"
_WITHIN = (
    rf"(?: (?:here|anywhere|hier|überall)| (?:in|within|across|throughout|im) (?P<scope>{_WHOLE}"
    r"|[^?]{1,60}))?"
)
_WITHIN_ALL = rf" (?:in|within|across|throughout) (?:{_WHOLE}|den (?:dokumenten|texten))"
_OFTEN = r"how (?:many times|often)"
_WHERE = r"where(?: all| exactly| else)?"
_LIST = (
    r"(?:list|find|show(?: me)?|give(?: me)?|quote|count) (?:every|all|each|any)(?: of)?(?: the)?"
)
_OF_THEM = rf"(?:of (?:the|these|my) )?{_SOURCE}"
_WHICH = rf"(?:which|what|list(?: all)?(?: the)?) {_OF_THEM} (?:that |which )?"
_PLACES = rf"(?:{_SOURCE}|places?|sentences?|sections?)"
_NEVER = r"(?P<never>(?:never|do(?:es)? not|don'?t|doesn'?t)(?: ever| even)? )?"
_NIE = r"(?P<never> nie(?:mals)?| nicht)?"
_X = rf"{_TERM}?{_PHRASE}"
_LEDGER = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"{_OFTEN} (?:is|are|was|were|has|have) {_X} (?:been )?{_SAID}{_WITHIN}",
        rf"{_OFTEN} (?:is|are|does|do|did|was|were) {_WORDING} {_STANDS}{_WITHIN}",
        rf"{_OFTEN} (?:does|do) {_PHRASE} (?:occur|appear|come up|show up){_WITHIN_ALL}",
        rf"{_OFTEN} (?:does|do) (?P<scope>{_WHOLE}|they|{_THIS} [^?]{{1,60}}?) mention {_X}",
        rf"how many (?:different )?{_OF_THEM} {_MENTIONS} {_X}",
        rf"how many {_OF_THEM} (?:contain|use|have|include) {_WORDING}",
        rf"in how many {_OF_THEM} (?:is|are|was|were) {_X} {_SAID}",
        rf"in how many {_OF_THEM} (?:does|do|is|are) {_WORDING} {_STANDS}",
        rf"(?:how many|count (?:all )?(?:the )?) ?(?:mentions|occurrences) of {_X}(?: are there)?"
        rf"{_WITHIN}",
        rf"{_WHERE} (?:is|are) {_X} (?:mentioned|discussed|referred to|talked about){_WITHIN}",
        rf"{_WHERE} (?:does|do|is|are) {_WORDING} {_STANDS}{_WITHIN}",
        rf"{_WHERE} (?:does|do) (?P<scope>{_WHOLE}|they|{_THIS} [^?]{{1,60}}?) "
        rf"(?:mention|refer to|talk about|discuss) {_X}",
        rf"{_LIST} (?:mentions?|occurrences?) of {_X}{_WITHIN}",
        rf"{_LIST} {_PLACES}(?: (?:that|which|where(?: (?:it|they))?))? "
        rf"(?:{_MENTIONS}|contain(?:s|ing)?|about|discuss(?:es|ing)?) {_X}",
        rf"{_LIST} {_PLACES} (?:where|in which) {_X} (?:is|are|was|were) "
        r"(?:mentioned|discussed|referred to)",
        rf"{_WHICH}{_NEVER}(?:mention|refer to|talk about|speak of|discuss|cite)s? {_X}",
        rf"{_WHICH}{_NEVER}(?:contain|use|have|include)s? {_WORDING}",
        rf"in which {_OF_THEM} (?:is|are) {_X} (?P<never>never |not )?(?:ever )?"
        r"(?:mentioned|discussed|referred to)",
        rf"wie oft (?:wird|werden|wurde|wurden) {_X} {_SAID}",
        rf"wie oft (?:wird|werden|wurde|wurden) {_X} (?:im|in(?: (?:den|dem|der|diesem"
        rf"|dieser|meinen))?) (?P<scope>[^?]{{1,60}}?) {_SAID}",
        rf"(?:wie oft|wo(?: überall)?) (?:kommt|kommen|steht|stehen) {_WORDING}(?: .{{1,40}})? vor",
        rf"(?:wie oft|wo(?: überall)?) (?:kommt|kommen) {_PHRASE} in (?:den|diesen|meinen|allen) "
        rf"{_SOURCE} vor",
        rf"wie viele {_SOURCE} (?:erwähnen|nennen) {_X}",
        rf"in wie vielen {_SOURCE} (?:wird|werden) {_X} {_SAID}",
        rf"wo(?: überall)? (?:wird|werden) {_X} (?:überall )?{_SAID}",
        rf"(?:in )?welche[nr]? {_SOURCE} (?:erwähn(?:en|t)|nennen) {_X}{_NIE}",
        rf"in welche[nr]? {_SOURCE} (?:wird|werden) {_X}{_NIE} {_SAID}",
        rf"(?:zeige?|nenne?|liste)(?: mir)? (?:alle|jede) (?:{_SOURCE}|erwähnungen|sätze),? "
        rf"(?:(?:auf|in|an) (?:denen|der|welchen) |wo |die |von )?{_X}"
        rf"(?: (?:{_SAID} (?:wird|werden)|erwähnen|vorkomm(?:t|en)))",
    )
)
_POINTING = re.compile(
    r"(?:it|its|they|them|this|that|these|those|he|she|him|her|one|ones|there|es|er|sie|ihn|das|dies"
    r"|dieses?|diese[rmn]?)(?: (?:thing|topic|word|term|name|person|one|thema|wort))?",
    re.I,
)
"""A phrase that only points back names nothing that could be looked for."""
_EVERYWHERE = re.compile(_WHOLE, re.I)
_QUOTES = "\"'“”„«»‘’"
_ONE_OF = re.compile(r"\bones?$", re.I)
_ARTICLE = re.compile(r"^(?:an?|the|der|die|das|ein|eine|one) (?=\S)", re.I)


def route_of(question: str, last: str = "") -> Routed:
    """Return the route of a question after an answer that went by the route `last`.

    >>> route_of("Thanks a lot!").says, route_of("and what is CSV?").route
    (<Smalltalk.THANKS: 'thanks'>, <Route.SEARCH: 'search'>)
    >>> route_of("X.25 vs. Frame Relay").subjects
    ('X.25', 'Frame Relay')
    >>> route_of("who wrote the lamp paper?").subjects, route_of("who wrote Hamlet?").scope
    (('lamp',), 'Hamlet')
    """
    bare = " ".join(question.split()).strip(" \t.,;:!?¿¡…")
    for kind, pattern in _SMALLTALK:
        if pattern.fullmatch(bare):
            return Routed(Route.SMALLTALK, says=kind)
    bare = written_out(bare)
    asked = _CLOSING.sub("", _OPENING.sub("", bare)).strip(" .,;:!?")
    if ledger := _ledger(asked):
        return ledger
    for route, patterns in ((Route.OVERVIEW, _OVERVIEW), (Route.AUTHORS, _AUTHORS)):
        if found := _matched(patterns, asked):
            named = found.groupdict()
            subject = named.get("subject") or named.get("topic")
            aspect = next((name for name in (PARTS, FINDINGS) if named.get(name)), "")
            return Routed(route, (subject,) if subject else (), aspect)
    for route, pattern in ((Route.OVERVIEW, _NAMED_OVERVIEW), (Route.AUTHORS, _NAMED_AUTHORS)):
        if found := pattern.fullmatch(asked):
            return Routed(route, scope=found["scope"])
    if found := _matched(_COMPARISON, asked):
        return _comparison(found)
    if last == Route.COMPARISON and (found := _NEXT_PAIR.fullmatch(asked)):
        return _comparison(found)
    return Routed()


def _matched(patterns: tuple[re.Pattern[str], ...], text: str) -> re.Match[str] | None:
    return next((found for pattern in patterns if (found := pattern.fullmatch(text))), None)


def _ledger(asked: str) -> Routed | None:
    found = _matched(_LEDGER, asked)
    if found is None:
        return None
    groups = found.groupdict()
    typed = groups.get("phrase") or groups.get("quoted") or ""
    phrase = typed.strip(_QUOTES + " ")
    if _POINTING.fullmatch(typed.strip()):
        return None
    if typed.strip()[:1] not in _QUOTES:
        phrase = _ARTICLE.sub("", phrase)
    scope = (groups.get("scope") or "").strip()
    if not any(ch.isalnum() for ch in phrase):
        return None
    if _EVERYWHERE.fullmatch(scope) or _POINTING.fullmatch(scope):
        scope = ""
    never = bool((groups.get("never") or "").strip())
    return Routed(Route.LEDGER, (phrase,), without=never, scope=scope)


def _comparison(found: re.Match[str]) -> Routed:
    sides = tuple(_ARTICLE.sub("", found[name].strip(_QUOTES + " ")) for name in "ab")
    sides = (_with_noun(sides[0], sides[1]), _ONE_OF.sub(sides[0].split()[-1], sides[1]))
    aspect = _ARTICLE.sub("", (found.groupdict().get("aspect") or "").strip())
    return Routed(Route.COMPARISON, sides, aspect)


def _with_noun(first: str, second: str) -> str:
    """The first side with the noun that both share: "dense" beside "lexical search"."""
    words = second.split()
    bare = first.replace("-", "").isalpha() and first.islower() and not first.endswith("s")
    shared = len(words) == 2 and first not in words  # not of "zenit and zenit pro"
    if bare and shared and second.islower() and not _ONE_OF.search(second):
        return f"{first} {words[1]}"
    return first
