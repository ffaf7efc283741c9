"""Token vectors of the bundled encoder: their mean is the vector of the whole text."""

from __future__ import annotations

import numpy as np

from core.config import Settings
from core.evaluation.measures.bertscore import bertscore_f1
from core.models.embedding import load_embedder
from core.models.token_states import TokenStates


def test_token_vectors() -> None:
    states = TokenStates()
    text = "Dense retrieval compares meanings as vectors."
    found = states(text)
    assert found.shape[1] == 384
    assert np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)
    whole = load_embedder(Settings()).embed_query(text)
    assert float(found.mean(axis=0) @ whole) / float(np.linalg.norm(found.mean(axis=0))) > 0.9
    near = bertscore_f1(found, states("Dense search compares meaning by vectors."))
    far = bertscore_f1(found, states("The cat sat on the mat."))
    assert bertscore_f1(found, found) > 0.999
    assert near > far + 0.2
    assert states("").shape == (0, 384)
