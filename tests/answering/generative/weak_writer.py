"""What a small model writes of six passages, with the flags that a careful person would set.

Marks are as a model writes them, [n] for the n-th of `passages`. The flags were written down before
the check had seen the replies.
"""

from __future__ import annotations

from dataclasses import dataclass

LIFE = (
    "Clara Voss (1851-1919) was a Danish engineer. She enrolled at the Polytechnic in Copenhagen "
    "in 1869 and graduated in 1873. She was the fourth of five children of a miller. In 1881 she "
    "designed the first of the three bridges at Korsvig, which was opened on 3 March 1884. She "
    "never taught, and left no memoirs."
)
PLANT = (
    "In 2021 the plant at Ledum produced 41,200 tonnes of cement, a decrease of 7.2% against "
    "2020. Emissions fell from 612 kg to 588 kg of CO2 per tonne. The company did not pay a "
    "dividend. Revenue was 3.4 million euros, and the number of employees rose from 118 to 126."
)
PRICES = (
    "| Supplier | Price per unit | Delivery | Warranty |\n|---|---|---|---|\n"
    "| Arnholt | 14.20 euros | 6 weeks | 24 months |\n"
    "| Bexley | 12.90 euros | 9 weeks | 12 months |\n"
    "| Corvin | 15.75 euros | 3 weeks | 36 months |"
)
PUMP = (
    "Before the filter is changed, switch the pump off and close both valves. The filter must be "
    "replaced every 500 hours, or once a year, whichever comes first. Rinse the housing with "
    "clear water; do not use solvents. The pump weighs 5 kg and runs at 230 volts."
)
TRIAL = (
    "Twelve of the thirty volunteers reported headaches in the second week. The third group, "
    "which received a placebo, reported none. The half-life of the substance is 5.5 hours in "
    "adults and about eight hours in children. The study was approved on 14 June 2019 and ended "
    "after 26 weeks."
)
LEASE = (
    "The tenant may end the lease with three months' notice to the end of a quarter. The landlord "
    "may not raise the rent during the first two years. Damage to the windows is repaired by the "
    "tenant up to 150 euros in each case; damage above this is borne by the landlord."
)


@dataclass(frozen=True, slots=True)
class Written:
    """A reply. `wrong` are beginnings of the sentences to flag, `marks` the wrong ones of several.

    `refused` says that it is no answer, `reads` what the person reads where that is not the reply.
    """

    kind: str
    question: str
    passages: tuple[str, ...]
    reply: str
    wrong: tuple[str, ...] = ()
    marks: tuple[int, ...] = ()
    refused: bool = False
    reads: str = ""


REPLIES = (
    Written(
        "about the sources",
        "Where did Clara Voss live as a child?",
        (LIFE,),
        "The sources do not mention where Clara Voss lived as a child.",
        refused=True,
    ),
    Written(
        "about the sources",
        "What did Clara Voss publish, and when did she graduate?",
        (LIFE,),
        "Clara Voss graduated in 1873 [1]. The text does not say what she published.",
    ),
    Written(
        "about the sources",
        "How many people work at Ledum, and what was the revenue?",
        (PLANT,),
        "Revenue was 3.4 million euros [1]. The sources do not mention the number of employees.",
        wrong=("The sources do not mention",),
    ),
    Written(
        "short and cited",
        "When did she graduate?",
        (LIFE,),
        "She graduated in 1873 [1]. She enrolled in 1869 [1].",
    ),
    Written(
        "short and cited",
        "When did she graduate?",
        (LIFE,),
        "She graduated in 1874 [1].",
        wrong=("She graduated",),
    ),
    Written(
        "short and cited",
        "How did production change?",
        (PLANT,),
        "A decrease of about 7.2% [1].",
    ),
    Written(
        "short and cited",
        "How did production change?",
        (PLANT,),
        "A decrease of about 2.7% [1].",
        wrong=("A decrease",),
    ),
    Written(
        "number words",
        "How many had headaches?",
        (TRIAL,),
        "12 of the 30 volunteers reported headaches [1]. Children need about 8 hours [1].",
    ),
    Written(
        "number words",
        "How many had headaches?",
        (TRIAL,),
        "Twenty of the thirty volunteers reported headaches [1].",
        wrong=("Twenty",),
    ),
    Written(
        "ordinals",
        "Which child was she?",
        (LIFE,),
        "She was the 4th of five children [1]. She designed the first bridge at Korsvig [1].",
    ),
    Written(
        "ordinals",
        "Which child was she?",
        (LIFE,),
        "She was the third of five children [1].",
        wrong=("She was the third",),
    ),
    Written(
        "ordinals",
        "Which group received the placebo?",
        (TRIAL,),
        "The second group received a placebo [1].",
        wrong=("The second group",),
    ),
    Written(
        "units",
        "How heavy is the pump?",
        (PUMP,),
        "The pump weighs 5 kilograms [1]. It runs at 230 V [1].",
    ),
    Written(
        "units",
        "How heavy is the pump?",
        (PUMP,),
        "The pump weighs 5 grams [1].",
        wrong=("The pump weighs",),
    ),
    Written(
        "units",
        "How long is the half-life in adults?",
        (TRIAL,),
        "The half-life in adults is 5.5 days [1].",
        wrong=("The half-life",),
    ),
    Written(
        "units",
        "What was the revenue?",
        (PLANT,),
        "Revenue was €3.4 million [1]. About 41,000 tonnes of cement were produced in 2021 [1].",
    ),
    Written(
        "signs",
        "How did production change?",
        (PLANT,),
        "Production of cement rose by 7.2% against 2020 [1].",
        wrong=("Production",),
    ),
    Written(
        "dates",
        "When was the bridge opened?",
        (LIFE,),
        "The first bridge was opened on 1884-03-03 [1].",
    ),
    Written(
        "dates",
        "When was the bridge opened?",
        (LIFE,),
        "The first bridge was opened on 3 May 1884 [1].",
        wrong=("The first bridge",),
    ),
    Written(
        "rows of a table",
        "Compare price and delivery.",
        (PRICES,),
        "| Supplier | Delivery | Price per unit |\n|---|---|---|\n"
        "| Corvin | 3 weeks | 15.75 euros [1] |\n| Bexley | 9 weeks | 12.90 euros [1] |",
    ),
    Written(
        "rows of a table",
        "Compare the delivery.",
        (PRICES,),
        "| Supplier | Delivery |\n|---|---|\n| Arnholt | 9 weeks [1] |\n| Bexley | 9 weeks [1] |",
        wrong=("| Arnholt",),
    ),
    Written(
        "rows of a table",
        "Which warranty does Corvin give?",
        (PRICES,),
        "Corvin gives a warranty of 36 months [1] and delivers in 3 weeks [1].",
    ),
    Written(
        "rows of a table",
        "Which warranty does Bexley give?",
        (PRICES,),
        "Bexley gives a warranty of 24 months [1].",
        wrong=("Bexley",),
    ),
    Written(
        "several marks",
        "Where did she graduate?",
        (LIFE, PUMP),
        "She graduated from the Polytechnic in Copenhagen in 1873 [1][2].",
        marks=(2,),
    ),
    Written(
        "several marks",
        "What may the landlord do, and who pays for windows?",
        (LEASE.partition(" Damage")[0], LEASE[LEASE.index("Damage") :]),
        "The landlord may not raise the rent during the first two years, and bears damage to the "
        "windows above 150 euros [1][2].",
    ),
    Written(
        "nearly verbatim",
        "How often must the filter be replaced?",
        (PUMP,),
        "The filter must be replaced every 500 hours or once a year, whichever comes first.",
    ),
    Written(
        "nearly verbatim",
        "What is done before the filter is changed?",
        (PUMP,),
        "Before the filter is changed, you switch the pump off and close both valves.",
    ),
    Written(
        "refusal and prose",
        "Who owns the plant?",
        (PLANT,),
        "NOT_IN_SOURCES. The sources do not say who owns the plant.",
        refused=True,
    ),
    Written(
        "refusal and prose",
        "Who owns the plant?",
        (PLANT,),
        "The owner is a large family business from Oslo, as is well known. NOT_IN_SOURCES",
        refused=True,
    ),
    Written(
        "refusal and prose",
        "What was the revenue, and who owns the plant?",
        (PLANT,),
        "Revenue was 3.4 million euros [1]. For the owner: NOT_IN_SOURCES.",
    ),
    Written(
        "in JSON",
        "When did she graduate?",
        (LIFE,),
        '```json\n{"answer": "She graduated in 1873 [1]. She was born in 1855 [1]."}\n```',
        wrong=("She was born",),
        reads="She graduated in 1873 [1]. She was born in 1855 [1].",
    ),
    Written(
        "in JSON",
        "When did she retire?",
        (LIFE,),
        '{"answer": "I\'m sorry, but the sources do not say when she retired."}',
        refused=True,
    ),
    Written(
        "sources alone",
        "When did she graduate?",
        (LIFE, PUMP),
        "She graduated in 1873 [1].\n\nSource: [1] [2]",
        reads="She graduated in 1873 [1].",
    ),
    Written(
        "said twice",
        "Who repairs the windows?",
        (LEASE,),
        "Damage to the windows is repaired by the tenant up to 150 euros [1]. Damage to the "
        "windows is repaired by the tenant up to 150 euros [1].",
        reads="Damage to the windows is repaired by the tenant up to 150 euros [1].",
    ),
    Written(
        "denied",
        "Was a dividend paid?",
        (PLANT,),
        "The company paid a dividend [1].",
        wrong=("The company",),
    ),
    Written(
        "denied",
        "Was a dividend paid, and may solvents be used?",
        (PLANT, PUMP),
        "No dividend was paid [1]. Solvents must not be used [2].",
    ),
    Written(
        "out of memory",
        "Where did she study?",
        (LIFE,),
        "She studied in Copenhagen [1]. Copenhagen is the capital of Denmark and has a famous "
        "harbour with many restaurants.",
        wrong=("Copenhagen is",),
    ),
    Written(
        "another language",
        "Wann schloss sie ab?",
        (LIFE,),
        "Sie schloss ihr Studium im Jahr 1873 ab, und zwar in Copenhagen [1].",
    ),
    Written(
        "another language",
        "Wann schloss sie ab?",
        (LIFE,),
        "Sie schloss ihr Studium im Jahr 1878 ab, und zwar in Copenhagen [1].",
        wrong=("Sie schloss",),
    ),
    Written(
        "leading in",
        "What is done before the filter is changed?",
        (PUMP,),
        "Here is what the manual says:\n\n1. Switch the pump off [1].\n2. Close both valves [1]."
        "\n\nI hope this helps!",
    ),
    Written(
        "left of a template",
        "When did she graduate?",
        (LIFE,),
        "<|im_start|>assistant\nShe graduated in 1873 [1].<|im_end|>\n<|im_start|>user\nAnd then?",
        reads="She graduated in 1873 [1].",
    ),
    Written(
        "left of a template",
        "When did she graduate?",
        (LIFE,),
        "<answer>She graduated in 1873 {mark} [1].</answer></s>",
        reads="She graduated in 1873 [1].",
    ),
    Written(
        "thinking aloud",
        "When did she graduate?",
        (LIFE, PLANT),
        "Let me think about this. She graduated in 1873 [1]. "
        "Note: the other source is not relevant.",
        reads="She graduated in 1873 [1]. Note: the other source is not relevant.",
    ),
    Written(
        "a bracket too few",
        "When did she graduate?",
        (LIFE,),
        "She graduated in 1873 [1]. She enrolled in 1869 [1",
        reads="She graduated in 1873 [1]. She enrolled in 1869 [1]",
    ),
    Written(
        "in a fence",
        "When did she graduate?",
        (LIFE,),
        "```markdown\n- She graduated in 1873 [1].\n- She enrolled in 1868 [1].\n```",
        wrong=("She enrolled",),
        reads="- She graduated in 1873 [1].\n- She enrolled in 1868 [1].",
    ),
    Written(
        "a list of sources without marks",
        "When did she graduate?",
        (LIFE,),
        "She graduated in 1873 [1].\n\n"
        "References:\n1. Clara Voss, an engineer\n2. A register of 1869",
        reads="She graduated in 1873 [1].",
    ),
    Written(
        "superlatives over a table",
        "Which supplier is the cheapest?",
        (PRICES,),
        "The cheapest is Bexley [1]. Corvin delivers fastest, in 3 weeks [1].",
    ),
    Written(
        "superlatives over a table",
        "Which supplier is the cheapest?",
        (PRICES,),
        "The cheapest is Arnholt [1]. Bexley has the longest warranty [1].",
        wrong=("The cheapest", "Bexley has"),
    ),
    Written(
        "advice in other words",
        "How is the filter changed?",
        (PUMP,),
        "Rinse the housing with water and avoid using solvents [1]. Use solvents [1].",
        wrong=("Use solvents",),
    ),
)
