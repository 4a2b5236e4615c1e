"""What a message shows of its writer: a small network over the embedder's vector of the message (TR-02).

Vectors of a statement and its denial are nearly the same, so the network also sees the words of denial.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np
import numpy.typing as npt

from shared.language.embedding.bundled import Embedder
from shared.language.port import Habit, Place, Shown

WEIGHTS: Final = Path(__file__).with_name("weights") / "habits.npz"

NOTHING: Final = ("none", "sensitive")
"""Labels of a message that shows no behavior, or one bound to a sensitive matter; the catalogue's behaviors follow."""
SHOWN: Final[tuple[Shown, ...]] = get_args(Shown)
PLACES: Final[tuple[Place, ...]] = get_args(Place)
HABIT_FROM: Final = 0.25
"""Least probability for a behavior to be returned at all."""
LENGTH: Final = 4.0
"""Length of the vectors that the network reads."""
TEXT_MAX: Final = 1_000
"""Characters read of a message: what follows in a long one is rarely about the writer."""
SENTENCES_MAX: Final = 6
"""Sentences that are also read on their own: in a message about something else, one clause may tell a habit."""
SENTENCE_MIN: Final = 6
"""Fewest characters of such a sentence."""
_SENTENCE: Final = re.compile(r"[^.!?。！？\n]+[.!?。！？\n]*")

_DENIED: Final = re.compile(
    r"\b(?:not|never|no|none|nothing|nobody|without|cannot|nor|neither|dont)\b|n['’]t\b|[不没别无]|懒得|拒绝",
    re.IGNORECASE,
)
_MARKS: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:no longer|stopped|used to|anymore|any more|gave up|quit|once)\b|不再|以前|过去|从前|早就",
        r"\b(?:hardly|rarely|seldom|barely|little)\b|很少|几乎不|难得",
        r"\b(?:always|every|only|ever|usually|whenever)\b|总|每|向来|一直|都",
    )
)

Numbers = npt.NDArray[np.float32]


def marks(text: str) -> list[float]:
    """Return whether words deny something, deny twice, say that it ended, that it is rare, and that it is usual."""
    denied = len(_DENIED.findall(text))
    return [float(denied > 0), float(denied > 1), *(float(bool(one.search(text))) for one in _MARKS)]


def pieces(text: str) -> list[str]:
    """Return what is read of a message: all of it, and each of its first sentences if there are several."""
    whole = text[:TEXT_MAX]
    sentences = [one for found in _SENTENCE.findall(whole) if len(one := found.strip()) >= SENTENCE_MIN]
    return [whole, *sentences[:SENTENCES_MAX]] if len(sentences) > 1 else [whole]


class HabitReader:
    """Reads messages for what they show. Thread-safe.

    Args:
        embedder: embeds the messages, as stored texts.
        weights: the network: `labels`, `mean` (384), `inner` (384 and the `marks` × width), `inner_bias`, `outer`
            (width × answers), `outer_bias`; the answers are the labels, then `SHOWN`, then `PLACES`.
    """

    def __init__(self, embedder: Embedder, weights: Path = WEIGHTS) -> None:
        self._embedder = embedder
        with np.load(weights) as arrays:
            self.labels: tuple[str, ...] = tuple(map(str, arrays["labels"]))
            self._mean, self._inner, self._inner_bias, self._outer, self._outer_bias = (
                arrays[name].astype(np.float32) for name in ("mean", "inner", "inner_bias", "outer", "outer_bias")
            )

    def read(self, text: str) -> list[Habit]:
        """Return the behaviors that a message may show, most likely first.

        Raises:
            Unembeddable, EmbedderUnavailable: as the embedder.
        """
        found: dict[str, Habit] = {}
        read = pieces(text)
        for piece, vector in zip(read, self._embedder.passages(read), strict=True):
            for habit in self._of(piece, np.array(vector, np.float32)):
                if habit.key not in found or found[habit.key].sure < habit.sure:
                    found[habit.key] = habit
        return sorted(found.values(), key=lambda one: -one.sure)

    def _of(self, piece: str, vector: Numbers) -> Iterator[Habit]:
        scores = self._scores(piece, vector)
        kinds = len(self.labels)
        likely = _softmax(scores[:kinds])
        shown = SHOWN[int(np.argmax(scores[kinds : kinds + len(SHOWN)]))]
        place = PLACES[int(np.argmax(scores[kinds + len(SHOWN) :]))]
        for number in np.flatnonzero(likely >= HABIT_FROM):
            if self.labels[number] not in NOTHING:
                yield Habit(self.labels[number], float(likely[number]), shown, place)

    def _scores(self, piece: str, vector: Numbers) -> Numbers:
        centred = vector - self._mean
        given = np.concatenate([centred * (LENGTH / np.linalg.norm(centred)), np.array(marks(piece), np.float32)])
        inner = _gelu(given @ self._inner + self._inner_bias)
        scores: Numbers = inner @ self._outer + self._outer_bias
        return scores


def _gelu(x: Numbers) -> Numbers:
    """Return the Gaussian error linear unit, in the tanh form (Hendrycks and Gimpel 2016)."""
    raised: Any = 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
    found: Numbers = raised
    return found


def _softmax(scores: Numbers) -> Numbers:
    raised: Any = np.exp(scores - np.max(scores))
    found: Numbers = raised / raised.sum()
    return found
