"""How good the reader is, head by head, with and without it, on what it has not learned from.

    python -m training.evaluate --data DIR [--model FOLDER] [--part choices] [--only HEAD ...]

DIR holds the public sets. FOLDER holds `model.onnx` with its tokenizer: what
`python -m core.models.onnx_build` makes of the weights; without it the reader that ships is
evaluated. "without" is the program as it is, for the order of passages its hybrid search; BM25
stands beside it. Differences of means are tested by a paired permutation test over questions, with
the interval of a bootstrap, those of two AUCs by DeLong's test.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.learn_extractive import auc
from benchmarks.quality_measures import Scores, auc_difference, interval, mean, p_value, scores
from benchmarks.quality_search import Run, plain_bm25, search_whole, searchable, unit_texts
from benchmarks.quality_sets import BEIR, Cut, read_bed
from benchmarks.quality_vectors import CachedEmbedder
from benchmarks.support_check import Reply, begin, judged
from core.answering.extractive.answerer import ExtractiveAnswerer
from core.answering.extractive.marking.highlights import mark_words
from core.answering.extractive.sentences.candidates import Candidate
from core.answering.extractive.sentences.choosing import choose
from core.answering.extractive.sentences.reading import Read, read_candidates
from core.answering.extractive.sentences.reading import Scores as Numbers
from core.config import load_settings
from core.evaluation.measures.answer import exact_match, token_f1
from core.models.embedding import load_embedder
from core.models.port import Embedder
from core.models.reader import BUNDLED_READER, Reader
from core.retrieval.presets import PRESETS, USUAL
from core.text.markdown_quoting import collapse
from core.types import Chunk, Document, DocumentState, Hit, QueryPlan, SearchResult
from training import sets
from training.data import Verdict, examples, talked_about
from training.nearest import nearest_place
from training.parts import Part, part_of
from training.sets import Question
from training.windows import around

WEIGHTS = (0.0, 0.1, 0.2, 0.3, 0.5, 1.0)
"""What the reader's score counts beside the one of today, in the order of the sentences."""
RERANKED = 30
BESIDE = (0.1, 0.2, 0.5)
"""What the reader's order counts beside the program's, both as standard scores."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a paragraph with what the program and the reader make of its sentences."""

    question: Question
    candidates: list[Candidate]
    scores: Numbers
    hit: Hit
    reads: list[Read | None]

    def best(self, weight: float) -> Candidate | None:
        """The sentence that would be quoted first."""
        added = [read.score if read else -30.0 for read in self.reads]
        joined = np.asarray(self.scores + weight * np.array(added, np.float32), np.float32)
        chosen = choose(self.question.text, self.candidates, joined, [self.hit])
        return chosen[0] if chosen else None

    def is_right(self, weight: float) -> float:
        best = self.best(weight)
        answers = [" ".join(answer.split()) for answer in self.question.answers]
        text = " ".join(best.sentence.text.split()) if best else ""
        return float(any(answer in text for answer in answers))

    @property
    def read(self) -> tuple[str, float]:
        """The words that the reader sets off in the whole paragraph, and how sure it is."""
        found = [(read, c) for read, c in zip(self.reads, self.candidates, strict=True) if read]
        read, candidate = max(found, key=lambda one: one[0].score, default=(None, None))
        if read is None or candidate is None:
            return "", -30.0
        return collapse(candidate.sentence.text)[slice(*read.span)], read.score


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    given = _arguments(arguments)
    reader = Reader(given.model)
    embedder = load_embedder(load_settings())
    part = Part.CHOICES if given.part == "choices" else Part.HELD_OUT
    if "answers" in given.only:
        for name in ("squad", "nq", "queries"):
            asked = list(answers(given.data, name, part, reader, embedder, given.limit))
            if asked:
                told_answers(name, asked)
    if "support" in given.only:
        told_support(given.data, part, reader, embedder)
    if "relevance" in given.only:
        with tempfile.TemporaryDirectory(prefix="footnote-evaluate-") as folder:
            cached = CachedEmbedder(embedder, given.cache or Path(folder))
            for name in BEIR:
                told_relevance(given.data, name, reader, cached, given.queries)
    return 0


# --------------------------------------------------------------------------------- answers


def answers(
    data: Path, name: str, part: Part, reader: Reader, embedder: Embedder, limit: int
) -> Iterator[Asked]:
    """Questions of articles of this part, each with its paragraph alone as the search result."""
    answerer = ExtractiveAnswerer(embedder)
    aside = talked_about(data)
    if name == "nq":  # every second volume was never looked at
        is_final = part is Part.HELD_OUT
        asked = [
            one for one in sets.natural_questions(data, checking=is_final)
            if is_final or part_of(one.document) is part
        ]  # fmt: skip
    else:
        read = sets.queries if name == "queries" else sets.squad
        asked = [one for one in read(data) if part_of(one.document, aside) is part]
    for one in asked[:: max(1, len(asked) // limit)]:
        hit = _hit(one)
        result = SearchResult(QueryPlan(one.text, one.text, (one.text,)), (hit,))
        scored = answerer.score(one.text, result)
        found = read_candidates(reader, one.text, scored.candidates, scored.scores, [hit])
        reads = [found.get(candidate) for candidate in scored.candidates]
        yield Asked(one, scored.candidates, scored.scores, hit, reads)


def told_answers(name: str, asked: Sequence[Asked]) -> None:
    """Right sentence first, the words set off, and whether there is an answer, printed."""
    answered = [one for one in asked if one.question.answers and one.candidates]
    print(f"{name}: {len(answered)} questions with an answer, {len(asked) - len(answered)} without")
    before = _values(one.is_right(0.0) for one in answered)
    for weight in WEIGHTS:
        after = _values(one.is_right(weight) for one in answered)
        print(f"  right sentence first, weight {weight}: {_told(after, before)}")
    marks = [_mark(one) for one in answered]
    for title, measure in (("exact match", exact_match), ("F1", token_f1)):
        read = _values(measure(one.read[0], one.question.answers) or 0.0 for one in answered)
        ruled = _values(
            measure(mark, one.question.answers) or 0.0
            for mark, one in zip(marks, answered, strict=True)
        )
        print(f"  words set off, {title}: {mean(ruled):.3f}; read {_told(read, ruled)}")
    both = [at for at, mark in enumerate(marks) if mark]
    for title, texts in (("rules", marks), ("read", [one.read[0] for one in answered])):
        if not both:
            break
        found = [token_f1(texts[at], answered[at].question.answers) or 0.0 for at in both]
        print(f"  where the rules set words off ({len(both)}): F1 {title} {np.mean(found):.3f}")
    without = [one.read[1] for one in asked if not one.question.answers]
    if without:
        scored_without = [float(one.scores.max()) for one in asked if not one.question.answers]
        scored = [float(one.scores.max()) for one in answered]
        told = _auc(([one.read[1] for one in answered], scored), (without, scored_without))
        print(f"  answerable: AUC {auc(scored, scored_without):.3f}; read {told}")


def _mark(one: Asked) -> str:
    best = one.best(0.0)
    span = mark_words(one.question.text, best.sentence.text) if best else None
    return best.sentence.text[slice(*span)] if best and span else ""


def _hit(one: Question) -> Hit:
    text = one.paragraph
    title = one.document.rpartition(".")[0].replace("_", " ")
    document = Document("d", "", one.document, title, None, DocumentState.READY, title=title)
    return Hit(Chunk("d:0", "d", 0, 0, None, 0, len(text), text), document, dense=0.5, rank=1)


# --------------------------------------------------------------------------------- support


def told_support(data: Path, part: Part, reader: Reader, embedder: Embedder) -> None:
    """BEGIN's half that nothing was learned from, and claims made by rule, printed."""
    told_verdicts("BEGIN", [reply for reply in begin(data) if not reply.building], reader, embedder)
    made = [
        one for one in examples(data, part, 1)
        if one.verdict is not None and one.source in ("squad", "nq")
    ]  # fmt: skip
    for wrong in (Verdict.CONTRADICTED, Verdict.NEITHER):
        claims = [
            Reply(one.passage, one.text, one.verdict is Verdict.SUPPORTED)
            for one in made if one.verdict in (Verdict.SUPPORTED, wrong)
        ]  # fmt: skip
        if len({claim.attributable for claim in claims}) == 2:
            told_verdicts(f"claims, supported or {wrong.name.lower()}", claims, reader, embedder)


def told_verdicts(name: str, replies: Sequence[Reply], reader: Reader, embedder: Embedder) -> None:
    """The check of today, the reader, and the ranks of both, told apart, printed."""
    right = np.array([reply.attributable for reply in replies])
    today = np.array([score for score, _ in judged(replies, embedder)])
    read = np.array([
        min(supported(reader, sentence, reply.passage) for sentence in reply.sentences or ("",))
        for reply in replies
    ])  # fmt: skip
    before = auc(today[right], today[~right])
    print(f"{name}, {len(replies)}, {right.sum()} of them supported: AUC {before:.3f}")
    for title, found in (("read", read), ("ranks of both", _ranks(today) + _ranks(read))):
        told = _auc((found[right], today[right]), (found[~right], today[~right]))
        print(f"  {title}: {told}")


def supported(reader: Reader, sentence: str, passage: str) -> float:
    """How probable it is that the passage supports the sentence, read as it was learned: not the
    whole passage but a window around the sentence that shares the most words."""
    window, _ = around(passage, nearest_place(sentence, passage))
    return reader.read(sentence, window).verdict[0]


def _ranks(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[
    tuple[int], np.dtype[np.float64]
]:  # fmt: skip
    return np.argsort(np.argsort(values)).astype(np.float64)


# ------------------------------------------------------------------------------- relevance


def told_relevance(
    data: Path, name: str, reader: Reader, embedder: CachedEmbedder, limit: int
) -> None:
    """The program's first passages in the reader's order, and both orders joined: nDCG@10."""
    bed = read_bed(data, name, Cut(), Path(), limit)
    options = replace(
        PRESETS[USUAL].search,
        top_k=RERANKED,
        fetch_k=RERANKED,
        rerank=False,
        diversify=False,
        join_neighbours=False,
    )
    runs: dict[str, Run] = {"without": {}, "read": {}, **{f"both, {w}": {} for w in BESIDE}}
    with searchable(bed, embedder) as retriever:
        for query, result in search_whole(retriever, bed, options):
            names = [bed.unit(hit.chunk) for hit in result.hits]
            order = _standard([hit.fused or 0.0 for hit in result.hits])
            read = _standard([relevance(reader, bed.queries[query], hit) for hit in result.hits])
            joined = {f"both, {weight}": order + weight * read for weight in BESIDE}
            for title, joint in {"without": order, "read": read, **joined}.items():
                best = np.argsort(-joint, kind="stable")
                runs[title][query] = [names[at] for at in best]
    runs["BM25"] = plain_bm25(bed, unit_texts(bed))
    values = {title: scores(bed, run)["ndcg@10"] for title, run in runs.items()}
    print(f"{name}, nDCG@10 of {len(bed.queries)} queries:")
    for title, found in values.items():
        print(f"  {title}: {_told(found, values['without'])}")


def relevance(reader: Reader, question: str, hit: Hit) -> float:
    """The reader's logit of a hit, of which it reads a window behind the title, as it learned."""
    window, _ = around(hit.chunk.text, nearest_place(question, hit.chunk.text))
    title = hit.document.title or ""
    return reader.read(question, f"{title}. {window}" if title else window).relevance


def _standard(values: Sequence[float]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    found = np.array(values, np.float64)
    return (found - found.mean()) / (found.std() + 1e-9) if len(found) else found


def _values(found: Iterable[float]) -> Scores:
    return {str(at): value for at, value in enumerate(found)}


def _told(found: Scores, before: Scores) -> str:
    if found == before:
        return f"{mean(found):.3f}"
    low, high = interval(found, before)
    difference, p = mean(found) - mean(before), p_value(found, before)
    return f"{mean(found):.3f} ({difference:+.3f}, {low:+.3f} to {high:+.3f}, p {p:.3f})"


def _auc(
    right: tuple[Sequence[float], Sequence[float]], wrong: tuple[Sequence[float], Sequence[float]]
) -> str:
    difference, error, p = auc_difference(right, wrong)
    low, high = difference - 1.96 * error, difference + 1.96 * error
    return (
        f"{auc(right[0], wrong[0]):.3f} ({difference:+.3f}, {low:+.3f} to {high:+.3f}, p {p:.3f})"
    )


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.evaluate", description=__doc__)
    heads = ("answers", "support", "relevance")
    parser.add_argument("--data", type=Path, required=True, help="the folder with all sets")
    parser.add_argument(
        "--model", type=Path, default=BUNDLED_READER, help="the folder with model.onnx"
    )
    parser.add_argument("--part", choices=("held out", "choices"), default="held out")
    parser.add_argument("--only", nargs="+", choices=heads, default=heads)
    parser.add_argument("--limit", type=int, default=10_000, help="questions of a set")
    parser.add_argument("--queries", type=int, default=100, help="queries of a judged collection")
    parser.add_argument("--cache", type=Path, metavar="DIR", help="keeps vectors between runs")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
