"""Lists, tables, signatures and long code: what belongs to a sentence is quoted with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.answering.extractive.marking.writing import highlighted, marked, written
from core.answering.extractive.question.kinds import asks_for_list
from core.answering.extractive.sentences.candidates import Candidate, find_candidates
from core.answering.extractive.sentences.reading import Read
from core.answering.extractive.structures.lists import MOST_ITEMS
from core.answering.extractive.structures.quotes import MOST_LINES, Quote, whole, whole_quotes
from core.answering.extractive.structures.tables import MOST_ROWS
from core.types import ChunkKind, Hit
from tests.support.hits import hit

LIST = (
    "The harbour takes these:\n\n- ferries;\n- fishing boats. They pay less.\n- yachts\n\n"
    "Nothing else may enter."
)
TABLE = "Staff of the harbour\n\nYear | Ships | Crew\n2010 | 12 | 34\n2011 | 13 | 35\n"


def quoted(text: str, words: str, question: str = "what is it") -> Quote:
    piece = hit(text, start=7)
    return whole(question, candidate(piece, words), piece)


def candidate(piece: Hit, words: str) -> Candidate:
    return next(c for c in find_candidates([piece]) if words in c.sentence.text)


def texts(quote: Quote) -> list[str]:
    return [part.text for part in quote.parts]


def test_what_leads_in_takes_its_items() -> None:
    quote = quoted(LIST, "The harbour takes")
    assert quote.form == "list"
    assert texts(quote) == [
        "The harbour takes these:", "ferries;", "fishing boats. They pay less.", "yachts",
    ]  # fmt: skip
    assert written(quote)[0].startswith("The harbour takes these:\n\n- ferries;\n- fishing boats.")


def test_what_is_announced_is_told_in_turn() -> None:
    text = (
        "The harbour closes for two reasons. First, fog is common. It comes in May. "
        "Second, the nets lie there. Rain fell."
    )
    assert texts(quoted(text, "two reasons")) == [
        "The harbour closes for two reasons.", "First, fog is common. It comes in May.",
        "Second, the nets lie there.",
    ]  # fmt: skip
    plain = text.replace("for two reasons", "in fog")
    assert texts(quoted(plain, "The harbour")) == ["The harbour closes in fog."]


def test_titles_that_count_are_the_items_of_what_leads_in() -> None:
    text = "The harbour has three parts:\n\n1. Quay\n\nFerries land.\n\n2. Dock\n\nIt is dry.\n"
    assert texts(quoted(text, "three parts")) == ["The harbour has three parts:", "Quay", "Dock"]
    other = text.replace("2. Dock", "1. Dock")
    assert texts(quoted(other, "three parts")) == ["The harbour has three parts:", "Quay"]
    told = text.replace(
        "2. Dock", "2. Of the dock nobody knew what it was for when it was dug there"
    )
    assert len(texts(quoted(told, "three parts"))) == 2


def test_one_letter_is_no_answer() -> None:
    text = "The crew benefits by R of the lamp and of D."
    quote = quoted(text, "crew benefits")
    said, spans = written(quote)
    read = Read(9.0, (text.index("R of"), text.index("R of") + 1))
    assert highlighted("who benefits", quote, said, spans, read) == []


def test_an_item_stands_alone_and_is_whole_where_a_list_is_asked_for() -> None:
    assert texts(quoted(LIST, "yachts", "what pays less")) == ["yachts"]
    assert quoted(LIST, "yachts", "list all the boats").form == "list"


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("what does the harbour take", "list"),  # of which no item has a word
        ("what is a fishing boat", "prose"),
        ("what is a yacht", "prose"),
    ],
)
def test_an_item_that_goes_on_from_what_was_asked_is_quoted_with_it(
    question: str, form: str
) -> None:
    assert quoted(LIST, "fishing boats", question).form == form
    assert quoted(LIST.replace("- f", "- F"), "ishing boats", question).form == "prose"


def test_a_long_list_says_how_much_is_left_out() -> None:
    quote = quoted("These:\n\n" + "\n".join(f"- item {n}" for n in range(MOST_ITEMS + 3)), "These")
    assert len(quote.parts) == 1 + MOST_ITEMS
    assert quote.more == 3
    assert "and 3 more" in marked(written(quote)[0], quote, 1)


def test_a_row_comes_with_its_header_as_a_table() -> None:
    quote = quoted(TABLE, "2011")
    text, spans = written(quote)
    assert marked(text, quote, 2) == (
        "| Year | Ships | Crew |\n| --- | --- | --- |\n| 2011 | 13 | 35 [2] |"
    )
    assert [text[start:end] for start, end in spans] == texts(quote)


def test_a_row_without_bars_comes_with_its_years() -> None:
    text = "Net revenues 2019 2018\n\nConsole 1,920 2,538\nPC 1,718 2,180\n"
    quote = quoted(text, "PC")
    assert texts(quote) == ["Net revenues", "2019", "2018", "PC", "1,718", "2,180"]
    assert (quote.form, quote.columns) == ("table", 3)


PRINTED = (
    "Lamps lit by the harbours\n\nAs counted\n\nHarbour Lit Unlit (n)\nAmber $ 12 1\nBasel 80 9\n"
    "Linz 7 3\n\nIt rained."
)


def test_a_row_without_bars_is_drawn_as_a_table_below_what_leads_in() -> None:
    quote = quoted(PRINTED, "Amber")
    text, spans = written(quote)
    assert marked(text, quote, 1) == (
        "Lamps lit by the harbours  \nAs counted\n\n"
        "| Harbour | Lit | Unlit (n) |\n| --- | --- | --- |\n| Amber | \\$ 12 | 1 [1] |"
    )
    assert [text[start:end].replace("\\", "") for start, end in spans] == texts(quote)
    years = quoted(PRINTED.replace("Harbour Lit Unlit (n)", "2019 2018"), "Basel")
    assert written(years)[0].endswith("|  | 2019 | 2018 |\n| --- | --- | --- |\n| Basel | 80 | 9 |")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("how many are unlit in Basel", "9"),
        ("which harbour is it", "Basel"),
        ("what is said of Basel", ""),
        ("which harbour is Basel", ""),
    ],
)
def test_the_cell_of_a_row_without_bars_is_set_off(question: str, words: str) -> None:
    quote = quoted(PRINTED, "Basel")
    text, spans = written(quote)
    found = highlighted(question, quote, text, spans)
    assert [text[start:end] for start, end in found] == ([words] if words else [])


def test_rows_of_one_table_are_one_table() -> None:
    for text, drawn in ((PRINTED, "| Amber | \\$ 12 | 1 |\n| Linz | 7 | 3 |"),
                        (TABLE, "| 2010 | 12 | 34 |\n| 2011 | 13 | 35 |")):  # fmt: skip
        piece = hit(text)
        first, second = ("Amber", "Linz") if text is PRINTED else ("2010 |", "2011 |")
        both = [candidate(piece, first), candidate(piece, second)]
        (quote,) = whole_quotes("what is lit", both, [piece])
        assert written(quote)[0].endswith(drawn)
        found = highlighted("how many are unlit in Amber", quote, *written(quote))
        assert [written(quote)[0][a:b] for a, b in found] == (["1"] if text is PRINTED else [])


def test_a_table_that_a_sentence_leads_to_says_how_many_rows_are_left_out() -> None:
    rows = "".join(f"Port {'a' * n} {n} {n + 2}\n" for n in range(1, MOST_ROWS + 4))
    quote = quoted(f"The lamps are:\n\nHarbour Lit Unlit\n{rows}", "The lamps are")
    assert (quote.form, quote.columns, quote.more) == ("table", 3, 3)
    assert marked(written(quote)[0], quote, 1).endswith("[1] |\n\n*and 3 more in the source*")
    bars = quoted(
        "Lamps:\n\n" + "".join(f"| Amber | {n} |\n" for n in range(MOST_ROWS + 3)), "Lamps"
    )
    assert marked(written(bars)[0], bars, 1).endswith("[1] |\n\n*and 3 more in the source*")


def test_a_signature_and_its_sentence_go_together() -> None:
    text = "time.sleep(secs)\nSuspend execution for the given number of seconds. More follows."
    both = ["time.sleep(secs)", "Suspend execution for the given number of seconds."]
    assert texts(quoted(text, "Suspend")) == both
    assert texts(quoted(text, "time.sleep")) == both
    assert texts(quoted(text, "More")) == ["More follows."]


def test_the_name_of_a_constant_stands_above_what_it_is() -> None:
    text = "string.digits\nThe digits from 0 to 9. More follows."
    assert texts(quoted(text, "The digits")) == ["string.digits", "The digits from 0 to 9."]
    titled = "Digits\nThe digits from 0 to 9."
    assert texts(quoted(titled, "The digits")) == ["The digits from 0 to 9."]


def test_of_long_code_the_lines_that_match() -> None:
    lines = [f"    value_{n} = {n}" for n in range(3 * MOST_LINES)]
    lines[20] = "    data = json.load(file)"
    code = "def read(file):\n" + "\n".join(lines)
    piece = hit(code)
    piece = replace(piece, chunk=replace(piece.chunk, kind=ChunkKind.CODE))
    quote = whole("how do I load json data", candidate(piece, "def read"), piece)
    (part,) = quote.parts
    assert "json.load(file)" in part.text
    assert part.text.count("\n") < MOST_LINES
    assert code[part.start : part.end] == part.text


def test_a_header_comes_with_its_rows() -> None:
    quote = quoted(TABLE, "Year |")
    assert texts(quote) == ["Year | Ships | Crew", "2010 | 12 | 34", "2011 | 13 | 35"]
    text, spans = written(quote)
    assert text == (
        "| Year | Ships | Crew |\n| --- | --- | --- |\n| 2010 | 12 | 34 |\n| 2011 | 13 | 35 |"
    )
    assert [text[start:end] for start, end in spans] == texts(quote)
    assert highlighted("how many ships", quote, text, spans) == []


def test_of_a_long_table_some_rows() -> None:
    rows = "\n".join(f"{n} | {n} | {n}" for n in range(2000, 2000 + 2 * MOST_ROWS))
    assert len(quoted(f"Year | Ships | Crew\n{rows}\n", "Year |").parts) == 1 + MOST_ROWS


def test_the_name_of_the_function_that_is_asked_for_is_set_off() -> None:
    text = "time.sleep(secs)\nSuspend execution for the given number of seconds."
    quote = quoted(text, "Suspend")
    said, spans = written(quote)
    ((start, end),) = highlighted("which function suspends execution", quote, said, spans)
    assert said[start:end] == "time.sleep"


SIGHTS = "## What to see\n\n- The glass museum\n- The bridge of 1540\n\n## Dogs\n\n- Bring none."


def test_the_list_below_a_heading_answers_what_the_heading_says() -> None:
    asked = quoted(SIGHTS, "glass", "what can i see there")
    assert texts(asked) == ["What to see", "The glass museum", "The bridge of 1540"]
    assert texts(quoted(SIGHTS, "glass", "what glass can i see")) == ["The glass museum"]
    assert texts(quoted(SIGHTS, "bridge", "how old is the bridge")) == ["The bridge of 1540"]


LEVELS = (
    "The levels are given in the following table. Few need them.\n\n"
    "Level | Value\nERROR | 40\nINFO | 20\n"
)


SLIDE = (
    "Code 690: Solar System Division\nSupport offices\n  Code 603: Resources Management Office\n"
    "  Code 605: Proposal Support Office. It has two rooms.\nCode 700: Technology Directorate"
)


def test_the_lines_indented_below_a_heading_are_its_list() -> None:
    quote = quoted(SLIDE, "Code 603: Resources Management Office", "list all the support offices")
    assert quote.form == "list"
    assert texts(quote) == [
        "Support offices",
        "Code 603: Resources Management Office",
        "Code 605: Proposal Support Office. It has two rooms.",
    ]


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("Code 690: Solar System Division", "list all the support offices"),
        ("Code 603: Resources Management Office", "list all the directorates"),
        ("Code 603: Resources Management Office", "what is code 603"),
    ],
)
def test_what_is_no_outline_that_is_asked_for(words: str, question: str) -> None:
    assert quoted(SLIDE, words, question).form == "prose"


def test_the_following_table_need_not_follow_at_once() -> None:
    quote = quoted(LEVELS, "following table", "what levels are there")
    assert (quote.form, texts(quote)) == ("table", ["Level | Value", "ERROR | 40", "INFO | 20"])
    far = LEVELS.replace("Few need them.", "Few need them. " * 5)
    assert quoted(far, "following table", "what levels are there").form == "prose"


FEES = (
    "Volume | Taker Fee | Maker Fee\nLess than $10,000 | 0.60% | 0.40%\n"
    "$10,000-$50,000 | 0.40% | 0.25%\nOver $50,000 | 0.05% | 0.00%"
)


def test_a_table_is_whole_where_no_row_of_it_is_asked_for() -> None:
    quote = quoted(FEES, "Over $50,000 | 0.05% | 0.00%", "how much are the fees")
    assert quote.form == "table"
    assert texts(quote) == FEES.split("\n")


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (FEES, "what is the taker fee over 50,000"),
        (FEES, "how much is the rent"),
        (FEES + "\nVery much | 0.01% | 0.00%" * 9, "how much are the fees"),
    ],
)
def test_one_row_of_a_table(text: str, question: str) -> None:
    assert len(quoted(text, "Over $50,000 | 0.05% | 0.00%", question).parts) == 2


def test_the_table_below_a_sentence_is_quoted_where_a_list_of_it_is_asked_for() -> None:
    text = "The harbour has ships of many kinds.\n\nferry | slow\nyacht | fast\ntug | strong\n"
    assert quoted(text, "The harbour has", "list the ships of the harbour").form == "table"
    assert quoted(text, "The harbour has", "what does the harbour have").form == "prose"


def test_nothing_is_added_to_a_list_that_was_asked_for() -> None:
    text = LIST + " A list of boats hangs there."
    piece = hit(text, start=7)
    chosen = [candidate(piece, "The harbour takes"), candidate(piece, "A list of boats")]
    assert len(whole_quotes("list the boats", chosen, [piece])) == 1
    assert len(whole_quotes("what does the harbour take", chosen, [piece])) == 2


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("please list the boats", True),
        ("give me a list of boats", True),
        ("what log levels are there", True),
        ("which boats may enter", True),
        ("which is better for boats", False),
        ("which harbour has the most boats", False),
        ("which harbour was built first", False),
        ("und die nachteile vom segeln?", True),
        ("pros and cons of sailing", True),
        ("was sind die regeln", True),
        ("pick a random element from a list", False),
        ("which function gives me the median", False),
        ("what if the list is empty?", False),
    ],
)
def test_which_questions_ask_for_a_list(question: str, asks: bool) -> None:
    assert asks_for_list(question) is asks


STEPS = (
    "# Descaling\n\nScale slows the machine down. Never use vinegar.\n\n1. Let it cool.\n"
    "2. Fill the tank. Add one sachet.\n3. Rinse twice.\n\n# Warranty\n\nIt lasts two years.\n"
)


@pytest.mark.parametrize("words", ["Scale slows", "Fill the tank", "Rinse"])
@pytest.mark.parametrize(
    "question", ["how do i descale it", "how to descale the machine?", "steps for descaling"]
)
def test_how_is_answered_by_the_steps_in_their_order(words: str, question: str) -> None:
    quote = quoted(STEPS, words, question)
    assert quote.steps
    assert written(quote)[0] == (
        "Descaling\n\n1. Let it cool.\n2. Fill the tank. Add one sachet.\n3. Rinse twice."
    )


def test_steps_whose_heading_is_not_in_the_passage_begin_at_once() -> None:
    _, _, below = STEPS.partition("# Descaling\n\n")
    piece = replace(hit(below), chunk=replace(hit(below).chunk, headings=("Descaling",)))
    quote = whole("how do i descale it", candidate(piece, "Let it cool"), piece)
    assert written(quote)[0].startswith("1. Let it cool.\n2. ")


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("why descale it", "Scale slows"),
        ("how do i get the warranty", "Scale slows"),
        ("how do i descale it and rinse", "Rinse"),  # that one is asked for by itself
        ("how do i descale it", "It lasts"),
    ],
)
def test_what_no_steps_answer(question: str, words: str) -> None:
    assert not quoted(STEPS, words, question).steps


def test_clauses_with_titles_are_no_steps() -> None:
    text = "# Lease\n\n1. Rent. The rent is 90 euros.\n2. Pets. Cats are allowed.\n"
    assert not quoted(text, "Cats", "how do i lease it").steps


def test_a_sentence_that_announces_steps_takes_the_list_below_it() -> None:
    text = "We use a few more steps to keep them dry.\n\n1. Cut them.\n2. Salt them.\n\nServe them."
    assert texts(quoted(text, "We use")) == [
        "We use a few more steps to keep them dry.", "Cut them.", "Salt them.",
    ]  # fmt: skip
    tips = text.replace("We use a few more steps to keep them dry", "Here are quick tips on cod")
    assert texts(quoted(tips, "Here"))[1:] == ["Cut them.", "Salt them."]
    other = text.replace("a few more steps", "a little salt")
    assert texts(quoted(other, "We use")) == ["We use a little salt to keep them dry."]


def test_an_empty_first_cell_stays_a_cell() -> None:
    text = "|  | Amber | Velmark |\n| --- | --- | --- |\n| Fees | 2 euros | 3 euros |\n"
    shown = written(quoted(text, "Fees", "what are the fees"))[0]
    header, _, row = shown.split("\n")
    assert header.count("|") == row.count("|") == 4


def test_what_an_article_is_going_to_tell_are_no_steps() -> None:
    steps = "Faster builds\n\nIn this article I'll cover:\n\n1. Slow builds.\n2. Fast builds.\n"
    question = "how do i make builds faster"
    assert not quoted(steps, "Slow builds", question).steps
    assert quoted(steps.replace("In this article I'll cover", "Do this"), "Slow", question).steps


def test_what_leads_in_takes_the_lines_of_a_form() -> None:
    text = (
        "All that is written here is agreed by both of the sides, and holds until it is done.\n\n"
        "The name and the business address of the contractor who is to supply the machines:\n"
        "Name: Reino Pty Ltd\nAddress: 15 Herbet Street\n\nNothing else is agreed.\n"
    )
    assert texts(quoted(text, "The name and"))[1:] == [
        "Name: Reino Pty Ltd", "Address: 15 Herbet Street",
    ]  # fmt: skip


def test_a_caption_is_no_item_of_what_leads_in() -> None:
    text = "The weights are shown in the table below.\nTable 10: Weights of the lamps\n"
    assert texts(quoted(text, "weights are shown")) == ["The weights are shown in the table below."]


def test_one_of_several_values_is_shown_with_the_others() -> None:
    text = "Choose how long each half lasts.\n\n- 4 minutes\n- 5 minutes\n- 10 minutes\n"
    assert texts(quoted(text, "4 minutes", "how long can a half be")) == [
        "Choose how long each half lasts.", "4 minutes", "5 minutes", "10 minutes",
    ]  # fmt: skip


def test_items_keep_their_boxes() -> None:
    text = "Tasks before release:\n\n☒ Design\n☐ Documentation\n[x] Tests\n"
    assert texts(quoted(text, "Tasks")) == [
        "Tasks before release:", "☒ Design", "☐ Documentation", "[x] Tests",
    ]  # fmt: skip


def test_a_listing_below_what_leads_in_is_no_form() -> None:
    text = (
        "Put it in a file:\n\n```yaml\nzones:\n  - name: lawn\n    minutes: 2\n```\n\nThat's all."
    )
    assert texts(quoted(text, "Put it")) == ["Put it in a file:"]


BOX = "Reed Lamps\n\n" + "\n".join(
    (
        "Type | Limited company", "Founder | Ada Reed", "Founded | 1874", "Revenue | £12 million",
        "Staff | 340 (2023)", "Seat | Graz",
    )
)  # fmt: skip


def test_a_row_of_an_info_box_has_no_header() -> None:
    quote = quoted(BOX, "Founded", "when was it founded")
    assert (quote.form, texts(quote)) == ("field", ["Founded | 1874"])
    text, spans = written(quote)
    assert text == "|  |  |\n| --- | --- |\n| Founded | 1874 |"
    assert [text[start:end] for start, end in spans] == ["Founded | 1874"]
    ((start, end),) = highlighted("how many staff", *(box := quoted(BOX, "Staff"),), *written(box))
    assert written(box)[0][start:end] == "340 (2023)"
    assert marked(text, quote, 2).endswith("| Founded | 1874 [2] |")
    assert texts(quoted(BOX, "Type")) == ["Type | Limited company"]


def test_two_columns_with_a_header_keep_it() -> None:
    ruled = BOX.replace("company\n", "company\n| --- | --- |\n")
    assert texts(quoted(ruled, "Founded"))[0] == "Type | Limited company"
    prices = "Lamp | Price\nFox | 12\nHen | 14\nOwl | 16\nElk | 19\n"
    assert texts(quoted(prices, "Hen"))[0] == "Lamp | Price"


def test_a_row_of_a_table_without_names_of_columns_is_shown_by_itself() -> None:
    text = "Data\n\n| | |\n|---|---|\n| Weight | 640 g |\n| Colour | red |\n"
    assert written(quoted(text, "Weight"))[0] == "|  |  |\n| --- | --- |\n| Weight | 640 g |"
    ducks = "Ducks by year\n\nGeese: 2019 80 | 2020 95\nSwans: 2019 12 | 2020 13\n"
    assert texts(quoted(ducks, "Swans"))[0] == "Ducks by year"


def test_what_leads_in_has_its_one_line_with_it() -> None:
    text = "Das Auto ist gut.\n\nWas uns nicht gefällt:\n\nDer Tank ist etwas klein.\n\nEnde."
    assert texts(quoted(text, "nicht gefällt")) == [
        "Was uns nicht gefällt:", "Der Tank ist etwas klein.",
    ]  # fmt: skip


METALS = "Heavy metals\n\nSort Air (kg) Water (kg)\nLead 200 20\nZinc 100 10\nTin 50 5\n"


def test_all_rows_are_quoted_below_the_title_that_a_list_is_asked_of() -> None:
    quote = quoted(METALS, "Zinc", "which heavy metals are listed")
    assert (quote.form, quote.columns, len(quote.rows)) == ("table", 3, 4)
    for question in ("which metals are light", "which heavy metal has 100", "how heavy is zinc"):
        assert "Tin" not in texts(quoted(METALS, "Zinc", question))
    many = METALS + "".join(f"Ore{n} {n} 1\n" for n in range(MOST_ROWS))
    assert quoted(many, "Zinc", "list the heavy metals").more == 3
