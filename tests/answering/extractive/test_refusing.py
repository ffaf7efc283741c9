"""What is no answer is refused, and what answers is not."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from core.answering.extractive import answerer
from core.answering.extractive.answerer import ExtractiveAnswerer, quoted
from core.answering.extractive.doubts import (
    NO_COUNT,
    NOT_TOLD,
    UNLIKELY,
)
from core.answering.extractive.refusing import (
    BELIEVED,
    DOUBT_WEIGHT,
    DOUBTED,
    NEAR,
    NOT_SEEN,
    READ_WEIGHT,
    SURE_OF_AMOUNT,
    holds_answer,
    is_believed,
    refusal,
    with_nearest,
    words_unsaid,
)
from core.answering.extractive.sentences.reading import SURE, Read
from core.answering.extractive.structures.quotes import Quote
from core.planning.follow_ups.completing import CARRIED_OVER
from core.types import Answer, Notice, SearchResult
from tests.support.hits import embedder, found, hit
from tests.support.quoting import TESLA, ask, both


def test_something_else_altogether_is_refused() -> None:
    answer = ask("Which wine goes with grilled octopus?", both())
    assert answer.abstention is not None
    assert answer.citations == ()
    assert answer.claims == ()
    assert [c.label for c in answer.unused] == ["tesla.pdf", "oxygen.txt"]
    assert "[1]" not in answer.text


def test_a_refusal_says_what_was_searched() -> None:
    result = SearchResult(found("x?", []).plan, ())
    events = list(ExtractiveAnswerer(embedder()).answer("x?", result, searched=(3, 1204)))
    answer = events[-1]
    assert isinstance(answer, Answer)
    assert answer.abstention is not None
    assert "3 documents (1,204 passages)" in answer.text
    assert answer.abstention.searched_chunks == 1204
    assert answer.confidence == 0.0


def test_a_refusal_marks_nothing() -> None:
    assert ask("Which wine goes with grilled octopus?", both()).highlights == ()


def test_the_sentence_that_comes_nearest_leads_the_passages_of_a_refusal() -> None:
    hits = both()
    result = found("Which wine goes with grilled octopus?", hits)
    scored = ExtractiveAnswerer(embedder()).score("Which wine goes with it?", result)
    best = scored.candidates[int(scored.scores.argmax())]
    refused = refusal("q", result, 0.1, (2, 9))

    def near(score: float) -> Answer:
        return with_nearest(refused, replace(scored, reads={best: Read(score, (0, 3))}), hits)

    shown = near(NEAR)
    assert shown.abstention is not None
    assert shown.abstention.is_near
    assert shown.unused[0].quote == best.sentence.text
    assert [one.number for one in shown.unused] == [1, 2]
    assert len({one.label for one in shown.unused}) == 2
    assert near(NEAR - 0.1) == refused
    assert with_nearest(refused, scored, hits) == refused
    half = replace(scored, candidates=[replace(best, fragment=True)], scores=scored.scores[:1])
    reads = {half.candidates[0]: Read(NEAR, (0, 3))}
    assert with_nearest(refused, replace(half, reads=reads), hits) == refused


@pytest.mark.parametrize(
    ("question", "bar"),
    [("when did Tesla join the league", NOT_TOLD), ("when did Tesla move to New York", -99.0)],
)
def test_a_date_is_of_what_no_passage_tells_only_where_the_reader_thinks_so(
    question: str, bar: float
) -> None:
    result = found(question, both())
    plain = ExtractiveAnswerer(embedder()).score(question, result)
    for score, untold in ((bar - 0.1, bar == NOT_TOLD), (bar, False)):
        scored = replace(plain, reads={plain.candidates[0]: Read(score, (0, 3))})
        assert bool(words_unsaid(question, (), result, scored)) is untold


def _logit(belief: float) -> float:
    return math.log(belief / (1 - belief))


@pytest.mark.parametrize(
    ("belief", "least", "weight"),
    [(0.3, BELIEVED, READ_WEIGHT), (0.8, DOUBTED, DOUBT_WEIGHT)],
)
def test_what_is_read_is_weighed_with_the_confidence(
    belief: float, least: float, weight: float
) -> None:
    question = "when did the holm family take it over"
    scored = ExtractiveAnswerer(embedder()).score(question, found(question, both()))
    enough = (least - _logit(belief)) / weight

    def believed(score: float, asked: str = question) -> bool:
        reads = {scored.candidates[0]: Read(score, (0, 3))}
        return is_believed(asked, belief, replace(scored, reads=reads))

    assert believed(enough + 0.01)
    assert not believed(enough - 0.01)
    german = "Wann hat die Familie Holm das Haus übernommen?"
    assert believed(99, german) == believed(-99, german) == (belief >= 0.5)
    assert is_believed(question, belief, scored) == (belief >= 0.5)


FORMULA = (
    "BM25 is a formula that ranks passages by the words that they share with the question. "
    "It needs no training, and MMR and RRF are used beside BM25."
)


@pytest.mark.parametrize("question", ["Who is the inventor of BM25?", "When was BM25 invented?"])
def test_a_person_or_a_date_that_no_passage_states_is_refused(question: str) -> None:
    answer = ask(question, [hit(FORMULA)])
    assert answer.abstention is not None
    assert ask("What is BM25?", [hit(FORMULA)]).abstention is None


def test_a_person_that_is_named_is_no_refusal() -> None:
    named = FORMULA + " The inventor of BM25 is Stephen Robertson."
    assert "Robertson" in ask("Who is the inventor of BM25?", [hit(named)]).text


@pytest.mark.parametrize(
    ("question", "refused"),
    [
        ("When did Ida Holm die?", True),
        ("Who built the theatre?", True),
        ("When did Ida Holm take over?", False),
        ("How old is Ida Holm?", True),
        ("How old is Jo Bell?", False),
    ],
)
def test_what_is_told_of_something_else_is_no_answer(question: str, refused: bool) -> None:
    text = "Ida Holm took over the theatre from Ada Reed on 1 March 2025. Jo Bell is 40 years old."
    if "Jo" not in question:
        text = text.partition(". ")[0] + "."
    answer = ask(question, [hit(text)])
    assert (answer.abstention is not None) is refused
    if "die" in question:
        assert "speaks of “die”" in answer.text


def test_a_count_that_the_reader_does_not_see_is_refused() -> None:
    question = "How many dogs has the tenant?"
    result = found(question, [hit("The tenant has 3 rooms. The tenant may not keep dogs.")])
    scored = ExtractiveAnswerer(embedder()).score(question, result)
    sure = replace(scored, scores=scored.scores + 5)

    def refused(score: float) -> bool:
        reads = {one: Read(score, (0, 3)) for one in scored.candidates}
        asked = quoted(question, question, result, replace(sure, reads=reads), (1, 1))
        return asked[1].abstention is not None

    assert refused(NO_COUNT - 0.1)
    assert not refused(NO_COUNT + 0.1)


@pytest.mark.parametrize(("score", "refused"), [(NO_COUNT - 0.1, True), (NO_COUNT + 0.1, False)])
def test_who_made_it_is_refused_where_the_reader_does_not_see_it(
    score: float, refused: bool
) -> None:
    question = "Who invented the telephone?"
    result = found(question, [hit("Mark Twain praised the best invention since the telephone.")])
    scored = ExtractiveAnswerer(embedder()).score(question, result)
    reads = {one: Read(score, (0, 3)) for one in scored.candidates}
    sure = replace(scored, scores=scored.scores + 5, reads=reads)
    assert (quoted(question, question, result, sure, (1, 1))[1].abstention is not None) is refused


@pytest.mark.parametrize(
    ("asked", "refused"),
    [
        ("how many people live in Velmark", True),
        ("what is the population of Velmark", True),
        ("how many people does the guild train", False),
    ],
)
def test_a_number_of_people_is_no_number_of_inhabitants(asked: str, refused: bool) -> None:
    text = "The guild of Velmark trains about 900 people. A boat brings them to Velmark."
    assert (ask(asked, [hit(text)]).abstention is not None) is refused
    lived = ask(asked, [hit(f"{text} Velmark has 4,120 inhabitants.")])
    assert lived.abstention is None
    assert lived.text.startswith("Velmark has 4,120") is refused


def test_the_holder_of_an_office_that_no_passage_names_is_refused() -> None:
    text = "The city of Velmark has a theatre. Ada Reed managed the theatre of Velmark city."
    assert ask("Who is the mayor of Velmark?", [hit(text)]).abstention is not None
    text += " The mayor of Velmark is Ida Holm."
    assert "Ida Holm" in ask("Who is the mayor of Velmark?", [hit(text)]).text


STOCK = "The stock of Velmark Ferries is listed in Basel. Velmark Ferries has sold much stock."


def test_advice_is_given_only_where_a_document_gives_it() -> None:
    question = "should i buy the stock of Velmark Ferries?"
    assert ask(question, [hit(STOCK)]).abstention is not None
    given = STOCK + " Nobody should buy the stock of Velmark Ferries before May."
    assert ask(question, [hit(given)]).abstention is None


@pytest.mark.parametrize(
    ("question", "score", "refused"),
    [
        ("who runs the golden pike", SURE, False),
        ("who runs the golden pike", SURE - 0.1, True),
        ("who runs the silver pike", SURE, True),
    ],
)
def test_what_the_reader_is_sure_of_is_not_refused(
    monkeypatch: pytest.MonkeyPatch, *, question: str, score: float, refused: bool
) -> None:
    monkeypatch.setattr(answerer, "_confidence", lambda *_: 0.05)
    text = "The inn, the Golden Pike, stood there in 1588. It is run by Marta Weidlin."
    result = found(question, [hit(text)])
    scored = ExtractiveAnswerer(embedder()).score(question, result)
    run_by = next(c for c in scored.candidates if "Marta" in c.sentence.text)
    reads = {run_by: Read(score, (13, 26))}
    unlike = replace(scored, matrix=scored.matrix * 0, reads=reads)
    assert (quoted(question, question, result, unlike, (1, 1))[1].abstention is None) is not refused


@pytest.mark.parametrize(("score", "refused"), [(3.0, False), (-1.0, True)])
def test_what_reads_well_is_answered_though_it_shares_few_words(
    monkeypatch: pytest.MonkeyPatch, *, score: float, refused: bool
) -> None:
    monkeypatch.setattr(answerer, "_confidence", lambda *_: 0.3)
    question = "who is in charge of the golden pike"
    result = found(question, [hit("The inn, the Golden Pike, is run by Marta Weidlin.")])
    scored = ExtractiveAnswerer(embedder()).score(question, result)
    read = replace(scored, reads={scored.candidates[0]: Read(score, (36, 49))})
    answer = quoted(question, question, result, read, (1, 1))[1]
    assert (answer.abstention is not None) is refused


SHOP = (
    "The warranty lasts two years. For repairs, call 0800 555 210, Monday to Friday. "
    "The machine weighs 4 kg. Keep the receipt."
)


def test_a_telephone_number_is_found_by_its_form() -> None:
    answer = ask("what's the phone number?", [hit(SHOP)])
    assert answer.abstention is None
    assert "0800 555 210" in answer.text
    assert ask("what's the phone number of Zebediah Quill?", [hit(SHOP)]).abstention is not None
    assert ask("what's the phone number?", [hit(TESLA)]).abstention is not None


@pytest.mark.parametrize(
    ("asked", "refused"),
    [
        ("is it vegan?", True),
        ("is it baked?", False),
        ("what makes it vegan?", False),
        ("gibt es einen pool?", True),
    ],
)
def test_yes_or_no_of_what_no_passage_speaks_of_is_refused(asked: str, refused: bool) -> None:
    page = hit(
        "Olive bread is a soft bread with olives. Olive bread is baked for 20 minutes. Dazu gibt es"
        " Salz.",
        title="Olive bread",
    )
    result = found(f"{asked} (olive bread)", [page])
    plan = replace(result.plan, question=asked, follows=True)
    *_, answer = ExtractiveAnswerer(embedder()).answer(asked, replace(result, plan=plan))
    assert isinstance(answer, Answer)
    assert (answer.abstention is not None) is refused


@pytest.mark.parametrize(
    ("asked", "refused"),
    [
        ("where is he buried?", True),
        ("when did he marry?", True),
        ("when did he die?", False),
        ("where was he raised?", False),
        ("when did it begin?", False),
        ("who was his boss?", False),
    ],
)
def test_when_and_where_of_what_no_passage_speaks_of_is_refused(asked: str, refused: bool) -> None:
    page = hit(
        "Jo Reed was born in Bangor on 26 June 1968. Jo Reed grew up in Barmouth from 1970 on."
        " Jo Reed's death came in 1999 in Bangor. The manager of Jo Reed was Ann Bell.",
        title="Jo Reed",
    )
    result = found(f"{asked} (jo reed)", [page])
    plan = replace(result.plan, question=asked, follows=True)
    *_, answer = ExtractiveAnswerer(embedder()).answer(asked, replace(result, plan=plan))
    assert isinstance(answer, Answer)
    assert (answer.abstention is not None) is refused
    word = asked.strip("?").split()[-1]
    assert (f"speaks of “{word}”" in answer.text) is refused


@pytest.mark.parametrize(
    ("asked", "score", "refused"),
    [
        ("when were they shown", SURE, False),
        ("when were they shown", SURE - 0.1, True),
        ("when did they marry", SURE, True),
    ],
)
def test_what_is_told_in_other_words_is_known_by_the_reader(
    asked: str, score: float, refused: bool
) -> None:
    page = hit("Jo Reed premiered his lamps in Bangor in 1910. The lamps of Jo Reed are red.")
    result = found(f"{asked} (lamps of jo reed)", [page])
    result = replace(result, plan=replace(result.plan, question=asked, follows=True))
    plain = ExtractiveAnswerer(embedder()).score(result.plan.goal, result)
    reads = {plain.candidates[0]: Read(score, (0, 5))}
    goal = result.plan.goal
    _, answer = quoted(goal, goal, result, replace(plain, reads=reads), (1, 1))
    assert (answer.abstention is not None) is refused


def test_a_list_without_an_amount_is_no_price() -> None:
    listed = hit("The lamp oil needs these settings:\n\n- level: 2.5\n- name: lamp\n- oil: yes\n")
    assert ask("how much does the lamp oil cost", [listed]).abstention is not None


def test_how_dear_something_else_is_is_no_price() -> None:
    other = hit("Keeping more boats than agreed is mostly very expensive. A lamp is bright.")
    assert ask("how much does a lamp cost", [other]).abstention is not None
    same = hit("A lamp is mostly very expensive. A lamp is bright.")
    assert ask("how much does a lamp cost", [same]).abstention is None


def test_the_unit_of_a_row_may_stand_in_the_header() -> None:
    table = hit("Standing charge by region in p/day\n\nLinz 54.69 25.61\nGraz 55.22 25.60\n")
    answer = ask("how much is the standing charge in Linz", [table])
    assert answer.abstention is None
    assert "54.69" in answer.text


def test_an_amount_that_the_reader_is_sure_of_is_not_refused() -> None:
    page = hit("Sanctions for those who refuse are raised to £10,000 for each of them, we hear.")
    question, result = "how much is the fine", found("how much is the fine", [page])
    plain = ExtractiveAnswerer(embedder()).score(question, result)
    for score, refused in ((SURE_OF_AMOUNT, False), (SURE_OF_AMOUNT - 0.1, True)):
        reads = {plain.candidates[0]: Read(score, (0, 5))}
        _, answer = quoted(question, question, result, replace(plain, reads=reads), (1, 1))
        assert (answer.abstention is not None) is refused


@pytest.mark.parametrize(
    ("question", "bar"),
    [
        ("what does it bring to market", NOT_SEEN),
        ("what does it think of wine", NOT_SEEN),
        ("what does it run", UNLIKELY),
    ],
)
def test_what_no_word_and_no_reader_finds_is_refused_in_a_conversation(
    question: str, bar: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answerer, "is_believed", lambda *_: True)
    page = hit("Bakers think that olive bread is a soft bread.", title="Olive bread")
    result = found(f"{question} (olive bread)", [page])
    notice = Notice(CARRIED_OVER, "It was read otherwise.")
    plan = replace(result.plan, question=question, follows=True)
    result = replace(result, plan=plan, notices=(notice,))
    plain = ExtractiveAnswerer(embedder()).score(plan.goal, result)
    for score, refused in ((bar - 0.1, True), (bar, False)):
        reads = {plain.candidates[0]: Read(score, (0, 5))}
        _, answer = quoted(plan.goal, plan.goal, result, replace(plain, reads=reads), (1, 1))
        assert (answer.abstention is not None) is refused
        assert bool(answer.notices) is not refused  # it is refused for its own words


def test_somebodys_name_is_what_the_reader_takes_for_one() -> None:
    for question, named in (("what is his wife's name", True), ("what is the name of it", False)):
        result = found(question, [hit("His wife sobbed in Linz.")])
        plain = ExtractiveAnswerer(embedder()).score(question, result)
        quotes = [Quote(plain.candidates[0], "prose", (plain.candidates[0].sentence,))]
        for score, holds in ((NOT_SEEN, True), (NOT_SEEN - 0.1, not named)):
            scored = replace(plain, reads={plain.candidates[0]: Read(score, (0, 5))})
            assert holds_answer(question, question, quotes, scored) is holds


@pytest.mark.parametrize(
    ("question", "unsaid"),
    [
        ("how dear is it", ("dear",)),
        ("why is it dear", ()),
        ("what if it goes bad", ()),
        ("and the third one", ()),
    ],
)
def test_a_reason_and_a_case_are_told_in_words_of_their_own(
    question: str, unsaid: tuple[str, ...]
) -> None:
    page = hit("Olive bread is a soft bread with olives.", title="Olive bread")
    result = found(f"{question} (olive bread)", [page])
    result = replace(result, plan=replace(result.plan, question=question, follows=True))
    plain = ExtractiveAnswerer(embedder()).score(result.plan.goal, result)
    reads = {plain.candidates[0]: Read(NOT_SEEN - 1, (0, 5))}
    assert words_unsaid(question, [], result, replace(plain, reads=reads)) == unsaid


@pytest.mark.parametrize(
    ("translated", "goal", "unsaid"),
    [
        ("", "ist das Zorblatt", ("Zorblatt",)),
        ("is the hallucination", "ist das Zorblatt", ()),
        ("is the zorblade", "ist das Zorblatt", ("zorblade",)),
        ("is the zorblade (lamp)", "ist das Zorblatt (Lampe)", ()),
    ],
)
def test_what_was_put_into_another_language_is_looked_for_in_that(
    translated: str, goal: str, unsaid: tuple[str, ...]
) -> None:
    result = found(goal, [hit("A hallucination is a statement without support.")])
    plan = replace(
        result.plan, question="ist das Zorblatt", goal=goal, translated=translated, follows=True
    )
    result = replace(result, plan=plan)
    plain = ExtractiveAnswerer(embedder()).score(goal, result)
    reads = {plain.candidates[0]: Read(NOT_SEEN - 1, (0, 5))}
    assert words_unsaid(goal, [], result, replace(plain, reads=reads)) == unsaid


LEASE = (
    "# Mietvertrag\n\nDie Kaution beträgt drei Monatsmieten. Die Miete ist am dritten Werktag "
    "fällig.\n\n# Kündigung\n\nDie Kündigung muss zum Ablauf des übernächsten Monats erfolgen."
)


@pytest.mark.parametrize("question", ["wie hoch ist die Kaution", "wann ist die Miete fällig"])
def test_a_document_of_one_passage_is_answered_from(question: str) -> None:
    assert ask(question, [hit(LEASE)]).abstention is None
    assert ask("wer ist der Vermieter", [hit(LEASE)]).abstention is not None


def test_who_asks_for_a_number_that_no_list_has_gets_nothing_else() -> None:
    queue = "## Waiting list\n\n1. Jo Reed\n2. Ann Bell\n\nThe waiting list has 12 people."
    assert "Ann Bell" in ask("who is number 2 on the waiting list", [hit(queue)]).text
    assert ask("who is number 8 on the waiting list", [hit(queue)]).abstention is not None
    assert "12 people" in ask("how many are on the waiting list", [hit(queue)]).text


def test_a_number_in_the_heading_above_is_the_one_asked_for() -> None:
    act = "## Section 3 Duties of the miller\n\nThe miller must keep the wheel clean."
    assert "clean" in ask("what does section 3 say", [hit(act)]).text
    assert ask("what does section 9 say", [hit(act)]).abstention is not None


def test_the_label_of_a_line_may_be_what_somebody_did() -> None:
    minutes = "Datum: 14. März\n\nProtokoll: Jannis Thiele\n\nDer Verein hat 212 Mitglieder."
    assert "Jannis Thiele" in ask("wer hat das protokoll geschrieben", [hit(minutes)]).text
    assert ask("wer hat die satzung geschrieben", [hit(minutes)]).abstention is not None


def test_what_is_put_into_another_language_insists_as_it_was_typed() -> None:
    died = found("wann wurde tesla geboren", [hit("Tesla died on 7 January 1943.")])
    died = replace(died, plan=replace(died.plan, translated="when be tesla birth"))
    *_, answer = ExtractiveAnswerer(embedder()).answer("wann wurde tesla geboren", died)
    assert isinstance(answer, Answer)
    assert answer.abstention is not None
