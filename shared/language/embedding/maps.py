"""Moves the vector of a question or statement towards memories it should find, by maps that `make train-maps` teaches.

A question is near texts that look like it, seldom near the memories its answer needs: "plan us a picnic" needs an
allergy. Nor is a statement near the one it ends: "signed the lease in Porto", "I live in Riga". Stored vectors, and the
vectors that messages are searched with, stay as the model makes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from shared.language.embedding.bundled import without_language

MAPS: Final = Path(__file__).with_name("maps.npz")
"""`questions_down` and `statements_down` (width × rank), `questions_up` and `statements_up` (rank × width)."""

Kind = Literal["questions", "statements"]
Numbers = npt.NDArray[np.float32]


def towards_needed(question: Sequence[float]) -> list[float]:
    """Return the unit vector that finds memories an answer needs, given the question's own."""
    return _moved("questions", question)


def towards_concerned(statement: Sequence[float]) -> list[float]:
    """Return the unit vector that finds memories a new statement repeats, replaces or otherwise concerns, given the
    statement's own as a stored text.
    """
    return _moved("statements", statement)


def _moved(kind: Kind, vector: Sequence[float]) -> list[float]:
    down, up = _map(kind)
    given = np.array(without_language(vector), np.float32)
    return without_language((given + given @ down @ up).tolist())


@cache
def _map(kind: Kind) -> tuple[Numbers, Numbers]:
    with np.load(MAPS) as arrays:
        return arrays[f"{kind}_down"].astype(np.float32), arrays[f"{kind}_up"].astype(np.float32)
