"""Tiny models with random weights, made by the tests in a folder, in the forms that hubs serve."""

from __future__ import annotations

from pathlib import Path

WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] the a cat dog sat on mat query passage : short long".split()


def _parts(folder: Path, seed: int) -> dict[str, object]:
    import torch
    from transformers import BertConfig, BertTokenizerFast

    folder.mkdir(parents=True)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(WORDS), "utf-8")
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(WORDS), hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=64, num_labels=1,
    )  # fmt: skip
    return {"config": config, "tokenizer": BertTokenizerFast(vocab=str(vocabulary))}


def make_embedder(folder: Path, *, prompts: dict[str, str] | None = None, seed: int = 1) -> Path:
    """An embedding model of sentence-transformers with 16 dimensions."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
    from transformers import BertModel

    parts = _parts(folder / "parts", seed)
    BertModel(parts["config"]).eval().save_pretrained(folder / "parts")
    parts["tokenizer"].save_pretrained(folder / "parts")
    transformer = Transformer(str(folder / "parts"), max_seq_length=32)
    modules = [transformer, Pooling(16), Normalize()]
    SentenceTransformer(modules=modules, prompts=prompts, device="cpu").save(str(folder / "model"))
    return folder / "model"


def make_cross_encoder(folder: Path, *, labels: int = 1) -> Path:
    """A cross-encoder of sentence-transformers."""
    from transformers import BertForSequenceClassification

    parts = _parts(folder / "model", 2)
    parts["config"].num_labels = labels
    BertForSequenceClassification(parts["config"]).eval().save_pretrained(folder / "model")
    parts["tokenizer"].save_pretrained(folder / "model")
    return folder / "model"
