"""Statements about the sources or the question, which no source can support (pure).

"The sources do not mention the price" says what is missing, and is a good answer where it is
true. It is wrong only where a source does hold what it says is missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.text.sentences import split_sentences
from core.text.terms import Term, content_keys, fold, terms

_SOURCES = (
    r"(?:(?:the|these|those|this|my|your|given|provided|available|any|no|none of the|neither|both|"
    r"other|numbered|cited|retrieved|above)\s+)*"
    r"(?:(?:given|provided|available|cited|supplied|numbered|retrieved)\s+)?"
    r"(?:sources?|passages?|documents?|excerpts?|context|texts?|material|information|snippets?|"
    r"search results|pages)"
    r"(?:\s+(?:provided|given|available|above|here|supplied|that (?:i|we|you) (?:have|gave|were)"
    r"[\w ]{0,12}))*"
)
_NUMBERED = r"(?:the\s+)?(?:sources?|passages?|documents?)\s+\d+(?:\s*(?:,|and|&)\s*\d+)*"
_NOT = r"(?:do(?:es)?\s+not|don['’]t|doesn['’]t|did\s+not|didn['’]t|never|cannot|can['’]t)"
_SAYS = (
    r"(?:mention|say|state|contain|provide|specify|include|give|describe|explain|discuss|cover|"
    r"address|indicate|hold|tell|name|list|show|offer|answer|reveal|clarify|define|detail|have|"
    r"confirm|compare|report|disclose)"
)
_SAID = (
    r"(?:mentioned|stated|said|given|specified|provided|included|described|explained|discussed|"
    r"covered|addressed|indicated|found|named|listed|available|contained|answered|defined)"
)
_SORRY = re.compile(
    r"^(?:(?:i\s+am|i['’]m)\s+(?:\w+\s+)?(?:sorry|afraid)|sorry|i\s+apologi[sz]e|(?:my\s+)?apologies"
    r"|as\s+an?\s+(?:ai|artificial|language)\b[\w\s-]{0,30}(?=,)"
    r"|(?:es\s+)?tut\s+mir\s+leid|je\s+suis\s+désolée?|lo\s+siento)\b[,:]?\s+"
    r"(?:(?:but|that|aber|dass|mais|pero)\s+)?",
    re.I,
)
"""How a refusal may begin, before it says what is missing."""
_LACKING = re.compile(
    rf"^(?:however|but|also|unfortunately|beyond that|apart from that|note that|and|thus|so)?,?\s*"
    rf"(?:(?:for|as\s+(?:for|to)|on|about|regarding|concerning)\s+[^.:;]{{1,60}}:\s+)?"
    rf"(?:(?:in|from|according to|based on)\s+{_SOURCES},?\s+)?(?:"
    rf"{_SOURCES}\s+(?:also\s+|itself\s+|themselves\s+|alone\s+)?{_NOT}\s+"
    rf"(?:\w+ly\s+)?{_SAYS}\b(.*)"
    rf"|(?:no|none of the)\s+{_SOURCES}\s+{_SAYS}s?\b(.*)"
    rf"|(.*?)\s(?:is|are|was|were)\s+(?:not|never|nowhere)\s+(?:\w+ly\s+)?"
    rf"(?:(?:mentioned|specified|stated)[\s.]*$|{_SAID}\s+(?:in|by|from)\s+{_SOURCES}[\s.]*$)"
    rf"|(.*?)\s(?:does|do|did)\s+not\s+appear\s+in\s+{_SOURCES}[\s.]*$"
    rf"|{_SOURCES}\s+lacks?\b(.*)"
    rf"|(?:{_NUMBERED}|{_SOURCES}|it)\s+(?:is|are|was|were|seems?)\s+(?:not\s+(?:\w+ly\s+)?relevant"
    rf"|irrelevant|not\s+related|unrelated|not\s+(?:helpful|useful)|of\s+no\s+help)"
    rf"(?:\s+(?:here|(?:to|for)\s+(?:(?:the|this|your)\s+)?(?:question|query|answer|topic|request)))?"
    rf"[\s.]*$()"
    rf"|there\s+(?:is|are|was|were)\s+no\s+(?:\w+\s+){{0,2}}?(?:information|mention|details?)\b"
    rf"(.*)"
    rf"|(?:i|we)\s+(?:could\s+not|couldn['’]t|cannot|can['’]t|did\s+not|do\s+not"
    rf"|am\s+(?:unable|not\s+able)\s+to)\s+(?:find|determine|tell|answer|say|see|know|confirm"
    rf"|provide|(?:assist|help)(?:\s+you)?\s+with)\b(.*)"
    rf"|i\s+don['’]t\s+know([\s.!]*$|\s+(?:the\s+answer|whether|if|from|based)\b.*)"
    rf"|(?:the\s+(?:answer|information)|this|that|it)\s+(?:is|was)\s+not\s+(?:\w+ly\s+)?in\s+"
    rf"{_SOURCES}[\s.]*$()"
    rf"|(?:unknown|n/a|not\s+(?:known|available|applicable|specified|mentioned|stated|given))"
    rf"[\s.]*$()"
    rf"|nothing\s+(?:in|about|on)\b(.*)"
    rf"|(?:die|den|diese|keine)[rnms]?\s+(?:\w+\s+)?(?:quellen?|dokumente?n?|textstellen?|"
    rf"auszüge)\s+(?:\w+\s+){{0,3}}?(?:nicht|kein\w*|nichts|nennt|nennen)\b(.*)"
    rf"|(.*?)\swird\s+in\s+den\s+quellen\s+nicht\b.*"
    rf"|les\s+(?:sources?|documents?|passages?|extraits?)\s+(?:\w+\s+)?ne\b(.*)"
    rf"|las\s+fuentes\s+(?:\w+\s+)?no\b(.*)"
    rf"|(?:le\s+fonti|as\s+fontes)\s+(?:\w+\s+)?n(?:on|ão)\b(.*)"
    rf"|(?:en|в)\s*(?:источник\w*)\s+не\b(.*)|источник\w*\s+не\b(.*)"
    rf")",
    re.I | re.S,
)
_ABOUT = re.compile(
    rf"^(?:(?:the|your|this)\s+(?:question|query)\s+(?:asks|is|was|seems|does|can|could|refers|"
    rf"mentions)\b"
    rf"|(?:here|below)\s+(?:is|are)\s+(?:what|the answer|a summary|an overview)\b[^:]*$"
    rf"|i\s+(?:hope|will|can|have\s+(?:answered|listed|summari[sz]ed))\b"
    rf"|(?:this|the\s+above)\s+(?:answer|summary|overview|list)\s+(?:is|was|covers|uses)\b"
    rf"|{_SOURCES}\s+(?:only|disagree|agree|contradict|differ)\b[^,;]{{0,40}}$"
    rf"|(?:please|let\s+me)\b"
    rf"|based\s+(?:only\s+)?on\s+{_SOURCES}[\s.,:]*$"
    rf"|(?:die|deine|ihre)\s+frage\b|la\s+(?:question|pregunta)\b)",
    re.I,
)
_TALK = re.compile(
    r"^(?:(?:yes|no|sure|of\s+course|absolutely|certainly|exactly|great|ok(?:ay)?|hello|hi)\b[,.!]*"
    r"\s*)*(?:"
    r"|(?:you(?:['’]re|\s+are)|that(?:['’]s|\s+is)|this\s+is)\s+(?:\w+ly\s+)?(?:not\s+)?"
    r"(?:in)?(?:correct|right|true|wrong)"
    r"|(?:i\s+(?:do\s+)?apologi[sz]e|i['’]m\s+(?:\w+\s+)?sorry|sorry|(?:my\s+)?apologies)"
    r"(?:\s+(?:for|about|if)\b[^.,;:\d]{1,80})?"
    r"|(?:i(?:['’]d|\s+would)\s+be\s+|i\s+am\s+|i['’]m\s+)?(?:happy|glad)\s+to\s+help\b[^.,;:\d]*"
    r"|i\s+(?:can|will|could)\s+help\b[^.,;:\d]*"
    r"|you(?:['’]re|\s+are)\s+welcome|(?:thanks|thank\s+you)(?:\s+for\b[^.,;:\d]{1,60})?"
    r")[\s.!]*$",
    re.I,
)
"""What only keeps a conversation going."""
_REFERRAL = re.compile(
    r"^(?:for\s+(?:more|further|additional|specific|personali[sz]ed)\b[^,]*,\s+|it\s+is\s+(?:always\s+)?"
    r"(?:recommended|advisable|best|a\s+good\s+idea)\s+(?:to|that\s+you)\s+|(?:please|you\s+(?:should|can|"
    r"may|might\s+want\s+to))\s+|consider\s+)(?:\w+ly\s+)?"
    r"(?:consult(?:ing)?|refer(?:ring)?\s+to|contact(?:ing)?|visit(?:ing)?|see|check|speak(?:ing)?\s+(?:to|with)"
    r"|talk(?:ing)?\s+(?:to|with))\s+(?:[\w-]+\s+)*(?:professionals?|advis[eo]rs?|lawyers?|attorneys?|doctors?"
    r"|experts?|specialists?|websites?|providers?|documentation|accountants?)"
    r"(?:\s+(?:for|about|on|if|in|of|to)\b[^.,;:\d]{1,80})?[\s.!]*$",
    re.I,
)
"""Advice to ask somebody else; what is named in it is checked all the same."""
_ATTRIBUTION = re.compile(
    rf"^(?:(?:according\s+to|based\s+on|as\s+(?:stated|described|mentioned|said)\s+in|from)\s+{_SOURCES},"
    rf"?\s+|(?:it|{_SOURCES})\s+(?:(?:also|only|clearly|explicitly)\s+)?(?:says?|states?|mentions?"
    rf"|notes?|indicates?|explains?|reports?)\s+that\s+|{_SOURCES}\s+says?\s+(?=\w+\s))",
    re.I,
)
"""Where a sentence says that it comes from, which no source says of itself."""
_JOINING = re.compile(
    r"^(?:(?:yes|no|ja|nein|oui|non|sí|sì)\s*[,.!]\s+(?:indeed,?\s+)?"
    r"|(?:however|additionally|furthermore|moreover|therefore|thus|hence|consequently|nevertheless|overall|also"
    r"|in\s+(?:addition|summary|conclusion|short|other\s+words|fact|particular|practice)"
    r"|as\s+a\s+result|for\s+(?:example|instance)|on\s+the\s+other\s+hand|that\s+is(?:\s+to\s+say)?"
    r"|ideally|essentially|basically|notably|specifically|similarly"
    r"|außerdem|allerdings|jedoch|de\s+plus|cependant|además|sin\s+embargo),\s+"
    r"|it\s*(?:['’]s|is)\s+(?:also\s+)?(?:important|worth|essential|good)\s+"
    r"(?:to\s+(?:note|know|mention|remember)|noting|knowing|mentioning)\s+that\s+)+",
    re.I,
)
"""What joins a sentence to the question or to the sentence before, and says nothing itself."""
_MORE = re.compile(
    r"[,;]\s*(?:but|however|although|though|while|whereas|yet|they|it|aber|sondern|mais|pero)\b",
    re.I,
)
"""The sentence goes on with something that a source can say."""
_WHEN = re.compile(
    r"\b(?:when|what year|which year|date|how (?:many|much|long|old|tall|far|often)|number|price"
    r"|cost|wann|wie viele?|quand|combien|cuándo|cuánt\w+)\b",
    re.I,
)
_HOW_MANY = re.compile(r"\b(?:how many|wie viele)\s+((?:[^\W\d_]|-)+)", re.I)
_BETWEEN = 3
"""Words behind a number among which is what it counts: "41 million shares"."""
_NO_SUBJECT = frozenset(
    fold(word)
    for word in (
        "information informations details detail mention mentions anything something specific "
        "explicitly explicit exact exactly specifically whether question answer topic data enough "
        "sources source documents passages context regarding related further additional clearly "
        "directly about other more name number date year"
    ).split()
)
_FEWEST = 2  # content words that say what is missing


def without_opening(words: str) -> str:
    """A statement without what only joins it to the text, or says where it comes from.

    >>> without_opening("However, according to the sources, it is so.")
    'it is so.'
    """
    return _ATTRIBUTION.sub("", _JOINING.sub("", words, count=1), count=1) or words


def lacks(words: str) -> str | None:
    """What a statement says the sources do not hold; None where it says nothing of the kind.

    >>> lacks("The sources do not mention the price of the pump.")
    ' the price of the pump.'
    >>> lacks("The pump does not need water.") is None
    True
    """
    said = _SORRY.sub("", words.strip())
    if (found := _LACKING.match(said)) is None or _MORE.search(said):
        return None
    return next((part for part in found.groups() if part is not None), "")


def is_about_sources(words: str) -> bool:
    """Whether a statement is about the sources, the question or the answer itself.

    >>> is_about_sources("The question asks for a price."), is_about_sources("It costs 5 euros.")
    (True, False)
    """
    said = words.strip()
    if lacks(said) is not None or _ABOUT.match(said) or _TALK.match(said):
        return True
    facts = (term.kind in ("name", "number") for term in terms(said))
    return bool(_REFERRAL.match(said)) and not any(facts)


def holding(missing: str, passages: Sequence[str]) -> str | None:
    """The sentence of `passages` that does hold what a statement says is missing; None without.

    It must have every content word, and a number where a number or a date is said to be missing.

    >>> holding(" the price of the pump.", ["The price of the pump is 5 euros."])
    'The price of the pump is 5 euros.'
    >>> holding(" the price of the pump.", ["The pump is blue."]) is None
    True
    """
    asks_number = bool(_WHEN.search(missing))
    wanted = {term.key for term in terms(missing) if _is_subject(term)}
    if len(wanted) < _FEWEST and asks_number:  # "the number of employees" as it is said
        wanted = set(content_keys(missing))
    if len(wanted) < _FEWEST:
        return None
    if not asks_number and re.match(
        r"\s*(?:who|whom|where|why|how|what|which|wer|wo|warum)\b", missing
    ):
        return None  # which words would answer is not known
    for passage in passages:
        for sentence in split_sentences(passage):
            found = terms(sentence.text)
            keys = {term.key for term in found}
            numbers = [term for term in found if term.kind == "number" and term.key not in wanted]
            if thing := _HOW_MANY.search(missing):
                numbers = [term for term in numbers if _counts(term, thing[1], sentence.text)]
            named = not asks_number or bool(numbers)
            if wanted <= keys and named and lacks(sentence.text) is None:
                return " ".join(sentence.text.split())
    return None


def _counts(number: Term, thing: str, sentence: str) -> bool:
    """Whether a number is one of a thing: it stands up to three words before it."""
    behind = terms(sentence[number.end :])[:_BETWEEN]
    return any(term.key == content for term in behind for content in content_keys(thing))


def _is_subject(term: Term) -> bool:
    return term.kind != "stop" and fold(term.form) not in _NO_SUBJECT
