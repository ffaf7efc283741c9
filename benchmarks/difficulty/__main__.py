"""60 questions on code, coffee and artificial intelligence, in three groups of difficulty.

    python -m benchmarks.difficulty --data DIR [--preset stack-overflow] [--model PROVIDER/MODEL]

DIR holds `stackoverflow/conala_python.json` and the dumps `stackexchange/coffee` and
`stackexchange/ai.stackexchange.com`. Without a model answers are quotes.
"""

from __future__ import annotations

import argparse
import html
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from core.cli.library import index_for, library, read_all
from core.cli.options import provider_and_model
from core.cli.run import UNDER_WAY
from core.config import Settings, load_settings
from core.evaluation.golden.sets import GoldenItem, even_sample, read_golden
from core.evaluation.measures.aggregate import by_tag
from core.evaluation.measures.registry import title_of
from core.evaluation.runs.exporting import number
from core.evaluation.runs.results import Measures, RunSettings, RunState
from core.retrieval.presets import PRESETS
from scraper.pair_selection import Choice
from scraper.qa_pairs import Pair, post, to_loaded
from scraper.stack_overflow import collect, read_json

QUESTIONS = Path(__file__).parent / "questions.jsonl"
GROUPS = ("simple", "semi-advanced", "advanced", "all")
MEASURES = (
    "rouge1", "rougeL", "bertscore", "bertscore_rescaled", "cited_document", "abstained_wrong",
    "seconds",
)  # fmt: skip
_DUMPS = {"coffee": "coffee", "ai": "ai.stackexchange.com"}
_POLL_SECONDS = 0.1


def conala(data: Path, wanted: set[str], others: int) -> Iterator[tuple[str, Pair]]:
    """Yield the questions of CoNaLa that are wanted and some others, each with its snippets."""
    rows = json.loads((data / "stackoverflow/conala_python.json").read_text("utf-8"))
    snippets: dict[str, list[str]] = {}
    titles = {}
    for row in rows:
        snippets.setdefault(str(row["question_id"]), []).append(row["snippet"])
        titles[str(row["question_id"])] = row["intent"]
    taken = wanted | set(even_sample(sorted(titles), others)) if others else wanted
    for key in sorted(taken & titles.keys()):
        body = "".join(f"<pre><code>{html.escape(one)}</code></pre>" for one in snippets[key])
        answer = post({"id": f"{key}1", "posttypeid": "2", "body": body}, site="stackoverflow.com")
        asked = {"id": key, "posttypeid": "1", "body": f"<p>{html.escape(titles[key])}</p>"}
        yield f"conala/{key}", Pair(titles[key], post(asked, site="stackoverflow.com"), answer)


def dump(data: Path, name: str) -> Iterator[tuple[str, Pair]]:
    """Yield the questions of a dump that have an accepted answer, with it."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pairs.json"
        posts = data / "stackexchange" / _DUMPS[name] / "Posts.xml"
        collect([posts], out, Choice(tag="", limit=0, answers="accepted"))
        for pair in read_json(out):
            yield f"{name}/{pair.question.id}", pair


def measured(
    settings: Settings, pairs: Mapping[str, Pair], items: Sequence[GoldenItem], asked: RunSettings
) -> dict[str, Measures]:
    """Read the pairs, ask the questions, and return the measures of each group."""
    with library(settings) as (service, session):
        index_for(service, session, [asked.preset])
        ids = dict[str, str]()
        for key, pair in pairs.items():
            address = f"https://difficulty.invalid/{key}"
            added = service.documents.add_loaded(
                session, to_loaded(pair), name=pair.title, url=address
            )
            if added.document is not None:
                ids[key] = added.document.id
        read_all(service, session, {})
        evaluations = service.evaluations
        run = evaluations.add_run(session, "difficulty", (QUESTIONS.name, items), asked, ids)
        evaluations.runner.enqueue(run, aliases=ids)
        while (now := evaluations.run(session, run.id)).state in UNDER_WAY:
            time.sleep(_POLL_SECONDS)
        if now.state is not RunState.DONE:
            raise SystemExit(now.reason)
        return by_tag(evaluations.results(session, run.id))


def table(groups: Mapping[str, Measures]) -> str:
    """Return the measures as Markdown, a row a group."""
    lines = [f"| group | questions | {' | '.join(map(title_of, MEASURES))} |"]
    lines.append("|---" * (len(MEASURES) + 2) + "|")
    for name in (one for one in GROUPS if one in groups):
        values = groups[name]
        cells = [name, f"{values['questions'] or 0:.0f}"]
        cells += [number(values.get(measure)) for measure in MEASURES]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.difficulty", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the sources")
    parser.add_argument("--preset", choices=PRESETS, default="stack-overflow")
    parser.add_argument("--model", default="", help="PROVIDER/MODEL that answers; none quotes")
    parser.add_argument("--others", type=int, default=200, help="so many other CoNaLa questions")
    given = parser.parse_args(arguments)
    items = read_golden(QUESTIONS)
    named = {source.document for item in items for source in item.sources}
    wanted = {name.partition("/")[2] for name in named if name.startswith("conala/")}
    pairs = dict(conala(given.data, wanted, given.others))
    for name in _DUMPS:
        pairs |= dump(given.data, name)
    if missing := sorted(named - pairs.keys()):
        raise SystemExit(f"The sources do not hold {', '.join(missing)}.")
    provider, model = provider_and_model(given.model)
    asked = RunSettings(preset=given.preset, provider=provider, model=model)
    print(table(measured(load_settings(), pairs, items, asked)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
