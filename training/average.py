"""The mean of the weights of several readers that were trained from the same start.

    python -m training.average MODEL MODEL [...] --out FOLDER

It reads better than each of them (Wortsman et al., "Model soups", ICML 2022).
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file, save_file

WEIGHTS = "model.safetensors"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 2 where the models do not have the same weights."""
    parser = argparse.ArgumentParser(prog="python -m training.average", description=__doc__)
    parser.add_argument("models", type=Path, nargs="+", help="folders that training wrote")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    found = [load_file(folder / WEIGHTS) for folder in given.models]
    shapes = [{name: values.shape for name, values in one.items()} for one in found]
    if any(other != shapes[0] for other in shapes):
        print("The models have weights of different names or shapes.")
        return 2
    given.out.mkdir(parents=True, exist_ok=True)
    means = {
        name: np.mean([one[name] for one in found], axis=0, dtype=np.float64).astype(values.dtype)
        for name, values in found[0].items()
    }
    save_file(means, given.out / WEIGHTS)
    for path in given.models[0].glob("*.json"):
        shutil.copyfile(path, given.out / path.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
