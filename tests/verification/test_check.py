"""The support check: what is in the source passes, what is changed is caught, with the reason."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.types import STATES_NOTHING, Citation, Claim, Support
from core.verification.check import Case, check_support
from core.verification.comparison import compare, read_passage
from tests.support.hits import embedder

PASSAGE = (
    "The company spent 1,577 million dollars on property, plant and equipment in 2018. "
    "Sales rose to 32.8 billion dollars. Inge Thulin was the chief executive until July 2018. "
    "The plant in Graz was not closed, and six other plants in Europe were enlarged."
)
OTHER = "Volcanoes erupt when magma rises. The largest volcano of Hawaii is Mauna Loa."


def source(number: int, passage: str, title: str = "Annual report") -> Citation:
    return Citation(
        number, f"d{number}:0", f"d{number}", f"f{number}.pdf", None, 0, 1, 0, len(passage),
        passage, title=title, passage=passage,
    )  # fmt: skip


def check(text: str, question: str = "") -> Claim:
    claims = check_support(
        text, [source(1, PASSAGE)], [source(2, OTHER, "Volcanoes")], embedder(), question=question
    )
    (claim,) = claims
    return claim


@pytest.mark.parametrize(
    "sentence",
    [
        "In 2018 the company spent 1577 million dollars on property, plant and equipment [1].",
        "It spent 1.6 billion dollars on property, plant and equipment in 2018 [1].",
        "Until July 2018, Inge Thulin was chief executive of the company [1].",
        "The Graz plant was not closed [1].",
        "6 other plants in Europe were enlarged [1].",
        "The annual report says that sales rose to 32.8 billion dollars [1].",
    ],
)
def test_what_the_source_says_in_other_words_is_supported(sentence: str) -> None:
    assert check(sentence).support is Support.SUPPORTED


def test_a_quote_is_verbatim_also_with_emphasis() -> None:
    claim = check("**Sales** rose to 32.8 billion dollars. [1]")
    assert (claim.support, claim.score, claim.numbers) == (Support.VERBATIM, 1.0, (1,))


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("It spent 1,579 million dollars on property, plant and equipment in 2018 [1].",
         "The number 1,579 is not in the source."),
        ("The company spent 1,577 million on equipment in 2019, in 2016 and in 2017 [1].",
         "The numbers 2019, 2016 and 2017 are not in the source."),
        ("The plant in Graz was closed [1].", "“not”"),
        ("Six other plants in Europe were not enlarged [1].", "“not”"),
        ("Until July 2018, Pierre Durand was the chief executive [1].",
         "The names “Pierre” and “Durand” are not in the source."),
        ("Mauna Loa is the largest volcano of Hawaii [1].", "not in the source"),
        ("Its employees received free lunches and long holidays [1].", "No sentence"),
        ("Sales rose to 1,577 billion dollars [1].", "1,577"),
    ],
)  # fmt: skip
def test_what_the_source_does_not_say_is_not_supported(sentence: str, reason: str) -> None:
    claim = check(sentence)
    assert claim.support is Support.UNSUPPORTED
    assert reason in claim.reason
    assert claim.numbers == (1,)


def test_an_uncited_sentence_gets_the_source_that_matches() -> None:
    claim = check("The largest volcano of Hawaii is called Mauna Loa.")
    assert (claim.support, claim.numbers) == (Support.MATCHED, (2,))
    claim = check("Sales rose to 32.8 billion dollars.")
    assert (claim.support, claim.numbers) == (Support.MATCHED, (1,))


def test_a_name_in_anothers_place_is_said_and_is_no_near_quote() -> None:
    calls = "These services call at Durham, Darlington and York. Others go on to Inverness."
    said = "These services call at Inverness, Darlington and York"
    (cited,) = check_support(f"{said} [1].", [source(1, calls)], (), embedder())
    assert cited.support is Support.UNSUPPORTED
    assert cited.reason == "The sentence says “Inverness” where the source says “Durham”."
    (uncited,) = check_support(f"{said}.", (), [source(1, calls)], embedder())
    assert uncited.support is Support.UNSUPPORTED


@pytest.mark.parametrize("name", ["Karl Huber", "Peter Huber"])
def test_nearly_the_words_of_a_source_with_another_name_have_no_source(name: str) -> None:
    built = "Anna Meyer built the old mill on the river bank. Karl Huber built the weir there."
    said = f"{name} built the old mill on the river bank."
    (claim,) = check_support(said, (), [source(1, built)], embedder())
    assert claim.support is Support.UNSUPPORTED


@pytest.mark.parametrize(
    ("said", "supported"),
    [
        ("Linz is the seat of the firm [1].", False),
        ("Graz is the seat of the company [1].", True),
    ],
)
def test_a_name_that_opens_a_sentence_is_compared(said: str, supported: bool) -> None:
    passage = source(1, "Graz is the seat of the firm. Linz has a harbour and a steel works.")
    (claim,) = check_support(said, [passage], (), embedder())
    assert (claim.support is Support.SUPPORTED) is supported
    if not supported:
        assert claim.reason == "The sentence says “Linz” where the source says “Graz”."


def test_an_uncited_sentence_that_nothing_matches() -> None:
    claim = check("Its employees received free lunches and long holidays.")
    assert (claim.support, claim.numbers) == (Support.UNSUPPORTED, ())
    assert "cites no source" in claim.reason


def test_what_the_question_says_needs_no_source() -> None:
    said = "For 3M, the chief executive until July 2018 was Inge Thulin [1]."
    assert check(said, "Who was chief executive of 3M?").support is Support.SUPPORTED


def test_another_language_is_not_judged_but_its_numbers_are() -> None:
    said = "Im Jahr 2018 gab das Unternehmen {} Millionen Dollar aus, und das war nicht wenig [1]."
    assert check(said.format("1.577")).support is Support.UNCHECKED
    assert check(said.format("1.579")).support is Support.UNSUPPORTED


def test_a_judge_decides_where_it_can() -> None:
    asked: list[Case] = []

    class Judging:
        any_language = False

        def __call__(self, cases: Sequence[Case]) -> list[bool | None]:
            asked.extend(cases)
            return [None if "lunches" in sentence else True for sentence, _ in cases]

    text = "Sales went up a lot [1]. Its employees received free lunches [1]."
    first, second = check_support(text, [source(1, PASSAGE)], [], embedder(), judge=Judging())
    assert first.support is Support.SUPPORTED
    assert second.support is Support.UNSUPPORTED
    assert asked[0] == ("Sales went up a lot .", (PASSAGE,))


def test_claims_are_in_the_order_of_the_answer_with_their_places() -> None:
    text = "Sales rose to 32.8 billion dollars [1].\n\nThe plant in Graz was closed [1]."
    claims = check_support(text, [source(1, PASSAGE)], [], embedder())
    assert [text[claim.start : claim.end] for claim in claims] == [
        "Sales rose to 32.8 billion dollars [1].",
        "The plant in Graz was closed [1].",
    ]


def test_no_sources_and_no_text() -> None:
    assert check_support("", [], [], embedder()) == ()
    (claim,) = check_support("Tesla died in New York in 1943.", [], [], embedder())
    assert claim.support is Support.UNSUPPORTED


def test_a_number_of_another_line_is_seen() -> None:
    table = "Net income 5,363 4,869\nPurchases of equipment 1,577 1,373\nOther net 9 6"
    right = compare("Purchases of equipment were 1,577.", (read_passage(1, table),))
    wrong = compare("Purchases of equipment were 5,363.", (read_passage(1, table),))
    assert right.signals["number_swapped"] <= 0
    assert wrong.signals["number_swapped"] > 0.5


class Agreeing:
    """A judge that says the same of everything, in every language."""

    any_language = True

    def __init__(self, verdict: bool | None) -> None:
        self.verdict = verdict
        self.asked: list[str] = []

    def __call__(self, cases: Sequence[Case]) -> list[bool | None]:
        self.asked += [sentence for sentence, _ in cases]
        return [self.verdict] * len(cases)


def test_a_judge_cannot_overrule_a_number_that_is_missing() -> None:
    judge = Agreeing(True)
    text = "It spent 1,579 million dollars on property, plant and equipment [1]."
    (claim,) = check_support(text, [source(1, PASSAGE)], [], embedder(), judge=judge)
    assert claim.support is Support.UNSUPPORTED
    assert "1,579" in claim.reason
    assert judge.asked == []


def test_a_judge_that_disagrees_is_believed_with_a_reason() -> None:
    text = "Six other plants in Europe were enlarged, and sales rose [1]."
    judge = Agreeing(False)
    (claim,) = check_support(text, [source(1, PASSAGE)], [], embedder(), judge=judge)
    assert claim.support is Support.UNSUPPORTED
    assert "the model judged" in claim.reason
    (claim,) = check_support(text, [source(1, PASSAGE)], [], embedder(), judge=Agreeing(None))
    assert claim.support is Support.SUPPORTED


def test_a_figure_of_another_line_is_not_supported() -> None:
    table = "Net income 5,363 4,869\nPurchases of equipment 1,577 1,373\nOther net 9 6"
    right, wrong = check_support(
        "Purchases of equipment were 1,577 [1].\n\nPurchases of equipment were 5,363 [1].",
        [source(1, table)], [], embedder(),
    )  # fmt: skip
    assert right.support is Support.SUPPORTED
    assert wrong.support is Support.UNSUPPORTED


def test_a_few_words_are_no_quote() -> None:
    claims = check_support("In 2018 [1].\n\nSales rose [1].", [source(1, PASSAGE)], [], embedder())
    assert all(claim.support is not Support.VERBATIM for claim in claims)


def test_code_is_not_checked() -> None:
    text = "```python\nprint('Sales rose to 99 billion dollars')\n```\n[1]"
    (claim,) = check_support(text, [source(1, PASSAGE)], [], embedder())
    assert claim.support is Support.UNCHECKED


def test_passages_that_are_cited_together_are_read_together() -> None:
    text = "Sales rose to 32.8 billion dollars, and the largest volcano is Mauna Loa [1][2]."
    both = [source(1, PASSAGE), source(2, OTHER, "Volcanoes")]
    (claim,) = check_support(text, both, [], embedder())
    assert claim.support is Support.SUPPORTED
    assert claim.numbers == (1, 2)


def test_a_number_that_is_missing_is_enough_however_well_the_rest_fits() -> None:
    passage = "The plant in Graz was not closed, and other plants in Europe were enlarged."
    text = "The plant in Graz was not closed, and 7 other plants in Europe were enlarged [1]."
    (claim,) = check_support(text, [source(1, passage)], [], embedder())
    assert claim.support is Support.UNSUPPORTED
    assert claim.score is not None
    assert claim.score <= 0.1


def test_the_title_of_a_source_says_something_too() -> None:
    text = "In Hawaii, the largest volcano is Mauna Loa [1]."
    passage = "The largest volcano is Mauna Loa."
    scores = [
        check_support(text, [source(1, passage, title)], [], embedder())[0].score or 0.0
        for title in ("Volcanoes of Hawaii", "Volcanoes")
    ]
    assert scores[0] > scores[1]


@pytest.mark.parametrize(
    "sentence",
    ["The plant in Graz made more in 2018.", "The chief executive spent the summer in Graz."],
)
def test_an_uncited_sentence_that_fits_half_matches_nothing(sentence: str) -> None:
    claim = check(sentence)
    assert (claim.support, claim.numbers) == (Support.UNSUPPORTED, ())
    assert claim.score is not None
    assert 0.2 < claim.score < 0.7


def both(text: str) -> list[Claim]:
    sources = [source(1, PASSAGE), source(2, OTHER, "Volcanoes")]
    return list(check_support(text, sources, [], embedder()))


def test_a_statement_about_the_sources_is_no_claim_unless_a_source_says_otherwise() -> None:
    said = "The sources do not mention the weather. "
    wrong = "The sources do not say when Inge Thulin was chief executive."
    first, second = both(said + wrong)
    assert (first.support, first.reason) == (Support.UNCHECKED, STATES_NOTHING)
    assert second.support is Support.UNSUPPORTED
    assert "Inge Thulin was the chief executive until July 2018" in second.reason


@pytest.mark.parametrize("text", ["He graduated in 1873 [1].", "A decrease of about 7.2% [1].",
                                  "Penguins [1]."])  # fmt: skip
def test_a_short_sentence_that_cites_is_checked(text: str) -> None:
    (claim,) = both(text)
    assert claim.support is Support.UNSUPPORTED


def test_a_wrong_mark_among_several_is_named() -> None:
    (claim,) = both("Sales rose to 32.8 billion dollars [1][2].")
    assert claim.support is Support.VERBATIM
    assert claim.wrong == (2,)
    assert claim.reason == "[2] does not say this."
    (claim,) = both("In 2018, sales rose to 32.8 billion dollars [1][2].")
    assert (claim.support, claim.wrong) == (Support.SUPPORTED, (2,))


@pytest.mark.parametrize(
    ("said", "supported"),
    [
        ("Twelve men of Graz dig wells [1], and a pump of 40 kg is carried by mules [2].", True),
        ("Twelve men of Graz dig wells [2], and a pump of 40 kg is carried by mules [1].", False),
        ("Twelve men of Graz dig wells [1], and a pump of 50 kg is carried by mules [2].", False),
        ("Wells are dug in Graz by 12 men [1], and mules carry the pump, of 40 kg [2].", True),
        ("Wells are dug in Graz by 12 men [2], and mules carry the pump, of 40 kg [1].", False),
    ],
)
def test_each_part_of_a_sentence_may_have_a_source_of_its_own(said: str, supported: bool) -> None:
    digging = "Wells are dug in Graz by twelve men. Thirty women of Linz wash wool all day long."
    carrying = "Mules carry the pump, of 40 kg, as well as seven barrels of the best oil of Bari."
    (claim,) = check_support(said, [source(1, digging), source(2, carrying)], [], embedder())
    assert (claim.support is Support.SUPPORTED) is supported, claim


def test_what_the_source_denies_is_not_supported_however_well_the_rest_fits() -> None:
    passage = (
        "The Aeropress makes a sort of quasi-espresso cup that isn't true espresso, but strong."
    )
    (claim,) = check_support(
        "The Aeropress makes true espresso [1].", [source(1, passage)], [], embedder(),
        question="Can I use an Aeropress?",
    )  # fmt: skip
    assert claim.support is Support.UNSUPPORTED


def test_another_unit_and_another_ordinal_are_not_supported() -> None:
    (claim,) = both("Sales rose to 32.8 million dollars [1].")
    assert "32.8 million dollars, the source 32.8 billion dollars" in claim.reason
    passage = "Graz was the fourth of five plants to be enlarged."
    said = "Graz was the third of five plants to be enlarged [1]."
    (claim,) = check_support(said, [source(1, passage)], [], embedder())
    assert claim.support is Support.UNSUPPORTED
    assert "third" in claim.reason


@pytest.mark.parametrize(
    ("said", "supported"),
    [
        ("Rents were 39 million in 2021 [1].", True),
        ("Rents were 41 million in 2021 [1].", False),
        ("Rents rose by 2 million to 41 million [1].", True),
        ("Rents rose by 3 million to 41 million [1].", False),
        ("Lower interest cut the profit [1].", False),
        ("Higher interest cut the profit [1].", True),
    ],
)
def test_figures_under_years_and_what_is_computed_of_them(said: str, supported: bool) -> None:
    report = "(in millions) 2022 2021\nRents 41 39\n\nThe profit was cut by higher interest."
    (claim,) = check_support(said, [source(1, report)], [], embedder())
    assert (claim.support is Support.SUPPORTED) is supported, claim.reason


def test_a_row_is_held_against_the_row_of_the_source() -> None:
    table = "| Plant | Price | Days |\n|---|---|---|\n| Graz | 5 | 3 |\n| Linz | 7 | 2 |"
    text = "| Plant | Price | Days |\n|---|---|---|\n| Graz | 5 | 3 [1] |\n| Linz | 2 | 7 [1] |"
    right, wrong = check_support(text, [source(1, table)], [], embedder())
    assert right.support in (Support.VERBATIM, Support.SUPPORTED)
    assert wrong.support is Support.UNSUPPORTED
    assert wrong.reason == "The source has 7 for “Linz” under “Price”, not 2."


def test_nearly_the_words_of_a_source_are_never_without_one() -> None:
    said = "Inge Thulin was the chief executive of it until July 2018."
    (claim,) = check_support(said, [], [source(1, PASSAGE)], embedder())
    assert (claim.support, claim.numbers) == (Support.MATCHED, (1,))


def test_the_words_of_a_source_without_its_not_have_no_source() -> None:
    said = "The plant in Graz was closed, and six other plants in Europe were enlarged."
    (claim,) = check_support(said, [], [source(1, PASSAGE)], embedder())
    assert (claim.support, claim.numbers) == (Support.UNSUPPORTED, ())


def test_a_question_that_cites_is_not_flagged() -> None:
    (claim,) = both("Do you mean the penguins of the zoo [1]?")
    assert (claim.support, claim.reason) == (Support.UNCHECKED, STATES_NOTHING)


@pytest.mark.parametrize(
    ("said", "passage", "supported"),
    [
        ("Wien is the seat of the firm [1].", "Graz is the seat of the firm.", False),
        ("Wien is the seat of the firm [1].", "Vienna is the seat of the firm.", True),
        ("Sedež podjetja je Dunaj [1].", "Sedež podjetja je Celje.", False),
        ("The firm was founded in Munich [1].", "The firm was founded in München in 1920.", True),
    ],
)
def test_a_place_is_known_by_its_names_in_other_languages(
    said: str, passage: str, supported: bool
) -> None:
    (claim,) = check_support(said, [source(1, passage)], [], embedder())
    assert (claim.support is not Support.UNSUPPORTED) == supported
    if not supported:
        assert "is not in the source" in claim.reason


PUMP = "Rinse the housing with clear water; do not use solvents. It weighs 5 kg."


@pytest.mark.parametrize(
    ("said", "support"),
    [
        ("Do not use solvents [1].", Support.VERBATIM),
        ("Use solvents [1].", Support.UNSUPPORTED),
        ("Avoid using solvents [1].", Support.SUPPORTED),
        ("Use clear water instead of solvents to rinse the housing [1].", Support.SUPPORTED),
        ("According to the source, it weighs 5 kg [1].", Support.VERBATIM),
    ],
)
def test_advice_in_other_words_is_supported_and_its_opposite_is_not(
    said: str, support: Support
) -> None:
    (claim,) = check_support(said, [source(1, PUMP)], [], embedder())
    assert claim.support is support


PRICES = (
    "| Supplier | Price per unit | Delivery |\n|---|---|---|\n| Arnholt | 14.20 euros | 6 weeks |\n"
    "| Bexley | 12.90 euros | 9 weeks |\n| Corvin | 15.75 euros | 3 weeks |"
)


@pytest.mark.parametrize(
    ("said", "support"),
    [
        ("The cheapest is Bexley [1].", Support.SUPPORTED),
        ("Bexley is the cheapest, but it has the longest delivery of 9 weeks [1].",
         Support.SUPPORTED),
        ("Arnholt is cheaper than Corvin [1].", Support.SUPPORTED),
        ("The cheapest is Arnholt [1].", Support.UNSUPPORTED),
        ("Bexley delivers fastest, in 3 weeks [1].", Support.UNSUPPORTED),
        ("The cheapest Danish supplier is Bexley [1].", Support.UNSUPPORTED),
    ],
)  # fmt: skip
def test_a_superlative_is_held_against_the_numbers_of_the_table(
    said: str, support: Support
) -> None:
    (claim,) = check_support(said, [source(1, PRICES, "")], [], embedder())
    assert claim.support is support


def test_a_mark_may_be_what_a_sentence_is_about() -> None:
    said = "Sales rose to 32.8 billion dollars [1]. [2] is not relevant to the question."
    claims = check_support(said, [source(1, PASSAGE), source(2, OTHER)], [], embedder())
    assert [claim.support for claim in claims] == [Support.VERBATIM, Support.UNCHECKED]
    assert claims[1].reason == STATES_NOTHING


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Beta acquired Acme in 2019", "The sentence says “Beta acquired Acme”, the source"),
        ("The board rejected the offer in May", "The sentence says “rejected”, the source"),
        ("All of the members left the party", "The sentence says “All of the members”, the source"),
        ("Visitors always pay up to 20 euros", "The source does not say “always”."),
        ("Visitors pay at least 20 euros", "The sentence says “at least 20”, the source “up"),
        ("It came into force in 1951", "The sentence says “force in 1951”, the source"),
    ],
)  # fmt: skip
def test_a_role_a_limit_or_a_time_that_is_not_the_sources_is_named(said: str, reason: str) -> None:
    passage = (
        "Beta, acquired by Acme in 2019, makes pumps. The board accepted the offer in May. "
        "Some of the members left the party. Visitors pay up to 20 euros. "
        "It was signed in 1951 and came into force in 1954."
    )
    (claim,) = check_support(f"{said} [1].", [source(1, passage)], [], embedder())
    assert claim.support is Support.UNSUPPORTED
    assert claim.reason.startswith(reason)
