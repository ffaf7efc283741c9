"""Train the reader.

    python -m training.reader --data DIR --out DIR [--steps N] [--until N] [--seed N] [--resume]

DIR holds the public sets (training/data.py). Training starts from the published weights of the
bundled model and writes to the output folder: `log.txt`, `checkpoint.pt`, from which `--resume`
goes on, and after the last step `model/`, of which `core.models.onnx_build` builds the file to run.
The same seed and number of threads give the same weights. The learning rate falls to nothing over
the last third of the steps; until then a resumed run may name another number of steps.
"""

from __future__ import annotations

import argparse
import importlib.util
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

NEEDED = ("torch", "transformers", "safetensors")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 0 when all steps were made, 2 where a package is missing."""
    given = _arguments(arguments)
    if not all(map(importlib.util.find_spec, NEEDED)):
        print("Training needs torch: run `pip install -r requirements-training.txt`.")
        return 2
    from training import learning

    given.out.mkdir(parents=True, exist_ok=True)
    log = logging.getLogger(learning.__name__)
    log.setLevel(logging.INFO)
    handlers = (
        logging.FileHandler(given.out / "log.txt", encoding="utf-8"),
        logging.StreamHandler(),
    )
    for handler in handlers:
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
        log.addHandler(handler)
    try:
        learning.train(given)
    finally:
        for handler in handlers:
            log.removeHandler(handler)
            handler.close()
    return 0


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m training.reader", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder with all sets")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--until", type=int, help="stop at this step, to go on another time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    parser.add_argument("--batch", type=int, default=8, help="examples of a step")
    parser.add_argument("--rate", type=float, default=1.5e-4, help="the highest learning rate")
    parser.add_argument("--frozen", type=int, default=0, help="the lowest layers not to learn")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=3.0, help="between two checkpoints")
    parser.add_argument("--weights", type=Path, help="a folder with other weights to start from")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
