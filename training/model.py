"""The reader: a BERT encoder with heads, and its examples as numbers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from torch import nn
from torch.nn import functional
from transformers import BertConfig, BertModel

from core.models.runtime import clean
from training.data import Example
from training.windows import Span

LONGEST = 192
"""Tokens of a question and its passage."""
HEADS = {"span": 2, "relevance": 1, "verdict": 3}
"""The heads, each with its number of values."""
UNKNOWN = -100
"""A label that no loss is taken of."""
RELEVANCE_WEIGHT = 0.5
"""What the relevance of a passage counts beside the place of the answer and the verdict."""


@dataclass(frozen=True, slots=True)
class Row:
    """An example as numbers. Without an answer `start` and `end` are 0, the first token."""

    ids: tuple[int, ...]
    types: tuple[int, ...]
    start: int
    end: int
    relevant: float
    verdict: int


def load(folder: Path, *, frozen: int = 0) -> Any:
    """A reader from the weights of an encoder, or of a reader that is to learn on.

    Its modules are `bert` and a linear one for each head.

    `span` says of each token whether the answer starts or ends there, `relevance` and `verdict`
    read the first token. The embeddings and the `frozen` lowest layers are not learned. There is
    no dropout: few examples are seen twice.
    """
    config = BertConfig.from_pretrained(folder)
    config.hidden_dropout_prob = config.attention_probs_dropout_prob = 0.0
    encoder = BertModel.from_pretrained(folder, config=config, add_pooling_layer=False)
    heads = {name: nn.Linear(config.hidden_size, size) for name, size in HEADS.items()}
    for head in heads.values():
        nn.init.normal_(head.weight, std=config.initializer_range)
        nn.init.zeros_(head.bias)
    weights = load_file(folder / "model.safetensors")
    for name, head in heads.items():
        if f"{name}.weight" in weights:
            head.load_state_dict({part: weights[f"{name}.{part}"] for part in ("weight", "bias")})
    for part in (encoder.embeddings, *encoder.encoder.layer[:frozen]):
        part.requires_grad_(False)
    return nn.ModuleDict({"bert": encoder, **heads})


def loss(reader: Any, rows: Sequence[Row]) -> tuple[Any, dict[str, float]]:
    """The mean loss of a batch, and the mean of each head over the examples that have a label."""
    ids, types, mask = padded(rows)
    states = reader["bert"](input_ids=ids, token_type_ids=types, attention_mask=mask)
    states = states.last_hidden_state
    span = reader["span"](states).transpose(1, 2)
    relevance, verdict = reader["relevance"](states[:, 0])[:, 0], reader["verdict"](states[:, 0])
    span = span.masked_fill(~(mask.bool() & ((types == 1) | _first(ids)))[:, None], -1e4)
    places = torch.tensor([[row.start, row.end] for row in rows])
    spans = functional.cross_entropy(span.flatten(0, 1), places.flatten(), reduction="none")
    relevant = torch.tensor([row.relevant for row in rows])
    known = relevant >= 0
    wrong = functional.binary_cross_entropy_with_logits(
        relevance, relevant.clamp_min(0), reduction="none"
    )
    verdicts = torch.tensor([row.verdict for row in rows])
    judged = functional.cross_entropy(verdict, verdicts, reduction="none")
    read = places[:, 0] != UNKNOWN
    total = spans.sum() / 2 + RELEVANCE_WEIGHT * wrong[known].sum() + judged.sum()
    parts = {
        "span": _mean(spans.view(-1, 2).mean(1)[read]),
        "relevance": _mean(wrong[known]),
        "verdict": _mean(judged[verdicts != UNKNOWN]),
    }
    return total / len(rows), parts


def padded(rows: Sequence[Row]) -> tuple[Any, Any, Any]:
    """Ids, types and mask of a batch: int64 (batch, tokens)."""
    longest = max(len(row.ids) for row in rows)
    ids, types, mask = (torch.zeros(len(rows), longest, dtype=torch.int64) for _ in range(3))
    for at, row in enumerate(rows):
        ids[at, : len(row.ids)] = torch.tensor(row.ids)
        types[at, : len(row.ids)] = torch.tensor(row.types)
        mask[at, : len(row.ids)] = 1
    return ids, types, mask


def _first(ids: Any) -> Any:
    found = torch.zeros_like(ids, dtype=torch.bool)
    found[:, 0] = True
    return found


def _mean(values: Any) -> float:
    return float(values.detach().mean()) if len(values) else float("nan")


def tokenizer_of(folder: Path, longest: int = LONGEST) -> Any:
    """The tokenizer of a model's folder; of a text and a passage, the passage is cut."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest, strategy="only_second")
    return tokenizer


def as_row(example: Example, tokenizer: Any) -> Row | None:
    """The example as numbers; None where its passage was cut before the answer ended."""
    encoded = tokenizer.encode(clean(example.text)[:400], clean(example.passage))
    start = end = 0 if example.reads else UNKNOWN
    if example.reads and example.answer is not None:
        found = _tokens(encoded, example.answer)
        if found is None:
            return None
        start, end = found
    return Row(
        tuple(encoded.ids),
        tuple(encoded.type_ids),
        start,
        end,
        -1.0 if example.relevant is None else float(example.relevant),
        UNKNOWN if example.verdict is None else int(example.verdict),
    )


def _tokens(encoded: Any, answer: Span) -> tuple[int, int] | None:
    inside = [
        at
        for at, (of, (a, b)) in enumerate(zip(encoded.sequence_ids, encoded.offsets, strict=True))
        if of == 1 and a < answer[1] and answer[0] < b
    ]
    if not inside or encoded.offsets[inside[-1]][1] < answer[1]:
        return None
    return inside[0], inside[-1]


def batches(rows: Sequence[Row], size: int, seed: int) -> Iterator[list[Row]]:
    """Batches without end, pass after pass; those of a batch are about as long as each other."""
    passes = 0
    while True:
        chance = random.Random(f"{seed}:{passes}")
        order = list(rows)
        chance.shuffle(order)
        pools = [order[at : at + 50 * size] for at in range(0, len(order), 50 * size)]
        made = []
        for pool in pools:
            pool.sort(key=lambda row: len(row.ids))
            made += [pool[at : at + size] for at in range(0, len(pool), size)]
        chance.shuffle(made)
        yield from made
        passes += 1
