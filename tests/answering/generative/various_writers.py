"""What an able and a weak model write of passages as they come out of files, right and wrong.

Figures of reports without lines, data sheets, manuals, references of a library, articles, forums,
German. Marks are as a model writes them, [n] for the n-th of `passages`. The flags were written
down before the check had seen the replies.
"""

from __future__ import annotations

from tests.answering.generative.weak_writer import Written

INCOME = (
    "Consolidated results of Norwell Freight\n\n"
    "(in thousands) 2023 2022 2021\n"
    "Revenue $ 84,310 $ 79,250 $ 71,480\n"
    "Fuel costs (1) 21,640 23,905 15,120\n"
    "Wages 31,275 28,410 26,930\n"
    "Operating income $ 9,486 $ 6,218 $ 8,754\n"
    "Effective tax rate 24.1 % 26.5 % 23.8 %"
)
DEBT = (
    "Interest expense was $2.4 million, $1.9 million and $1.6 million in fiscal 2023, 2022 and "
    "2021, respectively. At year end the company had $38.5 million of long-term debt, of which "
    "$4.2 million is due within one year. The covenant requires net debt of no more than 3.5 times "
    "EBITDA; at year end it was 2.1 times. No shares were repurchased in fiscal 2023."
)
ALLOYS = (
    "| Grade | Yield strength (MPa) | Elongation (%) | Density (g/cm3) |\n|---|---|---|---|\n"
    "| KA-20 | 310 | 18 | 2.70 |\n| KA-35 | 365 | 14 | 2.72 |\n"
    "| KA-50 | 420 | 9 | 2.81 |\n| KB-10 | 205 | 27 | 2.66 |"
)
MOWER = (
    "Charge the battery for at least four hours before first use. The blade must be sharpened "
    "monthly and replaced after 200 hours of operation. Never clean the mower with a hose; wipe it "
    "with a damp cloth. The cutting height can be set from 25 mm to 70 mm. The mower is designed "
    "for slopes of up to 35 % and lawns of up to 600 square metres. If it rains, it returns to its "
    "station by itself."
)
HANDBOOK = (
    "7.3 Travel\n\nEmployees book trains in second class. Flights need the approval of the head of "
    "department and are allowed only where the journey by train takes more than six hours. Hotel "
    "costs are refunded up to 120 euros a night, in Zurich and London up to 180 euros. Receipts "
    "are handed in within 30 days; later claims are rejected. The daily allowance is 28 euros, and "
    "14 euros on the days of departure and return."
)
CACHE = (
    "class store.Cache(maxsize=128, ttl=None)\n"
    "A mapping that discards the least recently used entry once it holds maxsize entries. If ttl "
    "is given, entries expire after that many seconds. Lookups of expired entries raise KeyError. "
    "get(key, default=None) returns default instead. Instances are not thread-safe.\n\n"
    "Changed in version 2.4: ttl was added.\n\n"
    "Deprecated since version 3.0: use of positional arguments."
)
RETRY = (
    "store.retry(times=3, wait=0.5)\nA decorator that calls the function again when it raises "
    "TransientError. The wait doubles after each attempt. Other exceptions are passed on at once. "
    "When all attempts fail, the last exception is raised."
)
CANAL = (
    "The Veldt Canal (Dutch: Veldtkanaal) is 62 kilometres long and links the rivers Aar and "
    "Linde. It was begun in 1788 under the engineer Pieter Brandsma and opened on 9 May 1801, five "
    "years after his death; his pupil Johanna Reus completed it. It has 14 locks, nine of them "
    "between Hemmen and Oost. Freight ended in 1967, and since the 1980s it has been used by "
    "pleasure boats only. It is the longest canal of the province, but not the oldest: the Mar "
    "Canal dates from 1652."
)
FROGS = (
    "The survey counted 412 frogs in 2019 and 538 in 2020. Males are smaller than females, at 4.1 "
    "cm and 5.6 cm on average. The species lays up to 900 eggs, of which about one in ten reaches "
    "the age of one year. Its main predators are herons, grass snakes and otters. It is not "
    "poisonous, unlike the yellow-bellied toad, which shares its ponds. Its numbers fell in "
    "Austria, whereas they were stable in Slovenia and rose in Hungary."
)
GRINDER = (
    "I had the same trouble with my Korva grinder. Cleaning the burrs helped a bit, but what "
    "really fixed it was a new gasket (about $6). Don't bother with the rice trick, it only dulls "
    "the burrs. If yours is older than 2015 the part has another shape and you will have to order "
    "it from the maker."
)
KLINIK = (
    "Die Klinik in Harrenberg wurde 1954 gegründet und hat heute 320 Betten, davon 24 auf der "
    "Intensivstation. Leiterin ist seit März 2018 die Chirurgin Dr. Maren Osterkamp, die auf Prof. "
    "Uwe Thoma folgte. Im Jahr 2022 wurden 18.400 Patienten stationär behandelt, rund 6 % weniger "
    "als 2019. Die Geburtshilfe wurde 2020 geschlossen. Besuche sind täglich von 14 bis 19 Uhr "
    "möglich; Kinder unter zwölf Jahren haben auf der Intensivstation keinen Zutritt."
)
ORDER = (
    "Order 2024-0817 of 08/17/2024\nCustomer: Bakery Lindqvist\n\n"
    "Item | Qty | Unit price | Total\n"
    "Proofing basket, oval | 24 | $8.50 | $204.00\n"
    "Dough scraper | 10 | $4.20 | $42.00\n"
    "Oven peel, 90 cm | 3 | $31.00 | $93.00\n\n"
    "Delivery: 5 working days. Payment: within 14 days, 2 % discount within 7 days."
)

REPLIES = (
    Written(
        "figures under years",
        "How did revenue develop?",
        (INCOME,),
        "Revenue was $84,310 thousand in 2023 [1]. In 2021 it had been $79,250 thousand [1].",
        wrong=("In 2021",),
    ),
    Written(
        "figures under years",
        "How did the costs develop?",
        (INCOME,),
        "Wages rose from $28,410 thousand in 2022 to $31,275 thousand in 2023 [1]. Fuel costs also "
        "rose in 2023, to $21,640 thousand [1].",
        wrong=("Fuel costs",),
    ),
    Written(
        "computed",
        "By how much did operating income grow?",
        (INCOME,),
        "Operating income grew by $3,268 thousand in 2023 [1]. This is an increase of 52.6% [1].",
    ),
    Written(
        "computed",
        "How much more revenue was there?",
        (INCOME,),
        "Revenue increased by $5,060 thousand from 2022 to 2023 [1]. That is about 8.4% [1].",
        wrong=("That is",),
    ),
    Written(
        "shares",
        "What part of revenue goes into wages?",
        (INCOME,),
        "In 2023 wages of $31,275 thousand made up 37% of the revenue of $84,310 thousand [1]. "
        "Fuel took about a quarter [1].",
    ),
    Written(
        "rounded",
        "What were revenue and tax rate in 2022?",
        (INCOME,),
        "Revenue was about $79.3 million [1]. The effective tax rate was 26.5%, the highest of the "
        "three years [1].",
    ),
    Written(
        "listed respectively",
        "How high was the interest?",
        (DEBT,),
        "Interest expense was $1.9 million in fiscal 2022 [1]. In fiscal 2021 it was $2.4 million "
        "[1].",
        wrong=("In fiscal 2021",),
    ),
    Written(
        "computed",
        "How much of the debt is due later?",
        (DEBT,),
        "Of the long-term debt of $38.5 million, $4.2 million fall due within a year [1], so $34.3 "
        "million are due after that [1].",
    ),
    Written(
        "denied",
        "Is the covenant met, and were shares bought back?",
        (DEBT,),
        "Yes, at 2.1 times EBITDA the company stays below the limit of 3.5 times [1]. It bought "
        "back shares in fiscal 2023 [1].",
        wrong=("It bought",),
    ),
    Written(
        "cells",
        "Which yield strength does KA-35 have?",
        (ALLOYS,),
        "KA-35 has a yield strength of 365 MPa and an elongation of 14 % [1]. Its density is 2.81 "
        "g/cm3 [1].",
        wrong=("Its density",),
    ),
    Written(
        "superlatives over a table",
        "Which grade is the strongest?",
        (ALLOYS,),
        "KA-50 has the highest yield strength, at 420 MPa [1]. It also has the highest elongation "
        "[1].",
        wrong=("It also",),
    ),
    Written(
        "computed",
        "How do KA-20 and KA-50 differ?",
        (ALLOYS,),
        "KA-50 is 110 MPa stronger than KA-20 [1]. On the other hand, KA-20 stretches twice as far "
        "before it breaks [1].",
    ),
    Written(
        "instructions",
        "How is the mower cared for?",
        (MOWER,),
        "- Sharpen the blade every month [1]\n- Replace it after 200 hours [1]\n- Rinse the mower "
        "with a hose [1]",
        wrong=("Rinse",),
    ),
    Written(
        "frequencies",
        "How often is the blade sharpened?",
        (MOWER,),
        "The blade must be sharpened once a week [1]. It can stay in the rain, as it drives back "
        "to its station on its own [1].",
        wrong=("The blade",),
    ),
    Written(
        "other units",
        "Which heights can be set?",
        (MOWER,),
        "The cutting height goes from 2.5 cm to 7 cm [1]. The battery has to be charged for at "
        "least 240 minutes before it is used for the first time [1].",
    ),
    Written(
        "inference",
        "May I mow 800 square metres?",
        (MOWER,),
        "No, the mower is only made for lawns of up to 600 square metres [1]. Slopes of 40 % are "
        "fine [1].",
        wrong=("Slopes",),
    ),
    Written(
        "rules",
        "May I fly to Graz?",
        (HANDBOOK,),
        "Only if the train takes longer than six hours and the head of department agrees [1]. "
        "Otherwise you go by train, in first class [1].",
        wrong=("Otherwise",),
    ),
    Written(
        "rules",
        "What is refunded?",
        (HANDBOOK,),
        "A hotel in London may cost up to 180 euros a night [1], which is 60 euros more than "
        "elsewhere [1]. Receipts can be handed in at any time [1].",
        wrong=("Receipts",),
    ),
    Written(
        "computed",
        "What allowance do I get for a trip of three days?",
        (HANDBOOK,),
        "You get 28 euros for the full day and 14 euros each for departure and return [1]. "
        "Together this makes 56 euros [1].",
    ),
    Written(
        "references",
        "What happens with expired entries?",
        (CACHE,),
        "Looking up an expired entry raises `KeyError` [1]. `get()` returns the default in this "
        "case [1]. The `ttl` argument exists since version 3.0 [1].",
        wrong=("The `ttl`",),
    ),
    Written(
        "references",
        "Can threads share a cache?",
        (CACHE,),
        "No, instances are not thread-safe [1]. When the cache is full, the oldest entry that was "
        "used most recently is dropped [1].",
        wrong=("When the cache",),
    ),
    Written(
        "code",
        "How do I cache for a minute?",
        (CACHE,),
        "```python\ncache = store.Cache(maxsize=10, ttl=60)\n```\n\nEntries then expire after 60 "
        "seconds [1].",
    ),
    Written(
        "two sources",
        "How do I retry a cached call?",
        (CACHE, RETRY),
        "`retry` calls the function again on `TransientError` [2], while a `Cache` keeps up to 128 "
        "entries by default [1].",
    ),
    Written(
        "several marks",
        "How long does retry wait?",
        (CACHE, RETRY),
        "The wait doubles after each attempt [1][2]. By default there are five attempts [2].",
        wrong=("By default",),
        marks=(1,),
    ),
    Written(
        "articles",
        "Who built the canal?",
        (CANAL,),
        "The Veldt Canal was begun by Pieter Brandsma in 1788 and finished by Johanna Reus [1]. "
        "Brandsma was Reus's pupil [1].",
        wrong=("Brandsma was",),
    ),
    Written(
        "dates",
        "When was the canal opened?",
        (CANAL,),
        "It opened on 1801-05-09, thirteen years after work had begun [1]. Brandsma had died in "
        "1796 [1]. Freight ended in 1976 [1].",
        wrong=("Freight",),
    ),
    Written(
        "superlatives",
        "Is it the oldest canal?",
        (CANAL,),
        "No, the Mar Canal is older [1]. The Veldt Canal is the longest one in the province [1]. "
        "Five of its 14 locks lie between Hemmen and Oost [1].",
        wrong=("Five",),
    ),
    Written(
        "other units",
        "How long is the canal?",
        (CANAL,),
        "It is 62 km (about 39 miles) long [1]. It connects the Aar with the Linde [1].",
    ),
    Written(
        "comparisons",
        "How did the number of frogs change?",
        (FROGS,),
        "The count went up from 412 to 538, by 126 animals or about 31% [1]. Numbers fell in "
        "Hungary [1].",
        wrong=("Numbers fell",),
    ),
    Written(
        "comparisons",
        "Are males larger?",
        (FROGS,),
        "No, females are larger, by 1.5 cm on average [1]. The frog is poisonous [1].",
        wrong=("The frog",),
    ),
    Written(
        "lists of names",
        "What eats the frogs?",
        (FROGS,),
        "Otters, herons and grass snakes eat them [1]. Foxes do so as well [1].",
        wrong=("Foxes",),
    ),
    Written(
        "hedged",
        "How many eggs survive?",
        (FROGS,),
        "Only some 10 % of the eggs seem to make it to their first birthday [1]. A female can lay "
        "as many as 900 eggs [1].",
    ),
    Written(
        "forums",
        "How do I repair the grinder?",
        (GRINDER,),
        "A new gasket for roughly 6 dollars solved the problem [1]. Rice is recommended for "
        "cleaning [1].",
        wrong=("Rice",),
    ),
    Written(
        "German",
        "Wer leitet die Klinik?",
        (KLINIK,),
        "Die Klinik wird seit März 2018 von Maren Osterkamp geleitet [1]. Ihr Nachfolger war Uwe "
        "Thoma [1].",
        wrong=("Ihr Nachfolger",),
    ),
    Written(
        "German",
        "Wie groß ist die Klinik?",
        (KLINIK,),
        "Sie verfügt über 320 Betten [1]. 42 davon stehen auf der Intensivstation [1]. Eine "
        "Geburtshilfe gibt es seit 2020 nicht mehr [1].",
        wrong=("42 davon",),
    ),
    Written(
        "another language",
        "How many patients were treated?",
        (KLINIK,),
        "In 2022 the hospital treated 18,400 inpatients, about 6% fewer than in 2019 [1]. It was "
        "founded in 1945 [1].",
        wrong=("It was founded",),
    ),
    Written(
        "orders",
        "What was ordered?",
        (ORDER,),
        "Bakery Lindqvist ordered 24 oval proofing baskets, 10 dough scrapers and 3 oven peels on "
        "17 August 2024 [1]. Altogether this costs $339.00 [1].",
    ),
    Written(
        "orders",
        "What about payment?",
        (ORDER,),
        "The bill is due within 14 days [1]. Whoever pays within 7 days gets 5 % off [1].",
        wrong=("Whoever",),
    ),
    Written(
        "about the sources",
        "How many members does the staff have?",
        (INCOME, DEBT),
        "The sources do not say how many people work there. They only give the wages, $31,275 "
        "thousand in 2023 [1].",
    ),
    Written(
        "refused",
        "Who is the chief executive?",
        (DEBT,),
        "I could not find who the chief executive is in the provided documents.",
        refused=True,
    ),
)
