"""One system on one set: documents read and indexed, questions asked, answers measured.

`python -m benchmarks.systems.asked JOB` is the process that `python -m benchmarks.systems` starts
for each pair of them, so that time and memory are those of one system alone. The last line of its
output is the outcome as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.speed.measure import peak_mb
from benchmarks.systems.sets import Bed, Size, read_bed
from core.cli.library import index_for, library, read_all
from core.cli.run import UNDER_WAY
from core.config import Settings, load_settings
from core.evaluation.runs.results import RunSettings, RunState

MEASURES = (
    "recall", "cited_document", "citation_precision", "f1", "contains", "numeric", "verbatim",
    "abstained_wrong", "abstained_right", "seconds",
)  # fmt: skip
_POLL_SECONDS = 0.1
K = 10
"""The cut-off of the ranking measures: the longest list that a preset gives."""


@dataclass(frozen=True)
class Job:
    """A system on a set of a size. `data` and `work` are folders."""

    preset: str
    name: str
    data: str
    work: str
    size: Size


@dataclass(frozen=True)
class Outcome:
    """What a system did on a set: for each measure the values of the questions that have one.

    `indexing` is in seconds, from the first document given to the last one indexed; `peak` the
    most memory of the process and of the children that read documents, in MB.
    """

    preset: str
    name: str
    documents: int
    passages: int
    questions: int
    errors: int
    indexing: float
    peak: float
    values: dict[str, list[float]]


def outcome(preset: str, bed: Bed, settings: Settings) -> Outcome:
    """Read, index, ask and measure, without a language model."""
    with library(settings) as (service, session):
        index_for(service, session, [preset])
        began = time.monotonic()
        ids = dict[str, str]()
        for url, page in bed.pages.items():
            added = service.documents.add_loaded(session, page, name=page.title, url=url)
            if added.document is not None:
                ids[url] = added.document.id
        ids |= read_all(service, session, bed.files)
        indexing = time.monotonic() - began
        evaluations = service.evaluations
        asked = RunSettings(preset=preset, k=K, bertscore=False)
        run = evaluations.add_run(session, preset, (bed.name, bed.items), asked, ids)
        evaluations.runner.enqueue(run, aliases=ids)
        while (now := evaluations.run(session, run.id)).state in UNDER_WAY:
            time.sleep(_POLL_SECONDS)
        if now.state is not RunState.DONE:
            raise SystemExit(f"{preset} on {bed.name}: {now.reason}")
        results = evaluations.results(session, run.id)
        documents = service.documents.list(session)
    values = {
        name: [v for one in results if (v := one.measures.get(name)) is not None]
        for name in MEASURES
    }
    return Outcome(
        preset,
        bed.name,
        len(documents),
        sum(document.chunks for document in documents),
        len(results),
        sum(bool(one.error) for one in results),
        indexing,
        peak_mb(),
        values,
    )


def main() -> None:
    """Do the job of the command line and print its outcome."""
    given = json.loads(sys.argv[1])
    job = Job(**given | {"size": Size(**given["size"])})
    bed = read_bed(Path(job.data), job.name, Path(job.work), job.size)
    made = outcome(job.preset, bed, load_settings())
    print(json.dumps(asdict(made)))


if __name__ == "__main__":
    main()
