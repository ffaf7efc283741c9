"""Everyday ways to ask for something, and the words that documents have for it (pure).

A person asks "how many people live in Graz", "who runs Acme" or for "the CFO"; the document says
"population", "chief executive" and "Chief Financial Officer".
"""

from __future__ import annotations

import re
from collections.abc import Collection

from core.text.terms import content_keys

_WORDS: tuple[tuple[str, str], ...] = (
    (r"\bhow many (?:people|persons|inhabitants|residents)\b.*\b(?:live|lives|lived|living|reside)",
     "population"),
    (r"\bhow many (?:inhabitants|residents)\b", "population"),
    (r"\bhow many (?:people|persons)\b.*\b(?:works?|worked|working|employed)\b",
     "employees employed"),
    (r"\bhow many (?:workers|staff)\b", "employees employed"),
    (r"\b(?:kids|children|pupils|students)\b(?=.*\b(?:in|at|attend|go to)\b.*\bschools?\b)",
     "enrollment enrolled"),
    (r"\bhow old\b", "age born founded"),
    (r"\bhow (?:tall|high)\b", "height"),
    (r"\bhow (?:big|large)\b", "size area"),
    (r"\bhow far\b", "distance"),
    (r"\bhow (?:fast|quick)\b", "speed"),
    (r"\bwhen\b.*\b(?:should|would|to) (?:i |we |you |one )?(?:use|choose|prefer|pick)\b",
     "suits suitable"),
    (r"\bhow heavy\b|\bhow much\b.*\bweigh", "weight"),
    (r"\b(?:how much|what)\b.*\b(?:costs?|pay|pays|paying|paid|charges?)\b", "price amount"),
    (r"\bhow much\b.*\b(?:pay|paid)\b.*\bfor\b", "bought acquired"),
    (r"\b(?:calories|kalorien)\b", "kcal"),
    (r"\bdid\b.*\bfind\b", "found discovered"),
    (r"\bcheap(?:er|est)?\b", "price fees cost"),
    (r"\b(?:on|with|from) (?:my|a|the|your) (?:smart)?(?:phone|iphone|android|mobile)\b",
     "mobile app"),
    (r"\bwho (?:runs|leads|heads|manages|is in charge of)\b", "chief director president leader"),
    (r"\bwho (?:makes|produces|manufactures)\b", "manufacturer maker"),
    (r"\bacquir(?:e|es|ed|ing)\b", "bought purchased ceded annexed"),
    (r"\bwho (?:first )?found\b", "discovered"),
    (r"\b(?:made|built) (?:out )?of\b", "constructed consists material"),
    (r"\bwho\b.*\bpays?\b", "financed funded paid"),
    (r"\bwho (?:led|leads|headed|runs?|ran)\b.*\b(?:study|research|project|team|work|group)\b",
     "lead author principal investigator"),
    (r"\bhow much\b.*\b(?:spen[dt]|owe)\b", "total amount"),
    (r"\b(?:killed|died|dead)\b", "deaths died killed victims"),
    (r"\bmost common\b", "most frequent prevalent often"),
    (r"\bfines?\b", "penalty"),
    (r"\bfridges?\b", "refrigerator"),
    (r"\bplanes?\b", "flight"),
    (r"\bwho (?:was|were) (?:at|there|present)\b|\bwho (?:attended|came to|took part)\b",
     "present participants attendees"),
    (r"\bhow (?:much|big)\b.*\brevenues?\b|\b(?:what|whose|total|annual)\b.*\brevenues?\b"
     r"|^revenues? of\b|\bturnover\b", "sales"),
    (r"\bhow many\b.*\bserves?\b", "servings portions"),
    (r"\b(?:win|won|wins)\b", "victory beat defeated verdict favor"),
    (r"\bbirds?\b", "avian"),
    (r"\bmammals?\b", "mammalian"),
    (r"\bcows?\b", "cattle bovine"),
    (r"\bteeth\b|\btooth\b", "dental"),
    (r"\bhearts?\b", "cardiac"),
    (r"\bkidneys?\b", "renal"),
    (r"\blungs?\b", "pulmonary"),
    (r"\bliver\b", "hepatic"),
    (r"\bin (?:the )?air\b|\bof (?:the )?air\b", "atmosphere"),
    (r"\bgrades\b", "academic performance"),
    (r"\bremember(?:ing|ed|s)?\b", "recall memory"),
    (r"\b(?:my|your|their|our) stuff\b", "data documents"),
    (r"\b(?:biggest|top|main) (?:customers?|clients?|buyers?)\b", "largest accounted"),
    (r"\b(?:is|are|was|were) (?:it|that|this|they) (?:really |all |completely )?gone\b",
     "deleted removed"),
    (r"\bg[eo]t (?:the|that|this|his|her) job\b", "elected appointed position"),
    (r"\bwhat (?:do|does|is|are)\b.*\bdo(?:ing)?\b.*\b(?:now|today|nowadays|currently)\b",
     "works worked since currently"),
    (r"\b(?:not|\w+n['’]?t) (?:show|turn) up\b", "fails appear absent"),
    (r"\b(?:show|turn)(?:s|ed|ing)? up\b", "appear attend arrive"),
    (r"\b(?:not|\w+n['’]?t) (?:even )?(?:exist|there)\b", "missing absent nonexistent"),
    (r"\b(?:how much|what|total|annual)\b.*\bprofits?\b|^profits? of\b", "net income"),
    (r"\bhurt\b", "injured injury"),
    (r"\bhow (?:do|does|can|could|did) \w+ (?:catch|get infected)\b",
     "transmitted infection infected"),
    (r"\bwho (?:came|ruled|reigned|was|is) (?:after|next)\b", "successor succeeded"),
    (r"\bwhat (?:do|does|did) [\w' -]+ want\b", "aims goal seeks demands"),
    (r"\bhow do (?:i|you|we) (?:make|build)\b", "create generate"),
    (r"\b(?:delet(?:e|es|ed|ing)|get(?:ting)? rid of|throw(?:ing)? away)\b", "remove"),
    (r"\bhow (?:do|can) (?:i|you|we|one) (?:turn|change|make) \w.* into\b", "convert parse"),
    (r"\b(?:since|from) when\b.*\bexist", "founded established back"),
    (r"\bceos?\b", "chief executive officer"),
    (r"\bcfos?\b", "chief financial officer"),
    (r"\bctos?\b", "chief technology officer"),
    (r"\bcoos?\b", "chief operating officer"),
    (r"\b(?:when|what year|which year)\b.*\bfounded\b", "established incorporated"),
    (r"\b(?:mandatory|compulsory|obligatory)\b", "required"),
    (r"\bchars\b", "characters"),
    (r"\bchar\b", "character"),
    (r"\bconfigs?\b", "configuration"),
    (r"\binfos?\b", "information"),
    (r"\bdocs\b", "documentation"),
    (r"\bparams?\b", "parameters"),
    (r"\bargs?\b", "arguments"),
    (r"\bdirs?\b", "directory"),
    (r"\bfuncs?\b", "function"),
    (r"\bfolders?\b", "directory"),
    (r"\bdicts?\b", "dictionary"),
    (r"\bun(?:zip|pack)(?:s|ped|ping|ed|ing)?\b", "extract archive"),
    (r"\b(?:in|into|to) (?:an?|the|my) files?\b", "filename"),
    (r"\bpassword[ -]?protected\b", "encrypted"),
    (r"\b(?:see|show|know|find out) what(?:['’]?s| is| are)? (?:inside|in)\b", "contents list"),
    (r"\b(?:empty|blank) (?:lines?|rows?)\b", "newline extra"),
    (r"\bat the same time\b|\bin parallel\b", "concurrently"),
    (r"\b(?:download|fetch|open|load)\b.*\bweb ?(?:page|site)s?\b", "URL retrieve"),
    (r"\bhow often\b.*\b(?:occurs?|appears?|comes? up)\b", "count tally frequency"),
    (r"\brepos?\b", "repository"),
    (r"\bmax\b", "maximum"),
    (r"\bmin\b", "minimum"),
    (r"\bhq\b", "headquarters"),
    (r"\bwhere\b.*\b(?:based|headquartered)\b", "headquarters address principal offices"),
    (r"\bphone\b", "telephone call"),
    (r"\bhow (?:many|much)\b.*\b(?:holidays?|vacations?|time off)\b", "leave vacation"),
    (r"\bemails?\b", "mail"),
    (r"\be-mails?\b", "email"),
    (r"\bhow much\b(?!.*\b(?:profits?|money)\b).*\b(?:earns?|makes?|gets? paid)\b", "salary"),
    (r"\bwho\b.*\b(?:absent|missing|not there|didn'?t come|did not come)\b", "apologies absent"),
    (r"\b(?:broken?|breaks|broke down|out of order)\b|(?:\bnot|n'?t|\bstopped) work",
     "repair damage fault"),
    (r"\bwho\b.*\b(?:call|ring|turn to|contact)\b", "report contact telephone"),
    (r"\b(?:get|gets|got|have)\b.*\bback\b", "returned refunded"),
    (r"\b(?:ok|okay|alright)\b\W*$", "permitted allowed enough"),
    (r"\b(?:fired|sacked|laid off)\b", "terminated dismissed"),
    (r"\bill\b", "sick illness"),
    (r"\bhow many goals\b", "Gls"),
    (r"\bhow many (?:games|matches)\b.*\bplay", "Apps appearances"),
    (r"\bhow (?:do|can|could) (?:i|we|you|one) get (?:an?|some|another)\b( new)?", "order request"),
    (r"\b(?:turn|switch)(?:ed|ing|es|s)? (?:[\w'’-]+ ){0,4}?on\b", "enable activate"),
    (r"\b(?:turn|switch)(?:ed|ing|es|s)? (?:[\w'’-]+ ){0,4}?off\b", "disable deactivate"),
    (r"\bwho\b.*\b(?:takes?|took|taking|taken) over\b", "succeeded successor replaced acting"),
    (r"\bwhere\b.*\b(?:word|name|term|expression)\b.*\bcomes? from\b", "derived origin after"),
    (r"\bwhere (?:can (?:i|we|you|one)|(?:do|could) (?:i|we)) (?:get|download)\b",
     "available released download"),
    (r"\bwie ?viele (?:menschen|leute|personen)\b.*\b(?:leben|lebten|wohnen|wohnten)\b",
     "Einwohner Bevölkerung"),
    (r"\bwie ?viele (?:menschen|leute|personen)\b.*\b(?:arbeiten|arbeiteten)\b",
     "Mitarbeiter Beschäftigte"),
    (r"\bwie alt\b", "Alter geboren gegründet"),
    (r"\bim (?:durch)?schnitt\b", "durchschnittlich Durchschnitt"),
    (r"\bbeliebtest", "häufigsten meisten"),
    (r"\bvorher\b.*\b(?:kündigen|beenden|aussteigen)", "vorzeitig"),
    (r"\bworauf\b.*\bachten\b", "beachten prüfen Vorsicht"),
    (r"\bwie hoch\b.*(?:turm|berg|haus|baum|gebäude|brücke|mauer|kirche)", "Höhe"),
    (r"\bleute\b", "Personen"),
    (r"\bbacken\b", "Backzeit"),
    (r"\bwie lange?\b.*\b(?:läuft|laufen|gilt|gelten)\b", "Laufzeit Dauer"),
    (r"\b(?:krieg|kriege|kriegt|kriegen|bekomm|bekomme)\b.*\b(?:zurück|wieder)\b",
     "zurückgezahlt erstattet"),
    (r"\bwie gro(?:ß|ss)\b", "Größe Fläche"),
    (r"\bwie weit (?:komm|fähr|flieg|reich)", "Reichweite"),
    (r"\bwie weit\b", "Entfernung"),
    (r"\bwie schwer\b|\bwie ?viel wieg", "Gewicht"),
    (r"\b(?:mach(?:t|en)|hat|haben)\b.*\bzu\W*$", "schließen schließt geschlossen"),
    (r"\b(?:mach(?:t|en)|hat|haben)\b.*\bauf\W*$", "öffnen öffnet geöffnet"),
    (r"\b(?:teuer|billig)\b", "Kosten Preis kostengünstig"),
    (r"\bgefährlich\b", "Gefahr Risiko"),
    (r"\bwie ?viel kostet|\bwas kostet", "Preis Kosten"),
)  # fmt: skip
_PATTERNS = tuple((re.compile(pattern, re.I), words.split()) for pattern, words in _WORDS)


def formal_words(question: str) -> tuple[str, ...]:
    """Return the words that documents have for what is asked, without those of the question.

    >>> formal_words("how many people live in Graz?"), formal_words("who is the CFO of Acme")
    (('population',), ('chief', 'financial', 'officer'))
    >>> formal_words("What is the population of Graz?")
    ()
    """
    said = set(re.findall(r"\w+", question.casefold()))
    found = (word for pattern, words in _PATTERNS if pattern.search(question) for word in words)
    return tuple(dict.fromkeys(word for word in found if word.casefold() not in said))


def formally(question: str, held: Collection[str]) -> str:
    """Return the question with words of documents in place of everyday ones, those of `held` keys.

    >>> formally("what if somebody gets fired?", content_keys("Who is terminated hands it back."))
    'what if somebody gets terminated?'
    """
    for pattern, words in _PATTERNS:
        there = [word for word in words if not set(content_keys(word)).isdisjoint(held)]
        if there and pattern.search(question):
            question = pattern.sub(" ".join(there), question, count=1)
    return question


def beside(question: str, words: Collection[str]) -> str:
    """Return the question with the words behind it, in brackets.

    >>> beside("How tall is the tower?", ["height"]), beside("Who built it?", [])
    ('How tall is the tower? (height)', 'Who built it?')
    """
    return f"{question} ({' '.join(words)})" if words else question
