"""Thoughts are left out, loops and floods are seen, ordinary text passes untouched."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.llm.text_guards import ControlFilter, LoopGuard, ThoughtFilter


def filtered(pieces: list[str]) -> str:
    thoughts, shown, withdrawn = ThoughtFilter(), "", False
    for piece in [*pieces, None]:
        text = thoughts.finish() if piece is None else thoughts.feed(piece)
        shown = text if thoughts.withdrawn and not withdrawn else shown + text
        withdrawn = thoughts.withdrawn
    return shown


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("<think>Hm.</think>Yes.", "Yes."),
        ("\n<think>\nHm.\n</think>\n\nYes.", "\n\nYes."),
        ("<THINKING>a</thinking> b", " b"),
        ("<think>a</think><think>b</think>c", "c"),
        ("<think>never closed", ""),
        ("The tag <think>x</think> is shown.", "The tag <think>x</think> is shown."),
        ("<thing>is no thought</thing>", "<thing>is no thought</thing>"),
        ("Hm, let me see.\n</think>\n\nYes.", "\n\nYes."),
        ("Hm, let me see.</think>  \nYes.", "  \nYes."),
        ("Hm.\n  </Thinking> Yes.", " Yes."),
        ("</think>\n\nYes.", "\n\nYes."),
        ("Hm, and no answer.\n</think>", ""),
        ("Hm, and no answer. </think>\n \n", "\n \n"),
        ("Models end it with </think> and go on.", "Models end it with </think> and go on."),
        (
            "```\nHm.\n</think>\n```\nis what they say.",
            "```\nHm.\n</think>\n```\nis what they say.",
        ),
        ("<think>a</think>The end is\n</think>\n", "The end is\n</think>\n"),
        ("a </thin", "a </thin"),
        ("<", "<"),
        ("  \n", "  \n"),
        ("", ""),
    ],
)
def test_thoughts(said: str, answer: str) -> None:
    assert filtered([said]) == answer
    assert filtered(list(said)) == answer


@settings(max_examples=200, derandomize=True)
@given(
    st.lists(
        st.one_of(
            st.text("<think>/ab `\n", max_size=6),
            st.sampled_from(["</think>", "\n</th", "ink>", "</THOUGHT>\n", "```", "\n", " "]),
        ),
        max_size=20,
    )
)
def test_splitting_changes_nothing(pieces: list[str]) -> None:
    assert filtered(pieces) == filtered(["".join(pieces)])


@pytest.mark.parametrize(
    "stretch", ["[Source 99]", "the same line again and again\n", "ab", "数字。", "0"]
)
def test_a_loop_is_seen_early(stretch: str) -> None:
    guard, said = LoopGuard(10**6), 0
    for _ in range(5_000):
        said += len(stretch)
        if guard.repeats(stretch):
            break
    assert said < 1_500


def test_a_loop_after_good_text_is_seen() -> None:
    words = random.Random(1)
    guard = LoopGuard(10**6)
    assert not any(guard.repeats(f"word{words.random()} ") for _ in range(300))
    assert any(guard.repeats("and so on, ") for _ in range(120))


@pytest.mark.parametrize(
    "text",
    [
        "| Year | Revenue |\n|------|---------|\n"
        + "".join(f"| {year} | {year * 7 % 991}.{year % 10} |\n" for year in range(1950, 2025)),
        "".join(f"{n}. Step {n} of the procedure is done as it says there.\n" for n in range(80)),
        "def f(x):\n    return x\n\n" * 12,
        "-" * 400,
        " ".join(f"[Source {n}]" for n in range(1, 200)),
    ],
)
def test_what_only_looks_like_a_loop_passes(text: str) -> None:
    guard = LoopGuard(10**6)
    assert not any(guard.repeats(text[i : i + 7]) for i in range(0, len(text), 7))


def test_the_limit_cuts() -> None:
    guard = LoopGuard(10)
    assert guard.allowed("123456") + guard.allowed("7890123") == "1234567890"
    assert guard.full


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Yes.<|im_end|>", "Yes."),
        ("<s>Yes.</s>", "Yes."),
        ("<answer>Yes.</answer>", "Yes."),
        ("<|im_start|>assistant\nYes.<|im_end|>\n", "Yes."),
        ("<|assistant|>Yes.<|endoftext|><|user|>And then?", "Yes."),
        ("Yes.</s>\nQuestion: and then?", "Yes."),
        ("<start_of_turn>model\nYes.<end_of_turn>\n", "Yes."),
        ("<|start_header_id|>assistant<|end_header_id|>\n\nYes.<|eot_id|>", "Yes."),
        ("Hm.\n<answer>\nYes.\n</answer>\nSo.", "Hm.\n\nYes.\n\nSo."),
        ("The token <|im_end|> ends a turn.", "The token <|im_end|> ends a turn."),
        ("It ends with `<|im_end|>`", "It ends with `<|im_end|>`"),
        ("```\nx\n``` [1].\n```\nYes. </answer>", "```\nx\n``` [1].\n```\nYes. "),
        ("```\n<s>\n</s>\n```", "```\n<s>\n</s>\n```"),
        ("a < b and <b>c</b>", "a < b and <b>c</b>"),
        ("x <|", "x <|"),
        ("a <s>b</s> c", "a <s>b</s> c"),
        ("<start", "<start"),
        ("[I say] so", "[I say] so"),
        ("[INST] [1]", "[1]"),
        ("<thing>is</thing>", "<thing>is</thing>"),
        ("", ""),
        ("<think>a</think>b", "<think>a</think>b"),
        ("Yes.<｜end▁of▁sentence｜>", "Yes."),
        ("<result> is a tag", "<result> is a tag"),
        ("x < y and z", "x < y and z"),
    ],
)
@pytest.mark.parametrize("size", [1, 3, 1_000])
def test_control_tokens_go(said: str, shown: str, size: int) -> None:
    control = ControlFilter()
    parts = [control.feed(said[at : at + size]) for at in range(0, len(said), size)]
    assert "".join(parts) + control.finish() == shown
